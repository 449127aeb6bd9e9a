"""Scenes of the repository, and the program where it was built."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Under CI a test that would be skipped fails, with the reason; elsewhere the file SKIPPED lists it."""
    report = (yield).get_result()
    if not report.skipped:
        return
    if os.environ.get("SKIPPED"):
        with open(os.environ["SKIPPED"], "a", encoding="utf-8") as skipped:
            skipped.write(f"{item.nodeid}: {call.excinfo.value}\n")
    if os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"{call.excinfo.value}; under CI nothing is skipped"


@pytest.fixture
def scenes() -> Path:
    return SCENES


@pytest.fixture
def program() -> str:
    """The command line program: STICTION_PROGRAM, or the one that was built here."""
    known = os.environ.get("STICTION_PROGRAM")
    built = ROOT / "target" / "release" / "stiction"
    found = known or (str(built) if built.exists() else shutil.which("stiction"))
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("the program is not built: cargo build --release")
        pytest.skip("the program is not built: cargo build --release")
    return found


#: A soft box of 27 particles on a slope, small enough for any test.
BOX = {
    "title": "a soft box on a slope",
    "time": {"end": 0.05, "step": 1e-4, "output": 0.01},
    "integrator": {"method": "symplectic-euler"},
    "materials": {"rubber": {"static_friction": 0.5}},
    "contact": {
        "normal": {"law": "linear", "stiffness": 1e4, "damping": 10.0},
        "friction": {"law": "threshold", "epsilon": 1e-2},
    },
    "body": [
        {
            "name": "box",
            "mass": 1.0,
            "shape": {"lattice": {"counts": [3, 3, 3], "spacing": 0.1}},
            "springs": {"edge": {"stiffness": 2e4, "damping": 20.0}},
            "rotation": [0, 15, 0],
        }
    ],
    "collider": [{"name": "slope", "shape": {"plane": {"normal": [0.2588190451, 0, 0.9659258263]}}}],
    "measure": [{"name": "speed", "kind": "velocity", "body": "box", "direction": [1, 0, -0.268]}],
}


@pytest.fixture
def box() -> dict:
    import copy

    return copy.deepcopy(BOX)


#: A lattice of 10,000 particles that falls on a floor.
LARGE = {
    "time": {"end": 2e-3, "step": 1e-5, "output": 1e-3},
    "integrator": {"method": "symplectic-euler"},
    "materials": {"rubber": {"static_friction": 0.5}},
    "contact": {
        "normal": {"law": "linear", "stiffness": 1e3, "damping": 1.0},
        "friction": {"law": "threshold", "epsilon": 1e-2},
    },
    "body": [
        {
            "name": "box",
            "mass": 10.0,
            "shape": {"lattice": {"counts": [25, 20, 20], "spacing": 0.05}},
            "springs": {
                "edge": {"stiffness": 2e3, "damping": 1.0},
                "face_diagonal": {"stiffness": 1e3, "damping": 1.0},
            },
            "position": [0, 0, -1e-4],
            "velocity": [0.1, 0, 0],
        }
    ],
    "collider": [{"name": "floor", "shape": {"plane": {}}}],
}


@pytest.fixture
def large() -> dict:
    import copy

    return copy.deepcopy(LARGE)
