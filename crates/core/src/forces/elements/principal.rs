//! Principal stretches and their directions.

use crate::math::{Matrix, Vector, sqrt};

/// F = U diag(σ) Vᵀ with two rotations U and V: the last of the stretches is below zero where F is inverted.
pub(super) struct Principal {
    /// σ, the last of smallest size.
    pub stretches: [f64; 3],
    u: Matrix,
    v: Matrix,
}

/// Least sum of two stretches by which is divided.
const LEAST: f64 = 1e-12;

/// The two axes of each plane, in the order of the axis across it.
const PLANES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

impl Principal {
    /// Those of F.
    pub fn of(f: &Matrix) -> Self {
        let (squares, all) = eigen(&(f.transpose() * f));
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| squares[*b].total_cmp(&squares[*a]));
        let column = |k: usize| -> Vector { all.column(order[k]).into() };
        let (v0, v1) = (column(0), column(1));
        let v = Matrix::from_columns(&[v0, v1, v0.cross(&v1)]);
        let images = f * v;
        let image = |k: usize| -> Vector { images.column(k).into() };
        let u0 = image(0).try_normalize(0.0).unwrap_or(v0);
        let across = image(1) - u0 * u0.dot(&image(1));
        // the least of a plane through u0 where F has no second direction
        let u1 = across.try_normalize(LEAST * image(0).norm()).unwrap_or_else(|| normal_to(u0));
        let u2 = u0.cross(&u1);
        let stretches = [u0.dot(&image(0)), u1.dot(&image(1)), u2.dot(&image(2))];
        Principal { stretches, u: Matrix::from_columns(&[u0, u1, u2]), v }
    }

    /// R = U Vᵀ.
    pub fn rotation(&self) -> Matrix {
        self.u * self.v.transpose()
    }

    /// The sum of the two stretches in a plane, not zero.
    pub fn sum(&self, plane: usize) -> f64 {
        let [i, j] = PLANES[plane];
        let sum = self.stretches[i] + self.stretches[j];
        if sum.abs() < LEAST { LEAST } else { sum }
    }

    fn plane(&self, plane: usize, sign: f64) -> Matrix {
        let [i, j] = PLANES[plane];
        let (u, v) = (&self.u, &self.v);
        let pair =
            u.column(i) * v.column(j).transpose() + u.column(j) * v.column(i).transpose() * sign;
        pair / sqrt(2.0)
    }

    /// U (eᵢ eⱼᵀ − eⱼ eᵢᵀ) Vᵀ/√2 in the plane (i, j).
    pub fn turn(&self, plane: usize) -> Matrix {
        self.plane(plane, -1.0)
    }

    /// U (eᵢ eⱼᵀ + eⱼ eᵢᵀ) Vᵀ/√2 in the plane (i, j).
    pub fn shear(&self, plane: usize) -> Matrix {
        self.plane(plane, 1.0)
    }

    /// U diag(d) Vᵀ.
    pub fn stretch(&self, d: Vector) -> Matrix {
        self.u * Matrix::from_diagonal(&d) * self.v.transpose()
    }
}

fn normal_to(u: Vector) -> Vector {
    let axis = u.iamin();
    let mut other = Vector::zeros();
    other[axis] = 1.0;
    u.cross(&other).normalize()
}

/// The eigenvalues of a symmetric matrix, and their directions in columns.
pub(super) fn eigen(matrix: &Matrix) -> (Vector, Matrix) {
    let eigen = matrix.symmetric_eigen();
    (eigen.eigenvalues, eigen.eigenvectors)
}
