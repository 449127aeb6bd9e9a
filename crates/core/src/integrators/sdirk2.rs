//! A diagonally implicit Runge–Kutta method of two equal stages.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, NewtonStage, NewtonStart, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// y₁ = y + γ h f(t + γh, y₁), y' = y + (1 − γ) h f(t + γh, y₁) + γ h f(t + h, y'), γ = 1 − 1/√2.
///
/// Order 2 and L-stable: fast decays vanish within a step, and the step has no limit. Source:
/// \[alexander1977\].
#[derive(Default)]
pub(crate) struct Sdirk2(Vec<Vector>);

/// γ = 1 − 1/√2.
pub(crate) const GAMMA: f64 = 1.0 - std::f64::consts::FRAC_1_SQRT_2;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "sdirk2",
    about: "two equal implicit stages (Alexander): order 2, no step limit, damps what it cannot resolve",
    keys: stage::KEYS,
    page: Page {
        formula: "y1 = y + γ h f(y1), γ = 1 − 1/√2\n\
            y' = y + (1 − γ) h f(y1) + γ h f(y')",
        creep: "",
        stiffness: "None: stable at any step, and what decays fast is gone after one.",
        when: "Second order at large steps with sticking contacts. Twice the price of implicit-euler a step.",
        source: "Roger Alexander 1977, Diagonally implicit Runge–Kutta methods for stiff O.D.E.'s [alexander1977]",
    },
    make: |values| Implicit::make(Sdirk2::default(), values),
};

impl Method for Sdirk2 {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let part = GAMMA * from.h;
        let stage = NewtonStage { time: from.time + part, h: part, x: from.x, v: from.v };
        newton.solve(world, &stage, &from.start(part), report)?;
        // y₁ − y is γ h f(y₁)
        let share = (1.0 - GAMMA) / GAMMA;
        to.beyond((from.x, from.v), (&newton.x, &newton.v), share);
        self.0.clone_from(&newton.v);
        let stage = NewtonStage { time: from.time + from.h, h: part, x: &to.x, v: &to.v };
        let start = NewtonStart { v: &self.0, a: from.a, duration: from.h - part };
        newton.solve(world, &stage, &start, report)?;
        to.take(newton);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::implicit(2)
    }

    fn suits_search(&self) -> bool {
        true
    }
}
