"""Scenes without step and without method whose answer is known: a closed form, or an integration of the scene's own
equation here. Each yields a grid.Case; `size` is the natural size of the answer, `slack` the share of it to which the
truth is known."""
import itertools
import math

from grid import G, WALLS, Case, block, lugre_truth, measure, oscillator, plate_truth


def scene(end, output, parts, gravity=0.0, contact=None):
    contact = contact or 'normal = { stiffness = 1e4, damping = 0 }\nfriction = { law = "none" }'
    text = f"format = 1\nworld.gravity = [0, 0, {-gravity!r}]\ntime = {{ end = {end!r}, output = {output!r} }}\n[contact]\n{contact}\n"
    if "[materials." not in parts:
        text += "[materials.m]\nstatic_friction = 0.5\n"
    return text + parts


def rounded(time):
    """Three digits, so that steps have few."""
    return float(f"{time:.3g}")


def frames(time, count):
    """The end of a run of about `time` in so many frames of few digits, and the time between them."""
    output = rounded(time / count)
    return float(f"{output * count:.12g}"), output


def followed(rate, state, end, steps):
    """The end of x' = rate(x, t) by the classical Runge-Kutta method."""
    h, x = end / steps, list(state)
    for k in range(steps):
        t = k * h
        a = rate(x, t)
        b = rate([p + h / 2 * q for p, q in zip(x, a)], t + h / 2)
        c = rate([p + h / 2 * q for p, q in zip(x, b)], t + h / 2)
        d = rate([p + h * q for p, q in zip(x, c)], t + h)
        x = [p + h / 6 * (q + 2 * r + 2 * s + u) for p, q, r, s, u in zip(x, a, b, c, d)]
    return x


def springs():
    for omega, zeta, periods in itertools.product([0.7, 10.0, 300.0], [0.0, 0.02, 0.4], [0.6, 3.2, 8.9, 20.7]):
        end, output = frames(periods * 2 * math.pi / omega, 40)
        for amplitude in [0.02, 0.3]:
            decay, turn = math.exp(-zeta * omega * end), omega * math.sqrt(1 - zeta**2)
            x = amplitude * decay * (math.cos(turn * end) + zeta / math.sqrt(1 - zeta**2) * math.sin(turn * end))
            parts = oscillator("o", 2.0, 2 * omega**2, amplitude, 0, 4 * zeta * omega)
            yield Case("springs", f"omega {omega} zeta {zeta} periods {periods} amplitude {amplitude}", scene(end, output, parts), "x", 1 + x, amplitude, 0)


def beside():
    """An oscillator beside what is fast, heavy, or very stiff."""
    others = {
        "fast": '[[body]]\nname = "fast"\nmass = 1.0\nshape = { particle = {} }\nposition = [0, 5, 0]\nvelocity = [100, 0, 0]\n',
        "heavy": '[[body]]\nname = "block"\nmass = 1000.0\nshape = { particle = {} }\nposition = [0, 5, 0]\n',
        "stiff": oscillator("s", 1.0, 1e6, 0.0, 3.0).split("[[measure]]")[0],
    }
    for (kind, other), omega, periods in itertools.product(others.items(), [3.0, 30.0], [1.3, 8.2]):
        end, output = frames(periods * 2 * math.pi / omega, 40)
        parts = other + oscillator("o", 1.0, omega**2, 0.1, 0)
        yield Case("beside", f"{kind} omega {omega} periods {periods}", scene(end, output, parts), "x", 1 + 0.1 * math.cos(omega * end), 0.1, 0)


# friction over its largest by slip over epsilon
LAWS = {
    "threshold": lambda u: max(-1.0, min(1.0, u)),
    "quadratic": lambda u: 2 * u - u * abs(u) if abs(u) < 1 else math.copysign(1.0, u),
    "cubic": lambda u: math.copysign(1 - (1 - abs(u)) ** 3, u) if abs(u) < 1 else math.copysign(1.0, u),
    "hyperbolic": lambda u: u / math.sqrt(1 + u * u),
    "tanh": math.tanh,
}


