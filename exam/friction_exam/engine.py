"""The contract of an engine, and the table of engines: one file each in `engines/`.

An engine builds its model from a neutral scene, steps it, and tells states and contacts. It raises
`Impossible` with the reason where it has no words for something.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import pkgutil
import sys
import time
from pathlib import Path
from typing import ClassVar

import numpy as np

from .record import Contact, Pose, Record
from .scene import Scene


class Impossible(Exception):
    """The engine has no words for it; the text says for what. The answer is "no", not a failure."""


class Stopped(Exception):
    """The engine stopped the run by itself and said why; the text is what it said."""


class Engine:
    """One engine under one setting on one scene."""

    package: ClassVar[str]
    """what pip installs, pinned: "mujoco==4.0.0" """
    settings: ClassVar[dict[str, dict]]
    """"default": the engine's own defaults; "best": the best published, with `about`"""
    step: ClassVar[float]
    """time step by default [s]"""

    def __init__(self, scene: Scene, options: dict, step: float):
        """Builds the model: everything awake unless `scene.sleep`, at `scene.substeps` parts a step."""
        raise NotImplementedError

    @staticmethod
    def version() -> str:
        """Version of the engine that runs."""
        raise NotImplementedError

    def pose(self, body: str) -> Pose:
        """State of a body after the last step."""
        raise NotImplementedError

    def push(self, body: str, force: np.ndarray, at: np.ndarray) -> None:
        """A force [N] during the next step, at a point from the centre of mass; adds up, and is gone after it."""
        raise Impossible("forces on bodies")

    def advance(self) -> None:
        """One step."""
        raise NotImplementedError

    def contacts(self) -> list[Contact] | None:
        """Contacts of the last step with their forces; None: the engine does not tell."""
        return None

    def reaction(self, body: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Force [N] and torque about its centre [N m] of the joint that a sliding body is on; None: not reported."""
        return None

    def set_friction(self, value: float) -> None:
        """Another coefficient of friction for everything, by the engine's own setter, while it runs."""
        raise Impossible("a coefficient of friction that is changed while running")

    def warnings(self) -> list[str]:
        """Sentences in which the engine itself says that something is wrong."""
        return []

    def run(self, scene: Scene, step: float) -> Record:
        """Runs the scene; only `advance` is on the clock."""
        record = begun(scene, step)
        forces = dict.fromkeys(record.bodies, np.zeros((2, 3)))
        settings = sorted(scene.setting, key=lambda s: s.time)
        self.keep(record, forces)
        for n in range(record.steps):
            now = n * step
            while settings and settings[0].time <= now + 1e-12:
                self.set_friction(settings.pop(0).friction)
            forces = self.load(scene, now)
            began = time.process_time()
            self.advance()
            record.cpu += time.process_time() - began
            record.time.append((n + 1) * step)
            self.keep(record, forces)
        record.warnings = self.warnings()
        return record

    def load(self, scene: Scene, now: float) -> dict[str, np.ndarray]:
        """Applies pushes and springs for the step that begins now; their force [N] and torque [N m] on each body."""
        total = {body.name: np.zeros((2, 3)) for body in scene.body}
        for push in scene.push:
            force = push.factor(now) * np.array(push.force, float)
            if force.any():
                self.push(push.body, force, np.array(push.at, float))
            total[push.body] += [force, np.cross(push.at, force)]
        for spring in scene.spring:
            axis = np.array(spring.axis, float)
            stretch = (self.pose(spring.body).position - np.array(spring.point)) @ axis
            force = -spring.stiffness * stretch * axis
            self.push(spring.body, force, np.zeros(3))
            total[spring.body][0] += force
        return total

    def keep(self, record: Record, forces: dict[str, np.ndarray]) -> None:
        """Appends the present state to a record."""
        if len(record.time) == len(record.poses):
            record.time.append(0.0)
        record.poses.append([self.pose(body) for body in record.bodies])
        record.contacts.append(self.contacts() if len(record.poses) > 1 else None)
        record.applied.append([forces[body] for body in record.bodies])
        record.reactions.append([self.reaction(body) for body in record.bodies])


@contextlib.contextmanager
def quiet():
    """Silences what a library writes to standard output by itself."""
    sys.stdout.flush()
    kept, null = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(null)


def begun(scene: Scene, step: float) -> Record:
    """An empty record of a scene."""
    return Record(
        bodies=[body.name for body in scene.body],
        masses=[body.mass for body in scene.body],
        moments=[body.moments() for body in scene.body],
        gravity=scene.gravity,
        step=step,
        steps=round(scene.seconds / step),
    )


def names() -> list[str]:
    """All engines there are."""
    from . import engines

    return sorted(m.name for m in pkgutil.iter_modules(engines.__path__) if not m.name.startswith("_"))


def engine(name: str) -> type[Engine]:
    """The class of an engine, by its name or the file of its adapter; its package is imported with it."""
    if name.endswith(".py"):
        spec = importlib.util.spec_from_file_location(f"friction_exam.engines.{Path(name).stem}", name)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.Adapter
    if name not in names():
        raise LookupError(f"there is no engine {name!r}; engines: {', '.join(names())}, or a file .py")
    return importlib.import_module(f"friction_exam.engines.{name}").Adapter
