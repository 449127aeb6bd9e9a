"""What is measured: one number from the record of a run. Positions are asked, not reported velocities,
except by `velocity`, `spin` and `energy`."""

from __future__ import annotations

import numpy as np

from .engine import Impossible
from .record import Record


def measured(record: Record, measure: dict) -> float:
    """The number that a measure's table asks for; its `kind` is one of `KINDS`."""
    table = dict(measure)
    kind = table.pop("kind")
    if kind not in KINDS:
        raise ValueError(f"there is no measure {kind!r}; measures: {', '.join(KINDS)}")
    return float(KINDS[kind](record, **table))


def at(record: Record, values: np.ndarray, time: float) -> float:
    """A value at a time, straight between two steps."""
    return float(np.interp(time, record.times(), values))


def along(record: Record, body: str, direction, what: str = "position") -> np.ndarray:
    """A vector's component at all times."""
    return record.of(body, what) @ np.array(direction, float)


def displacement(record, body, direction, to=None, start=0.0, relative_to=None):
    """x(to) − x(start) [m], perhaps less that of another body."""
    x = along(record, body, direction)
    if relative_to:
        x = x - along(record, relative_to, direction)
    return at(record, x, record.time[-1] if to is None else to) - at(record, x, start)


def speed(record, body, direction, start, to, relative_to=None):
    """Mean velocity from positions, (x(to) − x(start))/(to − start) [m/s]."""
    return displacement(record, body, direction, to, start, relative_to) / (to - start)


def largest_speed(record, body, direction, start, to, windows=10):
    """Largest |mean velocity| of equal windows between two times [m/s]: what comes and goes shows too."""
    x, edges = along(record, body, direction), np.linspace(start, to, windows + 1)
    return np.max(np.abs(np.diff([at(record, x, t) for t in edges]))) * windows / (to - start)


def velocity(record, body, direction, to):
    """Velocity that the engine reports [m/s]."""
    return at(record, along(record, body, direction, "velocity"), to)


def acceleration(record, body, direction, start, to):
    """Mean acceleration from reported velocities, (v(to) − v(start))/(to − start) [m/s²]."""
    v = along(record, body, direction, "velocity")
    return (at(record, v, to) - at(record, v, start)) / (to - start)


def spin(record, body, direction, to):
    """Spin that the engine reports [rad/s]."""
    return at(record, along(record, body, direction, "spin"), to)


def tilted(record, body, angle):
    """1 if the body's z axis ever leans by more than `angle` degrees from where it was, else 0."""
    w, x, y, z = record.of(body, "orientation").T
    up = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], axis=1)
    return float(np.degrees(np.arccos(np.clip(up @ up[0], -1, 1))).max() > angle)


def rebound(record, body, direction, rest, start, to):
    """√((apex − rest)/(x(0) − rest)), the coefficient of restitution of a drop from rest; the apex lies
    between two times."""
    x, t = along(record, body, direction), record.times()
    apex = x[(t >= start) & (t <= to)].max()
    return np.sqrt(max(0.0, apex - rest) / (x[0] - rest))


def pulled_back(record, body, direction):
    """How far the body goes back from the furthest it came [m]."""
    x = along(record, body, direction)
    return x.max() - x[-1]


def energies(record: Record) -> np.ndarray:
    """Kinetic and potential energy of all bodies at all times [J]."""
    total = np.zeros(len(record.time))
    for n, body in enumerate(record.bodies):
        v, x, w = (record.of(body, what) for what in ("velocity", "position", "spin"))
        axes = _axes(record.of(body, "orientation"))
        local = np.einsum("tij,ti->tj", axes, w)
        total += record.masses[n] * (0.5 * (v * v).sum(1) - x @ np.array(record.gravity))
        total += 0.5 * (local * local) @ np.array(record.moments[n])
    return total


def _axes(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def energy_made(record):
    """Largest rise of kinetic and potential energy above any earlier value, in share of the kinetic
    energy at t = 0. Nothing does work here, so that it cannot rise."""
    e = energies(record)
    v = [record.of(b, "velocity")[0] for b in record.bodies]
    kinetic = sum(0.5 * m * u @ u for m, u in zip(record.masses, v))
    return (e - np.minimum.accumulate(e)).max() / kinetic


def _reported(record: Record, body: str, start: float, to: float, with_friction: bool = True):
    frames = [
        [c for c in contacts if c.body == body]
        for t, contacts in zip(record.time, record.contacts)
        if start <= t <= to and contacts is not None
    ]
    if not frames:
        raise Impossible("contact forces are not told")
    if with_friction and any(c.friction is None for frame in frames for c in frame):
        raise Impossible("friction forces are not told")
    return frames


def normal_force(record, body, start, to):
    """Mean over time of the sum of the normal forces that the engine reports [N]."""
    return np.mean([sum(c.normal_force for c in frame) for frame in _reported(record, body, start, to, False)])


def friction_force(record, body, direction, start, to):
    """Mean over time of the sum of the friction forces that the engine reports, along a direction [N]."""
    d = np.array(direction, float)
    return np.mean([sum(c.friction @ d for c in frame) for frame in _reported(record, body, start, to)])


def cone(record, body, start, to):
    """Largest |friction|/(μ N) of a contact that the engine reports; contacts that bear under a
    thousandth of the weight do not count."""
    weight = record.masses[record.bodies.index(body)] * np.linalg.norm(record.gravity)
    shares = [
        np.linalg.norm(c.friction) / (c.friction_coefficient * c.normal_force)
        for frame in _reported(record, body, start, to)
        for c in frame
        if c.normal_force > 1e-3 * weight
    ]
    if not shares:
        raise Impossible("no contact is told")
    return max(shares)


def column(record, name, to, start=None):
    """A quantity of a mass-spring model by its name at a time, perhaps less that at an earlier one."""
    if name not in record.columns:
        raise Impossible(f"the quantity {name}")
    values = record.columns[name]
    return at(record, values, to) - (0.0 if start is None else at(record, values, start))


def warned(record):
    """1 if the engine said that something is wrong, else 0."""
    return float(bool(record.warnings))


KINDS = {
    f.__name__.replace("_", "-"): f
    for f in (
        displacement, speed, largest_speed, velocity, acceleration, spin, tilted, rebound, pulled_back,
        energy_made, normal_force, friction_force, cone, column, warned,
    )
}  # fmt: skip
