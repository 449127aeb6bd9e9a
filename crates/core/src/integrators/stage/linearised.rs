//! One linear system instead of the iteration.

use crate::forces::{Axial, BlockSink, Edge};
use crate::linear::system::System;
use crate::linear::{MatrixForm, Wanted};
use crate::math::{Matrix, Vector, larger, smaller, sqrt};
use crate::profile::Section;
use crate::state::Configuration;

use super::newton::FINEST;
use super::{FIRST_FORCING, Newton, NewtonFailure, StageWorld, first_infinite};
use crate::integrators::StepReport;

/// Largest root mean square of the residual, as a share of the tolerance.
const SHARE: f64 = 0.3;

impl Newton {
    /// Solves (M − h D − h² K) Δv = h (F + h K v) with D and K at a point, v its velocities and F the
    /// `force` \[N\]. Writes Δv to `gain`; the first guess is `h a`.
    ///
    /// A solver that can take the full form does, because no iteration corrects an omission. Where a
    /// solver fails, sparse LU solves the full form.
    pub fn gain(
        &mut self,
        world: &StageWorld,
        at: &Configuration,
        h: f64,
        (force, a): (&[Vector], &[Vector]),
        gain: &mut Vec<Vector>,
        report: &mut StepReport,
    ) -> Result<(), NewtonFailure> {
        let _solver = world.model.profile.section(Section::Solver);
        let form = self.form(world.model.particles());
        for (form, by_itself) in [(form, true), (MatrixForm::Full, false)] {
            self.gather(world, at, h, form);
            report.jacobians += 1;
            let Some(system) = &self.system else { return Ok(()) };
            gain.clear();
            gain.extend(force.iter().zip(&self.turn).map(|(f, k)| (f + k * h) * h));
            for (b, free) in gain.iter_mut().zip(system.free()) {
                b.component_mul_assign(free);
            }
            let size = system.size(gain);
            if !size.is_finite() {
                return Err(NewtonFailure::NonFinite { particle: first_infinite(gain) });
            }
            if size == 0.0 {
                return Ok(());
            }
            self.guess.clear();
            self.guess.extend(a.iter().map(|a| a * h));
            let speed = at.velocities.iter().fold(1.0, |most, u| larger(most, u.amax()));
            let tolerance = self.tolerance.unwrap_or(FINEST);
            let target = SHARE * tolerance * speed * sqrt(world.model.masses.iter().sum());
            // the smallest changes count too: left out, they would be missing step after step
            let tolerance = smaller(larger(target / sqrt(size), 1e-14), FIRST_FORCING);
            let wanted = Wanted { tolerance, guess: Some(&self.guess) };
            let solver = if by_itself { &mut self.solver } else { &mut self.last_resort };
            match solver.factor(system).and_then(|()| solver.solve(system, &wanted, gain)) {
                Ok(iterations) => {
                    report.linear_iterations += u64::from(iterations);
                    return Ok(());
                }
                Err(_) if by_itself => {}
                Err(cause) => {
                    // one system is one iteration, and its right-hand side the residual
                    let (residual, particle) = largest(force);
                    let residual = residual * h;
                    return Err(NewtonFailure::Unsolved {
                        cause,
                        iterations: 1,
                        residual,
                        particle,
                    });
                }
            }
        }
        Ok(())
    }

    /// Assembles M − h D − h² K at a point in the system, and K v in `turn`.
    fn gather(&mut self, world: &StageWorld, at: &Configuration, h: f64, form: MatrixForm) {
        let model = world.model;
        let system =
            self.system.get_or_insert_with(|| System::new(&model.masses, &model.inverse_masses));
        system.halt.clone_from(&model.halt);
        self.turn.clear();
        self.turn.resize(at.velocities.len(), Vector::zeros());
        let turn = &mut self.turn;
        system.assemble(form, h, |system| {
            model.jacobian_at(at, &mut Along { system, w: at.velocities, turn });
        });
    }
}

/// The largest component and its particle.
fn largest(of: &[Vector]) -> (f64, usize) {
    let sizes = of.iter().enumerate().map(|(i, f)| (f.amax(), i));
    sizes.fold((0.0, 0), |most, size| if size.0 > most.0 { size } else { most })
}

/// Multiplies K with a vector while the system is assembled.
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

    fn add_edge(&mut self, i: usize, j: usize, edge: &Edge) {
        let apart = self.w[j] - self.w[i];
        self.turn[i] += edge.there * apart;
        self.turn[j] -= edge.back * apart;
        self.system.add_edge(i, j, edge);
    }

    fn symmetric(&self) -> bool {
        self.system.symmetric()
    }

    fn wants_convex(&self) -> bool {
        self.system.wants_convex()
    }

    fn add_beside(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.turn[i] += by_position * self.w[j];
        self.system.add_beside(i, j, by_position, by_velocity);
    }
}
