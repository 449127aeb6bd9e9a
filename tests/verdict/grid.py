#!/usr/bin/env python3
"""The verdict against known truths: families of scenes x laws x methods x steps.

    python3 tests/verdict/grid.py [--binary PATH] [--verify BY] [--family NAME] [--worst N]

Every run ends with a number whose true value is known in closed form or from an integration of its
own equation here. A run is wrong where it is off by more than 5 % of the size that its family
names, right where it is off by less than 1 %. Each is run twice: without --verify and with it.
The shares that come out stand in docs/verdict.md, and are the bounds of the next run: where the whole grid
is run with --verify=step and a share is larger than on the page, or fewer runs can be judged, it exits with 1.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import pathlib
import re
import subprocess
import sys
import time

METHODS = [
    "explicit-euler", "symplectic-euler", "velocity-verlet", "midpoint", "heun", "rk3", "rk4",
    "adams-bashforth-2", "dopri5", "dop853", "rk45", "semi-implicit", "implicit-euler", "trapezoid",
    "implicit-midpoint", "bdf2", "sdirk2", "tr-bdf2", "imex",
]
G = 9.81

Case = collections.namedtuple("Case", "family name scene column truth size slack")


def scene(step, steps, frames, method, parts, gravity=0.0, contact=None):
    """A scene of `steps` steps with at most `frames` frames."""
    every = max(1, steps // frames)
    steps = (steps // every) * every
    contact = contact or "normal = { stiffness = 1e4, damping = 0 }\nfriction = { law = \"none\" }"
    text = f"""format = 1
[world]
gravity = [0, 0, {-gravity!r}]
[time]
end = {step * steps!r}
step = {step!r}
output = {step * every!r}
[integrator]
method = "{method}"
[contact]
{contact}
"""
    if "[materials." not in parts:
        text += "[materials.m]\nstatic_friction = 0.5\n"
    return text + parts, step * steps


def measure(name, kind, body, extra=""):
    return f'[[measure]]\nname = "{name}"\nkind = "{kind}"\nbody = "{body}"\n{extra}\n'


def oscillator(name, mass, stiffness, amplitude, at, damping=0.0):
    """A pinned particle and a free one on a spring of length 1 along x."""
    return f"""[[body]]
name = "{name}"
shape = {{ points = {{ positions = [[0, {at}, 0], [{1 + amplitude!r}, {at}, 0]], masses = [1, {mass!r}], links = [[0, 1]], rest_lengths = [1] }} }}
springs = {{ edge = {{ stiffness = {stiffness!r}, damping = {damping!r} }} }}
[[pin]]
body = "{name}"
where = {{ particles = [0] }}
""" + measure("x", "position", name, "direction = [1, 0, 0]\nwhere = { particles = [1] }")


def springs():
    for method in METHODS:
        for homega in [0.01, 0.03, 0.1, 0.2, 0.5, 1.0]:
            for zeta in [0.0, 0.02]:
                omega = 10.0
                step = homega / omega
                steps = round(12 / step)
                text, end = scene(step, steps, 400, method, oscillator("o", 1.0, omega**2, 0.1, 0, 2 * zeta * omega))
                decay, turn = math.exp(-zeta * omega * end), omega * math.sqrt(1 - zeta**2)
                x = 0.1 * decay * (math.cos(turn * end) + zeta / math.sqrt(1 - zeta**2) * math.sin(turn * end))
                yield Case("springs", f"{method} h omega {homega} zeta {zeta}", text, "x", 1 + x, 0.1, 1e-4)


def beside():
    """An oscillator beside what is large: a fast particle, a heavy block at rest; and a tiny one."""
    omega = 10.0
    fast = '[[body]]\nname = "fast"\nmass = 1.0\nshape = { particle = {} }\nposition = [0, 5, 0]\nvelocity = [100, 0, 0]\n'
    heavy = '[[body]]\nname = "block"\nmass = 1000.0\nshape = { particle = {} }\nposition = [0, 5, 0]\n'
    for method in ["explicit-euler", "symplectic-euler", "heun", "rk4", "implicit-euler", "dopri5", "bdf2"]:
        for homega in [0.003, 0.01, 0.05, 0.2, 0.5]:
            for kind, parts, mass in [("fast", fast, 1.0), ("heavy", heavy, 1.0), ("tiny", "", 1e-9)]:
                step = homega / omega
                steps = round(5 / step)
                text, end = scene(step, steps, 200, method, parts + oscillator("o", mass, mass * omega**2, 0.1, 0))
                yield Case("beside", f"{kind} {method} h omega {homega}", text, "x", 1 + 0.1 * math.cos(omega * end), 0.1, 0)


def block(normal_force, slope, velocity, law, mu_s, mu_k, extra="", stiffness=1e5):
    """A unit mass on a plane through the origin that falls towards -x by `slope` radians."""
    s, c = math.sin(slope), math.cos(slope)
    depth = normal_force / stiffness
    contact = f'normal = {{ stiffness = {stiffness!r}, damping = 200 }}\nfriction = {law}'
    parts = f"""[materials.m]
