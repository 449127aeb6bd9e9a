#!/usr/bin/env python3
"""The advice of runs that are not trusted, followed: does it lead to runs that are right and trusted?

    python3 tests/verdict/advice.py [--binary PATH] [--family NAME] [--every N] [--rounds N] [--jobs N] [--write]

Every verified run of the grid (tests/verdict/grid.py) that is told is run again with the options under
`trust.advice`, and so on for three rounds. It ends right where it is trusted and off by less than 1 % of the
size that its family names. With --write the figures go into docs/verdict.md. Fewer than 90 % that end right
exit with 1; 95 % are the aim.
"""
import argparse
import collections
import concurrent.futures
import json
import subprocess
import sys

import grid
import page

MARKS = ("<!-- tests/verdict/advice.py --write -->", "<!-- end of advice -->")
# seconds after which a run counts as given up
PATIENCE = 300


def run(binary, case, settings):
    """Level, distance from the truth as a share, and advice of a verified run; None where there is no document."""
    command = [binary, "run", "-", "--format", "json", "--threads", "1", "--verify"]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"]
    try:
        done = subprocess.run(command, input=case.scene, capture_output=True, text=True, timeout=PATIENCE)
        document = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    last, trust = document["last_frame"], document["trust"]
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    values = [last.get(name) for name in names]
    off = None
    if None not in values:
        value = values[0] - values[1] if len(values) == 2 else values[0]
        off = abs(value - case.truth) / case.size
    return {"level": trust["level"], "off": off, "advice": trust["advice"]}


def followed(binary, case, rounds):
    """How a told run of the grid ends: a word, the number of rounds, and the settings; None if it is not told."""
    settings, found = {}, run(binary, case, {})
    if found is None or found["level"] != "not trusted":
        return None
    for round_ in range(1, rounds + 1):
        if not found["advice"]:
            return "no advice", round_, settings
        settings = settings | found["advice"]["set"]
        found = run(binary, case, settings)
        if found is None:
            return "no result", round_, settings
        if found["level"] == "trusted":
            return ("right" if found["off"] <= 0.01 else f"off by {found['off']:.3f}"), round_, settings
    return "not trusted", rounds, settings


def table(ends):
    """The figures for the page."""
    lines = ["| family | told | right after 1 | after 2 | after 3 | trusted, off by more than 1 % | never trusted |", "|---|---|---|---|---|---|---|"]
    families = list(dict.fromkeys(case.family for case, _ in ends))
    for family in [*families, "all"]:
        own = [end for case, end in ends if family in (case.family, "all")]
        right = collections.Counter(round_ for word, round_, _ in own if word == "right")
        off = sum(word.startswith("off") for word, *_ in own)
        never = len(own) - off - sum(right.values())
        lines.append(f"| {family} | {len(own)} | {right[1]} | {right[2]} | {right[3]} | {off} | {never} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--family")
    parser.add_argument("--every", type=int, default=1, help="only each N-th run of the grid")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = page.options_of(parser, "family", "every", "rounds")
    cases = [c for family in grid.FAMILIES for c in family() if options.family in (None, c.family)]
    cases = cases[:: options.every]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        ends = list(pool.map(lambda case: followed(options.binary, case, options.rounds), cases))
    ends = [(case, end) for case, end in zip(cases, ends) if end is not None]
    for case, (word, round_, settings) in ends:
        if word != "right":
            print(f"{case.family} {case.name}: {word} after {round_}, {settings}")
    print(table(ends))
    if options.write:
        page.write(MARKS, table(ends))
    right = sum(end[0] == "right" for _, end in ends)
    if right < 0.9 * len(ends):
        sys.exit(f"error: {right} of {len(ends)} runs end right and trusted")


if __name__ == "__main__":
    main()
