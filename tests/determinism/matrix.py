#!/usr/bin/env python3
"""Same scene, same bits: runs of scenes, methods and solvers on several numbers of threads, builds
and emulated processors, compared byte by byte with the run on one thread.

    tests/determinism/matrix.py --quick
    tests/determinism/matrix.py --unoptimised build
    tests/determinism/matrix.py --resume 5 --only bowl,cantilever

Compared are trajectory/*.npy, measures.csv and run.json without the times it took. Where runs differ
they are done again with every step written, and the first step and particle that differ are named.
The exit code is 1 then. Needs Python 3 and, for emulated processors, qemu-user.
"""
import argparse
import array
import concurrent.futures
import decimal
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parents[2]
THREADS = [1, 2, 3, 4, 7, 8, 16, 32]
# of glibc alone: what a program asks the processor itself stays
MASKED = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-AVX512F,-AVX_Fast_Unaligned_Load,-ERMS"
PROCESSORS = ["Nehalem", "Haswell"]
# of run.json: times, threads, names of the machine
VOLATILE = re.compile(r'^\s*"(cpu_seconds|seconds|wall_seconds|threads|host|started|finished|run_id)"')

# enough springs for several threads, on a sphere that turns and shakes
JELLY = """
format = 1
world.gravity = [0, 0, -9.81]
time = { end = 1, step = 1e-4, output = 1e-3 }
integrator.method = "symplectic-euler"
materials.jelly = { static_friction = 0.5, kinetic_friction = 0.4 }
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "cundall-strack", stiffness = 1e3, damping = 0.1 }
[[body]]
name = "jelly"
mass = 138.24
shape = { lattice = { counts = [24, 24, 24], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500, damping = 0.5 } }
rotation = [10, 20, 30]
position = [0, 0, 0.1]
velocity = [1, 0.3, -1]
[[collider]]
name = "ball"
shape = { sphere = { center = [0, 0, -3], radius = 3 } }
motion = { spin = { axis = [1, 1, 0], rate = 2 }, oscillate = { direction = [0, 0, 1], amplitude = 0.05, frequency = 20 } }
"""

# more particles than direct solvers factor column by column, sliding on a floor
SLAB = """
format = 1
world.gravity = [0, 0, -9.81]
time = { end = 1, step = 2e-3, output = 1e-2 }
integrator.method = "implicit-euler"
materials.jelly = { static_friction = 0.5, kinetic_friction = 0.4 }
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "slab"
mass = 12
shape = { lattice = { counts = [8, 5, 30], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500, damping = 0.5 } }
rotation = [0, 5, 0]
position = [0, 0, 0.025]
velocity = [1, 0.2, -0.5]
[[collider]]
name = "floor"
shape = { plane = {} }
"""

# scene, steps, settings: soft, rigid, curves, cloth, exact, micro-collisions, meshes, formulas
SCENES = [
    ("sliding_block", 400, []),
    ("tipping_box", 40, []),
    ("brick_stack", 200, []),
    ("cloth_on_sphere", 100, []),
    ("folded_rope", 300, []),
    ("pinched_capsule", 100, []),
    ("brick_on_rough_ground", 150, []),
    ("wheel_in_a_valley", 300, []),
    ("rigid_hoop", 300, []),
    ("tumbling_plate", 400, []),
    ("bead_on_sine", 400, []),
    ("beads_in_a_wave", 300, []),
    ("exact_incline", 200, []),
    ("exact_wall_press", 200, []),
    ("resting_balls", 100, []),
    ("rigid_ramp", 200, []),
    ("gripper", 30, []),
    ("cantilever", 60, []),
    ("crawler", 200, []),
    ("incline_laws", 60, []),
    ("snake", 200, []),
    ("JELLY", 40, []),
    ("SLAB", 12, []),
]
SOLVERS = ["automatic", "sparse-lu", "sparse-cholesky", "bicgstab", "pcg"]


