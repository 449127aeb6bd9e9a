//! The observed order of a method at the present state of a run, by Richardson's comparison.
//!
//! From one state the method covers the same time with steps h, h/2 and h/4. With differences d₁ = |y_h
//! − y_{h/2}| and d₂ = |y_{h/2} − y_{h/4}| the order is p = log₂(d₁/d₂), and the error of the run's own
//! step about d₁/(1 − 2⁻ᵖ). Events inside steps, such as kinks of the friction law, give orders of one
//! or two. Source: \[richardson1911\].

use super::thresholds::SOLVED;
use crate::integrators::Integrator;
use crate::math::{Vector, larger, log, pow, smaller, sqrt};
use crate::model::Model;
use crate::state::memory::Memory;
use crate::state::{Past, State};

/// Number of steps of h compared: enough that the start of a multistep method counts little.
const STEPS: u64 = 8;

/// Differences below this share of the velocities are rounding.
const ROUNDING: f64 = 1e-13;

/// The order observed from one state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObservedOrder {
    /// The order.
    pub order: f64,
    /// Error of the velocities per second of the run, RMS over mass \[m/s²\].
    pub error_rate: f64,
}

/// The order of a method at a state, with steps of `h` \[s\]. `None` if differences are rounding, a step
/// failed, the method chooses its own steps, or constraints act within its steps.
pub fn observe(
    model: &Model,
    state: &State,
    make: &dyn Fn() -> Box<dyn Integrator>,
    h: f64,
) -> Option<ObservedOrder> {
    let method = make().capabilities();
    if method.adaptive || model.constraints().any(|c| c.acts_in_steps()) {
        return None;
    }
    let mut ends = Vec::new();
    for halvings in 0..3 {
        ends.push(end(model, state, make(), h, halvings)?);
    }
    let (coarse, fine) = (distance(model, &ends[0], &ends[1]), distance(model, &ends[1], &ends[2]));
    let size = distance(model, &ends[2], &vec![Vector::zeros(); ends[2].len()]);
    let left = if method.implicit { SOLVED } else { 0.0 };
    if smaller(fine, coarse) <= larger(ROUNDING * size, left) {
        return None;
    }
    let order = log(coarse / fine) / log(2.0);
    let error = if order > 0.1 { coarse / (1.0 - pow(2.0, -order)) } else { coarse };
    Some(ObservedOrder { order, error_rate: error / (STEPS as f64 * h) })
}

/// The velocities after [`STEPS`] h with steps of h/2^halvings.
fn end(
    model: &Model,
    state: &State,
    mut method: Box<dyn Integrator>,
    h: f64,
    halvings: u32,
) -> Option<Vec<Vector>> {
    let parts = 1u64 << halvings;
    let step = h / parts as f64;
    let mut state = State { past: Past::default(), ..state.clone() };
    let (start, mut spare) = (state.time, Memory::default());
    for k in 1..=STEPS * parts {
        method.step(model, &mut state, step).ok()?;
        if state.first_lost().is_some() {
            return None;
        }
        state.step_count += 1;
        state.time = start + step * k as f64;
        model.commit(&mut state, &mut spare);
    }
    Some(state.velocities)
}

/// √(Σ m |Δv|²/Σ m) \[m/s\].
fn distance(model: &Model, a: &[Vector], b: &[Vector]) -> f64 {
    let mass: f64 = model.masses.iter().sum();
    let pairs = model.masses.iter().zip(a.iter().zip(b));
    let sum: f64 = pairs.map(|(m, (a, b))| m * (a - b).norm_squared()).sum();
    sqrt(sum / mass)
}
