"""Faults of the system: kills and errors at every call, and writes that lie."""

import re
import shutil

from runs import (SHORT, command, differing, done_or_exit, empty, is_complete, newest, quiet, resume,
                  resuming)

# calls that change files, or on which changing them rests
CALLS = ["openat", "write", "fdatasync", "fsync", "rename", "ftruncate", "lseek", "unlink", "mkdir", "flock"]

OFTEN = ["--checkpoint-every", "0.000001s"]

ERRORS = {
    "openat": ["EACCES", "ENOSPC"],
    "write": ["ENOSPC", "EIO", "EDQUOT", "EFBIG"],
    "fdatasync": ["EIO", "ENOSPC"],
    "fsync": ["EIO"],
    "rename": ["EACCES", "EROFS"],
    "ftruncate": ["EIO"],
    "mkdir": ["EROFS"],
}


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
    begin = command(scene, settings, "--out", str(folder), *OFTEN)
    done_or_exit(command(scene, settings, "--out", str(reference)))
    return reference, folder, log, begin


def struck(work, every, resumed):
    """SIGKILL and I/O errors at every file-system call, or at each of `every`, of a run from its beginning, or of
    one that resumes from its middle, which may be refused where it cannot read."""
    reference, folder, log, begin = prepared(work)
    words, origin, codes = begin, work / "origin", [0, 5, 8, -9, 137]
    if resumed:
        words, codes = resuming(folder, *OFTEN), [*codes, 2, 7]
        middle = calls_of(begin, "fdatasync", log).stop // 2
        empty(folder)
        traced(begin, "fdatasync", "signal=KILL", middle, log)
        folder.rename(origin)
        assert newest(origin) > 0 and not is_complete(origin), "it was not killed in its middle"
    trials, wrong = 0, []
    for call in CALLS:
        again_from(origin, folder)
        numbers = calls_of(words, call, log)
        for fault in ["signal=KILL"] + [f"error={error}" for error in ERRORS.get(call, [])]:
            for when in numbers[::every]:
                again_from(origin, folder)
                done = traced(words, call, fault, when, log)
                place = f"{call} {when} of {numbers.stop - 1}, {fault}"
                trials += 1
                wrong += [f"{place}: {found}" for found in faults(done, codes, folder, reference, begin)]
        print(f"{call}: {len(numbers)} calls, {len(wrong)} wrong so far", flush=True)
    return trials, wrong


def again_from(origin, folder):
    """The folder as it was, or none."""
    empty(folder)
    if origin.exists():
        shutil.copytree(origin, folder)


def faults(done, codes, folder, reference, begin):
    """What is wrong with an end and with what is resumed after it."""
    wrong = []
    if done.returncode not in codes and done.returncode < 126 and folder.exists():
        # what comes before the folder: the loader, the scene, standard input
        wrong.append(f"exit {done.returncode}: {done.stderr}")
    if done.returncode == 5 and "`" not in done.stderr and "standard output" not in done.stderr:
        wrong.append(f"no file is named: {done.stderr}")
    if done.returncode != 0:
        again = resume(folder, begin)
        if again.returncode != 0:
            return [*wrong, f"resume exits {again.returncode}: {again.stderr}"]
    if differing(folder, reference):
        wrong.append(f"exit {done.returncode}, then {differing(folder, reference)} differs")
    return wrong


def calls(work, every=1):
    return struck(work, every, resumed=False)


def resumes(work, every=1):
    return struck(work, every, resumed=True)


def lies(work, every=1):
    """A write that returns its length, or 1, without having been done."""
    reference, folder, log, begin = prepared(work)
    empty(folder)
    numbers, trials, wrong = calls_of(begin, "write", log), 0, []
    lengths = [int(found) for found in re.findall(r"write\(\d+, .* = (\d+)", log.read_text())]
    for when in numbers[::every]:
        for length in {1, lengths[when - 1] if when <= len(lengths) else 1}:
            empty(folder)
            done = traced(begin, "write", f"retval={length}", when, log)
            trials += 1
            if done.returncode == 0 and differing(folder, reference):
                wrong.append(f"write {when} of {numbers.stop - 1}: exit 0, and {differing(folder, reference)} differs")
            if done.returncode not in (0, 5, 7):
                wrong.append(f"write {when} of {numbers.stop - 1}: exit {done.returncode}: {done.stderr}")
    return trials, wrong