def slides():
    """A block that comes to rest under the threshold law, or is still sliding at the end."""
    for (mu_s, mu_k), speed, eps in itertools.product([(0.4, 0.4), (0.6, 0.3), (0.15, 0.1)], [0.5, 2.0, 7.0], [1e-3, 1e-2, 1e-1]):
        parts, contact, along = block(G, 0.0, speed, f'{{ law = "threshold", epsilon = {eps} }}', mu_s, mu_k)
        parts += measure("way", "displacement", "block", along)
        end, output = frames(1.3 * speed / (mu_k * G) + 20 * eps / (mu_s * G), 50)
        truth = (speed**2 - eps**2) / (2 * mu_k * G) + eps**2 / (mu_s * G)
        yield Case("slides", f"mu {mu_s}/{mu_k} v {speed} epsilon {eps}", scene(end, output, parts, G, contact), "way", truth, truth, 1e-8)
        end, output = frames(0.6 * speed / (mu_k * G), 50)
        truth = speed * end - mu_k * G * end**2 / 2
        yield Case("slides", f"moving, mu {mu_s}/{mu_k} v {speed} epsilon {eps}", scene(end, output, parts, G, contact), "way", truth, truth, 0)


def inclines():
    """A block that slides down from rest: in the ramp of the law, then beyond it."""
    for (mu_s, mu_k), degrees, eps in itertools.product([(0.3, 0.3), (0.3, 0.2)], [20.0, 35.0, 60.0], [1e-3, 1e-2]):
        angle = math.radians(degrees)
        load, most = G * math.sin(angle), G * math.cos(angle)
        parts, contact, along = block(most, angle, 0.0, f'{{ law = "threshold", epsilon = {eps} }}', mu_s, mu_k)
        parts += measure("way", "displacement", "block", along)
        end, output = frames(0.8, 40)
        # v' = load - rate v until v = eps
        rate = mu_s * most / eps
        there = -math.log(1 - rate * eps / load) / rate
        first = load / rate * (there - (1 - math.exp(-rate * there)) / rate)
        rest = end - there
        truth = -(first + eps * rest + (load - mu_k * most) * rest**2 / 2)
        yield Case("inclines", f"mu {mu_s}/{mu_k} at {degrees} epsilon {eps}", scene(end, output, parts, G, contact), "way", truth, -truth, 1e-6)


def creeps():
    for law, load, eps in itertools.product(LAWS, [0.2, 0.54, 0.9], [1e-4, 1e-3, 1e-2]):
        mu = 0.5
        angle = math.atan(load * mu)
        load, most = math.tan(angle) / mu, mu * G * math.cos(angle)
        parts, contact, along = block(G * math.cos(angle), angle, 0.0, f'{{ law = "{law}", epsilon = {eps} }}', mu, mu)
        parts += measure("way", "displacement", "block", along)
        end, output = frames(max(0.2, 60 * eps / most), 40)
        truth = -crept(law, load, most, eps, end)
        yield Case("creeps", f"{law} load {load:.2f} epsilon {eps}", scene(end, output, parts, G, contact), "way", truth, -truth, 1e-5)


def crept(law, load, most, eps, end):
    """Travel from rest of a unit mass under `load` times `most`, until its speed no longer changes."""
    tau = eps / most
    time = min(end, 200 * tau)
    x, v = followed(lambda s, _: [s[1], most * (load - LAWS[law](s[1] / eps))], [0.0, 0.0], time, 40_000)
    return x + v * (end - time)


