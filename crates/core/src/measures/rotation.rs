//! Rotation of a deformed body.

use super::{Scope, mean};
use crate::math::{Matrix, Vector, acos, rotation};
use crate::model::Model;
use crate::state::State;

/// Most iterations; each at least halves the remaining angle.
const MOST_ITERATIONS: usize = 100;

/// The rotation that best maps the selection at t = 0 onto the selection now: the one that
/// maximises Σ m (R X)·x about the centres of mass, found by turning towards it. Works for flat and
/// for thin selections too. Source: \[muller2016\].
pub fn rotation_since_start(scope: &Scope) -> Matrix {
    rotation_of(scope.model, scope.state, scope.particles.iter().copied())
}

/// The same for particles given by an iterator.
pub fn rotation_of(
    model: &Model,
    state: &State,
    particles: impl Iterator<Item = usize> + Clone,
) -> Matrix {
    let center = mean(model, particles.clone(), &state.positions);
    let start = mean(model, particles.clone(), &model.reference);
    let mut spread = Matrix::zeros();
    for i in particles {
        let x = state.positions[i] - center;
        let reference = model.reference[i] - start;
        spread += x * reference.transpose() * model.masses[i];
    }
    let mut turn = Matrix::identity();
    for _ in 0..MOST_ITERATIONS {
        let (mut torque, mut stiffness) = (Vector::zeros(), 0.0);
        for axis in 0..3 {
            let (r, a) = (turn.column(axis).into_owned(), spread.column(axis).into_owned());
            torque += r.cross(&a);
            stiffness += r.dot(&a);
        }
        let size = torque.norm();
        let scale = stiffness.abs() + 1e-12 * spread.norm();
        if scale == 0.0 || size <= 1e-14 * scale {
            break;
        }
        turn = rotation(torque / size, size / scale) * turn;
    }
    turn
}

/// Angle of a rotation \[rad\], 0 to π.
pub(crate) fn turned_by(turn: &Matrix) -> f64 {
    acos(((turn.trace() - 1.0) / 2.0).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{degrees, radians};

    #[test]
    fn angle_of_a_rotation() {
        for angle in [0.0, 1.0, 45.0, 90.0, 179.0] {
            let turn = rotation(Vector::new(1.0, 2.0, -0.5).normalize(), radians(angle));
            assert!((degrees(turned_by(&turn)) - angle).abs() < 1e-6);
        }
    }
}
