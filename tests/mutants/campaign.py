#!/usr/bin/env python3
"""A campaign of mutants: single slips put into the sources, and which tests turn red.

    tests/mutants/campaign.py --count 400 --seed 1     draws, builds, asks the tests
    tests/mutants/campaign.py --resume                 goes on where it was stopped
    tests/mutants/campaign.py --write                  writes docs/maintainers/mutants.md

A copy of the sources gets a switch at every drawn place, so that one build holds all mutants;
STICTION_MUTANT=N switches the N-th on, in tests and in the program that they start. Every test is run alone
once, with STICTION_REACHED naming a file that every place reached writes its number into. Each mutant is then
shown to the tests that reach it, quickest first, until one turns red, twice in a row, or hangs.

The folder --out keeps everything: `sources`, `target`, `draw.json`, `reach.json`, `results.json`. What was
judged stays judged while the sources stay; after a change of tests, --resume asks them about survivors alone.
Needs Python 3, git and stable Rust.
"""
import argparse
import dataclasses
import datetime
import itertools
import json
import random
import subprocess
import threading
import time
from pathlib import Path

import places
import reach
import report

# drawn beyond what is asked for, since some do not compile
SPARE = 1.8


def load(path, otherwise):
    return json.loads(path.read_text()) if path.exists() else otherwise


def today():
    now = datetime.date.today()
    return f"{now.day} {now:%B %Y}"


def draw(options, copy, target):
    """Places that compile, by number: as many as asked for, each room in proportion to its lines of code."""
    rooms = places.candidates(options.seed)
    wanted = places.shares({name: length for name, (length, _) in rooms.items()}, options.count)
    trial = [place for name, (_, found) in rooms.items() for place in found[:int(SPARE * wanted[name]) + 4]]
    good = reach.compiled(copy, target, dict(enumerate(trial, 1))).values()
    chosen = []
    for name, count in wanted.items():
        chosen += [place for place in good if places.room(place.file) == name][:count]
    return dict(enumerate(chosen, 1))


def prepare(options, out):
    """The draw and its build, taken from the folder where they stand there already."""
    target, copy = (options.target or out / "target").resolve(), out / "sources"
    copy.mkdir(parents=True, exist_ok=True)
    sources, everything = reach.digests()
    drawn = load(out / "draw.json", {})
    same = all(drawn.get(key) == value for key, value in
               [("sources", sources), ("count", options.count), ("seed", options.seed)])
    if same and drawn["everything"] == everything and Path(drawn["program"]).exists():
        return drawn
    if same:
        numbered = {int(n): places.Place(**place) for n, place in drawn["places"].items()}
    else:
        numbered = draw(options, copy, target)
    reach.write(copy, numbered)
    tests = reach.build(copy, target)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=places.HOME, capture_output=True, text=True)
    drawn = {
        "sources": sources, "everything": everything, "count": options.count, "seed": options.seed,
        "commit": commit.stdout.strip(), "date": today(), "program": str(target / "release/stiction"),
        "places": {str(n): dataclasses.asdict(place) for n, place in numbered.items()},
        "tests": [dataclasses.asdict(test) for test in tests],
    }
    reach.save(out / "draw.json", drawn)
    print(f"{len(numbered)} places, {len(tests)} tests", flush=True)
    return drawn


