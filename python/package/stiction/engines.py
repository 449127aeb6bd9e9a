"""Engines by their formulas: how fast each creeps under a load, and which step it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _core

__all__ = ["Change", "Creep", "creep", "creep_engines"]


@dataclass(frozen=True)
class Change:
    """Parameters that keep a budget: ``set``, their values; ``creep`` with them [m/s]; ``exact``, whether that
    is a closed form; ``largest_step`` [s] or None; ``price``, one sentence."""

    set: dict[str, float]
    creep: float
    exact: bool
    largest_step: float | None
    price: str


@dataclass(frozen=True)
class Creep:
    """The answer of an engine to a load.

    ``motion``: creeps, rests, chatters, slides, tips or unknown. ``creep`` [m/s] and ``per_minute`` [m]: None where
    there is no steady creep. ``offset`` [m]: of a body that rests on springs. ``acceleration`` [m/s²]: of one that
    slides. ``exact``: runs of the engine confirmed it, and ``compared`` names them; else ``estimate`` says why not.
    ``formula``, ``sources`` (keys of references.bib). ``stable_step`` [s]: None without a limit; ``step`` [s]:
    reckoned with. ``advice``: sentences. ``changes``: what keeps ``budget``. ``document``: all of it, as JSON has it.
    """

    engine: str
    motion: str
    creep: float | None
    per_minute: float | None
    offset: float | None
    acceleration: float | None
    exact: bool
    estimate: str | None
    compared: str | None
    formula: str
    sources: list[str]
    stable_step: float | None
    step: float
    advice: list[str]
    changes: list[Change]
    document: dict[str, Any]

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimate"
        speed = "" if self.creep is None else f" at {self.creep:.4g} m/s"
        return f"<Creep of {self.engine}: {self.motion}{speed}, {kind}>"


def creep(engine: str, *, budget: float | None = None, **parameters: Any) -> Creep:
    """How fast an engine creeps under a load, by its formula; nothing is run.

    ``parameters`` are those of :func:`creep_engines`: the load (``mass``, ``slope``, ``friction``, ...) and the
    engine's own; for MuJoCo ``mjcf``, the text of a model, gives what is missing, with ``body`` and ``other`` the
    names of the two sides of a contact. With ``budget`` [m/s] ``changes`` has the parameters that keep it. An engine
    or a parameter that there is not, or a value out of its range, raises ``UsageError``.
    """
    given = {key: value for key, value in parameters.items() if value is not None}
    if budget is not None:
        given["budget"] = budget
    document = _core.creep(engine, given)
    changes = (document["budget"] or {}).get("changes", [])
    step = document["step"]
    names = ["engine", "motion", "creep", "per_minute", "offset", "acceleration", "exact", "estimate", "compared"]
    return Creep(
        **{name: document[name] for name in [*names, "formula", "sources", "advice"]},
        stable_step=step["largest"],
        step=step["used"],
        changes=[Change(**change) for change in changes],
        document=document,
    )


def creep_engines() -> dict[str, Any]:
    """Engines with their parameters: ``engines``, each with ``name``, ``about`` and ``keys``; ``load``, the
    parameters that all of them have. A parameter has ``name``, ``about``, ``kind``, ``unit``, ``min``, ``max``,
    ``words`` and ``default``."""
    return _core.creep_engines()
