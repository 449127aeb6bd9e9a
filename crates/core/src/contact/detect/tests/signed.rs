//! Signed distance to closed surfaces, and the gradient of every distance.

use super::*;

/// Signed distance to the cube [−1, 1]³.
fn cube_distance(p: Vector) -> f64 {
    let beyond = p.abs() - Vector::repeat(1.0);
    let outside = beyond.map(|d| d.max(0.0)).norm();
    outside + beyond.max().min(0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn distance_to_a_cube_is_signed_and_its_gradient_exact(p in vector(), scale in 1.0..1.6f64, on in 0..4) {
        let mut p = p * scale;
        // half of the points lie straight above edges and corners
        if on < 2 { p.x = 1.0 + p.x.abs(); p.y = p.y.signum() * (1.0 + p.y.abs()); }
        if on < 1 { p.z = 1.0 + p.z.abs(); }
        let (detector, mut x) = detector(&[Mesh::cloud(vec![p], 0.5), Mesh::cube(0.5)], false, true);
        let expected = cube_distance(p);
        let found = seen(&detector, &x, 0.0);
        prop_assert_eq!(found.len(), usize::from(expected < 1.0));
        for near in found {
            prop_assert!((near.distance - expected).abs() < 1e-12, "{} {}", near.distance, expected);
            let step = 1e-6;
            for k in 0..3 {
                let here = x[0][k];
                x[0][k] = here + step;
                let ahead = cube_distance(x[0]);
                x[0][k] = here - step;
                let behind = cube_distance(x[0]);
                x[0][k] = here;
                let slope = (ahead - behind) / (2.0 * step);
                // inside, the distance has creases without a gradient
                let inside = expected < 0.0;
                prop_assert!(inside || (slope - near.normal[k]).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn distance_to_a_sphere_of_triangles_has_the_right_sign(p in vector(), radius in 0.85..1.1f64) {
        prop_assume!(p.norm() > 0.1);
        let p = p.normalize() * radius;
        let sphere = Mesh::icosphere(2, 0.0);
        let (detector, x) = detector(&[Mesh::cloud(vec![p], 0.3), sphere], false, true);
        let found = seen(&detector, &x, 0.0);
        prop_assert_eq!(found.len(), 1);
        // the flat faces lie up to 1.5 % inside the sphere
        prop_assert!((found[0].distance - (radius - 1.0)).abs() < 0.02, "{}", found[0].distance);
        prop_assert!(found[0].normal.dot(&p) / radius > 0.95);
    }

    #[test]
    fn weights_times_normal_are_the_gradient_of_distance(
        // particle, triangle | two ropes | two loose particles | particle and rope
        points in proptest::collection::vec(vector(), 4), kind in 0..5,
    ) {
        let (detector, x) = small(kind, &points);
        for near in seen(&detector, &x, 0.0) {
            let mut gradient = vec![Vector::zeros(); x.len()];
            near.add_normal_force(1.0, &mut gradient);
            let step = 1e-6;
            prop_assume!(near.distance > 0.05);
            for i in 0..x.len() {
                for k in 0..3 {
                    let mut moved = x.clone();
                    let mut slope = 0.0;
                    for sign in [1.0, -1.0] {
                        moved[i][k] = x[i][k] + sign * step;
                        let there = seen(&detector, &moved, 0.0);
                        let same = there.iter().find(|other| other.key == near.key);
                        slope += sign * same.map_or(f64::NAN, |n| n.distance) / (2.0 * step);
                    }
                    prop_assert!((slope - gradient[i][k]).abs() < 1e-4, "{:?}: {} {}", near.key, slope, gradient[i][k]);
                }
            }
        }
    }
}

/// Four particles as one of the kinds of proximity, all near each other.
pub(super) fn small(kind: i32, points: &[Vector]) -> (Detector, Vec<Vector>) {
    let body = |positions: &[Vector]| Mesh {
        positions: positions.to_vec(),
        radius: 3.0,
        ..Mesh::default()
    };
    let (first, rest) = points.split_at(1);
    let (front, back) = points.split_at(2);
    let meshes = match kind {
        0 | 4 => vec![body(first), Mesh { triangles: vec![[0, 1, 2]], ..body(rest) }],
        1 => [front, back].map(|p| Mesh { segments: vec![[0, 1]], ..body(p) }).to_vec(),
        2 => [&points[..1], &points[1..2]].map(body).to_vec(),
        _ => vec![body(first), Mesh { segments: vec![[0, 1]], ..body(back) }],
    };
    detector(&meshes, false, true)
}

#[test]
fn the_hull_of_a_cube_is_closed_and_its_true_edges_alone_are_sharp() {
    let (detector, _) = detector(&[Mesh::cube(0.1), Mesh::cloth(3, 1.0, 0.1)], false, true);
    assert!(detector.bodies[0].closed && !detector.bodies[1].closed);
    let sharp = |b| detector.edges.iter().filter(|e| e.body == b).count();
    assert_eq!((sharp(0), sharp(1)), (12, 16));
}

#[test]
fn a_point_deeper_than_the_reach_is_not_seen() {
    let p = Vector::new(0.1, 0.2, 0.3) * 0.1;
    let mut cube = Mesh::cube(0.0);
    for q in &mut cube.positions {
        *q *= 10.0;
    }
    let (mut detector, x) = detector(&[Mesh::cloud(vec![p], 0.0), cube], false, true);
    assert_eq!(seen(&detector, &x, 0.0).len(), 1);
    detector.bodies[1].reach = 9.0;
    assert_eq!(seen(&detector, &x, 0.0).len(), 0);
}

/// The cube moved so that its edge from corner 5 to corner 7, with the middle (1, 0, 1), has its
/// middle at `origin`, runs along `along` and has its outer side towards `outward`.
fn cube_with_edge(along: Vector, outward: Vector, origin: Vector) -> Mesh {
    let frame = |along: Vector, outward: Vector| {
        Matrix::from_columns(&[along, outward, along.cross(&outward)])
    };
    let own = frame(Vector::y(), Vector::new(1.0, 0.0, 1.0).normalize());
    let turn = frame(along, outward) * own.transpose();
    Mesh::cube(0.1).moved(turn, origin - turn * Vector::new(1.0, 0.0, 1.0))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// An edge of each of two cubes, .05 m apart and across each other. They touch iff each lies on
    /// the outer side of the other; the placement of the cubes decides that.
    #[test]
    fn edges_of_solids_touch_from_outside_alone(
        across in 0.6..2.5f64, at_first in -175.0..175.0f64, at_second in -175.0..175.0f64, swapped: bool,
    ) {
        prop_assume!((at_first.abs() - 90.0).abs() > 1.0 && (at_second.abs() - 90.0).abs() > 1.0);
        let (y, q) = (Vector::y(), Vector::new(1.0, 0.0, 1.0));
        let away = crate::math::rotation(y, crate::math::radians(at_first)) * q.normalize();
        let along = y * crate::math::cos(across) + y.cross(&away) * crate::math::sin(across);
        let outward = crate::math::rotation(along, crate::math::radians(at_second)) * -away;
        let mut cubes = [Mesh::cube(0.1), cube_with_edge(along, outward, q + away * 0.05)];
        if swapped { cubes.reverse(); }
        let (detector, x) = detector(&cubes, false, true);
        let meets = |near: &&Proximity| {
            near.key.kind == ContactKind::Edges && near.particles == [5, 7, 13, 15]
        };
        let all = seen(&detector, &x, 0.0);
        let found: Vec<&Proximity> = all.iter().filter(meets).collect();
        let outside = at_first.abs() < 90.0 && at_second.abs() < 90.0;
        prop_assert_eq!(found.len(), usize::from(outside), "{} {}", at_first, at_second);
        for near in found {
            let side = if swapped { 1.0 } else { -1.0 };
            prop_assert!((near.distance - 0.05).abs() < 1e-12);
            prop_assert!((near.normal - away * side).norm() < 1e-10);
        }
    }

    /// 2²⁴ m from the origin distances agree to 4e-9 m, the rounding of coordinates there. Slip depends
    /// on differences of positions alone and agrees to rounding: all positions are multiples of 2⁻²⁰ m,
    /// so their differences are exact.
    #[test]
    fn distances_do_not_depend_on_where_the_world_begins(
        points in proptest::collection::vec(vector(), 4), kind in 0..5, velocities in proptest::collection::vec(vector(), 4),
    ) {
        let grid = 1048576.0;
        let round = |p: &Vector| p.map(|x| (x * grid).round() / grid);
        let points: Vec<Vector> = points.iter().map(round).collect();
        let far = Vector::new(16777216.0, -16777216.0, 16777216.0);
        let (detector, x) = small(kind, &points);
        let away: Vec<Vector> = x.iter().map(|x| x + far).collect();
        let (here, there) = (seen(&detector, &x, 0.0), seen(&detector, &away, 0.0));
        prop_assert_eq!(here.len(), there.len());
        for (a, b) in here.iter().zip(&there) {
            prop_assert_eq!(a.key, b.key);
            prop_assert!((a.distance - b.distance).abs() < 1e-8, "{} {}", a.distance, b.distance);
            prop_assert!(a.distance < 0.1 || (a.normal - b.normal).norm() < 1e-7);
            let moved = |x: &[Vector]| -> Vec<Vector> {
                x.iter().zip(&velocities).map(|(x, v)| x + round(v)).collect()
            };
            let (slipped, as_far) = (a.anchor().displacement(&moved(&x)), b.anchor().displacement(&moved(&away)));
            let size: f64 = (0..4).map(|k| a.slip.block(k).norm()).sum();
            prop_assert!((slipped - as_far).norm() < 1e-11 * size, "{} {}", slipped, as_far);
        }
    }
}
