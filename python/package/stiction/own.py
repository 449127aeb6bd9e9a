"""Friction laws and measures written in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from . import _core

__all__ = ["FrictionLaw", "Key", "Pair", "Scope", "Slip", "friction_law", "measure"]

Pair = _core.Pair
Scope = _core.Scope
Slip = _core.Slip

C = TypeVar("C", bound=type)
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Key:
    """A parameter of a law. ``default`` is a number, a text or a flag; without it the key must be given.
    ``range`` of a number: ``"any"``, ``"positive"`` or ``"non-negative"``."""

    default: float | str | bool | None = None
    unit: str = ""
    range: str = "any"
    about: str = ""


class FrictionLaw(Protocol):
    """What a friction law must have; see :func:`friction_law` for what it may have."""

    def force(self, slip: Slip, pair: Pair) -> tuple[float, float, float]:
        """The friction force on the particle [N]: tangential, inside the cone |F| ≤ max(μ_s, μ_k) N,
        zero at N = 0."""

    def sticks(self, slip: Slip, pair: Pair) -> bool:
        """Whether the contact sticks."""

    def damping(self, slip: Slip, pair: Pair) -> float:
        """The largest |∂F/∂v| [N·s/m] at this slip and N before it sticks; explicit steps must resolve
        damping/mass."""


def friction_law(
    name: str,
    keys: Mapping[str, Key | float | str | bool] | None = None,
    *,
    about: str = "",
    formula: str = "",
    replace: bool = False,
) -> Callable[[C], C]:
    """Gives a class of friction laws a name, which scenes, runs and experiments of this process know.

    ::

        @stiction.friction_law("arctan", {"epsilon": stiction.Key(1e-3, "m/s", "positive")})
        class Arctan:
            def __init__(self, epsilon):
                self.threshold = epsilon
            def force(self, slip, pair): ...
            def sticks(self, slip, pair): ...
            def damping(self, slip, pair): ...

    The class is made with the values of its keys, by name. Its methods are called for every contact
    several times a step, under the interpreter's lock: some microseconds each. They must be pure. Beside
    those of :class:`FrictionLaw` it may have: ``threshold`` ε [m/s] and ``stiffness`` [N/m], numbers;
    ``is_kinked``; ``creep(load_ratio, normal_force, pair)``, its steady creep [m/s] or ``None``;
    ``derivative(slip, pair)``, the derivatives of the force by displacement (3, 3) [N/m], by velocity
    (3, 3) [N·s/m] and by N (3,), else central differences; ``relax(slip, pair)``, the stretch [m] after
    an accepted step, which makes it a law with memory, with ``rate(slip, pair)`` [m/s].

    ``replace``: puts the class in the place of an earlier one of this name from Python, with its keys,
    as a notebook cell that is run again needs it.
    """
    fields = []
    for key_name, given in (keys or {}).items():
        one = given if isinstance(given, Key) else Key(given)
        fields.append((key_name, one.default, one.unit, one.range, one.about))

    def named(law: C) -> C:
        lines = (law.__doc__ or "").strip().splitlines()
        line = about or (lines[0] if lines else "a law from Python")
        _core.register_friction_law(name, law, fields, line, formula, replace)
        return law

    return named


def measure(
    name: str, unit: str, *, vector: bool = False, about: str = "", replace: bool = False
) -> Callable[[F], F]:
    """Gives a function that reads a measure a name, which scenes know as a ``kind`` of ``[[measure]]``.

    ::

        @stiction.measure("highest", "m")
        def highest(scope):
            return scope.positions[scope.particles, 2].max()

    It is called at every frame with a :class:`Scope`: ``time`` [s], ``particles`` (the selection),
    ``positions`` (N, 3) [m], ``velocities`` [m/s], ``forces`` [N], ``masses`` (N,) [kg]. It returns one
    number, or three where it is a ``vector``.
    """

    def named(read: F) -> F:
        lines = (read.__doc__ or "").strip().splitlines()
        line = about or (lines[0] if lines else "a measure from Python")
        _core.register_measure(name, read, unit, line, vector, replace)
        return read

    return named