class Judge:
    """Shows mutants to tests. No test runs twice at a time, since some have files of a fixed name."""

    def __init__(self, drawn, tests, known, out, until, most):
        self.drawn, self.out, self.until, self.most = drawn, out, until, most
        self.tests, self.known = tests, known
        self.locks = {test.key: threading.Lock() for test in tests}

    def asked(self, n):
        """The tests that reach a place, quickest first, and those of them that `most` seconds hold."""
        found = [test for test in self.tests
                 if int(n) in self.known[test.key]["places"] and self.known[test.key]["state"] == "green"]
        found.sort(key=lambda test: self.known[test.key]["seconds"])
        spent = itertools.accumulate(self.known[test.key]["seconds"] for test in found)
        return found, [test for test, seconds in zip(found, spent) if seconds <= self.most]

    def turns(self, test, n, slot):
        """`red`, `hang` or nothing. What turns red once and not again was no doing of the mutant."""
        limit = reach.LONGER * self.known[test.key]["seconds"] + reach.BESIDES
        with self.locks[test.key]:
            for _ in range(2):
                state, _ = reach.run(
                    test, self.drawn["program"], self.out / f"tmp.{slot}", limit, STICTION_MUTANT=n)
                if state != "red":
                    break
        return None if state == "green" else state

    def __call__(self, n, slot):
        """What became of a mutant; nothing where time is up."""
        began, (reaching, waiting) = time.monotonic(), self.asked(n)
        result = {"everything": self.drawn["everything"], "reached": len(reaching), "asked": len(waiting), "red": None}
        while waiting and not result["red"]:
            if time.monotonic() > self.until:
                return n, None
            free = (k for k, test in enumerate(waiting) if not self.locks[test.key].locked())
            test = waiting.pop(next(free, 0))
            state = self.turns(test, n, slot)
            if state:
                result["red"] = test.key + (", hangs" if state == "hang" else "")
        result["seconds"] = round(time.monotonic() - began, 1)
        return n, result


def campaign(options, out):
    """Asks the tests about all mutants that are not judged yet; whether all are."""
    until = time.monotonic() + (options.seconds or float("inf"))
    drawn = prepare(options, out)
    tests = [reach.Test(**test) for test in drawn["tests"]]
    known = load(out / "reach.json", {})
    if known.get("everything") != drawn["everything"]:
        known = {"everything": drawn["everything"], "tests": {}}
    if not reach.record(tests, drawn["program"], out, known, until):
        return False
    kept = load(out / "results.json", {}) if options.resume else {}
    results = kept["results"] if kept.get("sources") == drawn["sources"] else {}
    judge = Judge(drawn, tests, known["tests"], out, until, options.most)
    missing = [n for n in drawn["places"] if n not in results or not results[n]["red"] and (
        results[n]["everything"] != drawn["everything"] or results[n]["asked"] < len(judge.asked(n)[1]))]
    # in random order, so that what is judged when time is up is a sample of all
    random.Random(options.seed).shuffle(missing)
    for n, result in reach.at_once(judge, missing):
        if result is None:
            continue
        results[n] = result
        reach.save(out / "results.json", {"sources": drawn["sources"], "results": results})
        place = drawn["places"][n]
        fate = result["red"] or ("SURVIVED" if result["reached"] else "UNREACHED")
        print(f"{n} {place['file']}:{place['line'] + 1} {place['slip']}: {fate}, {result['seconds']:.0f} s"
              f"    {place['source']}", flush=True)
    caught = sum(1 for result in results.values() if result["red"])
    print(f"{caught} of {len(results)} turned a test red; {len(drawn['places'])} were drawn", flush=True)
    return len(results) == len(drawn["places"])


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--count", type=int, default=400, help="mutants")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=places.HOME / "target/mutants")
    options.add_argument("--target", type=Path, help="cargo's folder for the mutated build, OUT/target")
    options.add_argument("--seconds", type=float, default=0.0, help="stop after so long")
    options.add_argument("--most", type=float, default=float("inf"),
                         help="seconds of tests that a mutant is shown to; --resume with more asks the rest")
    options.add_argument("--resume", action="store_true", help="go on with the results in OUT")
    options.add_argument("--write", action="store_true", help="write the page of what is in OUT, and no more")
    options = options.parse_args()
    out = options.out.resolve()
    if options.write:
        report.write(load(out / "draw.json", {}), load(out / "results.json", {})["results"])
    elif not campaign(options, out):
        print("not all are judged: --resume goes on", flush=True)


if __name__ == "__main__":
    main()
