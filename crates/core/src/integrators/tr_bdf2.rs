//! The trapezoidal rule, then the second backward difference.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, NewtonStage, NewtonStart, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// A trapezoidal stage to t + γ h and a backward difference over t, t + γ h, t + h, γ = 2 − √2:
///
/// ```text
/// y_γ = y + γ h/2 (f(y) + f(y_γ)),   y' = y_γ + (1 − γ)²/(γ (2 − γ)) (y_γ − y) + (1 − γ)/(2 − γ) h f(y')
/// ```
///
/// Order 2 and L-stable; with this γ both stages have the same matrix up to the state. Source:
/// \[bank1985\], \[hosea1996\].
#[derive(Default)]
pub(crate) struct TrBdf2(Vec<Vector>);

/// γ = 2 − √2.
const GAMMA: f64 = 2.0 - std::f64::consts::SQRT_2;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "tr-bdf2",
    about: "trapezoidal stage, then backward difference: order 2, no step limit, damps what it cannot resolve",
    keys: stage::KEYS,
    page: Page {
        formula: "y_γ = y + γ h/2 (f(y) + f(y_γ)), γ = 2 − √2\n\
            y' = y_γ + (1 − γ)²/(γ (2 − γ)) (y_γ − y) + (1 − γ)/(2 − γ) h f(y')",
        creep: "",
        stiffness: "None: stable at any step, and what decays fast is gone after a few.",
        when: "Second order at large steps with sticking contacts; as good as sdirk2 where forces are linear, at the same price.",
        source: "Randolph Bank and others 1985, Transient simulation of silicon devices and circuits [bank1985]; Michael Hosea and Lawrence Shampine 1996, Analysis and implementation of TR-BDF2 [hosea1996]",
    },
    make: |values| Implicit::make(TrBdf2::default(), values),
};

impl Method for TrBdf2 {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let part = GAMMA * from.h;
        to.ahead(from, 0.5 * part);
        let stage = NewtonStage { time: from.time + part, h: 0.5 * part, x: &to.x, v: &to.v };
        newton.solve(world, &stage, &from.start(part), report)?;
        let back = (1.0 - GAMMA) * (1.0 - GAMMA) / (GAMMA * (2.0 - GAMMA));
        to.beyond((from.x, from.v), (&newton.x, &newton.v), 1.0 + back);
        self.0.clone_from(&newton.v);
        let last = (1.0 - GAMMA) / (2.0 - GAMMA) * from.h;
        let stage = NewtonStage { time: from.time + from.h, h: last, x: &to.x, v: &to.v };
        let start = NewtonStart { v: &self.0, a: from.a, duration: from.h - part };
        newton.solve(world, &stage, &start, report)?;
        to.take(newton);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::implicit(2)
    }
}
