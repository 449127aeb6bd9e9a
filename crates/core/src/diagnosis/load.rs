//! The load on a body at one instant, and friction's share in carrying it.

use crate::math::{Vector, tangential};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Coefficients;
use std::ops::Range;

/// The load of one body on its contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Load ratio ρ = |T|/Σ μ_s N.
    pub ratio: f64,
    /// Mean N of its contacts \[N\].
    pub normal_force: f64,
    /// Coefficients, averaged over its contacts with the weight N.
    pub pair: Coefficients,
}

/// The tangential load ratio of a body whose contacts share one normal: gravity, pushes, drag and springs
/// that join it to others over the friction its normal forces allow. `None` without contact or with several normals.
pub fn load(model: &Model, state: &State, particles: &Range<usize>) -> Option<Load> {
    let (mut pressure, mut sum, mut capacity) = (Vector::zeros(), 0.0, 0.0);
    let (mut kinetic, mut contacts) = (0.0, 0.0);
    for contact in &state.memory.contacts {
        let (share, pair) = (contact.share(particles), contact.pair);
        if share != 0.0 {
            pressure += contact.normal * (share * contact.normal_force);
            sum += contact.normal_force;
            capacity += pair.static_friction * contact.normal_force;
            kinetic += pair.kinetic_friction * contact.normal_force;
            contacts += 1.0;
        }
    }
    // without friction nothing holds
    if capacity <= 0.0 || pressure.norm() < 0.999 * sum {
        return None;
    }
    let total = total_load(model, state, particles);
    let tangent = tangential(total, pressure.normalize());
    let size = tangent.norm();
    Some(Load {
        ratio: size / capacity,
        normal_force: sum / contacts,
        pair: Coefficients { static_friction: capacity / sum, kinetic_friction: kinetic / sum },
    })
}

/// The load of a body, and friction's share in carrying it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// |W|, the sum of gravity, pushes, drag and springs that join it to others \[N\].
    pub load: f64,
    /// −F·W/W² with the sum F of friction forces: 1 if friction alone carries the load, 0 if normal
    /// forces do, below 0 if friction adds to it.
    pub by_friction: f64,
}

/// The load of a body and friction's share; `None` without a load.
pub fn carried(model: &Model, state: &State, particles: &Range<usize>) -> Option<Carried> {
    let contacts = state.memory.contacts.iter();
    let friction: Vector = contacts.map(|c| c.friction * c.share(particles)).sum();
    share(friction, total_load(model, state, particles))
}

/// Gravity, pushes and drag on the free particles of a body, and the springs that join these to others or
/// to its own held ones \[N\].
fn total_load(model: &Model, state: &State, particles: &Range<usize>) -> Vector {
    let (mut loads, at) = (vec![Vector::zeros(); model.particles()], state.configuration());
    model.loads.iter().for_each(|force| force.add_force(&at, &mut loads));
    let free = |i: usize| model.inverse_masses[i] != Vector::zeros();
    let own = |i: usize| particles.contains(&i) && free(i);
    let mut total: Vector = particles.clone().filter(|i| free(*i)).map(|i| loads[i]).sum();
    model.springs.for_each(|spring| {
        if own(spring.i) != own(spring.j) {
            let along = state.positions[spring.j] - state.positions[spring.i];
            let pull = along.normalize() * spring.tension(&at);
            total += if own(spring.i) { pull } else { -pull };
        }
    });
    total
}

/// The load of some particles and the share in it of the friction force `friction` \[N\] on them; `None`
/// without a load.
pub(crate) fn carried_by(
    friction: Vector,
    model: &Model,
    state: &State,
    particles: impl Iterator<Item = usize>,
) -> Option<Carried> {
    let mut forces = vec![Vector::zeros(); model.particles()];
    for force in &model.loads {
        force.add_force(&state.configuration(), &mut forces);
    }
    share(friction, particles.map(|i| forces[i]).sum())
}

/// Friction's share in carrying a load W; `None` without a load.
fn share(friction: Vector, weight: Vector) -> Option<Carried> {
    let load = weight.norm();
    (load > 0.0).then(|| Carried { load, by_friction: -friction.dot(&weight) / (load * load) })
}
