"""Runs: the numbers, the verdict, and the same bits as the command line."""

import json
import subprocess

import numpy as np
import pytest

import stiction


def run_json(program, scene, out, *more):
    subprocess.run([program, "run", scene, "--out", out, *more], check=True, capture_output=True)
    return json.loads((out / "run.json").read_text())


def test_ten_thousand_particles_end_with_the_bits_of_the_command_line(program, large, tmp_path):
    path = tmp_path / "large.toml"
    path.write_text(stiction.scene_text(large))
    told = run_json(program, path, tmp_path / "there")
    scene = stiction.load(path)
    outcome = scene.run()
    assert outcome.document["particles"] == 10_000
    assert outcome.measures["contacts"][-1] > 100
    assert outcome.state_hash == told["state_hash"]
    simulation = scene.simulate()
    simulation.step(77)
    simulation.advance_to(scene.end)
    assert simulation.step_count == 200
    assert simulation.state_hash == told["state_hash"]


def test_a_draft_is_that_of_the_command_line(program, scenes, tmp_path):
    scene = scenes / "sliding_block.toml"
    told = run_json(program, scene, tmp_path / "there", "--draft")
    outcome = stiction.load(scene).run(draft=True)
    assert outcome.verdict.level == told["trust"]["level"] == "draft"
    assert outcome.document["integrator"] == told["integrator"]
    assert outcome.document["state_hash"] == told["state_hash"]
    with pytest.raises(stiction.UsageError, match="draft"):
        stiction.load(scene).run(draft=True, verify=True)


def test_an_accuracy_is_found_as_by_the_command_line(program, scenes, tmp_path):
    scene = scenes / "sliding_block.toml"
    told = run_json(program, scene, tmp_path / "there", "--accuracy", "1e-3")
    outcome = stiction.load(scene).run(tmp_path / "here", accuracy=1e-3, frames=True)
    found = outcome.document["accuracy"]
    assert found["delivered"] and outcome.verdict.trusted
    assert [run["step"] for run in found["runs"]] == [run["step"] for run in told["accuracy"]["runs"]]
    assert outcome.state_hash == told["state_hash"]
    assert outcome.measures["distance"][-1] == pytest.approx(0.509696738, abs=5e-4)
    # of the answer alone
    assert len(outcome.frames.positions) == len(outcome.measures["distance"])
    assert json.loads((tmp_path / "here" / "run.json").read_text())["accuracy"] == found
    for wrong, word in [({"accuracy": "distnce=1e-3"}, "distance"), ({"accuracy": 1e-3, "verify": True}, "verify")]:
        with pytest.raises(stiction.UsageError, match=word):
            stiction.load(scene).run(**wrong)


def test_experiments_have_the_asked_accuracy(scenes):
    scene = stiction.load(scenes / "sliding_block.toml")
    rows = stiction.compare(scene, integrators=["symplectic-euler", "rk4"], reference=False, accuracy=1e-3)
    assert list(rows["delivered"]) == [1, 1] and rows["step"][0] < rows["step"][1]
    with pytest.raises(stiction.UsageError, match="steps"):
        stiction.compare(scene, steps=[1e-3], accuracy=1e-3)
    for wrong in [{"accuracy": 1e-3, "max_time": -1}, {"max_time": 1}]:
        with pytest.raises(stiction.UsageError, match="max_time"):
            stiction.compare(scene, **wrong)
    swept = stiction.sweep(scene, {"contact.friction.epsilon": [1e-2, 1e-3]}, accuracy="distance=1e-2")
    assert list(swept["delivered"]) == [1, 1]


def test_a_results_folder_is_the_one_of_the_command_line(program, scenes, tmp_path):
    scene = scenes / "incline_creep.toml"
    more = ["--set", "time.end=0.1", "--verify"]
    run_json(program, scene, tmp_path / "there", *more)
    changed = stiction.load(scene, {"time.end": 0.1})
    outcome = changed.run(tmp_path / "here", verify=True)
    here, there = tmp_path / "here", tmp_path / "there"
    names = sorted(p.relative_to(there) for p in there.rglob("*") if p.is_file())
    assert names == sorted(p.relative_to(here) for p in here.rglob("*") if p.is_file())
    for name in names:
        # the manifest has the settings as they were written, and a checksum of that
        if name.name not in ("manifest.toml", "run.json", "journal.bin"):
            assert (here / name).read_bytes() == (there / name).read_bytes(), name
    a, b = (json.loads((folder / "run.json").read_text()) for folder in (here, there))
    assert a.pop("inputs")[0] == b.pop("inputs")[0]
    assert a == b == {name: of for name, of in outcome.document.items() if name != "inputs"}