static_friction = {mu_s!r}
kinetic_friction = {mu_k!r}
[[body]]
name = "block"
mass = 1.0
material = "m"
shape = {{ particle = {{}} }}
position = [{depth * s!r}, 0, {-depth * c!r}]
velocity = [{velocity * c!r}, 0, {velocity * s!r}]
[[collider]]
name = "floor"
material = "m"
shape = {{ plane = {{ normal = [{-s!r}, 0, {c!r}] }} }}
{extra}"""
    return parts, contact, f"direction = [{c!r}, 0, {s!r}]"


def slides():
    for method in METHODS:
        for step in [2e-5, 1e-4, 1e-3, 2.5e-3, 1e-2, 2.5e-2]:
            for mu_s, mu_k in [(0.4, 0.4), (0.6, 0.3)]:
                eps = 1e-2
                law = f'{{ law = "threshold", epsilon = {eps} }}'
                parts, contact, along = block(G, 0.0, 2.0, law, mu_s, mu_k)
                parts += measure("way", "displacement", "block", along)
                text, _ = scene(step, round(1.0 / step), 100, method, parts, G, contact)
                truth = (4 - eps**2) / (2 * mu_k * G) + eps**2 / (mu_s * G)
                yield Case("slides", f"{method} {step} mu {mu_s}/{mu_k}", text, "way", truth, truth, 1e-4)


CREEP = {
    "threshold": lambda r: r,
    "quadratic": lambda r: 1 - math.sqrt(1 - r),
    "cubic": lambda r: 1 - (1 - r) ** (1 / 3),
    "hyperbolic": lambda r: r / math.sqrt(1 - r * r),
    "tanh": math.atanh,
}


def creeps():
    angle, mu, eps = math.radians(15), 0.5, 1e-3
    load = math.tan(angle) / mu
    for law, of in CREEP.items():
        for method in METHODS:
            for step in [1e-5, 1e-4, 4e-4, 2e-3, 1e-2]:
                parts, contact, along = block(G * math.cos(angle), angle, 0.0, f'{{ law = "{law}", epsilon = {eps} }}', mu, mu)
                parts += measure("way", "displacement", "block", along)
                steps = round(0.4 / step)
                text, end = scene(step, steps, 40, method, parts, G, contact)
                # v' = (v_c - v)/tau nearly: the start costs v_c tau
                speed = eps * of(load)
                truth = -creep_way(of, law, load, mu * G * math.cos(angle), eps, end)
                yield Case("creeps", f"{law} {method} {step}", text, "way", truth, speed * end, 1e-4)


def creep_way(_, law, load, most, eps, end):
    """Travel from rest of a unit mass under `load` times what friction holds, by its own integration."""
    force = {
        "threshold": lambda u: min(u, 1.0),
        "quadratic": lambda u: 2 * u - u * u if u < 1 else 1.0,
        "cubic": lambda u: 1 - (1 - u) ** 3 if u < 1 else 1.0,
        "hyperbolic": lambda u: u / math.sqrt(1 + u * u),
        "tanh": math.tanh,
    }[law]
    v, x, tau = 0.0, 0.0, eps / most
    h, t = tau / 200, 0.0
    while t < 30 * tau:
        a = most * (load - force(v / eps))
        b = most * (load - force((v + h * a) / eps))
        x += h * v + h * h * a / 2
        v += h * (a + b) / 2
        t += h
    return x + v * (end - t)


def bounces():
    k, m = 1e4, 1.0
    for e, zeta in [(0.9, 0.034265), (0.5, 0.255276)]:
        c = 2 * zeta * math.sqrt(k * m)
        for method in METHODS:
            for homega in [0.02, 0.1, 0.3, 0.7, 1.5]:
                step = homega / math.sqrt(k / m)
                parts = f"""[[body]]
