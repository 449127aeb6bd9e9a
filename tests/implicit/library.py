#!/usr/bin/env python3
"""The scene library under implicit methods: which runs end, and how.

    python3 tests/implicit/library.py [--seconds S] [--step H] [--verify] [--methods A,B] [SCENE ...]

Every scene runs under every method at its own step, or at --step. A run that is not through after
--seconds of the clock is interrupted and counted as such, with the time it reached. The figures
stand in docs/methods.md.
"""
import argparse
import collections
import concurrent.futures
import json
import pathlib
import signal
import subprocess

METHODS = "implicit-euler,tr-bdf2,bdf2"


def run(binary, scene, method, step, seconds, verify):
    command = [binary, "run", str(scene), "--integrator", method, "--format", "json"]
    command += ["--step", step] if step else []
    command += ["--verify"] if verify else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
    try:
        result = json.loads(out)
    except json.JSONDecodeError:
        refusal = next((line for line in err.splitlines() if line.strip()), "no word")
        return {"kind": "refused", "text": refusal.strip()}
    trust = result["trust"]
    reasons = [reason["message"] for reason in trust["reasons"]]
    return {
        "kind": result["status"],
        "frozen": result["counters"]["frozen_contact"],
        "trust": trust["level"] + (f" to {100 * trust['error']:.2g} %" if trust["error"] else ""),
        "text": reasons[-1] if reasons else "",
    }


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--binary", default="target/release/stiction")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--step")
    options.add_argument("--verify", action="store_true")
    options.add_argument("--methods", default=METHODS)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("scenes", nargs="*")
    given = options.parse_args()
    library = sorted(pathlib.Path("scenes").glob("*.toml"))
    scenes = [pathlib.Path(scene) for scene in given.scenes] or library
    jobs = [(scene, method) for scene in scenes for method in given.methods.split(",")]
    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        arguments = ((given.binary, scene, method, given.step, given.seconds, given.verify)
                     for scene, method in jobs)
        for (scene, method), end in zip(jobs, pool.map(lambda a: run(*a), arguments)):
            counts[end["kind"]] += 1
            told = f"  {end['text']}"
            frozen = f"  {end.get('frozen')} frozen" if end.get("frozen") else ""
            print(f"{scene.stem:24} {method:15} {end['kind']:12} {end.get('trust', '')}{frozen}{told}",
                  flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
