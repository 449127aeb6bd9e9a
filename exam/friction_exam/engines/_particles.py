"""Rigid bodies as particles with the right mass, centre of mass and moments of inertia; TOML of nested values."""

import hashlib
import json
import math
from fractions import Fraction

import numpy as np

from ..engine import Impossible

RIM = 720
"""particles of a wheel: its bumps are R (π/720)²/2, 1e-5 R"""


def is_planar(scene) -> bool:
    """Whether everything stays in the plane y = 0; a cylinder with its axis along y does."""
    for thing in [scene, *scene.body, *scene.push]:
        across = [getattr(thing, key, (0, 0, 0))[1] for key in ("velocity", "force", "gravity", "position", "at")]
        lies = getattr(thing, "cylinder", None) and abs(thing.rotation[0]) == 90
        turns = [*np.delete(getattr(thing, "spin", (0, 0, 0)), 1)]
        turns += [] if lies else [*np.delete(getattr(thing, "rotation", (0, 0, 0)), 1)]
        if any(across) or any(turns):
            return False
    return True


def contact(asked: dict, scene, wheel: bool, bouncing: bool) -> dict:
    """The table `contact`: laws that are asked for, and a normal law that suits the masses."""
    least = min(body.mass for body in scene.body)
    table = dict(asked)
    if wheel and not bouncing:
        table = {"friction": {"law": "threshold"}, "normal": {"stiffness": 1e5 * least, "damping": 0.1 * least}}
    elif "method" not in asked:
        stiff = {"stiffness": 1e5}
        table["normal"] = stiff if bouncing else stiff | {"damping": math.sqrt(1e5 * least)}
    if "method" in asked and any(body.slides for body in scene.body):
        # more contacts than the bodies have freedoms: impulses are not unique, and found more slowly
        table["tolerance"] = 1e-11
    return table | ({"bodies": True} if len(scene.body) > 1 else {})


def shape(body, scene) -> dict:
    """Keys of a body of stiction: `shape`, `rigid`, `mass`, `radius`, its `pins`; others replace the scene's."""
    if np.count_nonzero(body.rotation) > 1:
        raise Impossible("a rotation about an axis between those of the frame")
    springs = [s for s in scene.spring if s.body == body.name]
    if springs:
        return on_a_spring(body, springs)
    if body.box and len(scene.body) > 1:
        return lattice(body, any(other.slides for other in scene.body))
    if body.box:
        corners = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        pushed = [p.at for p in scene.push if p.body == body.name and any(p.at)]
        # a third of the mass in the corners, the rest in the middle: the moments of a solid box
        return points(body, np.array(corners) * body.box, 1 / 3, pushed)
    if body.balls:
        at = np.array(body.balls["at"], float)
        return points(body, at, share(body, at)) | {"radius": body.balls["radius"]}
    if body.capsule:
        radius, half = body.capsule
        at = np.linspace([0, 0, -half], [0, 0, half], 9)
        return points(body, at, 1.0) | {"radius": radius}
    if is_planar(scene):
        radius, part = (body.sphere, 0.4) if body.sphere else (body.cylinder[0], 0.5)
        turns = 2 * math.pi * np.arange(RIM) / RIM
        rim = radius * np.stack([np.cos(turns), 0 * turns, np.sin(turns)], axis=1)
        return points(body, rim, part) | {"rotation": (0, 0, 0)}
    raise Impossible(f"a {body.shape()} of particles that turns in space")


def on_a_spring(body, springs: list) -> dict:
    """A particle at the base of a box, and one that is held a kilometre away along the spring."""
    if len(springs) > 1 or not body.box or body.inertia or any(body.rotation):
        raise Impossible("a spring from a rigid body to a point, but of a box that only slides")
    spring, far = springs[0], 1e3
    base = np.array([0, 0, -body.box[2]])
    away = np.array(spring.point) - np.array(body.position) - far * np.array(spring.axis) + base
    return {
        "shape": {"points": {
            "positions": [base, away], "masses": [body.mass, body.mass], "links": [[0, 1]], "rest_lengths": [far],
        }},
        "springs": {"edge": {"stiffness": spring.stiffness}},
        "pins": [{"where": {"particles": [1]}}],
        "measured": {"where": {"particles": [0]}},
    }  # fmt: skip


