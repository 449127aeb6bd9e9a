//! One linear system in place of the iteration.

use crate::forces::{Axial, BlockSink};
use crate::linear::Wanted;
use crate::linear::system::System;
use crate::math::{Matrix, Vector, larger, smaller, sqrt};
use crate::state::Configuration;

use super::{FIRST_FORCING, Failure, Newton, SHARE, World, first_infinite};
use crate::integrators::StepReport;

impl Newton {
    /// Prepares for systems with M − h D − h² K at a point, and leaves K w in `turn` \[N/s\].
    pub fn prepare(
        &mut self,
        world: &World,
        at: &Configuration,
        h: f64,
        w: &[Vector],
        turn: &mut Vec<Vector>,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let model = world.model;
        let form = self.solver.form(model.particles());
        let system =
            self.system.get_or_insert_with(|| System::new(&model.masses, &model.mobilities));
        system.start(form, h);
        turn.clear();
        turn.resize(w.len(), Vector::zeros());
        model.jacobian_at(at, &mut Along { system, w, turn });
        report.jacobians += 1;
        let speed = at.velocities.iter().fold(1.0, |most, u| larger(most, u.amax()));
        self.target = SHARE * self.tolerance * speed * sqrt(model.masses.iter().sum());
        self.solver.factor(system).map_err(|cause| self.unsolved(cause))
    }

    /// Solves a system with the matrix prepared, in place; the solution may be expected near `a`
    /// times a factor.
    pub fn gain(
        &mut self,
        b: &mut [Vector],
        near: Option<(&[Vector], f64)>,
        report: &mut StepReport,
    ) -> Result<(), Failure> {
        let Some(system) = &self.system else { return Ok(()) };
        let guess = near.map(|(a, factor)| {
            self.guess.clear();
            self.guess.extend(a.iter().map(|a| a * factor));
            &self.guess[..]
        });
        for (b, free) in b.iter_mut().zip(system.free()) {
            b.component_mul_assign(free);
        }
        let size = system.size(b);
        if !size.is_finite() {
            return Err(Failure::NonFinite { particle: first_infinite(b) });
        }
        if size == 0.0 {
            return Ok(());
        }
        // the smallest changes too must be made, or they would be left out step after step
        let tolerance = smaller(larger(self.target / sqrt(size), 1e-14), FIRST_FORCING);
        let solved = self.solver.solve(system, &Wanted { tolerance, guess }, b);
        report.linear_iterations += u64::from(solved.map_err(|cause| self.unsolved(cause))?);
        Ok(())
    }
}

/// Multiplies K with a vector while the system is gathered.
struct Along<'a> {
    system: &'a mut System,
    w: &'a [Vector],
    turn: &'a mut [Vector],
}

impl BlockSink for Along<'_> {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.turn[i] += by_position * self.w[j];
        self.system.add(i, j, by_position, by_velocity);
    }

    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let turn = by_position * (self.w[j] - self.w[i]);
        self.turn[i] += turn;
        self.turn[j] -= turn;
        self.system.add_pair(i, j, by_position, by_velocity);
    }

    fn add_axial(&mut self, i: usize, j: usize, axial: &Axial) {
        let (n, w) = (axial.direction, self.w[j] - self.w[i]);
        let along = w.dot(&n);
        let turn =
            n * (axial.stiffness * along + axial.turning.dot(&w)) + (w - n * along) * axial.across;
        self.turn[i] += turn;
        self.turn[j] -= turn;
        self.system.add_axial(i, j, axial);
    }

    fn symmetric(&self) -> bool {
        self.system.symmetric()
    }
}
