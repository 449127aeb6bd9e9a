#!/usr/bin/env python3
"""A campaign of mutants: single slips put into the physics, and which tests turn red.

    tests/mutants/campaign.py --count 240 --seed 1 --out target/mutants

A copy of the sources gets a switch at every chosen place, so that one build holds all mutants;
STICTION_MUTANT=N switches the N-th on. Each mutant is shown to the test binaries, quickest first,
until a test turns red. Golden hashes do not count: tests/determinism is not asked.

Slips: the sign of a term, the sign of a sum's increment, a constant × 1.5, a negated condition, a
statement left out, larger for smaller. Places that do not compile are dropped.
"""
import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
ROOMS = [
    "contact", "constraints", "diagnosis", "forces", "impulses", "integrators", "linear",
    "model.rs", "simulation.rs", "state", "measures", "run",
]
# quickest first
BINARIES = ["lib", "contact", "methods", "scenes", "truth"]
SWITCH = '''
/// Which mutant is switched on.
pub fn on(number: u32) -> bool {
    static CHOSEN: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *CHOSEN.get_or_init(|| {
        std::env::var("STICTION_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0)
    }) == number
}
/// −1 where it is on.
pub fn sign(number: u32) -> f64 { if on(number) { -1.0 } else { 1.0 } }
/// A constant, × 1.5 where it is on.
pub fn value(number: u32, x: f64) -> f64 { if on(number) { 1.5 * x } else { x } }
/// The larger number, or the smaller where it is on.
pub fn larger(number: u32, a: f64, b: f64) -> f64 {
    if on(number) { crate::math::smaller(a, b) } else { crate::math::larger(a, b) }
}
/// The smaller number, or the larger where it is on.
pub fn smaller(number: u32, a: f64, b: f64) -> f64 {
    if on(number) { crate::math::larger(a, b) } else { crate::math::smaller(a, b) }
}
'''


def code_lines(text):
    """Numbers of the lines that hold code of functions, without tests, tables and comments."""
    lines, inside, depth = text.split("\n"), False, 0
    for number, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith("#[cfg(test)]"):
            return
        opens, closes = line.count("{"), line.count("}")
        if not inside and re.match(r"\s*(pub(\([a-z]+\))? )?fn \w", line):
            inside, depth = True, 0
        if inside:
            depth += opens - closes
            plain = not re.match(r"(//|#|const|static|fn|pub|\"|unreachable|assert)", bare)
            if plain and '"' not in line and "format!" not in line:
                yield number
            if depth <= 0 and closes:
                inside = False


def sites(path, text):
    """Places for slips: (line, kind, start, end)."""
    lines = text.split("\n")
    for number in code_lines(text):
        line = lines[number]
        code = line.split("//")[0]
        for match in re.finditer(r"(?<=[\w)\]]) [+-] (?=[\w(])(?!=)", code):
            yield number, "sign", match.start(), match.end()
        for match in re.finditer(r"(?<![\w.\[])\d+\.\d+(e-?\d+)?(?![\w.])", code):
            if float(match.group(0)) != 0.0:
                yield number, "constant", match.start(), match.end()
        for match in re.finditer(r"(?<![\w:])(larger|smaller)\(", code):
            yield number, "extreme", match.start(), match.end()
        match = re.match(r"(\s*(?:\} else )?if )(?!let\b)([^{]*[^{ ])( \{)$", code)
        if match and "let " not in code:
            yield number, "condition", match.start(2), match.end(2)
        match = re.match(r"\s*[\w.\[\]*]+ ([+-]=) [^;]*;$", code)
        if match:
            yield number, "increment", match.start(1), match.end(1)
        if re.match(r"\s*(self|state|[a-z_]+)[\w.\[\]]*(\([^;]*\)| [+*-]?= [^;]*);$", code):
            yield number, "statement", 0, len(code)


def put(line, kind, start, end, n):
    """The line with a switch."""
    here, rest = line[start:end], line[end:]
    if kind == "sign":
        return f"{line[:start]}{here}crate::mutant::sign({n}) * {rest}"
    if kind == "constant":
        return f"{line[:start]}crate::mutant::value({n}, {here}){rest}"
    if kind == "extreme":
        return f"{line[:start]}crate::mutant::{here}{n}, {rest}"
    if kind == "condition":
        return f"{line[:start]}crate::mutant::on({n}) != ({here}){rest}"
    if kind == "increment":
        body = rest.rstrip().rstrip(";")
        return f"{line[:start]}{here} crate::mutant::sign({n}) * ({body.strip()});"
    return f"if !crate::mutant::on({n}) {{ {line.strip()} }}"


def choose(count, seed):
    """As many places as asked for, spread over files in proportion to their length."""
    found = []
    for room in ROOMS:
        top = HOME / "src" / room
        for path in sorted([top] if top.is_file() else top.rglob("*.rs")):
            if path.name == "tests.rs" or "tests" in path.parts:
                continue
            text = path.read_text()
            found += [(str(path.relative_to(HOME)), *site) for site in sites(path, text)]
    random.Random(seed).shuffle(found)
    taken, lines = [], set()
    for site in found:
        if (site[0], site[1]) not in lines:
            lines.add((site[0], site[1]))
            taken.append(site)
        if len(taken) == count:
            break
    return taken


