//! Rigid bodies of a world: refused settings, and the state at t = 0.

use crate::constraints::rigid::Rigid;
use crate::integrators::Integrator;
use crate::math::Vector;
use crate::model::{self, Model};
use crate::state::State;
use crate::world::builder::World;
use crate::world::error::{Part, WorldError};
use std::borrow::Cow;

/// Tolerated deviation of velocities from those of a rigid body, as a share of the largest speed.
const ROUNDING: f64 = 1e-9;

/// Refuses pins on rigid bodies: a pin holds single particles and would be a joint there.
pub(super) fn refuse_pins(world: &World) -> Result<(), WorldError> {
    let Some(pin) = world.pins.iter().position(|pin| world.bodies[pin.body.0].rigid) else {
        return Ok(());
    };
    let name = &world.bodies[world.pins[pin].body.0].name;
    Err(Part::Pin(pin).fault(
        format!(
            "body `{name}` is rigid and cannot be pinned: a pin holds single particles, which then would pull on all others at once"
        ),
        format!(
            "leave out the pin; or leave out `rigid` in body `{name}` and give it stiff springs; or make a collider of what is to be held, which can move"
        ),
    ))
}

/// Refuses implicit methods with rigid bodies: they solve for single particles with the Jacobian of the
/// forces, without reactions.
pub(super) fn refuse_implicit(
    world: &World,
    integrator: &dyn Integrator,
) -> Result<(), WorldError> {
    let rigid = world.bodies.iter().find(|body| body.rigid);
    let (Some(body), true) = (rigid, integrator.capabilities().implicit) else {
        return Ok(());
    };
    let (name, method) = (&body.name, world.integrator.name());
    Err(Part::Integrator.fault(
        format!(
            "`{method}` cannot move the rigid body `{name}`: it solves for the particles one by one, as if they were free of each other"
        ),
        format!(
            "choose an explicit method: symplectic-euler, rk4, or dopri5, which finds its steps itself; or leave out `rigid` in body `{name}`"
        ),
    ))
}

/// The rigid bodies, in the order of bodies.
pub(super) fn rigid_bodies(
    world: &World,
    bodies: &[model::Body],
    masses: &[f64],
    positions: &[Vector],
) -> Vec<Rigid> {
    let rigid = world.bodies.iter().zip(bodies).filter(|(body, _)| body.rigid);
    rigid
        .enumerate()
        .map(|(number, (_, placed))| {
            Rigid::new(number, placed.particles.clone(), masses, positions, world.locked_axis)
        })
        .collect()
}

/// The inverse masses that contacts see \[1/kg\]: a particle of a rigid body counts with the mass of the
/// whole body.
pub(super) fn as_borne<'a>(rigid: &[Rigid], inverse_masses: &'a [Vector]) -> Cow<'a, [Vector]> {
    let mut borne = Cow::Borrowed(inverse_masses);
    for body in rigid {
        let borne = borne.to_mut();
        for inverse_mass in &mut borne[body.particles.clone()] {
            *inverse_mass = inverse_mass.map(|m| if m > 0.0 { 1.0 / body.mass } else { 0.0 });
        }
    }
    borne
}

/// Replaces the velocities of rigid bodies by rigid ones with the same momentum and angular momentum.
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