def restitution(zeta):
    """Speed after over speed before of a linear contact that never pulls, and its duration times omega."""
    turn = math.sqrt(1 - zeta**2)
    depth = lambda t: math.exp(-zeta * t) * math.sin(turn * t) / turn
    speed = lambda t: math.exp(-zeta * t) * (math.cos(turn * t) - zeta / turn * math.sin(turn * t))
    force = lambda t: depth(t) + 2 * zeta * speed(t)
    low, high = 0.6 * math.pi / 2, math.pi / turn
    while force(low) < 0:
        low *= 0.8
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if force(middle) > 0 else (low, middle)
    return -speed(low), low


def bounces():
    for zeta, stiffness, speed, gap in itertools.product([0.0, 0.03, 0.25, 0.6], [1e3, 1e4, 1e5], [0.3, 4.0], [0.0137, 0.1037]):
        ratio, turn = restitution(zeta)
        omega = math.sqrt(stiffness)
        parts = f"""[[body]]
name = "ball"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, {gap}]
velocity = [0, 0, {-speed}]
[[collider]]
name = "floor"
shape = {{ plane = {{ normal = [0, 0, 1] }} }}
""" + measure("z", "position", "ball", "direction = [0, 0, 1]") + measure("v", "velocity", "ball", "direction = [0, 0, 1]")
        end, output = frames(gap / speed + turn / omega + 0.7 * gap / speed, 50)
        contact = f'normal = {{ stiffness = {stiffness!r}, damping = {2 * zeta * omega!r} }}\nfriction = {{ law = "none" }}'
        start = math.exp(-zeta * turn) * math.sin(math.sqrt(1 - zeta**2) * turn) / math.sqrt(1 - zeta**2)
        after = -speed / omega * start + ratio * speed * (end - gap / speed - turn / omega)
        yield Case("bounces", f"height, zeta {zeta} k {stiffness} v {speed} gap {gap}", scene(end, output, parts, 0.0, contact), "z", after, gap, 1e-9)


def passages():
    """A fast particle against a thin wall, which it must come back from."""
    for (kind, shape), speed, stiffness in itertools.product(WALLS.items(), [6.0, 25.0, 60.0], [1e5, 1e6]):
        mass = 0.01
        if kind == "box" and speed * math.sqrt(mass / stiffness) > 0.009:
            continue  # deeper than half of the wall: it passes through
        parts = f"""[[body]]
name = "shot"
mass = {mass}
shape = {{ particle = {{}} }}
velocity = [{speed}, 0, 0]
[[collider]]
name = "wall"
shape = {{ {shape} }}
""" + measure("v", "velocity", "shot", "direction = [1, 0, 0]")
        end, output = frames(1.2 / speed, 50)
        contact = f'normal = {{ stiffness = {stiffness!r}, damping = 0 }}\nfriction = {{ law = "none" }}'
        yield Case("passages", f"{kind} v {speed} k {stiffness}", scene(end, output, parts, 0.0, contact), "v", -speed, speed, 0)


def loads():
    """A push that begins and ends at any time: x = F/m of its double integral."""
    for start, stop, force in itertools.product([0.0, 0.1037, 0.5118], [0.5309, 0.71, 0.9003], [3.0, 1000.0]):
        parts = f"""[[body]]
name = "p"
mass = 1.0
shape = {{ particle = {{}} }}
[[push]]
body = "p"
force = [{force}, 0, 0]
from = {start}
until = {stop}
""" + measure("x", "displacement", "p", "direction = [1, 0, 0]")
        end, output = frames(1.0, 50)
        truth = force * ((stop - start) ** 2 / 2 + (stop - start) * (end - stop))
        yield Case("loads", f"{force} N from {start} until {stop}", scene(end, output, parts), "x", truth, truth, 0)


