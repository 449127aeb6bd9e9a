#!/usr/bin/env python3
"""Right bounces of grid.py that are flagged when verified, from other heights within one step.

    python3 tests/verdict/phases.py [--binary PATH]

Where in a step contact begins is chance. For each of these bounces the ball begins at PHASES heights, apart by that
share of the distance of one step, and each run is verified: off is the distance from the truth over the speed before the
bounce. It exits with 1 where one of these bounces is right at every phase, so that its flag is a false alarm.
"""
import argparse
import sys

import grid

PHASES = 16
HEIGHT, SPEED, OMEGA = 0.1037, 2.0, 100.0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="target/release/stiction")
    binary = arguments.parse_args().binary
    false_alarms = 0
    print("| bounce | off | off at the worst phase | right at | flagged at |\n|---|---|---|---|---|")
    for case in grid.bounces():
        alone = grid.run(binary, case, "step")
        if alone["off"] > 0.01 or not alone["told"]:
            continue
        step = float(case.name.split()[-1]) / OMEGA
        heights = [HEIGHT + SPEED * step * k / PHASES for k in range(PHASES)]
        scenes = [case.scene.replace(f"position = [0, 0, {HEIGHT}]", f"position = [0, 0, {z}]") for z in heights]
        runs = [grid.run(binary, case._replace(scene=scene), "step") for scene in scenes]
        right, told = sum(run["off"] <= 0.01 for run in runs), sum(run["told"] for run in runs)
        worst = max(run["off"] for run in runs)
        print(f"| {case.name} | {100 * alone['off']:.2f} % | {100 * worst:.1f} % | {right} | {told} of {PHASES} |")
        false_alarms += right == PHASES
    sys.exit(1 if false_alarms else 0)


if __name__ == "__main__":
    main()
