"""stiction: the program reads a scene of particles; a rigid body is particles that keep their distances."""

import csv
import json
import math
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from ..engine import Engine, Impossible, Stopped, begun
from ..record import Contact, Pose
from ._particles import contact, is_planar, recording, shape, toml

PROGRAM = os.environ.get("STICTION_PROGRAM", "stiction")
VECTORS = {"position": "x", "velocity": "v", "spin": "w", "contact-force": "n", "friction-force": "f"}


class Adapter(Engine):
    """A run is one call of the program; contacts of a body are told as their sum."""

    package = "stiction"
    settings = {
        "default": {
            "about": "penalty contact: 1e5 N/m a particle, critically damped, balls and cylinders 1e5 N/m and 0.1 N s/m a kg; "
            "law threshold with ε = 1e-3 m/s; rk4 (symplectic-euler with sliders)",
            "contact": {"friction": {"law": "threshold"}},
        },
        "best": {
            "about": "contact.method = exact at 1 ms, with sliders at 20 µs; what rolls as by default, since a wheel of "
            "particles loses energy at each of them by impacts",
            "contact": {"method": "exact"},
            "step": 1e-3,
        },
        "draft": {
            "about": "run --draft, which chooses method and step; contact.method = exact, what rolls by penalty, as with best",
            "contact": {"method": "exact"},
            "draft": True,
        },
    }
    step = 1e-4
    frames = 64
    """of a draft, at least"""

    @staticmethod
    def version():
        return subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]

    def __init__(self, scene, options, step):
        if scene.substeps > 1:
            raise Impossible("substeps of a fixed step")
        sliders = any(body.slides for body in scene.body)
        wheel = is_planar(scene) and any(body.sphere or body.cylinder for body in scene.body)
        bouncing = any(scene.of(thing, "restitution") is not None for thing in [*scene.body, *scene.surface])
        self.drafted = options.get("draft", False)
        if self.drafted and scene.setting:
            raise Impossible("a replay of settings, whose times name the step, in a draft")
        if scene.step is None and self.drafted:
            step = scene.seconds / self.frames
        elif scene.step is None:
            # sliders are soft, and their springs bound the step; so does the contact of wheels
            step = min(step, 2e-5 if sliders else 1e-4 if wheel and not bouncing else step)
        self.asked, self.step = scene, step
        steps = round(scene.seconds / step)
        every = next(n for n in range(max(1, steps // 4000), steps + 1) if steps % n == 0)
        self.scene = {"format": 1, "time": {"end": scene.seconds, "step": step, "output": every * step}}
        if scene.soft:
            self.soften(scene.soft, options)
            return
        method = {"method": "symplectic-euler" if sliders else "rk4"}
        if self.drafted:
            # the method is the draft's
            self.scene["time"].pop("step")
            method = {}
        self.scene |= {"world": {"gravity": scene.gravity}, "integrator": method, "materials": {}}
        self.scene |= {"body": [], "collider": [], "measure": [], "push": [], "pin": []}
        for surface in scene.surface:
            self.add_surface(surface)
        for body in scene.body:
            self.add_body(body)
        if wheel:
            self.scene["world"]["planar"] = "xz"
        self.scene["contact"] = contact(options["contact"], scene, wheel, bouncing)
        self.scene["push"] = [self.pushed(push) for push in scene.push]

    def soften(self, tables, options):
        """A mass-spring model as it is, or under cones with its springs explicit beside them."""
        if options["contact"].get("method") == "exact":
            more = {"contact": options["contact"], "integrator": {"method": "symplectic-euler"}}
            tables = tables | more | {"time": tables["time"] | {"step": 2e-5}}
        self.scene, self.step = tables | {"format": 1}, tables["time"]["step"]
        if self.drafted:
            self.scene["time"] = {key: of for key, of in tables["time"].items() if key != "step"}
            self.scene.pop("integrator")

    def material(self, thing):
        """Name of the material with the coefficients of a body or surface."""
        keys = {"static_friction": "friction", "kinetic_friction": "kinetic_friction", "restitution": "restitution"}
        table = {key: self.asked.of(thing, value) for key, value in keys.items()}
        table = {key: value for key, value in table.items() if value is not None}
        name = next((n for n, t in self.scene["materials"].items() if t == table), f"m{len(self.scene['materials'])}")
        self.scene["materials"][name] = table
        return name

    def add_surface(self, surface):
        form = {"plane": {"normal": surface.normal, "point": surface.point}}
        if surface.box:
            form = {"box": {"center": surface.point, "size": [2 * half for half in surface.box]}}
        table = {"name": surface.name, "shape": form, "material": self.material(surface)}
        if any(surface.belt):
            table["motion"] = {"belt": {"velocity": surface.belt}}
        self.scene["collider"].append(table)

    def add_body(self, body):
        of = {"body": body.name}
        form = shape(body, self.asked)
        self.scene["pin"] += [of | pin for pin in form.pop("pins", [])]
        of |= form.pop("measured", {})
        placed = {key: getattr(body, key) for key in ("position", "rotation", "velocity", "spin")}
        self.scene["body"].append(placed | {"name": body.name, "material": self.material(body), **form})
        self.scene["measure"] += [{"name": f"{body.name}_{v}", "kind": k, **of} for k, v in VECTORS.items()]
        self.scene["measure"].append({"name": f"{body.name}_tilt", "kind": "tilt", **of})

    def pushed(self, push):
        table = {"body": push.body, "force": push.force, "from": push.start, "ramp": push.ramp}
        if any(push.at):
            at = np.array(push.at) + next(b.position for b in self.asked.body if b.name == push.body)
            table["where"] = {"nearest": at}
        return table if push.until == math.inf else table | {"until": push.until}

    def run(self, scene, step):
        with tempfile.TemporaryDirectory() as folder:
            path, out = Path(folder) / "scene.toml", Path(folder) / "out"
            path.write_text(toml(self.scene))
            words = [PROGRAM, "run", str(path), "--out", str(out), "--format", "json", "--threads", "1"]
            if self.drafted:
                words += ["--draft", "--step", repr(self.step)] if scene.step else ["--draft"]
            if scene.setting:
                words += ["--replay", str(recording(path, self.scene, scene, self.step))]
            done = subprocess.run(words, capture_output=True, text=True)
            if not (out / "measures.csv").exists() or (done.returncode and not scene.setting):
                raise Stopped(done.stderr.strip()[-300:])
            with open(out / "measures.csv") as lines:
                rows = list(csv.DictReader(line for line in lines if line[0] != "#"))
            told = json.loads(done.stdout or (out / "run.json").read_text())
        record = begun(scene, self.step)
        record.steps, record.cpu = told["steps"], told.get("cpu_seconds", 0.0)
        record.warnings = [reason["name"] for reason in told["trust"]["reasons"]]
        record.note = "not trusted: " + ", ".join(record.warnings) if record.warnings else ""
        record.columns = {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}
        for row in rows:
            self.add_frame(record, {key: float(value) for key, value in row.items()})
        return record

    def add_frame(self, record, row):
        record.time.append(row["time"])
        poses, contacts = [], []
        for body in self.asked.body:
            x, v, w, n, f = (np.array([row[f"{body.name}_{q}_{a}"] for a in "xyz"]) for q in VECTORS.values())
            half = math.radians(row[f"{body.name}_tilt"]) / 2
            poses.append(Pose(x, v, np.array([math.cos(half), 0, math.sin(half), 0]), w))
            size = float(np.linalg.norm(n))
            if size > 0:
                contacts.append(Contact(body.name, n / size, size, f, self.asked.of(body)))
        record.poses.append(poses)
        record.contacts.append(contacts if len(record.poses) > 1 else None)
        now = row["time"] - self.step
        wrenches = {name: np.zeros((2, 3)) for name in record.bodies}
        for push in self.asked.push:
            force = push.factor(now) * np.array(push.force, float)
            wrenches[push.body] += [force, np.cross(push.at, force)]
        record.applied.append([wrenches[name] for name in record.bodies])
