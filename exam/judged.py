#!/usr/bin/env python3
"""The verdicts of `stiction judge` on the logs of an exam, by engine and by reason.

    python3 exam/judged.py LOGS [LOGS ...] [--binary PATH] [--write]

Each LOGS is a folder that `stiction exam --engine NAME --log LOGS` has filled; its name stands in the table. With
--write the table goes into docs/judging.md.
"""

import argparse
import collections
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "judging.md"
MARKS = ("<!-- exam/judged.py --write -->", "<!-- end of judged -->")


def verdict(binary, log):
    """The verdict on a log, and its faults as pairs of reason and question."""
    command = [binary, "judge", str(log), "--format", "json"]
    document = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
    question = log.name.split(".")[0]
    faults = {(answer["reason"], question) for answer in document["answers"] if answer["kind"] == "fault"}
    return document["verdict"], faults


def row(binary, folder):
    """A row of the table: logs, those of each verdict, and the questions of each reason."""
    logs = sorted(folder.glob("*.npz"))
    verdicts, faults = collections.Counter(), set()
    for log in logs:
        word, found = verdict(binary, log)
        verdicts[word] += 1
        faults |= found
    reasons = collections.defaultdict(list)
    for reason, question in sorted(faults):
        reasons[reason].append(question)
    words = [f"`{reason}`: {', '.join(questions)}" for reason, questions in reasons.items()]
    counts = [verdicts[word] for word in ("no fault found", "not judged", "not trusted")]
    return f"| {folder.name} | {len(logs)} | {' | '.join(map(str, counts))} | {'; '.join(words)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--binary", default=str(ROOT / "target" / "release" / "stiction"))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    lines = ["| log | runs | no fault found | not judged | not trusted | reasons, with their questions |", "|---|---|---|---|---|---|"]
    lines += [row(given.binary, folder) for folder in given.logs]
    print("\n".join(lines))
    if given.write:
        before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
        after = rest.split(MARKS[1])[1]
        PAGE.write_text("\n".join([before + MARKS[0], *lines, MARKS[1] + after]), encoding="utf-8")


main()
