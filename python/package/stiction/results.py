"""What comes out of runs: verdicts, measures, frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Expectation", "Frames", "Measures", "Outcome", "Reason", "Table", "Verdict"]

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Reason:
    """One reason against a run: ``name`` has a page (``stiction explain NAME``), ``message`` its numbers."""

    name: str
    message: str

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


@dataclass(frozen=True)
class Verdict:
    """How far the numbers of a run can be trusted.

    ``level``: ``"not trusted"``, ``"no fault found"``, which is no proof, ``"draft"``, the same of a single run
    that is to be right to about 1 %, or ``"trusted"``: runs at other steps agree (``verify=``). ``error``: the largest
    error of a measure as a share of its scale, ``None`` where the run was not verified. ``advice``: keys of the scene
    and the values to try next where a finished run is not trusted, ready for ``set``.
    """

    level: str
    trusted: bool
    error: float | None
    reasons: tuple[Reason, ...]
    outweighed: tuple[Reason, ...]
    advice: Mapping[str, str] | None = None

    @property
    def faultless(self) -> bool:
        """Whether there is no reason against the run."""
        return not self.reasons

    @classmethod
    def of(cls, trust: Mapping[str, Any]) -> Verdict:
        """The verdict of ``run.json``."""
        reasons, outweighed = (
            tuple(Reason(**one) for one in trust[name]) for name in ("reasons", "outweighed")
        )
        advice = (trust.get("advice") or {}).get("set")
        return cls(trust["level"], trust["trusted"], trust["error"], reasons, outweighed, advice)

    def __str__(self) -> str:
        if self.reasons:
            return "not trusted: " + ", ".join(reason.name for reason in self.reasons)
        if self.error is None:
            return self.level
        return f"trusted to {max(100 * self.error, 1e-4):.2g} %"


@dataclass(frozen=True)
class Expectation:
    """What a scene expects of a measure, and what came out. ``error``: how wrong ``measured`` may be."""

    measure: str
    expected: float
    tolerance: float
    measured: float | None
    error: float | None
    met: bool
    in_doubt: bool


class Measures(dict[str, Floats]):
    """One array (F,) per column of ``measures.csv``, by name; ``pandas.DataFrame(measures)`` takes it.

    ``units[name]`` is the unit of a column in SI. ``errors[name]`` is its error bar at every frame, of a
    run that was verified.
    """

    def __init__(
        self, columns: dict[str, Floats], units: dict[str, str], errors: dict[str, Floats]
    ) -> None:
        super().__init__(columns)
        self.units = units
        self.errors = errors

    def __missing__(self, name: str) -> Floats:
        raise KeyError(f"there is no measure {name!r}; there are {', '.join(self)}")

    def __repr__(self) -> str:
        shown = ", ".join(f"{name} [{self.units.get(name)}]" for name in self)
        return f"<Measures of {len(self['time'])} frames: {shown}>"


@dataclass(frozen=True)
class Frames:
    """States of all particles at every frame: ``time`` (F,) [s], ``positions`` (F, N, 3) [m],
    ``velocities`` (F, N, 3) [m/s]."""

    time: Floats
    positions: Floats
    velocities: Floats

    def __len__(self) -> int:
        return len(self.time)


@dataclass(frozen=True)
class Outcome:
    """A run that has ended.

    ``measures``: numbers at every frame; ``frames``: states, where they were asked for;
    ``document``: the content of ``run.json``; ``state_hash``: of the bits of the last positions and
    velocities, the same as on the command line.
    """

    verdict: Verdict
    measures: Measures
    frames: Frames | None
    state_hash: str
    document: dict[str, Any]
    remarks: tuple[str, ...]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Outcome:
        """What the native half tells of a run."""
        document = told["document"]
        measures = Measures(told["measures"], told["units"], told["errors"])
        frames = None
        if "positions" in told:
            frames = Frames(measures["time"], told["positions"], told["velocities"])
        return cls(
            verdict=Verdict.of(document["trust"]),
            measures=measures,
            frames=frames,
            state_hash=told["state_hash"],
            document=document,
            remarks=tuple(told["remarks"]),
        )

    @property
    def status(self) -> str:
        """``"completed"``, ``"failed"`` or ``"interrupted"``."""
        return str(self.document["status"])

    @property
    def error(self) -> float | None:
        """The error bar of the run: the largest error of a measure as a share of its scale."""
        return self.verdict.error

    @property
    def steps(self) -> int:
        """Steps taken."""
        return int(self.document["steps"])

    @property
    def creep(self) -> list[dict[str, Any]]:
        """Creep of each body in contact over the last quarter of the run [m/s], and its parts."""
        return list(self.document["creep"])

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        """What the scene expects, and what came out."""
        return tuple(Expectation(**one) for one in self.document["expectations"])

    @property
    def met(self) -> bool:
        """Whether all expectations of the scene were met, none of them in doubt."""
        return all(one.met and not one.in_doubt for one in self.expectations)

    def __repr__(self) -> str:
        title = self.document["title"]
        return f"<Outcome of {title!r}: {self.status}, {self.steps} steps, {self.verdict}>"


class Table(dict[str, list[Any]]):
    """Columns by name, all of the same length: ``pandas.DataFrame(table)`` takes it.

    ``rows`` gives the same as one dict per row, ``units`` the units of the columns where they have one,
    ``document`` all that the command line would have written as JSON.
    """

    def __init__(
        self,
        columns: dict[str, list[Any]],
        units: dict[str, str] | None = None,
        document: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(columns)
        self.units = units or {}
        self.document = document or {}

    @classmethod
    def of_rows(cls, rows: list[dict[str, Any]], document: dict[str, Any] | None = None) -> Table:
        """The table of dicts, which need not have the same keys."""
        names = list(dict.fromkeys(name for row in rows for name in row))
        return cls({name: [row.get(name) for row in rows] for name in names}, document=document)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One dict per row."""
        names = list(self)
        return [dict(zip(names, row)) for row in zip(*self.values())]

    def __missing__(self, name: str) -> list[Any]:
        raise KeyError(f"there is no column {name!r}; there are {', '.join(self)}")

    def __repr__(self) -> str:
        count = len(next(iter(self.values()), []))
        return f"<{type(self).__name__} of {count} rows: {', '.join(self)}>"
