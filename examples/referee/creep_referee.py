#!/usr/bin/env python3
"""The closed form of MuJoCo's creep (`stiction creep --engine mujoco`) beside MuJoCo itself.

    python3 -m venv venv && venv/bin/pip install mujoco
    cargo build --release
    venv/bin/python examples/referee/creep_referee.py

A box on a plane, gravity tilted; speed is the mean over the second half of each run, from positions. `--json`
prints the figures for programs.
"""

import argparse
import json
import math
import subprocess
import sys
from pathlib import Path

import mujoco

ROOT = Path(__file__).resolve().parents[2]

# parameters of `stiction creep` that differ from the defaults
CASES = [
    {},
    {"friction": 1},
    {"friction": 0.8},
    {"cone": "elliptic"},
    {"cone": "elliptic", "friction": 1},
    {"cone": "elliptic", "timeconst": 0.01},
    {"cone": "elliptic", "timeconst": 0.05},
    {"timeconst": 0.05},
    {"cone": "elliptic", "impratio": 10},
    {"cone": "elliptic", "impratio": 100},
    {"impratio": 10},
    {"cone": "elliptic", "dmin": 0.99, "dmax": 0.99},
    {"cone": "elliptic", "dmin": 0.5, "solwidth": 1e-4},
    {"cone": "elliptic", "solwidth": 1e-4, "midpoint": 0.3, "power": 3},
    {"cone": "elliptic", "slope": 5},
    {"cone": "elliptic", "slope": 20},
    {"slope": 5},
    {"slope": 10},
    {"slope": 20},
    {"slope": 23},
    {"slope": 25},
    {"cone": "elliptic", "mass": 0.1},
    {"mass": 100},
    {"cone": "elliptic", "step": 0.02},
    {"step": 0.02},
    {"step": 1e-4},
    {"cone": "elliptic", "dampratio": 0.5},
    {"cone": "elliptic", "dampratio": 2},
    {"dampratio": 0.7},
    {"dampratio": 0.5},
    {"cone": "elliptic", "stiffness": 2000, "damping": 100},
    {"cone": "elliptic", "height": 0.2},
    {"height": 0.02},
    {"cone": "elliptic", "length": 0.3, "width": 0.1},
    {"cone": "elliptic", "gravity": 1.62},
]

XML = """<mujoco><option timestep="{step}" gravity="{gx} 0 {gz}" cone="{cone}" impratio="{impratio}"
 iterations="200" tolerance="1e-14"/><default><geom friction="{friction} .005 .0001" solref="{solref}"
 solimp="{dmin} {dmax} {solwidth} {midpoint} {power}"/></default><worldbody><geom type="plane" size="50 50 1"/>
<body pos="0 0 {height}"><freejoint/><geom type="box" size="{x} {y} {height}" mass="{mass}"/></body>
</worldbody></mujoco>"""


def closed_form(program, case):
    """The document of `stiction creep`."""
    sets = [word for key, value in case.items() for word in ("--set", f"{key}={value}")]
    command = [program, "creep", "--engine", "mujoco", "--format", "json", *sets]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def in_mujoco(document, seconds):
    """Speed along the slope [m/s] of the box that the document is about."""
    p = document["parameters"]
    angle = math.radians(p["slope"])
    direct = "stiffness" in p
    solref = f"{-p['stiffness']} {-p['damping']}" if direct else f"{p['timeconst']} {p['dampratio']}"
    xml = XML.format(**{
        **p,
        "step": document["step"]["used"],
        "gx": p["gravity"] * math.sin(angle),
        "gz": -p["gravity"] * math.cos(angle),
        "solref": solref,
        "x": p["length"] / 2,
        "y": p["width"] / 2,
    })
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    steps = round(seconds / model.opt.timestep)
    for _ in range(steps // 2):
        mujoco.mj_step(model, data)
    time, way = data.time, data.qpos[0]
    for _ in range(steps - steps // 2):
        mujoco.mj_step(model, data)
    return (data.qpos[0] - way) / (data.time - time)


def changes(program):
    """The parameters that keep 1 µm/s, by the reverse of the closed form."""
    cases = []
    for case in ({}, {"cone": "elliptic"}):
        document = closed_form(program, {**case, "budget": 1e-6})
        cases += [{**case, **change["set"]} for change in document["budget"]["changes"]]
    return cases


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stiction", default=str(ROOT / "target/release/stiction"))
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a run [s]")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    for case in CASES + changes(options.stiction):
        document = closed_form(options.stiction, case)
        # small steps settle sooner, since their time constants are small too
        measured = in_mujoco(document, min(options.seconds, 4e4 * document["step"]["used"]))
        rows.append({
            "case": ", ".join(f"{key}={value}" for key, value in case.items()) or "defaults",
            "mujoco": measured,
            "creep": document["creep"],
            "error": document["creep"] / measured - 1 if document["creep"] else None,
            "exact": document["exact"],
        })
    if options.json:
        print(json.dumps(rows))
        return
    print(f"MuJoCo {mujoco.__version__}\n\n| parameters | MuJoCo [µm/s] | closed form [µm/s] | off | |\n|---|---|---|---|---|")
    for row in rows:
        kind = "exact" if row["exact"] else "estimate" if row["creep"] else "refused"
        form = f"{1e6 * row['creep']:.4f} | {row['error']:+.1e}" if row["creep"] else "|"
        figures = f"{1e6 * row['mujoco']:.4f} | {form}"
        print(f"| {row['case']} | {figures} | {kind} |")


if __name__ == "__main__":
    main()
