//! Rigid bodies: the particles of a body keep their distances exactly.

use super::Constraint;
use crate::contact::Memory;
use crate::impulses::Jump;
use crate::math::{Matrix, Rotation, Vector};
use crate::state::{Configuration, State, Taken};
use std::ops::Range;

/// A body whose particles keep their distances.
#[derive(Debug, Clone, PartialEq)]
pub struct Rigid {
    /// Its number among the rigid bodies, and that of its attitude in [`State::attitudes`].
    pub number: usize,
    /// Its particles.
    pub particles: Range<usize>,
    /// Their masses m_i \[kg\].
    pub masses: Vec<f64>,
    /// M = Σ m_i \[kg\].
    pub mass: f64,
    /// r_i from the mass centre at t = 0 \[m\].
    pub offsets: Vec<Vector>,
    /// Σ m_i (|r_i|² 1 − r_i r_iᵀ) at t = 0 \[kg·m²\].
    pub inertia: Matrix,
    /// The locked axis of a planar scene, about which alone it then turns.
    pub locked_axis: Option<usize>,
}

impl Rigid {
    /// The mass centre \[m\].
    pub fn center(&self, positions: &[Vector]) -> Vector {
        let _ = positions;
        Vector::zeros()
    }

    /// I⁻¹ in the world \[1/(kg·m²)\]; zero about axes about which it cannot turn: those of a planar
    /// scene, and the line on which all particles lie.
    pub fn inverse_inertia(&self, attitude: &Rotation) -> Matrix {
        let _ = attitude;
        Matrix::zeros()
    }

    /// Velocity V of the mass centre \[m/s\] and rate of turn ω \[rad/s\], those of the particles'
    /// momentum and angular momentum.
    pub fn twist(&self, state: &State) -> (Vector, Vector) {
        let _ = state;
        (Vector::zeros(), Vector::zeros())
    }

    /// Gives the particles the velocities V + ω × (x_i − X).
    pub fn set_twist(&self, velocity: Vector, spin: Vector, state: &mut State) {
        let _ = (velocity, spin, state);
    }

    /// Moves the body by `shift` \[m\] and turns it by the rotation vector `turn` \[rad\] about its
    /// mass centre; velocities turn with it.
    pub fn displace(&self, shift: Vector, turn: Vector, state: &mut State) {
        let _ = (shift, turn, state);
    }
}

impl Constraint for Rigid {
    fn add_reaction(&self, at: &Configuration, f: &mut [Vector]) {
        let _ = (at, f);
    }

    fn settle(&self, state: &mut State, _taken: &Taken, _next: &mut Memory, _jump: &mut Jump) {
        let _ = state;
    }
}