name = "ball"
mass = {m}
shape = {{ particle = {{}} }}
position = [0, 0, 0.1037]
velocity = [0, 0, -2]
[[collider]]
name = "floor"
shape = {{ plane = {{ normal = [0, 0, 1] }} }}
""" + measure("v", "velocity", "ball", "direction = [0, 0, 1]")
                steps = round(0.2 / step)
                contact = f'normal = {{ stiffness = {k!r}, damping = {c!r} }}\nfriction = {{ law = "none" }}'
                text, _ = scene(step, steps, 50, method, parts, 0.0, contact)
                yield Case("bounces", f"e {e} {method} h omega {homega}", text, "v", 2 * e, 2 * e, 2e-3)


WALLS = {
    "box": "box = { min = [0.5, -1, -1], max = [0.52, 1, 1] }",
    "sphere": "sphere = { center = [0.6, 0, 0], radius = 0.05 }",
    "capsule": "capsule = { center = [0.6, 0, 0], axis = [0, 1, 0], radius = 0.05, length = 2 }",
    "cylinder": "cylinder = { center = [0.6, 0, 0], axis = [0, 1, 0], radius = 0.05 }",
}


def passages():
    """A fast particle against a thin wall, which it must come back from."""
    for kind, shape in WALLS.items():
        for method in ["symplectic-euler", "rk4", "implicit-euler", "dopri5", "rk45", "dop853"]:
            for step in [1e-5, 1e-3, 3e-3, 7.3e-3]:
                parts = f"""[[body]]
name = "shot"
mass = 0.01
shape = {{ particle = {{}} }}
velocity = [60, 0, 0]
[[collider]]
name = "wall"
shape = {{ {shape} }}
""" + measure("v", "velocity", "shot", "direction = [1, 0, 0]")
                contact = 'normal = { stiffness = 1e6, damping = 0 }\nfriction = { law = "none" }'
                text, _ = scene(step, round(0.02 / step) + 1, 50, method, parts, 0.0, contact)
                yield Case("passages", f"{kind} {method} {step}", text, "v", -60.0, 60.0, 0)


def loads():
    """A push that begins and ends inside steps: v = F (t2 - t1)/m."""
    for method in ["explicit-euler", "symplectic-euler", "velocity-verlet", "heun", "rk4", "dopri5", "dop853", "rk45", "implicit-euler", "trapezoid", "sdirk2", "bdf2"]:
        for step in [1e-4, 1e-3, 1e-2, 5e-2]:
            for start, end in [(0.1037, 0.1091), (0.2003, 0.5118)]:
                parts = f"""[[body]]
name = "p"
mass = 1.0
shape = {{ particle = {{}} }}
[[push]]
body = "p"
force = [1000, 0, 0]
from = {start}
until = {end}
""" + measure("v", "velocity", "p", "direction = [1, 0, 0]")
                text, _ = scene(step, round(1.0 / step), 50, method, parts)
                truth = 1000 * (end - start)
                yield Case("loads", f"{method} {step} {start}", text, "v", truth, truth, 0)


def tables():
    """A block that sticks to a shaken table: it moves with it."""
    amplitude = 0.01
    for method in ["symplectic-euler", "heun", "rk4", "dopri5", "rk45", "implicit-euler", "imex"]:
        for frequency in [1.0, 4.0, 10.0]:
            for parts_per_period in [1, 2, 5, 20, 200, 2000]:
                # a table that is seen twice a period, or once, stands still
                if parts_per_period < 5 and method not in ("symplectic-euler", "heun", "rk4"):
                    continue
                step = 1 / (frequency * parts_per_period)
                motion = f"motion = {{ oscillate = {{ direction = [1, 0, 0], amplitude = {amplitude}, frequency = {frequency} }} }}\n"
                omega = 2 * math.pi * frequency
                mu = 2.0 * max(1.0, amplitude * omega**2 / G)
                law = '{ law = "cundall-strack", stiffness = 1e6, damping = 1000 }'
                parts, contact, along = block(G, 0.0, amplitude * omega, law, mu, mu, motion)
                parts += measure("x", "displacement", "block", along)
                periods = round(3.25 * parts_per_period) if parts_per_period >= 4 else 8
                text, end = scene(step, periods, 60, method, parts, G, contact)
                truth = amplitude * math.sin(omega * end)
                yield Case("tables", f"{method} f {frequency} n {parts_per_period}", text, "x", truth, amplitude, 1e-2)


def drags():
    for method in METHODS:
        for hrate in [0.01, 0.1, 0.5, 1.5]:
            rate = 5.0
            step = hrate / rate
            parts = """[[body]]