def tables():
    """A block that sticks to a shaken table, by the spring and damper of the law."""
    for amplitude, frequency, stiffness in itertools.product([1e-3, 1e-2], [1.0, 4.0, 10.0], [1e4, 1e5, 1e6]):
        omega, damping = 2 * math.pi * frequency, 0.4 * math.sqrt(stiffness)
        motion = f"motion = {{ oscillate = {{ direction = [1, 0, 0], amplitude = {amplitude}, frequency = {frequency} }} }}\n"
        mu = 4.0 * max(1.0, amplitude * omega**2 / G)
        law = f'{{ law = "cundall-strack", stiffness = {stiffness!r}, damping = {damping!r} }}'
        parts, contact, along = block(G, 0.0, amplitude * omega, law, mu, mu, motion)
        parts += measure("x", "displacement", "block", along)
        end, output = frames(3.25 / frequency, 60)
        table = lambda t: (amplitude * math.sin(omega * t), amplitude * omega * math.cos(omega * t))
        def rate(s, t):
            u, du = table(t)
            return [s[1], stiffness * (u - s[0]) + damping * (du - s[1])]
        truth = followed(rate, [0.0, amplitude * omega], end, 40_000)[0]
        yield Case("tables", f"a {amplitude} f {frequency} k {stiffness}", scene(end, output, parts, G, contact), "x", truth, amplitude, 1e-7)


def drags():
    for rate, time in itertools.product([0.3, 5.0, 40.0, 200.0], [0.3, 1.5, 6.0]):
        parts = f"""[[body]]
name = "p"
mass = 1.0
shape = {{ particle = {{}} }}
[[drag]]
body = "p"
rate = {rate}
""" + measure("way", "displacement", "p", "direction = [0, 0, 1]")
        end, output = frames(time, 50)
        truth = -G / rate * (end - (1 - math.exp(-rate * end)) / rate)
        yield Case("drags", f"rate {rate} for {time} s", scene(end, output, parts, G), "way", truth, -truth, 0)


def dragged(law, stiffness, pull, mu_s, mu_k):
    """A unit mass on the floor behind a spring whose other end moves at `pull`, or is fixed and stretched by -`pull`."""
    parts, contact, _ = block(G, 0.0, 0.0, law, mu_s, mu_k)
    ahead = 1.0 if pull > 0 else 1.0 - pull
    links = f"shape = {{ points = {{ positions = [[0, 0, 0], [{ahead}, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }} }}"
    parts = parts.replace("shape = { particle = {} }", links).replace("mass = 1.0\n", f"springs = {{ edge = {{ stiffness = {stiffness} }} }}\n")
    motion = f"motion = {{ velocity = [{pull}, 0, 0] }}\n" if pull > 0 else ""
    parts += f'[[pin]]\nbody = "block"\nwhere = {{ particles = [1] }}\n{motion}'
    return parts + measure("x", "displacement", "block", "direction = [1, 0, 0]\nwhere = { particles = [0] }"), contact


def stick_slip():
    for (sigma, damping), pull, stiffness in itertools.product([(1e4, 60.0), (1e5, 200.0)], [0.05, 0.1, 0.3], [50.0, 100.0, 200.0]):
        mu_s, mu_k, v_s, time = 0.5, 0.3, 0.05, 1.6
        law = f'{{ law = "lugre", stiffness = {sigma}, damping = {damping}, stribeck_speed = {v_s} }}'
        parts, contact = dragged(law, stiffness, pull, mu_s, mu_k)
        end, output = frames(time, 80)
        truth = lugre_truth(stiffness, pull, sigma, damping, v_s, mu_s, mu_k, end)
        yield Case("stick-slip", f"sigma {sigma} pull {pull} k {stiffness}", scene(end, output, parts, G, contact), "x", truth, max(truth, 1e-2), 1e-6)


