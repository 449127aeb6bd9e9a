//! Slip vanishes under rigid motions, is the rate of displacement, and its force conserves momentum
//! and angular momentum.

use super::signed::small;
use super::*;
use crate::math::rotation;
use crate::state::memory::Turning;

/// The kinds of proximity with fully known rotation: particle–triangle, edge–edge.
fn is_full(near: &Proximity) -> bool {
    matches!(near.slip.anchor.turning, Turning::Triangle | Turning::Edges)
}

/// Size of the map's blocks: rounding errors grow in proportion.
fn size(near: &Proximity) -> f64 {
    (0..4).map(|k| near.slip.block(k).norm()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slip_vanishes_under_rigid_motions(
        points in proptest::collection::vec(vector(), 4), kind in 0..5,
        spin in vector(), along in vector(),
    ) {
        let (detector, x) = small(kind, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let v: Vec<Vector> = x.iter().map(|x| spin.cross(x) + along).collect();
        let slip = near.relative_velocity(&v);
        let scale = size(&near);
        if is_full(&near) {
            prop_assert!(slip.norm() < 1e-12 * scale, "{} {}", slip.norm(), scale);
        } else {
            // translations cancel exactly, rotations that a line defines to rounding
            let moved = vec![along; x.len()];
            prop_assert!(near.relative_velocity(&moved).norm() == 0.0);
            if near.slip.anchor.turning == Turning::Line {
                let axis = near.slip.anchor.axis;
                prop_assert!(slip.dot(&axis).abs() < 1e-12 * scale);
                prop_assert!(slip.dot(&near.slip.axis).abs() < 1e-12 * scale);
            }
        }
    }

    #[test]
    fn slip_is_the_rate_of_displacement(
        points in proptest::collection::vec(vector(), 4), kind in 0..5,
        velocities in proptest::collection::vec(vector(), 4),
    ) {
        let (detector, x) = small(kind, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let scale = size(&near);
        prop_assume!(scale < 50.0);
        let anchor = near.anchor();
        prop_assert!(anchor.displacement(&x).norm() < 1e-14 * scale);
        let step = 1e-6;
        let at = |h: f64| {
            let moved: Vec<Vector> = x.iter().zip(&velocities).map(|(x, v)| x + v * h).collect();
            anchor.displacement(&moved)
        };
        let rate = (at(step) - at(-step)) / (2.0 * step);
        let slip = near.relative_velocity(&velocities);
        // the same holds for the map made anew from the anchor
        let again = anchor.map(&x).velocity(&velocities);
        prop_assert!((again - slip).norm() < 1e-10 * scale, "{} {}", again, slip);
        // error of second-order differences, magnified where edges are short
        let shortest = [[0, 1], [0, 2], [1, 2], [2, 3], [1, 3]].iter()
            .filter(|e| e[1] < x.len()).map(|e| (x[e[0]] - x[e[1]]).norm()).fold(1.0, f64::min);
        prop_assert!((rate - slip).norm() < 1e-7 * scale / (shortest * shortest), "{} {}", rate, slip);
    }

    #[test]
    fn displacement_vanishes_after_rigid_motions(
        points in proptest::collection::vec(vector(), 4), kind in 0..5,
        turn in vector(), along in vector(),
    ) {
        prop_assume!(turn.norm() > 0.01);
        let (detector, x) = small(kind, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let turned = rotation(turn.normalize(), turn.norm() * 3.0);
        let moved: Vec<Vector> = x.iter().map(|x| turned * x + along * 10.0).collect();
        let (before, after) = (near.frame(&x), near.frame(&moved));
        if is_full(&near) {
            let slipped = near.anchor().displacement(&moved).norm();
            prop_assert!(slipped < 1e-13 * size(&near) * 10.0, "{slipped}");
            let (before, after) = (before.unwrap(), after.unwrap());
            prop_assert!((after - turned * before).norm() < 1e-10 * size(&near));
            prop_assert!((before.transpose() * before - Matrix::identity()).norm() < 1e-12);
            prop_assert!((before.determinant() - 1.0).abs() < 1e-12);
        } else if near.slip.anchor.turning == Turning::Unknown {
            prop_assert!(before.is_none());
        }
    }

    #[test]
    fn forces_have_no_resultant_and_no_torque(
        points in proptest::collection::vec(vector(), 4), kind in 0..5, force in vector(), normal in 0.0..2.0f64,
        velocities in proptest::collection::vec(vector(), 4),
    ) {
        let (detector, x) = small(kind, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let scale = size(&near) * 10.0;
        let mut pushed = vec![Vector::zeros(); x.len()];
        near.add_normal_force(normal, &mut pushed);
        let mut f = vec![Vector::zeros(); x.len()];
        near.add_force(force, &mut f);
        let torque = |f: &[Vector]| x.iter().zip(f).map(|(x, f)| x.cross(f)).sum::<Vector>();
        prop_assert!(pushed.iter().sum::<Vector>().norm() < 1e-13 * scale);
        prop_assert!(near.distance < 1e-3 || torque(&pushed).norm() < 1e-12 * scale / near.distance);
        prop_assert!(f.iter().sum::<Vector>().norm() < 1e-13 * scale);
        if is_full(&near) {
            prop_assert!(torque(&f).norm() < 1e-12 * scale, "{} {scale}", torque(&f).norm());
        }
        // power: the force is the transpose of the slip map
        let power: f64 = f.iter().zip(&velocities).map(|(f, v)| f.dot(v)).sum();
        let slip = near.relative_velocity(&velocities);
        prop_assert!((power - force.dot(&slip)).abs() < 1e-13 * scale);
        let blocks: Vector = (0..near.count).map(|k| near.slip.block(k) * velocities[near.particles[k] as usize]).sum();
        prop_assert!((blocks - slip).norm() < 1e-13 * scale);
    }
}

#[test]
fn friction_of_crossing_ropes_and_of_a_particle_on_a_face_is_fully_known() {
    let x = |x: f64, y: f64, z: f64| Vector::new(x, y, z);
    let ropes = [x(-1.0, 0.0, 0.1), x(1.0, 0.0, 0.1), x(0.0, -1.0, 0.0), x(0.0, 1.0, 0.0)];
    let face = [x(0.2, 0.2, 0.1), x(0.0, 0.0, 0.0), x(1.0, 0.0, 0.0), x(0.0, 1.0, 0.0)];
    for (kind, points, turning) in [(1, ropes, Turning::Edges), (0, face, Turning::Triangle)] {
        let (detector, x) = small(kind, &points);
        let near = seen(&detector, &x, 0.0)[0];
        assert_eq!(near.slip.anchor.turning, turning);
        assert!((near.distance - 0.1).abs() < 1e-15 && near.normal == Vector::z());
        assert!((near.depth() - 5.9).abs() < 1e-14);
        let rising: Vec<Vector> = x.iter().map(|p| Vector::z() * p.z).collect();
        assert!((near.depth_rate(&rising) + 0.1).abs() < 1e-15);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// The particles of a line determine its rotation about any axis across it: a point that turns
    /// with the line does not slip, at any angle. They do not determine a spin about the line
    /// itself: a point that takes part in it slips by the chord 2 |offset| sin(angle/2).
    #[test]
    fn a_line_carries_its_point_round(
        points in proptest::collection::vec(vector(), 4), aside in vector(), angle in 0.1..3.0f64, along in vector(),
    ) {
        let (detector, x) = small(3, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let anchor = near.anchor();
        prop_assume!(anchor.turning == Turning::Line);
        let axis = anchor.axis;
        let across = axis.cross(&aside);
        prop_assume!(across.norm() > 0.1 && anchor.offset.norm() > 1e-3 && size(&near) < 50.0);
        let turn = |about: Vector| {
            let turned = rotation(about.normalize(), angle);
            x.iter().map(|x| turned * x + along).collect::<Vec<Vector>>()
        };
        let slipped = anchor.displacement(&turn(across)).norm();
        prop_assert!(slipped < 1e-12 * size(&near), "{slipped}");
        let chord = 2.0 * anchor.offset.norm() * crate::math::sin(0.5 * angle);
        let slipped = anchor.displacement(&turn(axis)).norm();
        prop_assert!((slipped - chord).abs() < 1e-12 * size(&near), "{slipped} {chord}");
    }

    /// After a finite rotation of a line about an axis across it, the map still gives the rate of
    /// displacement (by differences), while the line turns on and the point moves freely.
    #[test]
    fn the_map_of_a_turned_line_is_the_rate_of_displacement(
        points in proptest::collection::vec(vector(), 4), aside in vector(), angle in 0.1..2.5f64,
        rate in 0.2..2.0f64, velocity in vector(),
    ) {
        let (detector, x) = small(3, &points);
        let near = seen(&detector, &x, 0.0)[0];
        let anchor = near.anchor();
        prop_assume!(anchor.turning == Turning::Line && (x[2] - x[1]).norm() > 0.3);
        let across = anchor.axis.cross(&aside);
        prop_assume!(across.norm() > 0.1 && anchor.offset.norm() > 1e-2 && size(&near) < 20.0);
        let across = across.normalize();
        let at = |time: f64| -> Vec<Vector> {
            let turned = rotation(across, angle + rate * time);
            let mut moved: Vec<Vector> = x.iter().map(|x| turned * x).collect();
            moved[0] += velocity * time;
            moved
        };
        let (step, now) = (1e-5, at(0.0));
        let (ahead, behind) = (at(step), at(-step));
        let v: Vec<Vector> =
            ahead.iter().zip(&behind).map(|(a, b)| (a - b) / (2.0 * step)).collect();
        let by_differences =
            (anchor.displacement(&ahead) - anchor.displacement(&behind)) / (2.0 * step);
        let slip = anchor.map(&now).velocity(&v);
        prop_assert!((slip - by_differences).norm() < 1e-7 * size(&near), "{slip} {by_differences}");
        // a point that turns with the line does not slip
        let carried: Vec<Vector> = now.iter().map(|x| across.cross(x) * rate).collect();
        let slip = anchor.map(&now).velocity(&carried);
        prop_assert!(slip.norm() < 1e-11 * size(&near), "{slip}");
    }
}
