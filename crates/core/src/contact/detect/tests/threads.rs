//! Detection by several threads against one, bit for bit.

use super::*;
use crate::forces::crew::{CHUNK, Crew};
use crate::forces::pieces::Pieces;
use crate::math::rotation;

/// Crews of 1, 2, 3 and 7 threads, that share `particles` unevenly.
fn crews(particles: usize) -> impl Iterator<Item = Crew> {
    [1, 2, 3, 7].into_iter().map(move |threads| {
        let cut = |n: usize| particles * n * n / (threads * threads);
        Crew::of((0..threads).map(|n| cut(n)..cut(n + 1)).collect())
    })
}

/// Points that fill a cube [−1, 1]³ evenly.
fn points(count: u32) -> Vec<Vector> {
    let at = |n: u32, k: u32| f64::from(n.wrapping_mul(k) >> 8) / f64::from(1 << 23) - 1.0;
    let point = |n| Vector::new(at(n, 3_520_000_001), at(n, 2_882_000_001), at(n, 2_360_000_001));
    (1..=count).map(point).collect()
}

#[test]
fn proximities_do_not_depend_on_the_number_of_threads() {
    let low = |z: f64| Vector::new(-1.5, -1.5, z);
    let ropes = |z: f64| {
        let rope =
            move |y: f64| Mesh::rope(Vector::new(-1.0, y, z), Vector::new(1.0, y, z), 60, 0.03);
        (0..8).map(move |n| rope(0.2 * f64::from(n) - 0.7))
    };
    let mut loose = points(1400);
    let mut meshes = vec![
        Mesh::cloud(loose.split_off(700), 0.1),
        Mesh::cloud(loose, 0.08),
        Mesh::cloth(31, 0.1, 0.03).moved(Matrix::identity(), low(0.01)),
        Mesh::cloth(31, 0.1, 0.03).moved(rotation(Vector::z(), 0.3), low(0.04)),
        Mesh::icosphere(2, 0.05).moved(Matrix::identity() * 0.4, Vector::x() * 0.3),
    ];
    meshes.extend(ropes(0.3).chain(ropes(0.33)));
    let (detector, x) = detector(&meshes, true, true);
    let range = 0.02;
    let mut alone = Candidates::default();
    detector.refresh(&mut alone, &x, range);
    let expected = seen(&detector, &x, range);
    for kind in [ContactKind::Points, ContactKind::Surface, ContactKind::Edges, ContactKind::Line] {
        let count = expected.iter().filter(|p| p.key.kind == kind).count();
        assert!(count > 256, "{kind:?}: {count}");
    }
    let mut storage = Pieces::default();
    for crew in crews(x.len()) {
        let mut candidates = Candidates::default();
        detector.refresh_by(&crew, &mut candidates, &x, range);
        assert_eq!(candidates, alone, "{:?}", crew.ranges());
        let mut found = Vec::new();
        detector.for_each_by(&crew, &candidates, &x, range, &mut storage, |p| found.push(*p));
        assert_eq!(found, expected, "{:?}", crew.ranges());
    }
}

/// Detection has threads of its own from 1,024 parts on, and not more than it has work for.
#[test]
fn many_parts_have_a_crew() {
    for (count, threads) in [(1023, 0), (1024, 2), (1536, 3)] {
        let (detector, _) = detector(&[Mesh::cloud(points(count), 0.05)], true, false);
        let found = detector.crew(1000).map_or(0, |crew| crew.ranges().len());
        assert_eq!(found, threads, "{count}");
        assert!(detector.crew(1).is_none());
    }
}

/// A particle that has moved by half the skin is seen by crews of any size.
#[test]
fn candidates_hold_for_any_number_of_threads() {
    let (detector, x) = detector(&[Mesh::cloud(points(2 * CHUNK as u32 + 5), 0.05)], true, false);
    let mut candidates = Candidates::default();
    detector.refresh(&mut candidates, &x, 0.0);
    assert!(Detector::shares(&candidates));
    for crew in crews(x.len()) {
        let holds = |x: &[Vector], range| detector.still_valid_by(&crew, &candidates, x, range);
        assert!(holds(&x, 0.0));
        assert!(!holds(&x, 1e-9) && !holds(&x[1..], 0.0));
        let ends = crew.ranges().iter().filter(|own| !own.is_empty());
        for i in ends.flat_map(|own| [own.start, own.end - 1]) {
            for (share, held) in [(0.49, true), (0.51, false), (f64::NAN, false)] {
                let mut moved = x.clone();
                moved[i].y += share * detector.skin();
                assert_eq!(holds(&moved, 0.0), held, "particle {i} by {share}");
            }
        }
    }
}
