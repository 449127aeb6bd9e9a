"""The scoreboard: per question the answers of every engine under every setting. No single score."""

from __future__ import annotations

import html
import json
from pathlib import Path

from .question import Question

HEADER = ("engine", "settings", "class", "value", "error", "CPU [s]", "step [s]", "note")
RANK = {"first": 0, "second": 1, "third": 2, "missed": 3, "failed": 4, "no": 5}
GRADES = tuple(RANK)


def load(path: Path) -> dict:
    """A results file."""
    try:
        table = json.loads(path.read_text(encoding="utf-8"))
        if table["format"] != 1:
            raise ValueError(f"format {table['format']}, 1 is read")
        table["by question"] = {a["question"]: a for a in table["answers"]}
        return table
    except (KeyError, ValueError) as error:
        raise OSError(f"{path}: it is no results file of the exam ({error})") from None


def rows(question: Question, files: list[dict]) -> list[tuple]:
    """Cells of a question's table, the best class and the least error first."""
    found = []
    for f in files:
        a = f["by question"].get(question.name)
        if a is None:
            continue
        error = "" if a["error"] is None else f"{a['error']:+.3g}"
        value = "" if a["value"] is None else f"{a['value']:.6g}"
        note = " ".join(a["note"].split())[:120]
        cells = (f["engine"], f["settings"], a["grade"], value, error, cell(a["cpu"]), cell(a["step"]), note)
        size = abs(a["error"]) if a["error"] is not None else float("inf")
        found.append((RANK[a["grade"]], size, f["engine"], f["settings"], cells))
    return [row[-1] for row in sorted(found, key=lambda row: row[:-1])]


def cell(number: float | None) -> str:
    """A number of a table."""
    return "" if number is None else f"{number:.3g}"


def counts(files: list[dict]) -> list[tuple]:
    """Answers of each class, by engine and settings."""
    table = []
    for f in sorted(files, key=lambda f: (f["engine"], f["settings"])):
        grades = [a["grade"] for a in f["answers"]]
        made = (f["version"], f["settings"], f["options"].get("about", ""), f["date"], f["machine"])
        table.append((f["engine"], *made, *(str(grades.count(g)) for g in GRADES)))
    return table


COUNTS = ("engine", "version", "settings", "what they are", "date", "machine", *GRADES)


def markdown(questions: list[Question], files: list[dict]) -> str:
    """The scoreboard as Markdown."""
    text = "# The friction exam: scoreboard\n\nMade by `stiction exam --scoreboard FILES`; docs/exam.md says how "
    text += "to send a result in. Rows of a question are sorted by class, then by error; there is no total score.\n\n"
    text += "## Who answered\n\n" + lines(COUNTS, counts(files))
    topic = None
    for q in sorted(questions, key=lambda q: (q.topic, q.name)):
        if q.topic != topic:
            topic = q.topic
            text += f"\n## {topic.capitalize()}\n"
        text += f"\n### {q.title}\n\n`{q.name}`: {q.asks}. Right is {q.reference:.9g} {unit(q)}"
        text += f"(classes: ±{', ±'.join(f'{t:.2g}' for t in q.tolerance.values())}).\n\n"
        text += lines(HEADER, rows(q, files))
    return text


def unit(q: Question) -> str:
    """The unit with a blank behind it."""
    return "" if q.unit == "1" else f"{q.unit} "


def lines(header: tuple, table: list[tuple]) -> str:
    """A table of Markdown."""
    all_rows = [header, ("---",) * len(header), *table]
    return "".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |\n" for row in all_rows)


STYLE = """:root { color-scheme: light dark; --line: #8884; --good: #2a7d4f; --bad: #b3372f; --mid: #8a6a00 }
@media (prefers-color-scheme: dark) { :root { --good: #6cc493; --bad: #f08a80; --mid: #d9b84a } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; font-size: .85rem; display: block; overflow-x: auto }
td, th { padding: .15rem .6rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top }
.first, .second { color: var(--good) } .third { color: var(--mid) } .missed, .failed { color: var(--bad) }
summary { cursor: pointer; margin: .5rem 0 } details p { max-width: 46rem }"""


def page(questions: list[Question], files: list[dict]) -> str:
    """The scoreboard as one page without scripts."""
    parts = [
        '<!doctype html><html lang="en"><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width"><title>The friction exam</title>',
        f"<style>{STYLE}</style><h1>The friction exam</h1><p>Per question and engine: value, error, CPU time and",
        "settings. Sorted by class, then by error; there is no total score.</p><h2>Who answered</h2>",
        html_table(COUNTS, counts(files)),
    ]
    topic = None
    for q in sorted(questions, key=lambda q: (q.topic, q.name)):
        if q.topic != topic:
            topic = q.topic
            parts.append(f"<h2>{html.escape(topic.capitalize())}</h2>")
        right = f"{q.asks}; right is {q.reference:.9g} {unit(q)}"
        parts.append(f"<details open><summary><b>{html.escape(q.title)}</b> · {html.escape(right)}</summary>")
        parts.append(f"<p>{html.escape(q.derivation)} {html.escape(q.why)} {html.escape(q.caught)}</p>")
        parts.append(html_table(HEADER, rows(q, files)) + "</details>")
    return "\n".join(parts) + "</html>\n"


def html_table(header: tuple, table: list[tuple]) -> str:
    """A table; cells that are classes have their colour."""
    text = "<table><tr>" + "".join(f"<th>{html.escape(h)}</th>" for h in header) + "</tr>"
    for row in table:
        cells = (f'<td class="{c}">{c}</td>' if c in RANK else f"<td>{html.escape(c)}</td>" for c in row)
        text += "<tr>" + "".join(cells) + "</tr>\n"
    return text + "</table>"