name = "p"
mass = 1.0
shape = { particle = {} }
[[drag]]
body = "p"
rate = 5.0
""" + measure("way", "displacement", "p", "direction = [0, 0, 1]")
            text, end = scene(step, round(1.5 / step), 50, method, parts, G)
            truth = -G / rate * (end - (1 - math.exp(-rate * end)) / rate)
            yield Case("drags", f"{method} h rate {hrate}", text, "way", truth, -truth, 0)


def lugre_truth(k, pull, sigma0, sigma1, v_s, mu_s, mu_k, end):
    """A unit mass that a spring drags at constant speed over a floor, under LuGre: x(end)."""
    def rate(s):
        x, v, z, t = s
        g = G * (mu_k + (mu_s - mu_k) * math.exp(-((v / v_s) ** 2)))
        dz = v - sigma0 * abs(v) * z / g
        friction = sigma0 * z + sigma1 * dz
        return (v, k * (pull * t - x) - friction, dz, 1.0)

    s, h = (0.0, 0.0, 0.0, 0.0), 2e-5
    for _ in range(round(end / h)):
        a = rate(s)
        b = rate(tuple(p + h / 2 * q for p, q in zip(s, a)))
        c = rate(tuple(p + h / 2 * q for p, q in zip(s, b)))
        d = rate(tuple(p + h * q for p, q in zip(s, c)))
        s = tuple(p + h / 6 * (q + 2 * r + 2 * u + w) for p, q, r, u, w in zip(s, a, b, c, d))
    return s[0]


def stick_slip():
    """Stick and slip under LuGre: position after two seconds, in shares of half a jump."""
    k, pull, sigma0, sigma1, v_s, mu_s, mu_k, end = 100.0, 0.1, 1e4, 60.0, 0.05, 0.5, 0.3, 2.0
    truth = lugre_truth(k, pull, sigma0, sigma1, v_s, mu_s, mu_k, end)
    jump = (mu_s - mu_k) * G / k
    law = f'{{ law = "lugre", stiffness = {sigma0}, damping = {sigma1}, stribeck_speed = {v_s} }}'
    for method in METHODS:
        for step in [5e-5, 2e-4, 1e-3, 5e-3]:
            parts, contact, along = block(G, 0.0, 0.0, law, mu_s, mu_k)
            # the spring: a pin that moves, one metre ahead
            depth = G / 1e5
            parts = parts.replace("shape = { particle = {} }", "shape = { points = { positions = [[0, 0, 0], [1, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] } }").replace("mass = 1.0\n", f"springs = {{ edge = {{ stiffness = {k} }} }}\n")
            parts += f"""[[pin]]
