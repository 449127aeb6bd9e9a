//! The best-fit attitude of particles.

use super::{Extent, Rigid};
use crate::math::{Matrix, Rotation, Vector, cos, sin};
use crate::nalgebra::Quaternion;
use crate::state::State;

/// Largest number of iterations; two or three are usual.
const MOST_ITERATIONS: usize = 50;

/// Rotation \[rad\] below which the next one, about the square of this one, is rounding.
const LAST: f64 = 1e-8;

/// The rotation by a rotation vector \[rad\].
pub(super) fn rotation_of(turn: Vector) -> Rotation {
    let angle = turn.norm();
    if angle == 0.0 {
        return Rotation::identity();
    }
    let axis = turn * (sin(0.5 * angle) / angle);
    Rotation::new_normalize(Quaternion::from_parts(cos(0.5 * angle), axis))
}

/// The rotation by a small rotation vector, to second order, without trigonometry.
fn small_rotation(turn: Vector) -> Rotation {
    Rotation::new_normalize(Quaternion::from_parts(1.0, turn * 0.5))
}

/// The attitude R that maximises Σ m_i y_i·(R r_i), with y_i the particles relative to their centre of
/// mass. Newton's method from the body's last attitude: with B = Σ m_i y_i (R r_i)ᵀ the rotation θ is
///
/// ```text
/// (tr B 1 − ½ (B + Bᵀ)) θ = Σ m_i (R r_i) × y_i
/// ```
///
/// For collinear particles the last attitude is turned by the smallest rotation to their present
/// line; in a planar scene θ is about the locked axis.
pub(super) fn best_fit(body: &Rigid, center: Vector, state: &State) -> Rotation {
    let mut attitude = state.attitudes[body.number];
    if body.extent() == Extent::Point {
        return attitude;
    }
    let mut correlation = Matrix::zeros();
    for ((m, r), i) in body.masses.iter().zip(&body.offsets).zip(body.particles.clone()) {
        correlation += (state.positions[i] - center) * r.transpose() * *m;
    }
    if body.extent() == Extent::Line && body.locked_axis.is_none() {
        return turned_line(body, &correlation, attitude);
    }
    for _ in 0..MOST_ITERATIONS {
        let spread = correlation * attitude.to_rotation_matrix().matrix().transpose();
        let turn = newton_turn(body, &spread, &attitude);
        attitude = small_rotation(turn) * attitude;
        if turn.norm() <= LAST {
            break;
        }
    }
    attitude
}

/// The rotation towards the best fit, for B = `spread`. Beyond a quarter turn Newton's matrix is not
/// positive definite, and the inertia replaces it.
fn newton_turn(body: &Rigid, spread: &Matrix, attitude: &Rotation) -> Vector {
    let torque = Vector::new(
        spread[(2, 1)] - spread[(1, 2)],
        spread[(0, 2)] - spread[(2, 0)],
        spread[(1, 0)] - spread[(0, 1)],
    );
    let matrix = Matrix::identity() * spread.trace() - (spread + spread.transpose()) * 0.5;
    if let Some(axis) = body.locked_axis {
        let stiffness = matrix[(axis, axis)];
        return if stiffness > 0.0 {
            Vector::ith(axis, torque[axis] / stiffness)
        } else {
            body.inverse_inertia(attitude) * torque
        };
    }
    match matrix.cholesky() {
        Some(factor) => factor.solve(&torque),
        None => body.inverse_inertia(attitude) * torque,
    }
}

/// The attitude of collinear particles, from that of their line.
fn turned_line(body: &Rigid, correlation: &Matrix, attitude: Rotation) -> Rotation {
    // the particle farthest from the centre defines the line
    let Some(end) = body
        .offsets
        .iter()
        .copied()
        .reduce(|a, b| if b.norm_squared() > a.norm_squared() { b } else { a })
    else {
        return attitude;
    };
    let (from, to) = (attitude * end.normalize(), correlation * end);
    let size = to.norm();
    if size == 0.0 {
        return attitude;
    }
    let to = to / size;
    let middle = 1.0 + from.dot(&to);
    if middle < LAST {
        // half a turn: its axis is undetermined
        return attitude;
    }
    Rotation::new_normalize(Quaternion::from_parts(middle, from.cross(&to))) * attitude
}
