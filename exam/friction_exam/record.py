"""What an engine did: the states after each step, and the contacts it reported. Also a log for `stiction judge`."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np


@dataclass
class Pose:
    """A body's state: centre of mass [m], velocity [m/s], orientation w x y z, spin [rad/s], world frame."""

    position: np.ndarray
    velocity: np.ndarray
    orientation: np.ndarray = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    spin: np.ndarray = field(default_factory=lambda: np.zeros(3))


@dataclass
class Contact:
    """A contact of a body: forces on it [N]; `normal` points out of `other`, None where that is fixed."""

    body: str
    normal: np.ndarray
    normal_force: float
    friction: np.ndarray | None
    """None: the engine does not tell its direction"""
    friction_coefficient: float
    other: str | None = None
    point: np.ndarray | None = None
    torque: np.ndarray | None = None
    """about its point [N m]: rolling and torsional friction"""


@dataclass
class Record:
    """States at times [s]; arrays of shape (times, bodies, ...)."""

    bodies: list[str]
    masses: list[float]
    moments: list[tuple[float, float, float]]
    gravity: tuple[float, float, float]
    time: list[float] = field(default_factory=list)
    poses: list[list[Pose]] = field(default_factory=list)
    contacts: list[list[Contact] | None] = field(default_factory=list)
    applied: list[list[np.ndarray]] = field(default_factory=list)
    """force and torque of pushes and springs during the step that ends at the time"""
    reactions: list[list[tuple[np.ndarray, np.ndarray] | None]] = field(default_factory=list)
    """force and torque of the joint of each body, at the same time; None where there is none, or it is not reported"""
    warnings: list[str] = field(default_factory=list)
    step: float = 0.0
    steps: int = 0
    cpu: float = 0.0
    """CPU time of stepping alone [s]"""
    note: str = ""
    columns: dict = field(default_factory=dict)
    """quantities of a soft model by name, at all times"""

    def of(self, body: str, what: str) -> np.ndarray:
        """A quantity of a body at all times, shape (times, 3) or (times, 4)."""
        n = self.bodies.index(body)
        return np.array([getattr(poses[n], what) for poses in self.poses])

    def times(self) -> np.ndarray:
        """The times [s]."""
        return np.array(self.time)

    def save(self, path: Path, engine: str, version: str, settings: str) -> None:
        """Writes the log that `stiction judge` reads; docs/judging.md has its arrays."""
        stack = {
            name: np.array([[getattr(p, key) for p in poses] for poses in self.poses])
            for name, key in (("position", "position"), ("velocity", "velocity"), ("orientation", "orientation"), ("spin", "spin"))
        }
        np.savez_compressed(
            path,
            time=self.times(),
            mass=np.array(self.masses),
            body=np.array(self.bodies),
            inertia=np.array(self.moments),
            gravity=np.array(self.gravity),
            **self._wrenches("applied", self.applied),
            **self._reactions(),
            engine=engine,
            version=version,
            settings=settings,
            step=self.step,
            **stack,
            **self._contacts(),
        )

    @staticmethod
    def _wrenches(name: str, reported: list) -> dict:
        wrenches = np.array(reported)
        return {name: wrenches[:, :, 0], f"{name}_torque": wrenches[:, :, 1]}

    def _reactions(self) -> dict:
        if all(one is None for reactions in self.reactions for one in reactions):
            return {}
        none = (np.zeros(3), np.zeros(3))
        return self._wrenches("reaction", [[none if one is None else one for one in all_of] for all_of in self.reactions])

    def _contacts(self) -> dict:
        if all(c is None for c in self.contacts):
            return {}
        rows = [(frame, c) for frame, all_of in enumerate(self.contacts) for c in all_of or ()]
        number = {name: n for n, name in enumerate(self.bodies)}
        arrays = {
            "contact_frame": np.array([frame for frame, _ in rows], dtype=np.int64),
            "contact_body": np.array([number[c.body] for _, c in rows], dtype=np.int64),
            "contact_other": np.array([number.get(c.other, -1) for _, c in rows], dtype=np.int64),
            "contact_normal": np.array([c.normal for _, c in rows]).reshape(-1, 3),
            "contact_normal_force": np.array([c.normal_force for _, c in rows]),
            "contact_mu": np.array([c.friction_coefficient for _, c in rows]),
        }
        if all(c.friction is not None for _, c in rows):
            arrays["contact_friction"] = np.array([c.friction for _, c in rows]).reshape(-1, 3)
        if rows and all(c.point is not None for _, c in rows):
            arrays["contact_point"] = np.array([c.point for _, c in rows])
        if rows and all(c.torque is not None for _, c in rows):
            arrays["contact_torque"] = np.array([c.torque for _, c in rows])
        return arrays
