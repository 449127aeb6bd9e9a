#!/usr/bin/env python3
"""The parts of a drift against references: laws x methods x loads x holders.

    python3 tests/verdict/drift.py [--binary PATH] [--jobs N] [--write]

A soft box is held by a plane, by a belt or between two walls, under a load that stays, comes, goes, jolts or
swings. Each run is verified; the drift for h -> 0 is that of dopri5 at a tolerance of 1e-9 and a fiftieth of
the step, which no run shares. The integrator's part must be within 5 % of the drift where it is more than 1 %
of it, and at most 1 % where it is less; a part that is not known is neither right nor wrong. With --write the
figures go into docs/verdict.md. More than 1 % of wrong parts in trusted runs exit with 1.
"""
import argparse
import collections
import concurrent.futures
import json
import subprocess
import sys

import page

# speed below which a drift is rest [m/s], and shares of a drift: a small part, and a part that is met
REST, SMALL, CLOSE = 1e-9, 0.01, 0.05

MARKS = ("<!-- tests/verdict/drift.py --write -->", "<!-- end -->")

LAWS = {
    "threshold": 'law = "threshold", epsilon = 2e-3',
    "quadratic": 'law = "quadratic", epsilon = 2e-3',
    "tanh": 'law = "tanh", epsilon = 2e-3',
    "stribeck": 'law = "stribeck", epsilon = 2e-3',
    "viscous-cap": 'law = "viscous-cap", damping = 400',
    "cundall-strack": 'law = "cundall-strack", stiffness = 1e4, damping = 20',
    "dahl": 'law = "dahl", stiffness = 1e4, damping = 20',
}
METHODS = [
    ("symplectic-euler", 1e-4), ("rk4", 1e-4), ("implicit-euler", 1e-3), ("tr-bdf2", 1e-3), ("sdirk2", 2e-3),
]
LOADS = {
    "stays": "",
    "comes": "factor = { at = [[0.4, 0], [0.45, 1]] }",
    "goes": "factor = { at = [[0.4, 1], [0.45, 0.2]] }",
    "jolts": "factor = { at = [[0.0, 1], [0.44, 1], [0.446, 4], [0.452, 1]] }",
    "swings": 'factor = { formula = "1 + 0.5*sin(2*pi*25*t)" }',
}
HOLDERS = ["plane", "belt", "walls"]


def scene(law, load, holder, method, step):
    push = 1.8
    if holder == "walls":
        gravity, load_axis = "[0, 0, 0]", f"[0, 0, -{push}]"
        hold = """[[collider]]
name = "left"
shape = { plane = { normal = [1, 0, 0], point = [-0.0247, 0, 0] } }
[[collider]]
name = "right"
shape = { plane = { normal = [-1, 0, 0], point = [0.0247, 0, 0] } }
"""
        place, moving = "[0, 0, 0]", ""
    else:
        gravity, load_axis = "[0, 0, -9.81]", f"[{push}, 0, 0]"
        belt = "motion = { belt = { velocity = [0.05, 0, 0] } }\n" if holder == "belt" else ""
        hold = f'[[collider]]\nname = "floor"\nshape = {{ plane = {{}} }}\n{belt}'
        place = "[0, 0, 0.02475]"
        moving = "velocity = [0.05, 0, 0]\n" if holder == "belt" else ""
    return f"""format = 1
world = {{ gravity = {gravity} }}
time = {{ end = 0.6, step = {step!r}, output = 0.02 }}
integrator = {{ method = "{method}"{', rtol = 1e-9, atol = 1e-12' if method == 'dopri5' else ''} }}
materials.a = {{ static_friction = 0.5, kinetic_friction = {0.4 if law in ('stribeck',) else 0.5} }}
[contact]
normal = {{ stiffness = 1e4, damping = 100 }}
friction = {{ {LAWS[law]} }}
[[body]]
name = "b"
mass = 1
shape = {{ lattice = {{ counts = [2, 2, 2], spacing = 0.05 }} }}
springs = {{ edge = {{ stiffness = 2e4, damping = 100 }}, face_diagonal = {{ stiffness = 2e4, damping = 100 }} }}
position = {place}
{moving}{hold}
[[push]]
body = "b"
force = {load_axis}
{LOADS[load]}
"""


def run(binary, text, verify):
    """The document of a run, or None where it fails or touches nothing."""
    command = [binary, "run", "-", "--format", "json", "--threads", "1"] + ["--verify"] * verify
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return None
    return document if document.get("creep") else None


def judge(creep, true):
    """right, wrong, unknown or rest, from the drift of a run and its true value [m/s]."""
    drift, claimed = creep["measured"], creep["integrator"]
    size = max(drift, true)
    if size < REST:
        return "rest"
    if claimed is None:
        return "unknown"
    own = drift - true
    off = abs(claimed - own)
    if abs(own) > SMALL * size:
        return "right" if off <= CLOSE * size else "wrong"
    return "right" if abs(claimed) <= SMALL * size or off <= 0.5 * SMALL * size else "wrong"


def judged(case):
    """A row per method: law, load, holder, method, step, verdict, whether trusted, and the split."""
    binary, law, load, holder = case
    reference = run(binary, scene(law, load, holder, "dopri5", 2e-5), False)
    rows = []
    for method, step in METHODS:
        document = run(binary, scene(law, load, holder, method, step), True)
        if document is None or reference is None:
            rows.append((law, load, holder, method, step, "failed", False, {}))
            continue
        creep, true = document["creep"][0], reference["creep"][0]["measured"]
        trusted = document["trust"]["trusted"]
        rows.append((law, load, holder, method, step, judge(creep, true), trusted, creep | {"true": true}))
    return rows


def table(rows):
    """The figures for the page."""
    lines = ["| load | runs | right | wrong | not known | at rest | wrong and trusted |", "|---|---|---|---|---|---|---|"]
    for load in [*LOADS, "all"]:
        own = [row for row in rows if load in (row[1], "all")]
        count = collections.Counter(row[5] for row in own)
        wrong = sum(row[5] == "wrong" and row[6] for row in own)
        cells = [load, len(own), count["right"], count["wrong"], count["unknown"], count["rest"], wrong]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = [(options.binary, law, load, holder) for law in LAWS for load in LOADS for holder in HOLDERS]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        rows = [row for rows in pool.map(judged, cases) for row in rows]
    for *names, verdict, trusted, creep in rows:
        if verdict not in ("right", "rest"):
            known = {key: creep.get(key) for key in ("true", "measured", "law", "stretch", "sliding", "integrator", "split")}
            print(*names, verdict, "trusted" if trusted else "not trusted", known)
    print(table(rows))
    if options.write:
        page.write(MARKS, table(rows))
    wrong = sum(row[5] == "wrong" and row[6] for row in rows)
    failed = sum(row[5] == "failed" for row in rows)
    if failed or wrong > 0.01 * len(rows):
        sys.exit(f"error: {failed} runs fail, and {wrong} of {len(rows)} are trusted with a wrong part")


if __name__ == "__main__":
    main()
