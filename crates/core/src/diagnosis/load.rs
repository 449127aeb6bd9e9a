//! The loads on bodies at one instant, and friction's share in carrying it.

use crate::forces::Force;
use crate::math::{Vector, atan2, tangential};
use crate::model::{Body, Model};
use crate::state::State;
use crate::state::memory::{Coefficients, Contact};
use std::collections::BTreeSet;

/// The load of one body on its contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Load ratio ρ = |T|/Σ μ_s N.
    pub ratio: f64,
    /// |F|/Σ μ_s N with the sum F of friction forces: ρ where the body is in equilibrium.
    pub borne: f64,
    /// Mean N of its contacts \[N\].
    pub normal_force: f64,
    /// Coefficients, averaged over its contacts with the weight N.
    pub pair: Coefficients,
}

/// The load of a body, and friction's share in carrying it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// |W|, the sum of gravity, pushes, drag, and springs and elements that join it to others \[N\].
    pub load: f64,
    /// −F·W/W² with the sum F of friction forces: 1 if friction alone carries the load, 0 if normal
    /// forces do, below 0 if friction adds to it.
    pub by_friction: f64,
    /// |F| \[N\], of the sum of friction forces.
    pub friction: f64,
    /// The angle of the force of all contacts to their normal \[rad\], tan = |F|/Σ N; none without contact or
    /// with several normals. At rest on a slope it is the slope's.
    pub angle: Option<f64>,
}

/// Contacts whose normal forces add up to at least this share of the sum of their sizes have one normal.
const ONE_NORMAL: f64 = 0.999;

/// The loads of all bodies, and their contacts.
pub struct Loads<'a> {
    contacts: Vec<Vec<(f64, &'a Contact)>>,
    /// W of each body \[N\]; none if a pin bears a part of it that is not known
    totals: Vec<Option<Vector>>,
}

impl<'a> Loads<'a> {
    /// The loads at a state.
    pub fn of(model: &Model, state: &'a State) -> Self {
        let axes = open_axes(model);
        // what holds all particles on an axis bears all forces along it
        let mask = Vector::from(axes.map(|open| f64::from(u8::from(open))));
        let totals = are_held_in_part(model, axes).into_iter().zip(totals(model, state));
        let totals =
            totals.map(|(held, total)| (!held).then(|| total.component_mul(&mask))).collect();
        Loads { contacts: contacts(model, state), totals }
    }

    /// The tangential load ratio of a body whose contacts share one normal: gravity, pushes, drag, springs and
    /// elements that join it to others over the friction its normal forces allow. `None` without contact, with several
    /// normals, or with particles held on an axis and free on another.
    pub fn load(&self, body: usize) -> Option<Load> {
        let (mut pressure, mut sum, mut capacity) = (Vector::zeros(), 0.0, 0.0);
        let (mut kinetic, mut contacts, mut friction) = (0.0, 0.0, Vector::zeros());
        for (share, contact) in &self.contacts[body] {
            let pair = contact.pair;
            pressure += contact.normal * (share * contact.normal_force);
            sum += contact.normal_force;
            capacity += pair.static_friction * contact.normal_force;
            kinetic += pair.kinetic_friction * contact.normal_force;
            contacts += 1.0;
            friction += contact.friction * *share;
        }
        // without friction nothing holds
        if capacity <= 0.0 || pressure.norm() < ONE_NORMAL * sum {
            return None;
        }
        let tangent = tangential(self.totals[body]?, pressure.normalize());
        let size = tangent.norm();
        Some(Load {
            ratio: size / capacity,
            borne: friction.norm() / capacity,
            normal_force: sum / contacts,
            pair: Coefficients { static_friction: capacity / sum, kinetic_friction: kinetic / sum },
        })
    }

    /// The load of a body and friction's share; `None` without a load, or with particles held on an axis and
    /// free on another.
    pub fn carried(&self, body: usize) -> Option<Carried> {
        let contacts = &self.contacts[body];
        let friction = contacts.iter().map(|(share, c)| c.friction * *share).sum();
        let mut carried = share(friction, self.totals[body]?)?;
        let sum: f64 = contacts.iter().map(|(_, c)| c.normal_force).sum();
        let pressure: Vector = contacts.iter().map(|(s, c)| c.normal * (s * c.normal_force)).sum();
        let one_normal = sum > 0.0 && pressure.norm() >= ONE_NORMAL * sum;
        carried.angle = one_normal.then(|| atan2(carried.friction, sum));
        Some(carried)
    }
}

