"""The build that holds all mutants, its tests, and which places each of them reaches."""
import concurrent.futures
import dataclasses
import hashlib
import json
import math
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import places

AT_ONCE = 2
# where unit tests begin within a file
TESTS = b"\n#[cfg(test)]\nmod tests {"
# hashes of results say that something changed, not that it is wrong; pages of the sources are not the program
NOT_ASKED = {"determinism", "mutants"}
NOT_NAMED = re.compile("golden|rooms|readme|quotes")
# per process: no core file, so much memory [KB], so much processor time [s]
FENCED = ["sh", "-c", 'ulimit -c 0; ulimit -v 10000000; ulimit -t "$0"; exec "$@"']
# processor time of a hanging test, by the seconds it takes alone
LONGER, BESIDES = 5.0, 10.0
# a test that waits without working hangs after so many times its limit on the clock
WAITING = 10.0


@dataclasses.dataclass(frozen=True)
class Test:
    binary: str  # crate or folder of tests
    name: str
    program: str
    home: str

    @property
    def key(self):
        return f"{self.binary} {self.name}"


def digest(paths, more="", before=None):
    """What a result depends on: the files, each up to the text `before`."""
    found = hashlib.sha256(more.encode())
    for path in sorted(paths):
        found.update(str(path.relative_to(places.HOME)).encode() + b"\0")
        found.update(path.read_bytes().split(before)[0] if before else path.read_bytes())
    return found.hexdigest()


def tracked():
    """All files of the project, as git knows them."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=places.HOME, capture_output=True, check=True).stdout.decode()
    files = [places.HOME / name for name in listed.split("\0") if name]
    return [file for file in files if file.is_file()]


def digests():
    """Of what slips are put into, and of all that a build and its tests read."""
    here = set(Path(__file__).parent.glob("*.py"))
    files = [file for file in tracked() if file.suffix != ".md" and file not in here]
    within = tuple(f"{home}/" for home in places.SOURCES)
    sources = [file for file in files if str(file.relative_to(places.HOME)).startswith(within)]
    rules = Path(places.__file__).read_text()
    return digest(filter(places.holds_code, sources), rules, before=TESTS), digest(files, rules)


def write(copy, numbered):
    """A copy of the project with a switch at every place; what is the same is left alone, so that cargo knows it."""
    by_file = {}
    for n, place in numbered.items():
        by_file.setdefault(place.file, {})[n] = place
    wanted = {}
    for file in tracked():
        name = str(file.relative_to(places.HOME))
        wanted[name] = file.read_bytes()
        if name in by_file:
            wanted[name] = places.inject(name, wanted[name].decode(), by_file[name]).encode()
    library = places.CORE + "/lib.rs"
    wanted[library] = wanted[library].replace(b"pub mod math;", b"pub mod math;\npub mod mutant;", 1)
    count = str(max(numbered, default=0) + 1)
    wanted[places.CORE + "/mutant.rs"] = places.SWITCH.replace("PLACES", count).encode()
    for file in list(copy.rglob("*")):
        if file.is_file() and str(file.relative_to(copy)) not in wanted:
            file.unlink()
    for name, data in wanted.items():
        path = copy / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            path.chmod((places.HOME / name).stat().st_mode if (places.HOME / name).exists() else 0o644)


def cargo(copy, target, *words):
    """Runs cargo; its messages."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    command = ["cargo", *words, "--release", "--locked", "--message-format=json"]
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done, messages


def blamed(message, numbered):
    """The places that an error of the compiler is about: on its lines, or else the nearest of its file."""
    spans = message.get("spans", []) + [s for child in message.get("children", []) for s in child.get("spans", [])]
    for primary in (True, False):
        hit = {n for n, place in numbered.items() for span in spans
               if span["is_primary"] >= primary and span["file_name"] == place.file
               and span["line_start"] <= place.line + 1 <= span["line_end"]}
        if hit:
            return hit
    near = [(abs(place.line + 1 - span["line_start"]), n) for n, place in numbered.items() for span in spans
            if span["file_name"] == place.file]
    return {min(near)[1]} if near else set()


