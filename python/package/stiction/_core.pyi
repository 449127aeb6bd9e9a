"""Types of the native half. Objects for users are in the modules beside it."""

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .errors import Problem

__version__: str

_Triple = tuple[float, float, float]
_Report = Callable[[int, int, str], None]

class Slip:
    """The slip of one contact, as a friction law sees it; all vectors are tangential.

    ``displacement``: relative to the surface since the last accepted step [m]. ``velocity``: relative to
    the surface [m/s]; ``speed`` is its length. ``normal_force``: N ≥ 0 [N]. ``stretch``: the law's memory
    [m]. ``sliding``: whether the contact slid at the last accepted step.
    """

    def __init__(
        self,
        velocity: _Triple,
        normal_force: float,
        displacement: _Triple = ...,
        stretch: _Triple = ...,
        sliding: bool = ...,
    ) -> None: ...
    @property
    def displacement(self) -> _Triple: ...
    @property
    def velocity(self) -> _Triple: ...
    @property
    def speed(self) -> float: ...
    @property
    def normal_force(self) -> float: ...
    @property
    def stretch(self) -> _Triple: ...
    @property
    def sliding(self) -> bool: ...

class Pair:
    """The coefficients of friction of a pair of materials, μ_s and μ_k."""

    def __init__(self, static_friction: float, kinetic_friction: float) -> None: ...
    @property
    def static_friction(self) -> float: ...
    @property
    def kinetic_friction(self) -> float: ...

class Scope:
    """The input of a measure: ``time`` [s], ``particles`` (the selection), ``positions`` (N, 3) [m],
    ``velocities`` (N, 3) [m/s], ``forces`` (N, 3) [N], ``masses`` (N,) [kg]."""

    @property
    def time(self) -> float: ...
    @property
    def particles(self) -> NDArray[np.int64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def forces(self) -> NDArray[np.float64]: ...
    @property
    def masses(self) -> NDArray[np.float64]: ...

class Checkpoint:
    """A state of a simulation to go back to: ``time`` [s], ``step``."""

    @property
    def time(self) -> float: ...
    @property
    def step(self) -> int: ...

class Scene:
    @staticmethod
    def load(
        path: str | os.PathLike[str],
        set: list[str],
        allow_path: bool,
        threads: int | None,
        max_memory: int | None,
    ) -> Scene: ...
    @staticmethod
    def from_text(
        text: str,
        name: str,
        folder: str | os.PathLike[str],
        set: list[str],
        allow_path: bool,
        threads: int | None,
        max_memory: int | None,
    ) -> Scene: ...
    def with_set(self, set: list[str]) -> Scene: ...
    def with_force(self, force: Callable[..., Any]) -> Scene: ...
    @property
    def title(self) -> str: ...
    @property
    def step(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def frame_interval(self) -> float: ...
    @property
    def integrator(self) -> str: ...
    @property
    def friction_law(self) -> str: ...
    @property
    def body_names(self) -> list[str]: ...
    @property
    def collider_names(self) -> list[str]: ...
    @property
    def resolved(self) -> str: ...
    @property
    def settings(self) -> list[str]: ...
    @property
    def warnings(self) -> list[Problem]: ...

class Simulation:
    def __new__(cls, scene: Scene) -> Simulation: ...
    @property
    def scene(self) -> Scene: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def velocities(self) -> NDArray[np.float64]: ...
    @property
    def forces(self) -> NDArray[np.float64]: ...
    @property
    def masses(self) -> NDArray[np.float64]: ...
    @property
    def time(self) -> float: ...
    @property
    def step_count(self) -> int: ...
    @property
    def time_step(self) -> float: ...
    @property
    def state_hash(self) -> str: ...
    def step(self, count: int = 1) -> None: ...
    def advance_to(self, time: float) -> None: ...
    def push(self, particles: list[int], force: ArrayLike) -> None: ...
    def grip(
        self, particles: list[int], target: ArrayLike, stiffness: float, damping: float
    ) -> None: ...
    def release(self) -> None: ...
    def energies(self) -> dict[str, float]: ...
    def measures(self) -> dict[str, float]: ...
    def contact_fields(self) -> dict[str, NDArray[np.float64]]: ...
    def contact_columns(self) -> dict[str, Any]: ...
    def bodies(self) -> list[dict[str, Any]]: ...
    def springs(self) -> dict[str, Any]: ...
    def elements(self) -> dict[str, Any]: ...
    def collider_triangles(self) -> list[tuple[str, NDArray[np.float64]]]: ...
    def verdict(self) -> dict[str, Any]: ...
    def checkpoint(self) -> Checkpoint: ...
    def restore(self, to: Checkpoint) -> None: ...
    def change(self, set: list[str]) -> None: ...

def register_friction_law(
    name: str,
    law: Callable[..., Any],
    keys: list[tuple[str, float | str | bool | None, str, str, str]],
    about: str,
    formula: str,
    replace: bool,
) -> None: ...
def register_measure(
    name: str, reader: Callable[..., Any], unit: str, about: str, of_vector: bool, replace: bool
) -> None: ...
def run(
    scene: Scene,
    out: str | None,
    replace: bool,
    verify: str | None,
    accuracy: tuple[str, float | None] | None,
    draft: bool,
    frames: bool,
    checkpoint_every: float,
    observe_order: bool,
    progress: _Report | None,
) -> dict[str, Any]: ...
def compare(
    scene: Scene,
    lists: list[list[str]],
    reference: bool,
    verify: str | None,
    accuracy: tuple[str, float | None] | None,
    jobs: int,
    folder: str | None,
    progress: _Report | None,
) -> dict[str, Any]: ...
def tune(
    scene: Scene,
    budget: tuple[float, float | None, float | None, float | None],
    seconds: float | None,
    names: tuple[list[str] | None, ...],
    numbers: tuple[list[float] | None, ...],
    cost: str,
    exhaustive: bool,
    verify: str | None,
    max_time: float | None,
    jobs: int,
    progress: _Report | None,
) -> dict[str, Any]: ...
def stiffness(
    scene: Scene, at: float | None, limit: float, progress: _Report | None
) -> dict[str, Any]: ...
def validate(only: list[str], progress: _Report | None) -> dict[str, Any]: ...
def names(table: str) -> list[str]:
    """Names of a table: ``friction``, ``normal``, ``integrators``, ``contact``, ``colliders`` or
    ``measures``."""

def sweep(
    scene: Scene,
    vary: list[str],
    out: str,
    sample: tuple[str, int, int] | None,
    verify: str | None,
    accuracy: tuple[str, float | None] | None,
    jobs: int | None,
    retry: bool,
    max_jobs: int,
    progress: _Report | None,
) -> tuple[dict[str, list[Any]], dict[str, str], list[int]]: ...
def creep(engine: str, values: dict[str, Any]) -> dict[str, Any]:
    """The answer of an engine to the values of its parameters."""

def creep_engines() -> dict[str, Any]:
    """Engines with their parameters."""

def judge(arrays: dict[str, tuple[list[int], Any]], options: dict[str, Any]) -> dict[str, Any]:
    """The verdict on a log of arrays."""

def judge_file(path: str, options: dict[str, Any]) -> dict[str, Any]:
    """The verdict on a log that is a file."""