body = "block"
where = {{ particles = [1] }}
motion = {{ velocity = [{pull}, 0, 0] }}
""" + measure("x", "displacement", "block", "direction = [1, 0, 0]\nwhere = { particles = [0] }")
            text, _ = scene(step, round(end / step), 200, method, parts, G, contact)
            yield Case("stick-slip", f"{method} {step}", text, "x", truth, jump, 5e-3)


def plate_truth(inertia, spin, end):
    """Attitude of a free rigid body by a fine integration: its second axis at the end."""
    h, steps = end / 40000, 40000
    def rate(s):
        w, q = s[:3], s[3:]
        dw = [(inertia[(i + 1) % 3] - inertia[(i + 2) % 3]) * w[(i + 1) % 3] * w[(i + 2) % 3] / inertia[i] for i in range(3)]
        a, b, c, d = q
        x, y, z = w
        dq = [0.5 * (-b * x - c * y - d * z), 0.5 * (a * x + c * z - d * y), 0.5 * (a * y + d * x - b * z), 0.5 * (a * z + b * y - c * x)]
        return dw + dq
    s = list(spin) + [1.0, 0.0, 0.0, 0.0]
    for _ in range(steps):
        a = rate(s)
        b = rate([p + h / 2 * q for p, q in zip(s, a)])
        c = rate([p + h / 2 * q for p, q in zip(s, b)])
        d = rate([p + h * q for p, q in zip(s, c)])
        s = [p + h / 6 * (q + 2 * r + 2 * u + w) for p, q, r, u, w in zip(s, a, b, c, d)]
    a, b, c, d = s[3:]
    # the image of e_z
    return [2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d]


def plates():
    """A rigid plate that turns over and over about its middle axis."""
    counts, spacing, spin, end = (9, 5, 2), 0.05, [0.2, 6.0, 0.0], 3.0
    square = [spacing**2 * sum((i - (c - 1) / 2) ** 2 for i in range(c)) / c for c in counts]
    inertia = [square[1] + square[2], square[0] + square[2], square[0] + square[1]]
    axis = plate_truth(inertia, spin, end)
    for method in ["symplectic-euler", "velocity-verlet", "midpoint", "heun", "rk3", "rk4", "dopri5", "dop853", "implicit-midpoint"]:
        for step in [1e-3, 1e-2, 2e-2, 4e-2, 1e-1]:
            parts = f"""[[body]]
