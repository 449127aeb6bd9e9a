//! Velocity Verlet, with the force of the first half step reused or evaluated anew.

use super::region::{Region, largest_root};
use super::{Capabilities, Integrator, StepReport};
use crate::forces::regime::Regime;
use crate::math::pointwise::{self, Number, Pointwise};
use crate::math::{Vector, flat, flat_mut};
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::{Configuration, Lag, State};
use crate::step_error::StepError;

/// u = v + h/2 a, x' = x + h u, v' = u + h/2 a(t + h, x', u); carried stretch moves with u.
///
/// Order 2 for forces that depend on positions alone, order 1 with friction or damping, whose velocity u
/// is half a step old. The a of the first half step is either reused, evaluated at the u of the step
/// before and stored in [`State::past`], or evaluated anew at (t, x, v).
///
/// Reused, u' = u + h a(x, u): the u are the velocities of symplectic Euler, with the same limits. Anew,
/// a decay is multiplied by (1 − h λ/2)². Source: \[swope1982\].
#[derive(Debug)]
pub(crate) struct VelocityVerlet {
    reevaluated: bool,
    /// accelerations of the second half step \[m/s²\], where they are not reused
    a: Vec<Vector>,
    rates: Vec<Vector>,
    loads: [Vec<Regime>; 2],
}

/// The row of the method that reuses the last force.
pub const REUSED: Entry<dyn Integrator> = Entry {
    name: "velocity-verlet",
    about: "half a velocity step, a position step, half a velocity step, with each force used twice: order 2 on springs, 1 with friction",
    keys: &[],
    page: Page {
        formula: "u = v + h/2 a, with the a last evaluated\n\
            x' = x + h u\n\
            v' = u + h/2 a(x', u)",
        creep: "",
        stiffness: "Decay: h λ < 2. Oscillation: h ω < 2.",
        when: "Springs without much damping: order 2 at the limit of symplectic Euler, and no drift of energy. With friction or damping its order is 1.",
        source: "William Swope and others 1982 [swope1982]",
    },
    make: |_| Ok(Box::new(VelocityVerlet::new(false))),
};

/// The row of the method that evaluates the force for each half step.
pub const REEVALUATED: Entry<dyn Integrator> = Entry {
    name: "velocity-verlet-reevaluated",
    about: "half a velocity step, a position step, half a velocity step, each with a force of its own: stable for decays up to h λ = 4",
    keys: &[],
    page: Page {
        formula: "u = v + h/2 a(x, v)\n\
            x' = x + h u\n\
            v' = u + h/2 a(x', u)",
        creep: "",
        stiffness: "Decay: h λ < 4, by (1 − h λ/2)² a step, which never changes sign. Oscillation: h ω < 2.",
        when: "As velocity-verlet, where friction asks for twice its step. With friction or damping its order is 1.",
        source: "William Swope and others 1982 [swope1982]",
    },
    make: |_| Ok(Box::new(VelocityVerlet::new(true))),
};

impl VelocityVerlet {
    fn new(reevaluated: bool) -> Self {
        let (a, rates, loads) = Default::default();
        VelocityVerlet { reevaluated, a, rates, loads }
    }

    /// Half a step of velocities, with the last acceleration if it is reused and known; a load that
    /// switches at this instant invalidates it.
    fn first_kick(&mut self, model: &Model, state: &mut State, h: f64) {
        let known = !self.reevaluated
            && state.has_past(h)
            && !model.loads_switch(&state.configuration(), &mut self.loads);
        let State { velocities, forces, past, .. } = state;
        let v = flat_mut(velocities);
        if known {
            pointwise::apply::<Kick, 1, 1, 1>([0.5 * h], [flat(&past.of_velocities)], [v]);
        } else {
            let (f, w) = (flat(forces), flat(&model.inverse_masses));
            pointwise::apply::<KickByForce, 1, 2, 1>([0.5 * h], [f, w], [v]);
        }
    }
}

/// y += h ẏ: v += h/2 a, or x += h v.
struct Kick;

impl Pointwise<1, 1, 1> for Kick {
    #[inline(always)]
    fn at<T: Number>([h]: [T; 1], [rate]: [T; 1], [y]: [T; 1]) -> [T; 1] {
        [y + rate * h]
    }
}

/// v += h/2 w F.
struct KickByForce;

impl Pointwise<1, 2, 1> for KickByForce {
    #[inline(always)]
    fn at<T: Number>([h]: [T; 1], [f, w]: [T; 2], [v]: [T; 1]) -> [T; 1] {
        [v + w * f * h]
    }
}

/// a = w F, v += h/2 a; F stands where a is to stand.
struct LastKick;

impl Pointwise<1, 1, 2> for LastKick {
    #[inline(always)]
    fn at<T: Number>([h]: [T; 1], [w]: [T; 1], [f, v]: [T; 2]) -> [T; 2] {
        let a = w * f;
        [a, v + a * h]
    }
}

impl Integrator for VelocityVerlet {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.first_kick(model, state, h);
        model.stretch_rates_at(&state.configuration(), &mut self.rates);
        let State { positions, velocities, .. } = state;
        pointwise::apply::<Kick, 1, 1, 1>([h], [flat(velocities)], [flat_mut(positions)]);
        for (z, rate) in state.stretch.iter_mut().zip(&self.rates) {
            *z += rate * h;
        }
        let kept = if self.reevaluated { &mut self.a } else { &mut state.past.of_velocities };
        let mut a = std::mem::take(kept);
        a.resize(state.positions.len(), Vector::zeros());
        let at = Configuration {
            time: state.time + h,
            lag: Lag::NONE,
            within_step: true,
            ..state.configuration()
        };
        model.forces_at(&at, &mut a);
        let State { velocities, past, .. } = state;
        let (w, v) = (flat(&model.inverse_masses), flat_mut(velocities));
        pointwise::apply::<LastKick, 1, 1, 2>([0.5 * h], [w], [flat_mut(&mut a), v]);
        if self.reevaluated {
            self.a = a;
            past.of_velocities.clear();
        } else {
            past.of_velocities = a;
        }
        past.kept_for = (state.step_count + 1, h);
        Ok(StepReport { evaluations: 2, substeps: 1, ..StepReport::default() })
    }

    fn capabilities(&self) -> Capabilities {
        let growth = if self.reevaluated { reevaluated } else { reused };
        Capabilities::explicit(1, Region::InTurn(growth))
    }

    fn suits_search(&self) -> bool {
        !self.reevaluated
    }
}

/// u' = u + h a(x, u), x' = x + h u': the matrix of (x, u) has trace 2 − hλ − (hω)² and determinant
/// 1 − hλ, that of (x, v, a) the same roots and a zero.
fn reused(hlambda: f64, homega2: f64) -> f64 {
    largest_root(hlambda + homega2, homega2)
}

/// With p = 1 − hλ/2 and q = p − (hω)²/2 the step is
///
/// ```text
/// x'   = (1 − (hω)²/2) x + p h v
/// h v' = −(hω)²/2 (1 + q) x + q p h v
/// ```
///
/// of trace 1 − (hω)²/2 + p q and determinant p². With l = hλ and w = (hω)² the trace is 2 − s,
/// s = l − l²/4 + w (4 − l)/4, and 1 − trace + determinant = w (4 − l)/4.
fn reevaluated(hlambda: f64, homega2: f64) -> f64 {
    let at_one = 0.25 * homega2 * (4.0 - hlambda);
    largest_root(hlambda - 0.25 * hlambda * hlambda + at_one, at_one)
}
