"""Questions with exact answers that this program and Drake can both pose, for tests/verdict/cenic.py."""
import collections
import math

import numpy as np
from pydrake.geometry import AddContactMaterial, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialVelocity
from pydrake.multibody.plant import AddMultibodyPlant, CoulombFriction, MultibodyPlantConfig
from pydrake.multibody.tree import (
    PrismaticJoint, PrismaticSpring, RevoluteJoint, RotationalInertia, SpatialInertia, UnitInertia,
)  # fmt: skip
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

G = 9.81
EPSILON = 1e-8
# normal stiffness, and that of the elastic floor [N/m]
STIFF, ELASTIC = 1e4, 1e3

# `drake` makes a simulator and a function that reads the answer from it; `size` in metres
Question = collections.namedtuple("Question", "name about scene drake truth size end")


def sn(u, m):
    """Jacobi's elliptic sine by the arithmetic-geometric mean."""
    a, b, ratios = 1.0, math.sqrt(1 - m), []
    while abs(a - b) > 1e-16 and len(ratios) < 40:
        a, b, c = (a + b) / 2, math.sqrt(a * b), (a - b) / 2
        ratios.append(c / a)
    phase = 2 ** len(ratios) * a * u
    for ratio in reversed(ratios):
        phase = (phase + math.asin(ratio * math.sin(phase))) / 2
    return math.sin(phase)


def scene(end, gravity, parts, stiffness=STIFF, damping=2 * math.sqrt(STIFF), mu=(0.5, 0.5)):
    return f"""format = 1
[world]
gravity = {list(gravity)!r}
[time]
end = {end!r}
output = {end / 20!r}
[materials.m]
static_friction = {mu[0]!r}
kinetic_friction = {mu[1]!r}
[contact]
normal = {{ stiffness = {stiffness!r}, damping = {damping!r} }}
friction = {{ law = "threshold", epsilon = {EPSILON!r} }}
""" + parts


# it ends before the pin of a spring
FLOOR = '[[collider]]\nname = "floor"\nshape = { box = { min = [-1.5, -5, -1], max = [5, 5, 0] } }\n'


def measure(kind, direction, extra=""):
    return f'[[measure]]\nname = "x"\nkind = "{kind}"\nbody = "b"\ndirection = {direction!r}\n{extra}'


def particle(position, velocity):
    return f'[[body]]\nname = "b"\nmass = 1.0\nshape = {{ particle = {{}} }}\nposition = {position!r}\nvelocity = {velocity!r}\n'


def plant():
    builder = DiagramBuilder()
    config = MultibodyPlantConfig(time_step=0.0, contact_model="point", stiction_tolerance=EPSILON)
    made, _ = AddMultibodyPlant(config, builder)
    return builder, made


def simulator(builder, made, gravity):
    made.mutable_gravity_field().set_gravity_vector(gravity)
    made.Finalize()
    simulation = Simulator(builder.Build())
    return simulation, made.GetMyMutableContextFromRoot(simulation.get_mutable_context())


