//! The grid against testing every pair, bit for bit, and the life of candidates.

use super::*;
use crate::math::rotation;

/// Compares the search with the oracle, where the candidates were made, after moves within the skin, and after
/// smaller ones and a translation of all by many skins.
/// Returns the number of proximities of each kind.
fn compare(detector: &Detector, x: &[Vector], moves: &[Vector], range: f64) -> [usize; 4] {
    let mut candidates = Candidates::default();
    detector.refresh(&mut candidates, x, range);
    let mut counts = [0; 4];
    for (share, translation) in [(0.0, 0.0), (0.999, 0.0), (-0.999, 0.0), (0.49, 70.0)] {
        let all = Vector::new(-0.3, 0.9, 0.2) * (translation * detector.skin());
        let at = |(i, x): (usize, &Vector)| {
            let way = moves[i % moves.len()].try_normalize(1e-9).unwrap_or_else(Vector::x);
            x + way * (0.5 * detector.skin() * share) + all
        };
        let moved: Vec<Vector> = x.iter().enumerate().map(at).collect();
        assert!(detector.still_valid(&candidates, &moved, range));
        let expected = seen(detector, &moved, range);
        let mut found = Vec::new();
        detector.for_each(&candidates, &moved, range, |p| found.push(*p));
        // NaN would compare unequal to itself and be noticed too
        assert_eq!(found, expected);
        assert!(found.is_sorted_by(|a, b| a.key < b.key));
        for near in &found {
            counts[near.key.kind as usize - 1] += 1;
            assert!(near.distance < near.contact_distance + range);
            assert!((near.normal.norm() - 1.0).abs() < 1e-12);
        }
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn clouds(points in proptest::collection::vec(vector(), 120), moves in proptest::collection::vec(vector(), 7), far in -1e6..1e6f64) {
        let (front, back) = points.split_at(60);
        let mut front = front.to_vec();
        // one particle has escaped
        front[3] *= far;
        let meshes = [Mesh::cloud(front, 0.12), Mesh::cloud(back.to_vec(), 0.05)];
        for (within, between) in [(true, true), (false, true), (true, false)] {
            let (detector, mut x) = detector(&meshes, within, between);
            // neighbours at t = 0 would never touch
            x[..60].rotate_left(17);
            let counts = compare(&detector, &x, &moves, 0.0);
            // a cloud in which nothing is near says nothing
            prop_assume!(counts[0] > 0);
            let (body, twice) = (&detector.body_of, |p: &Proximity| [p.particles[0] as usize, p.particles[1] as usize]);
            for near in seen(&detector, &x, 0.0) {
                let same = body[twice(&near)[0]] == body[twice(&near)[1]];
                let looked_at = if same { within } else { between };
                prop_assert!(looked_at);
            }
        }
    }

    #[test]
    fn overlapping_spheres(turn in vector(), way in vector(), moves in proptest::collection::vec(vector(), 7), radius in 0.0..0.1f64) {
        prop_assume!(turn.norm() > 0.01 && way.norm() > 0.01);
        let turned = rotation(turn.normalize(), turn.norm());
        let other = Mesh::icosphere(2, 0.5 * radius).moved(turned, way.normalize() * 1.85);
        // the coarse one has sharp edges
        let third = Mesh::icosphere(0, radius).moved(turned, way.normalize() * -1.8);
        let (detector, x) = detector(&[Mesh::icosphere(2, radius), other, third], false, true);
        let counts = compare(&detector, &x, &moves, 0.02);
        prop_assert!(counts[1] > 0);
    }

    #[test]
    fn a_folded_cloth(moves in proptest::collection::vec(vector(), 7), slope in 0.02..0.1f64, radius in 0.03..0.08f64) {
        let cloth = Mesh::cloth(11, 0.1, radius);
        let (detector, mut x) = detector(&[cloth], true, false);
        prop_assert_eq!(compare(&detector, &x, &[Vector::zeros()], 0.0)[1], 0);
        for p in &mut x {
            if p.x > 0.55 {
                *p = Vector::new(1.1 - p.x, p.y, 0.05 + slope * (p.x - 0.55));
            }
        }
        let counts = compare(&detector, &x, &moves, 0.0);
        prop_assert!(counts[1] > 0 && counts[2] > 0, "{:?}", counts);
        for near in seen(&detector, &x, 0.0) {
            let [a, b, c, d] = near.particles;
            let sides = if near.key.kind == ContactKind::Edges { [[a, c], [b, d]] } else { [[a, b], [a, c]] };
            prop_assert!(sides.iter().all(|s| s[0] != s[1]));
        }
    }

    #[test]
    fn everything_together(moves in proptest::collection::vec(vector(), 7), points in proptest::collection::vec(vector(), 40), loose in proptest::collection::vec(vector(), 20), a in [vector(), vector()], b in [vector(), vector()]) {
        let meshes = [
            Mesh::rope(a[0], a[1], 9, 0.1),
            Mesh::cloud(points, 0.1),
            Mesh::cloth(6, 0.3, 0.05),
            Mesh::cube(0.02).moved(Matrix::identity() * 0.3, b[0]),
            Mesh::rope(b[0], b[1], 5, 0.05),
            Mesh::rope(b[1], a[0], 4, 0.08).beside(&loose),
        ];
        let (detector, x) = detector(&meshes, true, true);
        compare(&detector, &x, &moves, 0.05);
    }
}

/// A particle on no segment of its body meets the body's segments, but those it starts beside.
#[test]
fn a_loose_particle_of_a_body_meets_the_segments_of_the_same_body() {
    let at = |z: f64| vec![Vector::new(0.1, 0.0, z)];
    let rope = || Mesh::rope(-Vector::x(), Vector::x(), 1, 0.05);
    for (start, meeting) in [(1.0, 1), (0.12, 0)] {
        let (detector, mut x) = detector(&[rope().beside(&at(start))], true, false);
        x[2].z = 0.08;
        compare(&detector, &x, &[Vector::zeros()], 0.0);
        let near = seen(&detector, &x, 0.0);
        assert_eq!(near.len(), meeting, "from {start} m");
        assert!(near.iter().all(|near| near.key.kind == ContactKind::Line));
    }
}

#[test]
fn crossing_ropes_touch_with_every_segment_that_meets_there() {
    let x = |x: f64, y: f64, z: f64| Vector::new(x, y, z);
    // across a segment's middle, across a vertex, and vertex on vertex
    for (pieces, other, meeting) in [(9, 9, 1), (10, 9, 2), (10, 10, 4)] {
        let one = Mesh::rope(x(-1.0, 0.0, 0.0), x(1.0, 0.0, 0.0), pieces, 0.05);
        let two = Mesh::rope(x(0.0, -1.0, 0.08), x(0.0, 1.0, 0.08), other, 0.05);
        let (detector, x) = detector(&[one, two], true, true);
        compare(&detector, &x, &[Vector::zeros()], 0.0);
        let near = seen(&detector, &x, 0.0);
        assert_eq!(near.len(), meeting);
        assert!(near.iter().all(|near| (near.distance - 0.08).abs() < 1e-15));
    }
}

#[test]
fn ropes_side_by_side_touch_all_along_however_they_tilt() {
    let x = |x: f64, y: f64, z: f64| Vector::new(x, y, z);
    for tilt in [0.0, 1e-17, -1e-17, 1e-9, -1e-9, 1e-3, -1e-3] {
        for (from, to) in [(0.0, 1.0), (1.0, 0.0), (0.05, 1.05), (1.05, 0.05)] {
            let one = Mesh::rope(x(0.0, 0.0, 0.0), x(1.0, 0.0, 0.0), 10, 0.02);
            let two = Mesh::rope(x(from, 0.0, 0.03), x(to, tilt, 0.03 + tilt), 10, 0.02);
            let (detector, x) = detector(&[one, two], false, true);
            compare(&detector, &x, &[Vector::zeros()], 0.0);
            let near = seen(&detector, &x, 0.0);
            assert!((9..=30).contains(&near.len()), "{tilt} {from}: {}", near.len());
            // evenly, not all at one end
            let place = |p: &Proximity, k: usize| x[p.particles[k] as usize].x * p.weights[k];
            let at: Vec<f64> = near.iter().map(|p| place(p, 0) + place(p, 1)).collect();
            let mean = at.iter().sum::<f64>() / at.len() as f64;
            assert!((mean - 0.5).abs() < 0.1, "{tilt} {from}: {mean}");
        }
    }
}

#[test]
fn two_squares_in_a_plane_touch_by_their_boundaries() {
    let mut square = Mesh::cloth(5, 0.1, 0.01);
    square.segments = boundary(&std::mem::take(&mut square.triangles));
    assert_eq!(square.segments.len(), 16);
    // a corner of the turned square above the middle of the other's upper edge
    let turned = rotation(Vector::z(), 0.25 * crate::math::PI);
    let other = square.clone().moved(turned, Vector::new(0.22, 0.415, 0.0));
    let (detector, x) = detector(&[square, other], false, true);
    let near = seen(&detector, &x, 0.0);
    // both segments at the corner have a contact
    assert_eq!(near.len(), 2);
    for near in near {
        assert!((near.distance - 0.015).abs() < 1e-15 && near.normal.y.abs() > 1.0 - 1e-12);
    }
}

#[test]
fn candidates_hold_until_a_particle_has_moved_by_half_the_skin() {
    let (mut detector, x) = detector(&[Mesh::cloth(4, 0.1, 0.01)], true, false);
    detector.skin = 0.5;
    let mut candidates = Candidates::default();
    assert!(!detector.still_valid(&candidates, &x, 0.0));
    detector.refresh(&mut candidates, &x, 0.0);
    let mut moved = x.clone();
    // one of sixteen: against the mean of all it moves by 15/16 of its displacement
    moved[5].y += 0.2666;
    assert!(detector.still_valid(&candidates, &moved, 0.0));
    moved[5].y += 0.0002;
    assert!(!detector.still_valid(&candidates, &moved, 0.0));
    let fallen: Vec<Vector> = x.iter().map(|x| x - Vector::z() * 9.0).collect();
    assert!(detector.still_valid(&candidates, &fallen, 0.0));
    moved[5].y = f64::NAN;
    assert!(!detector.still_valid(&candidates, &moved, 0.0));
}

#[test]
fn positions_that_are_no_numbers_do_no_harm() {
    let meshes = [Mesh::cloud(vec![Vector::zeros(); 50], 0.1), Mesh::cloth(6, 0.1, 0.05)];
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e308, -1e308] {
        let (detector, mut x) = detector(&meshes, true, true);
        x[7] = Vector::new(bad, 0.0, bad);
        x[60] = Vector::new(0.0, bad, 0.0);
        let mut candidates = Candidates::default();
        detector.refresh(&mut candidates, &x, 0.0);
        detector.for_each(&candidates, &x, 0.0, |_| {});
    }
}
