"""Scenes: loaded, built of dicts, changed, run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from . import _core, _toml
from .errors import NotTrusted, Problem, SimulationError, UsageError
from .progress import Report, progress_of
from .results import Outcome

if TYPE_CHECKING:
    from .simulation import Simulation

__all__ = ["Scene", "load"]

Settings = Mapping[str, Any] | Iterable[str] | None
Path = str | os.PathLike[str]


def load(
    path: Path,
    set: Settings = None,
    *,
    integrator: str | None = None,
    step: float | None = None,
    threads: int | None = None,
    max_memory: int | None = None,
    allow_path: bool = False,
) -> Scene:
    """Loads a scene file.

    ``set`` changes keys of it: ``{"contact.friction.epsilon": 1e-4, "body.box.mass": 3.0}``, or a list of
    ``"key=value"`` texts as on the command line. ``integrator`` and ``step`` [s] are short for two of
    them. ``threads``: of one run, results do not depend on it (default: one per core). ``max_memory``:
    most memory the scene may take [bytes] (default: 80 % of the machine's). ``allow_path``: includes may
    lie outside the scene's folder.

    Raises :class:`SceneError` with everything that is wrong with the scene.
    """
    texts = _toml.settings(set, {"integrator.method": integrator, "time.step": step})
    return Scene._of(_core.Scene.load(os.fspath(path), texts, allow_path, threads, max_memory))


class Scene:
    """A scene that passed all checks; it does not change. :meth:`set` makes another."""

    _native: _core.Scene

    def __init__(
        self,
        tables: Mapping[str, Any],
        *,
        folder: Path = ".",
        threads: int | None = None,
        max_memory: int | None = None,
    ) -> None:
        """Builds a scene of nested dicts, the tables of a scene file: ``{"body": [{"name": ...}], ...}``.

        Repeated tables are lists of dicts. ``format = 1`` is understood. Meshes are looked for in
        ``folder``. :attr:`text` of the errors' places is ``stiction.scene_text(tables)``.
        """
        text = _toml.document({"format": 1, **tables})
        self._native = _core.Scene.from_text(
            text, "<scene>", os.fspath(folder), [], False, threads, max_memory
        )

    @classmethod
    def _of(cls, core: _core.Scene) -> Scene:
        scene = cls.__new__(cls)
        scene._native = core
        return scene

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "<text>",
        folder: Path = ".",
        set: Settings = None,
        threads: int | None = None,
        max_memory: int | None = None,
        allow_path: bool = False,
    ) -> Scene:
        """A scene of the text of a scene file. ``name`` stands for the file in messages; includes and
        meshes are looked for in ``folder``."""
        texts = _toml.settings(set)
        return cls._of(
            _core.Scene.from_text(text, name, os.fspath(folder), texts, allow_path, threads, max_memory)
        )

    def set(self, set: Settings = None, **keys: Any) -> Scene:
        """The same scene with other values: ``scene.set({"contact.friction.epsilon": 1e-4})``.

        A keyword stands for a key too, two underscores for each dot:
        ``scene.set(contact__friction__epsilon=1e-4)``.
        """
        more = {name.replace("__", "."): value for name, value in keys.items()}
        return Scene._of(self._native.with_set(_toml.settings(set, more)))

    def with_force(self, force: Callable[..., Any]) -> Scene:
        """The same scene with a force written in Python: a function ``(t, x, v)`` of the time [s],
        positions (N, 3) [m] and velocities (N, 3) [m/s], which returns the force on every particle
        (N, 3) [N].

        It must be pure: methods call it several times a step, also at points that they reject. Its power
        is entered as work. Implicit methods do not know its derivatives. ``run``, ``simulate`` and
        ``compare`` know it; ``sweep``, ``tune`` and ``stiffness`` refuse it.
        """
        return Scene._of(self._native.with_force(force))

    @property
    def title(self) -> str:
        """The title."""
        return self._native.title

    @property
    def step(self) -> float:
        """The time step [s]."""
        return self._native.step

    @property
    def end(self) -> float:
        """The end of the run [s]."""
        return self._native.end

    @property
    def frame_interval(self) -> float:
        """Time between two frames [s]."""
        return self._native.frame_interval

    @property
    def integrator(self) -> str:
        """The name of the method."""
        return self._native.integrator

    @property
    def friction_law(self) -> str:
        """The name of the friction law; ``"coulomb"`` where contacts jump velocities."""
        return self._native.friction_law

    @property
    def bodies(self) -> list[str]:
        """Names of the bodies."""
        return self._native.body_names

    @property
    def colliders(self) -> list[str]:
        """Names of the colliders."""
        return self._native.collider_names

    @property
    def warnings(self) -> list[Problem]:
        """Entries that are valid but may not be meant so."""
        return self._native.warnings

    @property
    def settings(self) -> list[str]:
        """What was changed in it, as ``key=value`` texts."""
        return self._native.settings

    @property
    def resolved(self) -> str:
        """The scene as TOML with every default filled in, as ``stiction show`` prints it."""
        return self._native.resolved

    def run(
        self,
        out: Path | None = None,
        *,
        force: bool = False,
        verify: str | bool | None = None,
        accuracy: str | float | None = None,
        max_time: float | None = None,
        draft: bool = False,
        frames: bool = False,
        strict: bool = False,
        progress: bool | Report | None = None,
        checkpoint_every: float = 60.0,
        observe_order: bool = False,
    ) -> Outcome:
        """Runs the scene from t = 0 to its end, with the same bits as ``stiction run``.

        ``out``: a folder for the results, as the command line writes them (docs/results.md); ``force``
        replaces those of an earlier run. ``verify``: ``"step"`` (or ``True``), ``"method"`` or ``"both"``
        gives every measure an error bar by runs at other steps; ``"model"``, ``"mesh"`` and ``"all"`` its shares by
        cause too, in ``document["verification"]["causes"]`` (docs/verdict.md). ``accuracy``: finds the step that gives it,
        ``1e-3`` for every measure to a share of its scale or ``"distance=1e-3, slip=0.1 mm"``, within
        ``max_time`` of CPU time [s], else that of the scene; ``document["accuracy"]`` says whether it is delivered
        (docs/accuracy.md). ``draft``: one run by the cheapest method that the forecasts allow, at a step that is to
        give about 1 %, compared with nothing. ``frames``: keeps the states of all particles at
        every frame in memory. ``strict``: raises :class:`NotTrusted` where there are reasons against the
        run, or the scene's expectations are not met. ``progress``: ``True`` for a bar, or a function
        ``(done, total, label)``. ``checkpoint_every``: time of the clock between checkpoints in ``out``
        [s], 0 for none. ``observe_order``: observes the order of the method at every frame.

        The interpreter is free meanwhile. Ctrl-C ends the run between two iterations; what stands in
        ``out`` until then is kept, and ``stiction run --resume`` goes on with it.

        Raises :class:`SimulationError` where a step could not be taken; its ``outcome`` has the run until
        then. Raises :class:`OutputError` where results cannot be written.
        """
        word = "step" if verify is True else (verify or None)
        asked = accuracy_of(accuracy, max_time, verify)
        if draft and (word or asked or observe_order):
            raise UsageError("a draft is compared with nothing: leave out verify, accuracy and observe_order")
        with progress_of(progress) as report:
            told = _core.run(
                self._native,
                None if out is None else os.fspath(out),
                force,
                word,
                asked,
                draft,
                frames,
                checkpoint_every,
                observe_order,
                report,
            )
        outcome = Outcome.of(told)
        failure = told["failure"]
        if failure is not None:
            if isinstance(failure, SimulationError):
                failure.outcome = outcome
            raise failure
        if strict and not (outcome.verdict.faultless and outcome.met):
            missed = [one.measure for one in outcome.expectations if not one.met or one.in_doubt]
            words = [str(reason) for reason in outcome.verdict.reasons]
            words += [f"{name} is not what the scene expects" for name in missed]
            raise NotTrusted("; ".join(words), outcome)
        return outcome

    def simulate(self) -> Simulation:
        """A simulation of the scene at t = 0, to be stepped."""
        from .simulation import Simulation

        return Simulation(self)

    def __repr__(self) -> str:
        return f"<Scene {self.title!r}: {self.integrator}, step {self.step:g} s, to t = {self.end:g} s>"


def accuracy_of(
    accuracy: str | float | None, max_time: float | None, verify: str | bool | None
) -> tuple[str, float | None] | None:
    """An accuracy as text, with the CPU time [s] in which it is sought; ``None``: that of the scene."""
    if accuracy is None:
        if max_time is not None:
            raise UsageError("max_time is the limit of a search for an accuracy: give accuracy too")
        return None
    if verify:
        raise UsageError("accuracy gives every measure its error bar by runs of its own: leave out verify")
    if max_time is not None and not max_time > 0:
        raise UsageError(f"max_time is a time above 0 s, not {max_time!r}")
    return (accuracy if isinstance(accuracy, str) else repr(float(accuracy)), None if max_time is None else float(max_time))


def scene_text(tables: Mapping[str, Any]) -> str:
    """The scene file that :class:`Scene` makes of nested dicts."""
    if not isinstance(tables, Mapping):
        raise UsageError("a scene is a dict of tables")
    return _toml.document({"format": 1, **tables})
