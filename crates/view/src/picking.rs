//! Finds the particle under the mouse.

use super::camera::{CameraView, Projected};
use super::canvas::CanvasPoint;
use super::snapshot::Snapshot;
use stiction_core::math::{Vector, larger, sqrt};

/// Largest distance of a click from a chosen particle \[pixels of the design\].
const REACH: f64 = 14.0;

/// Particles at most this much farther from the click than the nearest one are alternatives: of
/// these the nearest to the eye is chosen \[pixels of the design\].
const SAME: f64 = 6.0;

/// The particle at a point of the canvas: the nearest projected one, or else a corner of the
/// surface there. `scale`: pixels of the canvas per pixel of the design.
pub fn pick(snapshot: &Snapshot, view: &CameraView, at: CanvasPoint, scale: f64) -> Option<usize> {
    let positions = &snapshot.state.positions;
    let radii = &snapshot.model.surfaces.radii;
    let away = |seen: &Projected| {
        let (dx, dy) = (seen.at.0 - at.0, seen.at.1 - at.1);
        sqrt(dx * dx + dy * dy)
    };
    let mut near: Vec<(usize, f64, f64)> = Vec::new();
    for (i, position) in positions.iter().enumerate() {
        let Some(seen) = view.see(*position) else { continue };
        let ball = radii.get(i).copied().unwrap_or(0.0) * seen.scale;
        let distance = away(&seen);
        if distance <= larger(REACH * scale, ball) {
            near.push((i, distance, seen.depth));
        }
    }
    let nearest = near.iter().map(|(_, distance, _)| *distance).fold(f64::INFINITY, f64::min);
    let same = near.iter().filter(|(_, distance, _)| *distance <= nearest + SAME * scale);
    let particle = same.min_by(|a, b| a.2.total_cmp(&b.2)).map(|(i, ..)| *i);
    particle.or_else(|| corner(snapshot, view, at))
}

/// The corner nearest to a point, of the frontmost triangle there.
fn corner(snapshot: &Snapshot, view: &CameraView, at: CanvasPoint) -> Option<usize> {
    let positions = &snapshot.state.positions;
    let mut best: Option<(f64, usize)> = None;
    for triangle in snapshot.model.bodies.iter().flat_map(|body| &body.triangles) {
        let corners = triangle.map(|i| view.see(positions[i as usize]));
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        if !inside(at, [a.at, b.at, c.at]) {
            continue;
        }
        let depth = (a.depth + b.depth + c.depth) / 3.0;
        if best.is_none_or(|(before, _)| depth < before) {
            let squared = |s: &Projected| {
                let (dx, dy) = (s.at.0 - at.0, s.at.1 - at.1);
                dx * dx + dy * dy
            };
            let seen = [a, b, c];
            let k = (0..3).min_by(|k, l| squared(&seen[*k]).total_cmp(&squared(&seen[*l])))?;
            best = Some((depth, triangle[k] as usize));
        }
    }
    best.map(|(_, particle)| particle)
}

/// Whether a point is on the same side of all three edges.
fn inside(p: CanvasPoint, [a, b, c]: [CanvasPoint; 3]) -> bool {
    let side =
        |a: CanvasPoint, b: CanvasPoint| (b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0);
    let (x, y, z) = (side(a, b), side(b, c), side(c, a));
    (x >= 0.0 && y >= 0.0 && z >= 0.0) || (x <= 0.0 && y <= 0.0 && z <= 0.0)
}

/// Displacement of a point at `from` \[m\] by a drag between two points of the canvas, parallel to
/// the picture \[m\].
pub fn moved(view: &CameraView, from: Vector, start: CanvasPoint, end: CanvasPoint) -> Vector {
    let depth = view.depth(from);
    view.point_at(end, depth) - view.point_at(start, depth)
}
