"""Questions, formulas, answers, scoreboard, command and plugin."""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from at_hand import missing

from friction_exam import ask, formula, question, scene, scoreboard
from friction_exam.engine import Engine, Impossible, Stopped
from friction_exam.record import Pose

ROOT = Path(__file__).resolve().parents[2]
RESULTS = sorted((ROOT / "exam/results").glob("*.json"))
QUESTIONS = question.all_questions()


class Exact(Engine):
    """A block under Coulomb's law, in closed form; `wrong` multiplies its friction."""

    package = "none"
    settings = {"default": {"about": "exact"}, "best": {"about": "exact"}}
    step = 1e-3
    wrong = 1.0

    @staticmethod
    def version():
        return "0"

    def __init__(self, scene, options, step):
        self.scene, self.now, self.step = scene, 0.0, step

    def pose(self, body):
        b = self.scene.body[0]
        a = self.wrong * self.scene.friction * 9.81
        speed = np.linalg.norm(b.velocity)
        t = min(self.now, speed / a)
        direction = np.array(b.velocity) / speed
        return Pose(np.array(b.position) + direction * (speed * t - a * t * t / 2), direction * (speed - a * t))

    def advance(self):
        self.now += self.step


def test_a_right_engine_is_first_class_and_a_wrong_one_is_not():
    q = next(q for q in QUESTIONS if q.name == "stopping-distance")
    assert ask.ask(Exact, q).grade == "first"
    wrong = type("Wrong", (Exact,), {"wrong": 1.05})
    answer = ask.ask(wrong, q)
    assert answer.grade == "missed" and answer.error == pytest.approx(q.reference * (1 / 1.05 - 1), rel=1e-3)


def test_no_and_failed_are_told_apart():
    q = QUESTIONS[0]

    def refuse(error):
        def begin(self, *_):
            raise error

        return type("Refuses", (Exact,), {"__init__": begin})

    assert ask.ask(refuse(Impossible("belts")), q).grade == "no"
    assert ask.ask(refuse(Stopped("blew up")), q).grade == "failed"
    assert ask.ask(refuse(ValueError("x")), q).grade == "failed"
    says = next(q for q in QUESTIONS if q.measure["kind"] == "warned")
    assert ask.ask(refuse(Stopped("blew up")), says).grade == "first"


def test_equal_cpu_chooses_the_step():
    q = next(q for q in QUESTIONS if q.name == "stopping-distance")
    small, large = (ask.ask(Exact, q, ask.EQUAL, cpu=cpu).step for cpu in (0.05, 0.005))
    assert ask.STEPS[0] <= small < large <= ask.STEPS[1]


def test_sources_are_in_the_bibliography():
    keys = set(re.findall(r"@\w+\{([\w-]+),", (ROOT / "references.bib").read_text()))
    for q in QUESTIONS:
        assert set(q.sources) <= keys, q.name


def test_questions_say_why():
    assert len({q.name for q in QUESTIONS}) >= 40
    for q in QUESTIONS:
        assert min(len(q.derivation), len(q.why), len(q.caught), len(q.asks)) > 8, q.name


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("value = 0.50968", "value = 0.60968", "the formula gives"),
        ("mass = 1.0", "mass = 1.0\nmas = 2", "there is no key 'mas'"),
        ("first = ", "first = 5\nfirst_ = ", "0 < first"),
        ('velocity.0"', 'velocity.7"', "there is no"),
        ('unit = "m"', "", "'unit' is needed"),
        ("seconds = 1.0", "seconds = -1.0", "seconds = -1.0"),
    ],
)
def test_wrong_questions_are_named(tmp_path, old, new, words):
    text = (question.FOLDER / "stopping-distance.toml").read_text()
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(question.QuestionError, match=re.escape(words)):
        question.load(path)


def test_formulas_run_no_code():
    assert formula.value("2*x**2 - sqrt(4)", {"x": 3}) == 16
    for text in ("__import__('os')", "x.real", "[1][0]", "y", "1/0", "2 +"):
        with pytest.raises(formula.FormulaError):
            formula.value(text, {"x": 1})


def test_moments_of_solids():
    box = scene.Body("b", 3.0, box=(0.1, 0.2, 0.3)).moments()
    assert box == pytest.approx((3 * (0.04 + 0.09) / 3, 3 * (0.01 + 0.09) / 3, 3 * (0.01 + 0.04) / 3))
    # a capsule without length is a ball, one without radius a rod
    assert scene.Body("c", 2.0, capsule=(0.5, 0.0)).moments() == pytest.approx((0.2,) * 3)
    assert scene.Body("c", 2.0, capsule=(1e-9, 0.5)).moments()[0] == pytest.approx(2 * 0.25 / 3)


def test_the_scoreboard_is_that_of_the_results():
    assert RESULTS, "no results are there"
    files = [scoreboard.load(path) for path in RESULTS]
    text = scoreboard.markdown(QUESTIONS, files)
    assert text == (ROOT / "docs/exam_scoreboard.md").read_text(encoding="utf-8")
    page = scoreboard.page(QUESTIONS, files)
    assert all(q.title.replace("'", "&#x27;") in page for q in QUESTIONS)


def module(*words):
    """The package as a command."""
    call = [sys.executable, "-m", *words]
    return subprocess.run(call, capture_output=True, text=True, cwd=ROOT / "exam")


def test_the_command_and_the_plugin(tmp_path):
    if importlib.util.find_spec("mujoco") is None:
        missing("mujoco", "mujoco")
    out = tmp_path / "answers.json"
    words = ("friction_exam", "--engine", "mujoco", "--question", "creep-on-*", "--out", str(out))
    assert module(*words).returncode == 0
    assert module(*words, "--strict").returncode == 11
    answer = json.loads(out.read_text())["answers"][0]
    # the figure of the referee: docs/creep.md
    assert answer["value"] == pytest.approx(949.47e-6, rel=1e-4)
    test = ("pytest", "-q", "-p", "friction_exam.plugin", "-p", "no:cacheprovider", "friction_exam/test_exam.py")
    test += ("--friction-exam", "mujoco", "--friction-exam-questions", "creep-on-*")
    done = module(*test)
    assert done.returncode == 1 and "missed (third allowed)" in done.stdout, done.stdout
    assert module(*test, "--friction-exam-baseline", str(out)).returncode == 0
    assert module("friction_exam", "--engine", "none").returncode == 2
    assert module("friction_exam", "--question", "nothing").returncode == 2
