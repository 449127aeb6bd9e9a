//! Detection between bodies: a cloud of loose particles that falls on a cloth with self-contact.
//! Prints CPU time per call of the search, of a visit and of trying every pair, all in one process.
//! Compare ratios of one run, never times of two.

use cpu_time::ProcessTime;
use std::hint::black_box;
use stiction::contact::detect::{BodyOutline, Candidates, Detector};
use stiction::math::Vector;

fn main() {
    println!(
        "{:>9} {:>10} {:>10} {:>11} {:>11} {:>11} {:>14}",
        "particles",
        "candidates",
        "near",
        "search [µs]",
        "visit [µs]",
        "valid [µs]",
        "all pairs/visit"
    );
    for n in [10, 20, 40, 80] {
        let (detector, positions) = cloud_over_cloth(n);
        let mut candidates = Candidates::default();
        let search = seconds(|| detector.refresh(&mut candidates, black_box(&positions)));
        let mut near = 0;
        detector.for_each(&candidates, &positions, |_| near += 1);
        let visit = seconds(|| {
            detector.for_each(&candidates, black_box(&positions), |p| {
                black_box(p.distance);
            });
        });
        let valid = seconds(|| {
            black_box(detector.still_valid(&candidates, black_box(&positions)));
        });
        // the oracle takes minutes for the largest
        let all = (n <= 20).then(|| {
            seconds(|| {
                detector.brute_force(black_box(&positions), |p| {
                    black_box(p.distance);
                });
            })
        });
        let ratio = all.map_or_else(|| "-".to_owned(), |all| format!("{:.0}", all / visit));
        let listed = candidates.points.len() + candidates.surfaces.len() + candidates.edges.len();
        println!(
            "{:>9} {listed:>10} {near:>10} {:>11.1} {:>11.1} {:>11.1} {ratio:>14}",
            positions.len(),
            search * 1e6,
            visit * 1e6,
            valid * 1e6,
        );
    }
}

/// An n × n cloth, folded once, and a cloud of as many particles in and above it.
fn cloud_over_cloth(n: u32) -> (Detector, Vec<Vector>) {
    let spacing = 0.1;
    let at = |x: u32, y: u32| Vector::new(f64::from(x), f64::from(y), 0.0) * spacing;
    let flat: Vec<Vector> = (0..n * n).map(|i| at(i % n, i / n)).collect();
    let mut triangles = Vec::new();
    for i in (0..n * (n - 1)).filter(|i| i % n + 1 < n) {
        triangles.extend([[i, i + 1, i + n + 1], [i, i + n + 1, i + n]]);
    }
    let mut random = 1u64;
    let mut share = || {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 40) as f64 / 16777216.0
    };
    let side = f64::from(n) * spacing;
    let cloud: Vec<Vector> = (0..n * n)
        .map(|_| Vector::new(share() * side, share() * side, 0.02 + share() * 0.3))
        .collect();
    let count = flat.len();
    let outlines = [
        BodyOutline {
            particles: 0..count,
            triangles: &triangles,
            segments: &[],
            radii: &vec![0.03; count],
            reference: &flat,
        },
        BodyOutline {
            particles: count..2 * count,
            triangles: &[],
            segments: &[],
            radii: &vec![0.03; count],
            reference: &cloud,
        },
    ];
    let detector = Detector::new(&outlines, true, true);
    let fold = |p: &Vector| match p.x > 0.55 * side {
        true => Vector::new(1.1 * side - p.x, p.y, 0.05),
        false => *p,
    };
    (detector, flat.iter().map(fold).chain(cloud.iter().copied()).collect())
}

/// CPU-seconds of one call: the best of several batches of at least 20 ms.
fn seconds(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    let mut batch = 1;
    let mut counted = 0;
    while counted < 5 {
        let start = ProcessTime::now();
        for _ in 0..batch {
            work();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds < 0.02 {
            batch *= 2;
            continue;
        }
        counted += 1;
        best = best.min(seconds / f64::from(batch));
    }
    best
}
