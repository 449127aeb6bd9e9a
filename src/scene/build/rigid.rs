//! Rigid bodies of a scene: what they refuse, and their state at t = 0.

use super::BuildError;
use crate::constraints::rigid::Rigid;
use crate::integrators::Integrator;
use crate::math::Vector;
use crate::model::{self, Model};
use crate::registry::Problem;
use crate::scene::Scene;
use crate::state::State;

/// Share of the largest speed by which velocities may differ from those of a rigid body.
const ROUNDING: f64 = 1e-9;

/// A pin holds particles one by one; on a rigid body it would be a joint.
pub(super) fn refuse_pins(scene: &Scene) -> Result<(), BuildError> {
    let Some(pin) = scene.pins.iter().find(|pin| scene.bodies[pin.body].rigid) else {
        return Ok(());
    };
    let name = &scene.bodies[pin.body].name;
    Err(BuildError::Scene {
        problem: Problem {
            key: None,
            message: format!(
                "body `{name}` is rigid and cannot be pinned: a pin holds single particles, which then would pull on all others at once"
            ),
            help: format!(
                "leave out the pin; or leave out `rigid` in body `{name}` and give it stiff springs; or make a collider of what is to be held, which can move"
            ),
        },
        place: pin.place,
    })
}

/// Implicit methods solve for the particles one by one, with the Jacobian of forces between them: they
/// know nothing of reactions.
pub(super) fn refuse_implicit(
    scene: &Scene,
    integrator: &dyn Integrator,
) -> Result<(), BuildError> {
    let rigid = scene.bodies.iter().find(|body| body.rigid);
    let (Some(body), true) = (rigid, integrator.capabilities().implicit) else {
        return Ok(());
    };
    let (name, method) = (&body.name, scene.integrator.name);
    Err(BuildError::Scene {
        problem: Problem {
            key: None,
            message: format!(
                "`{method}` cannot move the rigid body `{name}`: it solves for the particles one by one, as if they were free of each other"
            ),
            help: format!(
                "choose an explicit method: symplectic-euler, rk4, or dopri5, which finds its steps itself; or leave out `rigid` in body `{name}`"
            ),
        },
        place: scene.integrator.place,
    })
}

/// The rigid bodies, in scene order.
pub(super) fn rigid_bodies(
    scene: &Scene,
    bodies: &[model::Body],
    masses: &[f64],
    positions: &[Vector],
) -> Vec<Rigid> {
    let rigid = scene.bodies.iter().zip(bodies).filter(|(body, _)| body.rigid);
    rigid
        .enumerate()
        .map(|(number, (_, placed))| {
            Rigid::new(number, placed.particles.clone(), masses, positions, scene.locked_axis)
        })
        .collect()
}

/// The mobilities that contacts work against \[1/kg\]: behind a particle of a rigid body stands all
/// of its mass.
pub(super) fn as_borne(rigid: &[Rigid], mobilities: &[Vector]) -> Vec<Vector> {
    let mut borne = mobilities.to_vec();
    for body in rigid {
        for mobility in &mut borne[body.particles.clone()] {
            *mobility = mobility.map(|m| if m > 0.0 { 1.0 / body.mass } else { 0.0 });
        }
    }
    borne
}

/// Takes the velocities of rigid bodies to those with the same momentum and angular momentum with which
/// their particles keep their distances.
pub(super) fn move_rigidly(model: &Model, state: &mut State, remarks: &mut Vec<String>) {
    for body in &model.rigid {
        let given: Vec<Vector> = state.velocities[body.particles.clone()].to_vec();
        let (velocity, spin) = body.twist(state);
        body.set_twist(velocity, spin, state);
        let moved = &state.velocities[body.particles.clone()];
        let most = given.iter().map(|v| v.norm()).fold(0.0, crate::math::larger);
        if given.iter().zip(moved).any(|(a, b)| (a - b).norm() > ROUNDING * most) {
            let name = model.bodies.iter().find(|b| b.particles == body.particles);
            remarks.push(format!(
                "body `{}` is rigid, and the velocities given are not those of a rigid body: it starts with their momentum and angular momentum",
                name.map_or("", |body| &body.name)
            ));
        }
    }
}
