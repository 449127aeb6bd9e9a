"""Experiments: one scene, many runs. Each calls what the command line calls."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from . import _core, _toml
from .errors import UsageError
from .progress import Report, progress_of
from .results import Table
from .scene import Path, Scene, accuracy_of

__all__ = ["Comparison", "Stiffness", "Sweep", "Tuning", "Validation", "compare", "stiffness", "sweep", "tune", "validate"]

Names = str | Iterable[str] | None
Numbers = float | str | Iterable[float | str] | None


def _texts(given: Names) -> list[str]:
    if given is None:
        return []
    return [given] if isinstance(given, str) else [str(one) for one in given]


def _numbers(given: Numbers) -> list[str]:
    if given is None:
        return []
    if isinstance(given, (int, float, str)):
        given = [given]
    return [one if isinstance(one, str) else repr(float(one)) for one in given]


def _means(verify: str | bool | None) -> str | None:
    return "step" if verify is True else (verify or None)


class Comparison(Table):
    """One row per run: its settings, how it ended, its numbers, its verdict. ``references`` say what the
    column ``error`` [m] is measured against; ``left_out`` what the scene refuses, and why."""

    @property
    def references(self) -> list[dict[str, Any]]:
        """The references: name, description, uncertainty [m], level of trust."""
        return list(self.document["references"])

    @property
    def left_out(self) -> list[dict[str, Any]]:
        """Combinations that the scene refuses, each with the reason."""
        return list(self.document["left_out"])


def compare(
    scene: Scene,
    *,
    integrators: Names = None,
    laws: Names = None,
    epsilons: Numbers = None,
    steps: Numbers = None,
    methods: Names = None,
    lags: Names = None,
    solvers: Names = None,
    reference: bool = True,
    verify: str | bool | None = None,
    accuracy: str | float | None = None,
    max_time: float | None = None,
    jobs: int = 0,
    report: Path | None = None,
    progress: bool | Report | None = None,
) -> Comparison:
    """Runs the scene under every combination of what is given, against an exact reference.

    A law has its keys behind colons: ``"cundall-strack:stiffness=1e4:damping=5"``. ``epsilons`` [m/s] are
    of laws that have one; ``steps`` [s]. ``methods`` are contact methods. Without ``integrators`` and
    ``methods``: all integrators. ``accuracy``: every run is at the step that gives it, sought within
    ``max_time`` of CPU time [s] each, else that of the scene (docs/accuracy.md). ``jobs``: runs at a time, 0 for one per core. ``report``: a folder for
    figures, tables and a page.

    Raises :class:`SceneError` where the scene is at fault, :class:`UsageError` where a name is unknown. A
    run that fails is a row that says so.
    """
    lists = [
        _texts(methods),
        _texts(integrators),
        _texts(laws),
        _numbers(epsilons),
        _numbers(steps),
        _texts(lags),
        _texts(solvers),
    ]
    folder = None if report is None else os.fspath(report)
    asked = accuracy_of(accuracy, max_time, verify)
    if asked and lists[4]:
        raise UsageError("accuracy finds the steps: leave out steps")
    with progress_of(progress) as told:
        document = _core.compare(
            scene._native, lists, reference, _means(verify), asked, jobs, folder, told
        )
    return Comparison.of_rows(document["rows"], document)  # type: ignore[return-value]


class Sweep(Table):
    """One row per job: the keys that are varied, the status, every figure, the verdict. ``failed`` has
    the numbers of the jobs that failed; ``units`` the units of the columns."""

    failed: list[int]


def sweep(
    scene: Scene,
    vary: Mapping[str, Any] | Iterable[str],
    out: Path | None = None,
    *,
    sample: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    verify: str | bool | None = None,
    accuracy: str | float | None = None,
    max_time: float | None = None,
    jobs: int | None = None,
    retry: bool = False,
    max_jobs: int = 1_000_000,
    progress: bool | Report | None = None,
) -> Sweep:
    """Runs the scene with some of its keys varied, all of them crossed.

    ``vary``: ``{"contact.friction.epsilon": [1e-4, 1e-3], "time.step": "1e-5..1e-3:log:5"}``: a list of
    values or a range as on the command line. ``sample``: ``"random"`` or ``"latin"`` draws ``samples``
    points from ranges without a number, from ``seed``. ``out``: a folder with one file per job; the same
    sweep again does what is missing, here or by ``stiction sweep`` on other machines. Without it nothing
    is kept. ``accuracy``: every job is at the step that gives it, sought within ``max_time`` of CPU time [s]
    each (docs/accuracy.md). ``retry`` runs again what failed.
    """
    if (sample is None) != (samples is None):
        raise UsageError("sample and samples go together: how points are drawn, and how many")
    if sample not in (None, "random", "latin"):
        raise UsageError(f'sample is "random" or "latin", not {sample!r}')
    texts = [_axis(name, values) for name, values in vary.items()] if isinstance(vary, Mapping) else list(vary)
    asked = accuracy_of(accuracy, max_time, verify)
    drawn = None if sample is None else (sample, int(samples or 0), seed)
    with tempfile.TemporaryDirectory() as kept, progress_of(progress) as told:
        folder = kept if out is None else os.fspath(out)
        columns, units, failed = _core.sweep(
            scene._native, texts, folder, drawn, _means(verify), asked, jobs, retry, max_jobs, told
        )
    result = Sweep(columns, units)
    result.failed = failed
    return result


def _axis(name: str, values: Any) -> str:
    if isinstance(values, str):
        return f"{name}={values}"
    if hasattr(values, "tolist"):
        values = values.tolist()
    if not isinstance(values, (list, tuple, range)):
        values = [values]
    return f"{name}=" + ",".join(_toml.value(one) for one in values)


class Tuning(Table):
    """One row per law and integrator that was tried. ``best``: the cheapest that holds and was verified,
    ``None`` where nothing holds; ``fragment``: the part of a scene file that says so."""

    @property
    def best(self) -> dict[str, Any] | None:
        """The cheapest combination within the budget: law, epsilon, integrator, step, cost, creep."""
        return self.document["best"]  # type: ignore[no-any-return]

    @property
    def so_far(self) -> dict[str, Any] | None:
        """The cheapest so far, of a search whose time was up before it was verified."""
        return self.document["so_far"]  # type: ignore[no-any-return]

    @property
    def fragment(self) -> str | None:
        """The part of a scene file that says so."""
        return self.document["fragment"]  # type: ignore[no-any-return]

    @property
    def settings(self) -> dict[str, Any]:
        """What :meth:`Scene.set` takes to have the best combination."""
        if self.best is None:
            return {}
        law, *keys = self.best["law"].split(":")
        found: dict[str, Any] = {"contact.friction.law": law}
        for text in keys:
            name, value = text.split("=", 1)
            found[f"contact.friction.{name}"] = float(value)
        if self.best["epsilon"] is not None:
            found["contact.friction.epsilon"] = self.best["epsilon"]
        return {**found, "integrator.method": self.best["integrator"], "time.step": self.best["step"]}


def tune(
    scene: Scene,
    creep: float,
    *,
    seconds: float | None = None,
    penetration: float | None = None,
    energy: float | None = None,
    accuracy: float | None = None,
    laws: Names = None,
    epsilons: Sequence[float] | None = None,
    integrators: Names = None,
    steps: Sequence[float] | None = None,
    cost: str = "cpu",
    exhaustive: bool = False,
    verify: str | bool | None = "step",
    max_time: float | None = None,
    jobs: int = 0,
    progress: bool | Report | None = None,
) -> Tuning:
    """The cheapest law, ε, integrator and step under which no body creeps faster than ``creep`` [m/s].

    ``penetration`` [m] and ``energy``, a share of the energy that went through, are further bounds;
    ``accuracy`` is that of the error bars of the answer, a share of the scale of each measure.
    ``seconds``: length of each run [s]. ``cost``: ``"cpu"`` seconds or force ``"evaluations"`` per
    simulated second; the latter are the same on every machine. ``max_time`` [s]: wall time of the search.
    """
    if cost not in ("cpu", "evaluations"):
        raise UsageError(f'cost is "cpu" or "evaluations", not {cost!r}')
    for name, number in (("creep", creep), ("seconds", seconds), ("penetration", penetration), ("energy", energy), ("accuracy", accuracy)):
        if number is not None and not number > 0:
            raise UsageError(f"{name} must be above zero, not {number}")
    if accuracy is not None and _means(verify) is None:
        raise UsageError("accuracy is of error bars, which verify leaves out")
    names = tuple(None if given is None else _texts(given) for given in (laws, integrators))
    numbers = tuple(None if given is None else [float(x) for x in given] for given in (epsilons, steps))
    with progress_of(progress) as told:
        document = _core.tune(
            scene._native,
            (creep, penetration, energy, accuracy),
            seconds,
            names,
            numbers,
            cost,
            exhaustive,
            _means(verify),
            max_time,
            jobs,
            told,
        )
    return Tuning.of_rows(document["candidates"], document)  # type: ignore[return-value]


class Stiffness(Table):
    """One row per integrator: its largest stable step [s], what limits it, its price. ``states`` has
    rates of every particle and the outermost eigenvalues, at the start and settled."""

    @property
    def states(self) -> list[dict[str, Any]]:
        """The states that were analysed."""
        return list(self.document["states"])


def stiffness(
    scene: Scene, *, at: float | None = None, limit: float = 300.0, progress: bool | Report | None = None
) -> Stiffness:
    """The largest stable step of every integrator, and why.

    ``at``: at this time of the scene's own run [s], instead of where it settles under the loads of t = 0.
    ``limit``: wall time after which it gives up [s]; ``document["missing"]`` says what is wanting.
    """
    with progress_of(progress) as told:
        document = _core.stiffness(scene._native, at, limit, told)
    return Stiffness.of_rows(document["integrators"], document)  # type: ignore[return-value]


class Validation(Table):
    """One row per figure: group, case, variant, reference, measured, error, tolerance, within."""

    @property
    def within_tolerance(self) -> bool:
        """Whether every figure is."""
        return all(self["within"])


def validate(only: Names = None, *, progress: bool | Report | None = None) -> Validation:
    """Runs the cases whose answers are known, all or the groups named (``"P3"``), on all cores. All of
    them take minutes."""
    with progress_of(progress) as told:
        document = _core.validate(_texts(only), told)
    rows = [
        {"group": case["group"], "case": case["case"], **figure}
        for case in document["cases"]
        for figure in case["figures"]
    ]
    return Validation.of_rows(rows, document)  # type: ignore[return-value]
