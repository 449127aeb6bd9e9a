#!/usr/bin/env python3
"""An accuracy asked of scenes that name neither step nor method, against their known truths (questions.py).

    python3 tests/verdict/accuracy.py [--binary PATH] [--family NAME] [--every N] [--fixed N] [--jobs N] [--write]

Each question is run with `--accuracy A --max-time 20s` for A from 1e-1 to 1e-5. An answer is within A where it is off
by no more than A times the scale of its measure, beside what the truth itself is off. For each N-th question of
--fixed the best fixed step and method is found by brute force: every method of FIXED at the time between frames over
1, 2, 4, ...; the cheapest run from which on all smaller steps of its method reach A. A run reaches A where its measure
is within A of its scale at the end, by the truth, and in the mean over each eighth of the run but for its largest
distance there, by the answer of the most accurate search, whose own error is allowed for. CPU is that of the whole
command, the start of the program included; where two are compared, the least of three. With --write the figures go into
docs/accuracy.md. It exits with 1 where less than 95 % are delivered within A, or an answer in a hundred is beyond A
without saying so.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading

import page
import questions

MARKS = ("<!-- tests/verdict/accuracy.py --write -->", "<!-- end of accuracy -->")
PAGE = pathlib.Path(__file__).parents[2] / "docs/accuracy.md"
ASKED = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5"]
FIXED = [
    "symplectic-euler", "velocity-verlet", "midpoint", "heun", "rk3", "rk4", "adams-bashforth-2", "semi-implicit",
    "implicit-euler", "trapezoid", "implicit-midpoint", "bdf2", "sdirk2", "tr-bdf2", "imex",
]
# most CPU time of a search [s]
PATIENCE = 20


def run(binary, case, options):
    """run.json and the CPU time of the command."""
    with tempfile.TemporaryFile("w+") as scene, tempfile.TemporaryFile("w+") as out:
        scene.write(case.scene)
        scene.seek(0)
        command = [binary, "run", "-", "--format", "json", "--threads", "1", *options]
        child = subprocess.Popen(command, stdin=scene, stdout=out, stderr=subprocess.DEVNULL)
        patience = threading.Timer(10 * PATIENCE, child.kill)
        patience.start()
        _, _, usage = os.wait4(child.pid, 0)
        patience.cancel()
        child.returncode = 0
        out.seek(0)
        try:
            return json.load(out), usage.ru_utime + usage.ru_stime
        except json.JSONDecodeError:
            return None, usage.ru_utime + usage.ru_stime


def value_of(case, document):
    last = document.get("last_frame", {})
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    values = [last.get(name) for name in names]
    if document["status"] != "completed" or None in values:
        return math.inf
    return values[0] - values[1] if len(values) == 2 else values[0]


def course(binary, case, options):
    """The measure at every frame, its last value, the CPU time, and the evaluations; None without an answer."""
    with tempfile.TemporaryDirectory() as folder:
        document, cpu = run(binary, case, [*options, "--out", f"{folder}/run"])
        if document is None:
            return None
        with open(f"{folder}/run/measures.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    signs = (1, -1)
    values = [sum(sign * float(row[name]) for sign, name in zip(signs, names)) for row in rows]
    return values, value_of(case, document), cpu, document.get("counters", {}).get("evaluations", math.inf)


def apart(values, others):
    """The largest mean distance of two courses over an eighth, without the largest distance in it."""
    if len(values) != len(others):
        return math.inf
    off = [0.0 if math.isnan(a) and math.isnan(b) else abs(a - b) for a, b in zip(values, others)]
    off = [math.inf if math.isnan(distance) else distance for distance in off]
    width = min(max(len(off) // 8, 8), len(off))
    parts = [off[k:k + width] for k in range(0, len(off) - width + 1, max(width // 2, 1))]
    return max((sum(part) - max(part)) / max(len(part) - 1, 1) for part in parts)


def allowed(case, document, asked):
    """What the answer may be off by; None without error bars."""
    verification = document.get("verification")
    if not verification:
        return None
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    scale = sum(verification["measures"][name]["scale"] for name in names)
    return asked * scale + case.slack * case.size + 1e-9 * abs(case.truth)


def judged(binary, case, text):
    """One search: how it ended, its cost, and the allowed error."""
    document, cpu = run(binary, case, ["--accuracy", text, "--max-time", f"{PATIENCE}s"])
    if document is None:
        return {"end": "no answer", "case": case, "asked": text, "cpu": cpu}
    found = document["accuracy"]
    most = allowed(case, document, float(text))
    off = abs(value_of(case, document) - case.truth)
    end = "not delivered"
    if found["delivered"]:
        end = "within" if off <= most else "beyond"
    return {
        "end": end, "case": case, "asked": text, "off": off, "most": most, "why": found["why"], "cpu": cpu,
        "runs": len(found["runs"]), "work": sum(entry["evaluations"] for entry in found["runs"]),
        "method": document["integrator"]["method"], "step": document["integrator"]["step"],
    }


def output_of(case):
    """The time between its frames [s]."""
    return float(re.search(r"output = ([\d.e+-]+)", case.scene)[1])


def fixed(binary, case, finest, reference):
    """(method, parts, off, CPU, evaluations) of every method at smaller and smaller steps, until two runs are within
    `finest` or take much more than the cheapest method that was; the values of `reference` at all frames are off by
    no more than that."""
    output = output_of(case)
    runs, cheapest = [], 4.0
    for method in FIXED:
        parts, reached = 1, 0
        while reached < 2:
            found = course(binary, case, ["--integrator", method, "--step", repr(output / parts)])
            if found is None or parts > 2**20:
                break
            values, last, cpu, work = found
            off = max(abs(last - case.truth), apart(values, reference) - finest)
            runs.append((method, parts, off, cpu, work))
            reached = reached + 1 if off <= finest else 0
            if reached == 1:
                cheapest = min(cheapest, 3 * cpu)
            if cpu > cheapest:
                break
            parts *= 2
    return runs


def least_cpu(binary, case, options):
    """The least CPU time of three commands."""
    return min(run(binary, case, options)[1] for _ in range(3))


def best_fixed(binary, case, results):
    """CPU time and evaluations of the searches over those of the best fixed step and method."""
    delivered = [r for r in results if r["end"] == "within"]
    if not delivered:
        return []
    finest = min(delivered, key=lambda r: r["most"])
    found = course(binary, case, ["--accuracy", finest["asked"], "--max-time", f"{PATIENCE}s"])
    if found is None:
        return []
    runs = fixed(binary, case, finest["most"], found[0])
    best, output = [], output_of(case)
    for result in delivered:
        cheapest = None
        for method in FIXED:
            own = [(off <= result["most"], cpu, work, parts) for name, parts, off, cpu, work in runs if name == method]
            # from here on all are within
            while own and not all(reach for reach, *_ in own):
                own.pop(0)
            for _, cpu, work, parts in own[:1]:
                cheapest = min(cheapest or (math.inf,), (cpu, work, method, parts))
        if cheapest:
            _, work, method, parts = cheapest
            # without the files
            cpu = least_cpu(binary, case, ["--integrator", method, "--step", repr(output / parts)])
            own = least_cpu(binary, case, ["--accuracy", result["asked"], "--max-time", f"{PATIENCE}s"])
            best.append({**result, "over": own / cpu, "over_work": result["work"] / max(work, 1), "best": method, "best_cpu": cpu})
    return best


def spread(values):
    """Median and nine tenths."""
    if not values:
        return "– | –"
    ordered = sorted(values)
    return f"{statistics.median(ordered):.1f} | {ordered[math.ceil(0.9 * len(ordered)) - 1]:.1f}"


def table(results, ratios):
    lines = [
        "| accuracy | searches | within | beyond, not said | not delivered, said | runs, median | CPU s, median | CPU over the best fixed step and method: median | nine tenths below |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for text in [*ASKED, "all"]:
        own = [r for r in results if text in (r["asked"], "all")]
        ends = collections.Counter(r["end"] for r in own)
        over = [r["over"] for r in ratios if text in (r["asked"], "all")]
        runs = statistics.median(r["runs"] for r in own if "runs" in r)
        cpu = statistics.median(r["cpu"] for r in own)
        lines.append(f"| {text} | {len(own)} | {ends['within']} | {ends['beyond']} | {ends['not delivered']} | {runs:.0f} | {cpu:.3f} | {spread(over)} |")
    return "\n".join(lines)


def by_family(results, ratios):
    lines = ["| family | questions | searches | within | beyond, not said | not delivered, said | CPU over the best: median | nine tenths below |", "|---|---|---|---|---|---|---|---|"]
    for family in dict.fromkeys(r["case"].family for r in results):
        own = [r for r in results if r["case"].family == family]
        ends = collections.Counter(r["end"] for r in own)
        over = [r["over"] for r in ratios if r["case"].family == family]
        lines.append(f"| {family} | {len({r['case'].name for r in own})} | {len(own)} | {ends['within']} | {ends['beyond']} | {ends['not delivered']} | {spread(over)} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--family")
    parser.add_argument("--every", type=int, default=1, help="only each N-th question")
    parser.add_argument("--fixed", type=int, default=0, help="best fixed step of each N-th of those; 0: of none")
    parser.add_argument("--worst", type=int, default=0, help="list so many of the dearest")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = page.options_of(parser, "family", "every")
    if options.write and not options.fixed:
        parser.error("--write is of the best fixed steps too: give --fixed 8")
    cases = [case for make in questions.FAMILIES for case in make() if options.family in (None, case.family)][:: options.every]
    jobs = [(case, text) for case in cases for text in ASKED]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: judged(options.binary, *job), jobs))
        of = [results[k * len(ASKED):(k + 1) * len(ASKED)] for k in range(len(cases))]
        compared = range(0, len(cases), options.fixed) if options.fixed else []
        found = pool.map(lambda k: best_fixed(options.binary, cases[k], of[k]), compared)
        ratios = [ratio for best in found for ratio in best]
    for r in results:
        if r["end"] != "within":
            print(f"{r['end']}: {r['case'].family} {r['case'].name} at {r['asked']}: off {r.get('off')}, allowed {r.get('most')}, {r.get('method')} {r.get('step')}, {r.get('runs')} runs, {r['cpu']:.2f} s: {r.get('why')}")
    for r in sorted(ratios, key=lambda r: -r["over"])[: options.worst]:
        print(f"dear: {r['case'].family} {r['case'].name} at {r['asked']}: {r['over']:.1f} x, evaluations {r['over_work']:.1f} x, {r['cpu']:.3f} s by {r['method']}, best {r['best_cpu']:.3f} s by {r['best']}, {r['runs']} runs")
    print(table(results, ratios), by_family(results, ratios), sep="\n\n")
    within = sum(r["over"] <= 3 for r in ratios)
    if ratios:
        print(f"\nof {len(ratios)} searches {within} cost at most 3 times the best fixed step and method")
    if options.write:
        page.write(MARKS, table(results, ratios) + "\n\n" + by_family(results, ratios), PAGE)
    ends = collections.Counter(r["end"] for r in results)
    answers = ends["within"] + ends["beyond"]
    if ends["within"] < 0.95 * len(results) or ends["beyond"] > 0.01 * answers:
        sys.exit(f"error: of {len(results)} searches {ends['within']} are within what was asked, {ends['beyond']} beyond without saying so")


if __name__ == "__main__":
    main()
