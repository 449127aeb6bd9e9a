//! A linearly implicit method of two stages (ROS2).

use super::implicit::{Implicit, Method, Point, Substep, capabilities};
use super::sdirk2::GAMMA;
use super::stage::{self, Failure, Newton, World};
use super::{Capabilities, Integrator, StepReport};
use crate::math::Vector;
use crate::registry::{Entry, Page};

/// (I − γ h J) k₁ = f(y), (I − γ h J) k₂ = f(y + h k₁) − 2 k₁, y' = y + h (3 k₁ + k₂)/2,
/// γ = 1 − 1/√2.
///
/// Order 2 whatever J is, so also with lagged friction; L-stable with the exact one. Two linear
/// systems with one matrix a step and no iteration. The kink at ε is not seen within a stage, so
/// that above h μ N/m = 2 ε a slide may chatter instead of coming to rest. Source: \[verwer1999\].
#[derive(Default)]
pub struct Rosenbrock2 {
    k1: Vec<Vector>,
    k2: Vec<Vector>,
    slope: Vec<Vector>,
    rest: Vec<Vector>,
    force: Vec<Vector>,
    turn: Vec<Vector>,
}

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "rosenbrock2",
    about: "linearly implicit, two stages (ROS2): order 2 with two linear systems and no iteration",
    keys: stage::LINEAR_KEYS,
    page: Page {
        formula: "(I − γ h J) k1 = f(y), γ = 1 − 1/√2, J = ∂f/∂y\n\
            (I − γ h J) k2 = f(y + h k1) − 2 k1\n\
            y' = y + h (3 k1 + k2)/2",
        crawl: "",
        stiffness: "None in the linear part of the laws. Above h μ N/m = 2 ε a slide may not come to rest: a step cannot see the kink at ε.",
        when: "Smooth motion with stiff springs and smooth laws at second order, cheaply. Where contacts slide and stick, sdirk2 or tr-bdf2.",
        source: "Jan Verwer, Edwin Spee, Joke Blom and Willem Hundsdorfer 1999, A second-order Rosenbrock method applied to photochemical dispersion problems [verwer1999]",
    },
    make: |values| {
        let newton = Newton::linear(values);
        Ok(Box::new(Implicit::new(Rosenbrock2::default(), newton)))
    },
};

impl Method for Rosenbrock2 {
    fn substep(
        &mut self,
        newton: &mut Newton,
        world: &World,
        from: &Substep,
        to: &mut Point,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let (h, part) = (from.h, GAMMA * from.h);
        let masses = &world.model.masses;
        let begin = newton.at(world, from.time, from.x, from.v);
        newton.prepare(world, &begin, part, from.v, &mut self.turn, report)?;
        // k₁: its velocity part from M k = F + γh K v, its position part v + γh k
        self.k1.clear();
        self.k1.extend((0..masses.len()).map(|i| from.a[i] * masses[i] + self.turn[i] * part));
        newton.gain(&mut self.k1, Some((from.a, 1.0)), report)?;
        self.slope.clear();
        self.slope.extend(from.v.iter().zip(&self.k1).map(|(v, k)| v + k * part));
        to.x.clear();
        to.x.extend(from.x.iter().zip(&self.slope).map(|(x, k)| x + k * h));
        to.v.clear();
        to.v.extend(from.v.iter().zip(&self.k1).map(|(v, k)| v + k * h));
        let end = newton.at(world, from.time + h, &to.x, &to.v);
        self.force.resize(masses.len(), Vector::zeros());
        world.model.forces_at(&end, &mut self.force);
        report.evaluations += 1;
        // k₂ likewise, from r = f(y + h k₁) − 2 k₁
        self.rest.clear();
        self.rest.extend(to.v.iter().zip(&self.slope).map(|(v, k)| v - k * 2.0));
        newton.turn(world, &begin, &self.rest, &mut self.turn, report);
        self.k2.clear();
        self.k2.extend(
            (0..masses.len())
                .map(|i| self.force[i] - self.k1[i] * (2.0 * masses[i]) + self.turn[i] * part),
        );
        newton.gain(&mut self.k2, None, report)?;
        for i in 0..masses.len() {
            let second = self.rest[i] + self.k2[i] * part;
            to.x[i] = from.x[i] + (self.slope[i] * 3.0 + second) * (0.5 * h);
            to.v[i] = from.v[i] + (self.k1[i] * 3.0 + self.k2[i]) * (0.5 * h);
        }
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(2, None)
    }
}
