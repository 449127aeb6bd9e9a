//! Creep: how much of what friction holds the present load is. The law's own creep is its
//! `crawl` at this ratio.

use crate::contact::friction::Coefficients;
use crate::math::{Vector, tangential};
use crate::model::Model;
use crate::state::State;
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

/// The tangential load ratio of a body whose contacts share one normal: gravity, pushes and drag
/// against the friction its normal forces allow. `None` without contact or with several normals.
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
    // without friction there is nothing that holds
    if capacity <= 0.0 || pressure.norm() < 0.999 * sum {
        return None;
    }
    let mut forces = vec![Vector::zeros(); model.particles()];
    for force in &model.loads {
        force.add_force(&state.configuration(), &mut forces);
    }
    let total: Vector = forces[particles.clone()].iter().sum();
    let tangent = tangential(total, pressure.normalize());
    let size = tangent.norm();
    Some(Load {
        ratio: size / capacity,
        normal_force: sum / contacts,
        pair: Coefficients { static_friction: capacity / sum, kinetic_friction: kinetic / sum },
    })
}
