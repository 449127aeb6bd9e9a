//! The implicit midpoint rule.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, NewtonStage, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::registry::{Entry, Page};

/// y' = y + h f(t + h/2, (y + y')/2), solved for the state halfway.
///
/// Order 2, stable everywhere, symplectic without friction and damping. Rings like the trapezoidal
/// rule. Source: \[hairer2006\].
pub(crate) struct ImplicitMidpoint;

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "implicit-midpoint",
    about: "implicit midpoint rule: order 2, no step limit, symplectic; rings where h λ > 2",
    keys: stage::KEYS,
    page: Page {
        formula: "v½ = v + h/2 a(x + h/2 v½, v½)\n\
            v' = 2 v½ − v, x' = x + h v½",
        creep: "",
        stiffness: "None: stable at any step. What decays at λ changes by (1 − hλ/2)/(1 + hλ/2) a step: above h λ = 2 it changes sign.",
        when: "Long undamped vibration at large steps; it keeps quadratic invariants. Not for sticking contacts above h λ = 2: v rings, though the state halfway, where forces are taken, does not.",
        source: "Ernst Hairer, Christian Lubich and Gerhard Wanner 2006, Geometric Numerical Integration [hairer2006]",
    },
    make: |values| Implicit::make(ImplicitMidpoint, values),
};

impl Method for ImplicitMidpoint {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let half = 0.5 * from.h;
        let stage = NewtonStage { time: from.time + half, h: half, x: from.x, v: from.v };
        newton.solve(world, &stage, &from.start(half), report)?;
        to.beyond((from.x, from.v), (&newton.x, &newton.v), 2.0);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { rings_above: Some(2.0), ..Capabilities::implicit(2) }
    }
}
