//! Facts that no step of a run changes, decided once at its start.

use crate::impulses::ContactMethod;
use crate::integrators::{Integrator, OneByOne};
use crate::model::Model;

/// Facts about model and methods that every step would have to ask for.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    /// The method's step, if it moves each particle by itself and nothing else moves them.
    pub(super) one_by_one: Option<OneByOne>,
    /// Only forces act: there are no constraints and no velocity jumps.
    pub(super) is_free: bool,
    /// Something follows a curve of time, which may have no value.
    pub(super) follows_time: bool,
}

impl Plan {
    pub(super) fn of(model: &Model, integrator: &dyn Integrator, method: &ContactMethod) -> Plan {
        let is_free = model.constraints().next().is_none() && method.is_force();
        let alone = is_free && !model.carries_stretch();
        Plan {
            one_by_one: integrator.one_by_one().filter(|_| alone),
            is_free,
            follows_time: model.follows_time(),
        }
    }
}