def test_measures_and_frames_are_those_of_the_files(scenes, tmp_path):
    scene = stiction.load(scenes / "sliding_block.toml", {"time.end": 0.05, "time.step": 1e-4})
    outcome = scene.run(tmp_path / "out", frames=True)
    table = np.genfromtxt(tmp_path / "out" / "measures.csv", delimiter=",", names=True)
    assert list(outcome.measures) == list(table.dtype.names)
    for name, column in outcome.measures.items():
        np.testing.assert_array_equal(column, table[name], err_msg=name)
        assert column.dtype == np.float64
        assert outcome.measures.units[name]
    assert outcome.measures.units["distance"] == "m"
    positions = np.load(tmp_path / "out" / "trajectory" / "position.npy")
    velocities = np.load(tmp_path / "out" / "trajectory" / "velocity.npy")
    np.testing.assert_array_equal(outcome.frames.positions, positions)
    np.testing.assert_array_equal(outcome.frames.velocities, velocities)
    assert outcome.frames.positions.shape == (len(outcome.frames), 1, 3)
    with pytest.raises(KeyError, match="distance"):
        outcome.measures["distence"]


def test_the_verdict_and_its_error_bar_are_objects(scenes):
    scene = stiction.load(scenes / "sliding_block.toml", step=1e-3)
    plain = scene.run()
    assert (plain.verdict.level, plain.verdict.trusted, plain.error) == ("no fault found", False, None)
    verified = scene.run(verify="step")
    assert verified.verdict.level == "trusted" and verified.verdict.trusted
    assert 0 < verified.error < 0.01 and verified.error == verified.verdict.error
    assert str(verified.verdict).startswith("trusted to")
    bars = verified.measures.errors["distance"]
    assert bars.shape == verified.measures["distance"].shape
    # v0²/(2 μ g), within the error bar and the creep of the law
    assert abs(verified.measures["distance"][-1] - 0.50968) < 2e-3
    expected = next(one for one in verified.expectations if one.measure == "distance")
    assert expected.error == bars[-1]
    assert expected.measured == verified.measures["distance"][-1]


def test_a_run_that_is_not_trusted_says_why_and_fails_under_strict(box):
    scene = stiction.Scene(box).set({"contact.friction.epsilon": 1e-6})
    outcome = scene.run()
    assert outcome.verdict.level == "not trusted" and not outcome.verdict.faultless
    reason = outcome.verdict.reasons[0]
    assert reason.name == "step-above-friction-limit" and "step" in reason.message
    with pytest.raises(stiction.NotTrusted, match=reason.name) as caught:
        scene.run(strict=True)
    assert caught.value.outcome.state_hash == outcome.state_hash


def test_progress_is_told(box):
    seen = []
    scene = stiction.Scene(box).set({"time.end": 0.5})
    scene.run(progress=lambda done, total, label: seen.append((done, total, label)))
    assert seen and all(total == 5000 and label == "running" for _, total, label in seen)
    with pytest.raises(ZeroDivisionError):
        scene.set({"time.end": 50.0}).run(progress=lambda *_: 1 / 0)
    scene.run(progress=True)


def test_a_step_that_cannot_be_taken_raises_with_the_run_until_then(box):
    box["integrator"] = {"method": "explicit-euler"}
    box["time"]["step"] = 1e-2
    box["time"]["end"] = 10.0
    with pytest.raises(stiction.SimulationError, match="last good state") as caught:
        stiction.Scene(box).run()
    error = caught.value
    assert error.last_good > 0 and error.outcome.status == "failed"
    assert error.outcome.verdict.reasons[0].name == "failed"
    assert len(error.outcome.measures["time"]) > 1


def test_results_are_not_written_over(box, tmp_path):
    scene = stiction.Scene(box)
    scene.run(tmp_path / "out")
    with pytest.raises(stiction.OutputError, match="not empty.*force=True"):
        scene.run(tmp_path / "out")
    scene.run(tmp_path / "out", force=True)
