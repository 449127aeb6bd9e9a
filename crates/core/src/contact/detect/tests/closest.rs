//! Closest points against dense sampling and the first-order conditions.

use super::super::closest::*;
use super::*;

/// Least squared distance over a fine grid of the triangle's points.
fn sampled(p: Vector, [a, b, c]: [Vector; 3]) -> f64 {
    const N: u32 = 60;
    let mut best = f64::INFINITY;
    for i in 0..=N {
        for j in 0..=N - i {
            let (v, w) = (f64::from(i) / f64::from(N), f64::from(j) / f64::from(N));
            best = best.min((p - a - (b - a) * v - (c - a) * w).norm_squared());
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_point_of_the_triangle_is_nearer(p in vector(), a in vector(), b in vector(), c in vector(), flat in 0..4) {
        // one in four has no area, one in four is a sliver
        let c = match flat { 0 => a + (b - a) * 0.3, 1 => a + (b - a) * 0.3 + c * 1e-7, _ => c };
        let found = on_triangle(p, [a, b, c]);
        let q = a * found.weights[0] + b * found.weights[1] + c * found.weights[2];
        prop_assert!((q - found.point).norm() < 1e-12);
        prop_assert!(found.weights.iter().all(|w| (-1e-12..=1.0).contains(w)));
        // first-order condition: no point of the triangle lies ahead of the closest point
        for corner in [a, b, c] {
            prop_assert!((p - q).dot(&(corner - q)) < 1e-7, "{:?}", found);
        }
        let near = sampled(p, [a, b, c]);
        prop_assert!(found.square <= near + 1e-9 && near.sqrt() - found.square.sqrt() < 0.07);
        let zeros = found.weights.iter().filter(|w| **w == 0.0).count();
        match found.feature {
            Feature::Face => {}
            Feature::Edge(k) => prop_assert!(found.weights[(k + 2) % 3] == 0.0),
            Feature::Corner(k) => prop_assert!(found.weights[k] == 1.0 && zeros == 2),
        }
    }

    #[test]
    fn no_points_of_the_segments_are_nearer(a in [vector(), vector()], b in [vector(), vector()], how in 0..6) {
        let [mut a, mut b] = [a, b];
        match how {
            0 => b[1] = b[0] + (a[1] - a[0]) * 0.7,
            1 => b[1] = b[0] + (a[1] - a[0]) * 0.7 + b[1] * 1e-9,
            2 => a[1] = a[0],
            3 => { a[1] = a[0]; b[1] = b[0]; }
            _ => {}
        }
        let (s, t) = of_segments(a, b);
        prop_assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
        let (p, q) = (a[0] + (a[1] - a[0]) * s, b[0] + (b[1] - b[0]) * t);
        let u = p - q;
        // the squared distance is convex: no end of a segment lies in a direction of descent
        for end in a {
            prop_assert!(u.dot(&(end - p)) > -1e-7, "a: {}", u.dot(&(end - p)));
        }
        for end in b {
            prop_assert!(u.dot(&(end - q)) < 1e-7, "b: {}", u.dot(&(end - q)));
        }
    }
}

#[test]
fn a_triangle_shrunk_to_a_point_is_that_point() {
    let a = Vector::new(1.0, 2.0, 3.0);
    let found = on_triangle(Vector::zeros(), [a; 3]);
    assert_eq!((found.point, found.square), (a, 14.0));
}

/// Corners on the x axis: the nearest point is an end or lies on an edge, and is reported so.
#[test]
fn a_triangle_without_area_is_met_at_its_ends_and_on_its_edges() {
    let at = |x: f64, corners: [f64; 3]| {
        on_triangle(Vector::new(x, 1.0, 0.0), corners.map(|x| Vector::new(x, 0.0, 0.0)))
    };
    // beyond either end the nearest point is that end, for any order of the corners
    for corners in [[0.0, 3.0, 1.0], [0.0, 1.0, 3.0], [1.0, 0.0, 3.0], [3.0, 1.0, 0.0]] {
        for (x, end) in [(-1.0, 0.0), (4.0, 3.0)] {
            let k = corners.iter().position(|corner| *corner == end).expect("a corner");
            let found = at(x, corners);
            assert_eq!(found.feature, Feature::Corner(k), "{x} beyond {corners:?}");
            assert_eq!((found.point.x, found.square, found.weights[k]), (end, 2.0, 1.0));
        }
    }
    // two thirds of the distance from the first corner to the second
    let found = at(2.0, [0.0, 3.0, 1.0]);
    assert_eq!((found.feature, found.square), (Feature::Edge(0), 1.0), "{found:?}");
    let off = (0..3).map(|k| (found.weights[k] - [1.0 / 3.0, 2.0 / 3.0, 0.0][k]).abs());
    assert!(off.fold(0.0, larger) < 1e-15, "{found:?}");
}
