//! Triangles of a surface φ = 0 for pictures, by marching tetrahedra.

use super::Bounds;
use crate::math::{Vector, larger, pow};

/// Cells along the longest side.
const CELLS: f64 = 48.0;

/// Six tetrahedra that fill a cell, by corners: bit 0 of a corner's number is x, bit 1 y, bit 2 z.
/// All share the diagonal from 0 to 7, and neighbouring cells agree on the diagonals of the faces.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

/// Bounds enlarged in steps, so that many pictures of a moving scene share them.
pub fn roomy(around: &Bounds) -> Bounds {
    let size = larger((around.max - around.min).norm(), 1e-9);
    // the size rounded up to a power of √2, the middle rounded to an eighth of that
    let steps = (crate::math::log(size) / crate::math::log(2.0) * 2.0).ceil();
    let reach = pow(2.0, 0.5 * steps);
    let middle = (around.min + around.max) * 0.5;
    let middle = middle.map(|x| (x / reach * 8.0).round() * reach / 8.0);
    Bounds { min: middle.add_scalar(-0.8 * reach), max: middle.add_scalar(0.8 * reach) }
}

/// The surface φ = 0 within the bounds.
pub fn surface(bounds: &Bounds, phi: impl Fn(Vector) -> f64) -> Vec<[Vector; 3]> {
    let sides = bounds.max - bounds.min;
    let cell = larger(larger(sides.x, sides.y), sides.z) / CELLS;
    if !(cell > 0.0 && cell.is_finite()) {
        return Vec::new();
    }
    let [nx, ny, nz] = [0, 1, 2].map(|axis| (sides[axis] / cell).ceil() as usize + 1);
    let point = |i: usize, j: usize, k: usize| {
        bounds.min + Vector::new(i as f64, j as f64, k as f64) * cell
    };
    let mut values = Vec::with_capacity(nx * ny * nz);
    for k in 0..nz {
        for j in 0..ny {
            values.extend((0..nx).map(|i| phi(point(i, j, k))));
        }
    }
    let mut triangles = Vec::new();
    for k in 1..nz {
        for j in 1..ny {
            for i in 1..nx {
                let corner = |c: usize| {
                    let (i, j, k) = (i - 1 + (c & 1), j - 1 + (c >> 1 & 1), k - 1 + (c >> 2));
                    (point(i, j, k), values[i + nx * (j + ny * k)])
                };
                let corners: [(Vector, f64); 8] = std::array::from_fn(corner);
                // most cells lie on one side, or φ has no value there
                if corners.iter().all(|c| c.1 >= 0.0)
                    || corners.iter().all(|c| c.1 < 0.0)
                    || corners.iter().any(|c| !c.1.is_finite())
                {
                    continue;
                }
                for tetrahedron in TETRAHEDRA {
                    cut(tetrahedron.map(|c| corners[c]), &mut triangles);
                }
            }
        }
    }
    triangles
}

/// The piece of the surface in one tetrahedron: nothing, a triangle, or a quadrilateral.
fn cut(corners: [(Vector, f64); 4], triangles: &mut Vec<[Vector; 3]>) {
    let between = |a: (Vector, f64), b: (Vector, f64)| a.0 + (b.0 - a.0) * (a.1 / (a.1 - b.1));
    let mut inside = [corners[0]; 4];
    let mut outside = [corners[0]; 4];
    let (mut i, mut o) = (0, 0);
    for corner in corners {
        if corner.1 < 0.0 {
            inside[i] = corner;
            i += 1;
        } else {
            outside[o] = corner;
            o += 1;
        }
    }
    match i {
        1 => triangles.push([0, 1, 2].map(|k| between(inside[0], outside[k]))),
        2 => {
            let [a, b] = [0, 1].map(|k| between(inside[0], outside[k]));
            let [d, c] = [0, 1].map(|k| between(inside[1], outside[k]));
            triangles.push([a, b, c]);
            triangles.push([a, c, d]);
        }
        3 => triangles.push([0, 1, 2].map(|k| between(inside[k], outside[0]))),
        _ => {}
    }
}
