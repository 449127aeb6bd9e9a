#!/usr/bin/env python3
"""An accuracy asked of the scenes of tests/verdict/grid.py, against their known truths.

    python3 tests/verdict/accuracy.py [--binary PATH] [--family NAME] [--every N] [--fixed N] [--jobs N] [--write]

Of every scene of the grid, by whatever method, the finest and the coarsest step are taken: they differ in the times
between frames, and so in the steps that fit. Each is run with `--accuracy A --max-time 20s` for A from 1e-1 to
1e-4. An answer is within A where it is off by no more than A times the scale of its measure, beside what the truth
itself is off. For each N-th scene of --fixed the same method is run at the steps of the search's longest one over
1, 2, 4, ...: the cheapest of them from which on all smaller ones reach A is the best fixed step. Work is counted in
force evaluations. With --write the figures go into docs/accuracy.md. It exits with 1 where less than 95 % are
delivered, or more than 1 % of the answers are beyond A without saying so.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

import grid
import page

MARKS = ("<!-- tests/verdict/accuracy.py --write -->", "<!-- end of accuracy -->")
PAGE = pathlib.Path(__file__).parents[2] / "docs/accuracy.md"
ASKED = ["1e-1", "1e-2", "1e-3", "1e-4"]
# most CPU time of a search, and of a run at a fixed step [s]
PATIENCE = 20


def scenes(family):
    """The finest and the coarsest of the scenes that differ in their times alone."""
    groups = collections.OrderedDict()
    for make in grid.FAMILIES:
        for case in make():
            if family in (None, case.family):
                timeless = re.sub(r"^(end|step|output) = .*$", "", case.scene, flags=re.M)
                groups.setdefault(timeless, []).append(case)
    step = lambda case: float(re.search(r"^step = (.*)$", case.scene, re.M)[1])
    for cases in groups.values():
        cases.sort(key=step)
        yield from cases[:1] + cases[1:][-1:]


def run(binary, case, options):
    command = [binary, "run", "-", "--format", "json", "--threads", "1", *options]
    try:
        done = subprocess.run(command, input=case.scene, capture_output=True, text=True, timeout=10 * PATIENCE)
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"timeout": True}
    except json.JSONDecodeError:
        return None


def value_of(case, document):
    last = document.get("last_frame", {})
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    values = [last.get(name) for name in names]
    if document["status"] != "completed" or None in values:
        return math.inf
    return values[0] - values[1] if len(values) == 2 else values[0]


def allowed(case, document, asked):
    """What the answer may be off by; None without error bars."""
    verification = document.get("verification")
    if not verification:
        return None
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    scale = sum(verification["measures"][name]["scale"] for name in names)
    return asked * scale + case.slack * case.size + 1e-9 * abs(case.truth)


def judged(binary, case, text):
    """One search: how it ended, its work, and the allowed error."""
    document = run(binary, case, ["--accuracy", text, "--max-time", f"{PATIENCE}s"])
    if document is None or "timeout" in document:
        return {"end": "refused" if document is None else "out of time", "case": case, "asked": text}
    found = document["accuracy"]
    most = allowed(case, document, float(text))
    off = abs(value_of(case, document) - case.truth)
    end = "not delivered"
    if found["delivered"]:
        end = "within" if off <= most else "beyond"
    return {
        "end": end, "case": case, "asked": text, "off": off, "most": most, "why": found["why"],
        "runs": len(found["runs"]), "work": sum(entry["evaluations"] for entry in found["runs"]),
        "step": document["integrator"]["step"], "level": document["trust"]["level"],
        "reasons": [reason["name"] for reason in document["trust"]["reasons"]],
    }


def best_fixed(binary, case, results):
    """Force evaluations of the best fixed step for each accuracy."""
    times = {key: float(re.search(rf"^{key} = (.*)$", case.scene, re.M)[1]) for key in ("output", "step")}
    smallest = min((r["step"] for r in results if r["end"] == "within"), default=None)
    if smallest is None:
        return {}
    runs, parts = [], 1
    while times["output"] / parts > smallest / 2.5:
        document = run(binary, case, ["--step", repr(times["output"] / parts)])
        if document is not None and "timeout" not in document:
            off = abs(value_of(case, document) - case.truth)
            runs.append((off, document.get("counters", {}).get("evaluations", math.inf)))
        parts *= 2
    best = {}
    for result in results:
        if result["end"] == "within":
            reach = [off <= result["most"] for off, _ in runs]
            from_there = next((k for k in range(len(runs)) if all(reach[k:])), None)
            if from_there is not None:
                best[result["asked"]] = result["work"] / max(runs[from_there][1], 1)
    return best


def table(results, ratios):
    lines = [
        "| accuracy | searches | within | beyond, not said | not delivered, said | runs, median | work over the best fixed step: median | largest |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for text in [*ASKED, "all"]:
        own = [r for r in results if text in (r["asked"], "all")]
        ends = collections.Counter(r["end"] for r in own)
        over = [ratio for asked, ratio in ratios if text in (asked, "all")]
        median = f"{statistics.median(over):.1f} x | {max(over):.1f} x" if over else "– | –"
        runs = statistics.median(r["runs"] for r in own if "runs" in r)
        lines.append(f"| {text} | {len(own)} | {ends['within']} | {ends['beyond']} | {ends['not delivered']} | {runs:.0f} | {median} |")
    return "\n".join(lines)


def by_family(results):
    lines = ["| family | searches | within | beyond, not said | not delivered, said |", "|---|---|---|---|---|"]
    for family in dict.fromkeys(r["case"].family for r in results):
        ends = collections.Counter(r["end"] for r in results if r["case"].family == family)
        lines.append(f"| {family} | {sum(ends.values())} | {ends['within']} | {ends['beyond']} | {ends['not delivered']} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--family")
    parser.add_argument("--every", type=int, default=1, help="only each N-th scene")
    parser.add_argument("--fixed", type=int, default=0, help="best fixed step of each N-th of those; 0: of none")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = list(scenes(options.family))[:: options.every]
    jobs = [(case, text) for case in cases for text in ASKED]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: judged(options.binary, *job), jobs))
        of = [results[k * len(ASKED):(k + 1) * len(ASKED)] for k in range(len(cases))]
        fixed = range(0, len(cases), options.fixed) if options.fixed else []
        found = pool.map(lambda k: best_fixed(options.binary, cases[k], of[k]), fixed)
        ratios = [ratio for best in found for ratio in best.items()]
    results = [r for r in results if r["end"] != "refused"]
    for r in results:
        if r["end"] != "within":
            print(f"{r['end']}: {r['case'].family} {r['case'].name} at {r['asked']}: off {r.get('off')}, allowed {r.get('most')}, step {r.get('step')}, {r.get('runs')} runs, {r.get('level')} {r.get('reasons')}: {r.get('why')}")
    print(table(results, ratios), by_family(results), sep="\n\n")
    if options.write:
        page.write(MARKS, table(results, ratios) + "\n\n" + by_family(results), PAGE)
    ends = collections.Counter(r["end"] for r in results)
    answers = ends["within"] + ends["beyond"]
    if ends["within"] < 0.95 * len(results) or ends["beyond"] > 0.01 * answers:
        sys.exit(f"error: of {len(results)} searches {ends['within']} are within what was asked, {ends['beyond']} beyond without saying so")


if __name__ == "__main__":
    main()