def point(gravity, position, velocity, mu=(0.5, 0.5), stiffness=STIFF, dissipation=None, spring=0.0, belt=0.0):
    """A point of 1 kg that moves along three axes, on two carriages of 1e-9 kg, since none may be without mass."""
    builder, made = plant()
    last, joints = made.world_body(), {}
    for axis in (2, 1, 0):
        mass = 1e-9 if axis else 1.0
        body = made.AddRigidBody(f"body{axis}", SpatialInertia(mass, np.zeros(3), UnitInertia.SolidSphere(1e-3)))
        joint = PrismaticJoint(f"joint{axis}", last.body_frame(), body.body_frame(), np.eye(3)[axis])
        last, joints[axis] = body, made.AddJoint(joint)
    floor = made.world_body()
    if belt:
        # so heavy that what it carries does not slow it
        floor = made.AddRigidBody("belt", SpatialInertia(1e9, np.zeros(3), UnitInertia.SolidSphere(1)))
        moving = made.AddJoint(PrismaticJoint("belt", made.world_frame(), floor.body_frame(), [1, 0, 0]))
    # of two stiffnesses in series
    properties, friction = ProximityProperties(), CoulombFriction(*mu)
    AddContactMaterial(properties=properties, friction=friction, point_stiffness=2 * stiffness, dissipation=dissipation)
    made.RegisterCollisionGeometry(floor, RigidTransform(), HalfSpace(), "floor", properties)
    made.RegisterCollisionGeometry(last, RigidTransform([0, 0, 0.1]), Sphere(0.1), "ball", properties)
    if spring:
        made.AddForceElement(PrismaticSpring(joints[0], 0.0, spring))
    simulation, context = simulator(builder, made, gravity)
    if belt:
        moving.set_translation_rate(context, belt)
    for axis, joint in joints.items():
        joint.set_translation(context, position[axis])
        joint.set_translation_rate(context, velocity[axis])
    return simulation, lambda axis: joints[axis].get_translation(context)


def slide(name, about, end, truth, size, slope=0.0, mu=(0.5, 0.5), velocity=(0.0, 0.0, 0.0), spring=0.0, start=0.0, belt=0.0):
    """A block on a floor under gravity that leans towards x by `slope`, perhaps on a spring along x."""
    gravity = (G * math.sin(slope), 0.0, -G * math.cos(slope))
    depth = G * math.cos(slope) / STIFF
    body, kind, extra, at = particle([0.0, 0.0, -depth], list(velocity)), "displacement", "", [start, 0.0, -depth]
    if spring:
        body = held(spring, start, -depth, velocity[0])
        kind, extra = "position", "where = { particles = [1] }\n"
    floor = FLOOR + (f"motion = {{ belt = {{ velocity = [{belt!r}, 0, 0] }} }}\n" if belt else "")
    text = scene(end, gravity, body + floor + measure(kind, [1, 0, 0], extra), mu=mu)

    def drake():
        simulation, read = point(gravity, at, velocity, mu, spring=spring, belt=belt)
        return simulation, lambda: read(0)

    return Question(name, about, text, drake, truth, size, end)


def held(spring, start, height, speed):
    """A particle of 1 kg on a spring along x that ends in a pin; x = 0 where the spring has no force."""
    return f"""[[body]]
name = "b"
shape = {{ points = {{ positions = [[-2, 0, {height!r}], [{start!r}, 0, {height!r}]], masses = [1, 1], velocities = [[0, 0, 0], [{speed!r}, 0, 0]], links = [[0, 1]], rest_lengths = [2] }} }}
springs = {{ edge = {{ stiffness = {spring!r} }} }}
[[pin]]
body = "b"
where = {{ particles = [0] }}
"""


def stops(speed=4.0, mu=0.5, end=1.0):
    late = min(end, speed / (mu * G))
    truth = speed * late - mu * G * late**2 / 2
    about = f"a block at {speed:g} m/s, μ {mu:g}, {end:g} s: v²/(2 μ g)"
    return slide("stop", about, end, truth, speed**2 / (2 * mu * G), mu=(mu, mu), velocity=(speed, 0.0, 0.0))


def slides():
    slope = math.atan(0.5)
    way = (math.sin(slope) - 0.49 * math.cos(slope)) * G * 4**2 / 2
    return slide("slope", "a block slides down tan θ = .5, μ .49, 4 s", 4.0, way, way, slope, (0.49, 0.49))


def holds():
    slope = math.atan(0.25)
    return slide("hold", "a block holds on tan θ = .25, μ .5, 1 s; size as without friction", 1.0, 0.0, G * math.sin(slope) / 2, slope)


