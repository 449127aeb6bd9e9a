"""The program, its results folders and their bytes, as every campaign uses them."""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("STICTION_PROGRAM", ROOT / "target/release/stiction"))
NOT_RESULTS = {"run.lock"}
WORKERS = 2

# one particle, a few frames: some 20 kB in all
SHORT = ("sliding_block", ["time.end=0.001", "time.step=1e-4", "time.output=0.0002"])


def command(scene, settings, *more):
    sets = [word for text in settings for word in ("--set", text)]
    return [str(PROGRAM), "run", str(ROOT / f"scenes/{scene}.toml"), *sets, *more]


def quiet(words, **more):
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)


def done_or_exit(words):
    done = quiet(words)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return done


def files(folder):
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and path.name not in NOT_RESULTS:
            found[str(path.relative_to(folder))] = path
    return found


def unlisted(path):
    """A manifest without its list of checkpoints, and the checksum that depends on it."""
    lines = path.read_bytes().splitlines()
    return [line for line in lines if not line.startswith((b"checkpoints = ", b"# CRC-32: "))]


def differing(folder, reference, damaged=None):
    """The first file that differs, or None. Of what was repaired from the folder `damaged`, a checkpoint may be
    missing, an earlier one of that folder stand for it, and both in the manifest."""
    one, other = files(folder), files(reference)
    for name in sorted(set(one) | set(other)):
        against = other.get(name)
        if damaged and name.startswith("checkpoints/"):
            if name not in one:
                continue
            against = against or files(damaged).get(name)
        if name not in one or against is None:
            return name
        if damaged and name == "manifest.toml" and unlisted(one[name]) == unlisted(against):
            continue
        if not filecmp.cmp(one[name], against, shallow=False):
            return name
    return None


def empty(folder):
    shutil.rmtree(folder, ignore_errors=True)
    return folder


def inspected(folder):
    """Whether `inspect` finds nothing wrong."""
    return quiet([str(PROGRAM), "inspect", str(folder)]).returncode == 0


def resuming(folder, *more):
    return [str(PROGRAM), "run", "--resume", str(folder), *more]


def resumed(folder, *more):
    return quiet(resuming(folder, *more))


def resume(folder, begin, *more):
    """Resumes, or begins where nothing was begun yet."""
    done = resumed(folder, *more)
    if done.returncode == 7 and "no run was begun" in done.stderr:
        empty(folder)
        done = quiet(begin)
    return done


def newest(folder):
    """The step of the newest checkpoint; -1 without one."""
    steps = [int(path.stem) for path in Path(folder).glob("checkpoints/*.ck")]
    return max(steps, default=-1)


def is_complete(folder):
    """A complete run, which has the checkpoint before its last quarter alone."""
    manifest = folder / "manifest.toml"
    return manifest.exists() and 'status = "completed"' in manifest.read_text()


def spread(work, items, trial):
    """Does `trial(place, item)` for all items, some at a time, each worker in a folder of its own;
    returns all results."""
    own = threading.local()

    def one(item):
        if not hasattr(own, "place"):
            own.place = Path(tempfile.mkdtemp(prefix="worker", dir=work))
        return trial(own.place, item)

    with ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(one, items))


def together(results):
    """Numbers of trials and lists of faults, put together."""
    number = sum(result[0] for result in results)
    return number, [line for result in results for line in result[1]]
