"""Laws, forces and measures written in Python, beside those of the program."""

import math

import numpy as np
import pytest

import stiction


def ramp(name, **more):
    """The threshold law as the program has it, operation by operation, under another name."""

    @stiction.friction_law(name, {"epsilon": stiction.Key(1e-3, "m/s", "positive", "threshold")}, **more)
    class Ramp:
        """Baraff's ramp, in Python."""

        def __init__(self, epsilon):
            self.threshold = epsilon

        def force(self, slip, pair):
            v, n = slip.velocity, slip.normal_force
            if slip.speed / self.threshold < 1.0:
                per_speed = pair.static_friction * n / self.threshold
                return tuple(x * -per_speed for x in v)
            scale = pair.kinetic_friction * n / slip.speed
            return tuple(x * -scale for x in v)

        def sticks(self, slip, pair):
            return slip.speed < self.threshold

        def damping(self, slip, pair):
            return pair.static_friction * slip.normal_force / self.threshold

        def creep(self, load_ratio, normal_force, pair):
            return self.threshold * load_ratio if load_ratio < 1 else None

    return Ramp


ramp("python-ramp")


def test_a_law_in_python_is_the_built_in_one_to_rounding(box):
    scene = stiction.Scene(box).set({"time.end": 0.2, "contact.friction.epsilon": 2e-3})
    built_in, own = scene.run(frames=True), scene.set({"contact.friction.law": "python-ramp"}).run(frames=True)
    assert own.document["friction"] == "python-ramp" and built_in.document["friction"] == "threshold"
    np.testing.assert_allclose(own.frames.positions, built_in.frames.positions, rtol=0, atol=1e-13)
    assert own.verdict.level == built_in.verdict.level
    assert own.creep[0]["law"] == pytest.approx(built_in.creep[0]["law"])
    simulation = scene.set({"contact.friction.law": "python-ramp"}).simulate()
    simulation.advance_to(0.2)
    assert simulation.state_hash == own.state_hash


def test_a_law_in_python_stands_beside_built_in_ones_in_experiments(box):
    scene = stiction.Scene(box)
    laws = ["threshold", "python-ramp", "python-ramp:epsilon=1e-3"]
    table = stiction.compare(scene, laws=laws, integrators="symplectic-euler", reference=False)
    assert table["law"] == laws and set(table["status"]) == {"completed"}
    assert table["creep"][0] == pytest.approx(table["creep"][1])
    assert table["law_creep"][2] == pytest.approx(0.1 * table["law_creep"][1], rel=0.2)
    swept = stiction.sweep(scene, {"contact.friction.law": ["threshold", "python-ramp"]})
    assert swept["creep"][0] == pytest.approx(swept["creep"][1])


def test_implicit_methods_take_its_derivative_by_differences(box):
    scene = stiction.Scene(box).set({"integrator.method": "implicit-euler", "time.step": 1e-3})
    a, b = scene.run(), scene.set({"contact.friction.law": "python-ramp"}).run()
    assert a.measures["speed"][-1] == pytest.approx(b.measures["speed"][-1], rel=1e-5)


def test_a_law_with_memory(box):
    @stiction.friction_law("python-spring", {"k": stiction.Key(1e4, "N/m", "positive")})
    class Spring:
        """A spring that slides at the cone."""

        def __init__(self, k):
            self.stiffness = k

        def stretched(self, slip, pair):
            z = [a + b for a, b in zip(slip.stretch, slip.displacement)]
            size, most = math.hypot(*z), pair.static_friction * slip.normal_force / self.stiffness
            return [x * min(1.0, most / size) for x in z] if size > 0 else z

        def force(self, slip, pair):
            return [-self.stiffness * x for x in self.stretched(slip, pair)]

        def relax(self, slip, pair):
            return self.stretched(slip, pair)

        def sticks(self, slip, pair):
            return self.stiffness * math.hypot(*self.stretched(slip, pair)) < pair.static_friction * slip.normal_force

        def damping(self, slip, pair):
            return 0.0

    scene = stiction.Scene(box).set({"contact.friction.law": "python-spring", "time.end": 1.0})
    simulation = scene.simulate()
    simulation.advance_to(1.0)
    contacts = simulation.contacts()
    assert contacts["sticking"].all() and (np.abs(contacts["stretch"]).max(axis=1) > 1e-6).all()
    # it holds what slides down, and does not creep
    assert abs(contacts["friction"].sum(axis=0) @ [0.966, 0, -0.259]) == pytest.approx(9.81 * 0.2588, rel=0.05)


