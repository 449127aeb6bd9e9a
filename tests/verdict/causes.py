#!/usr/bin/env python3
"""The sum of the shares of an error bar by cause, against ideal Coulomb friction on rigid surfaces.

    python3 tests/verdict/causes.py [--binary PATH] [--family NAME] [--jobs N] [--all] [--write]

Every scene ends with a number that is known in closed form for Coulomb's friction on rigid surfaces: where a block
stops, what creeps nowhere, how high a ball bounces. Each is run once with --verify=all, under all laws and at several
ε. The truth is inside where the value is off by no more than the sum of the shares of all causes, beside the rounding
of the closed form. With --all every scene is listed, else those whose truth is outside. It exits with 1 where less
than 95 % are inside, or fewer than 100 were compared; --write puts the table into docs/verdict.md.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import statistics
import subprocess
import sys

import grid
import page
from grid import G, block, measure

MARKS = ("<!-- tests/verdict/causes.py --write -->", "<!-- end of causes -->")
LEAST = 0.95

Case = collections.namedtuple("Case", "family name scene column truth slack")


def laws(eps, most=0.4 * G):
    """Every law with a threshold near `eps` on a contact that bears at most `most` newton."""
    stiff = most / (0.1 * eps)
    damping = math.sqrt(stiff)
    for name in ["threshold", "quadratic", "cubic", "quintic", "hyperbolic", "tanh", "stribeck"]:
        yield name, f'{{ law = "{name}", epsilon = {eps!r} }}'
    yield "viscous-cap", f'{{ law = "viscous-cap", damping = {most / eps!r} }}'
    for name in ["cundall-strack", "dahl", "lugre"]:
        yield name, f'{{ law = "{name}", stiffness = {stiff!r}, damping = {damping!r} }}'


# laws whose friction does not rise above μ_k N
SINGLE = ["hyperbolic", "tanh", "dahl"]


def made(family, name, truth, parts, contact, end, step=1e-4, method="symplectic-euler", gravity=G, column="way", slack=1e-9):
    text, _ = grid.scene(step, round(end / step), 100, method, parts, gravity, contact)
    return Case(family, name, text, column, truth, slack)


EPSILONS = [1e-3, 1e-2, 3e-2]


def slides():
    """A block that slides to rest on a plane: v²/(2 μ_k g)."""
    for eps in EPSILONS:
        for name, law in laws(eps):
            mu_s, mu_k = (0.4, 0.4) if name in SINGLE else (0.4, 0.3)
            parts, contact, along = block(G, 0.0, 1.5, law, mu_s, mu_k)
            yield made("slides", f"{name} {eps}", 1.5**2 / (2 * mu_k * G), parts + measure("way", "displacement", "block", along), contact, 0.8)


def climbs():
    """A block that slides up an incline, stops and is held there."""
    angle, mu = math.radians(15), 0.5
    for eps in [1e-3, 1e-2]:
        for name, law in laws(eps, mu * G * math.cos(angle)):
            parts, contact, along = block(G * math.cos(angle), angle, 1.5, law, mu, mu)
            truth = 1.5**2 / (2 * G * (math.sin(angle) + mu * math.cos(angle)))
            yield made("climbs", f"{name} {eps}", truth, parts + measure("way", "displacement", "block", along), contact, 0.6)


def holds():
    """A block at rest on an incline that friction holds: it stays."""
    angle, mu = math.radians(15), 0.5
    for eps in EPSILONS:
        for name, law in laws(eps, mu * G * math.cos(angle)):
            parts, contact, along = block(G * math.cos(angle), angle, 0.0, law, mu, mu)
            yield made("holds", f"{name} {eps}", 0.0, parts + measure("way", "displacement", "block", along), contact, 0.5)


def walls():
    """A block that a push presses against a wall: it stays."""
    for eps in [1e-3, 1e-2]:
        for name, law in laws(eps, 12.0):
            contact = f"normal = {{ stiffness = 1e5, damping = 200 }}\nfriction = {law}"
            parts = """[materials.m]
