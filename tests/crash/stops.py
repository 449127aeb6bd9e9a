"""Ends of a run from outside: SIGKILL, signals, the limit of wall time, a second run."""

import random
import signal
import subprocess
import time

from runs import PROGRAM, command, differing, done_or_exit, empty, newest, spread, together

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


def by(method, step, solver=None):
    """Settings of an implicit method."""
    settings = [f"integrator.method={method}", f"time.step={step}"]
    return settings + ([f"integrator.linear_solver={solver}"] if solver else [])


# scene, settings, options: every implicit method and solver, adaptive ones, contact methods that jump,
# verified runs, and steps of tenths of a second
STOPPED = [
    ("force_grip", ["time.end=0.3", *by("tr-bdf2", 1e-3)], []),
    ("force_grip", ["time.end=0.1", *by("implicit-euler", 1e-3, "sparse-lu")], []),
    ("gripper", ["time.end=0.3", "time.output=0.01", *by("bdf2", 1e-3, "bicgstab")], []),
    ("gripper", ["time.end=0.3", "time.output=0.01", *by("implicit-euler", 1e-3, "sparse-lu")], []),
    ("gripper", ["time.end=0.3", "time.output=0.01", *by("tr-bdf2", 1e-3)], []),
    ("tipping_box", ["time.end=0.5", "time.output=0.02", *by("sdirk2", 1e-3)], []),
    ("tipping_box", ["time.end=0.5", "time.output=0.02", *by("trapezoid", 1e-3, "sparse-lu")], []),
    ("rope_on_floor", ["time.end=2", "time.output=0.01", *by("implicit-midpoint", 1e-3)], []),
    ("tipping_box", ["time.end=0.5", "time.output=0.02", *by("imex", 1e-3, "pcg")], []),
    ("tipping_box", ["time.end=0.5", "time.output=0.02", *by("semi-implicit", 1e-3, "bicgstab")], []),
    ("tipping_box", ["time.end=0.2", "integrator.method=rk45"], []),
    ("tipping_box", ["time.end=0.2"], []),
    ("bouncing_balls", ["time.end=0.5"], []),
    ("exact_incline", ["time.end=0.5"], []),
    ("sliding_block", ["time.end=0.2"], ["--verify"]),
    ("gripper", ["time.end=0.1", "time.output=0.01", *by("bdf2", 1e-3)], ["--verify"]),
    ("soft_box_pushed", ["time.end=0.04", "time.output=0.02", *by("implicit-euler", 2e-2, "pcg"),
                         "body.box.shape.lattice.counts=[9, 9, 9]"], []),
    ("soft_box_pushed", ["time.end=0.06", "time.output=0.02", *by("tr-bdf2", 2e-2, "sparse-lu"),
                         "body.box.shape.lattice.counts=[11, 11, 11]"], []),
]

# exit codes of what stops a run
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, "wall": 9}


def references(work, runs):
    """Runs that are left alone: scene, settings, options, folder, seconds."""
    made = []
    for number, (scene, settings, *rest) in enumerate(runs):
        options = rest[0] if rest else []
        folder = work / f"reference{number}"
        began = time.monotonic()
        done_or_exit(command(scene, settings, *options, "--out", str(folder)))
        made.append((scene, settings, options, folder, time.monotonic() - began))
        print(f"{' '.join([scene, *settings, *options])}: {made[-1][-1]:.2f} s", flush=True)
    return made


def going_on(folder, every):
    return [str(PROGRAM), "run", "--resume", str(folder), "--checkpoint-every", every]


