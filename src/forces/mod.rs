//! Forces: small pure terms on the right-hand side.
//!
//! A force knows positions, velocities, time and the frozen contact memory, and nothing of the
//! integrator that asks. Five hooks, no more: see [`Force`].

pub mod drag;
pub mod gravity;
pub mod push;
pub mod regime;
pub mod span;
pub mod springs;

use crate::contact::Memory;
use crate::math::{Matrix, Vector};
use crate::state::Configuration;
use regime::Regime;

/// A term of the right-hand side.
pub trait Force: Send + Sync {
    /// `f[i] += F_i(t, x, v)` \[N\] for every particle. Pure; called many times a step, also on
    /// trial points that are later rejected.
    fn add_force(&self, at: &Configuration, f: &mut [Vector]);

    /// Adds the 3 × 3 blocks ∂F_i/∂x_j \[N/m\] and ∂F_i/∂v_j \[N·s/m\]. What is left out is
    /// thereby lagged by implicit methods: say so where it is left out.
    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink);

    /// Adds the rates of the stretch \[m/s\] of the remembered contacts, in their order; only asked
    /// for when stretch is part of the integrator's state. Pure.
    fn add_stretch_rate(&self, at: &Configuration, rate: &mut [Vector]) {
        let _ = (at, rate);
    }

    /// Adds, in a fixed order, which of its branches it is on: whatever changes there changes at
    /// once, and the force has a kink or a jump. Methods that locate such changes compare the
    /// regimes of two points; a force that is smooth has none. Pure.
    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        let _ = (at, into);
    }

    /// Called once per *accepted* state: adds the force, and enters the energy it stores and the
    /// powers it dissipates or puts in. A force with memory moves it in `next`.
    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        account: &mut Account,
        next: &mut Memory,
    ) {
        let _ = (account, next);
        self.add_force(at, f);
    }
}

/// Where a force puts its Jacobian blocks.
pub trait BlockSink {
    /// Adds ∂F_i/∂x_j and ∂F_i/∂v_j. A pair (i, j) may be added to more than once.
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix);
}

/// Energies \[J\] and powers \[W\] of one accepted state, by channel. Powers of dissipation are
/// positive when energy leaves; `work` is positive when energy is put in.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Account {
    /// Energy stored in springs.
    pub spring: f64,
    /// Energy stored in contacts: normal penalty and tangential stretch.
    pub contact: f64,
    /// Potential energy of gravity, −Σ m g·x.
    pub gravity: f64,
    /// Power dissipated by spring damping.
    pub dissipated_spring: f64,
    /// Power dissipated by normal damping.
    pub dissipated_normal: f64,
    /// Power dissipated by friction in stick (inside the threshold or the cone).
    pub dissipated_friction_stick: f64,
    /// Power dissipated by friction in slip.
    pub dissipated_friction_slip: f64,
    /// Energy that left the stretch of contacts at this instant, because they opened or bear less
    /// \[J\].
    pub released: f64,
    /// Power dissipated by drag.
    pub dissipated_drag: f64,
    /// Power put in by pushes, pins and moving colliders.
    pub work: f64,
}
