"""Damage of files: bits flipped and files cut, in folders of runs and of sweeps."""

import random
import shutil
import struct
import subprocess
import time

from runs import (PROGRAM, ROOT, SHORT, command, differing, done_or_exit, empty, files, inspected, newest, quiet,
                  resumed, spread, together)


def begun(work, seed):
    """A complete folder, and one of the same run that was killed in the middle."""
    scene, settings = SHORT
    complete, killed = work / "complete", work / "killed"
    done_or_exit(command(scene, settings, "--out", str(complete)))
    chance, journal = random.Random(seed), killed / "trajectory/journal.bin"
    words = command(scene, settings, "--out", str(killed), "--checkpoint-every", "0.000001s")
    for _ in range(10_000):
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 0.03))
        process.kill()
        process.wait()
        if newest(killed) >= 3 and len(records(journal)) >= 3 and not (killed / "run.json").exists():
            return complete, killed
        empty(killed)
    raise RuntimeError("the run was never killed in its middle")


def records(journal):
    """Ends of the records of a journal, its head first: 56 bytes, the payload, 4 bytes."""
    data, ends = journal.read_bytes() if journal.exists() else b"", [40]
    while data[ends[-1] : ends[-1] + 4] == b"FRAM":
        (payload,) = struct.unpack_from("<I", data, ends[-1] + 4)
        ends.append(ends[-1] + 60 + payload)
    return [end for end in ends if end <= len(data)]


class Damaged:
    """A copy of a folder, of which one file at a time has other bytes."""

    def __init__(self, place, origin, reference):
        self.place, self.origin, self.reference = place, origin, reference
        self.folder, self.other = place / origin.name, place / "other"
        if not self.folder.exists():
            shutil.copytree(origin, self.folder)

    def judge(self, name, bytes_, mend):
        """What is wrong with how the program takes these bytes of a file; none if nothing is."""
        path = self.folder / name
        sound = path.read_bytes()
        path.write_bytes(bytes_)
        try:
            if inspected(self.folder):
                return self.taken_for_sound()
            return self.mended() if mend else None
        finally:
            path.write_bytes(sound)

    def taken_for_sound(self):
        """A run that is not complete may have bytes that nothing rests on: it is resumed as if they were right."""
        if (self.folder / "run.json").exists():
            return "`inspect` finds nothing"
        empty(self.other)
        shutil.copytree(self.folder, self.other)
        done = resumed(self.other)
        name = differing(self.other, self.reference) if done.returncode == 0 else None
        if name:
            return f"`inspect` finds nothing, and after --resume {name} differs"
        return None

    def mended(self):
        """What is repaired and resumed has the right bytes, or is not called sound."""
        empty(self.other)
        done = quiet([str(PROGRAM), "repair", str(self.folder), "--out", str(self.other)])
        if done.returncode not in (0, 5, 7):
            return f"`repair` exits with {done.returncode}: {done.stderr}"
        if done.returncode != 0:
            return None
        again = resumed(self.other)
        if again.returncode not in (0, 5, 7):
            return f"--resume after `repair` exits with {again.returncode}: {again.stderr}"
        if again.returncode == 0 and inspected(self.other):
            # a damaged checkpoint is left out, and results do not rest on it
            name = differing(self.other, self.reference, damaged=self.origin)
            return f"`repair`, --resume: sound, and {name} differs" if name else None
        return None


def tried(work, origins, trials, share, seed):
    """Judges (origin, name, place, bytes) one by one; a random share is repaired and resumed too."""
    reference, chance = origins[0], random.Random(seed)
    chosen = [(trial, chance.random() < share) for trial in trials]

    def one(place, item):
        (origin, name, what, make), mend = item
        found = Damaged(place, origin, reference).judge(name, make(), mend)
        return 1, [f"{origin.name}/{name}, {what}: {found}"] if found else []

    mended = sum(1 for _, mend in chosen if mend)
    number, wrong = together(spread(work, chosen, one))
    print(f"{number} damaged folders, {mended} of them repaired: {len(wrong)} wrong")
    return number, wrong


def flips(work, number, seed, share):
    origins = begun(work, seed)
    trials = []
    for origin in origins:
        for name, path in files(origin).items():
            data = path.read_bytes()
            for bit in range(8 * len(data)):
                trials.append((origin, name, f"bit {bit}", lambda data=data, bit=bit: flipped(data, bit)))
    if number and number < len(trials):
        trials = random.Random(seed).sample(trials, number)
    return tried(work, origins, trials, share, seed)


def flipped(data, bit):
    data = bytearray(data)
    data[bit // 8] ^= 1 << bit % 8
    return bytes(data)


def ends_of(path, name):
    """Where the records of a file end."""
    data = path.read_bytes()
    if name.endswith("journal.bin"):
        return records(path)
    if name.endswith(".csv"):
        return [at + 1 for at, byte in enumerate(data) if byte == ord("\n")]
    if name.endswith(".npy"):
        head = 10 + struct.unpack_from("<H", data, 8)[0]
        return list(range(head, len(data) + 1, 8))
    return [0]


def cuts(work, number, seed, share):
    origins = begun(work, seed)
    trials = []
    for origin in origins:
        for name, path in files(origin).items():
            data, ends = path.read_bytes(), ends_of(path, name)
            last = [end for end in ends if end < len(data)][-1:] or [0]
            for length in sorted({0, *ends, *range(last[0], len(data))} - {len(data)}):
                trials.append((origin, name, f"cut at {length}", lambda data=data, length=length: data[:length]))
    if number and number < len(trials):
        trials = random.Random(seed).sample(trials, number)
    return tried(work, origins, trials, share, seed)


def sweep_command(out):
    return [str(PROGRAM), "sweep", str(ROOT / "scenes/sliding_block.toml"), "--set", "time.end=0.002",
            "--set", "time.output=0.001", "--set", "time.step=1e-4",
            "--vary", "contact.friction.epsilon=1e-5..1e-1:log:10", "--jobs", "1", "--out", str(out)]


def sweeps(work, number, seed):
    """One bit of a file of a sweep's folder flipped: the same command ends with the bytes of a sweep that
    was left alone, or refuses. CPU times differ from run to run and are not compared."""
    reference = work / "reference"
    done_or_exit(sweep_command(reference))
    names = [name for name in files(reference) if "lock" not in name]

    def one(place, trial):
        chance, folder = random.Random(seed * 10**6 + trial), empty(place / "sweep")
        shutil.copytree(reference, folder)
        name = chance.choice(names)
        data = (folder / name).read_bytes()
        if not data:
            return 0, []
        bit = chance.randrange(8 * len(data))
        (folder / name).write_bytes(flipped(data, bit))
        done = quiet(sweep_command(folder))
        if done.returncode != 0:
            sensible = done.returncode in (5, 7, 8, 10)
            return 1, [] if sensible else [f"{name}, bit {bit}: exit {done.returncode}: {done.stderr}"]
        wrong = [other for other in names if not other.startswith("cpu") and not same(folder, reference, other)]
        return 1, [f"{name}, bit {bit}: exit 0, and {wrong[0]} differs"] if wrong else []

    return together(spread(work, range(number), one))


def same(folder, reference, name):
    path = folder / name
    return path.exists() and path.read_bytes() == (reference / name).read_bytes()