static_friction = 0.6
[[body]]
name = "block"
mass = 1.0
shape = { particle = {} }
position = [-2e-4, 0, 0]
[[collider]]
name = "wall"
shape = { plane = { normal = [1, 0, 0] } }
[[push]]
body = "block"
force = [-20, 0, 0]
""" + measure("way", "displacement", "block", "direction = [0, 0, 1]")
            yield made("walls", f"{name} {eps}", 0.0, parts, contact, 0.5)


def belts():
    """A block that a belt takes along: V t − V²/(2 μ_k g)."""
    speed, mu, end = 1.0, 0.4, 0.6
    for eps in [1e-3, 1e-2]:
        for name, law in laws(eps):
            parts, contact, along = block(G, 0.0, 0.0, law, mu, mu, f"motion = {{ belt = {{ velocity = [{speed!r}, 0, 0] }} }}\n")
            truth = speed * end - speed**2 / (2 * mu * G)
            yield made("belts", f"{name} {eps}", truth, parts + measure("way", "displacement", "block", along), contact, end)


def spring_ends(stretch, k, mu_s, mu_k):
    """Where a unit mass on a spring comes to rest from a stretch, and after how long."""
    x, time = stretch, 0.0
    while k * abs(x) > mu_s * G:
        x = -(x - math.copysign(2 * mu_k * G / k, x))
        time += math.pi / math.sqrt(k)
    return x, time


def springs():
    """A block on a spring that friction brakes: half swings that lose 2 μ_k N/k each, until it sticks."""
    k = 100.0
    for eps in [1e-3, 1e-2]:
        for name, law in laws(eps, 0.2 * G):
            for stretch in [0.1, 0.17]:
                mu_s, mu_k = (0.2, 0.2) if name in SINGLE else (0.2, 0.15)
                parts, contact, _ = block(G, 0.0, 0.0, law, mu_s, mu_k)
                parts = parts.replace("shape = { particle = {} }", f"shape = {{ points = {{ positions = [[{stretch!r}, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }} }}").replace("mass = 1.0\n", f"springs = {{ edge = {{ stiffness = {k} }} }}\n")
                parts += '[[pin]]\nbody = "block"\nwhere = { particles = [1] }\n' + measure("x", "position", "block", "direction = [1, 0, 0]\nwhere = { particles = [0] }")
                truth, time = spring_ends(stretch, k, mu_s, mu_k)
                yield made("springs", f"{name} {eps} {stretch}", truth, parts, contact, time + 0.3, column="x")


def pulled(k, speed, mu_s, mu_k, end):
    """Where a unit mass is that a spring drags at a speed: it sticks until k (V t − x) = μ_s N, slips until x' = 0."""
    omega, x, t = math.sqrt(k), 0.0, 0.0
    while True:
        t = max(t, (mu_s * G / k + x) / speed)
        if t >= end:
            return x
        rise = (mu_s - mu_k) * G / k
        # u = V t − x − μ_k N/k = rise cos ωs + V/ω sin ωs, and x' = V − u'
        u = lambda s: rise * math.cos(omega * s) + speed / omega * math.sin(omega * s)
        slip = (2 * math.pi - 2 * math.atan2(rise * omega, speed)) / omega
        last = min(slip, end - t)
        x = speed * (t + last) - mu_k * G / k - u(last)
        t += last
        if last < slip:
            return x


def pulls():
    """A block that a spring drags at 0.1 m/s: it sticks and slips."""
    k, speed, mu_s = 100.0, 0.1, 0.3
    for eps in [1e-3, 3e-3]:
        for name, law in laws(eps, mu_s * G):
            mu_k = mu_s if name in SINGLE else 0.2
            for end in [0.6, 1.5]:
                parts, contact, _ = block(G, 0.0, 0.0, law, mu_s, mu_k)
                parts = parts.replace("shape = { particle = {} }", "shape = { points = { positions = [[0, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] } }").replace("mass = 1.0\n", f"springs = {{ edge = {{ stiffness = {k} }} }}\n")
                parts += f'[[pin]]\nbody = "block"\nwhere = {{ particles = [1] }}\nmotion = {{ velocity = [{speed!r}, 0, 0] }}\n' + measure("x", "displacement", "block", "direction = [1, 0, 0]\nwhere = { particles = [0] }")
                yield made("pulls", f"{name} {eps} {end}", pulled(k, speed, mu_s, mu_k, end), parts, contact, end, column="x")


def ball(height):
    return f"""[materials.m]
static_friction = 0.5
[[body]]
name = "ball"
mass = 1.0
material = "m"
shape = {{ particle = {{}} }}
position = [0, 0, {height!r}]
[[collider]]
name = "floor"
material = "m"
shape = {{ plane = {{ normal = [0, 0, 1] }} }}
"""


