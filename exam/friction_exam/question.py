"""A question: a scene, what is measured, the right answer and how it follows, three classes of tolerance."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path

from . import formula, scene

HERE = Path(__file__).resolve().parent
# beside the package in a checkout, inside it where it is installed
FOLDER = next(f for f in (HERE / "questions", HERE.parent / "questions") if f.is_dir())
CLASSES = ("first", "second", "third")
NEEDED = ("title", "topic", "asks", "unit", "why", "caught", "sources", "reference", "tolerance", "measure", "scene")


class QuestionError(ValueError):
    """A question that cannot be read; the text names file and key."""


@dataclass
class Question:
    """One file of `questions/`."""

    name: str
    title: str
    topic: str
    asks: str
    unit: str
    why: str
    caught: str
    """real bugs that this question shows"""
    sources: list[str]
    """keys of references.bib"""
    reference: float
    derivation: str
    tolerance: dict[str, float]
    """largest |value − reference| of each class"""
    measure: dict
    runs: dict[str, dict]
    """name of a run → the table of its scene"""
    answer: str
    """formula of the answer from the measures of the runs"""

    def scene(self, run: str) -> scene.Scene:
        """The scene of a run."""
        return scene.read(self.runs[run])

    def grade(self, value: float) -> str:
        """Class of an answer, or "missed"."""
        off = abs(value - self.reference)
        return next((c for c in CLASSES if off <= self.tolerance[c]), "missed")


def load(path: Path) -> Question:
    """A question from its file."""
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        return _question(path.stem, table)
    except (KeyError, ValueError) as error:
        raise QuestionError(f"{path.name}: {error}") from None


def _question(name: str, table: dict) -> Question:
    for key in NEEDED:
        if key not in table:
            raise ValueError(f"{key!r} is needed")
    for key in table:
        if key not in (*NEEDED, "run", "answer"):
            raise ValueError(f"there is no key {key!r}")
    base = table["scene"]
    runs = {r["name"]: scene.changed(base, r.get("change", {})) for r in table.get("run", [])}
    runs = runs or {"value": base}
    tolerance = {c: float(table["tolerance"][c]) for c in CLASSES}
    if not 0 < tolerance["first"] <= tolerance["second"] <= tolerance["third"]:
        raise ValueError("tolerance: 0 < first ≤ second ≤ third is needed")
    question = Question(
        name=name,
        reference=derived(table["reference"], base),
        derivation=table["reference"]["derivation"],
        tolerance=tolerance,
        runs=runs,
        answer=table.get("answer", "value"),
        **{key: table[key] for key in ("title", "topic", "asks", "unit", "why", "caught", "sources", "measure")},
    )
    for run in runs:
        question.scene(run)
    formula.value(question.answer, dict.fromkeys(runs, 1.0))
    return question


def derived(reference: dict, base: dict) -> float:
    """The right answer by its formula, from the numbers of the scene; the stated value must agree."""
    given = reference.get("given", {})
    names = {k: scene.found(base, v) if isinstance(v, str) else v for k, v in given.items()}
    for condition in reference.get("conditions", []):
        if formula.value(condition, names) is not True:
            raise ValueError(f"reference: the condition {condition!r} does not hold with {names}")
    value, stated = float(formula.value(reference["formula"], names)), float(reference["value"])
    if not math.isclose(value, stated, rel_tol=1e-9, abs_tol=1e-15):
        raise ValueError(f"reference: the formula gives {value!r}, stated is {stated!r}")
    return value


def all_questions(pattern: str = "*") -> list[Question]:
    """The questions whose names fit a pattern, in the order of their topics and names."""
    asked = [load(path) for path in sorted(FOLDER.glob("*.toml")) if path.match(f"{pattern}.toml")]
    return sorted(asked, key=lambda q: (q.topic, q.name))
