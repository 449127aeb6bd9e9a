//! Newton and Euler for a handful of particles.

use super::*;
use crate::math::{PI, rotation};

/// Bodies without symmetry: in space, in a plane, on a line, at a point.
fn bodies() -> Vec<(Vec<f64>, Vec<Vector>)> {
    let v = Vector::new;
    vec![
        (
            vec![1.0, 2.0, 0.5, 1.5],
            vec![v(0.1, 0.2, 0.3), v(1.0, -0.2, 0.4), v(-0.3, 0.9, 0.1), v(0.2, 0.1, -0.7)],
        ),
        (vec![1.0, 2.0, 0.5], vec![v(0.1, 0.2, 0.3), v(1.0, -0.2, 0.4), v(-0.3, 0.9, 0.1)]),
        (vec![1.0, 2.0, 0.5], vec![v(0.1, 0.2, 0.3), v(0.4, 0.8, 1.2), v(-0.2, -0.4, -0.6)]),
        (vec![1.3], vec![v(0.1, 0.2, 0.3)]),
    ]
}

fn body(masses: &[f64], positions: &[Vector], locked_axis: Option<usize>) -> (Rigid, State) {
    let count = positions.len();
    let state = State {
        positions: positions.to_vec(),
        velocities: vec![Vector::zeros(); count],
        attitudes: vec![Rotation::identity()],
        ..State::default()
    };
    (Rigid::new(0, 0..count, masses, positions, locked_axis), state)
}

fn taken(state: &State) -> LastStep<'_> {
    let (positions, velocities) = (&state.positions[..], &state.velocities[..]);
    LastStep { positions, velocities, end: 1.0, h: 1.0, kick_share: 0.5 }
}

fn settle(body: &Rigid, state: &mut State) {
    let before = state.clone();
    body.settle(state, &taken(&before), &mut Memory::default(), &mut Jump::default());
}

/// Momentum, and angular momentum about the origin.
fn momenta(body: &Rigid, x: &[Vector], v: &[Vector]) -> (Vector, Vector) {
    let angular = body.masses.iter().zip(x).zip(v).map(|((m, x), v)| x.cross(v) * *m).sum();
    (mean(&body.masses, body.mass, v) * body.mass, angular)
}

fn assert_near(a: Vector, b: Vector, tolerance: f64) {
    assert!((a - b).norm() <= tolerance, "{a} is not {b}");
}

#[test]
fn forces_keep_their_sum_and_torque_and_make_a_rigid_acceleration() {
    let spin = Vector::new(0.7, -1.1, 0.4);
    for (masses, positions) in bodies() {
        let (body, mut state) = body(&masses, &positions, None);
        body.set_twist(Vector::new(1.0, 2.0, 3.0), spin, &mut state);
        let mut f: Vec<Vector> =
            (0..masses.len()).map(|i| Vector::new(1.0, i as f64, -0.3 * i as f64)).collect();
        let sums = |f: &[Vector]| {
            let torque: Vector = positions.iter().zip(f).map(|(x, f)| x.cross(f)).sum();
            (f.iter().sum::<Vector>(), torque)
        };
        let (force, torque) = sums(&f);
        body.add_reaction(&state.configuration(), &mut f);
        let (force_after, torque_after) = sums(&f);
        assert_near(force_after, force, 1e-13);
        assert_near(torque_after, torque, 1e-12);
        // (x_i − x_j)·(a_i − a_j) + |v_i − v_j|² = 0: distances stay
        for i in 0..masses.len() {
            for j in 0..i {
                let apart = positions[i] - positions[j];
                let a = f[i] / masses[i] - f[j] / masses[j];
                let v = state.velocities[i] - state.velocities[j];
                assert!((apart.dot(&a) + v.norm_squared()).abs() < 1e-12, "{i} {j}");
            }
        }
    }
}

#[test]
fn twist_gives_back_what_was_set() {
    let (velocity, spin) = (Vector::new(1.0, 2.0, 3.0), Vector::new(0.7, -1.1, 0.4));
    for (masses, positions) in bodies() {
        let (body, mut state) = body(&masses, &positions, None);
        body.set_twist(velocity, spin, &mut state);
        let (v, w) = body.twist(&state);
        assert_near(v, velocity, 1e-14);
        let expected = match body.extent() {
            Extent::Full => spin,
            Extent::Line => {
                let line = body.offsets[0].normalize();
                spin - line * line.dot(&spin)
            }
            Extent::Point => Vector::zeros(),
        };
        assert_near(w, expected, 1e-13);
    }
}

#[test]
fn displacing_turns_positions_velocities_and_attitude() {
    let turn = Vector::new(0.3, 0.8, -0.5);
    for (masses, positions) in bodies() {
        let (body, mut state) = body(&masses, &positions, None);
        body.set_twist(Vector::x(), Vector::new(0.7, -1.1, 0.4), &mut state);
        let before = state.clone();
        body.displace(Vector::z(), turn, &mut state);
        let (old, new) = (body.center(&before.positions), body.center(&state.positions));
        assert_near(new, old + Vector::z(), 1e-14);
        let matrix = rotation(turn.normalize(), turn.norm());
        for i in 0..masses.len() {
            assert_near(state.positions[i] - new, matrix * (before.positions[i] - old), 1e-14);
            let (v, was) = (state.velocities[i], before.velocities[i]);
            assert_near(v - Vector::x(), matrix * (was - Vector::x()), 1e-13);
        }
        assert_near(state.attitudes[0] * Vector::x(), matrix * Vector::x(), 1e-14);
    }
}

