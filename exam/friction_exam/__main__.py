"""The command: asks an engine, prints and writes its answers, or prints the scoreboard of result files."""

import argparse
import json
import sys
from pathlib import Path

try:
    from . import scoreboard
    from .ask import EQUAL, ask, results
    from .engine import engine, names
    from .question import QuestionError, all_questions
except ModuleNotFoundError as lacking:
    print(f"error: {lacking}; the exam needs Python 3.11 with numpy, which --python names", file=sys.stderr)
    sys.exit(2)

ORDER = ("first", "second", "third", "missed", "failed")
REGRESSION = 11


def parser() -> argparse.ArgumentParser:
    """The options; `stiction exam --help` tells them too."""
    p = argparse.ArgumentParser(prog="stiction exam", description=__doc__)
    p.add_argument("--engine", metavar="NAME|FILE")
    p.add_argument("--settings", default="default")
    p.add_argument("--question", default="*", metavar="PATTERN")
    p.add_argument("--step", type=float)
    p.add_argument("--cpu", type=float, default=0.5)
    p.add_argument("--out", type=Path)
    p.add_argument("--log", type=Path)
    p.add_argument("--strict", action="store_true")
    p.add_argument("--baseline", type=Path)
    p.add_argument("--scoreboard", type=Path, nargs="+", default=[])
    p.add_argument("--html", type=Path)
    return p


def main() -> int:
    """Exit code: 0, 2 for a wrong command, 11 for an answer that is not good enough."""
    options = parser().parse_args()
    try:
        if options.scoreboard:
            return board(options)
        questions = all_questions(options.question)
        if not questions:
            return complain(f"no question is called {options.question!r}; `stiction exam` lists them")
        if options.engine is None:
            return catalogue(questions)
        return examine(options, questions)
    except (QuestionError, LookupError, OSError) as error:
        return complain(str(error))
    except ModuleNotFoundError as error:
        return complain(f"{error}; install it into the Python that --python names: pip install numpy ENGINE")


def complain(text: str) -> int:
    """An error of the command line."""
    print(f"error: {text}", file=sys.stderr)
    return 2


def catalogue(questions) -> int:
    """Lists what there is."""
    width = max(len(q.name) for q in questions)
    topic = None
    for q in questions:
        if q.topic != topic:
            topic = q.topic
            print(f"{topic}")
        print(f"  {q.name:{width}}  {q.title}")
    print(f"\n{len(questions)} questions; engines: {', '.join(names())}, or a file with an adapter of your own")
    return 0


def examine(options, questions) -> int:
    """Asks all questions, a line each."""
    adapter = engine(options.engine)
    name = Path(options.engine).stem
    if options.log:
        options.log.mkdir(parents=True, exist_ok=True)
    setting = "best" if options.settings == EQUAL else options.settings
    if setting not in adapter.settings:
        known = ", ".join([*adapter.settings, EQUAL])
        return complain(f"{name} has no settings {setting!r}; settings: {known}")
    chosen = adapter.settings[setting]
    print(f"{name} {adapter.version()}, {options.settings}: {chosen['about']}\n")
    width = max(len(q.name) for q in questions)
    answers = []
    for q in questions:
        a = ask(adapter, q, options.settings, options.step, options.cpu, options.log)
        answers.append(a)
        print(f"{q.name:{width}}  {a.grade:6}  {line(q, a)}", flush=True)
    counts = {g: sum(a.grade == g for a in answers) for g in (*ORDER, "no")}
    print("\n" + ", ".join(f"{n} {g}" for g, n in counts.items() if n))
    if options.out:
        options.out.write_text(json.dumps(results(adapter, name, options.settings, answers), indent=1) + "\n")
    return verdict(options, answers)


def line(q, a) -> str:
    """The figures of an answer."""
    if a.value is None:
        return a.note.splitlines()[0] if a.note else ""
    note = f"  ({a.note})" if a.note else ""
    return f"{a.value:.7g} {'' if q.unit == '1' else q.unit}, right is {q.reference:.7g}{note}"


def verdict(options, answers) -> int:
    """The exit code: against a baseline, or with --strict against the third class."""
    if options.baseline:
        before = {a["question"]: a for a in json.loads(options.baseline.read_text())["answers"]}
        rank = {g: n for n, g in enumerate(ORDER)}
        worse = [
            f"{a.question}: {before[a.question]['grade']} before, {a.grade} now"
            for a in answers
            if a.question in before
            and rank.get(a.grade, len(ORDER)) > rank.get(before[a.question]["grade"], len(ORDER))
        ]
        for text in worse:
            print(text, file=sys.stderr)
        return REGRESSION if worse else 0
    missed = any(a.grade in ("missed", "failed") for a in answers)
    return REGRESSION if options.strict and missed else 0


def board(options) -> int:
    """The scoreboard of result files."""
    files = [scoreboard.load(path) for path in options.scoreboard]
    questions = all_questions()
    print(scoreboard.markdown(questions, files), end="")
    if options.html:
        options.html.write_text(scoreboard.page(questions, files), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