def write(copy, mutants):
    """The sources with all switches."""
    for name in ("src", "tests", "scenes", "examples", "benches", "docs"):
        shutil.rmtree(copy / name, ignore_errors=True)
        shutil.copytree(HOME / name, copy / name, ignore=shutil.ignore_patterns("target"))
    for name in ("Cargo.toml", "Cargo.lock", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
        shutil.copy(HOME / name, copy / name)
    (copy / "src/mutant.rs").write_text("//! Switches of mutants.\n" + SWITCH)
    library = copy / "src/lib.rs"
    library.write_text(library.read_text().replace("pub mod math;", "pub mod math;\npub mod mutant;", 1))
    by_file = {}
    for n, (path, line, kind, start, end) in mutants.items():
        by_file.setdefault(path, []).append((line, kind, start, end, n))
    for path, places in by_file.items():
        lines = (copy / path).read_text().split("\n")
        for line, kind, start, end, n in places:
            lines[line] = put(lines[line], kind, start, end, n)
        (copy / path).write_text("\n".join(lines))


def cargo(copy, target, *words):
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    command = ["cargo", *words, "--message-format=json"]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True)


def compile_errors(output):
    """(file, line) of every error."""
    places = set()
    for line in output.splitlines():
        if not line.startswith("{"):
            continue
        message = json.loads(line).get("message") or {}
        if message.get("level") == "error":
            for span in message.get("spans", []):
                if span["file_name"].startswith("src/"):
                    places.add((span["file_name"], span["line_start"] - 1))
    return places


def build(copy, target, mutants, names):
    """The test binaries of a build with all mutants that compile."""
    while True:
        write(copy, mutants)
        checked = cargo(copy, target, "check", "--release", "--lib")
        if checked.returncode == 0:
            break
        bad = compile_errors(checked.stdout)
        dropped = [n for n, m in mutants.items() if (m[0], m[1]) in bad]
        if not dropped:
            sys.exit(checked.stderr[-2000:])
        for n in dropped:
            del mutants[n]
        print(f"{len(dropped)} places do not compile, {len(mutants)} left", flush=True)
    tests = [word for name in names if name != "lib" for word in ("--test", name)]
    built = cargo(copy, target, "test", "--release", "--no-run", "--lib", *tests)
    if built.returncode != 0:
        sys.exit(built.stderr[-2000:])
    binaries = {}
    for line in built.stdout.splitlines():
        record = json.loads(line) if line.startswith("{") else {}
        if record.get("executable") and record.get("profile", {}).get("test"):
            name = record["target"]["name"]
            binaries["lib" if name == "stiction" else name] = record["executable"]
    return [(name, binaries[name]) for name in names]


def red(binary, copy, number, limit):
    """The first test that fails, `timeout`, or nothing."""
    environment = dict(os.environ, STICTION_MUTANT=str(number), CARGO_MANIFEST_DIR=str(copy))
    environment.pop("CI", None)
    process = subprocess.Popen(
        [binary, "--skip", "golden", "--skip", "rooms"], cwd=copy, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    began, found = time.monotonic(), None
    os.set_blocking(process.stdout.fileno(), False)
    text = ""
    while found is None:
        chunk = process.stdout.read()
        text += chunk or ""
        failed = re.search(r"test (\S+) \.\.\. FAILED", text)
        if failed:
            found = failed.group(1)
        elif process.poll() is not None:
            text += process.stdout.read() or ""
            failed = re.search(r"test (\S+) \.\.\. FAILED", text)
            found = failed.group(1) if failed else ("" if process.returncode == 0 else "crash")
        elif time.monotonic() - began > limit:
            found = "timeout"
        else:
            time.sleep(0.05)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--count", type=int, default=240)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=Path, default=HOME / "target/mutants")
    options.add_argument("--target", type=Path, default=HOME / "target")
    options.add_argument("--tests", default=",".join(BINARIES), help="test binaries, in order")
    options.add_argument("--seconds", type=float, default=0.0, help="stop after so long")
    options = options.parse_args()
    copy = options.out.resolve() / "sources"
    copy.mkdir(parents=True, exist_ok=True)
    chosen = choose(options.count, options.seed)
    mutants = {n + 1: site for n, site in enumerate(chosen)}
    names = options.tests.split(",")
    binaries = build(copy, options.target.resolve(), mutants, names)
    limits = {}
    for name, binary in binaries:
        began = time.monotonic()
        found = red(binary, copy, 0, 1800)
        if found:
            sys.exit(f"{name} is red without a mutant: {found}")
        limits[name] = 3 * (time.monotonic() - began) + 20
        print(f"{name}: green in {time.monotonic() - began:.0f} s", flush=True)
    began, results = time.monotonic(), {}
    for n, site in mutants.items():
        if options.seconds and time.monotonic() - began > options.seconds:
            break
        killer = None
        for name, binary in binaries:
            found = red(binary, copy, n, limits[name])
            if found:
                killer = f"{name}: {found}"
                break
        path, line, kind, _, _ = site
        source = (HOME / path).read_text().split("\n")[line].strip()
        results[n] = {"file": path, "line": line + 1, "kind": kind, "source": source, "red": killer}
        print(f"{n} {path}:{line + 1} {kind}: {killer or 'SURVIVED'}    {source}", flush=True)
        (options.out / "results.json").write_text(json.dumps(results, indent=1))
    caught = sum(1 for result in results.values() if result["red"])
    print(f"{caught} of {len(results)} turned a test red, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
