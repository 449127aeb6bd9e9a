"""Soft-body particle simulator with penalty-force friction, and the laboratory that says what a friction
law, a threshold and an integrator cost.

::

    import stiction
    scene = stiction.load("scenes/sliding_block.toml")
    outcome = scene.run(verify=True)
    print(outcome.verdict, outcome.measures["distance"][-1])

All quantities are in SI units. Arrays are float64.
"""

from ._core import __version__, names
from .engines import Change, Creep, creep, creep_engines
from .errors import (
    NotTrusted,
    OutputError,
    Problem,
    SceneError,
    SimulationError,
    StictionError,
    UsageError,
)
from .experiments import (
    Comparison,
    Stiffness,
    Sweep,
    Tuning,
    Validation,
    compare,
    stiffness,
    sweep,
    tune,
    validate,
)
from .judging import Answer, Judgement, judge
from .own import FrictionLaw, Key, Pair, Scope, Slip, friction_law, measure
from .progress import Progress
from .results import Expectation, Frames, Measures, Outcome, Reason, Table, Verdict
from .scene import Scene, load, scene_text
from .simulation import CONTACT, Body, Checkpoint, Collider, Elements, Simulation, Springs

__all__ = [
    "CONTACT",
    "Answer",
    "Body",
    "Change",
    "Checkpoint",
    "Collider",
    "Comparison",
    "Creep",
    "Elements",
    "Expectation",
    "Frames",
    "FrictionLaw",
    "Judgement",
    "Key",
    "Measures",
    "NotTrusted",
    "Outcome",
    "OutputError",
    "Pair",
    "Problem",
    "Progress",
    "Reason",
    "Scene",
    "SceneError",
    "Scope",
    "Simulation",
    "SimulationError",
    "Slip",
    "Springs",
    "StictionError",
    "Stiffness",
    "Sweep",
    "Table",
    "Tuning",
    "UsageError",
    "Validation",
    "Verdict",
    "__version__",
    "compare",
    "creep",
    "creep_engines",
    "friction_law",
    "judge",
    "load",
    "measure",
    "names",
    "scene_text",
    "stiffness",
    "sweep",
    "tune",
    "validate",
]
