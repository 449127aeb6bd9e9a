"""A scene in plain numbers: bodies, fixed surfaces, pushes. SI units, world frame, z up.

Every engine builds its own model from it; what an engine has no words for it answers with `Impossible`.
"""

from __future__ import annotations

import copy
import math
import re
from dataclasses import MISSING, dataclass, field, fields

Vector = tuple[float, float, float]


class SceneError(ValueError):
    """A scene or a question that cannot be read; the text names the key."""


@dataclass
class Body:
    """A rigid body. One of the shapes is given; its centre of mass is at `position`."""

    name: str
    mass: float
    box: Vector | None = None
    """half edges [m]"""
    sphere: float | None = None
    """radius [m]"""
    cylinder: tuple[float, float] | None = None
    """radius and half length [m], along the body's z axis"""
    capsule: tuple[float, float] | None = None
    """radius and half length without the caps [m], along the body's z axis"""
    balls: dict | None = None
    """`radius` [m] and centres `at` [m] in the body's frame"""
    inertia: Vector | None = None
    """principal moments about the body's axes [kg m²]; else those of the solid shape"""
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Vector = (0.0, 0.0, 0.0)
    """axis times angle [degrees]"""
    velocity: Vector = (0.0, 0.0, 0.0)
    spin: Vector = (0.0, 0.0, 0.0)
    """[rad/s], world frame"""
    friction: float | None = None
    kinetic_friction: float | None = None
    restitution: float | None = None
    slides: str = ""
    """axis of a slider, "x", "y" or "z": the body neither turns nor leaves it"""

    def shape(self) -> str:
        """Name of the shape."""
        return next(s for s in SHAPES if getattr(self, s) is not None)

    def moments(self) -> Vector:
        """Principal moments of inertia [kg m²] about the centre of mass."""
        if self.inertia is not None:
            return self.inertia
        m = self.mass
        if self.box is not None:
            x, y, z = (a * a for a in self.box)
            return (m * (y + z) / 3, m * (x + z) / 3, m * (x + y) / 3)
        if self.sphere is not None:
            return (0.4 * m * self.sphere**2,) * 3
        if self.cylinder is not None:
            r, h = self.cylinder
            across = m * (3 * r * r + 4 * h * h) / 12
            return (across, across, m * r * r / 2)
        if self.capsule is not None:
            return capsule_moments(m, *self.capsule)
        raise SceneError(f"body {self.name}: `balls` needs `inertia`")

    def quaternion(self) -> tuple[float, float, float, float]:
        """Orientation as w, x, y, z."""
        angle = math.radians(math.dist((0, 0, 0), self.rotation))
        if angle == 0:
            return (1.0, 0.0, 0.0, 0.0)
        s = math.sin(angle / 2) / math.degrees(angle)
        x, y, z = self.rotation
        return (math.cos(angle / 2), x * s, y * s, z * s)


@dataclass
class Surface:
    """A fixed surface: a plane through `point` with its `normal`, or a box."""

    name: str
    point: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 0.0, 1.0)
    box: Vector | None = None
    """half edges [m] of a box about `point`, in place of the plane"""
    belt: Vector = (0.0, 0.0, 0.0)
    """velocity of the surface's material [m/s], while the shape stays"""
    friction: float | None = None
    kinetic_friction: float | None = None
    restitution: float | None = None


@dataclass
class Push:
    """A force [N] at a body's centre of mass, or at `at` from it in the world frame."""

    body: str
    force: Vector
    start: float = 0.0
    until: float = math.inf
    ramp: float = 0.0
    """[s] of linear rise from `start`"""
    at: Vector = (0.0, 0.0, 0.0)

    def factor(self, time: float) -> float:
        """Share of the force at a time: within the step that begins there."""
        if not self.start - 1e-12 <= time < self.until - 1e-12:
            return 0.0
        return 1.0 if self.ramp == 0 else min(1.0, (time - self.start) / self.ramp)


@dataclass
class Spring:
    """A spring of no length from a body's centre of mass to a point: F = −k (x − point) along `axis`."""

    body: str
    stiffness: float
    point: Vector = (0.0, 0.0, 0.0)
    axis: Vector = (1.0, 0.0, 0.0)


@dataclass
class Setting:
    """From `time` on the coefficient of friction of everything is another."""

    time: float
    friction: float


