//! Bodies that fly off, which a camera that follows all bodies leaves behind.

use super::super::camera::bounds_of;
use super::super::snapshot::Snapshot;
use stiction_core::contact::collider::Bounds;
use stiction_core::math::Vector;

/// Distance from the others beyond which a body is not followed, in extents of the scene's start.
const FAR: f64 = 10.0;

/// The bodies that are farther from the others than [`FAR`] times `extent`, the diagonal of the scene's
/// start \[m\], ascending; none if no body stays behind.
///
/// The place of the others is the median of the middles of all bodies, of two bodies that of the one
/// that has moved less.
pub(super) fn strays(snapshot: &Snapshot, extent: f64) -> Vec<usize> {
    let (model, positions) = (&snapshot.model, &snapshot.state.positions);
    let finite = positions.iter().all(|p| p.iter().all(|x| x.is_finite()));
    let within = |all: Bounds| (all.max - all.min).norm() <= FAR * extent;
    if model.bodies.len() < 2 || (finite && bounds_of(positions).is_some_and(within)) {
        return Vec::new();
    }
    let middles: Vec<Option<Vector>> = model
        .bodies
        .iter()
        .map(|body| positions.get(body.particles.clone()).and_then(middle))
        .collect();
    let known: Vec<(usize, Vector)> =
        middles.iter().enumerate().filter_map(|(b, at)| at.map(|at| (b, at))).collect();
    let others = match &known[..] {
        [] => return Vec::new(),
        [one] => one.1,
        [first, second] => {
            let moved = |(b, at): &(usize, Vector)| {
                let start = model.reference.get(model.bodies[*b].particles.clone());
                start.and_then(middle).map_or(0.0, |start| (at - start).norm())
            };
            if moved(second) < moved(first) { second.1 } else { first.1 }
        }
        more => median(more.iter().map(|(_, at)| *at)),
    };
    let near = |at: &Option<Vector>| at.is_some_and(|at| (at - others).norm() <= FAR * extent);
    let strays: Vec<usize> = (0..middles.len()).filter(|b| !near(&middles[*b])).collect();
    if strays.len() == middles.len() { Vec::new() } else { strays }
}

/// The run by which the camera of several goes: the first whose bodies are not that far from those of
/// the others.
pub(super) fn leading(middles: &[Vector], extent: f64, home: Vector) -> usize {
    let near = |place: Vector| move |at: &Vector| (at - place).norm() <= FAR * extent;
    let place = match middles {
        [] | [_] => return 0,
        [first, second] if near(*first)(second) => return 0,
        [_, _] => home,
        more => median(more.iter().copied()),
    };
    let distance = |at: &Vector| {
        let far = (at - place).norm();
        if far.is_finite() { far } else { f64::INFINITY }
    };
    let nearest = (1..middles.len())
        .fold(0, |best, k| if distance(&middles[k]) < distance(&middles[best]) { k } else { best });
    middles.iter().position(near(place)).unwrap_or(nearest)
}

/// The middle of the bounds of points.
fn middle(points: &[Vector]) -> Option<Vector> {
    bounds_of(points).map(|Bounds { min, max }| (min + max) * 0.5)
}

/// The lower median of each coordinate.
fn median(points: impl Iterator<Item = Vector>) -> Vector {
    let points: Vec<Vector> = points.collect();
    let of = |axis: usize| {
        let mut values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        values.sort_by(f64::total_cmp);
        values[(values.len() - 1) / 2]
    };
    Vector::new(of(0), of(1), of(2))
}
