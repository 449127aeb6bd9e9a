//! Locking: by how much tetrahedra of a lattice are too stiff where they are confined.

use crate::math::{exp, log};

/// Apparent modulus of a strip four times as wide as high, as long as can be, between rigid plates that hold it, over
/// that of a fine mesh: ν, and meshes of 1, 2, 4 and 8 cells over the height. Six tetrahedra a cell, mirrored from cell
/// to cell; linear elasticity, computed on these meshes and by Richardson's extrapolation from 16 and 32 cells.
pub(super) const STRIPS: [(f64, [f64; 4]); 6] = [
    (0.45, [1.462, 1.196, 1.045, 1.015]),
    (0.47, [1.815, 1.354, 1.067, 1.021]),
    (0.48, [2.250, 1.558, 1.089, 1.026]),
    (0.49, [3.540, 2.183, 1.136, 1.035]),
    (0.495, [6.109, 3.454, 1.192, 1.044]),
    (0.499, [26.626, 13.701, 1.312, 1.065]),
];

/// That ratio for a mesh of `cells` ≥ 1 over the height at ν from .45 to .499: between the ones known its distance
/// from 1 is a power of ½ − ν and of the number of cells, beyond eight cells it falls with their square.
pub(super) fn stiffening(cells: u64, poisson: f64) -> f64 {
    let doublings = log(cells.max(1) as f64) / log(2.0);
    let off = |of: &[f64; 4]| {
        let last = of.len() - 2;
        let from = (doublings as usize).min(last);
        let excess = |k: usize| log(of[k] - 1.0);
        match doublings >= 3.0 {
            true => excess(3) - 2.0 * log(2.0) * (doublings - 3.0),
            false => excess(from) + (doublings - from as f64) * (excess(from + 1) - excess(from)),
        }
    };
    let above = STRIPS.partition_point(|(nu, _)| *nu < poisson).clamp(1, STRIPS.len() - 1);
    let [(low, left), (high, right)] = [STRIPS[above - 1], STRIPS[above]];
    let share = log((0.5 - poisson) / (0.5 - low)) / log((0.5 - high) / (0.5 - low));
    1.0 + exp(off(&left) + share * (off(&right) - off(&left)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::elements::Moduli;
    use crate::math::{Matrix, Vector};
    use crate::nalgebra::{DMatrix, DVector};
    use crate::world::shapes::tetrahedra_of_cell;

    #[test]
    fn what_is_known_is_found_and_what_lies_between_is_between() {
        for (poisson, of) in STRIPS {
            for (cells, wanted) in [1, 2, 4, 8].into_iter().zip(of) {
                let found = stiffening(cells, poisson);
                assert!((found / wanted - 1.0).abs() < 1e-12, "{poisson} {cells}: {found}");
            }
        }
        let between = stiffening(3, 0.485);
        assert!(between > stiffening(4, 0.48) && between < stiffening(2, 0.49), "{between}");
        assert!((stiffening(16, 0.49) - 1.0 - 0.035 / 4.0).abs() < 1e-12);
    }

    /// Twice the energy of a strip of `n` cells over its height of 1 m, four as wide and two deep, periodic in depth, of
    /// E = 1 Pa, whose upper face is drawn up by 1 m, over its volume.
    fn apparent(n: i64, poisson: f64) -> f64 {
        let (m, a, moduli) = (4 * n, 1.0 / n as f64, Moduli::of(1.0, poisson));
        let number = |p: [i64; 3]| (p[0] + (m + 1) * (p[1] % 2 + 2 * p[2])) as usize;
        let count = number([m, 1, n]) + 1;
        let mut stiffness = DMatrix::<f64>::zeros(3 * count, 3 * count);
        let cells = (0..m * 2 * n).map(|i| [i % m, i / m % 2, i / (2 * m)]);
        for corners in cells.flat_map(tetrahedra_of_cell) {
            let place = corners.map(|p| Vector::from(p.map(|i| i as f64)) * a);
            let edges = Matrix::from_columns(&[1, 2, 3].map(|k| place[k] - place[0]));
            let volume = edges.determinant().abs() / 6.0;
            let inverse = edges.try_inverse().expect("a tetrahedron");
            let own: Vec<Vector> = (0..3).map(|k| inverse.row(k).transpose()).collect();
            let gradients = [-(own[0] + own[1] + own[2]), own[0], own[1], own[2]];
            for (p, g) in corners.iter().zip(&gradients) {
                for (q, h) in corners.iter().zip(&gradients) {
                    // λ g hᵀ + μ (h gᵀ + g·h 1)
                    let block = (g * h.transpose() * moduli.lambda
                        + (h * g.transpose() + Matrix::identity() * g.dot(h)) * moduli.mu)
                        * volume;
                    let at = (3 * number(*p), 3 * number(*q));
                    let mut part = stiffness.fixed_view_mut::<3, 3>(at.0, at.1);
                    part += block;
                }
            }
        }
        let held: Vec<bool> = (0..count)
            .map(|i| i < 2 * (m as usize + 1) || i >= count - 2 * (m as usize + 1))
            .collect();
        let lifted = DVector::from_fn(3 * count, |i, _| {
            f64::from(u8::from(i % 3 == 2 && i / 3 >= count - 2 * (m as usize + 1)))
        });
        let free: Vec<usize> = (0..3 * count).filter(|i| !held[i / 3]).collect();
        let load = &stiffness * &lifted;
        let own = DMatrix::from_fn(free.len(), free.len(), |i, j| stiffness[(free[i], free[j])]);
        let right = DVector::from_fn(free.len(), |i, _| -load[free[i]]);
        let moved = own.cholesky().expect("positive").solve(&right);
        let mut all = lifted;
        free.iter().zip(moved.iter()).for_each(|(i, u)| all[*i] = *u);
        let energy = all.dot(&(&stiffness * &all));
        energy / (4.0 * 2.0 * a)
    }

    /// The figures of coarse meshes against those of one and two cells more: their ratios are those of the table.
    #[test]
    fn the_table_is_that_of_the_cells() {
        for (poisson, of) in [STRIPS[0], STRIPS[3], STRIPS[5]] {
            let found: Vec<f64> = [1, 2, 4].map(|n| apparent(n, poisson)).into();
            for k in [0, 1] {
                let ratio = found[k] / found[2] * of[2] / of[k];
                assert!((ratio - 1.0).abs() < 1e-3, "{poisson}: {found:?}");
            }
        }
    }
}