class Case:
    """A scene with what is set, for some steps."""

    def __init__(self, name, scene, steps, sets, folder):
        self.name, self.steps, self.sets = name, steps, list(sets)
        own = {"JELLY": JELLY, "SLAB": SLAB}.get(scene)
        if own is None:
            self.path = HOME / "scenes" / f"{scene}.toml"
        else:
            self.path = folder / f"{scene.lower()}.toml"
            self.path.write_text(own)
        text = self.path.read_text()
        step = re.search(r"^step\s*=\s*([0-9.e+-]+)|^time = .*step = ([0-9.e+-]+)", text, re.M)
        self.step = decimal.Decimal(step.group(1) or step.group(2))
        contact = re.search(r'^\[contact\]\n(?:(?!\[).*\n)*?method\s*=\s*"(\w+)"', text, re.M)
        self.contact = contact.group(1) if contact else "penalty"
        for key in self.sets:
            if key.startswith("time.step="):
                self.step = decimal.Decimal(key.split("=")[1])

    def arguments(self, every):
        """Settings for a frame at so many steps."""
        steps = max(1, self.steps // every) * every
        times = [f"time.end={self.step * steps}", f"time.output={self.step * every}"]
        return [part for key in self.sets + times for part in ("--set", key)]


def cases(options, folder):
    """All scenes, every integrator, every solver and every contact method on scenes they suit."""
    shrink = 5 if options.quick else 1
    made = []

    def add(name, scene, steps, sets=()):
        made.append(Case(name, scene, max(4, steps // shrink), sets, folder))

    for scene, steps, sets in SCENES:
        add(scene, scene, steps, sets)
    listed = subprocess.run(
        [options.program, "list", "integrators", "--format", "json"], capture_output=True, check=True
    )
    for row in json.loads(listed.stdout)["integrators"]:
        method = row["name"]
        chosen = [f"integrator.method={method}"]
        add(f"{method} on a box", "tipping_box", 40, chosen + ["time.step=1e-4"])
        if "newton_tolerance" in row["keys"]:
            # any solver serves all of them alike
            few = options.quick and method != "tr-bdf2"
            for solver in [] if few else SOLVERS:
                sets = chosen + [f"integrator.linear_solver={solver}"]
                add(f"{method} by {solver}", "SLAB", 8, sets)
        else:
            add(f"{method} on beams", "cantilever", 200, chosen + ["time.step=1e-4"])
    for solver in SOLVERS:
        sets = ["integrator.method=implicit-euler", f"integrator.linear_solver={solver}"]
        add(f"few particles by {solver}", "sliding_block", 60, sets + ["time.step=1e-3"])
    for method in ["penalty", "impulse", "exact"]:
        if not any(method == case.contact for case in made):
            raise SystemExit(f"no scene here has contact.method = {method}")
    if options.only:
        wanted = options.only.split(",")
        made = [case for case in made if any(part in case.name for part in wanted)]
    return made


class Variant:
    """How a case is run."""

    def __init__(self, name, program, threads=1, emulated=None, masked=False):
        self.name, self.program, self.threads = name, str(program), threads
        self.emulated, self.masked = emulated, masked

    def command(self, case, every, out):
        emulator = ["qemu-x86_64", "-cpu", self.emulated] if self.emulated else []
        return emulator + [
            self.program, "run", str(case.path), "--threads", str(self.threads),
            "--out", str(out), *case.arguments(every),
        ]

    def run(self, case, every, out, seconds):
        """Exit code, with what was said where it is not 0."""
        environment = dict(os.environ, NO_COLOR="1")
        if self.masked:
            environment["GLIBC_TUNABLES"] = MASKED
        done = subprocess.run(
            self.command(case, every, out), env=environment, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=seconds,
        )
        return done.returncode, done.stderr.decode(errors="replace") if done.returncode else ""


def variants(options):
    """The run that all others are compared with, and the others."""
    threads = [1, 3, 8] if options.quick else THREADS
    first = Variant("1 thread", options.program)
    others = [Variant(f"{n} threads", options.program, n) for n in threads[1:]]
    parts = options.parts.split(",")
    if "threads" not in parts:
        others = []
    if "builds" in parts and options.unoptimised:
        others += [
            Variant(f"unoptimised, {n} threads", options.unoptimised, n)
            for n in ([1, 3] if options.quick else threads)
        ]
    if "processors" in parts:
        others.append(Variant("glibc without FMA and AVX", options.program, masked=True))
        if shutil.which("qemu-x86_64"):
            for cpu in PROCESSORS[:1] if options.quick else PROCESSORS:
                others.append(Variant(f"{cpu}", options.program, emulated=cpu))
                if not options.quick:
                    others.append(Variant(f"{cpu}, 3 threads", options.program, 3, emulated=cpu))
        else:
            print("qemu-x86_64 is missing (Debian: qemu-user): no other processors are tried")
    return first, others


def content(path, folder=None):
    """The bytes of a file that are compared: of run.json without what may differ."""
    data = path.read_bytes()
    if path.name == "run.json":
        lines = data.decode().splitlines()
        place = str(folder or path.parent)
        lines = [line.replace(place, "FOLDER") for line in lines if not VOLATILE.match(line)]
        data = "\n".join(lines).encode()
    return data


def files(folder):
    """Names of all files of a run, without locks."""
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if path.suffix != ".lock")


def differences(a, b):
    """Files of two runs that differ, or that one of them lacks."""
    names = sorted(set(files(a)) | set(files(b)))
    return [
        name for name in names
        if not (a / name).exists() or not (b / name).exists()
        or content(a / name, a) != content(b / name, b)
    ]


def npy(path):
    """Shape and numbers of a .npy file of doubles."""
    data = path.read_bytes()
    if data[:6] != b"\x93NUMPY":
        raise ValueError(f"{path} is no .npy file")
    wide = data[6] >= 2
    start = 12 if wide else 10
    length = int.from_bytes(data[8:start], "little")
    header = data[start:start + length].decode()
    kind = re.search(r"'descr':\s*'([^']*)'", header).group(1)
    if kind != "<f8":
        raise ValueError(f"{path} holds {kind}, not doubles")
    shape = [int(n) for n in re.search(r"\(([0-9, ]*)\)", header).group(1).split(",") if n.strip()]
    numbers = array.array("d")
    numbers.frombytes(data[start + length:])
    if sys.byteorder == "big":
        numbers.byteswap()
    return shape, numbers


def first_difference(a, b):
    """(frame, particle, text) of the first difference between the trajectories of two runs."""
    found = None
    for quantity in ["position", "velocity"]:
        one, other = (folder / "trajectory" / f"{quantity}.npy" for folder in (a, b))
        if not one.exists() or not other.exists():
            continue
        (shape, p), (_, q) = npy(one), npy(other)
        many = shape[1] * shape[2]
        # bits, not numbers: −0 is not 0
        p, q = (memoryview(x).cast("B").cast("Q") for x in (p, q))
        for k in range(min(len(p), len(q))):
            if p[k] != q[k]:
                frame, particle, axis = k // many, k % many // shape[2], "xyz"[k % shape[2]]
                values = [memoryview(x).cast("B").cast("d")[k] for x in (p, q)]
                text = f"{quantity} {axis} {values[0]!r} against {values[1]!r}"
                if found is None or frame < found[0]:
                    found = (frame, particle, text)
                break
    return found


def locate(case, first, other, folder, seconds):
    """The first step and particle in which two runs differ, every step being written."""
    places = [folder / "a", folder / "b"]
    for variant, place in zip((first, other), places):
        shutil.rmtree(place, ignore_errors=True)
        variant.run(case, 1, place, seconds)
    found = first_difference(*places)
    names = differences(*places)
    for place in places:
        shutil.rmtree(place, ignore_errors=True)
    if found is None:
        return f"the trajectory is equal at every step; these differ: {', '.join(map(str, names))}"
    frame, particle, text = found
    return f"first at step {frame} (t = {case.step * frame} s), particle {particle}: {text}"


def compared(case, first, others, folder, seconds):
    """(variant, what is different) of all variants that differ, and the number of runs."""
    every, wrong = max(1, case.steps // 10), []
    base = folder / "base"
    try:
        expected = first.run(case, every, base, seconds)
    except subprocess.TimeoutExpired:
        return [(first.name, f"it takes more than {seconds} s")], 1
    if expected[0] not in (0, 6):
        return [(first.name, f"exit code {expected[0]}: {expected[1].strip()[:600]}")], 1
    for k, other in enumerate(others):
        place = folder / f"other{k}"
        try:
            got = other.run(case, every, place, seconds)
        except subprocess.TimeoutExpired:
            wrong.append((other.name, f"it takes more than {seconds} s"))
            continue
        if got[0] != expected[0]:
            wrong.append((other.name, f"exit code {got[0]}, not {expected[0]}: {got[1].strip()[:600]}"))
        else:
            names = differences(base, place)
            if names:
                text = locate(case, first, other, folder, seconds)
                wrong.append((other.name, f"{', '.join(map(str, names))}: {text}"))
        shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(base, ignore_errors=True)
    return wrong, 1 + len(others)


def resumed(case, program, times, draw, folder, seconds):
    """Runs that are killed at a random time and resumed, against one that is not."""
    every, wrong = max(1, case.steps // 10), []
    variant, base = Variant("straight", program), folder / "base"
    began = time.monotonic()
    code, said = variant.run(case, every, base, seconds)
    lasted = time.monotonic() - began
    if code != 0:
        return [("straight", f"exit code {code}: {said.strip()[:600]}")], 0
    killed = 0
    for k in range(times):
        place = folder / f"resumed{k}"
        child = subprocess.Popen(
            variant.command(case, every, place), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        wait = draw.uniform(0.05, 0.95) * lasted
        try:
            child.wait(wait)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
            child.wait()
            killed += 1
        if place.exists():
            command = [program, "run", "--resume", str(place)]
        else:
            # killed before anything was written
            command = variant.command(case, every, place)
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds
        )
        if done.returncode != 0:
            said = done.stderr.decode(errors="replace").strip()[:600]
            wrong.append((f"killed after {wait:.3f} s", f"exit code {done.returncode}: {said}"))
        else:
            names = differences(base, place)
            if names:
                found = first_difference(base, place)
                where = f"; frame {found[0]}, particle {found[1]}: {found[2]}" if found else ""
                text = f"{', '.join(map(str, names))}{where}"
                wrong.append((f"killed after {wait:.3f} s", text))
        shutil.rmtree(place, ignore_errors=True)
    shutil.rmtree(base, ignore_errors=True)
    return wrong, killed


def unoptimised(options):
    """The program without optimisation, built as .ci/run builds the tests; the other is put back."""
    own = "profile.release.package.stiction."
    settings = ["opt-level=0", "debug-assertions=true", "overflow-checks=true"]
    build = ["cargo", "build", "--release", "--bin", "stiction"]
    for setting in settings:
        build += ["--config", own + setting]
    subprocess.run(build, cwd=HOME, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", HOME / "target"))
    kept = target / "stiction-unoptimised"
    shutil.copy2(target / "release" / "stiction", kept)
    subprocess.run(build[:5], cwd=HOME, check=True)
    return kept


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--program", default=str(HOME / "target/release/stiction"))
    parser.add_argument(
        "--unoptimised", metavar="PROGRAM|build", help="a build without optimisation, or make one"
    )
    parser.add_argument("--quick", action="store_true", help="fewer steps, threads and processors")
    parser.add_argument(
        "--parts", default="threads,builds,processors", help="some of threads,builds,processors"
    )
    parser.add_argument("--only", metavar="TEXT,…", help="cases whose names hold one of these")
    parser.add_argument("--list", action="store_true", help="print the cases and run nothing")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=300, help="longest time of one run")
    parser.add_argument("--resume", type=int, metavar="N", help="instead: N kills of each scene")
    parser.add_argument("--seed", type=int, default=1, help="of the times of kills")
    options = parser.parse_args()
    if options.unoptimised == "build":
        options.unoptimised = unoptimised(options)
    return options


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        chosen = cases(options, folder)
        first, others = variants(options)
        if options.list:
            print("\n".join(case.name for case in chosen))
            return 0
        began, runs, red, kills = time.monotonic(), 0, {}, 0

        def one(number):
            case, own = chosen[number], folder / str(number)
            own.mkdir()
            if options.resume:
                draw = random.Random(options.seed * 1000 + number)
                return resumed(case, options.program, options.resume, draw, own, options.seconds)
            return compared(case, first, others, own, options.seconds)

        with concurrent.futures.ThreadPoolExecutor(max_workers=options.jobs) as pool:
            for case, (wrong, many) in zip(chosen, pool.map(one, range(len(chosen)))):
                runs += many
                print(f"{'differs' if wrong else 'equal':8} {case.name}", flush=True)
                for variant, text in wrong:
                    print(f"         {variant}: {text}")
                    red.setdefault(variant, []).append(case.name)
        spent = os.times()
        print(f"\n{len(chosen)} cases", end=", ")
        if options.resume:
            print(f"{runs} kills", end=", ")
        else:
            names = ", ".join(variant.name for variant in others)
            print(f"{runs} runs ({first.name} against {names})", end=", ")
        print(
            f"{sum(map(len, red.values()))} differences; {time.monotonic() - began:.0f} s,"
            f" {spent.children_user + spent.children_system:.0f} s of CPU, {os.cpu_count()} cores"
        )
        return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
