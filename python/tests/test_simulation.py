"""Simulations: steps, arrays that stay what they were, contacts, checkpoints, the hand."""

import gc
import threading

import numpy as np
import pytest

import stiction


@pytest.fixture
def simulation(box):
    return stiction.Scene(box).simulate()


def test_an_array_is_not_copied_and_stays_what_it_was(simulation):
    start = simulation.positions
    assert start is simulation.positions and start.shape == (27, 3) and start.flags.c_contiguous
    kept = start.copy()
    simulation.step(200)
    np.testing.assert_array_equal(start, kept)
    now = simulation.positions
    assert now is not start and not np.shares_memory(now, start) and not np.array_equal(now, start)
    last, force = simulation.velocities, simulation.forces
    kept = last.copy(), force.copy()
    del simulation
    gc.collect()
    # memory that was freed would be written over by these
    [np.full(81, k, float) for k in range(1000)]
    np.testing.assert_array_equal(last, kept[0])
    np.testing.assert_array_equal(force, kept[1])


def test_an_array_cannot_be_written(simulation):
    for array in (simulation.positions, simulation.positions.base, simulation.forces):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0


def test_looking_changes_no_bit(box):
    scene = stiction.Scene(box)
    blind, seen = scene.simulate(), scene.simulate()
    blind.step(300)
    for _ in range(30):
        seen.positions, seen.velocities, seen.forces
        seen.verdict(), seen.energies(), seen.measures(), seen.contacts(), seen.state_hash
        seen.step(10)
    assert blind.state_hash == seen.state_hash == scene.set({"time.end": 0.03}).run().state_hash


