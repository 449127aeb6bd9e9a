"""The part of docs/maintainers/mutants.md that a campaign writes: its figures, and what survived it."""
import collections
import re

import places

PAGE = places.HOME / "docs/maintainers/mutants.md"
MARKS = "<!-- campaign: begin -->", "<!-- campaign: end -->"
# a survivor whose `why` begins so is no hole
HARMLESS = "changes no behaviour"


def cell(text):
    return text.replace("|", "\\|")


def reasons(text):
    """What people wrote about survivors: {(file, slip, source): why}."""
    found = {}
    for line in text.split("\n"):
        cells = [part.strip() for part in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == 5 and re.fullmatch(r"\S+\.rs:\d+", cells[0]) and cells[4]:
            found[cells[0].rsplit(":", 1)[0], cells[1], cells[2]] = cells[4]
    return found


def figures(drawn, results, why):
    """The whole part between the markers."""
    rooms, rows = collections.OrderedDict(), []
    for n, place in drawn["places"].items():
        result = results.get(n)
        if result is None:
            continue
        count = rooms.setdefault(places.room(place["file"]), collections.Counter())
        count["places"] += 1
        slip, source = f"`{cell(place['slip'])}`", f"`{cell(place['source'])}`"
        reason = why.get((place["file"], slip, source), "")
        if result["red"]:
            count["caught"] += 1
            continue
        kind = "harmless" if reason.startswith(HARMLESS) else "survived" if result["reached"] else "unreached"
        count[kind] += 1
        row = f"| {place['file']}:{place['line'] + 1} | {slip} | {source} | {result['asked']} of {result['reached']} | {reason} |"
        rows.append((place["file"], place["line"], row))
    total = sum(rooms.values(), collections.Counter())
    asked = total["places"] - total["harmless"]
    heads = ["places", "caught", "survived", "unreached", "harmless"]
    lines = [
        f"{drawn['date']}, seed {drawn['seed']}, commit {drawn['commit']}: {total['places']} of "
        f"{len(drawn['places'])} places judged. **Caught: {total['caught']} of {asked}"
        f" ({100.0 * total['caught'] / max(asked, 1):.1f} %)**, without {total['harmless']} that change no behaviour.",
        "",
        "| room | places | caught | survived | no test reaches it | changes no behaviour |",
        "| --- | --- | --- | --- | --- | --- |",
        *(f"| `{name}` | " + " | ".join(str(count[head]) for head in heads) + " |" for name, count in rooms.items()),
        "| all | " + " | ".join(str(total[head]) for head in heads) + " |",
        "",
        "Survivors, each with the number of tests that it was shown to, of those that reach it:",
        "",
        "| place | slip | source | tests | why |",
        "| --- | --- | --- | --- | --- |",
        *(row for *_, row in sorted(rows)),
    ]
    return "\n".join(lines)


def write(drawn, results):
    """Writes the page anew between its markers; what stands under `why` is kept."""
    text = PAGE.read_text()
    before, rest = text.split(MARKS[0])
    old, after = rest.split(MARKS[1])
    PAGE.write_text(f"{before}{MARKS[0]}\n{figures(drawn, results, reasons(old))}\n{MARKS[1]}{after}")
