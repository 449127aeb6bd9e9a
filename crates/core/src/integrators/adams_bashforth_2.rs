//! The two-step Adams–Bashforth method.

use super::heun;
use super::region::Region;
use super::runge_kutta::RungeKutta;
use super::{Capabilities, Integrator, StepReport};
use crate::forces::regime::Regime;
use crate::math::{Vector, larger, sqrt};
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::{Past, State};
use crate::step_error::StepError;
use nalgebra::Complex;

/// y' = y + h (3/2 k(t, y) − 1/2 k of the step before). A step of Heun's method starts it: at t = 0,
/// after a change of step or method, where a load switches, and where the carried stretch belongs to
/// other contacts than before.
///
/// Order 2. Friction decays for h λ < 1; the amplitude of undamped springs grows by (h ω)⁴/4 a step.
/// Source: \[bashforth1883\].
pub(crate) struct AdamsBashforth2 {
    heun: RungeKutta<2>,
    /// rates stored for the next step
    next: Past,
    loads: [Vec<Regime>; 2],
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "adams-bashforth-2",
    about: "two-step Adams–Bashforth: order 2 at one evaluation a step, half the limit of Euler",
    keys: &[],
    page: Page {
        formula: "y' = y + h (3/2 k − 1/2 k of the step before), k the rates of y = (x, v)",
        creep: "",
        stiffness: "Decay: h λ < 1. Undamped oscillation: unstable at any step, by (h ω)⁴/4 a step.",
        when: "Smooth motion with some damping where evaluations are dear. Every kink of friction is felt twice.",
        source: "Francis Bashforth and John Adams 1883 [bashforth1883]",
    },
    make: |_| {
        let (next, loads) = Default::default();
        Ok(Box::new(AdamsBashforth2 { heun: RungeKutta::new(&heun::TABLEAU), next, loads }))
    },
};

impl AdamsBashforth2 {
    /// Stores the rates at the start of the step.
    fn rates(&mut self, model: &Model, state: &State, h: f64) {
        let Past { kept_for, of_positions, of_velocities, of_stretch, contacts, .. } =
            &mut self.next;
        *kept_for = (state.step_count + 1, h);
        of_positions.clone_from(&state.velocities);
        of_velocities.clear();
        let accelerations = model.inverse_masses.iter().zip(&state.forces);
        of_velocities.extend(accelerations.map(|(m, f)| m.component_mul(f)));
        model.stretch_rates_at(&state.configuration(), of_stretch);
        contacts.clear();
        if model.carries_stretch() {
            contacts.extend(state.memory.contacts.iter().map(|contact| contact.key));
        }
    }
}

impl Integrator for AdamsBashforth2 {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.rates(model, state, h);
        let goes_on = state.has_past(h)
            && state.past.of_positions.len() == state.positions.len()
            && state.past.contacts == self.next.contacts
            && !model.loads_switch(&state.configuration(), &mut self.loads);
        let report = if goes_on {
            let (now, before) = (&self.next, &state.past);
            extrapolate(&mut state.positions, &now.of_positions, &before.of_positions, h);
            extrapolate(&mut state.velocities, &now.of_velocities, &before.of_velocities, h);
            extrapolate(&mut state.stretch, &now.of_stretch, &before.of_stretch, h);
            StepReport { evaluations: 1, substeps: 1, ..StepReport::default() }
        } else {
            self.heun.step(model, state, h)?
        };
        std::mem::swap(&mut state.past, &mut self.next);
        Ok(report)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { kick_share: None, ..Capabilities::explicit(2, Region::Growth(growth)) }
    }

    fn vectors_kept(&self) -> u32 {
        11
    }
}

/// y += h (3/2 now − 1/2 before).
fn extrapolate(y: &mut [Vector], now: &[Vector], before: &[Vector], h: f64) {
    for (i, y) in y.iter_mut().enumerate() {
        *y += now[i] * (1.5 * h) - before[i] * (0.5 * h);
    }
}

/// The larger |root| of ζ² − (1 + 3/2 z) ζ + z/2.
fn growth(z: Complex<f64>) -> f64 {
    let b = z * 1.5 + 1.0;
    let square = b * b - z * 2.0;
    let length = sqrt(square.norm_sqr());
    let (re, im) = (sqrt(0.5 * (length + square.re)), sqrt(0.5 * larger(length - square.re, 0.0)));
    let root = Complex::new(re, if square.im < 0.0 { -im } else { im });
    let size = |root: Complex<f64>| sqrt((b + root).norm_sqr()) * 0.5;
    larger(size(root), size(-root))
}
