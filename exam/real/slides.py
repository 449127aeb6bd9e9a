#!/usr/bin/env python3
"""How far thrown cubes slide: 570 measured tosses against `stiction` under three friction laws.

    python3 contact_nets.py contact-nets/data/tosses_processed tosses.npz
    python3 slides.py tosses.npz

A slide is the horizontal distance from where the cube first touches the table to where it rests. Each law is
fitted once, μ and then e by the median error of some tosses; the other tosses are then predicted.
"""

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

PROGRAM = os.environ.get("STICTION_PROGRAM", "stiction")
MASS, RATE = 0.37, 148
CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
# contact, and steps a frame of 1/148 s
LAWS = {
    "exact": ({"method": "exact"}, 8),
    "threshold": ({"normal": {"stiffness": 2e4}, "friction": {"law": "threshold", "epsilon": 1e-2}}, 60),
    "cundall-strack": (
        {"normal": {"stiffness": 2e4}, "friction": {"law": "cundall-strack", "stiffness": 1e4, "damping": 5}},
        60,
    ),
}
FRICTION = (0.10, 0.14, 0.18, 0.22, 0.26)
RESTITUTION = (0.05, 0.125, 0.25)


def axes(q):
    """Rotation matrix of w, x, y, z."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def tosses(path):
    """The tosses of a file that touch the table: tables of columns, with `touch`, the row of the first impact."""
    data = np.load(path)
    found = []
    for n in np.unique(data["toss"]):
        rows = data["toss"] == n
        t = {key: data[key][rows] for key in ("position", "orientation", "velocity", "spin")}
        t |= {"half": float(data["half_width"]), "number": int(n)}
        # in free flight v_z falls by 0.066 m/s a frame
        rises = np.flatnonzero(np.diff(t["velocity"][:, 2]) > 0.2)
        if len(rises):
            found.append(t | {"touch": int(rises[0]) + 1})
    return found


def slide(position, touch):
    """Horizontal distance from the first touch to the end [m]."""
    return float(np.linalg.norm(position[-1, :2] - position[touch, :2]))


def scene(toss, law, friction, restitution):
    """The toss as a scene: a rigid cube of its corners and its middle, with the moments of a solid one."""
    turn = axes(toss["orientation"][0])
    at = np.vstack([toss["half"] * CORNERS @ turn.T, np.zeros(3)]).tolist()
    contact, parts = LAWS[law]
    shape = {"points": {"positions": at, "masses": [MASS / 24] * 8 + [2 * MASS / 3]}}
    step = 1 / RATE / parts
    frames = len(toss["position"]) - 1
    return {
        "format": 1,
        "time": {"end": frames * parts * step, "step": step, "output": parts * step},
        "integrator": {"method": "rk4"},
        "materials": {"table": {"static_friction": friction, "restitution": restitution}},
        "contact": contact,
        "body": [{
            "name": "cube", "rigid": True, "shape": shape, "position": toss["position"][0].tolist(),
            "velocity": toss["velocity"][0].tolist(), "spin": (turn @ toss["spin"][0]).tolist(),
        }],
        "collider": [{"name": "floor", "shape": {"plane": {}}}],
        "measure": [{"name": "at", "kind": "position", "body": "cube"}],
    }  # fmt: skip


def toml(value):
    """A value of TOML on one line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{k}" = {toml(v)}' for k, v in value.items()) + " }"
    # lists, texts, numbers and true are those of JSON
    return "[" + ", ".join(map(toml, value)) + "]" if isinstance(value, list) else json.dumps(value)


def predicted(toss, law, friction, restitution):
    """The slide that the program predicts [m]; not a number where it stops."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = Path(folder) / "toss.toml", Path(folder) / "out"
        tables = scene(toss, law, friction, restitution)
        path.write_text("".join(f"{key} = {toml(value)}\n" for key, value in tables.items()))
        words = [PROGRAM, "run", str(path), "--out", str(out), "--threads", "1"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return float("nan")
        with open(out / "measures.csv") as lines:
            rows = list(csv.DictReader(line for line in lines if line[0] != "#"))
    return slide(np.array([[float(row[f"at_{a}"]) for a in "xyz"] for row in rows]), toss["touch"])


def errors(chosen, law, friction, restitution, pool):
    """Predicted less measured slides [m]."""
    told = pool.map(lambda t: predicted(t, law, friction, restitution), chosen)
    return np.array([p - slide(t["position"], t["touch"]) for p, t in zip(told, chosen)])


def fit(chosen, law, pool):
    """μ at the e of the paper, then e at that μ, by the median error; and that error [m]."""

    def best(grid):
        fits = [float(np.nanmedian(np.abs(errors(chosen, law, *pair, pool)))) for pair in grid]
        return min(zip(fits, grid))

    _, (mu, _) = best([(mu, RESTITUTION[1]) for mu in FRICTION])
    least, (mu, e) = best([(mu, e) for e in RESTITUTION])
    return mu, e, least


def distance(a, b):
    """Kolmogorov's distance of two samples."""
    both = np.sort(np.concatenate([a, b]))
    share = [np.searchsorted(np.sort(x), both, "right") / len(x) for x in (a, b)]
    return float(np.abs(share[0] - share[1]).max())


def shuffled(of):
    """The tosses in an order that does not change from call to call."""
    return [of[n] for n in np.random.default_rng(1).permutation(len(of))]


def main():
    """Fits and predicts; a row of Markdown a law."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tosses", type=Path)
    parser.add_argument("--fit", type=int, default=100, help="tosses that the laws are fitted to")
    parser.add_argument("--predict", type=int, default=470, help="tosses that are predicted")
    parser.add_argument("--laws", default=",".join(LAWS), help="their names with commas")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    order = shuffled(all_of := tosses(options.tosses))
    fitted, others = order[: options.fit], order[options.fit : options.fit + options.predict]
    measured = np.array([slide(t["position"], t["touch"]) for t in others])
    quantiles = ", ".join(f"{q:.3f}" for q in np.quantile(measured, [0.1, 0.5, 0.9]))
    print(f"{len(all_of)} tosses touch the table; {len(fitted)} fitted, {len(others)} predicted")
    print(f"measured slides [m], quantiles 10, 50, 90 %: {quantiles}\n")
    print("| law | μ | e | median error of the fit [m] | of the prediction [m] | bias [m] | quantiles [m] | Kolmogorov |")
    print("| --- " * 8 + "|")
    with ThreadPoolExecutor(options.jobs) as pool:
        for law in options.laws.split(","):
            mu, e, least = fit(fitted, law, pool)
            off = errors(others, law, mu, e, pool)
            good = np.isfinite(off)
            told = (off + measured)[good]
            quantiles = ", ".join(f"{q:.3f}" for q in np.quantile(told, [0.1, 0.5, 0.9]))
            figures = f"{least:.4f} | {np.median(np.abs(off[good])):.4f} | {np.mean(off[good]):+.4f} | {quantiles}"
            lost = f" ({np.sum(~good)} runs stopped)" if not good.all() else ""
            print(f"| {law}{lost} | {mu} | {e} | {figures} | {distance(told, measured[good]):.3f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
