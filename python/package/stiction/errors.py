"""Exceptions. Each is a :class:`StictionError`; a mistake in a call is a :class:`UsageError`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Outcome

__all__ = [
    "NotTrusted",
    "OutputError",
    "Problem",
    "SceneError",
    "SimulationError",
    "StictionError",
    "UsageError",
]


class StictionError(Exception):
    """Any error of this package."""


class UsageError(StictionError, ValueError):
    """A call that cannot be carried out as it is written."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a scene, or may be.

    ``line`` and ``column`` count from 1; they and ``file`` are ``None`` where no text is at fault. ``key``
    is the path of the key at that place, as ``set`` takes it: ``contact.friction.epsilon``,
    ``body.0.mass``. ``code`` has a page of its own: ``stiction explain E204``.
    """

    code: str
    severity: str
    message: str
    help: str = ""
    notes: list[str] = field(default_factory=list)
    file: str | None = None
    line: int | None = None
    column: int | None = None
    key: str | None = None

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        text = f"{place}: " if place else ""
        text += f"{self.severity}[{self.code}]: {self.message}"
        return f"{text}\n  help: {self.help}" if self.help else text


class SceneError(StictionError):
    """A scene that cannot be read or built. ``problems`` has everything that is wrong with it."""

    def __init__(self, message: str, problems: list[Problem] | None = None) -> None:
        super().__init__(message)
        self.problems: list[Problem] = list(problems or [])


class SimulationError(StictionError):
    """A step that could not be taken. ``last_good`` is the time of the last good state [s]; of a run,
    ``outcome`` has what was recorded until then."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.last_good: float | None = None
        self.outcome: Outcome | None = None


class OutputError(StictionError):
    """Results that cannot be written or read."""


class NotTrusted(StictionError):
    """A run under ``strict=True`` whose verdict has reasons against it, or that did not meet what its
    scene expects. ``outcome`` has its numbers."""

    def __init__(self, message: str, outcome: Outcome | None = None) -> None:
        super().__init__(message)
        self.outcome = outcome
