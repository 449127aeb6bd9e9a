//! The implicit trapezoidal rule.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, NewtonStage, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::registry::{Entry, Page};

/// y' = y + h/2 (f(t, y) + f(t + h, y')).
///
/// Order 2, stable everywhere, undamped. A decay at λ is multiplied by (1 − hλ/2)/(1 + hλ/2) a step,
/// which tends to −1 and rings for hλ > 2. Source: \[crank1947\], \[hairer1996\].
pub(crate) struct Trapezoid;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "trapezoid",
    about: "implicit trapezoidal rule: order 2, no step limit, keeps vibration; rings where h λ > 2",
    keys: stage::KEYS,
    page: Page {
        formula: "v' = v + h/2 (a(x, v) + a(x', v'))\n\
            x' = x + h/2 (v + v')",
        creep: "",
        stiffness: "None: stable at any step. What decays at λ changes by (1 − hλ/2)/(1 + hλ/2) a step: above h λ = 2 it changes sign, at h λ = 100 it loses 4 % a step.",
        when: "Vibration to be kept at large steps. Not for sticking contacts above h λ = 2, where the slip rings about the law's creep: take tr-bdf2 or sdirk2.",
        source: "John Crank and Phyllis Nicolson 1947, A practical method for numerical evaluation of solutions of partial differential equations of the heat-conduction type [crank1947]; Ernst Hairer and Gerhard Wanner 1996, Solving Ordinary Differential Equations II [hairer1996]",
    },
    make: |values| Implicit::make(Trapezoid, values),
};

impl Method for Trapezoid {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let half = 0.5 * from.h;
        to.ahead(from, half);
        let stage = NewtonStage { time: from.time + from.h, h: half, x: &to.x, v: &to.v };
        newton.solve(world, &stage, &from.start(from.h), report)?;
        to.take(newton);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { rings_above: Some(2.0), ..Capabilities::implicit(2) }
    }
}
