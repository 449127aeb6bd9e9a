"""Asking an engine: a question's runs, its answer, its class."""

from __future__ import annotations

import math
import platform
import os
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

from . import formula
from .engine import Engine, Impossible, Stopped
from .measure import measured
from .question import Question
from .record import Record

EQUAL = "equal-cpu"
STEPS = (1e-5, 0.02)
"""shortest and longest step that equal CPU time may ask for [s]"""


@dataclass
class Answer:
    """What an engine answered: a value with its class, "no" with the reason, or "failed" with the error."""

    question: str
    grade: str
    """first, second, third, missed, no, failed"""
    value: float | None = None
    error: float | None = None
    """value − reference"""
    cpu: float | None = None
    """CPU time of stepping, all runs [s]"""
    step: float | None = None
    note: str = ""


def ask(
    adapter: type[Engine],
    question: Question,
    settings: str = "default",
    step: float | None = None,
    cpu: float | None = None,
    log: Path | None = None,
) -> Answer:
    """Asks one question. With settings `equal-cpu` the best settings get the step that spends `cpu`
    seconds on each run."""
    options = adapter.settings["best" if settings == EQUAL else settings]
    try:
        records = {}
        for run in question.runs:
            own = _equal(adapter, question, run, options, cpu) if settings == EQUAL else step
            records[run] = _run(adapter, question, run, options, own)
            if log is not None:
                path = log / f"{question.name}.{run}.npz"
                records[run].save(path, adapter.__module__.rpartition(".")[2], adapter.version(), settings)
        values = {run: measured(record, question.measure) for run, record in records.items()}
        value = float(formula.value(question.answer, values))
    except Impossible as reason:
        return Answer(question.name, "no", note=str(reason))
    except Stopped as said:
        if question.measure["kind"] == "warned":
            return Answer(question.name, question.grade(1.0), 1.0, 1.0 - question.reference, note=str(said))
        return Answer(question.name, "failed", note=str(said))
    except Exception as error:  # an engine may fail in any way, and its row says so
        return Answer(question.name, "failed", note=f"{type(error).__name__}: {error}"[:300])
    used = list(records.values())
    told = "; ".join(dict.fromkeys(r.note for r in used if r.note))
    answer = Answer(
        question.name, "missed", cpu=sum(r.cpu for r in used), step=used[0].step, note=told
    )
    if math.isfinite(value):
        answer.grade, answer.value = question.grade(value), value
        answer.error = value - question.reference
    else:
        answer.note = "; ".join(filter(None, (told, f"the answer is {value}")))
    return answer


def _run(adapter, question: Question, run: str, options: dict, step: float | None) -> Record:
    scene = question.scene(run)
    asked = scene.step or step or options.get("step", adapter.step)
    # a whole number of steps
    step = scene.seconds / max(1, round(scene.seconds / asked))
    return adapter(scene, options, step).run(scene, step)


def _equal(adapter, question: Question, run: str, options: dict, cpu: float | None) -> float | None:
    """The step at which a run costs `cpu` seconds, from what 100 steps cost; none where the scene sets its own."""
    scene = question.scene(run)
    if scene.step or cpu is None:
        return None
    step = options.get("step", adapter.step)
    scene.seconds = min(scene.seconds, 100 * step)
    trial = adapter(scene, options, step).run(scene, step)
    each = max(trial.cpu / trial.steps, 1e-7)
    return min(max(question.scene(run).seconds * each / cpu, STEPS[0]), STEPS[1])


def results(adapter: type[Engine], name: str, settings: str, answers: list[Answer]) -> dict:
    """A results file: who answered, where, when, and the answers."""
    return {
        "format": 1,
        "engine": name,
        "version": adapter.version(),
        "settings": settings,
        "options": adapter.settings["best" if settings == EQUAL else settings],
        "package": adapter.package,
        "date": date.today().isoformat(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
        "answers": [asdict(a) for a in answers],
    }