def test_another_thread_looks_while_steps_are_taken(large):
    simulation = stiction.Scene(large).simulate()
    done = threading.Event()

    def work():
        simulation.step(300)
        done.set()

    worker = threading.Thread(target=work)
    worker.start()
    seen = []
    while not done.wait(0.005):
        before = simulation.step_count
        positions, velocities = simulation.positions, simulation.velocities
        after = simulation.step_count
        if before == after:
            seen.append((before, positions, velocities))
    worker.join()
    assert simulation.step_count == 300
    alone = stiction.Scene(large).simulate()
    for count, positions, velocities in seen[:: max(1, len(seen) // 4)]:
        alone.step(count - alone.step_count)
        np.testing.assert_array_equal(positions, alone.positions)
        np.testing.assert_array_equal(velocities, alone.velocities)
    assert len({count for count, *_ in seen}) > 2, "nothing was seen on the way"


def test_the_interpreter_is_free_while_steps_are_taken(large):
    simulation = stiction.Scene({**large}).simulate()
    counted = []
    worker = threading.Thread(target=lambda: simulation.step(400))
    worker.start()
    while worker.is_alive():
        counted.append(1)
        worker.join(0.001)
    assert len(counted) > 50


def test_contacts_are_records(box):
    simulation = stiction.Scene(box).simulate()
    simulation.advance_to(0.05)
    contacts = simulation.contacts()
    assert contacts.dtype == stiction.CONTACT and len(contacts) == 9
    assert set(contacts["kind"]) == {"collider"} and set(contacts["a"]) == {0}
    np.testing.assert_array_equal(contacts["particles"][:, 0], contacts["b"])
    normal = np.array([0.2588190451, 0, 0.9659258263])
    np.testing.assert_allclose(contacts["normal"], np.tile(normal, (9, 1)), atol=1e-9)
    size = np.linalg.norm(contacts["friction"], axis=1)
    np.testing.assert_allclose(contacts["load_ratio"], size / (0.5 * contacts["normal_force"]))
    assert (np.abs(np.einsum("ij,ij->i", contacts["friction"], contacts["normal"])) < 1e-9).all()
    fields = simulation.contact_fields()
    assert fields["friction_force"].shape == (simulation.positions.shape[0], 3)
    of_bodies = fields["normal_force"] + fields["friction_force"]
    np.testing.assert_allclose(
        of_bodies.sum(axis=0),
        (contacts["normal_force"][:, None] * contacts["normal"] + contacts["friction"]).sum(axis=0),
    )
    assert np.isfinite(fields["load_ratio"]).sum() == 9 and fields["dissipated"].sum() > 0
    # all that acts: springs cancel, gravity and contact remain
    push = contacts["normal_force"][:, None] * contacts["normal"] + contacts["friction"]
    total = push.sum(axis=0) + [0, 0, -9.81]
    np.testing.assert_allclose(simulation.forces.sum(axis=0), total, atol=1e-9)


def test_energies_balance(simulation):
    before = simulation.energies()
    simulation.step(500)
    after = simulation.energies()
    stored = ("kinetic", "spring", "contact", "gravity")
    lost = sum(before[name] - after[name] for name in stored)
    out = sum(value for name, value in after.items() if name.startswith("dissipated"))
    assert out > 1e-4
    assert lost == pytest.approx(out - after["work"] - after["residual"], rel=1e-9)


def test_a_checkpoint_brings_back_the_same_bits(simulation):
    simulation.step(50)
    kept = simulation.checkpoint()
    assert (kept.step, kept.time) == (50, pytest.approx(5e-3))
    shown = simulation.positions
    simulation.step(100)
    hashes = [simulation.state_hash]
    simulation.restore(kept)
    np.testing.assert_array_equal(simulation.positions, shown)
    simulation.step(100)
    hashes.append(simulation.state_hash)
    assert hashes[0] == hashes[1]
    simulation.change(contact__friction__epsilon=1e-3)
    with pytest.raises(stiction.SimulationError, match="changed"):
        simulation.restore(kept)


def test_a_scene_may_change_on_the_way(simulation):
    simulation.step(100)
    x = simulation.positions
    simulation.change({"contact.friction.law": "cubic"}, time__step=5e-5)
    assert simulation.scene.friction_law == "cubic" and simulation.time_step == 5e-5
    np.testing.assert_array_equal(simulation.positions, x)
    simulation.step(100)
    assert simulation.time == pytest.approx(0.01 + 100 * 5e-5)
    with pytest.raises(stiction.SimulationError, match="particles"):
        simulation.change({"body.box.shape.lattice.counts": [4, 4, 4]})
    with pytest.raises(stiction.SceneError):
        simulation.change({"contact.friction.law": "cubik"})


def test_the_hand_grips_pushes_and_lets_go():
    floating = {
        "world": {"gravity": [0, 0, 0]},
        "time": {"end": 1.0, "step": 1e-3, "output": 0.1},
        "integrator": {"method": "velocity-verlet"},
        "materials": {"wood": {"static_friction": 0.4}},
        "body": [{"name": "a", "mass": 2.0, "shape": {"particle": {}}}],
    }
    simulation = stiction.Scene(floating).simulate()
    simulation.push([0], [4.0, 0, 0])
    simulation.advance_to(0.5)
    # v = F t/m, and its work F²t²/(2m)
    assert simulation.velocities[0, 0] == pytest.approx(1.0)
    assert simulation.energies()["work"] == pytest.approx(1.0)
    simulation.release()
    simulation.advance_to(1.0)
    assert simulation.positions[0, 0] == pytest.approx(0.25 + 0.5, rel=1e-6)
    simulation.grip([0], [2.0, 0, 0], stiffness=200.0, damping=40.0)
    simulation.step(5000)
    assert simulation.positions[0, 0] == pytest.approx(2.0, abs=1e-6)
    with pytest.raises(IndexError, match="no particle 1"):
        simulation.push([1], [0, 0, 0])


def test_topology(scenes):
    simulation = stiction.load(scenes / "gripper.toml").simulate()
    assert list(simulation.bodies) == ["box"]
    body = simulation.bodies["box"]
    assert body.particles == slice(0, 64) and body.triangles.shape[1] == 3
    springs = simulation.springs
    lengths = np.linalg.norm(np.diff(simulation.positions[springs.ends], axis=1)[:, 0], axis=1)
    np.testing.assert_allclose(lengths, springs.rest_length)
    assert [collider.name for collider in simulation.colliders] == ["floor", "left", "right"]
    before = simulation.colliders[1].triangles
    simulation.advance_to(0.4)
    moved = simulation.colliders[1].triangles - before
    np.testing.assert_allclose(moved, np.broadcast_to([0.012, 0, 0], moved.shape), atol=1e-9)


def test_elements_of_a_solid(box):
    box["materials"]["rubber"].update(young=1e5, poisson=0.3, density=1000, damping={"time": 1e-4})
    del box["body"][0]["springs"], box["body"][0]["mass"]
    box["measure"] = [{"name": "most", "kind": "von-mises", "body": "box"}]
    simulation = stiction.Scene(box).simulate()
    simulation.step(200)
    elements = simulation.elements
    assert elements.corners.shape == (48, 4) and elements.stretches.shape == (48, 3)
    assert elements.volume.sum() == pytest.approx(0.008)
    # volumes of now are those at rest times the product of the stretches
    corners = simulation.positions[elements.corners]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    np.testing.assert_allclose(volumes, elements.volume * elements.stretches.prod(axis=1))
    assert (np.diff(elements.stretches, axis=1) <= 0).all() and elements.pressure.max() > 0
    assert elements.von_mises.max() == simulation.measures()["most"] > 100
    energies = simulation.energies()
    assert energies["elastic"] > 0 and energies["dissipated_elastic"] > 0
    assert "spring" not in energies


def test_measures_are_those_of_a_run(box):
    scene = stiction.Scene(box)
    simulation = scene.simulate()
    simulation.advance_to(scene.end)
    assert simulation.measures()["speed"] == scene.run().measures["speed"][-1]
