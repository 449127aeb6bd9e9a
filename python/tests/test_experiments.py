"""Experiments: the numbers of the command line, as tables that pandas takes."""

import json
import subprocess

import pytest

import stiction

pandas = pytest.importorskip("pandas")


@pytest.fixture
def block(scenes):
    return scenes / "sliding_block.toml"


def test_compare_is_the_comparison_of_the_command_line(program, block, tmp_path):
    arguments = ["--integrators", "heun,rk4", "--steps", "1e-3,5e-4", "--format", "json"]
    told = subprocess.run([program, "compare", block, *arguments], check=True, capture_output=True, text=True)
    table = stiction.compare(
        stiction.load(block), integrators=["heun", "rk4"], steps=[1e-3, 5e-4], report=tmp_path / "report"
    )
    rows = json.loads(told.stdout)["rows"]
    for own, there in zip(table.document["rows"], rows, strict=True):
        own, there = dict(own), dict(there)
        own.pop("cpu_seconds"), there.pop("cpu_seconds")
        assert own == there
    frame = pandas.DataFrame(table)
    assert len(frame) == 4 and list(frame["step"].unique()) == [1e-3, 5e-4]
    assert frame.groupby("integrator")["error"].max()["rk4"] < frame.groupby("integrator")["error"].min()["heun"] * 10
    assert table.references and (tmp_path / "report" / "report.html").exists()
    with pytest.raises(stiction.UsageError, match="rk5"):
        stiction.compare(stiction.load(block), integrators="rk5")


def test_sweep_keeps_one_file_per_job_and_goes_on(program, block, tmp_path):
    scene = stiction.load(block, {"time.end": 0.2, "time.step": 1e-3})
    vary = {"contact.friction.epsilon": "1e-4..1e-2:log:3", "body.block.mass": [1.0, 2.0]}
    table = stiction.sweep(scene, vary, tmp_path / "swept", jobs=2)
    frame = pandas.DataFrame(table)
    assert len(frame) == 6 and set(frame["status"]) == {"completed"} and table.failed == []
    assert table.units["creep"] == "m/s"
    jobs = sorted((tmp_path / "swept" / "jobs").iterdir())
    before = [job.stat().st_mtime_ns for job in jobs]
    assert stiction.sweep(scene, vary, tmp_path / "swept")["state_hash"] == table["state_hash"]
    assert [job.stat().st_mtime_ns for job in jobs] == before
    # the program reads the same folder
    told = subprocess.run([program, "sweep", "collect", tmp_path / "swept"], check=True, capture_output=True, text=True)
    assert told.stdout.count("completed") == 6
    with pytest.raises(stiction.OutputError, match="another sweep"):
        stiction.sweep(scene, {"body.block.mass": [1.0]}, tmp_path / "swept")
    drawn = stiction.sweep(scene, {"contact.friction.epsilon": "1e-4..1e-2:log"}, sample="latin", samples=3)
    assert len(set(drawn["contact.friction.epsilon"])) == 3
    with pytest.raises(stiction.UsageError, match="overrule"):
        stiction.sweep(scene, {"time.step": [1e-3, 2e-3]})


def test_tune_finds_what_holds(scenes):
    scene = stiction.load(scenes / "incline_creep.toml", {"time.end": 0.5})
    table = stiction.tune(
        scene,
        1e-2,
        laws=["threshold"],
        integrators=["symplectic-euler", "rk4"],
        epsilons=[1e-3, 1e-2],
        steps=[1e-4, 5e-5, 2e-5],
        cost="evaluations",
        jobs=1,
    )
    assert table.best and table.best["law"] == "threshold" and table.best["creep"] < 1e-2
    assert 'law = "threshold"' in table.fragment and len(pandas.DataFrame(table)) >= 2
    assert scene.set(table.settings).step == table.best["step"]
    with pytest.raises(stiction.UsageError, match="rk5"):
        stiction.tune(scene, 1e-2, integrators="rk5")
    with pytest.raises(stiction.UsageError, match="above zero"):
        stiction.tune(scene, -1.0)


def test_stiffness_knows_the_largest_stable_steps(box):
    table = stiction.stiffness(stiction.Scene(box))
    rows = {row["integrator"]: row for row in table.rows}
    assert 0 < rows["explicit-euler"]["largest_stable_step"] <= 2e-2
    assert rows["implicit-euler"]["largest_stable_step"] is None
    assert len(table.states) == 2 and len(table.states[0]["particles"]) == 27
    assert len(pandas.DataFrame(table)) == len(stiction.names("integrators"))


def test_validate_runs_a_group():
    table = stiction.validate("P1")
    assert table.within_tolerance and set(table["group"]) == {"P1"}
    assert len(pandas.DataFrame(table)) == table.document["figures"]
    with pytest.raises(stiction.UsageError, match="P99"):
        stiction.validate("P99")
