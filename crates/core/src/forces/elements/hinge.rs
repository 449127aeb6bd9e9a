//! The angle between two triangles that share an edge, its gradient and its second derivatives.
//!
//! x_0 faces the edge from x_1 to x_2 in the first triangle, x_3 in the second one, and the angle θ is zero where
//! they are flat. s = 2 sin ½θ = |n_A − n_B|, with the unit normals n, is θ at small angles, and bounded where a sheet
//! is folded flat onto itself; folded further, it changes its sign. Source: \[tamstorf2013\].

use crate::math::square::Real;
use crate::math::{Matrix, Vector, larger, sqrt};

/// Least square of a length or of an area by which is divided.
const LEAST: f64 = 1e-200;

type Triple<T> = [T; 3];

#[inline(always)]
fn minus<T: Real>(a: Triple<T>, b: Triple<T>) -> Triple<T> {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn times<T: Real>(a: Triple<T>, by: T) -> Triple<T> {
    [a[0] * by, a[1] * by, a[2] * by]
}

#[inline(always)]
pub(super) fn dot<T: Real>(a: Triple<T>, b: Triple<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<T: Real>(a: Triple<T>, b: Triple<T>) -> Triple<T> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// s and ∂s/∂x of the four corners.
#[inline(always)]
pub(super) fn hinge<T: Real>([x0, x1, x2, x3]: [Triple<T>; 4]) -> (T, [Triple<T>; 4]) {
    let edge = minus(x2, x1);
    let square = dot(edge, edge).at_least(LEAST);
    let length = square.root();
    let (p, q) = (minus(x0, x1), minus(x3, x1));
    // both upwards where x_0 lies on the left of the edge and x_3 on the right, as seen from above
    let (a, b) = (cross(edge, p), cross(q, edge));
    let (aa, bb) = (dot(a, a).at_least(LEAST), dot(b, b).at_least(LEAST));
    let (na, nb) = (times(a, aa.root().inverse()), times(b, bb.root().inverse()));
    let (apart, mean) = (minus(na, nb), [na[0] + nb[0], na[1] + nb[1], na[2] + nb[2]]);
    let sign = dot(cross(na, nb), edge).positive() * 2.0 - 1.0;
    let s = dot(apart, apart).root() * sign;
    // ds = cos ½θ dθ
    let cosine = dot(mean, mean).root() * 0.5;
    let g0 = times(a, -(length * aa.inverse() * cosine));
    let g3 = times(b, -(length * bb.inverse() * cosine));
    let (alpha, beta) = (dot(p, edge) * square.inverse(), dot(q, edge) * square.inverse());
    let mut g = [g0, g0, g0, g3];
    let mut axis = 0;
    while axis < 3 {
        g[1][axis] = (alpha - 1.0) * g0[axis] + (beta - 1.0) * g3[axis];
        g[2][axis] = -(alpha * g0[axis] + beta * g3[axis]);
        axis += 1;
    }
    (s, g)
}

/// ∂²s/∂x_a∂x_b of the four corners.
pub(super) fn second([x0, x1, x2, x3]: [Vector; 4]) -> [[Matrix; 4]; 4] {
    let (s, g) = hinge([x0, x1, x2, x3].map(Into::into));
    let cosine = sqrt(larger(1.0 - 0.25 * s * s, 1e-30));
    let g = g.map(|g| Vector::from(g) / cosine);
    let edge = x2 - x1;
    let square = larger(edge.norm_squared(), LEAST);
    let length = sqrt(square);
    let (p, q) = (x0 - x1, x3 - x1);
    let (a, b) = (edge.cross(&p), q.cross(&edge));
    let [aa, bb] = [a, b].map(|n| larger(n.norm_squared(), LEAST));
    let [alpha, beta] = [p, q].map(|p| p.dot(&edge) / square);
    let identity = Matrix::identity();
    let mut all = [[Matrix::zeros(); 4]; 4];
    for by in 0..4 {
        // how edge, p and q move with the corner
        let is = |corner: usize| if by == corner { 1.0 } else { 0.0 };
        let (of_edge, of_p, of_q) = (is(2) - is(1), is(0) - is(1), is(3) - is(1));
        let da = edge.cross_matrix() * of_p - p.cross_matrix() * of_edge;
        let db = q.cross_matrix() * of_edge - edge.cross_matrix() * of_q;
        let of_length = edge.transpose() * (of_edge / length);
        let outward = |n: &Vector, nn: f64, dn: Matrix| {
            let turned = (identity - n * n.transpose() * (2.0 / nn)) * dn;
            -(n * of_length + turned * length) / nn
        };
        let (d0, d3) = (outward(&a, aa, da), outward(&b, bb, db));
        let foot = |p: &Vector, of_p: f64, alpha: f64| {
            (edge.transpose() * of_p + p.transpose() * of_edge
                - edge.transpose() * (2.0 * alpha * of_edge))
                / square
        };
        let (dalpha, dbeta) = (foot(&p, of_p, alpha), foot(&q, of_q, beta));
        let turn = g[0] * dalpha + g[3] * dbeta;
        all[0][by] = d0;
        all[1][by] = d0 * (alpha - 1.0) + d3 * (beta - 1.0) + turn;
        all[2][by] = -(d0 * alpha + d3 * beta + turn);
        all[3][by] = d3;
    }
    // d²s = cos ½θ d²θ − ½ sin ½θ dθ²
    let mut of_s = all;
    for (row, by) in (0..16).map(|n| (n / 4, n % 4)) {
        of_s[row][by] = all[row][by] * cosine - g[row] * g[by].transpose() * (0.25 * s);
    }
    of_s
}
