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

/// ω with I ω = L about the centre of mass, from the principal axes of the inertia I. An axis along
/// which all particles lie has no inertia, and ω no part about it.
pub fn spin(scope: &Scope) -> Vector {
    let center = scope.mean(&scope.state.positions);
    let mean = scope.mean(&scope.state.velocities);
    let (mut inertia, mut momentum) = (Matrix::zeros(), Vector::zeros());
    for &i in scope.particles {
        let m = scope.model.masses[i];
        let r = scope.state.positions[i] - center;
        inertia += (Matrix::identity() * r.norm_squared() - r * r.transpose()) * m;
        momentum += r.cross(&(scope.state.velocities[i] - mean)) * m;
    }
    let principal = inertia.symmetric_eigen();
    let least = ROUND_INERTIA * principal.eigenvalues.amax();
    let axes = principal.eigenvectors.column_iter().zip(principal.eigenvalues.iter());
    axes.filter(|(_, moment)| **moment > least)
        .map(|(axis, moment)| axis * (axis.dot(&momentum) / moment))
        .sum()
}

/// Moment of inertia below which an axis has none but by rounding, as a share of the largest.
const ROUND_INERTIA: f64 = 1e-12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{degrees, radians};
    use crate::measures::{MEASURES, Probe};
    use crate::world::shapes::{Geometry, Masses};
    use crate::world::{Body, World};

    const SPREAD: [[f64; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.7, 0.0, 0.1], [-0.1, 0.5, 0.0], [0.2, -0.3, 0.9]];

    /// The spin that is read for unequal masses in rigid motion, v = V + ω × x.
    fn read(places: [[f64; 3]; 4], spin: Vector, velocity: Vector, selected: Vec<usize>) -> Vector {
        let positions: Vec<Vector> = places.map(Vector::from).to_vec();
        let velocities = positions.iter().map(|x| velocity + spin.cross(x)).collect();
        let masses = Masses::Given(vec![1.0, 2.0, 0.5, 3.0]);
        let shape = Geometry { positions, velocities, masses, ..Geometry::default() };
        let mut world = World::new();
        world.body(Body::new("body", shape));
        let kind = MEASURES.find("spin").expect("the row");
        let mut told = Vec::new();
        let run = world.simulate().expect("a world");
        Probe::new("spin", kind, selected, None).read(&run, &mut told);
        Vector::new(told[0], told[1], told[2])
    }

    #[test]
    fn the_spin_of_what_turns_as_one_is_its_rate_of_turn() {
        for spin in [Vector::x(), -Vector::y(), Vector::z() * 3.0, Vector::new(0.3, -2.0, 1.1)] {
            for velocity in [Vector::zeros(), Vector::new(5.0, -4.0, 3.0)] {
                for selected in [vec![0, 1, 2, 3], vec![0, 1, 3]] {
                    let found = read(SPREAD, spin, velocity, selected);
                    assert!((found - spin).norm() < 1e-12, "{found}, not {spin}");
                }
            }
        }
    }

    /// Particles on a line have no inertia about it, whichever way the line points: the spin across it is
    /// read, and none along it.
    #[test]
    fn the_spin_of_a_line_is_its_rate_of_turn_across_it() {
        for along in [[1.0, 0.0, 0.0], [0.3, -0.7, 0.2], [1e-3, 2.0, 0.1]] {
            let places = [-1.0, 0.3, 0.5, 2.0].map(|at| along.map(|x| x * at));
            let direction = Vector::from(along).normalize();
            let spin = direction.cross(&Vector::new(0.2, 0.1, -3.0));
            for about_itself in [0.0, 4.0] {
                let turn = spin + direction * about_itself;
                let found = read(places, turn, Vector::new(1.0, 2.0, -1.0), vec![0, 1, 2, 3]);
                assert!((found - spin).norm() < 1e-9, "{found}, not {spin}");
            }
        }
    }

    #[test]
    fn angle_of_a_rotation() {
        for angle in [0.0, 1.0, 45.0, 90.0, 179.0] {
            let turn = rotation(Vector::new(1.0, 2.0, -0.5).normalize(), radians(angle));
            assert!((degrees(turned_by(&turn)) - angle).abs() < 1e-6);
        }
    }
}
