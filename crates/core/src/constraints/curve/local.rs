//! A curve near one particle: φ and its derivatives, and the small linear systems with them.

use crate::expression::{Bundle, Expression};
use crate::math::{Vector, smaller};

/// φ with all first and second derivatives.
#[derive(Debug, Clone)]
pub struct CurveFormula {
    value: Bundle<3>,
    slopes: [Bundle<3>; 3],
}

impl CurveFormula {
    /// Differentiates a formula of x, y, z.
    pub fn new(phi: &Expression) -> Self {
        CurveFormula {
            value: phi.with_partials([0, 1, 2]),
            slopes: [0, 1, 2].map(|axis| phi.partial(axis).with_partials([0, 1, 2])),
        }
    }

    /// φ and ∇φ at a point \[m\].
    pub fn at(&self, x: &Vector) -> (f64, Vector) {
        let (value, slopes) = self.value.eval(&[x.x, x.y, x.z]);
        (value, Vector::from(slopes))
    }

    /// vᵀ (∂²φ/∂x²) v.
    fn curvature(&self, x: &Vector, v: &Vector) -> f64 {
        let at = [x.x, x.y, x.z];
        (0..3).map(|axis| v[axis] * Vector::from(self.slopes[axis].eval(&at).1).dot(v)).sum()
    }
}

/// One number per φ; the second is zero if there is only one φ.
pub(crate) type CurveRows = [f64; 2];

/// Solves a x = b with one or two rows; not finite where a is singular.
pub fn solve(a: [CurveRows; 2], b: CurveRows, count: usize) -> CurveRows {
    if count == 1 {
        return [b[0] / a[0][0], 0.0];
    }
    let determinant = a[0][0] * a[1][1] - a[0][1] * a[1][0];
    [
        (b[0] * a[1][1] - b[1] * a[0][1]) / determinant,
        (a[0][0] * b[1] - a[1][0] * b[0]) / determinant,
    ]
}

/// φ and G = ∂φ/∂x at one particle with its inverse masses W.
#[derive(Debug, Clone, Copy)]
pub struct Local {
    /// Number of φ.
    pub count: usize,
    /// φ.
    pub values: CurveRows,
    /// The rows of G; no part along the locked axis of a planar scene.
    pub gradients: [Vector; 2],
    /// W: 1/m per axis \[1/kg\], zero on held axes.
    pub inverse_mass: Vector,
}

impl Local {
    /// φ and G at a point.
    pub fn new(
        formulas: &[CurveFormula],
        x: &Vector,
        inverse_mass: Vector,
        locked_axis: Option<usize>,
    ) -> Self {
        let (mut values, mut gradients) = ([0.0; 2], [Vector::zeros(); 2]);
        for (row, formula) in formulas.iter().enumerate() {
            (values[row], gradients[row]) = formula.at(x);
            if let Some(axis) = locked_axis {
                gradients[row][axis] = 0.0;
            }
        }
        Local { count: formulas.len(), values, gradients, inverse_mass }
    }

    /// G u.
    pub fn across(&self, u: &Vector) -> CurveRows {
        self.gradients.map(|gradient| gradient.dot(u))
    }

    /// Gᵀ λ.
    pub fn force(&self, multipliers: CurveRows) -> Vector {
        self.gradients[0] * multipliers[0] + self.gradients[1] * multipliers[1]
    }

    /// W f, zero on held axes.
    pub(crate) fn yielding(&self, f: &Vector) -> Vector {
        self.inverse_mass.component_mul(f)
    }

    /// (G W Gᵀ)⁻¹ b.
    pub fn solve(&self, b: CurveRows) -> CurveRows {
        // symmetric
        solve(self.gradients.map(|g| self.across(&self.yielding(&g))), b, self.count)
    }

    /// W Gᵀ (G W Gᵀ)⁻¹ b: the shortest change of u on the free axes that increases G u by b.
    pub fn shift(&self, b: CurveRows) -> Vector {
        self.yielding(&self.force(self.solve(b)))
    }

    /// u without its part across the curve.
    pub fn tangential(&self, u: &Vector) -> Vector {
        u - self.shift(self.across(u))
    }

    /// 1/m \[1/kg\].
    pub fn inverse_mass(&self) -> f64 {
        self.inverse_mass.amax()
    }

    /// Distance of the particle from the curve, to first order: |φ|/|∇φ| for one φ \[m\].
    pub fn distance(&self) -> f64 {
        self.shift(self.values).norm()
    }

    /// u on the free axes.
    pub fn free(&self, u: &Vector) -> Vector {
        u.zip_map(&self.inverse_mass, |u, w| if w > 0.0 { u } else { 0.0 })
    }

    /// u on the held axes.
    pub fn held(&self, u: &Vector) -> Vector {
        u - self.free(u)
    }

    /// Whether the gradients define a direction off the curve: on the free axes, to rounding, none
    /// vanishes and they are not parallel.
    pub fn is_regular(&self) -> bool {
        let free = self.gradients.map(|g| self.free(&g));
        let sizes = free.map(|g| g.norm());
        let finite = (self.values[0] + self.values[1]).is_finite();
        finite
            && match self.count {
                1 => sizes[0] > 0.0 && sizes[0].is_finite(),
                _ => {
                    let apart = free[0].cross(&free[1]).norm();
                    smaller(sizes[0], sizes[1]) > 0.0 && apart > 1e-9 * sizes[0] * sizes[1]
                }
            }
    }
}

/// Ġ v, row by row, in the unit of φ per s².
pub fn turning(formulas: &[CurveFormula], x: &Vector, v: &Vector) -> CurveRows {
    let mut rows = [0.0; 2];
    for (row, formula) in formulas.iter().enumerate() {
        rows[row] = formula.curvature(x, v);
    }
    rows
}

/// `u` as a unit vector; zero for zero.
pub fn unit(u: Vector) -> Vector {
    u.try_normalize(0.0).unwrap_or_default()
}
