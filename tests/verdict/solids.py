#!/usr/bin/env python3
"""Elastic bodies against known answers: laws x methods x meshes x steps, each run verified by step and mesh.

    python3 tests/verdict/solids.py [--binary PATH] [--family NAME] [--jobs N] [--all] [--write]

Every scene ends with a number that the theory of its continuum gives in closed form. Each is run once with
--verify=mesh. A run is wrong where it is off by more than 5 % of the size that its family names, and the truth is
outside where the run is off by more than the sum of the shares of time and mesh, beside what the closed form leaves
out. Some meshes and steps are far too coarse, so that many runs are wrong: these must not be trusted. With --all every
scene is listed, else those that are wrong and trusted or whose truth is outside. It exits with 1 where more than 2 % of
all runs are wrong and trusted, more than 5 % of those with a bar have the truth outside, or fewer than 300 were judged;
--write puts the table into docs/verdict.md.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import subprocess
import sys

import grid
import page
from grid import G, measure

MARKS = ("<!-- tests/verdict/solids.py --write -->", "<!-- end of solids -->")
WRONG, RIGHT = 0.05, 0.01
MOST = {"wrong and trusted": 0.02, "outside": 0.05}

Case = collections.namedtuple("Case", "family name scene column truth size slack")

LAWS = ["neo-hookean", "corotational", "linear"]
METHODS = ["symplectic-euler", "rk4", "dopri5", "rk45", "implicit-euler", "sdirk2", "bdf2", "tr-bdf2"]
EXPLICIT = ["symplectic-euler", "rk4"]
DENSITY = 1000.0
NONE = 'normal = { stiffness = 1e3, damping = 0 }\nfriction = { law = "none" }'


def rubber(young, poisson, law, damping="", friction=0.5):
    return f"""[materials.rubber]
