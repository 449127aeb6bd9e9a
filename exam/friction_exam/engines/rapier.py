"""Rapier: impulses by Gauss–Seidel with softness, in single precision."""

from importlib.metadata import version

import numpy as np
import rapier3d as rapier

from ..engine import Engine, Impossible
from ..record import Contact, Pose
from ..scene import Body, Scene, Surface


class Adapter(Engine):
    """One collider a body, several where it is of balls; bodies have their mass properties set."""

    package = "rapier3d==0.36.1"
    settings = {
        "default": {"about": "as Rapier comes: h = 1/60 s, 4 solver iterations, simplified friction"},
        "best": {
            "about": "h = 1/240 s, 16 solver iterations: Rapier's documentation on accuracy",
            "iterations": 16,
            "step": 1 / 240,
        },
    }
    step = 1 / 60

    @staticmethod
    def version():
        return version("rapier3d")

    def __init__(self, scene: Scene, options: dict, step: float):
        if scene.soft:
            raise Impossible("a mass-spring model")
        if scene.kinetic():
            raise Impossible("a kinetic coefficient of friction that differs from the static one")
        if scene.substeps > 1:
            raise Impossible("substeps")
        self.scene, self.step = scene, step
        self.world = rapier.PhysicsWorld(gravity=scene.gravity)
        self.world.set_num_threads(1)
        self.world.integration_parameters.dt = step
        if "iterations" in options:
            self.world.integration_parameters.num_solver_iterations = options["iterations"]
        for surface in scene.surface:
            self.add_surface(surface)
        self.handles = {body.name: self.add_body(body) for body in scene.body}

    def material(self, builder, thing):
        builder = builder.friction(self.scene.of(thing))
        restitution = self.scene.of(thing, "restitution")
        return builder if restitution is None else builder.restitution(restitution)

    def add_surface(self, surface: Surface):
        if any(surface.belt):
            raise Impossible("a belt")
        shape = rapier.SharedShape.halfspace(surface.normal)
        if surface.box:
            shape = rapier.SharedShape.cuboid(*surface.box)
        builder = rapier.Collider.new(shape).translation(surface.point)
        self.world.add_collider(self.material(builder, surface))

    def add_body(self, body: Body):
        free = [True] * 3
        if body.slides:
            free = [axis == body.slides for axis in "xyz"]
        mass = rapier.MassProperties((0, 0, 0), body.mass, body.moments())
        builder = (
            rapier.RigidBodyBuilder(rapier.RigidBodyType.DYNAMIC)
            .translation(body.position)
            .rotation(np.radians(body.rotation).tolist())
            .linvel(body.velocity)
            .angvel(body.spin)
            .additional_mass_properties(mass)
            .can_sleep(self.scene.sleep)
            .enabled_translations(tuple(free))
            .enabled_rotations((not body.slides,) * 3)
        )
        return self.world.add_body(builder, [self.material(c.density(0.0), body) for c in colliders(body)])

    def body(self, name):
        return self.world.rigid_bodies[self.handles[name]]

    def pose(self, body):
        at = self.body(body)
        q = at.rotation
        return Pose(vector(at.translation), vector(at.linvel), np.array([q.w, q.i, q.j, q.k]), vector(at.angvel))

    def push(self, body, force, at):
        self.body(body).add_force_at_point(tuple(force), tuple(self.pose(body).position + at), True)

    def advance(self):
        self.world.step()
        for handle in self.handles.values():
            self.world.rigid_bodies[handle].reset_forces(False)
            self.world.rigid_bodies[handle].reset_torques(False)

    def contacts(self):
        """Normal forces; the axes of tangential impulses are not told."""
        names, found = {str(handle): name for name, handle in self.handles.items()}, []
        for pair in self.world.narrow_phase.contact_pairs():
            for manifold in pair.manifolds:
                data = manifold.data
                first, second = (names.get(str(h)) for h in (data.rigid_body1, data.rigid_body2))
                # the mean is Rapier's default rule
                both = (self.world.colliders[c].friction for c in (pair.collider1, pair.collider2))
                coefficient = sum(both) / 2
                for point in manifold.points:
                    force = point.impulse / self.step
                    for body, other, sign in ((second, first, 1), (first, second, -1)):
                        if body is not None and force > 0:
                            normal = sign * vector(data.normal)
                            found.append(Contact(body, normal, force, None, coefficient, other))
        return found

    def set_friction(self, value):
        for handle in self.world.colliders.handles():
            self.world.colliders[handle].friction = value

    def warnings(self):
        quarantine = self.world.quarantine
        return ["quarantine: a state is not finite"] if len(quarantine.bodies) else []


def colliders(body: Body):
    """Colliders of a body; Rapier's cylinder stands along y."""
    shape = rapier.SharedShape
    if body.balls:
        return [rapier.Collider.new(shape.ball(body.balls["radius"])).translation(at) for at in body.balls["at"]]
    if body.cylinder:
        radius, half = body.cylinder
        return [rapier.Collider.new(shape.cylinder(half, radius)).rotation((np.pi / 2, 0, 0))]
    if body.capsule:
        return [rapier.Collider.new(shape.capsule_z(body.capsule[1], body.capsule[0]))]
    form = shape.cuboid(*body.box) if body.box else shape.ball(body.sphere)
    return [rapier.Collider.new(form)]


def vector(of):
    return np.array([of.x, of.y, of.z])
