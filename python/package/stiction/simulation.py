"""A simulation that is stepped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _toml
from .results import Floats, Verdict

if TYPE_CHECKING:
    from .scene import Scene, Settings

__all__ = ["CONTACT", "Body", "Checkpoint", "Collider", "Simulation", "Springs"]

Checkpoint = _core.Checkpoint

#: One contact of :meth:`Simulation.contacts`.
#:
#: ``kind``, ``a``, ``b``: its identity from step to step; of a contact with a collider, ``a`` is the
#: collider and ``b`` the particle. ``particles`` and ``weights``: a force on the contact acts on these
#: particles in these shares; unused places are −1 and 0. ``point`` [m]. ``normal``: unit, towards the
#: first side, out of a collider. ``depth`` [m] > 0. ``normal_force`` N [N] ≥ 0. ``friction``: force on the
#: first side [N]. ``slip``: velocity relative to what is touched [m/s]. ``surface_velocity``: of what is
#: touched [m/s]. ``stretch``: memory of the friction law [m]. ``load_ratio``: |friction|/(μ_s N).
#: ``static_friction``, ``kinetic_friction``: μ_s, μ_k. ``sticking``: by the law's own rule.
CONTACT = np.dtype(
    [
        ("kind", "U8"),
        ("a", "i8"),
        ("b", "i8"),
        ("particles", "i8", (4,)),
        ("weights", "f8", (4,)),
        ("point", "f8", (3,)),
        ("normal", "f8", (3,)),
        ("depth", "f8"),
        ("normal_force", "f8"),
        ("friction", "f8", (3,)),
        ("slip", "f8", (3,)),
        ("surface_velocity", "f8", (3,)),
        ("stretch", "f8", (3,)),
        ("load_ratio", "f8"),
        ("power", "f8"),
        ("static_friction", "f8"),
        ("kinetic_friction", "f8"),
        ("sticking", "?"),
    ]
)


@dataclass(frozen=True)
class Body:
    """A body: its particles are ``particles``, a slice into every array of the state. ``triangles``
    (T, 3) and ``segments`` (S, 2) are numbers of particles."""

    name: str
    particles: slice
    triangles: NDArray[np.int64]
    segments: NDArray[np.int64]


@dataclass(frozen=True)
class Springs:
    """Springs: ``ends`` (S, 2), ``rest_length`` (S,) [m], ``stiffness`` (S,) [N/m], ``damping`` (S,)
    [N·s/m]."""

    ends: NDArray[np.int64]
    rest_length: Floats
    stiffness: Floats
    damping: Floats


@dataclass(frozen=True)
class Elements:
    """Elastic elements now: ``corners`` (T, 4), numbers of particles, -1 beyond the three of a sheet's
    triangles and the two of a rope's segments; ``volume`` (T,) [m³] at rest;
    ``von_mises`` (T,) and ``pressure`` (T,) [Pa] of the Cauchy stress without damping, the pressure positive
    where a solid is compressed; ``stretches`` (T, 3) [1], the principal ones, the largest first."""

    corners: NDArray[np.int64]
    volume: Floats
    von_mises: Floats
    pressure: Floats
    stretches: Floats


@dataclass(frozen=True)
class Collider:
    """A collider where it is now, as triangles: corners (T, 3, 3) [m]."""

    name: str
    triangles: Floats


class Simulation:
    """A scene that is stepped by hand.

    Arrays of the state (:attr:`positions`, :attr:`velocities`, :attr:`forces`) are the simulation's own
    memory, read-only and not copied. They show the state as it was when they were asked for, and go on
    showing it after further steps, on other threads, and when the simulation is gone: before the
    simulation goes on it takes a copy of what somebody looked at. Ask again to see the new state.

    The interpreter is free while steps are taken. Another thread may look at the simulation meanwhile:
    it sees a state between two steps.
    """

    def __init__(self, scene: Scene) -> None:
        self._native = _core.Simulation(scene._native)

    @property
    def scene(self) -> Scene:
        """The scene, with what was changed since."""
        from .scene import Scene

        return Scene._of(self._native.scene)

    def step(self, count: int = 1) -> None:
        """Takes so many steps.

        Raises :class:`SimulationError` where one cannot be taken; the state is then the last good one.
        """
        self._native.step(count)

    def advance_to(self, time: float) -> None:
        """Takes steps up to the last state that is not after ``time`` [s]."""
        self._native.advance_to(time)

    @property
    def time(self) -> float:
        """Time [s]: number of steps × step."""
        return self._native.time

    @property
    def step_count(self) -> int:
        """Steps since t = 0."""
        return self._native.step_count

    @property
    def time_step(self) -> float:
        """The time step [s]."""
        return self._native.time_step

    @property
    def positions(self) -> Floats:
        """Positions of all particles (N, 3) [m]."""
        return self._native.positions

    @property
    def velocities(self) -> Floats:
        """Velocities of all particles (N, 3) [m/s]."""
        return self._native.velocities

    @property
    def forces(self) -> Floats:
        """Total force on every particle (N, 3) [N], gravity and contact included."""
        return self._native.forces

    @property
    def masses(self) -> Floats:
        """Masses of all particles (N,) [kg]; a copy."""
        return self._native.masses

    @property
    def state_hash(self) -> str:
        """Hash of the bits of all positions and velocities."""
        return self._native.state_hash

    def contacts(self) -> NDArray[np.void]:
        """The contacts of the accepted state, one record of :data:`CONTACT` each, ordered by identity."""
        columns = self._native.contact_columns()
        contacts = np.empty(len(columns["kind"]), CONTACT)
        for name, values in columns.items():
            contacts[name] = values
        return contacts

    def contact_fields(self) -> dict[str, NDArray[np.float64]]:
        """Contact quantities of every particle at the accepted state, by name, one row each:
        ``normal_force`` and ``friction_force`` [N], ``slip_velocity`` [m/s],
        ``tangential_displacement`` [m], ``load_ratio``, ``sticking``, ``pressure`` and ``shear``
        [Pa], ``friction_power`` [W], ``dissipated`` [J] and ``slid`` [m] since t = 0. NaN where a
        particle has no contact, or no surface. docs/results.md has the formulas."""
        return self._native.contact_fields()

    def energies(self) -> dict[str, float]:
        """Energies now, and dissipated energies and work since t = 0 [J]; ``residual`` is what the
        method created or lost."""
        return self._native.energies()

    def measures(self) -> dict[str, float]:
        """The measures of the scene now, by column; those that compare with the frame before are not a
        number."""
        return self._native.measures()

    def verdict(self) -> Verdict:
        """The verdict on the simulation so far."""
        return Verdict.of(self._native.verdict())

    @property
    def bodies(self) -> dict[str, Body]:
        """The bodies by name."""
        bodies = (
            Body(one["name"], slice(one["start"], one["stop"]), one["triangles"], one["segments"])
            for one in self._native.bodies()
        )
        return {body.name: body for body in bodies}

    @property
    def springs(self) -> Springs:
        """The springs; a copy."""
        return Springs(**self._native.springs())

    @property
    def elements(self) -> Elements:
        """The elastic elements with their stress and strain now; a copy."""
        return Elements(**self._native.elements())

    @property
    def colliders(self) -> list[Collider]:
        """The colliders as triangles, where they are now; planes are cut near the bodies."""
        return [Collider(name, corners) for name, corners in self._native.collider_triangles()]

    def checkpoint(self) -> Checkpoint:
        """All there is to go back to: ``time`` [s] and ``step`` say when."""
        return self._native.checkpoint()

    def restore(self, to: Checkpoint) -> None:
        """Goes back to a checkpoint of this simulation; steps from there have the same bits again."""
        self._native.restore(to)

    def change(self, set: Settings = None, **keys: Any) -> None:
        """Goes on from the present state under other values of the scene, as :meth:`Scene.set` takes
        them: another law, method, step, muscle or push. Bodies must keep their particles. What is
        observed begins anew; reasons against the simulation so far stay."""
        more = {name.replace("__", "."): value for name, value in keys.items()}
        self._native.change(_toml.settings(set, more))

    def push(self, particles: Sequence[int] | NDArray[np.integer], force: ArrayLike) -> None:
        """Pushes each of these particles with a force [N] from now on, until :meth:`release` or another
        push. Its power is entered as work."""
        self._native.push([int(i) for i in particles], [float(x) for x in np.asarray(force)])

    def grip(
        self,
        particles: Sequence[int] | NDArray[np.integer],
        target: ArrayLike,
        stiffness: float,
        damping: float = 0.0,
    ) -> None:
        """Holds these particles by one spring each, of ``stiffness`` [N/m] and ``damping`` [N·s/m]. Their
        middle is drawn to ``target`` [m]; their places about it are those at the first grip."""
        place = [float(x) for x in np.asarray(target)]
        self._native.grip([int(i) for i in particles], place, stiffness, damping)

    def release(self) -> None:
        """Lets go of what is gripped and pushed."""
        self._native.release()

    def __repr__(self) -> str:
        return repr(self._native)
