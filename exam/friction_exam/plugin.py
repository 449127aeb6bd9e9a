"""The plugin of pytest: `pytest --pyargs friction_exam.test_exam --friction-exam ENGINE`."""

import json
from pathlib import Path

from .question import all_questions


def pytest_addoption(parser):
    """The options."""
    group = parser.getgroup("friction exam")
    group.addoption("--friction-exam", metavar="NAME|FILE", help="engine, or a file with its adapter")
    group.addoption("--friction-exam-settings", default="default", help="default, best or equal-cpu")
    group.addoption("--friction-exam-questions", default="*", help="pattern of their names")
    group.addoption(
        "--friction-exam-baseline",
        metavar="FILE",
        help="answers of an earlier exam: a question fails if its class is worse than there; "
        "without it every answer beyond the third class fails",
    )


def pytest_generate_tests(metafunc):
    """One test a question."""
    if "exam_question" in metafunc.fixturenames:
        questions = all_questions(metafunc.config.getoption("--friction-exam-questions"))
        metafunc.parametrize("exam_question", questions, ids=[q.name for q in questions])


def before(config) -> dict[str, str]:
    """Classes of the baseline."""
    path = config.getoption("--friction-exam-baseline")
    answers = json.loads(Path(path).read_text())["answers"] if path else []
    return {a["question"]: a["grade"] for a in answers}