def sideways():
    """Where tan θ = μ, speed and its part downhill have the constant sum v0; y is twice the speed less v0."""
    slope, v0, end = math.atan(0.5), 2.0, 1.0
    a = G * math.sin(slope)
    low, high = 1e-9, v0
    while high - low > 1e-15:
        y = (low + high) / 2
        late = v0 - y + v0 * math.log(v0 / y) > 4 * a * end
        low, high = (y, high) if late else (low, y)
    way = (v0**2 * math.log(v0 / y) - (v0**2 - y**2) / 2) / (8 * a)
    about = "a block thrown across a slope with tan θ = μ = .5, 2 m/s, 1 s: its way downhill"
    return slide("sideways", about, end, way, way, slope, velocity=(0.0, v0, 0.0))


def swings():
    end, omega = 3.0, 5.0
    about = "a block from 1 m on a spring, 5 rad/s, without friction, 3 s"
    return slide("spring", about, end, math.cos(omega * end), 1.0, mu=(0.0, 0.0), spring=omega**2, start=1.0)


def halves(omega=5.0, mu=0.3, end=3.0):
    """Each half cycle is harmonic about μ g/ω² on the side from which it comes, until one ends within that of 0."""
    most, x, left = mu * G / omega**2, 1.0, end
    while abs(x) > most and left > 0:
        rest = math.copysign(most, x)
        x, left = rest + (x - rest) * math.cos(omega * min(left, math.pi / omega)), left - math.pi / omega
    about = f"a block from 1 m on a spring, {omega:g} rad/s, μ {mu:g}, {end:g} s"
    about += ": it swings to and fro, then sticks" if left > 0 else ""
    return slide("spring and friction", about, end, x, 1.0, mu=(mu, mu), spring=omega**2, start=1.0)


def sticks_and_slips(omega=2.5, speed=1.0, mu=(0.6, 0.3), end=5.0):
    """On a belt: in stick x = v t up to μ_s g/ω², in slip harmonic about μ_k g/ω² until its speed is the belt's again."""
    rest, reach = mu[1] * G / omega**2, (mu[0] - mu[1]) * G / omega**2
    slip = 2 * (math.pi - math.atan(reach * omega / speed)) / omega
    since = (end - (rest + reach) / speed) % (slip + 2 * reach / speed)
    truth = rest + reach * math.cos(omega * since) + speed / omega * math.sin(omega * since)
    if since > slip:
        truth = rest - reach + speed * (since - slip)
    about = f"a block on a spring, {omega:g} rad/s, and a belt, {speed:g} m/s, μ_s {mu[0]:g}, μ_k {mu[1]:g}, {end:g} s"
    return slide("stick and slip", about, end, truth, 1.0, mu=mu, velocity=(speed, 0.0, 0.0), spring=omega**2, belt=speed)


def bounces():
    """A point falls on an elastic floor: flight, a harmonic half cycle and more, flight."""
    height, end, omega = 1.0, 2.0, math.sqrt(ELASTIC)
    speed, rest = math.sqrt(2 * G * height), G / ELASTIC
    fall = speed / G
    # from touch to release about the depth of rest
    touch = 2 * (math.pi - math.atan2(speed / omega, rest)) / omega
    since = (end - fall) % (2 * fall + touch) - touch
    assert since > 0
    truth = speed * since - G * since**2 / 2
    gravity = (0.0, 0.0, -G)
    body = particle([0.0, 0.0, height], [0.0, 0.0, 0.0])
    text = scene(end, gravity, body + FLOOR + measure("position", [0, 0, 1]), ELASTIC, 0.0, (0.0, 0.0))

    def drake():
        simulation, read = point(gravity, [0, 0, height], [0, 0, 0], (0.0, 0.0), ELASTIC, 0.0)
        return simulation, lambda: read(2)

    return Question("bounce", "a point falls 1 m on an elastic floor and rises, 2 s: its height", text, drake, truth, height, end)


