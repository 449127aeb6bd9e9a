"""MuJoCo: soft contacts by regularised cones."""

import mujoco
import numpy as np

from ..engine import Engine, Impossible
from ..record import Contact, Pose
from ..scene import Body, Scene, Surface

HOLD = {"impratio": "10", "noslip_iterations": "10", "cone": "elliptic"}


class Adapter(Engine):
    """One geom a body; a slider is a slide joint."""

    package = "mujoco==4.0.0"
    settings = {
        "default": {"about": "as MuJoCo comes: pyramidal cones, solref .02 1"},
        "elliptic": {"about": "elliptic cones, else as MuJoCo comes", "option": {"cone": "elliptic"}},
        "best": {
            "about": "elliptic cones, impratio 10, noslip_iterations 10: MuJoCo's documentation against slip",
            "option": HOLD,
        },
    }
    step = 2e-3

    @staticmethod
    def version():
        return mujoco.__version__

    def __init__(self, scene: Scene, options: dict, step: float):
        if scene.soft:
            raise Impossible("a mass-spring model")
        if scene.kinetic():
            raise Impossible("a kinetic coefficient of friction that differs from the static one")
        if any(x is not None for x in [scene.restitution, *(b.restitution for b in scene.body)]):
            raise Impossible("a coefficient of restitution")
        if scene.substeps > 1:
            raise Impossible("substeps")
        spec = mujoco.MjSpec()
        spec.compiler.degree = False
        spec.option.timestep = step
        spec.option.gravity = scene.gravity
        for key, value in options.get("option", {}).items():
            kind = {"elliptic": mujoco.mjtCone.mjCONE_ELLIPTIC}
            setattr(spec.option, key, kind.get(value) or type(getattr(spec.option, key))(value))
        for surface in scene.surface:
            self.add_surface(spec.worldbody, surface, scene)
        for body in scene.body:
            self.add_body(spec.worldbody, body, scene)
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        self.names = {self.model.body(b.name).id: b.name for b in scene.body}
        for body in scene.body:
            self.throw(body)
        mujoco.mj_forward(self.model, self.data)

    def friction(self, scene: Scene, thing):
        return [scene.of(thing), 0.005, 0.0001]

    def add_surface(self, world, surface: Surface, scene: Scene):
        if any(surface.belt):
            raise Impossible("a belt")
        place = {"pos": surface.point, "friction": self.friction(scene, surface)}
        if surface.box:
            world.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=surface.box, **place)
            return
        turn = np.zeros(4)
        mujoco.mju_quatZ2Vec(turn, np.array(surface.normal, float))
        world.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[50, 50, 1], quat=turn, **place)

    def add_body(self, world, body: Body, scene: Scene):
        part = world.add_body(name=body.name, pos=body.position, quat=body.quaternion())
        part.mass, part.inertia, part.explicitinertial = body.mass, body.moments(), True
        part.ipos, part.iquat = [0, 0, 0], [1, 0, 0, 0]
        if body.slides:
            axis = [float(a == body.slides) for a in "xyz"]
            part.add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
        else:
            part.add_freejoint()
        friction = self.friction(scene, body)
        if body.balls:
            for at in body.balls["at"]:
                size = [body.balls["radius"], 0, 0]
                part.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=size, pos=at, friction=friction)
            return
        kind = getattr(mujoco.mjtGeom, f"mjGEOM_{body.shape().upper()}")
        size = np.zeros(3)
        given = np.atleast_1d(getattr(body, body.shape()))
        size[: len(given)] = given
        part.add_geom(type=kind, size=size, friction=friction)

    def throw(self, body: Body):
        start = self.model.body(body.name).dofadr[0]
        if body.slides:
            self.data.qvel[start] = body.velocity["xyz".index(body.slides)]
            return
        self.data.qvel[start : start + 3] = body.velocity
        # MuJoCo keeps the spin of a free body in its own frame
        turn = np.zeros(4)
        mujoco.mju_negQuat(turn, np.array(body.quaternion(), float))
        mujoco.mju_rotVecQuat(self.data.qvel[start + 3 : start + 6], np.array(body.spin, float), turn)

    def pose(self, body):
        n = self.model.body(body).id
        speed = np.zeros(6)
        mujoco.mj_objectVelocity(self.model, self.data, mujoco.mjtObj.mjOBJ_BODY, n, speed, 0)
        at = self.data.xpos[n].copy()
        return Pose(at, speed[3:].copy(), self.data.xquat[n].copy(), speed[:3].copy())

    def push(self, body, force, at):
        n = self.model.body(body).id
        self.data.xfrc_applied[n] += [*force, *np.cross(at, force)]

    def advance(self):
        mujoco.mj_step(self.model, self.data)
        self.data.xfrc_applied[:] = 0
        # positions and velocities of bodies are those of the step's end
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    def contacts(self):
        return [told for n in range(self.data.ncon) for told in self.told(n)]

    def reaction(self, body):
        part = self.model.body(body)
        joint = part.jntadr[0]
        if self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_SLIDE:
            return None
        mujoco.mj_rnePostConstraint(self.model, self.data)
        # about the centre of mass of the tree, which is the body alone; the push along the axis is gone by now
        torque, force = np.split(self.data.cfrc_int[part.id], 2)
        axis = self.data.xaxis[joint]
        return force - (force @ axis) * axis, torque.copy()

    def told(self, n):
        contact, force = self.data.contact[n], np.zeros(6)
        mujoco.mj_contactForce(self.model, self.data, n, force)
        axes = contact.frame.reshape(3, 3)
        first, second = (self.names.get(self.model.geom_bodyid[g]) for g in contact.geom)
        # the normal points from the first geom to the second, and the force acts on the second
        for body, other, sign in ((second, first, 1), (first, second, -1)):
            if body is not None:
                friction = sign * (axes[1] * force[1] + axes[2] * force[2])
                at, torque = contact.pos.copy(), sign * (axes.T @ force[3:])
                yield Contact(body, sign * axes[0], force[0], friction, contact.friction[0], other, at, torque)

    def set_friction(self, value):
        self.model.geom_friction[:, 0] = value

    def warnings(self):
        kinds = mujoco.mjtWarning.__members__.items()
        return [name for name, kind in kinds if name != "mjNWARNING" and self.data.warning[int(kind)].number]