def smooth_ways():
    """A block between a stretched spring and the floor, under laws without a corner or with one at epsilon."""
    laws = {law: LAWS[law] for law in ["threshold", "hyperbolic", "tanh"]}
    for (law, of), eps, stiffness, mu in itertools.product(laws.items(), [3e-3, 3e-2], [40.0, 400.0], [0.05, 0.1, 0.2]):
        parts, contact = dragged(f'{{ law = "{law}", epsilon = {eps} }}', stiffness, -0.3, mu, mu)
        end, output = frames(2.6 * 2 * math.pi / math.sqrt(stiffness), 80)
        rate = lambda s, t: [s[1], stiffness * (0.3 - s[0]) - mu * G * of(s[1] / eps)]
        truth = followed(rate, [0.0, 0.0], end, 60_000)[0]
        yield Case("springs on a floor", f"{law} epsilon {eps} k {stiffness} mu {mu}", scene(end, output, parts, G, contact), "x", truth, 0.3, 1e-6)


def pendulums():
    """A mass on a stiff spring about a pin: it swings, and the spring rings."""
    for stiffness, degrees, time in itertools.product([300.0, 1e5], [10.0, 45.0, 80.0], [0.4, 2.1]):
        angle = math.radians(degrees)
        x, z = math.sin(angle), -math.cos(angle)
        parts = f"""[[body]]
name = "bob"
shape = {{ points = {{ positions = [[0, 0, 0], [{x!r}, 0, {z!r}]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }} }}
springs = {{ edge = {{ stiffness = {stiffness!r} }} }}
[[pin]]
body = "bob"
where = {{ particles = [0] }}
""" + measure("x", "position", "bob", "direction = [1, 0, 0]\nwhere = { particles = [1] }")
        end, output = frames(time, 60)
        def rate(s, t):
            length = math.hypot(s[0], s[1])
            pull = stiffness * (length - 1) / length
            return [s[2], s[3], -pull * s[0], -pull * s[1] - G]
        truth = followed(rate, [x, z, 0.0, 0.0], end, 60_000)[0]
        yield Case("pendulums", f"k {stiffness} from {degrees} for {time} s", scene(end, output, parts, G), "x", truth, abs(x), 1e-7)


def falls():
    """A ball that falls on a floor, comes back, and falls again."""
    for zeta, stiffness, height in itertools.product([0.0, 0.05, 0.2], [1e4, 1e6], [0.05, 0.2, 0.6]):
        omega = math.sqrt(stiffness)
        damping = 2 * zeta * omega
        parts = f"""[[body]]
name = "ball"
mass = 1.0
shape = {{ particle = {{}} }}
position = [0, 0, {height}]
[[collider]]
name = "floor"
shape = {{ plane = {{ normal = [0, 0, 1] }} }}
""" + measure("z", "position", "ball", "direction = [0, 0, 1]")
        end, output = frames(1.6 * math.sqrt(2 * height / G), 60)
        contact = f'normal = {{ stiffness = {stiffness!r}, damping = {damping!r} }}\nfriction = {{ law = "none" }}'
        # from the touch until the force ends, then free
        first, speed = math.sqrt(2 * height / G), math.sqrt(2 * height * G)
        rate = lambda s, t: [s[1], -G - stiffness * s[0] - damping * s[1]]
        pushes = lambda s: -stiffness * s[0] - damping * s[1] > 0
        state, h, t = [0.0, -speed], 2e-4 / omega, 0.0
        while t < h or pushes(state):
            state, before, t = followed(rate, state, h, 1), state, t + h
        low, high = 0.0, h
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if pushes(followed(rate, before, middle, 1)) else (low, middle)
        (z, v), free = followed(rate, before, low, 1), end - first - (t - h + low)
        yield Case("falls", f"zeta {zeta} k {stiffness} from {height}", scene(end, output, parts, G, contact), "z", z + v * free - G * free**2 / 2, height, 1e-7)


