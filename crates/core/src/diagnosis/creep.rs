//! Budget of creep: drift = law + integrator + lag; and the load on a body at one instant.

use super::loaded_law::LoadedLaw;
use super::window::Window;
use crate::math::{Vector, tangential};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Coefficients;
use serde::{Deserialize, Serialize};
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

/// The tangential load ratio of a body whose contacts share one normal: gravity, pushes and drag over
/// the friction its normal forces allow. `None` without contact or with several normals.
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

/// The load of a body, and friction's share in carrying it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// |W|, the sum of gravity, pushes and drag \[N\].
    pub load: f64,
    /// −F·W/W² with the sum F of friction forces: 1 if friction alone carries the load, 0 if normal
    /// forces do, below 0 if friction adds to it.
    pub by_friction: f64,
}

/// The load of a body and friction's share; `None` without a load.
pub fn carried(model: &Model, state: &State, particles: &Range<usize>) -> Option<Carried> {
    let contacts = state.memory.contacts.iter();
    let friction: Vector = contacts.map(|c| c.friction * c.share(particles)).sum();
    carried_by(friction, model, state, particles.clone())
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
    let weight: Vector = particles.map(|i| forces[i]).sum();
    let load = weight.norm();
    (load > 0.0).then(|| Carried { load, by_friction: -friction.dot(&weight) / (load * load) })
}

/// Share by which a load exceeds the friction limit where a contact counts as sliding.
const OVER: f64 = 1e-6;

/// The creep of a contact or a body in its parts, summed with the weight N Δt; world coordinates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Budget {
    /// Σ N Δt \[N·s\].
    weight: f64,
    /// the weight of windows in which the law's creep is known
    known: f64,
    travel: Vector,
    law: Vector,
    lag: Vector,
}

impl Budget {
    /// The budget of one window of a contact.
    pub(super) fn of(window: &Window, loaded_law: &LoadedLaw, lags_normal_force: bool) -> Self {
        let (normal_force, needed) = (window.normal_force(), window.needed());
        let weight = normal_force * window.span();
        let travel = window.travel() * normal_force;
        let mut budget = Budget { weight, travel, ..Budget::default() };
        let load = needed.norm();
        let throw = window.throw();
        let fast = window.drift() > loaded_law.reach() + throw;
        let gives_way = window.drift() > loaded_law.threshold() + throw
            && window.load_if_held() > (1.0 + OVER) * loaded_law.capacity(normal_force);
        let creep = loaded_law
            .creep(load, normal_force)
            .filter(|_| loaded_law.can_rest() && !fast && !gives_way);
        if let Some(speed) = creep {
            let along = if load > 0.0 { needed / -load } else { Vector::zeros() };
            budget.known = weight;
            budget.law = along * (speed * weight);
            let lagged = loaded_law.creep(load, window.lagged_normal_force());
            if let (Some(lagged), true) = (lagged, lags_normal_force) {
                budget.lag = along * ((lagged - speed) * weight);
            }
        }
        budget
    }

    /// Adds the share `share` of another budget; a negative share, that of a second side, reverses the
    /// vectors.
    pub(super) fn add(&mut self, other: &Budget, share: f64) {
        let (size, sign) = (share.abs(), share);
        self.weight += other.weight * size;
        self.known += other.known * size;
        self.travel += other.travel * sign;
        self.law += other.law * sign;
        self.lag += other.lag * sign;
    }

    /// Adds the window of a contact that opened: its displacement only.
    pub(super) fn add_departed(&mut self, window: &Window) {
        if window.steps() >= 1.0 {
            self.weight += window.normal_force() * window.span();
            self.travel += window.travel() * window.normal_force();
        }
    }

    /// Adds a later budget.
    pub fn append(&mut self, later: &Budget) {
        self.add(later, 1.0);
    }

    /// Mean speed relative to the surface, from displacement \[m/s\]; `None` without contact.
    pub fn measured(&self) -> Option<f64> {
        (self.weight > 0.0).then(|| self.travel.norm() / self.weight)
    }

    /// Creep of the law, of the integrator and of lag \[m/s\]; their sum is [`Self::measured`]. `None`
    /// unless the law's creep is known for nearly all contacts.
    pub fn parts(&self) -> Option<[f64; 3]> {
        let measured = self.measured()?;
        if self.known < 0.999 * self.weight {
            return None;
        }
        let law = self.law.norm() / self.weight;
        let lag = (self.law + self.lag).norm() / self.weight - law;
        Some([law, measured - law - lag, lag])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Law, integrator and lag add up to the measured speed, and lag is the law's surplus under lagged forces.
    #[test]
    fn parts_add_up_to_the_measured_speed() {
        let budget = Budget {
            weight: 2.0,
            known: 2.0,
            travel: Vector::x() * 2.0,
            law: Vector::x() * 0.6,
            lag: Vector::x() * 0.2,
        };
        let parts = budget.parts().expect("the law's creep is known");
        for (part, exact) in parts.into_iter().zip([0.3, 0.6, 0.1]) {
            assert!((part - exact).abs() < 1e-15, "{parts:?}");
        }
        let unknown = Budget { known: 1.9, ..budget };
        assert_eq!((unknown.parts(), unknown.measured()), (None, Some(1.0)));
    }
}