#[test]
fn inverse_inertia_turns_with_the_body_and_knows_lines_and_planes() {
    for (masses, positions) in bodies() {
        let (body, mut state) = body(&masses, &positions, None);
        body.displace(Vector::zeros(), Vector::new(0.3, 0.8, -0.5), &mut state);
        let center = body.center(&state.positions);
        let inertia = inertia_of(&masses, state.positions.iter().map(|x| x - center));
        let product = inertia * body.inverse_inertia(&state.attitudes[0]);
        let line = (state.positions[0] - center).try_normalize(1e-12).unwrap_or(Vector::zeros());
        let expected = match body.extent() {
            Extent::Full => Matrix::identity(),
            Extent::Line => Matrix::identity() - line * line.transpose(),
            Extent::Point => Matrix::zeros(),
        };
        assert!((product - expected).norm() < 1e-13, "{product}");
    }
    let (masses, positions) = bodies().swap_remove(0);
    let (body, _) = body(&masses, &positions, Some(1));
    let inverse = body.inverse_inertia(&Rotation::identity());
    assert!((inverse[(1, 1)] * body.inertia[(1, 1)] - 1.0).abs() < 1e-15);
    assert_eq!(inverse.iter().filter(|x| **x != 0.0).count(), 1);
}

#[test]
fn extents_are_told_apart() {
    let extents: Vec<Extent> = bodies().iter().map(|(m, x)| body(m, x, None).0.extent()).collect();
    assert_eq!(extents, [Extent::Full, Extent::Full, Extent::Line, Extent::Point]);
}

#[test]
fn settling_keeps_momenta_and_restores_distances() {
    for (masses, positions) in bodies() {
        let (body, mut state) = body(&masses, &positions, None);
        body.set_twist(Vector::new(1.0, 2.0, 3.0), Vector::new(0.7, -1.1, 0.4), &mut state);
        // a step of explicit Euler leaves the body too large
        for i in 0..masses.len() {
            let v = state.velocities[i];
            state.positions[i] += v * 0.3;
        }
        let center = body.center(&state.positions);
        let (p, l) = momenta(&body, &state.positions, &state.velocities);
        settle(&body, &mut state);
        let (p_after, l_after) = momenta(&body, &state.positions, &state.velocities);
        assert_near(body.center(&state.positions), center, 1e-14);
        assert_near(p_after, p, 1e-13);
        assert_near(l_after, l, 1e-13);
        for i in 0..masses.len() {
            for j in 0..i {
                let was = (positions[i] - positions[j]).norm();
                let is = (state.positions[i] - state.positions[j]).norm();
                assert!((is - was).abs() < 1e-14);
            }
        }
    }
}

/// Settling leaves a rigid body alone, after any rotation up to nearly half a turn.
#[test]
fn settling_finds_large_turns() {
    for (masses, positions) in bodies() {
        for angle in [1e-9, 0.1, 1.0, 2.0, 0.99 * PI] {
            let (body, mut state) = body(&masses, &positions, None);
            body.displace(Vector::x(), Vector::new(0.3, 0.8, -0.5).normalize() * angle, &mut state);
            let moved = state.positions.clone();
            state.attitudes[0] = Rotation::identity();
            settle(&body, &mut state);
            for (x, was) in state.positions.iter().zip(&moved) {
                assert_near(*x, *was, 1e-14);
            }
        }
    }
}

#[test]
fn in_a_planar_scene_it_turns_about_the_axis_only() {
    let (masses, positions) = bodies().swap_remove(0);
    let (body, mut state) = body(&masses, &positions, Some(1));
    body.set_twist(Vector::new(1.0, 2.0, 3.0), Vector::new(0.7, -1.1, 0.4), &mut state);
    assert!(state.velocities.iter().all(|v| v.y == 0.0));
    let (v, w) = body.twist(&state);
    assert_near(v, Vector::new(1.0, 0.0, 3.0), 1e-14);
    assert_near(w, Vector::new(0.0, -1.1, 0.0), 1e-14);
    let mut f: Vec<Vector> = (0..4).map(|i| Vector::new(1.0, 0.0, i as f64)).collect();
    body.add_reaction(&state.configuration(), &mut f);
    assert!(f.iter().all(|f| f.y == 0.0));
    for (x, v) in state.positions.iter_mut().zip(&state.velocities) {
        *x += v * 0.2;
    }
    settle(&body, &mut state);
    for (x, was) in state.positions.iter().zip(&positions) {
        assert_eq!(x.y, was.y);
    }
    assert!(state.velocities.iter().all(|v| v.y == 0.0));
}
