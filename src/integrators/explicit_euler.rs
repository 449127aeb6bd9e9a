//! Explicit (forward) Euler.

use super::region::Region;
use super::{Capabilities, Integrator, StepError, StepReport};
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::State;

/// x' = x + h v, v' = v + h M⁻¹ F(t, x, v), and z' = z + h ż for stretch that is carried.
///
/// Order 1. Friction decays for h λ < 2; an undamped spring gains energy at every step. Source:
/// \[hairer1993\].
#[derive(Debug, Clone, Copy)]
pub struct ExplicitEuler;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "explicit-euler",
    about: "forward Euler: cheapest, order 1, gains energy on undamped springs",
    keys: &[],
    page: Page {
        formula: "x' = x + h v\n\
            v' = v + h a(x, v)",
        crawl: "",
        stiffness: "Decay: h λ < 2. Undamped oscillation: unstable at any step.",
        when: "To show why not to use it. Undamped springs gain energy with every step.",
        source: "Ernst Hairer and others 1993, Solving Ordinary Differential Equations I [hairer1993]",
    },
    make: |_| Ok(Box::new(ExplicitEuler)),
};

impl Integrator for ExplicitEuler {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        let mut rates = Vec::new();
        model.stretch_rates_at(&state.configuration(), &mut rates);
        let State { positions, velocities, forces, stretch, .. } = state;
        for i in 0..positions.len() {
            positions[i] += velocities[i] * h;
            velocities[i] += model.mobilities[i].component_mul(&forces[i]) * h;
        }
        for (z, rate) in stretch.iter_mut().zip(&rates) {
            *z += rate * h;
        }
        Ok(StepReport { evaluations: 1, substeps: 1, ..StepReport::default() })
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            order: 1,
            decay_limit: Some(2.0),
            oscillation_limit: Some(0.0),
            adaptive: false,
            implicit: false,
            carries_stretch: true,
            rings_above: None,
            region: Region::Polynomial(&[1.0, 1.0]),
        }
    }
}
