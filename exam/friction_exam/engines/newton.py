"""Newton: projected positions (XPBD) or forces (semi-implicit), in single precision, here on the CPU."""

import newton
import numpy as np
import warp as wp

from ..engine import Engine, Impossible, quiet
from ..record import Pose
from ..scene import Body, Scene, Surface

wp.config.quiet = True


class Adapter(Engine):
    """Bodies with locked inertia and massless shapes; Newton takes the mean of two coefficients."""

    package = "newton==1.8.0"
    settings = {
        "default": {"about": "SolverXPBD as it comes, ten substeps of a frame of 1/60 s", "solver": "SolverXPBD"},
        "best": {
            "about": "SolverXPBD with 20 iterations at h = 1/2400 s: Newton's documentation on its iterations",
            "solver": "SolverXPBD",
            "iterations": 20,
            "step": 1 / 2400,
        },
        "semi-implicit": {
            "about": "SolverSemiImplicit as it comes, h = 1e-4 s",
            "solver": "SolverSemiImplicit",
            "step": 1e-4,
        },
    }
    step = 1 / 600

    @staticmethod
    def version():
        return newton.__version__

    def __init__(self, scene: Scene, options: dict, step: float):
        bouncing = any(scene.of(thing, "restitution") is not None for thing in scene.body)
        for lacks, words in (
            (scene.soft, "a mass-spring model"),
            (scene.kinetic(), "a kinetic coefficient of friction that differs from the static one"),
            (scene.substeps > 1, "substeps"),
            (scene.setting, "a coefficient of friction that is changed while running"),
            (any(body.slides for body in scene.body), "sliders, as free bodies"),
            (bouncing and options["solver"] != "SolverXPBD", "a coefficient of restitution"),
        ):
            if lacks:
                raise Impossible(words)
        self.scene, self.step, self.solver_name = scene, step, options["solver"]
        with quiet():
            builder = newton.ModelBuilder(gravity=scene.gravity)
            for surface in scene.surface:
                self.add_surface(builder, surface)
            self.numbers = {body.name: self.add_body(builder, body) for body in scene.body}
            self.model = builder.finalize(device="cpu")
            more = {"iterations": options["iterations"]} if "iterations" in options else {}
            if bouncing:
                more["enable_restitution"] = True
            self.solver = getattr(newton.solvers, options["solver"])(self.model, **more)
            self.now, self.next = self.model.state(), self.model.state()
            self.control = self.model.control()
        speeds = self.now.body_qd.numpy()
        for body in scene.body:
            speeds[self.numbers[body.name]] = [*body.velocity, *body.spin]
        self.now.body_qd.assign(speeds)
        self.forces = np.zeros_like(speeds)

    def material(self, thing):
        restitution = self.scene.of(thing, "restitution") or 0.0
        return newton.ModelBuilder.ShapeConfig(density=0.0, mu=self.scene.of(thing), restitution=restitution)

    def add_surface(self, builder, surface: Surface):
        if any(surface.belt):
            raise Impossible("a belt")
        cfg = self.material(surface)
        if surface.box:
            x, y, z = surface.box
            builder.add_shape_box(-1, xform=wp.transform(surface.point, wp.quat_identity()), hx=x, hy=y, hz=z, cfg=cfg)
            return
        away = -float(np.dot(surface.normal, surface.point))
        normal = [float(n) for n in surface.normal]
        builder.add_shape_plane(plane=(*normal, away), width=0.0, length=0.0, cfg=cfg)

    def add_body(self, builder, body: Body):
        w, x, y, z = body.quaternion()
        place = wp.transform(body.position, wp.quat(x, y, z, w))
        inertia = wp.mat33(np.diag(body.moments()).astype(np.float32))
        number = builder.add_body(xform=place, mass=body.mass, inertia=inertia, lock_inertia=True, label=body.name)
        cfg = self.material(body)
        if body.balls:
            for at in body.balls["at"]:
                where = wp.transform(at, wp.quat_identity())
                builder.add_shape_sphere(number, xform=where, radius=body.balls["radius"], cfg=cfg)
        elif body.box:
            builder.add_shape_box(number, hx=body.box[0], hy=body.box[1], hz=body.box[2], cfg=cfg)
        elif body.sphere:
            builder.add_shape_sphere(number, radius=body.sphere, cfg=cfg)
        else:
            add = builder.add_shape_capsule if body.capsule else builder.add_shape_cylinder
            radius, half = body.capsule or body.cylinder
            add(number, radius=radius, half_height=half, cfg=cfg)
        return number

    def pose(self, body):
        n = self.numbers[body]
        q, v = self.now.body_q.numpy()[n].astype(float), self.now.body_qd.numpy()[n].astype(float)
        return Pose(q[:3], v[:3], q[[6, 3, 4, 5]], v[3:])

    def push(self, body, force, at):
        self.forces[self.numbers[body]] += [*force, *np.cross(at, force)]

    def advance(self):
        self.now.clear_forces()
        if self.forces.any():
            self.now.body_f.assign(self.forces)
        contacts = self.model.collide(self.now)
        self.solver.step(self.now, self.next, self.control, contacts, self.step)
        self.now, self.next = self.next, self.now
        self.forces[:] = 0
