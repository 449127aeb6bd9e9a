#!/usr/bin/env python3
"""Ends runs in every way and goes on with them: all results must have the bytes of a run that was
left alone.

    tests/crash/campaign.py kills [--number 2000]   SIGKILL at random times
    tests/crash/campaign.py calls                   SIGKILL and I/O errors at every file-system call
    tests/crash/campaign.py lies                    writes that say they wrote, and did not
    tests/crash/campaign.py races [--number 10]     two runs at once into one folder

Needs the release build; `calls` and `lies` need strace. Exit code 1 if anything went wrong."""

import argparse
import filecmp
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("STICTION_PROGRAM", ROOT / "target/release/stiction"))
NOT_RESULTS = {"run.lock"}

# scene, settings; each some tenths of a second
RUNS = [
    ("tipping_box", ["time.end=0.2"]),
    ("exact_incline", ["time.end=0.5"]),
    ("bead_on_sine", []),
    ("sliding_block", []),
    ("bouncing_balls", ["time.end=0.5"]),
    ("rope_on_floor", ["time.end=0.1"]),
    ("force_grip", ["time.end=0.3", "integrator.method=tr-bdf2", "time.step=1e-3"]),
    ("crawler", ["time.end=0.3"]),
]


def command(scene, settings, *more):
    sets = [word for text in settings for word in ("--set", text)]
    return [str(PROGRAM), "run", str(ROOT / f"scenes/{scene}.toml"), *sets, *more]


def quiet(words, **more):
    return subprocess.run(words, capture_output=True, text=True, **more)


def files(folder):
    found = {}
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file() and path.name not in NOT_RESULTS:
            found[str(path.relative_to(folder))] = path
    return found


def differing(folder, reference):
    """The first file that differs, or None."""
    one, other = files(folder), files(reference)
    for name in sorted(set(one) | set(other)):
        if name not in one or name not in other:
            return name
        if not filecmp.cmp(one[name], other[name], shallow=False):
            return name
    return None


def resume(folder, begin, *more):
    """Goes on, or begins where nothing was begun yet."""
    done = quiet([str(PROGRAM), "run", "--resume", str(folder), *more])
    if done.returncode == 7 and "no run was begun" in done.stderr:
        shutil.rmtree(folder, ignore_errors=True)
        done = quiet(begin)
    return done


def references(work):
    made = []
    for number, (scene, settings) in enumerate(RUNS):
        folder = work / f"reference{number}"
        began = time.monotonic()
        done = quiet(command(scene, settings, "--out", str(folder)))
        if done.returncode != 0:
            sys.exit(f"{scene}: {done.stderr}")
        made.append((scene, settings, folder, time.monotonic() - began))
        print(f"{scene}: {made[-1][3]:.2f} s")
    return made


def kills(work, number, seed):
    chance, done, resumed, wrong = random.Random(seed), 0, 0, []
    made = references(work)
    began = time.monotonic()
    while done < number:
        scene, settings, reference, seconds = made[chance.randrange(len(made))]
        folder = work / "killed"
        shutil.rmtree(folder, ignore_errors=True)
        begin = command(scene, settings, "--out", str(folder), "--checkpoint-every", "0.02s")
        words, here = begin, 0
        while True:
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            try:
                # the first kills of a run early, and never so many that it does not end
                limit = chance.uniform(0, seconds) if here < 12 else None
                _, said = process.communicate(timeout=limit)
                if process.returncode == 7 and "no run was begun" in said:
                    shutil.rmtree(folder, ignore_errors=True)
                    words = begin
                    continue
                if process.returncode != 0:
                    wrong.append(f"{scene}: exit {process.returncode}: {said}")
                break
            except subprocess.TimeoutExpired:
                kept = newest(folder)
                process.kill()
                process.communicate()
                done, here = done + 1, here + 1
                if newest(folder) < kept:
                    wrong.append(f"{scene}: checkpoint {kept} is gone")
                words = [str(PROGRAM), "run", "--resume", str(folder), "--checkpoint-every", "0.02s"]
        resumed += 1
        name = differing(folder, reference)
        if name:
            wrong.append(f"{scene}: {name} differs after {here} kills")
    seconds = time.monotonic() - began
    print(f"{done} kills of {resumed} runs in {seconds:.0f} s: {len(wrong)} wrong")
    return wrong


def newest(folder):
    steps = [int(path.stem) for path in Path(folder).glob("checkpoints/*.ck")]
    return max(steps, default=-1)


# calls that change files, or on which changing them rests
CALLS = ["openat", "write", "fdatasync", "fsync", "rename", "ftruncate", "lseek", "unlink", "mkdir", "flock"]

ERRORS = {
    "openat": ["EACCES", "ENOSPC"],
    "write": ["ENOSPC", "EIO", "EDQUOT", "EFBIG"],
    "fdatasync": ["EIO", "ENOSPC"],
    "fsync": ["EIO"],
    "rename": ["EACCES", "EROFS"],
    "ftruncate": ["EIO"],
    "mkdir": ["EROFS"],
}