def bounces():
    """A ball dropped on a floor: its height on the way up, and its speed there."""
    height, fall = 0.2, math.sqrt(2 * 0.2 * G)
    first = fall / G
    for e in [1.0, 0.8, 0.5]:
        for k in [1e4, 1e5, 1e6]:
            for what, after in [("position", 0.1), ("velocity", 0.05)]:
                contact = f'normal = {{ stiffness = {k!r}, restitution = {e!r} }}\nfriction = {{ law = "none" }}'
                end = round(first + after, 2)
                t, v = end - first, e * fall
                truth = v * t - G * t * t / 2 if what == "position" else v - G * t
                parts = ball(height) + measure("way", what, "ball", "direction = [0, 0, 1]")
                yield made("bounces", f"e {e} k {k:g} {what}", truth, parts, contact, end, step=2e-5 if k < 1e6 else 1e-5)


NORMALS = {
    "linear": "stiffness = {k!r}, damping = 100",
    "linear-restitution": "stiffness = {k!r}, restitution = 0.1",
    "hertz": 'law = "hertz", stiffness = {k30!r}, dissipation = 5',
    "hunt-crossley": 'law = "hunt-crossley", stiffness = {k30!r}, dissipation = 5',
    "hunt-crossley-1": 'law = "hunt-crossley", exponent = 1, stiffness = {k!r}, dissipation = 20',
}


def depths():
    """A block set down on a floor: it does not sink in."""
    for name, normal in NORMALS.items():
        for k in [1e4, 1e5]:
            contact = f'normal = {{ {normal.format(k=k, k30=30 * k)} }}\nfriction = {{ law = "none" }}'
            parts = ball(0.0) + measure("way", "position", "ball", "direction = [0, 0, 1]")
            yield made("depths", f"{name} {k:g}", 0.0, parts, contact, 0.5)


def methods():
    """A slide and a hold under implicit methods and exact contact, whose iterations end early."""
    angle, mu = math.radians(15), 0.5
    law = '{ law = "threshold", epsilon = 1e-2 }'
    for method in ["implicit-euler", "sdirk2", "bdf2", "semi-implicit", "dopri5", "rk45", "rk4"]:
        parts, contact, along = block(G, 0.0, 1.5, law, 0.4, 0.3)
        yield made("methods", f"slides {method}", 1.5**2 / (0.6 * G), parts + measure("way", "displacement", "block", along), contact, 0.8, 4e-4, method)
        parts, contact, along = block(G * math.cos(angle), angle, 0.0, law, mu, mu)
        yield made("methods", f"holds {method}", 0.0, parts + measure("way", "displacement", "block", along), contact, 0.5, 4e-4, method)
    for method in ["exact", "impulse"]:
        parts, contact, along = block(0.0, 0.0, 1.5, law, 0.4, 0.3)
        contact = f'method = "{method}"'
        yield made("methods", f"slides {method}", 1.5**2 / (0.6 * G), parts + measure("way", "displacement", "block", along), contact, 0.8, 4e-4)
        parts, _, along = block(0.0, angle, 0.0, law, mu, mu)
        yield made("methods", f"holds {method}", 0.0, parts + measure("way", "displacement", "block", along), contact, 0.5, 4e-4)


def hoops():
    """A rigid hoop thrown without spin: half its speed is left."""
    for eps in [1e-3, 1e-2]:
        for name in ["threshold", "cubic", "tanh", "stribeck"]:
            contact = f'normal = {{ stiffness = 2e4, damping = 50 }}\nfriction = {{ law = "{name}", epsilon = {eps!r} }}'
            parts = """[materials.m]
static_friction = 0.4
[[body]]
name = "hoop"
mass = 1.0
rigid = true
shape = { ring = { radius = 0.1, count = 199, axis = [0, -1, 0] } }
position = [0, 0, 0.0998]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = { plane = { normal = [0, 0, 1] } }
""" + measure("speed", "velocity", "hoop", "direction = [1, 0, 0]")
            case = made("hoops", f"{name} {eps}", 0.5, parts, contact, 0.4, 2e-5, column="speed", slack=3e-4)
            yield case._replace(scene=case.scene.replace(f"gravity = [0, 0, {-G!r}]", f'gravity = [0, 0, {-G!r}]\nplanar = "xz"'))


def capstan_ratio(mu, vertices, half):
    """Pull at the pin over load, of a rope whose `vertices` on the bar lie 2 `half` apart."""
    inner = (1 + mu * math.tan(half)) / (1 - mu * math.tan(half))
    ends = (math.cos(half) + mu * math.sin(half)) / (math.cos(half) - mu * math.sin(half))
    return inner ** (vertices - 2) * ends


