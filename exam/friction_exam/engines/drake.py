"""Drake: compliant point contact, discrete (convex or lagged) or continuous with error control."""

from importlib.metadata import version

import numpy as np
from pydrake.common.eigen_geometry import Quaternion
from pydrake.geometry import AddContactMaterial, Box, Capsule, Cylinder, HalfSpace, ProximityProperties, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.math import SpatialForce, SpatialVelocity
from pydrake.multibody.plant import (
    AddMultibodyPlant, CoulombFriction, ExternallyAppliedSpatialForce, MultibodyPlantConfig,
)  # fmt: skip
from pydrake.multibody.tree import SpatialInertia, UnitInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from ..engine import Engine, Impossible, Stopped
from ..record import Contact, Pose
from ..scene import Body, Scene, Surface


class Adapter(Engine):
    """Bodies float. Drake pairs coefficients by 2ab/(a + b)."""

    package = "drake==1.51.1"
    settings = {
        "default": {
            "about": "as a discrete plant comes: lagged approximation, h = 1 ms; boxes have points at their corners, "
            "as in its example of an inclined plane"
        },
        "best": {"about": "SAP, h = 1 ms; boxes as by default", "approximation": "sap"},
    }
    step = 1e-3

    version = staticmethod(lambda: version("drake"))

    def __init__(self, scene: Scene, options: dict, step: float):
        bouncing = [scene.restitution, *(b.restitution for b in scene.body)]
        for lacks, words in (
            (scene.soft, "a mass-spring model"),
            (len(scene.body) > 1, "bodies that touch along faces: point contact has one point a pair"),
            (scene.kinetic(), "a kinetic coefficient that differs from the static one, in discrete plants"),
            (bouncing != [None] * len(bouncing), "a coefficient of restitution"),
            (scene.substeps > 1, "substeps"),
            (scene.setting, "a coefficient of friction that is changed while running"),
        ):
            if lacks:
                raise Impossible(words)
        self.scene, self.step, self.count, self.forces = scene, step, 0, []
        config = MultibodyPlantConfig(time_step=step, contact_model="point")
        config.discrete_contact_approximation = options.get("approximation", "lagged")
        builder = DiagramBuilder()
        self.plant, _ = AddMultibodyPlant(config, builder)
        self.plant.mutable_gravity_field().set_gravity_vector(scene.gravity)
        for surface in scene.surface:
            self.add_surface(surface)
        self.bodies = {body.name: self.add_body(body) for body in scene.body}
        self.plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.plant.GetMyMutableContextFromRoot(self.simulator.get_mutable_context())
        for body in scene.body:
            self.throw(body)
        self.simulator.Initialize()

    def properties(self, thing):
        properties, mu = ProximityProperties(), self.scene.of(thing)
        AddContactMaterial(properties=properties, friction=CoulombFriction(mu, mu))
        return properties

    def add_surface(self, surface: Surface):
        if any(surface.belt):
            raise Impossible("a belt")
        pose, shape = HalfSpace.MakePose(surface.normal, surface.point), HalfSpace()
        if surface.box:
            pose, shape = RigidTransform(surface.point), Box(*(2 * half for half in surface.box))
        register = self.plant.RegisterCollisionGeometry
        register(self.plant.world_body(), pose, shape, surface.name, self.properties(surface))

    def add_body(self, body: Body):
        unit = UnitInertia(*np.array(body.moments()) / body.mass)
        part = self.plant.AddRigidBody(body.name, SpatialInertia(body.mass, np.zeros(3), unit))
        for n, (at, shape) in enumerate(shapes(body)):
            name = f"{body.name}{n}"
            self.plant.RegisterCollisionGeometry(part, RigidTransform(at), shape, name, self.properties(body))
        return part

    def throw(self, body: Body):
        part = self.bodies[body.name]
        pose = RigidTransform(Quaternion(body.quaternion()), body.position)
        self.plant.SetFreeBodyPose(self.context, part, pose)
        self.plant.SetFreeBodySpatialVelocity(self.context, part, SpatialVelocity(body.spin, body.velocity))

    def pose(self, body):
        pose = self.plant.EvalBodyPoseInWorld(self.context, self.bodies[body])
        speed = self.plant.EvalBodySpatialVelocityInWorld(self.context, self.bodies[body])
        q = pose.rotation().ToQuaternion().wxyz()
        return Pose(pose.translation().copy(), speed.translational().copy(), q, speed.rotational().copy())

    def push(self, body, force, at):
        applied = ExternallyAppliedSpatialForce()
        applied.body_index = self.bodies[body].index()
        # the point of application is in the frame of the body
        applied.p_BoBq_B = self.plant.EvalBodyPoseInWorld(self.context, self.bodies[body]).rotation().inverse() @ at
        applied.F_Bq_W = SpatialForce(np.zeros(3), force)
        self.forces.append(applied)

    def advance(self):
        self.plant.get_applied_spatial_force_input_port().FixValue(self.context, self.forces)
        self.forces, self.count = [], self.count + 1
        try:
            self.simulator.AdvanceTo(self.count * self.step)
        except RuntimeError as said:
            raise Stopped(str(said)) from None

    def pair(self):
        """Coefficient of the one body on the one surface."""
        a, b = self.scene.of(self.scene.body[0]), self.scene.of(self.scene.surface[0])
        return 2 * a * b / (a + b) if a + b else 0.0

    def contacts(self):
        results, found = self.plant.get_contact_results_output_port().Eval(self.context), []
        names = {part.index(): name for name, part in self.bodies.items()}
        for n in range(results.num_point_pair_contacts()):
            told = results.point_pair_contact_info(n)
            first, second = names.get(told.bodyA_index()), names.get(told.bodyB_index())
            # the force acts on B; nhat points from B to A
            normal, force = -told.point_pair().nhat_BA_W, told.contact_force()
            for body, other, sign in ((second, first, 1), (first, second, -1)):
                if body is not None:
                    size = float(force @ normal)
                    friction = sign * (force - size * normal)
                    at = told.contact_point().copy()
                    found.append(Contact(body, sign * normal, size, friction, self.pair(), other, at))
        return found


def shapes(body: Body):
    """Collision shapes with their places."""
    zero = np.zeros(3)
    if body.balls:
        return [(at, Sphere(body.balls["radius"])) for at in body.balls["at"]]
    if body.box:
        # point contact has one point a pair: corners are points, and the box between them is a little smaller
        corners = [np.array(body.box) * (x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        inner = Box(*(2 * half - 2e-4 for half in body.box))
        return [(zero, inner), *((at, Sphere(1e-6)) for at in corners)]
    if body.sphere:
        return [(zero, Sphere(body.sphere))]
    kind, (radius, half) = (Capsule, body.capsule) if body.capsule else (Cylinder, body.cylinder)
    return [(zero, kind(radius, 2 * half))]
