//! Constraints hold exactly, not by a force: rigid bodies, particles on curves, guided pins.
//!
//! A constraint acts twice. As a **reaction** it makes accelerations obey the condition, for any
//! method (the index-reduced form). Once per step it **settles** the method's result: it projects
//! the state onto the constraint, and, if it acts on velocities instead of forces, jumps the
//! velocities.

pub mod curve;
pub mod guided;
pub mod rigid;

use crate::expression::time_curve::TimeCurve;
use crate::forces::account::{Jump, Ledger};
use crate::math::Vector;
use crate::state::memory::Memory;
use crate::state::{Configuration, LastStep, State};

/// A bilateral constraint.
pub trait Constraint: Send + Sync {
    /// `f[i] += R_i` \[N\]: the reactions under which the accelerations M⁻¹ f obey the constraint. `f`
    /// holds all applied forces. Pure; called with every force evaluation.
    fn add_reaction(&self, at: &Configuration, f: &mut [Vector]) {
        let _ = (at, f);
    }

    /// Whether [`Self::settle`] replaces the reactions: forces at a state are then without the
    /// constraint.
    fn acts_in_steps(&self) -> bool {
        false
    }

    /// Enters the powers of the reactions at an accepted state; `applied` are the forces without
    /// reactions \[N\]. The constraint's memory goes to `next`.
    fn enter(
        &self,
        at: &Configuration,
        applied: &[Vector],
        ledger: &mut Ledger,
        next: &mut Memory,
    ) {
        let _ = (at, applied, ledger, next);
    }

    /// Prepares a step from `state.time` to `end` \[s\]: sets prescribed velocities to their mean over
    /// the step.
    fn lead(&self, state: &mut State, end: f64) {
        let _ = (state, end);
    }

    /// Whether the constraint prescribes the motion of particles.
    fn prescribes(&self) -> bool {
        false
    }

    /// Sets prescribed positions and velocities at a trial point; `within_step` selects the side of a
    /// corner.
    fn prescribe(&self, time: f64, within_step: bool, x: &mut [Vector], v: &mut [Vector]) {
        let _ = (time, within_step, x, v);
    }

    /// The curves of time that the constraint follows.
    fn time_curves(&self) -> Vec<&TimeCurve> {
        Vec::new()
    }

    /// Projects the method's state onto the constraint, before it is accepted. `state.time` is still
    /// that of the step's start. The constraint's memory goes to `next`, energies to `jump`.
    fn settle(&self, state: &mut State, taken: &LastStep, next: &mut Memory, jump: &mut Jump);

    /// Its curve or surface, for pictures.
    fn curve(&self) -> Option<&curve::Curve> {
        None
    }
}
