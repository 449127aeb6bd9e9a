"""Scenes: from files, texts and dicts, and what is wrong with them, with its place."""

import numpy as np
import pytest

import stiction


def test_a_scene_of_dicts_is_the_scene_of_its_text(box, tmp_path):
    path = tmp_path / "box.toml"
    path.write_text(stiction.scene_text(box))
    a, b, c = stiction.Scene(box), stiction.load(path), stiction.Scene.from_text(path.read_text())
    assert a.resolved == b.resolved == c.resolved
    assert a.run().state_hash == b.run().state_hash == c.run().state_hash
    assert (a.title, a.bodies, a.colliders) == ("a soft box on a slope", ["box"], ["slope"])
    assert (a.step, a.end, a.integrator, a.friction_law) == (1e-4, 0.05, "symplectic-euler", "threshold")
    assert a.frame_interval == pytest.approx(0.01)


def test_values_of_numpy_and_odd_texts_are_written_as_toml(box):
    box["title"] = 'a "box"\n\t\\ µ \x01'
    box["body"][0]["position"] = np.array([0.0, 0.0, 0.5])
    box["body"][0]["mass"] = np.float64(2.0)
    box["body"][0]["shape"]["lattice"]["counts"] = np.array([2, 2, 2])
    box["title"] = box["title"].replace("\x01", "")
    scene = stiction.Scene(box)
    assert scene.title == box["title"]
    simulation = scene.simulate()
    assert simulation.masses.sum() == pytest.approx(2.0)
    assert simulation.positions[:, 2].min() > 0.3
    with pytest.raises(stiction.UsageError, match="finite"):
        stiction.Scene({**box, "gravity": [0, 0, float("nan")]})
    with pytest.raises(stiction.UsageError, match="object"):
        stiction.Scene({**box, "gravity": object()})


def test_settings_change_a_scene(scenes):
    scene = stiction.load(scenes / "sliding_block.toml", {"body.block.mass": 3.0}, integrator="heun", step=1e-4)
    assert (scene.integrator, scene.step) == ("heun", 1e-4)
    assert scene.simulate().masses[0] == 3.0
    other = scene.set(["time.end=0.5"], contact__friction__epsilon=1e-4)
    assert (other.end, scene.end) == (0.5, 1.0)
    assert "epsilon = 0.0001" in other.resolved
    assert "body.block.mass=3.0" in other.settings


def test_everything_that_is_wrong_has_its_place(tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(
        "format = 1\n"
        'time = { end = 1.0, step = -1e-3 }\n'
        '[integrator]\nmethod = "rk5"\n'
        "[[body]]\n"
        'name = "a"\n'
        "masss = 2.0\n"
        "shape = { particle = {} }\n"
    )
    with pytest.raises(stiction.SceneError) as caught:
        stiction.load(path)
    found = {(p.line, p.key): p for p in caught.value.problems}
    step, method, mass = found[2, "time.step"], found[4, "integrator.method"], found[7, "body.0.masss"]
    assert all(p.file == str(path) and p.severity == "error" for p in found.values())
    assert step.code.startswith("E") and step.column == 28
    assert "rk4" in method.help or "rk4" in method.message
    assert "mass" in mass.help
    assert "wrong.toml:2:28" in str(caught.value)
    assert str(step).startswith(f"{path}:2:28: error[{step.code}]")


def test_settings_that_are_wrong_are_named(scenes):
    with pytest.raises(stiction.SceneError) as caught:
        stiction.load(scenes / "sliding_block.toml", {"contact.friction.epsilom": 1e-4})
    (problem,) = caught.value.problems
    assert (problem.file, problem.key) == ("--set", "contact.friction.epsilom")
    assert "epsilon" in problem.help


def test_a_file_that_is_not_there_and_a_mesh_that_is_wrong(scenes, tmp_path):
    with pytest.raises(stiction.SceneError, match="cannot read") as caught:
        stiction.load(tmp_path / "none.toml")
    assert caught.value.problems[0].code == "E105" and caught.value.problems[0].line is None
    (tmp_path / "broken.obj").write_text("v 0 0 0\nv 1 0 x\n")
    scene = stiction.Scene(
        {
            "time": {"end": 0.1, "step": 1e-3, "output": 0.1},
            "integrator": {"method": "rk4"},
            "materials": {"wood": {"static_friction": 0.4}},
            "contact": {"normal": {"law": "linear", "stiffness": 1e4}, "friction": {"law": "none"}},
            "body": [{"name": "a", "mass": 1.0, "shape": {"particle": {}}}],
            "collider": [{"name": "m", "shape": {"mesh": {"path": "broken.obj"}}}],
        },
        folder=tmp_path,
    )
    with pytest.raises(stiction.SceneError) as caught:
        scene.run()
    assert caught.value.problems[0].file.endswith("broken.obj")
    assert caught.value.problems[0].line == 2


def test_warnings_are_problems_too(box):
    box["time"]["end"] = 0.05
    assert all(isinstance(one, stiction.Problem) for one in stiction.Scene(box).warnings)


def test_names_of_tables():
    assert "threshold" in stiction.names("friction")
    assert "rk4" in stiction.names("integrators")
    with pytest.raises(stiction.UsageError, match="colliders"):
        stiction.names("forces")
