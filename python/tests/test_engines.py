"""Engines by their formulas: the answers of the command line, as objects."""

import json
import math
import subprocess

import pytest

import stiction


def test_creep_is_the_answer_of_the_command_line(program):
    options = ["--mass", "1", "--slope", "15", "--friction", "0.5", "--set", "timeconst=0.02", "--budget", "1e-6"]
    command = [program, "creep", "--engine", "mujoco", *options, "--format", "json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    answer = stiction.creep("mujoco", mass=1, slope=15, friction=0.5, timeconst=0.02, budget=1e-6)
    assert answer.document == told
    assert answer.exact and answer.estimate is None and answer.motion == "creeps"
    assert answer.creep == pytest.approx(949.47e-6, rel=1e-4) and answer.stable_step == 0.01
    assert answer.per_minute == pytest.approx(60 * answer.creep)
    assert "mujocodocs" in answer.sources and answer.advice
    assert repr(answer) == "<Creep of mujoco: creeps at 0.0009495 m/s, exact>"
    for change in answer.changes:
        again = stiction.creep("mujoco", **{"slope": 15, **change.set})
        assert 0.98e-6 < again.creep <= 1e-6


def test_every_engine_answers_and_slides_above_the_cone():
    engines = stiction.creep_engines()["engines"]
    assert [one["name"] for one in engines][:2] == ["stiction", "mujoco"]
    for one in engines:
        assert stiction.creep(one["name"]).creep is not None
        slides = stiction.creep(one["name"], slope=40)
        assert slides.motion == "slides" and slides.creep is None
        angle = math.radians(40)
        assert slides.acceleration == pytest.approx(9.81 * (math.sin(angle) - 0.5 * math.cos(angle)))


def test_wrong_names_are_named():
    with pytest.raises(stiction.UsageError, match="did you mean `mujoco`"):
        stiction.creep("mujco")
    with pytest.raises(stiction.UsageError, match="timeconst"):
        stiction.creep("mujoco", timconst=0.1)
    with pytest.raises(stiction.UsageError, match="needs a number from 1e-9 to 1e9"):
        stiction.creep("mujoco", mass=float("inf"))
    with pytest.raises(TypeError):
        stiction.creep("mujoco", mass=[1])
