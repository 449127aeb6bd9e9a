//! Rigid bodies: the particles of a body keep their distances exactly.
//!
//! The state stays positions and velocities of particles. In every force evaluation the forces on the
//! particles of a rigid body are replaced by those of its rigid acceleration (Newton and Euler, with
//! centre X, angular velocity ω and inertia I of the particles at their present positions):
//!
//! ```text
//! f_i = m_i (A + α × r_i + ω × (ω × r_i)),   A = Σ F/M,   α = I⁻¹ (τ − ω × I ω)
//! ```
//!
//! So rigid motions are an invariant manifold of an ordinary equation of motion, and every explicit
//! method keeps its order. A method's own deviation from that manifold is removed after the
//! step \[hairer2006\]: centre of mass, momentum and angular momentum stay, and the attitude is the
//! best fit to the particles.

mod attitude;

use super::Constraint;
use crate::forces::account::Jump;
use crate::math::{Matrix, Rotation, Vector};
use crate::state::memory::Memory;
use crate::state::{Configuration, LastStep, State};
use attitude::{best_fit, rotation_of};
use std::ops::Range;

/// A body with constant distances between its particles.
#[derive(Debug, Clone, PartialEq)]
pub struct Rigid {
    /// Its number among the rigid bodies and in [`State::attitudes`].
    pub number: usize,
    /// Its particles.
    pub particles: Range<usize>,
    /// Their masses m_i \[kg\].
    pub masses: Vec<f64>,
    /// M = Σ m_i \[kg\].
    pub mass: f64,
    /// r_i from the centre of mass at t = 0 \[m\].
    pub offsets: Vec<Vector>,
    /// Σ m_i (|r_i|² 1 − r_i r_iᵀ) at t = 0 \[kg·m²\].
    pub inertia: Matrix,
    /// The locked axis of a planar scene, its only axis of rotation.
    pub locked_axis: Option<usize>,
}

/// Dimension of the particles of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// At one point.
    Point,
    /// On one line.
    Line,
    /// Otherwise.
    Full,
}

/// det I over (½ tr I)³ up to which a body counts as a line: its width is a millionth of its length.
const LINE: f64 = 1e-12;

/// Distance from the centre of mass, over that from the origin, up to which it is rounding.
const ROUNDING: f64 = 1e-14;

/// Σ m (|r|² 1 − r rᵀ) \[kg·m²\].
fn inertia_of(masses: &[f64], offsets: impl Iterator<Item = Vector>) -> Matrix {
    masses.iter().zip(offsets).fold(Matrix::zeros(), |sum, (m, r)| {
        sum + (Matrix::identity() * r.norm_squared() - r * r.transpose()) * *m
    })
}

impl Rigid {
    /// The body `number` of `particles` of a model with these masses \[kg\] and positions \[m\].
    pub fn new(
        number: usize,
        particles: Range<usize>,
        masses: &[f64],
        positions: &[Vector],
        locked_axis: Option<usize>,
    ) -> Rigid {
        let (masses, placed) = (masses[particles.clone()].to_vec(), &positions[particles.clone()]);
        let mass: f64 = masses.iter().sum();
        let center = mean(&masses, mass, placed);
        let offset = |x: &Vector| {
            let r = x - center;
            if r.norm() > ROUNDING * x.norm() { r } else { Vector::zeros() }
        };
        let mut offsets: Vec<Vector> = placed.iter().map(offset).collect();
        // a rounding error here would move the body at every step
        let rest = mean(&masses, mass, &offsets);
        offsets.iter_mut().for_each(|r| *r -= rest);
        let inertia = inertia_of(&masses, offsets.iter().copied());
        Rigid { number, particles, masses, mass, offsets, inertia, locked_axis }
    }

    /// The centre of mass \[m\].
    pub fn center(&self, positions: &[Vector]) -> Vector {
        mean(&self.masses, self.mass, &positions[self.particles.clone()])
    }

    /// I⁻¹ in the world \[1/(kg·m²)\]; zero about axes without rotation: those locked in a planar scene,
    /// and the line of collinear particles.
    pub(crate) fn inverse_inertia(&self, attitude: &Rotation) -> Matrix {
        self.inverse(&self.inertia_at(attitude))
    }

    /// Velocity V of the centre of mass \[m/s\] and angular velocity ω \[rad/s\], from the particles'
    /// momentum and angular momentum.
    pub fn twist(&self, state: &State) -> (Vector, Vector) {
        let motion = self.motion(&state.positions, &state.velocities);
        (motion.velocity, self.inverse_inertia(&state.attitudes[self.number]) * motion.momentum)
    }

    /// Sets the particles' velocities to V + ω × (x_i − X), within the plane of a planar scene.
    pub fn set_twist(&self, velocity: Vector, spin: Vector, state: &mut State) {
        let (velocity, spin) = (self.in_plane(velocity), self.about_axis(spin));
        let center = self.center(&state.positions);
        for i in self.particles.clone() {
            state.velocities[i] = velocity + spin.cross(&(state.positions[i] - center));
        }
    }