def capstans():
    """A rope over a turning bar: e^{μ φ}, of straight pieces."""
    count, radius, legs = 13, 0.1, 3
    turn = math.pi / (count - 1)
    piece = 2 * radius * math.sin(turn / 2)
    for mu in [0.1, 0.3]:
        for name, eps in [("threshold", 1e-3), ("threshold", 1e-2), ("tanh", 1e-3), ("cubic", 1e-2)]:
            angles = [math.pi - k * turn for k in range(count)]
            arc = [[radius * math.cos(a), 0, radius * math.sin(a)] for a in angles]
            places = [[-radius, 0, -piece * k] for k in range(legs, 0, -1)] + arc + [[radius, 0, -piece * k] for k in range(1, legs + 1)]
            last = len(places) - 1
            contact = f'normal = {{ stiffness = 2e3, damping = 0.5 }}\nfriction = {{ law = "{name}", epsilon = {eps!r} }}'
            parts = f"""[materials.steel]
static_friction = {mu!r}
[[body]]
name = "rope"
mass = 0.019
springs = {{ edge = {{ stiffness = 2e4, damping = 0.5 }} }}
shape = {{ points = {{ positions = {places}, links = {[[k, k + 1] for k in range(last)]} }} }}
[[collider]]
name = "bar"
shape = {{ cylinder = {{ axis = [0, 1, 0], radius = 0.1 }} }}
motion = {{ spin = {{ axis = [0, 1, 0], rate = 1.0 }} }}
[[pin]]
body = "rope"
where = {{ particles = [0] }}
[[push]]
body = "rope"
where = {{ particles = [{last}] }}
force = [0, 0, -1]
[[drag]]
body = "rope"
rate = 20.0
""" + measure("pull", "tension", "rope", "where = { particles = [0, 1] }")
            truth = capstan_ratio(mu, count, turn / 2)
            yield made("capstans", f"{name} {eps} mu {mu}", truth, parts, contact, 3.0, 5e-5, "rk4", 0.0, "pull", 1e-4 * truth)


FAMILIES = [slides, climbs, holds, walls, belts, springs, pulls, bounces, depths, methods, hoops, capstans]


def run(binary, case):
    command = [binary, "run", "-", "--format", "json", "--threads", "1", "--verify=all"]
    done = subprocess.run(command, input=case.scene, capture_output=True, text=True)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"error": done.stderr}


Result = collections.namedtuple("Result", "case value shares total time status")


def judged(binary, case):
    document = run(binary, case)
    verification = document.get("verification")
    value = document.get("last_frame", {}).get(case.column)
    if not verification or value is None:
        return Result(case, value, {}, None, None, document.get("error", document.get("status")))
    shares = {}
    for cause in verification["causes"]:
        at = cause["measures"].get(case.column)
        shares[cause["cause"]] = at["error"] if at else (0.0 if cause["known"] else None)
    return Result(case, value, shares, verification["sum"][case.column], shares.get("time"), document["trust"]["level"])


def off(result):
    return abs(result.value - result.case.truth)


def inside(result, bar):
    return bar is not None and off(result) <= bar + result.case.slack


def row(name, results):
    known = [result for result in results if result.total is not None]
    within = sum(inside(result, result.total) for result in known)
    by_time = sum(inside(result, result.time) for result in known)
    wide = [result.total / off(result) for result in known if off(result) > 10 * result.case.slack]
    wide = f"{statistics.median(wide):.1f}" if wide else "–"
    return f"| {name} | {len(results)} | {len(results) - len(known)} | {within} | {by_time} | {wide} |"


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
    for result in results:
        if result.total is None:
            print("not known:", result.case.family, result.case.name, result.value, result.shares, str(result.status)[:600])
        elif options.all or not inside(result, result.total):
            kind = "inside" if inside(result, result.total) else "OUTSIDE"
            print(f"{kind}: {result.case.family} {result.case.name}: {result.value:.6g}, truth {result.case.truth:.6g}, off {off(result):.3g}, sum {result.total:.3g}, {result.shares}")
    families = collections.OrderedDict()
    for result in results:
        families.setdefault(result.case.family, []).append(result)
    lines = ["| family | scenes | not known | truth inside the sum | inside the share of time alone | sum over error, median |", "|---|---|---|---|---|---|"]
    lines += [row(name, of) for name, of in families.items()]
    if len(families) > 1:
        lines.append(row("all", results))
    table = "\n".join(lines)
    print(table)
    if options.write:
        page.write(MARKS, table)
    known = [result for result in results if result.total is not None]
    within = sum(inside(result, result.total) for result in known)
    enough = options.family or len(known) >= 100
    sys.exit(0 if known and enough and within >= LEAST * len(results) else 1)


if __name__ == "__main__":
    main()
