"""Ends of a run from outside: SIGKILL, signals, the limit of wall time, a second run."""

import random
import signal
import subprocess
import time

from runs import command, differing, done_or_exit, empty, is_complete, newest, resuming, spread, together

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

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]

# exit codes of what ends a run: of signals also those that came before the program listened
CODES = {what: (128 + what, -what) for what in SIGNALS} | {signal.SIGKILL: (-9,), "wall": (9,)}


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


def stopped_run(place, made, seed, by, most, every):
    """One run that is ended up to `most` times by one of `by`; number of ends, and faults."""
    chance, ends, wrong = random.Random(seed), 0, []
    scene, settings, options, reference, seconds = made[seed % len(made)]
    name = " ".join([scene, *settings, *options])
    folder, often = empty(place / "stopped"), ("--checkpoint-every", chance.choice(every))
    begin = command(scene, settings, *options, "--out", str(folder), *often)
    words = begin
    while True:
        before, what = newest(folder), chance.choice(by)
        # the last time it is left alone
        limit = chance.uniform(0, seconds) if ends < most else 1e6
        said, code = stopped_once(words, what, limit)
        if code == 7 and "no run was begun" in said:
            empty(folder)
            words = begin
        elif code in CODES[what]:
            ends += 1
            least = before if code < 0 else max(before, 0)
            if newest(folder) < least and not is_complete(folder) and "inside a step" not in said:
                wrong.append(f"{name}: no checkpoint from step {least} on after {what}: {said}")
            words = resuming(folder, *often)
        else:
            break
    if code != 0:
        wrong.append(f"{name}: exit {code} after {what}: {said}")
    elif differing(folder, reference):
        wrong.append(f"{name}: {differing(folder, reference)} differs after {ends} ends, seed {seed}")
    return ends, wrong


def until(number, seed, work, which, *how):
    """Runs with seeds of their own until there were so many ends; all of them, and faults."""
    made, ends, wrong, runs = references(work, which), 0, [], 0
    while ends < number:
        seeds = range(seed * 10**6 + runs, seed * 10**6 + runs + 16)
        more, new = together(spread(work, seeds, lambda place, run: stopped_run(place, made, run, *how)))
        ends, wrong, runs = ends + more, wrong + new, runs + len(seeds)
        print(f"{ends} ends of {runs} runs, {len(wrong)} wrong so far", flush=True)
    return ends, wrong


def kills(work, number, seed):
    return until(number, seed, work, RUNS, [signal.SIGKILL], 12, ["0.02s"])


def signals(work, number, seed, which=STOPPED):
    return until(number, seed, work, which, [*SIGNALS, "wall"], 8, ["0", "0.02s"])


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
