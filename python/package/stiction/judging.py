"""The verdict on a run of any engine, from its log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np

from . import _core

__all__ = ["Answer", "Judgement", "judge"]


@dataclass(frozen=True)
class Answer:
    """The answer of a check on a body.

    ``kind``: clear, found, fault or not judged. ``reason``: the name of a fault, else None. ``text``: what was
    compared, with its numbers, or what is missing.
    """

    check: str
    body: str
    kind: str
    reason: str | None
    text: str

    def __repr__(self) -> str:
        return f"<Answer of {self.check!r} on {self.body!r}: {self.reason or self.kind}: {self.text}>"


@dataclass(frozen=True)
class Judgement:
    """The verdict on a log.

    ``verdict``: not trusted, no fault found or not judged, where no check of friction could compare anything.
    ``answers``: one or more of each check on each body. ``unread``: names of arrays that are not read.
    ``document``: all of it, as JSON has it.
    """

    verdict: str
    answers: list[Answer]
    unread: list[str]
    document: dict[str, Any]

    @property
    def faults(self) -> list[Answer]:
        """The answers that are faults."""
        return [answer for answer in self.answers if answer.kind == "fault"]

    @property
    def not_judged(self) -> list[Answer]:
        """The answers of checks that could compare nothing."""
        return [answer for answer in self.answers if answer.kind == "not judged"]

    def of(self, check: str, body: str | None = None) -> list[Answer]:
        """The answers of a check, on one body or all."""
        return [one for one in self.answers if one.check == check and body in (None, one.body)]

    def __repr__(self) -> str:
        judged = len(self.answers) - len(self.not_judged)
        faults = ", ".join(sorted({answer.reason or "" for answer in self.faults}))
        return f"<Judgement: {self.verdict}{': ' + faults if faults else ''}, {judged} of {len(self.answers)} judged>"


def judge(
    log: Mapping[str, Any] | str | PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    friction: float | None = None,
    mass: float | None = None,
    slope: float | None = None,
    creep: float | None = None,
    law: float | None = None,
    moving: bool = False,
) -> Judgement:
    """Judges the log of a run of any engine: arrays by their names, or a file ``.npz`` or ``.csv``.

    docs/judging.md has the arrays and all thresholds; ``time`` and ``position`` are needed. ``gravity`` [m/s²];
    ``friction``, the coefficient of contacts without one; ``mass`` [kg] of bodies without one; ``slope`` [degrees]
    of a plane that bears the bodies of a log without contacts; ``creep`` [m/s] above which a body does not hold;
    ``law``, the creep of the engine's law [m/s], as :func:`stiction.creep` has it; ``moving``: the surroundings
    may move. A missing array, one of another shape or a number that makes no sense raises ``UsageError``.
    """
    options = {
        "gravity": None if gravity is None else [float(x) for x in gravity],
        "friction": friction,
        "mass": mass,
        "slope": slope,
        "creep": creep,
        "law": law,
        "moving": moving,
    }
    if isinstance(log, Mapping):
        document = _core.judge({name: _array(value) for name, value in log.items()}, options)
    else:
        document = _core.judge_file(fspath(log), options)
    answers = [Answer(**answer) for answer in document["answers"]]
    return Judgement(document["verdict"], answers, document["unread"], document)


def _array(value: Any) -> tuple[list[int], Any]:
    """The shape of an array with its numbers in C order, or with its texts."""
    array = np.asarray(value)
    if array.dtype.kind in "biuf":
        return list(array.shape), np.ascontiguousarray(array, "f8").reshape(-1)
    return list(array.shape), [str(text) for text in array.reshape(-1)]
