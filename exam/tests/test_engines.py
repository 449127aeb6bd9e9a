"""Every adapter that can run here says what mechanics says of a free body, a push and a box at rest."""

import math

import numpy as np
import pytest
from at_hand import missing

from friction_exam import scene as scenes
from friction_exam.engine import Impossible, engine, names

FLOOR = [{"name": "floor"}]
G = 9.81


def run(name, table, step=1e-3):
    """The record of a scene, or a skip with the reason."""
    try:
        adapter = engine(name)
    except ModuleNotFoundError as error:
        missing(name, error.name)
    scene = scenes.read(table)
    try:
        return adapter(scene, adapter.settings["best"], step).run(scene, step)
    except Impossible as reason:
        pytest.skip(f"no: {reason}")


def box(**more):
    """A scene's list of one box."""
    return [{"name": "box", "mass": 2.0, "box": [0.2, 0.1, 0.1], "position": [0, 0, 5], **more}]


@pytest.mark.parametrize("name", names())
def test_free_fall(name):
    """x = v t, z = z0 − g t²/2, to the first order of the step; no side wins anything."""
    record = run(name, {"seconds": 0.5, "body": box(velocity=[1, 0, 0]), "surface": FLOOR})
    end = record.of("box", "position")[-1]
    assert end == pytest.approx([0.5, 0, 5 - G * 0.125], abs=1.1 * G * 1e-3 * 0.5)
    assert record.of("box", "velocity")[-1] == pytest.approx([1, 0, -G * 0.5], abs=2e-3)
    assert record.time[-1] == pytest.approx(0.5)
    assert record.cpu > 0


@pytest.mark.parametrize("name", names())
def test_spin_is_in_the_world_frame(name):
    """A box turned by 90° about z that spins about the world's x axis goes on doing so: it is a principal axis."""
    body = box(rotation=[0, 0, 90], spin=[3, 0, 0])
    record = run(name, {"seconds": 0.3, "gravity": [0, 0, 0], "body": body, "surface": FLOOR})
    assert record.of("box", "spin")[0] == pytest.approx([3, 0, 0], abs=1e-5)
    assert record.of("box", "spin")[-1] == pytest.approx([3, 0, 0], abs=0.01)
    assert record.of("box", "velocity")[-1] == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize("name", names())
def test_orientation(name):
    """A box that turns about y by 3 rad/s for 0.3 s leans by 0.9 rad."""
    record = run(name, {"seconds": 0.3, "gravity": [0, 0, 0], "body": box(spin=[0, 3, 0]), "surface": FLOOR})
    w, _, y, _ = record.of("box", "orientation")[-1]
    assert 2 * math.atan2(abs(y), abs(w)) == pytest.approx(0.9, abs=5e-3)


@pytest.mark.parametrize("name", names())
def test_push(name):
    """v = F t/m for as long as the push lasts."""
    push = [{"body": "box", "force": [4, 0, 0], "start": 0.1, "until": 0.3}]
    record = run(name, {"seconds": 0.5, "gravity": [0, 0, 0], "body": box(), "surface": FLOOR, "push": push})
    assert record.of("box", "velocity")[-1] == pytest.approx([0.4, 0, 0], abs=3e-3)
    assert np.sum([wrenches[0][0] for wrenches in record.applied], axis=0)[0] * 1e-3 == pytest.approx(0.8, abs=5e-3)


@pytest.mark.parametrize("name", names())
def test_reported_weight(name):
    """Contacts of a box at rest bear m g along the outward normal."""
    record = run(name, {"seconds": 1.0, "body": box(position=[0, 0, 0.1]), "surface": FLOOR})
    if record.contacts[-1] is None:
        pytest.skip("no: contact forces are not told")
    total = sum(c.normal_force * np.array(c.normal) for c in record.contacts[-1] if c.body == "box")
    assert total == pytest.approx([0, 0, 2 * G], rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("name", names())
def test_log(name, tmp_path):
    """A log has the shapes that docs/judging.md says."""
    record = run(name, {"seconds": 0.1, "body": box(position=[0, 0, 0.1]), "surface": FLOOR})
    record.save(tmp_path / "log.npz", name, "0", "best")
    log = np.load(tmp_path / "log.npz")
    count = len(record.time)
    assert log["time"].shape == (count,) and log["position"].shape == (count, 1, 3)
    assert log["orientation"].shape == (count, 1, 4) and log["applied"].shape == (count, 1, 3)
    assert log["applied_torque"].shape == (count, 1, 3)
    if "contact_frame" in log:
        assert log["contact_normal"].shape == (len(log["contact_frame"]), 3)
        assert log["contact_frame"].max() < count
