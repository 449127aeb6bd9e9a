#!/usr/bin/env python3
"""Kill a sweep at random moments until it is done, and compare with one that nobody disturbed.

    python kill_campaign.py --stiction target/release/stiction --jobs 500 --seed 1

Every file of jobs/ and sweep.json must have the same bytes, and nothing half-written may remain.
Ends with 1 when they have not.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def files(folder):
    """The bytes of everything that must be the same."""
    found = {"sweep.json": (folder / "sweep.json").read_bytes()}
    for path in sorted((folder / "jobs").iterdir()):
        found[path.name] = path.read_bytes()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--stiction", default="stiction")
    parser.add_argument("--scene", default="scenes/incline_creep.toml")
    parser.add_argument("--jobs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=1.0, help="seconds until a kill")
    options = parser.parse_args()

    chance = random.Random(options.seed)
    sweep = [
        options.stiction, "sweep", options.scene, "--step", "1e-4", "--set", "time.end=0.1",
        "--vary", f"contact.friction.epsilon=1e-5..1e-1:log:{options.jobs}",
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as place:
        calm, killed = Path(place, "calm"), Path(place, "killed")
        started = time.monotonic()
        subprocess.run([*sweep, "--out", calm], check=True, stderr=subprocess.DEVNULL)
        undisturbed = time.monotonic() - started
        kills = halves = 0
        started = time.monotonic()
        while True:
            process = subprocess.Popen([*sweep, "--out", killed], stderr=subprocess.DEVNULL)
            try:
                code = process.wait(timeout=chance.uniform(0.0, options.longest))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                kills += 1
                halves += len(list(killed.rglob("*.tmp")))
        spent = time.monotonic() - started
        left = len(list(killed.rglob("*.tmp")))
        same = files(calm) == files(killed)
        print(
            f"{options.jobs} jobs, {os.cpu_count()} cores: undisturbed {undisturbed:.1f} s; "
            f"{kills} kills in {spent:.1f} s, {halves} half-written files seen, {left} left, "
            f"exit {code}, files {'identical' if same else 'DIFFERENT'}"
        )
        sys.exit(0 if same and code == 0 and left == 0 else 1)


if __name__ == "__main__":
    main()