def pendulum():
    """From the lowest point at 4 m/s: sin(θ/2) = k sn(ω t, k²), k = v/(2 √(g L))."""
    end, k = 3.0, 4.0 / (2 * math.sqrt(G))
    half = k * sn(math.sqrt(G) * end, k * k)
    truth = 2 * half * math.sqrt(1 - half * half)
    gravity = (0.0, 0.0, -G)
    curve = '[[curve]]\nbody = "b"\nphi = ["y", "x^2 + z^2 - 1"]\n'
    text = scene(end, gravity, particle([0.0, 0.0, -1.0], [4.0, 0.0, 0.0]) + curve + measure("position", [1, 0, 0]))

    def drake():
        builder, made = plant()
        body = made.AddRigidBody("body", SpatialInertia(1.0, np.array([0, 0, -1]), UnitInertia.PointMass([0, 0, -1])))
        joint = made.AddJoint(RevoluteJoint("joint", made.world_frame(), body.body_frame(), [0, -1, 0]))
        simulation, context = simulator(builder, made, gravity)
        joint.set_angular_rate(context, 4.0)
        return simulation, lambda: math.sin(joint.get_angle(context))

    return Question("pendulum", "a pendulum of 1 m, from its lowest point at 4 m/s, 3 s", text, drake, truth, 1.0, end)


def top():
    """A free rigid body of six points, from ω₂ = 0: ω₂ is an elliptic sine, and its axis has I₂ ω₂/L along the
    angular momentum."""
    end, masses, w1, w3 = 3.0, (1.5, 1.0, 0.5), 1.5, 2.0
    # moments of 2 m at ±1 m on each axis
    i1, i2, i3 = (2 * (sum(masses) - m) for m in masses)
    energy, momentum = i1 * w1**2 + i3 * w3**2, (i1 * w1) ** 2 + (i3 * w3) ** 2
    rate = math.sqrt((i3 - i2) * (momentum - energy * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (energy * i3 - momentum) / ((i3 - i2) * (momentum - energy * i1))
    assert 0 < m < 1
    most = math.sqrt((energy * i3 - momentum) / (i2 * (i3 - i2)))
    length = math.sqrt(momentum)
    truth = i2 * most * sn(rate * end, m) / length
    along = [i1 * w1 / length, 0.0, i3 * w3 / length]
    places = [[sign * (axis == k) for axis in range(3)] for k in range(3) for sign in (1, -1)]
    body = f"""[[body]]
name = "b"
rigid = true
shape = {{ points = {{ positions = {places}, masses = {[m for m in masses for _ in range(2)]} }} }}
spin = [{w1!r}, 0, {w3!r}]
"""
    text = scene(end, (0.0, 0.0, 0.0), body + measure("position", along, "where = { particles = [2] }\n"))

    def drake():
        builder, made = plant()
        inertia = SpatialInertia.MakeFromCentralInertia(2 * sum(masses), np.zeros(3), RotationalInertia(i1, i2, i3))
        body = made.AddRigidBody("body", inertia)
        simulation, context = simulator(builder, made, np.zeros(3))
        made.SetFreeBodySpatialVelocity(context, body, SpatialVelocity([w1, 0, w3], np.zeros(3)))
        pose = lambda: made.EvalBodyPoseInWorld(context, body).rotation().matrix()
        return simulation, lambda: float(np.dot(along, pose()[:, 1]))

    return Question("top", "a free body with three moments of inertia, 3 s: its middle axis", text, drake, truth, 1.0, end)


QUESTIONS = [stops, slides, holds, sideways, swings, halves, sticks_and_slips, bounces, pendulum, top]


def varied():
    """Other coefficients and ends of the questions in which friction turns or breaks loose."""
    ends = (1.0, 1.7, 2.4, 3.1)
    yield from (stops(v, mu, end) for v, mu in ((4.0, 0.5), (3.3, 0.7), (2.0, 0.31)) for end in ends)
    yield from (halves(omega, mu, end) for omega, mu in ((5.0, 0.3), (7.0, 0.2), (3.0, 0.15)) for end in ends)
    belts = ((2.5, 1.0, (0.6, 0.3)), (3.0, 0.5, (0.5, 0.4)), (4.0, 0.8, (0.9, 0.5)))
    yield from (sticks_and_slips(*belt, end) for belt in belts for end in (2.0, 3.0, 4.0, 7.0))
