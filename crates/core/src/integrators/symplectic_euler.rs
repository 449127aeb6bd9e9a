//! Symplectic (semi-explicit) Euler: velocity first, with the old force, then position.

use super::region::{Region, largest_root};
use super::{Capabilities, Integrator, OneByOne, StepReport};
use crate::forces::census::Census;
use crate::math::pointwise::{Number, Pointwise};
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::State;
use crate::step_error::StepError;

/// v' = v + h M⁻¹ F(t, x, v), x' = x + h v'; carried stretch moves with v'.
///
/// Order 1. Friction decays for h λ < 2; undamped springs are stable for h ω < 2 and keep a
/// modified energy. Source: \[hairer2006\].
#[derive(Debug, Clone, Copy)]
pub struct SymplecticEuler;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "symplectic-euler",
    about: "velocity first, then position: one evaluation a step, keeps springs' energy bounded",
    keys: &[],
    page: Page {
        formula: "v' = v + h a(x, v)\n\
            x' = x + h v'",
        creep: "",
        stiffness: "Decay: h λ < 2. Oscillation: h ω < 2.",
        when: "The cheapest method for springs: one evaluation a step, and the energy of undamped springs does not drift.",
        source: "Ernst Hairer and others 2006, Geometric Numerical Integration [hairer2006]",
    },
    make: |_| Ok(Box::new(SymplecticEuler)),
};

impl Pointwise<1, 2, 2> for SymplecticEuler {
    #[inline(always)]
    fn at<T: Number>([h]: [T; 1], [f, w]: [T; 2], [x, v]: [T; 2]) -> [T; 2] {
        let v = v + w * f * h;
        [x + v * h, v]
    }
}

impl Integrator for SymplecticEuler {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        for i in 0..state.positions.len() {
            state.velocities[i] += model.inverse_masses[i].component_mul(&state.forces[i]) * h;
        }
        let mut rates = Vec::new();
        model.stretch_rates_at(&state.configuration(), &mut rates);
        let State { positions, velocities, stretch, .. } = state;
        for (x, v) in positions.iter_mut().zip(velocities) {
            *x += *v * h;
        }
        for (z, rate) in stretch.iter_mut().zip(&rates) {
            *z += rate * h;
        }
        Ok(StepReport::ONE)
    }

    fn one_by_one(&self) -> Option<OneByOne> {
        Some(Census::advance::<Self>)
    }

    fn capabilities(&self) -> Capabilities {
        let region = Region::InTurn(|hlambda, homega2| largest_root(hlambda + homega2, homega2));
        Capabilities { kick_share: Some(1.0), ..Capabilities::explicit(1, region) }
    }

    fn vectors_kept(&self) -> u32 {
        0
    }

    fn suits_search(&self) -> bool {
        true
    }
}