    /// Moves the body by `shift` \[m\] and turns it by the rotation vector `turn` \[rad\] about its
    /// centre of mass; velocities turn with it.
    pub fn displace(&self, shift: Vector, turn: Vector, state: &mut State) {
        let (shift, turn) = (self.in_plane(shift), rotation_of(self.about_axis(turn)));
        let (velocity, spin) = self.twist(state);
        let center = self.center(&state.positions) + shift;
        let attitude = turn * state.attitudes[self.number];
        self.place(center, attitude, state);
        self.set_twist(velocity, turn * spin, state);
    }

    /// I in the world \[kg·m²\].
    pub(crate) fn inertia_at(&self, attitude: &Rotation) -> Matrix {
        let turn = attitude.to_rotation_matrix();
        turn.matrix() * self.inertia * turn.matrix().transpose()
    }

    /// Places the particles about a centre of mass in an attitude.
    fn place(&self, center: Vector, attitude: Rotation, state: &mut State) {
        // products of unit quaternions have length one to rounding only
        let attitude = Rotation::new_normalize(attitude.into_inner());
        let turn = attitude.to_rotation_matrix();
        for (x, r) in state.positions[self.particles.clone()].iter_mut().zip(&self.offsets) {
            let placed = center + turn * r;
            for axis in (0..3).filter(|axis| self.locked_axis != Some(*axis)) {
                x[axis] = placed[axis];
            }
        }
        state.attitudes[self.number] = attitude;
    }

    fn extent(&self) -> Extent {
        let half = 0.5 * self.inertia.trace();
        if half == 0.0 {
            Extent::Point
        } else if self.inertia.determinant() <= LINE * half * half * half {
            Extent::Line
        } else {
            Extent::Full
        }
    }

    /// The inverse of an inertia of this body, zero about axes without rotation.
    fn inverse(&self, inertia: &Matrix) -> Matrix {
        let mut inverse = Matrix::zeros();
        match (self.locked_axis, self.extent()) {
            (_, Extent::Point) => {}
            (Some(axis), _) => {
                if self.inertia[(axis, axis)] > LINE * self.inertia.trace() {
                    inverse[(axis, axis)] = 1.0 / inertia[(axis, axis)];
                }
            }
            // I = J (1 − u uᵀ)
            (None, Extent::Line) => {
                let moment = 0.5 * inertia.trace();
                inverse = inertia / (moment * moment);
            }
            (None, Extent::Full) => inverse = inertia.try_inverse().unwrap_or(inverse),
        }
        inverse
    }

    fn in_plane(&self, mut velocity: Vector) -> Vector {
        if let Some(axis) = self.locked_axis {
            velocity[axis] = 0.0;
        }
        velocity
    }

    fn about_axis(&self, spin: Vector) -> Vector {
        self.locked_axis.map_or(spin, |axis| Vector::ith(axis, spin[axis]))
    }

    fn motion(&self, positions: &[Vector], velocities: &[Vector]) -> RigidMotion {
        let center = self.center(positions);
        let velocity = self.center(velocities);
        let mut momentum = Vector::zeros();
        for (m, i) in self.masses.iter().zip(self.particles.clone()) {
            momentum += (positions[i] - center).cross(&(velocities[i] - velocity)) * *m;
        }
        RigidMotion { center, velocity, momentum }
    }
}

/// The centre of mass of particles, its velocity, and their angular momentum about it.
struct RigidMotion {
    center: Vector,
    velocity: Vector,
    momentum: Vector,
}

/// Σ m v/M, as differences from the first: the mean of equal values is exactly that value.
fn mean(masses: &[f64], mass: f64, values: &[Vector]) -> Vector {
    let Some(first) = values.first() else { return Vector::zeros() };
    let differences = masses.iter().zip(values).map(|(m, v)| (v - first) * *m);
    first + differences.sum::<Vector>() / mass
}

impl Constraint for Rigid {
    fn add_reaction(&self, at: &Configuration, f: &mut [Vector]) {
        let RigidMotion { center, momentum, .. } = self.motion(at.positions, at.velocities);
        let offset = |i: usize| at.positions[i] - center;
        let inertia = inertia_of(&self.masses, self.particles.clone().map(offset));
        let (mut force, mut torque) = (Vector::zeros(), Vector::zeros());
        for i in self.particles.clone() {
            force += f[i];
            torque += offset(i).cross(&f[i]);
        }
        let inverse = self.inverse(&inertia);
        let spin = inverse * momentum;
        let acceleration = force / self.mass;
        let angular = inverse * (torque - spin.cross(&(inertia * spin)));
        for (m, i) in self.masses.iter().zip(self.particles.clone()) {
            let r = offset(i);
            f[i] = (acceleration + angular.cross(&r) + spin.cross(&spin.cross(&r))) * *m;
        }
    }

    fn settle(&self, state: &mut State, _taken: &LastStep, _next: &mut Memory, _jump: &mut Jump) {
        let RigidMotion { center, velocity, momentum } =
            self.motion(&state.positions, &state.velocities);
        let attitude = best_fit(self, center, state);
        self.place(center, attitude, state);
        self.set_twist(velocity, self.inverse_inertia(&attitude) * momentum, state);
    }
}

#[cfg(test)]
mod tests;
