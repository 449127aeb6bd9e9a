"""PyBullet: impulses by sequential Gauss–Seidel."""

from importlib.metadata import version

import numpy as np
import pybullet
from pybullet_utils.bullet_client import BulletClient

from ..engine import Engine, Impossible, quiet
from ..record import Contact, Pose
from ..scene import Body, Scene, Surface


class Adapter(Engine):
    """Bullet multiplies coefficients of friction and of restitution: each material has the root of the pair's."""

    package = "pybullet==3.2.7"
    settings = {
        "default": {"about": "as PyBullet comes: h = 1/240 s, 50 iterations, linear and angular damping 0.04"},
        "best": {"about": "friction anchors, no damping, 200 iterations: the PyBullet quickstart guide", "anchor": True},
    }
    step = 1 / 240

    @staticmethod
    def version():
        return version("pybullet")

    def __init__(self, scene: Scene, options: dict, step: float):
        if scene.soft:
            raise Impossible("a mass-spring model")
        if scene.kinetic():
            raise Impossible("a kinetic coefficient of friction that differs from the static one")
        self.scene, self.options, self.step = scene, options, step
        with quiet():
            self.bullet = BulletClient(pybullet.DIRECT)
        self.bullet.setGravity(*scene.gravity)
        self.bullet.setTimeStep(step)
        self.bullet.setPhysicsEngineParameter(numSubSteps=scene.substeps if scene.substeps > 1 else 0)
        if options.get("anchor"):
            self.bullet.setPhysicsEngineParameter(numSolverIterations=200)
        self.surfaces = [self.add_surface(surface) for surface in scene.surface]
        self.bodies = {body.name: self.add_body(body) for body in scene.body}
        self.names = {number: name for name, (number, _) in self.bodies.items()}

    def material(self, number, link, thing):
        b, more = self.bullet, {}
        restitution = self.scene.of(thing, "restitution")
        if restitution is not None:
            more["restitution"] = restitution**0.5
        if self.options.get("anchor"):
            more |= {"frictionAnchor": 1, "linearDamping": 0, "angularDamping": 0}
        b.changeDynamics(number, link, lateralFriction=self.scene.of(thing) ** 0.5, **more)

    def add_surface(self, surface: Surface):
        if any(surface.belt):
            raise Impossible("a belt")
        b = self.bullet
        if surface.box:
            shape = b.createCollisionShape(b.GEOM_BOX, halfExtents=surface.box)
        else:
            shape = b.createCollisionShape(b.GEOM_PLANE, planeNormal=surface.normal)
        number = b.createMultiBody(0, shape, basePosition=surface.point)
        self.material(number, -1, surface)
        return number

    def add_body(self, body: Body):
        b, shape = self.bullet, self.shape(body)
        w, x, y, z = body.quaternion()
        place = {"basePosition": body.position, "baseOrientation": [x, y, z, w]}
        if not body.slides:
            number, link = b.createMultiBody(body.mass, shape, **place), -1
            b.resetBaseVelocity(number, body.velocity, body.spin)
            b.changeDynamics(number, link, localInertiaDiagonal=body.moments())
        else:
            axis = [float(a == body.slides) for a in "xyz"]
            still, zero = [0, 0, 0, 1], [0, 0, 0]
            number, link = b.createMultiBody(
                0, -1, **place, linkMasses=[body.mass], linkCollisionShapeIndices=[shape],
                linkVisualShapeIndices=[-1], linkPositions=[zero], linkOrientations=[still],
                linkInertialFramePositions=[zero], linkInertialFrameOrientations=[still], linkParentIndices=[0],
                linkJointTypes=[b.JOINT_PRISMATIC], linkJointAxis=[axis],
            ), 0  # fmt: skip
            b.setJointMotorControl2(number, 0, b.VELOCITY_CONTROL, force=0)
        self.material(number, link, body)
        return number, link

    def shape(self, body: Body):
        b = self.bullet
        if body.balls:
            at = body.balls["at"]
            radii, kinds = [body.balls["radius"]] * len(at), [b.GEOM_SPHERE] * len(at)
            return b.createCollisionShapeArray(kinds, radii=radii, collisionFramePositions=at)
        if body.box:
            return b.createCollisionShape(b.GEOM_BOX, halfExtents=body.box)
        if body.sphere:
            return b.createCollisionShape(b.GEOM_SPHERE, radius=body.sphere)
        kind, (radius, half) = (b.GEOM_CAPSULE, body.capsule) if body.capsule else (b.GEOM_CYLINDER, body.cylinder)
        return b.createCollisionShape(kind, radius=radius, height=2 * half)

    def pose(self, body):
        number, link = self.bodies[body]
        if link < 0:
            at, q = self.bullet.getBasePositionAndOrientation(number)
            v, w = self.bullet.getBaseVelocity(number)
        else:
            told = self.bullet.getLinkState(number, link, computeLinkVelocity=1, computeForwardKinematics=1)
            at, q, v, w = told[0], told[1], told[6], told[7]
        return Pose(np.array(at), np.array(v), np.array([q[3], *q[:3]]), np.array(w))

    def push(self, body, force, at):
        number, link = self.bodies[body]
        place = self.pose(body).position + at
        self.bullet.applyExternalForce(number, link, force.tolist(), place.tolist(), self.bullet.WORLD_FRAME)

    def advance(self):
        self.bullet.stepSimulation()

    def contacts(self):
        found = []
        for told in self.bullet.getContactPoints():
            friction = told[10] * np.array(told[11]) + told[12] * np.array(told[13])
            first, second = self.names.get(told[1]), self.names.get(told[2])
            # told[3] and told[4] are the links; index 1 of what they tell is lateralFriction
            materials = (self.bullet.getDynamicsInfo(told[1 + i], told[3 + i])[1] for i in (0, 1))
            coefficient = np.prod([*materials])
            # the normal points from the second to the first; friction is that on the first
            for body, other, sign in ((first, second, 1), (second, first, -1)):
                if body is not None:
                    normal = sign * np.array(told[7])
                    at = np.array(told[5])
                    found.append(Contact(body, normal, told[9], sign * friction, coefficient, other, at))
        return found

    def set_friction(self, value):
        for number, link in [*self.bodies.values(), *((s, -1) for s in self.surfaces)]:
            self.bullet.changeDynamics(number, link, lateralFriction=value**0.5)