def test_what_a_law_raises_is_raised(box):
    @stiction.friction_law("python-broken")
    class Broken:
        def force(self, slip, pair):
            raise LookupError("no force today")

        def sticks(self, slip, pair):
            return True

        def damping(self, slip, pair):
            return 0.0

    scene = stiction.Scene(box).set({"contact.friction": {"law": "python-broken"}})
    with pytest.raises(LookupError, match="no force today"):
        scene.run()
    with pytest.raises(LookupError, match="no force today"):
        simulation = scene.simulate()
        simulation.step(10)
    # and what comes after is none the worse
    assert stiction.Scene(box).run().status == "completed"


def test_a_law_must_have_its_methods_and_a_name_of_its_own(box):
    @stiction.friction_law("python-half")
    class Half:
        def force(self, slip, pair):
            return (0.0, 0.0, 0.0)

    with pytest.raises(stiction.SceneError, match="TypeError.*sticks"):
        stiction.Scene(box).set({"contact.friction": {"law": "python-half"}}).run()
    with pytest.raises(ValueError, match="already"):
        ramp("python-ramp")
    with pytest.raises(ValueError, match="already"):
        ramp("threshold")
    with pytest.raises(ValueError, match="small letters"):
        ramp("Not A Name")
    ramp("python-ramp", replace=True)
    with pytest.raises(stiction.SceneError, match="> 0"):
        stiction.Scene(box).set({"contact.friction": {"law": "python-ramp", "epsilon": -1.0}})


def test_a_force_in_python(box):
    del box["collider"]
    scene = stiction.Scene(box)
    masses = scene.simulate().masses
    calls = []

    def lift(t, x, v):
        calls.append(t)
        assert x.shape == v.shape == (27, 3) and not x.flags.writeable
        return np.outer(masses, [0, 0, 2 * 9.81])

    outcome = scene.with_force(lift).run(frames=True)
    rise = outcome.frames.positions[-1].mean(axis=0) - outcome.frames.positions[0].mean(axis=0)
    # g upwards now: ½ g t², and symplectic Euler's ½ g t h
    np.testing.assert_allclose(rise, [0, 0, 0.5 * 9.81 * 0.05 * (0.05 + 1e-4)], atol=1e-9)
    # its power is work: 2 m g × rise
    assert outcome.measures["work"][-1] == pytest.approx(2 * 9.81 * rise[2], rel=1e-2)
    assert calls
    compared = stiction.compare(scene.with_force(lift), integrators=["heun", "rk4"], reference=False)
    assert set(compared["status"]) == {"completed"}
    with pytest.raises(stiction.UsageError, match="force from Python"):
        stiction.sweep(scene.with_force(lift), {"time.step": [1e-4]})
    with pytest.raises(ValueError, match=r"\(27, 3\)"):
        scene.with_force(lambda t, x, v: np.zeros(3)).run()
    with pytest.raises(ZeroDivisionError):
        scene.with_force(lambda t, x, v: 1 / 0).simulate().step()


def test_a_measure_in_python(box):
    @stiction.measure("python-highest", "m")
    def highest(scope):
        """Height of the highest particle."""
        return scope.positions[scope.particles, 2].max()

    @stiction.measure("python-momentum", "kg·m/s", vector=True)
    def momentum(scope):
        return scope.masses @ scope.velocities

    box["measure"] = [
        {"name": "top", "kind": "python-highest", "body": "box"},
        {"name": "p", "kind": "python-momentum"},
    ]
    outcome = stiction.Scene(box).run(frames=True)
    np.testing.assert_array_equal(outcome.measures["top"], outcome.frames.positions[:, :, 2].max(axis=1))
    assert outcome.measures.units["top"] == "m"
    np.testing.assert_allclose(outcome.measures["p_z"], outcome.measures["momentum_z"], atol=1e-12)
    assert "python-highest" in stiction.names("measures")