def plates():
    """A rigid plate that turns about its middle axis, beside another spin."""
    counts, spacing = (9, 5, 2), 0.05
    square = [spacing**2 * sum((i - (c - 1) / 2) ** 2 for i in range(c)) / c for c in counts]
    inertia = [square[1] + square[2], square[0] + square[2], square[0] + square[1]]
    for spin, time in itertools.product([[0.2, 6.0, 0.0], [2.0, 1.0, 3.0]], [0.5, 1.5, 3.0]):
        end, output = frames(time, 60)
        parts = f"""[[body]]
name = "plate"
rigid = true
mass = 1.0
shape = {{ lattice = {{ counts = [9, 5, 2], spacing = 0.05 }} }}
spin = {spin!r}
""" + measure("bottom", "position", "plate", "where = { particles = [0] }\ndirection = [0, 0, 1]") + measure("top", "position", "plate", "where = { particles = [45] }\ndirection = [0, 0, 1]")
        yield Case("plates", f"spin {spin} for {time} s", scene(end, output, parts), ("top", "bottom"), spacing * plate_truth(inertia, spin, end)[2], spacing, 1e-7)


def chains():
    """Masses on springs in a row, pinned at both ends, in one of their modes along the row."""
    for count, mode, periods in itertools.product([10, 60, 300], [1, 3], [0.7, 2.3]):
        stiffness, amplitude = 1e4, 0.1
        omega = 2 * math.sqrt(stiffness) * math.sin(mode * math.pi / (2 * (count + 1)))
        shift = lambda i: amplitude * math.sin(mode * math.pi * i / (count + 1))
        positions = [[i + shift(i), 0, 0] for i in range(count + 2)]
        links = [[i, i + 1] for i in range(count + 1)]
        parts = f"""[[body]]
name = "row"
shape = {{ points = {{ positions = {positions!r}, masses = {[1] * (count + 2)!r}, links = {links!r}, rest_lengths = {[1] * (count + 1)!r} }} }}
springs = {{ edge = {{ stiffness = {stiffness!r} }} }}
[[pin]]
body = "row"
where = {{ particles = [0, {count + 1}] }}
""" + measure("x", "position", "row", "direction = [1, 0, 0]\nwhere = { particles = [2] }")
        end, output = frames(periods * 2 * math.pi / omega, 40)
        yield Case("chains", f"{count} masses, mode {mode}, {periods} periods", scene(end, output, parts), "x", 2 + shift(2) * math.cos(omega * end), abs(shift(2)), 0)


def boxes():
    """A soft box on a slope: once at rest, it creeps at epsilon tan/mu as a whole, whatever its stiffness."""
    for load, eps, stiffness in itertools.product([0.3, 0.7], [1e-3, 1e-2], [1e3, 4e3]):
        mu = 0.5
        angle = math.atan(load * mu)
        s, c = math.sin(angle), math.cos(angle)
        parts = f"""[materials.m]
static_friction = {mu}
[[body]]
name = "box"
mass = 1.0
material = "m"
shape = {{ lattice = {{ counts = [4, 4, 3], spacing = 0.05 }} }}
position = {[-0.05 * s, 0.0, 0.05 * c]!r}
rotation = [0, {-math.degrees(angle)!r}, 0]
springs = {{ edge = {{ stiffness = {stiffness!r}, damping = 5 }}, face_diagonal = {{ stiffness = {stiffness!r}, damping = 5 }} }}
[[collider]]
name = "floor"
material = "m"
shape = {{ plane = {{ normal = [{-s!r}, 0, {c!r}] }} }}
""" + measure("v", "velocity", "box", f"direction = [{c!r}, 0, {s!r}]")
        contact = f'normal = {{ stiffness = 1e4, damping = 20 }}\nfriction = {{ law = "threshold", epsilon = {eps} }}'
        end, output = frames(1.5, 50)
        yield Case("boxes", f"load {load} epsilon {eps} k {stiffness}", scene(end, output, parts, G, contact), "v", -eps * load, eps * load, 1e-4)


FAMILIES = [springs, beside, slides, inclines, creeps, bounces, passages, loads, tables, drags, stick_slip, smooth_ways, pendulums, falls, plates, chains, boxes]
