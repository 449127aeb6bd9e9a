//! Closest points of points, segments and triangles.

use crate::math::{Vector, sqrt};

/// The part of a triangle on which a closest point lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Feature {
    /// Inside.
    Face,
    /// On the edge from corner k to corner k + 1 (mod 3).
    Edge(usize),
    /// At corner k.
    Corner(usize),
}

/// Closest point of a triangle to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OnTriangle {
    /// Barycentric weights, each in \[0, 1\], of sum 1.
    pub weights: [f64; 3],
    /// The feature the closest point lies on.
    pub feature: Feature,
    /// The closest point \[m\].
    pub point: Vector,
    /// Squared distance \[m²\].
    pub square: f64,
}

impl OnTriangle {
    fn new(p: Vector, [a, b, c]: [Vector; 3], weights: [f64; 3], feature: Feature) -> Self {
        let point = a + (b - a) * weights[1] + (c - a) * weights[2];
        OnTriangle { weights, feature, point, square: (p - point).norm_squared() }
    }

    fn corner(p: Vector, corners: [Vector; 3], k: usize) -> Self {
        let mut weights = [0.0; 3];
        weights[k] = 1.0;
        let square = (p - corners[k]).norm_squared();
        OnTriangle { weights, feature: Feature::Corner(k), point: corners[k], square }
    }

    fn edge(p: Vector, corners: [Vector; 3], k: usize, share: f64) -> Self {
        let next = (k + 1) % 3;
        let mut weights = [0.0; 3];
        weights[k] = 1.0 - share;
        weights[next] = share;
        let point = corners[k] + (corners[next] - corners[k]) * share;
        let square = (p - point).norm_squared();
        OnTriangle { weights, feature: Feature::Edge(k), point, square }
    }
}

/// Closest point of the triangle `corners` to `p`, by Voronoi regions (Ericson, Real-Time Collision
/// Detection, 2005, 5.1.5).
///
/// A triangle without area (height below 1e-10 of its longest edge) is the union of its edges.
#[inline]
pub(crate) fn on_triangle(p: Vector, corners: [Vector; 3]) -> OnTriangle {
    let [a, b, c] = corners;
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return OnTriangle::corner(p, corners, 0);
    }
    let area = ab.cross(&ac).norm_squared();
    if area <= 1e-20 * square_of_longest(ab, ac) {
        return on_edges(p, corners);
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return OnTriangle::corner(p, corners, 1);
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return OnTriangle::edge(p, corners, 0, d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return OnTriangle::corner(p, corners, 2);
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return OnTriangle::edge(p, corners, 2, 1.0 - d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (from_b, from_c) = (d4 - d3, d5 - d6);
    if va <= 0.0 && from_b >= 0.0 && from_c >= 0.0 {
        return OnTriangle::edge(p, corners, 1, from_b / (from_b + from_c));
    }
    let sum = va + vb + vc;
    let (v, w) = (vb / sum, vc / sum);
    OnTriangle::new(p, corners, [1.0 - v - w, v, w], Feature::Face)
}

/// Fourth power of the longest edge \[m⁴\].
fn square_of_longest(ab: Vector, ac: Vector) -> f64 {
    let mut longest = ab.norm_squared();
    for edge in [ac, ac - ab] {
        if edge.norm_squared() > longest {
            longest = edge.norm_squared();
        }
    }
    longest * longest
}

fn on_edges(p: Vector, corners: [Vector; 3]) -> OnTriangle {
    let mut best = OnTriangle::corner(p, corners, 0);
    for k in 0..3 {
        let share = on_segment(p, corners[k], corners[(k + 1) % 3]);
        let found = if share <= 0.0 {
            OnTriangle::corner(p, corners, k)
        } else if share >= 1.0 {
            OnTriangle::corner(p, corners, (k + 1) % 3)
        } else {
            OnTriangle::edge(p, corners, k, share)
        };
        if found.square < best.square {
            best = found;
        }
    }
    best
}

/// Share s ∈ \[0, 1\] of the point `a + s (b − a)` closest to `p`; 0 on a segment without length.
#[inline]
pub(crate) fn on_segment(p: Vector, a: Vector, b: Vector) -> f64 {
    let along = b - a;
    let (reached, whole) = (along.dot(&(p - a)), along.norm_squared());
    if reached <= 0.0 || whole <= 0.0 {
        0.0
    } else if reached >= whole {
        1.0
    } else {
        reached / whole
    }
}

/// Shares (s, t) of the closest points `a0 + s (a1 − a0)` and `b0 + t (b1 − b0)` of two lines, if both
/// lie strictly between the ends and the lines are not parallel (sine > 1e-8).
#[inline]
pub(crate) fn of_crossing_segments(a: [Vector; 2], b: [Vector; 2]) -> Option<(f64, f64)> {
    let (along_a, along_b, between) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (aa, bb, ab) = (along_a.norm_squared(), along_b.norm_squared(), along_a.dot(&along_b));
    let (c, f) = (along_a.dot(&between), along_b.dot(&between));
    // |a × b|², without the cancellation of aa bb − ab²
    let sine = along_a.cross(&along_b).norm_squared();
    let (on_a, on_b) = (ab * f - c * bb, aa * f - ab * c);
    // one branch instead of five that cannot be predicted
    let crossing =
        (sine > 1e-16 * aa * bb) & (on_a > 0.0) & (on_a < sine) & (on_b > 0.0) & (on_b < sine);
    if !crossing {
        return None;
    }
    let s = on_a / sine;
    // refined: the point of b closest to that of a
    let t = (ab * s + f) / bb;
    (t > 0.0 && t < 1.0).then_some((s, t))
}

/// Shares (s, t) ∈ \[0, 1\]² of the closest points `a0 + s (a1 − a0)` and `b0 + t (b1 − b0)` of two
/// segments.
///
/// If the closest points are not unique (parallel segments beside each other), one end is chosen.
/// The squared distance is convex in (s, t): if the lines are closest outside the square, the best
/// of the pairs at the four ends is the answer, which stays exact for parallel and vanishing
/// segments.
pub(crate) fn of_segments(a: [Vector; 2], b: [Vector; 2]) -> (f64, f64) {
    if let Some(crossing) = of_crossing_segments(a, b) {
        return crossing;
    }
    let (along_a, along_b, between) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let ends = at_ends(a, b);
    let mut best = (ends[0], f64::INFINITY);
    for (s, t) in ends {
        let square = (between + along_a * s - along_b * t).norm_squared();
        if square < best.1 {
            best = ((s, t), square);
        }
    }
    best.0
}

/// Shares (s, t) of the closest points between each of the four ends and the other segment.
pub(crate) fn at_ends(a: [Vector; 2], b: [Vector; 2]) -> [(f64, f64); 4] {
    [
        (0.0, on_segment(a[0], b[0], b[1])),
        (1.0, on_segment(a[1], b[0], b[1])),
        (on_segment(b[0], a[0], a[1]), 0.0),
        (on_segment(b[1], a[0], a[1]), 1.0),
    ]
}

/// The unit vector along `v`, or none where its length vanishes or is not finite.
#[inline]
pub fn unit(v: Vector) -> Option<Vector> {
    let length = sqrt(v.norm_squared());
    let along = v / length;
    (length > 0.0 && along.iter().all(|x| x.is_finite())).then_some(along)
}
