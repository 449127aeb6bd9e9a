//! Facts that no step of a run changes, decided once at its start.

use crate::impulses::ContactMethod;
use crate::integrators::{Integrator, OneByOne};
use crate::model::Model;

/// From so many particles on, their positions, velocities and forces do not stay in a second-level cache.
const MANY: usize = 16_384;

/// Facts about model and methods that every step would have to ask for.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// The method's step, if it moves each particle by itself and nothing else moves them.
    pub(super) one_by_one: Option<OneByOne>,
    /// All particles have the same mass, and the same axes held.
    pub(super) alike: bool,
    /// The step that moves each particle clears its force, while it is at hand: a pass over the memory
    /// less where particles are many. Where a law of friction has memory, the forces of a step that is
    /// taken back could not be computed again.
    pub(super) clears: bool,
    /// Only forces act: there are no constraints and no velocity jumps.
    pub(super) is_free: bool,
    /// Something follows a curve of time, which may have no value.
    pub(super) follows_time: bool,
}

impl Plan {
    pub(super) fn of(model: &Model, integrator: &dyn Integrator, method: &ContactMethod) -> Plan {
        let is_free = model.constraints().next().is_none() && method.is_force();
        let alone = is_free && !model.carries_stretch();
        let one_by_one = integrator.one_by_one().filter(|_| alone);
        let remembers = model.laws.as_ref().is_some_and(|laws| laws.friction.has_memory());
        let equal = |pair: &[f64]| pair[0].to_bits() == pair[1].to_bits();
        Plan {
            one_by_one,
            alike: model.masses.windows(2).all(equal)
                && model.inverse_masses.windows(2).all(|pair| pair[0] == pair[1]),
            clears: one_by_one.is_some() && !remembers && model.particles() >= MANY,
            is_free,
            follows_time: model.follows_time(),
        }
    }
}
