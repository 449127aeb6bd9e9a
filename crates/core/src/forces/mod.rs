//! Forces: small pure terms on the right-hand side.
//!
//! A force knows positions, velocities, time and the frozen contact memory, but no integrator. Its hooks
//! are the methods of [`Force`].

pub mod account;
pub mod census;
mod components;
pub mod crew;
pub mod cuts;
pub mod drag;
pub mod elements;
pub mod gravity;
pub mod hand;
pub mod muscle;
mod owners;
pub(crate) mod pieces;
#[cfg_attr(not(feature = "threads"), path = "no_pool.rs")]
mod pool;
pub mod push;
pub mod range;
pub mod regime;
pub mod span;
pub mod springs;

use crate::expression::time_curve::TimeCurve;
use crate::math::{Matrix, Vector};
use crate::state::Configuration;
use crate::state::memory::Memory;
use account::Ledger;
use range::OutOfRange;
use regime::Regime;

/// A term of the right-hand side.
pub trait Force: Send + Sync {
    /// `f[i] += F_i(t, x, v)` \[N\] for every particle. Pure; called many times a step, also on
    /// trial points that are later rejected.
    fn add_force(&self, at: &Configuration, f: &mut [Vector]);

    /// Adds the 3 × 3 blocks ∂F_i/∂x_j \[N/m\] and ∂F_i/∂v_j \[N·s/m\]. A term that is left out
    /// slows Newton's iteration, and is explicit in methods that solve one system a step: say so
    /// there.
    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink);

    /// Adds the rates of the stretch \[m/s\] of the remembered contacts, in their order. Called only if
    /// stretch is part of the integrator's state. Pure.
    fn add_stretch_rate(&self, at: &Configuration, rate: &mut [Vector]) {
        let _ = (at, rate);
    }

    /// Adds the regimes of the force, in a fixed order: the branches it is on, such as stick or
    /// slip of each contact. Where a regime changes, the force has a kink or a jump; methods that
    /// locate kinks compare the regimes of two points. A smooth force adds none. Pure.
    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        let _ = (at, into);
    }

    /// Calls `found` with the places where the force is outside the range that its law is made for. Pure.
    fn out_of_range(&self, at: &Configuration, found: &mut dyn FnMut(OutOfRange)) {
        let _ = (at, found);
    }

    /// The pushed particles and the force on each \[N\], for pictures.
    fn pushed(&self, at: &Configuration) -> Option<(&[usize], Vector)> {
        let _ = at;
        None
    }

    /// The curve of time that the force follows, with a name.
    fn time_curve(&self) -> Option<(&'static str, &TimeCurve)> {
        None
    }

    /// Adds the times at which the force switches on or off or has a corner \[s\]: steps end there.
    fn add_switches(&self, into: &mut Vec<f64>) {
        let _ = into;
    }

    /// Called once per *accepted* state: adds the force, and enters the energy it stores and the
    /// powers it dissipates or puts in. A force with memory moves it in `next`.
    fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger, next: &mut Memory) {
        let _ = (ledger, next);
        self.add_force(at, f);
    }
}

/// Receiver of a force's Jacobian blocks.
pub trait BlockSink {
    /// Adds ∂F_i/∂x_j and ∂F_i/∂v_j. A pair (i, j) may be added to more than once.
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix);

    /// Adds the blocks of a force that depends on the differences x_j − x_i and v_j − v_i alone, such as
    /// a spring's: ∂F_i/∂x_j = ∂F_j/∂x_i are the given blocks, ∂F_i/∂x_i = ∂F_j/∂x_j their negatives.
    fn add_pair(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        self.add(i, j, by_position, by_velocity);
        self.add(j, i, by_position, by_velocity);
        self.add(i, i, &-by_position, &-by_velocity);
        self.add(j, j, &-by_position, &-by_velocity);
    }

    /// Adds the blocks of a spring: [`Self::add_pair`] with those of [`Axial`].
    fn add_axial(&mut self, i: usize, j: usize, axial: &Axial) {
        let (by_position, by_velocity) = axial.blocks();
        self.add_pair(i, j, &by_position, &by_velocity);
    }

    /// Adds the blocks of a force that depends on such differences and whose blocks have no symmetry:
    /// ∂F_i/∂x_i and ∂F_j/∂x_j are the negatives of ∂F_i/∂x_j and ∂F_j/∂x_i.
    fn add_edge(&mut self, i: usize, j: usize, edge: &Edge) {
        let (there, back) = (edge.by_velocity, edge.by_velocity.transpose());
        self.add(i, j, &edge.there, &there);
        self.add(j, i, &edge.back, &back);
        self.add(i, i, &-edge.there, &-there);
        self.add(j, j, &-edge.back, &-back);
    }

    /// Whether [`Self::add`] takes symmetric blocks alone: terms without a transpose, such as
    /// ∂F_friction/∂N, then go to [`Self::add_beside`].
    fn symmetric(&self) -> bool {
        false
    }

    /// Whether a force that can should give derivatives of a convex energy: its own, with what is not convex
    /// left out.
    fn wants_convex(&self) -> bool {
        false
    }

    /// Adds blocks without a transpose, beside the symmetric ones. A sink without a place for them leaves
    /// them out.
    fn add_beside(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let _ = (i, j, by_position, by_velocity);
    }
}

/// The blocks of two particles i and j in [`BlockSink::add_edge`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Edge {
    /// ∂F_i/∂x_j \[N/m\].
    pub there: Matrix,
    /// ∂F_j/∂x_i \[N/m\].
    pub back: Matrix,
    /// ∂F_i/∂v_j, the transpose of ∂F_j/∂v_i \[N·s/m\].
    pub by_velocity: Matrix,
}

/// Derivatives of the tension T of a spring of length l, which give its two blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axial {
    /// n, the unit vector from the first to the second.
    pub direction: Vector,
    /// ∂T/∂l \[N/m\].
    pub stiffness: f64,
    /// ∂T/∂ḷ \[N·s/m\], ḷ the rate of l.
    pub damping: f64,
    /// T/l \[N/m\]: stiffness against turning.
    pub across: f64,
    /// The part of ∂T/∂x across n, due to the turning of n \[N/m\].
    pub turning: Vector,
}

impl Axial {
    /// ∂F_i/∂x_j = n (k n + q)ᵀ + (1 − n nᵀ) T/l with q = `turning`, and ∂F_i/∂v_j = c n nᵀ.
    pub fn blocks(&self) -> (Matrix, Matrix) {
        let n = self.direction;
        let along = n * n.transpose();
        let by_position = n * (n * self.stiffness + self.turning).transpose()
            + (Matrix::identity() - along) * self.across;
        (by_position, along * self.damping)
    }
}