static_friction = {friction!r}
young = {young!r}
poisson = {poisson!r}
density = {DENSITY!r}
model = "{law}"
{damping}
"""


def lattice(counts, spacing, more=""):
    return f'[[body]]\nname = "bar"\nshape = {{ lattice = {{ counts = {list(counts)}, spacing = {spacing!r} }} }}\n{more}\n'


def within(low, high):
    return f"where = {{ box = {{ min = {[float(x) for x in low]}, max = {[float(x) for x in high]} }} }}"


def pin(low, high, axes="xyz"):
    return f'[[pin]]\nbody = "bar"\naxes = "{axes}"\n{within(low, high)}\n'


def wave_step(spacing, young, poisson):
    """About the largest stable step of symplectic-euler: .7 of the time that a wave takes along an edge."""
    stiff = young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson))
    return 0.7 * spacing / math.sqrt(stiff / DENSITY)


def made(family, name, truth, parts, end, step, method, size, slack, gravity=0.0, contact=NONE, frames=40):
    text, end = grid.scene(step, max(round(end / step), 1), frames, method, parts, gravity, contact)
    return Case(family, name, text, "m", truth(end) if callable(truth) else truth, size, slack)


def settled(spacing, young, poisson, slowest, method):
    """A damping of mass near the critical one of the slowest mode [rad/s], a time to settle, and a step."""
    end = 8.0 / slowest
    step = wave_step(spacing, young, poisson)
    step = 0.2 * step if method in EXPLICIT else 0.02 * end
    return f"damping = {{ mass = {2 * slowest!r} }}", end, end / math.ceil(end / step)


def hangs():
    """A bar that hangs from its upper end: ρ g L²/(2 E) longer."""
    young, spacing = 1e5, 0.1
    for law in LAWS:
        for method in METHODS:
            for layers in [3, 6]:
                length = spacing * (layers - 1)
                slowest = math.pi / (2 * length) * math.sqrt(young / DENSITY)
                damping, end, step = settled(spacing, young, 0.0, slowest, method)
                gravity = 0.01 * young / (DENSITY * length)
                truth = DENSITY * gravity * length**2 / (2 * young)
                parts = rubber(young, 0.0, law, damping) + lattice([2, 2, layers], spacing)
                parts += pin([-1, -1, length - 1e-6], [1, 1, 10]) + measure("m", "displacement", "bar", "direction = [0, 0, -1]\n" + within([-1, -1, -1], [1, 1, 1e-6]))
                # large strains: a hundredth
                yield made("hangs", f"{law} {method} {layers}", truth, parts, end, step, method, truth, 0.015 * truth, gravity)


def waves():
    """A bar at rest from which gravity pulls at once: from L/c to 3 L/c its end is at g L²/c² − g (2 L/c − t)²/2."""
    young, spacing, layers = 1e5, 0.1, 9
    length, speed = spacing * (layers - 1), math.sqrt(young / DENSITY)
    gravity = 0.002 * young / (DENSITY * length)
    fall = gravity * length**2 / speed**2
    end = 1.5 * length / speed
    truth = lambda t: fall - gravity * (2 * length / speed - t) ** 2 / 2
    for law in LAWS:
        for method in METHODS:
            for factor in [0.1, 0.6, 2.5]:
                step = end / math.ceil(end / (factor * wave_step(spacing, young, 0.0)))
                parts = rubber(young, 0.0, law) + lattice([2, 2, layers], spacing)
                parts += pin([-1, -1, length - 1e-6], [1, 1, 10]) + measure("m", "displacement", "bar", "direction = [0, 0, -1]\n" + within([-1, -1, -1], [1, 1, 1e-6]))
                yield made("waves", f"{law} {method} {factor}", truth, parts, end, step, method, fall, 0.003 * fall, gravity)


def strips():
    """A strip of cloth and a rope that hang: as bars, of their elements."""
    young, spacing, layers = 1e5, 0.1, 6
    length = spacing * (layers - 1)
    slowest = math.pi / (2 * length) * math.sqrt(young / DENSITY)
    gravity = 0.01 * young / (DENSITY * length)
    truth = DENSITY * gravity * length**2 / (2 * young)
    shapes = {
        "cloth": f"cloth = {{ counts = [{layers}, 2], spacing = {spacing!r} }} }}\nrotation = [0, 90, 0]",
        "rope": f"rope = {{ from = [0, 0, {-length / 2!r}], to = [0, 0, {length / 2!r}], segments = {layers - 1} }} }}",
    }
    for name, shape in shapes.items():
        for method in METHODS:
            damping, end, step = settled(spacing, young, 0.0, slowest, method)
            parts = rubber(young, 0.0, "neo-hookean", damping).replace('model = "neo-hookean"\n', "")
            parts += f'[[body]]\nname = "bar"\nthickness = 0.01\nshape = {{ {shape}\n'
            parts += pin([-1, -1, 0.5 * length - 1e-6], [1, 1, 10]) + measure("m", "displacement", "bar", "direction = [0, 0, -1]\n" + within([-1, -1, -10], [1, 1, -0.5 * length + 1e-6]))
            yield made("strips", f"{name} {method}", truth, parts, end, step, method, truth, 0.015 * truth, gravity)


def bends():
    """A cantilever under its weight, of one or two cells over its height: bending and shear of Timoshenko's beam."""
    young, height, length = 1e5, 0.2, 1.0
    for law in LAWS:
        for method in METHODS:
            for cells in [1, 2]:
                for poisson in [0.0, 0.3]:
                    spacing = height / cells
                    counts = [cells + 1, cells + 1, round(length / spacing) + 1]
                    gravity = 0.01 * 2 * young * height**2 / (3 * DENSITY * length**3) * 0.5
                    bending = 12 * DENSITY * gravity * length**4 / (8 * young * height**2)
                    shear = DENSITY * gravity * length**2 * 1.2 * (1 + poisson) / young
                    truth = bending + shear
                    slowest = 3.52 / length**2 * math.sqrt(young * height**2 / (12 * DENSITY))
                    damping, end, step = settled(spacing, young, poisson, slowest, method)
                    parts = rubber(young, poisson, law, damping) + lattice(counts, spacing)
                    parts += pin([-1, -1, length - 1e-6], [1, 1, 10]) + measure("m", "displacement", "bar", "direction = [1, 0, 0]\n" + within([-1, -1, -1], [1, 1, 1e-6]))
                    case = made("bends", f"{law} {method} {cells} cells nu {poisson}", truth, parts, end, step, method, truth, 0.02 * truth)
                    yield case._replace(scene=case.scene.replace("gravity = [0, 0, -0.0]", f"gravity = [{gravity!r}, 0, 0]"))


def box(law, model, slope, velocity, step, method, friction, young=1e5):
    """A soft box of .2 m at rest on its penalty, thrown along a slope."""
    s, c = math.sin(slope), math.cos(slope)
    stiffness, damping = 2e4, 20.0
    depth = DENSITY * 0.2**3 * G * c / (9 * stiffness)
    contact = f"normal = {{ stiffness = {stiffness!r}, damping = {damping!r} }}\nfriction = {law}"
    parts = rubber(young, 0.3, model, "damping = { time = 1e-2 }", friction)
    parts += lattice([3, 3, 3], 0.1, f"rotation = [0, {-math.degrees(slope)!r}, 0]\nposition = [{depth * s!r}, 0, {-depth * c!r}]\nvelocity = [{velocity * c!r}, 0, {velocity * s!r}]")
    parts += f'[[collider]]\nname = "floor"\nshape = {{ plane = {{ normal = [{-s!r}, 0, {c!r}] }} }}\n'
    return parts, contact, f"direction = [{c!r}, 0, {s!r}]"


