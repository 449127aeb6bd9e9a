//! The two-step backward difference.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::sdirk2::Sdirk2;
use super::stage::{self, Newton, NewtonFailure, NewtonStage, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::registry::{Entry, Page};

/// (3 y' − 4 y + y₋₁)/2 = h f(t + h, y').
///
/// Order 2 and L-stable, one stage a step. It needs the state one step before: [`Sdirk2`] takes the
/// first step, steps of another length, steps at whose start a load switches, and divided steps. Source:
/// \[curtiss1952\], \[hairer1996\].
#[derive(Default)]
pub(crate) struct Bdf2(Sdirk2);

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "bdf2",
    about: "backward difference over two steps: order 2 at one stage a step, no step limit",
    keys: stage::KEYS,
    page: Page {
        formula: "(3 y' − 4 y + y₋₁)/2 = h f(y')\n\
            y₋₁ is the state one step before; started by a step of sdirk2",
        creep: "",
        stiffness: "None: stable at any step, and what decays fast is gone after a few.",
        when: "Second order at the price of implicit-euler where motion is smooth. At impacts its memory of the step before misleads it for a step: then tr-bdf2.",
        source: "Charles Curtiss and Joseph Hirschfelder 1952, Integration of stiff equations [curtiss1952]; Ernst Hairer and Gerhard Wanner 1996, Solving Ordinary Differential Equations II [hairer1996]",
    },
    make: |values| Implicit::make(Bdf2::default(), values),
};

impl Method for Bdf2 {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let Some(past) = from.past else {
            return self.0.substep(newton, world, from, to, report);
        };
        let before = (&past.of_positions[..], &past.of_velocities[..]);
        // measured from the present, so a particle at rest stays exactly in place
        to.beyond((from.x, from.v), before, -1.0 / 3.0);
        let stage =
            NewtonStage { time: from.time + from.h, h: from.h * (2.0 / 3.0), x: &to.x, v: &to.v };
        newton.solve(world, &stage, &from.start(from.h), report)?;
        to.take(newton);
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::implicit(2)
    }

    fn vectors_kept(&self) -> u32 {
        7
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn suits_search(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests;