/// The axes on which some particle of the model is free.
fn open_axes(model: &Model) -> [bool; 3] {
    [0, 1, 2].map(|axis| model.inverse_masses.iter().any(|inverse| inverse[axis] > 0.0))
}

/// Whether each body has a particle that is held on one of the open axes, and free on another.
fn are_held_in_part(model: &Model, axes: [bool; 3]) -> Vec<bool> {
    let free = |i: usize, axis: usize| model.inverse_masses[i][axis] > 0.0;
    let open = || (0..3).filter(|axis| axes[*axis]);
    let in_part = |i: usize| open().any(|axis| free(i, axis)) && open().any(|axis| !free(i, axis));
    model.bodies.iter().map(|body| body.particles.clone().any(in_part)).collect()
}

/// Of each body, the contacts in whose force it has a share, with that share, in the order of the state.
pub fn contacts<'a>(model: &Model, state: &'a State) -> Vec<Vec<(f64, &'a Contact)>> {
    let mut contacts = vec![Vec::new(); model.bodies.len()];
    for contact in &state.memory.contacts {
        let bodies: BTreeSet<usize> =
            contact.ends.iter().filter_map(|(i, _)| model.body_of(i)).collect();
        for body in bodies {
            let share = contact.share(&model.bodies[body].particles);
            if share != 0.0 {
                contacts[body].push((share, contact));
            }
        }
    }
    contacts
}

/// Gravity, pushes and drag on the free particles of each body, and the springs and elements that join these to
/// others or to its own held ones \[N\].
fn totals(model: &Model, state: &State) -> Vec<Vector> {
    let at = state.configuration();
    let loads = forces(model, state);
    let free = |i: usize| model.inverse_masses[i] != Vector::zeros();
    let of = |body: &Body| body.particles.clone().filter(|i| free(*i)).map(|i| loads[i]).sum();
    let mut totals: Vec<Vector> = model.bodies.iter().map(of).collect();
    let owner = |i: usize| if free(i) { model.body_of(i) } else { None };
    model.springs.for_each(|spring| {
        let [first, second] = [spring.i, spring.j].map(owner);
        if first != second {
            let along = state.positions[spring.j] - state.positions[spring.i];
            let pull = along.normalize() * spring.tension(&at);
            first.into_iter().for_each(|body| totals[body] += pull);
            second.into_iter().for_each(|body| totals[body] -= pull);
        }
    });
    let is_held = |body: &&(usize, &Body)| body.1.particles.clone().any(|i| !free(i));
    let bodies: Vec<(usize, &Body)> = model.bodies.iter().enumerate().collect();
    if !model.elements.is_empty() && bodies.iter().any(|body| is_held(&body)) {
        let mut inner = vec![Vector::zeros(); model.particles()];
        model.elements.add_force(&at, &mut inner);
        for (number, body) in bodies.iter().filter(is_held) {
            let own = body.particles.clone().filter(|i| free(*i));
            totals[*number] += own.map(|i| inner[i]).sum::<Vector>();
        }
    }
    totals
}

/// Gravity, pushes and drag on all particles \[N\].
fn forces(model: &Model, state: &State) -> Vec<Vector> {
    let mut forces = vec![Vector::zeros(); model.particles()];
    for force in &model.loads {
        force.add_force(&state.configuration(), &mut forces);
    }
    forces
}

/// The load of some particles and the share in it of the friction force `friction` \[N\] on them; `None`
/// without a load.
pub(crate) fn carried_by(
    friction: Vector,
    model: &Model,
    state: &State,
    particles: impl Iterator<Item = usize>,
) -> Option<Carried> {
    let forces = forces(model, state);
    share(friction, particles.map(|i| forces[i]).sum())
}

/// Friction's share in carrying a load W; `None` without a load.
fn share(friction: Vector, weight: Vector) -> Option<Carried> {
    let load = weight.norm();
    (load > 0.0).then(|| Carried {
        load,
        by_friction: -friction.dot(&weight) / (load * load),
        friction: friction.norm(),
        angle: None,
    })
}