def compiled(copy, target, numbered):
    """The places that compile, by number."""
    numbered = dict(numbered)
    while True:
        write(copy, numbered)
        done, messages = cargo(copy, target, "check", "--lib", "--bins")
        if done.returncode == 0:
            return numbered
        errors = [m["message"] for m in messages if m.get("reason") == "compiler-message"]
        dropped = {n for m in errors if m["level"] == "error" for n in blamed(m, numbered)}
        if not dropped:
            sys.exit(done.stderr[-3000:] + "".join(m.get("rendered") or "" for m in errors if m["level"] == "error"))
        for n in dropped:
            del numbered[n]
        print(f"{len(dropped)} places do not compile, {len(numbered)} left", flush=True)


def build(copy, target):
    """All tests, of a build whose program is the one that they start."""
    done, messages = cargo(copy, target, "test", "--no-run", "--tests")
    if done.returncode != 0:
        errors = [m["message"].get("rendered") or "" for m in messages if m.get("reason") == "compiler-message"]
        sys.exit(done.stderr[-3000:] + "".join(errors)[-3000:])
    tests = []
    for message in messages:
        if not message.get("executable") or not message["profile"]["test"]:
            continue
        home, binary = Path(message["manifest_path"]).parent, message["target"]["name"]
        if message["target"]["kind"] == ["test"] and binary in NOT_ASKED:
            continue
        if "lib" in message["target"]["kind"]:
            binary = str(home.relative_to(copy)) if home != copy else "src"
        command = [message["executable"], "--list", "--format", "terse"]
        listed = subprocess.run(command, cwd=home, capture_output=True, text=True, check=True).stdout
        names = [line.removesuffix(": test") for line in listed.splitlines() if line.endswith(": test")]
        tests += [Test(binary, name, message["executable"], str(home)) for name in names if not NOT_NAMED.search(name)]
    return tests


def run(test, program, folder, limit, **variables):
    """Runs a test within `limit` [s] of processor time: `green`, `red` or `hang`, and its time [s]."""
    environment = {name: value for name, value in os.environ.items()
                   if name != "CI" and (name == "STICTION_PYTHON" or not name.startswith("STICTION_"))}
    environment.update(variables, TMPDIR=str(folder), CARGO_MANIFEST_DIR=test.home, RUST_BACKTRACE="0",
                       CARGO_BIN_EXE_stiction=str(program))
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    began = time.monotonic()
    process = subprocess.Popen(
        [*FENCED, str(math.ceil(limit)), test.program, "--exact", test.name], cwd=test.home, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        code = process.wait(WAITING * limit)
        state = "green" if code == 0 else "hang" if -code in (signal.SIGXCPU, signal.SIGKILL) else "red"
    except subprocess.TimeoutExpired:
        state = "hang"
    seconds = time.monotonic() - began
    # what it has started ends with it
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    return state, seconds


def at_once(work, items):
    """`work(item, slot)` of all, so many at a time; its results as they come."""
    slots = queue.SimpleQueue()
    for slot in range(AT_ONCE):
        slots.put(slot)

    def one(item):
        slot = slots.get()
        try:
            return work(item, slot)
        finally:
            slots.put(slot)

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        try:
            futures = [pool.submit(one, item) for item in items]
            for future in concurrent.futures.as_completed(futures):
                yield future.result()
        finally:
            # only what runs already is waited for
            pool.shutdown(wait=False, cancel_futures=True)


def save(path, data):
    """Writes JSON whole or not at all."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(data, indent=1))
    beside.replace(path)


def record(tests, program, out, known, until):
    """Runs every test alone, and keeps its time, whether it is green, and the places it reaches in `known`."""
    missing = [test for test in tests if test.key not in known["tests"]]

    def one(test, slot):
        if time.monotonic() > until:
            return test, None
        file = out / f"reached.{slot}"
        file.unlink(missing_ok=True)
        state, seconds = run(test, program, out / f"tmp.{slot}", 1800.0, STICTION_REACHED=str(file))
        found = sorted(set(map(int, file.read_text().split()))) if file.exists() else []
        return test, {"seconds": round(seconds, 3), "state": state, "places": found}

    for done, (test, found) in enumerate(at_once(one, missing), 1):
        if found is None:
            continue
        known["tests"][test.key] = found
        if found["state"] != "green":
            print(f"{test.key}: {found['state']} without a mutant, not asked", flush=True)
        if done % 50 == 0 or done == len(missing) or found["seconds"] > 20.0:
            print(f"{done} of {len(missing)} tests have shown what they reach", flush=True)
            save(out / "reach.json", known)
    return all(test.key in known["tests"] for test in tests)
