"""What Python costs over the command line: CPU seconds of the same run of 10,000 particles, and of stepping
it by hand; and how long the package takes to be imported.

    python bench/overhead.py ../target/release/stiction
"""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from conftest import LARGE

STEPS, REPEATS = 2000, 5

ARGUMENT = """
import resource, sys, stiction
scene = stiction.load(sys.argv[1], threads=1)
def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
"""
RUN = ARGUMENT + """
begun = used(); outcome = scene.run(); print(used() - begun, outcome.state_hash)
"""
STEP = ARGUMENT + """
begun = used(); simulation = scene.simulate()
for _ in range(int(sys.argv[2])): simulation.step()
print(used() - begun, simulation.state_hash)
"""
IMPORT = """
import time; begun = time.process_time(); import numpy; numpys = time.process_time() - begun
import stiction; print(time.process_time() - begun, numpys)
"""


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def python(code, *arguments):
    ran = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], check=True, capture_output=True, text=True)
    first, second = ran.stdout.split()
    return float(first), second


def main(program):
    import stiction

    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "large.toml"
        LARGE["time"].update(end=STEPS * 1e-5, output=1e-2)
        scene.write_text(stiction.scene_text(LARGE))
        times = {"command line": [], "run": [], "step by step": []}
        hashes = set()
        # one after the other, so that all see the same machine; the least is what each takes
        for _ in range(REPEATS):
            begun = used()
            told = subprocess.run(
                [program, "run", scene, "--threads", "1", "--format", "json"], check=True, capture_output=True, text=True
            )
            times["command line"].append(used() - begun)
            hashes.add(json.loads(told.stdout)["state_hash"])
            for name, code in (("run", RUN), ("step by step", STEP)):
                seconds, state = python(code, scene, STEPS)
                times[name].append(seconds)
                hashes.add(state)
        base = min(times["command line"])
        for name, taken in times.items():
            print(f"{name}: {min(taken):.3f} s of CPU, {100 * (min(taken) / base - 1):+.2f} %")
        print("the same hash" if len(hashes) == 1 else f"hashes differ: {hashes}")
    imports = [python(IMPORT) for _ in range(REPEATS)]
    whole, numpys = min((whole, float(numpys)) for whole, numpys in imports)
    print(f"import stiction: {whole:.3f} s of CPU, {numpys:.3f} s of it NumPy's own")


if __name__ == "__main__":
    main(sys.argv[1])
