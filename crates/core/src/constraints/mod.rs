//! Constraints, which hold exactly instead of by a force: bodies that are rigid, particles on a
//! curve, pins that follow a curve of time.
//!
//! A constraint acts twice. As a **reaction** it makes accelerations obey it, whatever method asks
//! for them (the index-reduced form). Once per step it **settles** what the method has made: takes the
//! state back onto itself, and, where it acts on velocities instead of forces, jumps them.

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
    /// holds all applied forces. Pure; called wherever forces are asked for.
    fn add_reaction(&self, at: &Configuration, f: &mut [Vector]) {
        let _ = (at, f);
    }

    /// Whether [`Self::settle`] does what reactions would: the forces at a state then know nothing of
    /// the constraint.
    fn acts_in_steps(&self) -> bool {
        false
    }

    /// Enters the powers of the reactions at an accepted state; `applied` are the forces without
    /// them \[N\]. What is to be remembered of them goes to `next`.
    fn enter(
        &self,
        at: &Configuration,
        applied: &[Vector],
        ledger: &mut Ledger,
        next: &mut Memory,
    ) {
        let _ = (at, applied, ledger, next);
    }

    /// Prepares a step from `state.time` to `end` \[s\]: gives velocities that are prescribed their
    /// mean over it.
    fn lead(&self, state: &mut State, end: f64) {
        let _ = (state, end);
    }

    /// Whether it prescribes the motion of particles.
    fn prescribes(&self) -> bool {
        false
    }

    /// Gives what is prescribed at a trial point its position and velocity then; `within_step` tells
    /// the side of a corner.
    fn prescribe(&self, time: f64, within_step: bool, x: &mut [Vector], v: &mut [Vector]) {
        let _ = (time, within_step, x, v);
    }

    /// The curves of time that it follows.
    fn time_curves(&self) -> Vec<&TimeCurve> {
        Vec::new()
    }

    /// Takes the state a method has made onto the constraint, before it is accepted. `state.time` is
    /// still that of the step's start. What it will remember goes to `next`, energies to `jump`.
    fn settle(&self, state: &mut State, taken: &LastStep, next: &mut Memory, jump: &mut Jump);

    /// The curve or surface it is, for whoever draws it.
    fn curve(&self) -> Option<&curve::Curve> {
        None
    }
}
