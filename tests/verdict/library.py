#!/usr/bin/env python3
"""What --verify costs on the scenes of the library: the clock of a verified run over that of the run.

    python3 tests/verdict/library.py [--binary PATH] [--scene NAME] [--write]

Each scene is run without and with --verify by as many threads as there are cores, one command after the other, the start
of the program included; of runs of less than a second the fastest of three counts. On a machine that does nothing else
this takes seven minutes. With --write the table goes into docs/verdict.md.
"""
import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import time

import page

MARKS = ("<!-- tests/verdict/library.py --write -->", "<!-- end of library -->")
SCENES = pathlib.Path(__file__).parents[2] / "scenes"
# [s]
SHORT = 1.0


def timed(command):
    """Clock and CPU time of a command [s], and the document that it prints."""
    before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    clock, after = time.monotonic() - clock, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = sum(getattr(after, key) - getattr(before, key) for key in ("ru_utime", "ru_stime"))
    return clock, cpu, json.loads(done.stdout)


def measured(binary, scene):
    plain, verified = ([binary, "run", str(scene), "--format", "json", *more] for more in ([], ["--verify"]))
    runs = [timed(plain), timed(verified)]
    if runs[0][0] < SHORT:
        for _ in range(2):
            runs = [min(run, timed(command), key=lambda r: r[0]) for run, command in zip(runs, (plain, verified))]
    (own, _, _), (clock, cpu, document) = runs
    trust = document["trust"]
    level = f"trusted to {max(100 * trust['error'], 1e-4):.2g} %" if trust["trusted"] else ", ".join(reason["name"] for reason in trust["reasons"])
    steps = [run["step"] / document["integrator"]["step"] for run in (document["verification"] or {"runs": []})["runs"]]
    return {"name": scene.stem, "verdict": level, "steps": ", ".join(f"{step:.3g} h" for step in steps), "own": own, "cpu": cpu, "over": clock / own}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--scene", default="*")
    parser.add_argument("--write", action="store_true")
    options = page.options_of(parser, "scene")
    rows = [measured(options.binary, scene) for scene in sorted(SCENES.glob(f"{options.scene}.toml"))]
    lines = ["| scene | verdict | compared with | run \\[s\\] | verified, over the run | CPU \\[s\\] |", "|---|---|---|---|---|---|"]
    lines += [f"| {r['name']} | {r['verdict']} | {r['steps']} | {r['own']:.2f} | {r['over']:.2f} | {r['cpu']:.2f} |" for r in rows]
    over = [r["over"] for r in rows]
    few = sum(ratio <= 1.6 for ratio in over)
    lines += ["", f"A verified run takes {statistics.median(over):.2f} times the clock of the run in the median of {len(rows)} scenes, {few} of them at most 1.6 times."]
    text = "\n".join(lines)
    print(text)
    if options.write:
        page.write(MARKS, text)


if __name__ == "__main__":
    main()
