"""Logs of other engines, judged from arrays and files."""

import json
import subprocess

import numpy as np
import pytest

import stiction


def slide(factor=1.0):
    """A block of 1 kg that slides at μ = .4; its friction is ``factor`` times too large."""
    t = np.arange(300) * 1e-3
    x, v = 2 * t - 1.962 * t**2, 2 - 3.924 * t
    zero = np.zeros_like(t)
    rows = {name: np.stack([row, zero, zero], 1)[:, None] for name, row in (("position", x), ("velocity", v), ("spin", zero))}
    one = np.ones_like(t)
    return {
        "time": t,
        "body": ["box"],
        "mass": [1.0],
        "gravity": [0, 0, -9.81],
        "contact_frame": np.arange(300),
        "contact_normal": np.stack([zero, zero, one], 1),
        "contact_normal_force": 9.81 * one,
        "contact_friction": np.stack([-3.924 * factor * one, zero, zero], 1),
        "contact_mu": 0.4 * one,
        **rows,
    }


def test_arrays_are_judged_as_the_command_line_judges_their_file(program, tmp_path):
    path = tmp_path / "run.npz"
    np.savez(path, **slide(1.2))
    answer = stiction.judge(slide(1.2))
    shown = json.loads(
        subprocess.run([program, "judge", path, "--format", "json"], check=True, capture_output=True, text=True).stdout
    )
    assert answer.document == shown == stiction.judge(path).document
    assert answer.verdict == "not trusted"
    assert {fault.reason for fault in answer.faults} >= {"cone-exceeded", "forces-unbalanced"}
    assert "cone-exceeded" in repr(answer) and answer.of("friction cone", "box")[0].reason == "cone-exceeded"


def test_what_is_clear_and_what_is_missing_is_said():
    good = stiction.judge({**slide(), "Velocity": [1]})
    assert good.verdict == "no fault found" and not good.faults and good.unread == ["Velocity"]
    assert good.of("sliding friction")[0].kind == "clear"
    few = {name: slide()[name] for name in ("time", "position")}
    bare = stiction.judge(few, mass=1)
    assert bare.verdict == "not judged" and all(answer.text for answer in bare.not_judged)
    t = np.arange(400) * 0.01
    creeps = {"time": t, "position": np.stack([9.49e-4 * t, 0 * t, 0 * t], 1)}
    held = stiction.judge(creeps, mass=1, slope=15, friction=0.5, creep=1e-5)
    assert [fault.reason for fault in held.faults] == ["creep-above-limit"]
    # Fortran order and other types
    turned = {**slide(), "position": np.asfortranarray(slide()["position"]), "mass": np.array([1], ">f4")}
    assert stiction.judge(turned).document == stiction.judge(slide()).document


def test_logs_that_make_no_sense_are_refused():
    for change, words in [({"mass": [-1.0]}, "mass of box"), ({"time": np.zeros(300)}, "does not follow")]:
        with pytest.raises(stiction.UsageError, match=words):
            stiction.judge({**slide(), **change})
    with pytest.raises(stiction.UsageError, match="`position`"):
        stiction.judge({"time": [0, 1]})
    with pytest.raises(stiction.UsageError, match="no regular file"):
        stiction.judge("/")