SHORT = ("sliding_block", ["time.end=0.001", "time.step=1e-4", "time.output=0.0002"])


def traced(words, call, what, number, log):
    return quiet(["strace", "-f", "-o", str(log), "-e", f"trace={call}", "-e",
                  f"inject={call}:{what}:when={number}", *words])


def calls_of(words, call, log):
    """Calls of one kind by the thread that writes."""
    quiet(["strace", "-f", "-o", str(log), "-e", f"trace={call}", *words])
    lines = log.read_text().splitlines()
    first = lines[0].split()[0] if lines else ""
    own = [line for line in lines if line.split()[0] == first and f"{call}(" in line]
    # the loader, the scene and the system come before anything is written
    names = [number for number, line in enumerate(own, 1) if str(log.parent / "folder") in line]
    return range(names[0] if call == "openat" and names else 1, len(own) + 1)


def prepared(work):
    scene, settings = SHORT
    reference, folder, log = work / "reference", work / "folder", work / "log"
    begin = command(scene, settings, "--out", str(folder), "--checkpoint-every", "0.000001s")
    done = quiet(command(scene, settings, "--out", str(reference)))
    if done.returncode != 0:
        sys.exit(done.stderr)
    return reference, folder, log, begin


def calls(work):
    reference, folder, log, begin = prepared(work)
    trials, wrong = 0, []
    for call in CALLS:
        shutil.rmtree(folder, ignore_errors=True)
        numbers = calls_of(begin, call, log)
        faults = ["signal=KILL"] + [f"error={error}" for error in ERRORS.get(call, [])]
        for fault in faults:
            for when in numbers:
                shutil.rmtree(folder, ignore_errors=True)
                done = traced(begin, call, fault, when, log)
                place = f"{call} {when} of {numbers.stop - 1}, {fault}"
                trials += 1
                if done.returncode not in (0, 5, 8, -9, 137) and done.returncode < 126:
                    # what comes before the folder: the loader, the scene, standard input
                    if folder.exists():
                        wrong.append(f"{place}: exit {done.returncode}: {done.stderr}")
                if done.returncode == 5 and "`" not in done.stderr and "standard output" not in done.stderr:
                    wrong.append(f"{place}: no file is named: {done.stderr}")
                if done.returncode == 0 and differing(folder, reference):
                    wrong.append(f"{place}: exit 0, and {differing(folder, reference)} differs")
                if done.returncode != 0:
                    again = resume(folder, begin)
                    if again.returncode != 0:
                        wrong.append(f"{place}: resume exits {again.returncode}: {again.stderr}")
                    elif differing(folder, reference):
                        wrong.append(f"{place}: {differing(folder, reference)} differs")
        print(f"{call}: {len(numbers)} calls, {len(wrong)} wrong so far", flush=True)
    print(f"{trials} trials: {len(wrong)} wrong")
    return wrong


def lies(work):
    """A write that returns its length, or 1, without having been done."""
    reference, folder, log, begin = prepared(work)
    shutil.rmtree(folder, ignore_errors=True)
    numbers, trials, wrong = calls_of(begin, "write", log), 0, []
    lengths = [int(found) for found in re.findall(r"write\(\d+, .* = (\d+)", log.read_text())]
    for when in numbers:
        for length in {1, lengths[when - 1] if when <= len(lengths) else 1}:
            shutil.rmtree(folder, ignore_errors=True)
            done = traced(begin, "write", f"retval={length}", when, log)
            trials += 1
            if done.returncode == 0 and differing(folder, reference):
                wrong.append(f"write {when} of {numbers.stop - 1}: exit 0, and {differing(folder, reference)} differs")
            if done.returncode not in (0, 5, 7):
                wrong.append(f"write {when} of {numbers.stop - 1}: exit {done.returncode}: {done.stderr}")
    print(f"{trials} lying writes: {len(wrong)} wrong")
    return wrong


def races(work, number):
    wrong = []
    for trial in range(number):
        folder = work / f"race{trial}"
        words = command("tipping_box", ["time.end=0.3"], "--out", str(folder))
        both = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [process.communicate()[1] for process in both]
        codes = sorted(process.returncode for process in both)
        loser = said[[process.returncode for process in both].index(8)] if 8 in codes else ""
        if codes != [0, 8] or "is held by process" not in loser:
            wrong.append(f"exit {codes}: {loser}")
    print(f"{number} pairs: {len(wrong)} wrong")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kills", "calls", "lies", "races"])
    parser.add_argument("--number", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="crash-"))
    try:
        wrong = {
            "kills": lambda: kills(work, options.number or 2000, options.seed),
            "calls": lambda: calls(work),
            "lies": lambda: lies(work),
            "races": lambda: races(work, options.number or 10),
        }[options.what]()
    finally:
        shutil.rmtree(work, ignore_errors=True)
    for line in wrong[:20]:
        print(line)
    sys.exit(1 if wrong else 0)


main()
