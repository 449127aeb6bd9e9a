#!/usr/bin/env python3
"""Creep and stopping distance of the league's rigid boxes in MuJoCo and in stiction.

    python -m venv venv && venv/bin/pip install mujoco
    cargo build --release
    venv/bin/python examples/referee/mujoco_referee.py

Each scene goes through `stiction export --to mjcf` and runs in MuJoCo under three of its integrators, awake
and at MuJoCo's own settings; beside it stands `stiction run` under two friction laws. `--json` prints the
figures for programs.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import mujoco

ROOT = Path(__file__).resolve().parents[2]
MUJOCO_INTEGRATORS = ["Euler", "RK4", "implicitfast"]
RIGID = ["body.box.rigid=true", "integrator.method=rk4"]
LAWS = {
    "threshold, ε 1e-3": ["contact.friction.epsilon=1e-3", "time.step=1e-4"],
    "cundall-strack": [
        "contact.friction.law=cundall-strack",
        "contact.friction.stiffness=1e6",
        "contact.friction.damping=100",
        "time.step=1e-4",
    ],
}
CREEP = "scenes/league/a_creep.toml"
STOP = "scenes/league/c_stops.toml"
# scene, overrides, end [s], what is read
CASES = [
    ("creep at 15°, μ 1 [µm/s]", CREEP, ["materials.rubber.static_friction=1"], 2.0, "creep"),
    ("creep at 15°, μ .5 [µm/s]", CREEP, [], 2.0, "creep"),
    ("stop, v0 2 m/s, μ .4 [m]", STOP, [], 0.8, "way"),
]


def stiction(program, verb, scene, sets, *more):
    """Standard output of a verb of stiction."""
    words = [word for value in sets for word in ("--set", value)]
    command = [program, verb, str(ROOT / scene), *words, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return done.stdout


def read(times, ways, end, what):
    """Mean speed over the second half [µm/s], or the whole way [m]."""
    if what == "way":
        return ways[-1] - ways[0]
    half = min(range(len(times)), key=lambda i: abs(times[i] - end / 2))
    return 1e6 * (ways[-1] - ways[half]) / (times[-1] - times[half])


def in_mujoco(xml, integrator, step, end, what):
    """Runs an exported scene; the box moves along x."""
    model = mujoco.MjModel.from_xml_string(xml)
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    model.opt.timestep = step
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    times, ways = [data.time], [data.qpos[0]]
    for _ in range(round(end / step)):
        mujoco.mj_step(model, data)
        times.append(data.time)
        ways.append(data.qpos[0])
    return read(times, ways, end, what)


def in_stiction(program, scene, sets, end, what):
    """The same from measures.csv, and the verdict of the run."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        text = stiction(program, "run", scene, sets, "--format", "json", "--out", str(out))
        lines = [line for line in (out / "measures.csv").read_text().splitlines() if line[0] != "#"]
    names = lines[0].split(",")
    rows = [line.split(",") for line in lines[1:]]
    times = [float(row[names.index("time")]) for row in rows]
    ways = [float(row[names.index("way")]) for row in rows]
    return read(times, ways, end, what), json.loads(text)["trust"]["level"] != "not trusted"


def case(program, step, name, scene, sets, end, what):
    """All figures of one scene."""
    # the method of an export is only a proposal: MuJoCo runs it under all three
    xml = stiction(program, "export", scene, [*RIGID, *sets], "--to", "mjcf")
    figures = {f"MuJoCo {i}": in_mujoco(xml, i, step, end, what) for i in MUJOCO_INTEGRATORS}
    for law, more in LAWS.items():
        figure, trusted = in_stiction(program, scene, [*RIGID, *sets, *more], end, what)
        figures[f"stiction {law}"] = figure
        if not trusted:
            sys.exit(f"{name}: stiction does not trust its own run under {law}")
    return figures


def machine():
    """Versions and size."""
    size = f"{platform.machine()}, {os.cpu_count()} cores"
    return f"MuJoCo {mujoco.__version__}, Python {platform.python_version()}, {size}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stiction", default=str(ROOT / "target/release/stiction"))
    parser.add_argument("--step", type=float, default=2e-3, help="MuJoCo's time step [s]")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    table = {c[0]: case(options.stiction, options.step, *c) for c in CASES}
    if options.json:
        print(json.dumps(table))
        return
    version = subprocess.run([options.stiction, "--version"], capture_output=True, text=True)
    print(f"{version.stdout.strip()}; {machine()}; MuJoCo's step {options.step} s\n")
    columns = list(next(iter(table.values())))
    print("| scene | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, figures in table.items():
        cells = [f"{figures[column]:.6g}" for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")
    print(f"\nexact: 0, 0, {4 / (2 * 0.4 * 9.81):.6g}; the law's own creep: ", end="")
    print(", ".join(f"{1e3 * math.tan(math.radians(15)) / mu:.6g}" for mu in (1.0, 0.5)))


if __name__ == "__main__":
    main()
