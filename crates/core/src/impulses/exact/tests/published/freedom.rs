//! How many ways loads may change while nothing moves otherwise.

use super::files::{Published, planar};
use crate::math::{Vector, larger, sqrt};

/// Impulses so near their cone have no friction left, as a share of it.
const NEAR: f64 = 1e-6;

/// Directions whose velocities are below this share of what they would be alone move nothing.
const SINGULAR: f64 = 1e-9;

/// Independent changes of the impulses r that change no velocity and stay in the cones: those inside a
/// cone may change by any vector, those on it along themselves. The number of them is that of zero
/// eigenvalues of M, whose entries are known to `rounding`, on these directions.
pub(super) fn directions(
    published: &Published,
    r: &[Vector],
    tolerance: f64,
    rounding: f64,
) -> usize {
    let mut directions: Vec<(usize, Vector)> = Vec::new();
    for (i, r) in r.iter().enumerate() {
        let mu = published.friction[i];
        if r.x * published.largest() <= 10.0 * tolerance {
            continue;
        }
        if planar(r) < mu * r.x * (1.0 - NEAR) {
            directions.extend((0..3).map(|axis| (i, Vector::ith(axis, 1.0))));
        } else {
            directions.push((i, *r / r.norm()));
        }
    }
    directions.len() - rank(gram(published, &directions), larger(SINGULAR, 10.0 * rounding))
}

/// M on the directions, by rows, scaled to a unit diagonal.
fn gram(published: &Published, directions: &[(usize, Vector)]) -> Vec<Vec<f64>> {
    let mut rows = Vec::with_capacity(directions.len());
    for (i, d) in directions {
        let mut alone = vec![Vector::zeros(); published.free.len()];
        alone[*i] = *d;
        let u = published.product(&alone);
        rows.push(directions.iter().map(|(j, e)| u[*j].dot(e)).collect::<Vec<f64>>());
    }
    let roots: Vec<f64> = (0..rows.len()).map(|k| sqrt(rows[k][k])).collect();
    for (row, a) in rows.iter_mut().zip(&roots) {
        row.iter_mut().zip(&roots).for_each(|(x, b)| *x /= a * b);
    }
    rows
}

/// By elimination with the largest pivot on the diagonal.
fn rank(mut rows: Vec<Vec<f64>>, nothing: f64) -> usize {
    for rank in 0..rows.len() {
        let entry = |k: usize| rows[k][k];
        let pivot =
            (0..rows.len()).fold(0, |best, k| if entry(k) > entry(best) { k } else { best });
        if entry(pivot) <= nothing {
            return rank;
        }
        let row = rows[pivot].clone();
        for other in &mut rows {
            let share = other[pivot] / row[pivot];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= share * y);
        }
    }
    rows.len()
}