def creeps():
    """A soft box that friction holds on a slope of 15 degrees: ε ρ of its law under a threshold, rest where it has a spring."""
    slope, end, epsilon = math.radians(15), 2.0, 1e-2
    ratio = math.tan(slope) / 0.5
    laws = {
        "threshold": (f'{{ law = "threshold", epsilon = {epsilon!r} }}', epsilon * ratio),
        "tanh": (f'{{ law = "tanh", epsilon = {epsilon!r} }}', epsilon * math.atanh(ratio)),
        "cundall-strack": ('{ law = "cundall-strack", stiffness = 2e4, damping = 20 }', 0.0),
    }
    for name, (law, speed) in laws.items():
        for method in METHODS:
            for factor in [0.3, 3.0]:
                parts, contact, along = box(law, "neo-hookean", slope, 0.0, 0.0, method, 0.5)
                step = factor * wave_step(0.1, 1e5, 0.3) if method not in EXPLICIT else 0.1 * factor * wave_step(0.1, 1e5, 0.3)
                parts += measure("m", "speed", "bar")
                size = epsilon * ratio
                yield made("creeps", f"{name} {method} {factor}", speed, parts, end, end / math.ceil(end / step), method, size, 1e-4 * size, G, contact)


def slides():
    """A soft box that slides to rest: v²/(2 μ g) of its centre, beside what it leans."""
    for name, law in [("threshold", '{ law = "threshold", epsilon = 1e-3 }'), ("tanh", '{ law = "tanh", epsilon = 1e-3 }'), ("cundall-strack", '{ law = "cundall-strack", stiffness = 2e4, damping = 20 }')]:
        for method in METHODS:
            for mu in [0.2, 0.4]:
                parts, contact, along = box(law, "corotational", 0.0, 1.0, 0.0, method, mu, young=5e5)
                truth = 1.0 / (2 * mu * G)
                parts += measure("m", "displacement", "bar", along)
                end = 1.5 / (mu * G)
                yield made("slides", f"{name} {method} mu {mu}", truth, parts, end, end / math.ceil(end / 2e-4), method, truth, 0.02 * truth, G, contact)


FAMILIES = [hangs, strips, waves, bends, creeps, slides]
Result = collections.namedtuple("Result", "case value total time trusted reasons")


def judged(binary, case):
    command = [binary, "run", "-", "--format", "json", "--threads", "1", "--verify=mesh"]
    done = subprocess.run(command, input=case.scene, capture_output=True, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return Result(case, None, None, None, False, [done.stderr.strip()[:300]])
    trust, verification = document["trust"], document.get("verification")
    value = document.get("last_frame", {}).get(case.column)
    reasons = [reason["name"] for reason in trust["reasons"]]
    if document["status"] != "completed" or value is None:
        return Result(case, math.nan, None, None, False, reasons)
    total = time = None
    if verification:
        total, time = verification["sum"][case.column], verification["measures"][case.column]["error"]
    return Result(case, value, total, time, trust["level"] == "trusted", reasons)


def off(result):
    return math.inf if result.value is None or math.isnan(result.value) else abs(result.value - result.case.truth)


def is_wrong(result):
    return off(result) > WRONG * result.case.size


def is_outside(result, bar):
    return bar is not None and off(result) > bar + result.case.slack


def row(name, results):
    wrong = [result for result in results if is_wrong(result)]
    known = [result for result in results if result.total is not None]
    return (
        f"| {name} | {len(results)} | {sum(result.trusted for result in results)} | {sum(off(result) <= RIGHT * result.case.size and not result.trusted for result in results)} | {len(wrong)} | {sum(result.trusted for result in wrong)} | {len(known)} "
        f"| {sum(is_outside(result, result.total) for result in known)} | {sum(is_outside(result, result.time) for result in known)} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default="target/release/stiction")
    parser.add_argument("--family")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = page.options_of(parser, "family")
    cases = [case for make in FAMILIES for case in make() if options.family in (None, case.family)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda case: judged(options.binary, case), cases))
    refused = [result for result in results if result.value is None]
    for result in refused:
        print("refused:", result.case.family, result.case.name, result.reasons)
    results = [result for result in results if result.value is not None]
    for result in results:
        marks = [name for name, holds in [("WRONG AND TRUSTED", is_wrong(result) and result.trusted), ("OUTSIDE", is_outside(result, result.total))] if holds]
        if marks or options.all:
            print(", ".join(marks) or "well", f"{result.case.family} {result.case.name}: {result.value:.6g}, truth {result.case.truth:.6g}, off {off(result) / result.case.size:.3g} of {result.case.size:.3g}, time {result.time}, sum {result.total}, {result.reasons}")
    families = collections.OrderedDict()
    for result in results:
        families.setdefault(result.case.family, []).append(result)
    lines = ["| family | runs | trusted | right at the end and not trusted | wrong | wrong and trusted | with a bar of time and mesh | truth outside it | truth outside that of time |", "|---|---|---|---|---|---|---|---|---|"]
    lines += [row(name, of) for name, of in families.items()]
    if len(families) > 1:
        lines.append(row("all", results))
    table = "\n".join(lines)
    print(table)
    if options.write:
        page.write(MARKS, table)
    known = [result for result in results if result.total is not None]
    trusted = sum(is_wrong(result) and result.trusted for result in results)
    outside = sum(is_outside(result, result.total) for result in known)
    well = trusted <= MOST["wrong and trusted"] * len(results) and outside <= MOST["outside"] * len(known)
    sys.exit(0 if well and not refused and (options.family or len(results) >= 300) else 1)


if __name__ == "__main__":
    main()
