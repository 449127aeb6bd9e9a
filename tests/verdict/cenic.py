#!/usr/bin/env python3
"""An accuracy asked here and of CENIC, Drake's integrator with error control [kurtz2025], against exact answers.

    pip install drake==1.51.1
    python3 tests/verdict/cenic.py [--binary PATH] [--question NAME] [--write | --varied]

The questions of cenic_questions.py have closed forms, and sizes of .5 to 2 m by which their errors are divided. Both
get the same masses and stiffness, and the same ε, the slip speed below which friction is a ramp: 1e-8 m/s, which moves no
answer by more than about 1e-8. Scenes name neither step nor method and are run with `--accuracy "x=A m"`, A times the
size, and `--max-time 60s`. CENIC gets `accuracy=A`, a largest step of .1 s, and all else as it comes. Costs are CPU
times, the smaller of two: here of the whole process with all runs of a search, of CENIC those of `Initialize` and
`AdvanceTo`. With --write the figures go into docs/accuracy.md and docs/figures/accuracy_cenic.svg. With --varied other
coefficients and ends of the questions on friction are asked here alone, down to 1e-5, in 10 s each. It exits with 1
where an answer is said to be delivered, and is off by more than was asked.
"""
import argparse
import collections
import json
import logging
import math
import pathlib
import resource
import subprocess
import sys
import time

from pydrake.systems.analysis import ApplySimulatorConfig, SimulatorConfig

import page
from cenic_figure import figure
from cenic_questions import QUESTIONS, varied

MARKS = ("<!-- tests/verdict/cenic.py --write -->", "<!-- end of cenic -->")
DOCS = pathlib.Path(__file__).parents[2] / "docs"
ASKED = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6", "1e-7"]

Row = collections.namedtuple("Row", "question asked cenic cenic_cpu ours ours_cpu delivered why")


def by_cenic(question, asked):
    """Error as a share of the size, and CPU time [s] of one run."""
    costs = []
    for _ in range(2):
        simulation, read = question.drake()
        config = SimulatorConfig(integration_scheme="cenic", accuracy=float(asked), max_step_size=0.1, use_error_control=True)
        ApplySimulatorConfig(config, simulation)
        began = time.process_time()
        simulation.Initialize()
        simulation.AdvanceTo(question.end)
        costs.append(time.process_time() - began)
    return abs(read() - question.truth) / question.size, min(costs)


def by_this(binary, question, asked, patience="60s"):
    """The document of the search, its error as a share of the size, and CPU time of the process [s]."""
    costs = []
    within = f"x={float(asked) * question.size!r} m"
    command = [binary, "run", "-", "--accuracy", within, "--max-time", patience, "--format", "json", "--threads", "1"]
    used = lambda: sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    for _ in range(2):
        began = used()
        done = subprocess.run(command, input=question.scene, capture_output=True, text=True)
        costs.append(used() - began)
        if costs[0] > 2:
            break
    if not done.stdout:
        sys.exit(f"{question.name}: {done.stderr}")
    document = json.loads(done.stdout)
    value = document.get("last_frame", {}).get("x", math.inf)
    return document["accuracy"], abs(value - question.truth) / question.size, min(costs)


def asked_of(binary, question):
    for asked in ASKED:
        found, ours, cpu = by_this(binary, question, asked)
        row = Row(question, asked, *by_cenic(question, asked), ours, cpu, found["delivered"], found["why"])
        last = found["runs"][-1]
        print(
            f"{question.name} {asked}: CENIC {row.cenic:.2e} in {row.cenic_cpu:.4f} s, here {ours:.2e} in {cpu:.4f} s, {end(row)},"
            f" {len(found['runs'])} runs, the last {last['method']} at {last['step']:.3g} s: {row.why}", flush=True,
        )  # fmt: skip
        yield row


def vary(binary):
    """The end of each search on varied questions, by name."""
    ends = {}
    for question in varied():
        for asked in ASKED[:5]:
            found, ours, cpu = by_this(binary, question, asked, "10s")
            row = Row(question, asked, math.nan, math.nan, ours, cpu, found["delivered"], found["why"])
            ends.setdefault(question.name, collections.Counter())[end(row)] += 1
            if end(row) != "within":
                print(f"{end(row)}: {question.about} at {asked}: off {ours:.2e}, {row.why or found['reached']['error']}", flush=True)
    for name, counts in ends.items():
        print(f"{name}: {dict(counts)}")
    return sum(counts["beyond"] for counts in ends.values())


def end(row):
    if not row.delivered:
        return "said"
    return "within" if row.ours <= float(row.asked) else "beyond"


def cell(error, cpu, after=""):
    digits = float(f"{cpu:.2g}")
    seconds = f"{digits:g} s" if digits >= 1 else f"{1e3 * digits:g} ms"
    mantissa, power = f"{error:.1e}".split("e")
    return f"{mantissa}e{int(power)}{after}, {seconds}"


def tables(rows):
    head = "| " + " | ".join(ASKED) + " |\n|---" + "|---" * len(ASKED) + "|"
    marks = {"within": "", "beyond": " *beyond*", "said": " *said*"}
    lines = ["| question | by " + head.replace("|---|", "|---|---|", 1)]
    for question in dict.fromkeys(row.question for row in rows):
        own = [row for row in rows if row.question == question]
        lines.append(f"| {question.name} | CENIC | " + " | ".join(cell(r.cenic, r.cenic_cpu) for r in own) + " |")
        lines.append("| | stiction | " + " | ".join(cell(r.ours, r.ours_cpu, marks[end(r)]) for r in own) + " |")
    counts = [["CENIC within", *(sum(r.cenic <= float(a) for r in rows if r.asked == a) for a in ASKED)]]
    for kind, name in [("within", "within"), ("said", "not delivered, said"), ("beyond", "beyond, not said")]:
        counts.append([f"stiction {name}", *(sum(end(r) == kind for r in rows if r.asked == a) for a in ASKED)])
    count = len(rows) // len(ASKED)
    lines += ["", f"| of {count} questions " + head]
    lines += ["| " + " | ".join(map(str, count)) + " |" for count in counts]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--question", help="only this one")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--varied", action="store_true")
    options = page.options_of(parser, "question", "varied")
    if options.varied:
        beyond = vary(options.binary)
        sys.exit(f"error: {beyond} answers said to be delivered are beyond what was asked" if beyond else 0)
    logging.getLogger("drake").setLevel(logging.ERROR)
    questions = [q for q in (make() for make in QUESTIONS) if options.question in (None, q.name)]
    rows = [row for question in questions for row in asked_of(options.binary, question)]
    print(tables(rows))
    if options.write:
        about = "\n".join(f"- **{q.name}**: {q.about}" for q in questions).replace(" 0.", " .")
        page.write(MARKS, about + "\n\n" + tables(rows), DOCS / "accuracy.md")
        (DOCS / "figures/accuracy_cenic.svg").write_text(figure(rows), encoding="utf-8")
    beyond = [f"{row.question.name} at {row.asked}" for row in rows if end(row) == "beyond"]
    if beyond:
        sys.exit(f"error: said to be delivered, and beyond what was asked: {', '.join(beyond)}")


if __name__ == "__main__":
    main()
