//! Implicit (backward) Euler.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, NewtonStage, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::registry::{Entry, Page};

/// M (v' − v) = h F(t + h, x + h v', v'), x' = x + h v'.
///
/// Order 1, stable at every step for decay and oscillation. Source: \[baraff1998\],
/// \[hairer1996\].
pub(crate) struct ImplicitEuler;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "implicit-euler",
    about: "backward Euler by Newton with line search: order 1, no step limit",
    keys: stage::KEYS,
    page: Page {
        formula: "M (v' − v) = h F(x + h v', v')\n\
            x' = x + h v', by Newton's iteration with line search",
        creep: "",
        stiffness: "None: stable at any step. Undamped oscillation decays by 1/√(1 + ω²h²) a step.",
        when: "Stiff springs and small ε at large steps. Creep is the law's own at any step; vibration is damped.",
        source: "David Baraff and Andrew Witkin 1998, Large Steps in Cloth Simulation [baraff1998]; Ernst Hairer and Gerhard Wanner 1996 [hairer1996]",
    },
    make: |values| Implicit::make(ImplicitEuler, values),
};

impl Method for ImplicitEuler {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let stage = NewtonStage { time: from.time + from.h, h: from.h, x: from.x, v: from.v };
        newton.solve(world, &stage, &from.start(from.h), report)?;
        to.take(newton);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::implicit(1)
    }

    fn eases_early(&self) -> bool {
        true
    }

    fn suits_search(&self) -> bool {
        true
    }
}