@dataclass
class Scene:
    """All of it."""

    seconds: float
    gravity: Vector = (0.0, 0.0, -9.81)
    friction: float = 0.5
    kinetic_friction: float | None = None
    restitution: float | None = None
    """coefficient of restitution e of every contact; none asked for: the engine's default"""
    step: float | None = None
    """time step asked for [s]; none: the engine's own"""
    substeps: int = 1
    """parts of a step, by the engine's own means"""
    sleep: bool = False
    """True: sleeping as the engine has it by default; else everything stays awake"""
    soft: dict | None = None
    """a mass-spring model in place of bodies and surfaces: the tables of a scene of stiction (docs/scenes.md)"""
    body: list[Body] = field(default_factory=list)
    surface: list[Surface] = field(default_factory=list)
    push: list[Push] = field(default_factory=list)
    spring: list[Spring] = field(default_factory=list)
    setting: list[Setting] = field(default_factory=list)

    def of(self, thing, what: str = "friction") -> float | None:
        """A coefficient of a body or surface: its own, or that of the scene."""
        value = getattr(thing, what)
        return getattr(self, what) if value is None else value

    def kinetic(self) -> bool:
        """Whether a kinetic coefficient differs from the static one anywhere."""
        things = [self, *self.body, *self.surface]
        return any(t.kinetic_friction not in (None, t.friction) for t in things)


SHAPES = ("box", "sphere", "cylinder", "capsule", "balls")
PARTS = {"body": Body, "surface": Surface, "push": Push, "spring": Spring, "setting": Setting}


def capsule_moments(mass: float, r: float, h: float) -> Vector:
    """Moments of a solid capsule: a cylinder of half length h and two half balls of radius r."""
    tube, caps = 2 * h * r * r, 4 * r**3 / 3
    m, c = mass * tube / (tube + caps), mass * caps / (tube + caps)
    along = m * r * r / 2 + c * 0.4 * r * r
    across = m * (r * r / 4 + h * h / 3) + c * (0.4 * r * r + h * h + 0.75 * h * r)
    return (across, across, along)


def read(table: dict) -> Scene:
    """A scene from the table of a question."""
    table = copy.deepcopy(table)
    lean = table.get("gravity")
    if isinstance(lean, dict):
        a, g = math.radians(lean["slope"]), lean.get("size", 9.81)
        table["gravity"] = (g * math.sin(a), 0.0, -g * math.cos(a))
    for key, kind in PARTS.items():
        table[key] = [made(kind, part, f"{key} {n + 1}") for n, part in enumerate(table.get(key, []))]
    scene = made(Scene, table, "scene")
    if scene.seconds <= 0:
        raise SceneError(f"scene: seconds = {scene.seconds}, a length of time > 0 is needed")
    names = {body.name for body in scene.body}
    for one in [*scene.push, *scene.spring]:
        if one.body not in names:
            raise SceneError(f"push or spring: there is no body {one.body!r}; bodies: {sorted(names)}")
    for body in scene.body:
        if sum(getattr(body, shape) is not None for shape in SHAPES) != 1:
            raise SceneError(f"body {body.name}: one of {', '.join(SHAPES)} is needed")
    return scene


def made(kind, table: dict, where: str):
    """A record whose keys are all known; lists become tuples of numbers."""
    known = {f.name for f in fields(kind)}
    for key in table:
        if key not in known:
            raise SceneError(f"{where}: there is no key {key!r}; keys: {', '.join(sorted(known))}")
    missing = [
        f.name
        for f in fields(kind)
        if f.default is MISSING and f.default_factory is MISSING and f.name not in table
    ]
    if missing:
        raise SceneError(f"{where}: {', '.join(missing)} is needed")
    plain = {k: tuple(v) if isinstance(v, list) and k not in PARTS else v for k, v in table.items()}
    return kind(**plain)


def found(table: dict, path: str):
    """The value at a path of a scene's table, "body.box.velocity.0"; parts of lists by name or number."""
    at = table
    for word in re.split(r"\.", path):
        try:
            if isinstance(at, list) and not word.isdigit():
                at = next(part for part in at if part.get("name") == word)
            else:
                at = at[int(word)] if isinstance(at, list) else at[word]
        except (KeyError, IndexError, StopIteration, TypeError):
            raise SceneError(f"there is no {path!r} in the scene ({word!r} is missing)") from None
    return at


def changed(table: dict, changes: dict) -> dict:
    """The table with values at paths replaced."""
    table = copy.deepcopy(table)
    for path, value in changes.items():
        *above, last = path.split(".")
        place = found(table, ".".join(above)) if above else table
        place[int(last) if isinstance(place, list) else last] = value
    return table