def share(body, at: np.ndarray) -> float:
    """Share of the mass in the balls, the rest in the middle, that gives the body's moments."""
    squares = (at * at).mean(0) * body.mass
    own = np.array([squares[1] + squares[2], squares[0] + squares[2], squares[0] + squares[1]])
    shares = np.array(body.moments())[own > 0] / own[own > 0]
    if np.ptp(shares) > 1e-6 or shares[0] > 1 + 1e-9 or np.abs(at.mean(0)).max() > 1e-12:
        raise Impossible("balls whose moments of inertia are not those of equal masses at their centres")
    return min(1.0, float(shares.mean()))


def points(body, at: np.ndarray, of_mass: float, pushed=()) -> dict:
    """Particles with equal parts of a share of the mass, one in the middle with the rest, and where the body
    is pushed one without weight."""
    masses = [body.mass * of_mass / len(at)] * len(at)
    rest = body.mass * (1 - of_mass)
    if rest > 1e-12 * body.mass:
        at, masses = np.vstack([at, np.zeros(3)]), [*masses, rest]
    for place in pushed:
        at, masses = np.vstack([at, place]), [*masses, 1e-12 * body.mass]
    return {"rigid": True, "shape": {"points": {"positions": at, "masses": masses}}}


def lattice(body, soft: bool) -> dict:
    """A block with a surface of triangles, for bodies that touch each other: equal masses, so that its
    moments are larger than those of a solid box. With sliders it is soft, since pins hold particles."""
    if any(body.rotation):
        raise Impossible("a turned box that touches another")
    edges = [Fraction(2 * half).limit_denominator(10000) for half in body.box]
    step = edges[0]
    for edge in edges[1:]:
        a, b = step.numerator * edge.denominator, edge.numerator * step.denominator
        step = Fraction(math.gcd(a, b), step.denominator * edge.denominator)
    table = {
        "mass": body.mass,
        # it stands on z = 0 of its own frame
        "position": np.array(body.position) - [0, 0, body.box[2]],
        "shape": {"lattice": {"counts": [int(edge / step) + 1 for edge in edges], "spacing": float(step)}},
    }
    if not soft:
        return table | {"rigid": True}
    spring = {"stiffness": 1e5 * body.mass, "damping": 30 * body.mass}
    table["springs"] = dict.fromkeys(("edge", "face_diagonal", "body_diagonal"), spring)
    if body.slides:
        table["pins"] = [{"axes": "xyz".replace(body.slides, "")}]
    return table


def recording(path, tables: dict, scene, step: float):
    """Changes of friction while it runs, as the window would have recorded them; where they are written."""
    digest = hashlib.sha256(hashlib.sha256(path.read_bytes()).hexdigest().encode()).hexdigest()
    lines = [{"stiction_recording": 1, "scene": str(path), "sha256": digest, "set": []}]
    for one in scene.setting:
        change = [f"materials.{name}.static_friction={one.friction}" for name in tables["materials"]]
        lines.append({"step": round(one.time / step), "time": one.time, "act": "set", "set": change})
    # the hash of the end is not known, so that the program complains of it at the end
    lines.append({"end": round(scene.seconds / step), "time": scene.seconds, "state_hash": "0x0"})
    changes = path.with_suffix(".jsonl")
    changes.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return changes


def toml(tables: dict) -> str:
    """A scene file, one key of the top a line."""
    return "".join(f"{key} = {value(of)}\n" for key, of in tables.items() if not (isinstance(of, list) and not of))


def value(of) -> str:
    """A value on one line."""
    if isinstance(of, np.ndarray):
        of = of.tolist()
    if isinstance(of, bool):
        return "true" if of else "false"
    if isinstance(of, dict):
        return "{ " + ", ".join(f'"{key}" = {value(inner)}' for key, inner in of.items()) + " }"
    if isinstance(of, (list, tuple)):
        return "[" + ", ".join(value(item) for item in of) + "]"
    return f'"{of}"' if isinstance(of, str) else repr(of)