name = "plate"
rigid = true
mass = 1.0
shape = {{ lattice = {{ counts = [9, 5, 2], spacing = 0.05 }} }}
spin = {spin!r}
""" + measure("bottom", "position", "plate", "where = { particles = [0] }\ndirection = [0, 0, 1]") + measure("top", "position", "plate", f"where = {{ particles = [45] }}\ndirection = [0, 0, 1]")
            text, _ = scene(step, round(end / step), 100, method, parts)
            yield Case("plates", f"{method} {step}", text, ("top", "bottom"), spacing * axis[2], spacing, 1e-3)


FAMILIES = [springs, beside, slides, creeps, bounces, passages, loads, tables, drags, stick_slip, plates]


PAGE = pathlib.Path(__file__).parents[2] / "docs/verdict.md"

# name of a share, as printed and on the page: what is counted, and of what
WITHOUT = {
    "wrong and no fault found": ("wrong, no fault found", "wrong"),
    "right and flagged": ("right, flagged", "right"),
}
WITH = {
    "wrong and trusted": ("wrong, trusted", "wrong"),
    "right and flagged": ("right, flagged when verified", "right"),
    "truth outside the bar": ("outside the bar", "bars"),
}


def share(total, name, shares):
    """A share in percent, rounded as on the page."""
    counted, of = shares[name]
    return round(100 * total[counted] / max(total[of], 1), 1)


def line(total, shares):
    return ", ".join(f"{name} {share(total, name, shares):.1f} %" for name in shares)


def beyond(total, page):
    """Sentences about shares that are larger than on the page, and about runs that are missing."""
    sentences = []
    runs = int(re.search(r"^\| all \| (\d+) \|", page, re.M)[1])
    if total["runs"] < runs:
        sentences.append(f"{total['runs']} runs were judged, {runs} are on the page")
    for head, shares in [("Without --verify", WITHOUT), ("With --verify=step", WITH)]:
        bounds = re.search(rf"^- {head}: (.*)$", page, re.M)[1]
        for name in shares:
            bound, now = float(re.search(rf"{name} ([\d.]+) %", bounds)[1]), share(total, name, shares)
            if now > bound:
                sentences.append(f"{head}: {name} {now:.1f} %, on the page {bound:.1f} %")
    return sentences


def run(binary, case, verify):
    command = [binary, "run", "-", "--format", "json"]
    if verify:
        command.append(f"--verify={verify}")
    began = time.monotonic()
    done = subprocess.run(command, input=case.scene, capture_output=True, text=True, timeout=600)
    seconds = time.monotonic() - began
    if not done.stdout.strip():
        return {"refused": done.stderr.strip().split("\n")[0], "code": done.returncode}
    document = json.loads(done.stdout)
    last = document.get("last_frame", {})
    names = case.column if isinstance(case.column, tuple) else (case.column,)
    value = last.get(names[0]) if len(names) == 1 else last.get(names[0], math.nan) - last.get(names[1], math.nan)
    failed = document["status"] != "completed"
    trust = document["trust"]
    off = math.inf if failed or value is None else abs(value - case.truth) / case.size
    error = None
    if document.get("verification"):
        measures = document["verification"]["measures"]
        errors = [measures[name]["error"] for name in names]
        # no bar where all steps are above a limit
        error = None if None in errors else sum(errors)
    return {
        "off": off, "value": value, "error": error, "told": failed or trust["level"] == "not trusted",
        "trusted": trust["level"] == "trusted", "share": trust.get("error"),
        "reasons": [reason["name"] for reason in trust["reasons"]], "seconds": seconds, "failed": failed,
    }


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary", default="target/release/stiction")
    arguments.add_argument("--verify", default="step")
    arguments.add_argument("--family")
    arguments.add_argument("--worst", type=int, default=0, help="list so many of each kind")
    arguments.add_argument("--jobs", type=int, default=2)
    options = arguments.parse_args()
    cases = [c for family in FAMILIES for c in family() if options.family in (None, c.family)]
    jobs = [(case, verify) for case in cases for verify in (None, options.verify)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda job: run(options.binary, *job), jobs))
    plain, verified = results[0::2], results[1::2]
    refused = [(c, r) for c, r in zip(cases, plain) if "refused" in r]
    for case, result in refused[: options.worst]:
        print(f"refused: {case.family} {case.name}: {result['refused']}")
    rows = [(c, p, v) for c, p, v in zip(cases, plain, verified) if "refused" not in p and "refused" not in v]
    tables_ = collections.OrderedDict()
    lists = collections.defaultdict(list)
    for case, p, v in rows:
        table = tables_.setdefault(case.family, collections.Counter())
        table["runs"] += 1
        wrong, right = p["off"] > 0.05, p["off"] <= 0.01
        table["wrong"] += wrong
        table["right"] += right
        table["seconds"] += p["seconds"]
        table["verified seconds"] += v["seconds"]
        def note(what, holds):
            if holds:
                table[what] += 1
                lists[what].append((case, p, v))
        note("wrong, no fault found", wrong and not p["told"])
        note("right, flagged", right and p["told"])
        note("wrong, trusted", wrong and v["trusted"])
        note("right, flagged when verified", right and v["told"])
        if v["error"] is not None and not v["failed"]:
            table["bars"] += 1
            outside = abs(v["value"] - case.truth) > v["error"] + case.slack * case.size + 1e-9 * abs(case.truth)
            note("outside the bar", outside)
            note("trusted and outside the bar", outside and v["trusted"])
    columns = ["runs", "wrong", "right", "wrong, no fault found", "right, flagged", "wrong, trusted", "right, flagged when verified", "bars", "outside the bar", "trusted and outside the bar"]
    total = collections.Counter()
    for table in tables_.values():
        total.update(table)
    tables_["all"] = total
    print("| family | " + " | ".join(columns) + " | CPU |")
    print("|---|" + "---|" * (len(columns) + 1))
    for family, table in tables_.items():
        print(f"| {family} | " + " | ".join(str(int(table[c])) for c in columns) + f" | {table['verified seconds'] / max(table['seconds'], 1e-9):.1f} x |")
    print(f"\nwithout --verify: {line(total, WITHOUT)}")
    print(f"with --verify={options.verify}: {line(total, WITH)}")
    print(f"{len(refused)} of {len(cases)} scenes are refused by the program")
    for what, entries in lists.items():
        for case, p, v in entries[: options.worst]:
            print(f"{what}: {case.family} {case.name}: off {p['off']:.3g}, value {v['value']}, truth {case.truth:.6g}, bar {v['error']}, share {v['share']}, {p['reasons']} -> {v['reasons']}")
    if options.family is None and options.verify == "step":
        worse = beyond(total, PAGE.read_text(encoding="utf-8"))
        for sentence in worse:
            print(f"error: the verdict is worse than docs/verdict.md says: {sentence}", file=sys.stderr)
        sys.exit(1 if worse else 0)


if __name__ == "__main__":
    main()
