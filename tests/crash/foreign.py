"""Folders from others, built to do harm, and limits of memory."""

import os
import re
import shutil
import subprocess
import time
import zlib

from runs import PROGRAM, SHORT, command, done_or_exit, empty, files, quiet, spread, together

SECONDS = 20
KIBIBYTES = 1 << 20


def measured(words):
    """A process: exit code (negative: a signal), peak memory [KiB], standard error; ended after a time."""
    # what writes or takes far more than it may must not take the machine along
    words = ["sh", "-c", 'ulimit -f 1000000; ulimit -v 4000000; exec "$@"', "sh", *words]
    with open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(words, stdin=nothing, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    began, late = time.monotonic(), False
    os.set_blocking(process.stderr.fileno(), False)
    said = b""
    while True:
        said += process.stderr.read() or b""
        ended, status, usage = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        if time.monotonic() - began > SECONDS and not late:
            late = True
            process.kill()
        time.sleep(0.001)
    process.returncode = os.waitstatus_to_exitcode(status)
    said += process.stderr.read() or b""
    process.stderr.close()
    return "late" if late else process.returncode, usage.ru_maxrss, said.decode(errors="replace")


def signed(text):
    """A manifest with the checksum that fits it."""
    body = re.sub(r"# CRC-32: [0-9a-f]{8}\n?\Z", "", text)
    return body + f"# CRC-32: {zlib.crc32(body.encode()):08x}\n"


def manifests(text, outside):
    """Other manifests: every name in them replaced by one that leads out of the folder."""
    for name in sorted(set(re.findall(r'"([\w/]+\.\w+)"', text))):
        for other in ["../victim.npy", str(outside / "victim.npy"), "trajectory/../../victim.npy", "/dev/zero", ""]:
            yield f"manifest: {name} is {other!r}", signed(text.replace(f'"{name}"', f'"{other}"'))
    for key, value in [("particles", 2**62), ("particles", -1), ("bytes", 2**63 - 1), ("end", "1e300"), ("format", 99)]:
        yield f"manifest: {key} = {value}", signed(re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", text))
    yield "manifest: 30,000 tables deep", signed(text + "\n[" + ".".join("a" * 30_000) + "]\nx = 1\n")
    yield "manifest: 200,000 files", signed(text + "".join(f'\n[files."frames/bodies_{n:06}.vtu"]\nbytes = 1\nsha256 = ""\n' for n in range(200_000)))


def link(to):
    return lambda path: path.symlink_to(to)


def giant(path):
    with path.open("wb") as file:
        file.truncate(8 << 30)


REPLACEMENTS = {
    "a link to /dev/zero": link("/dev/zero"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link to the victim": None,
    "a FIFO": os.mkfifo,
    "8 GiB of zeros": giant,
    "a folder": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(),
}


def mutants(origin, outside):
    """What is done to a folder: a name, and the function that does it."""
    for name in files(origin):
        for what, replace in REPLACEMENTS.items():
            def change(folder, name=name, replace=replace):
                (folder / name).unlink()
                (replace or link(folder.parent / "victim.npy"))(folder / name)
            yield f"{name}: {what}", change
    for folder_name in sorted({path.parent.name for path in files(origin).values()} - {origin.name}):
        def moved(folder, folder_name=folder_name):
            shutil.move(folder / folder_name, folder.parent / f"outside-{folder_name}")
            (folder / folder_name).symlink_to(folder.parent / f"outside-{folder_name}")
        yield f"{folder_name}: a link to a folder outside", moved
    for what, text in manifests((origin / "manifest.toml").read_text(), outside):
        yield what, lambda folder, text=text: (folder / "manifest.toml").write_text(text)


def around(home, folder):
    """Everything beside a folder, with its bytes."""
    found = {}
    for path in sorted(home.rglob("*")):
        if folder in path.parents or path == folder or (home / "into") in (path, *path.parents):
            continue
        regular = path.is_file() and not path.is_symlink()
        found[str(path)] = (path.lstat().st_mode, path.read_bytes() if regular else None)
    return found


def folders(work, every=1):
    scene, settings = SHORT
    complete, running = work / "complete", work / "running"
    done_or_exit(command(scene, settings, "--out", str(complete)))
    quiet(command(scene, settings, "--out", str(running), "--max-wall", "0s"))
    trials = [(origin, *mutant) for origin in (complete, running) for mutant in mutants(origin, work)]

    def one(place, trial):
        origin, what, change = trial
        wrong = []
        for verb in ["inspect", "repair", "run"]:
            home = empty(place / "home")
            folder = home / "folder"
            shutil.copytree(origin, folder)
            (home / "victim.npy").write_bytes(b"not to be touched" * 100)
            change(folder)
            before = around(home, folder)
            words = {
                "inspect": ["inspect", str(folder)],
                "repair": ["repair", str(folder), "--out", str(home / "into")],
                "run": ["run", "--resume", str(folder)],
            }[verb]
            code, peak, said = measured([str(PROGRAM), *words])
            place_of = f"{origin.name}, {what}, {verb}"
            if code == "late" or code in (101, 134) or code < 0:
                wrong.append(f"{place_of}: {'more than 20 s' if code == 'late' else f'exit {code}'}: {said[-300:]}")
            if peak > KIBIBYTES:
                wrong.append(f"{place_of}: {peak >> 10} MiB")
            if around(home, folder) != before:
                wrong.append(f"{place_of}: something beside the folder is not as it was")
        return 3, wrong

    return together(spread(work, trials[::every], one))


# scenes with many particles, a sparse factor, and two runs at once
LARGE = {
    "lattice": ("soft_box_pushed", ["body.box.mass=1e4", "body.box.shape.lattice.counts=[60, 60, 60]", "time.end=3e-4",
                                    "time.output=1e-4"], []),
    "factor": ("soft_box_pushed", ["body.box.shape.lattice.counts=[16, 16, 16]", "time.end=2e-4", "time.output=1e-4",
                                   "integrator.method=implicit-euler", "integrator.linear_solver=sparse-lu"], []),
    "verified": ("soft_box_pushed", ["body.box.mass=1e3", "body.box.shape.lattice.counts=[20, 20, 20]", "time.end=0.004",
                                     "time.output=1e-3"], ["--verify"]),
}


def memory(work, number):
    """Limits of the address space from 50 MB to 2 GB: a run ends with 0, or refuses with 9."""
    limits = [int(50e3 * 40 ** (k / (number - 1))) for k in range(number)]
    trials = [(limit, kind, name) for limit in limits for kind in ("v", "d") for name in LARGE]

    def one(_, trial):
        limit, kind, name = trial
        scene, settings, options = LARGE[name]
        words = command(scene, settings, *options)
        done = quiet(["sh", "-c", f'ulimit -{kind} {limit}; exec "$@"', "sh", *words])
        allowed = (0, 9, 127) if limit < 60_000 else (0, 9)  # 127: it was not loaded
        wrong = [] if done.returncode in allowed else [
            f"ulimit -{kind} {limit}, {name}: exit {done.returncode}: {done.stderr[-300:]}"]
        return 1, wrong

    return together(spread(work, trials, one))
