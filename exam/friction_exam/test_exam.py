"""The exam as tests: one a question."""

import pytest

from .ask import ask
from .engine import engine
from .plugin import before

RANK = {grade: n for n, grade in enumerate(("first", "second", "third", "missed", "failed"))}


def test_question(exam_question, pytestconfig):
    """The engine answers within the third class, or no worse than before."""
    name = pytestconfig.getoption("--friction-exam")
    if name is None:
        pytest.skip("--friction-exam ENGINE names the engine")
    answer = ask(engine(name), exam_question, pytestconfig.getoption("--friction-exam-settings"), cpu=0.5)
    if answer.grade == "no":
        pytest.skip(f"no: {answer.note}")
    worst = before(pytestconfig).get(exam_question.name, "third")
    worst = "failed" if worst == "no" else worst
    right = f"{exam_question.asks}: {answer.value} {exam_question.unit}, right is {exam_question.reference}"
    assert RANK[answer.grade] <= RANK[worst], f"{answer.grade} ({worst} allowed): {right}. {answer.note}"