def ended(words, limit):
    """A process that is killed after `limit` seconds: what it said, or None if it was killed."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        return process.communicate(timeout=limit)[1], process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return None, None


def is_complete(folder):
    """A run that has come to its end keeps the checkpoint before its last quarter alone."""
    manifest = folder / "manifest.toml"
    return manifest.exists() and 'status = "completed"' in manifest.read_text()


def killed_run(place, made, seed):
    """One run that is killed some times; number of kills, and what went wrong."""
    chance, kills, wrong = random.Random(seed), 0, []
    scene, settings, _, reference, seconds = made[chance.randrange(len(made))]
    folder = empty(place / "killed")
    begin = command(scene, settings, "--out", str(folder), "--checkpoint-every", "0.02s")
    words = begin
    while True:
        kept = newest(folder)
        # the first kills of a run early, and never so many that it does not end
        said, code = ended(words, chance.uniform(0, seconds) if kills < 12 else None)
        if said is None:
            kills += 1
            if newest(folder) < kept and not is_complete(folder):
                wrong.append(f"{scene}: checkpoint {kept} is gone")
            words = going_on(folder, "0.02s")
        elif code == 7 and "no run was begun" in said:
            empty(folder)
            words = begin
        else:
            break
    if code != 0:
        wrong.append(f"{scene}: exit {code}: {said}")
    elif differing(folder, reference):
        wrong.append(f"{scene}: {differing(folder, reference)} differs after {kills} kills")
    return kills, wrong


def stopped_once(words, what, seconds):
    """Starts a run and stops it by a signal after so many seconds, or by its own limit."""
    if what == "wall":
        words = [*words, "--max-wall", f"{seconds:.4f}s"]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if what == "wall":
        return process.communicate()[1], process.returncode
    try:
        return process.communicate(timeout=seconds)[1], process.returncode
    except subprocess.TimeoutExpired:
        process.send_signal(what)
        return process.communicate()[1], process.returncode


def stopped_run(place, made, seed):
    """One run that is stopped some times; number of stops, and what went wrong."""
    chance, stops, wrong = random.Random(seed), 0, []
    scene, settings, options, reference, seconds = made[seed % len(made)]
    name = " ".join([scene, *settings, *options])
    folder = empty(place / "stopped")
    every = chance.choice(["0", "0.02s"])
    begin = command(scene, settings, *options, "--out", str(folder), "--checkpoint-every", every)
    words = begin
    while True:
        kept, what = newest(folder), chance.choice(list(CODES))
        # the last time it is left alone
        limit = chance.uniform(0, seconds) if stops < 8 else 1e6
        said, code = stopped_once(words, what, limit)
        if code == 7 and "no run was begun" in said:
            empty(folder)
            words = begin
        elif code == CODES[what]:
            stops += 1
            if newest(folder) < max(kept, 0) and "inside a step" not in said:
                wrong.append(f"{name}: no checkpoint after {what}: {said}")
            words = going_on(folder, every)
        elif what != "wall" and code == -what:
            # it came before the program listened
            stops += 1
            words = going_on(folder, every)
        else:
            break
    if code != 0:
        wrong.append(f"{name}: exit {code} after {what}: {said}")
    elif differing(folder, reference):
        wrong.append(f"{name}: {differing(folder, reference)} differs after {stops} stops, seed {seed}")
    return stops, wrong


def until(number, seed, work, one_run):
    """Runs with seeds of their own until there were so many stops; all of them, and what went wrong."""
    stops, wrong, runs = 0, [], 0
    while stops < number:
        seeds = range(seed * 10**6 + runs, seed * 10**6 + runs + 16)
        more, new = together(spread(work, seeds, one_run))
        stops, wrong, runs = stops + more, wrong + new, runs + len(seeds)
        print(f"{stops} stops of {runs} runs, {len(wrong)} wrong so far", flush=True)
    return stops, wrong


def kills(work, number, seed):
    made = references(work, RUNS)
    return until(number, seed, work, lambda place, run: killed_run(place, made, run))


def signals(work, number, seed, which=STOPPED):
    made = references(work, which)
    return until(number, seed, work, lambda place, run: stopped_run(place, made, run))


def races(work, number):
    wrong = []
    for trial in range(number):
        words = command("tipping_box", ["time.end=0.3"], "--out", str(work / f"race{trial}"))
        both = [subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for _ in range(2)]
        said = [process.communicate()[1] for process in both]
        codes = sorted(process.returncode for process in both)
        loser = said[[process.returncode for process in both].index(8)] if 8 in codes else ""
        if codes != [0, 8] or "is held by process" not in loser:
            wrong.append(f"exit {codes}: {loser}")
    return number, wrong
