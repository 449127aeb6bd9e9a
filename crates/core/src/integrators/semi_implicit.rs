//! One linearised step of backward Euler.

use super::implicit::{Implicit, Method, Substep, TrialPoint};
use super::stage::{self, Newton, NewtonFailure, StageWorld};
use super::{Capabilities, Integrator, StepReport};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// (M − h D − h² K) Δv = h (F + h K v), x' = x + h (v + Δv): forces and derivatives of the step's start,
/// loads and surfaces of its end.
///
/// Order 1, one linear system a step. In the linear part of a law, friction decays as under backward
/// Euler, at any step. But the kink at ε inside a step is not seen: a slip that one step can throw
/// across the stick zone, h μ N/m > 2 ε, chatters instead of coming to rest.
///
/// A solver that can take the full matrix does, because no iteration corrects an omission.
/// `sparse-cholesky` leaves ∂F_friction/∂N out of D and K, which is another method of order 1; where
/// its matrix is not positive definite, sparse LU solves the full one. Source: \[baraff1998\].
#[derive(Default)]
pub(crate) struct SemiImplicit {
    force: Vec<Vector>,
    gain: Vec<Vector>,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "semi-implicit",
    about: "one linearised step of backward Euler (Baraff–Witkin): order 1, one linear system a step",
    keys: stage::LINEAR_KEYS,
    page: Page {
        formula: "(M − h D − h² K) Δv = h (F + h K v)\n\
            x' = x + h (v + Δv), D = ∂F/∂v, K = ∂F/∂x at the start of the step",
        creep: "",
        stiffness: "None in the linear part of the laws. Above h μ N/m = 2 ε a slide does not come to rest: a step cannot see the kink at ε.",
        when: "Cheap large steps with stiff springs: cloth, jelly. Where contacts slide and stick, implicit-euler. `sparse-cholesky` leaves out that friction changes with N, and with `pcg` that normals between bodies turn: other steps of order 1; the other solvers leave out nothing.",
        source: "David Baraff and Andrew Witkin 1998, Large Steps in Cloth Simulation [baraff1998]",
    },
    make: |values| {
        let newton = Newton::linear(values);
        Ok(Box::new(Implicit::new(SemiImplicit::default(), newton)))
    },
};

impl Method for SemiImplicit {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &StageWorld,
        from: &Substep,
        to: &mut TrialPoint,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let h = from.h;
        let at = newton.at(world, from.time + h, from.x, from.v);
        self.force.resize(from.x.len(), Vector::zeros());
        world.model.forces_at(&at, &mut self.force);
        report.evaluations += 1;
        newton.gain(world, &at, h, (&self.force, from.a), &mut self.gain, report)?;
        to.v.clear();
        to.v.extend(from.v.iter().zip(&self.gain).map(|(v, gain)| v + gain));
        to.x.clear();
        to.x.extend(from.x.iter().zip(&to.v).map(|(x, v)| x + v * h));
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::implicit(1)
    }

    fn vectors_kept(&self) -> u32 {
        0
    }

    fn suits_search(&self) -> bool {
        true
    }
}
