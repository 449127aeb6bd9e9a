//! The rotation of a deformation: its polar decomposition with the sign of a rotation.

use crate::math::square::{Real, Square};

/// Steps of Laguerre's iteration. It starts above all roots and converges in the third order: five leave
/// rounding alone for any F.
const STEPS: usize = 5;

/// Share of the size of F below which a denominator is none.
const NOTHING: f64 = 1e-30;

/// R, the rotation nearest to F: the one with the largest R:F, a rotation of det 1 also where F is inverted.
///
/// x = R:F = σ₁ + σ₂ ± σ₃ is the largest root of x⁴ − 2 n x² − 8 x det F + n² − 4 |cof F|², n = F:F, and
///
/// ```text
/// R = ((κ + n) F + x cof F − F Fᵀ F)/(κ x − det F)   with κ = ½ (x² − n)
/// ```
///
/// Where the smaller stretches cancel, σ₂ = −σ₃, there is no nearest one, and this is finite but no
/// rotation. Source: \[markley1993\].
#[inline(always)]
pub(super) fn rotation<T: Real>(f: &Square<T>) -> Square<T> {
    let cofactor = f.cofactor();
    let determinant = f.determinant(&cofactor);
    let n = f.dot(f);
    let rest = n * n - cofactor.dot(&cofactor) * 4.0;
    let mut x = (n * 3.0).root();
    for _ in 0..STEPS {
        let square = x * x;
        let p = ((square - n * 2.0) * x - determinant * 8.0) * x + rest;
        let first = (square - n) * x * 4.0 - determinant * 8.0;
        let second = (square * 3.0 - n) * 4.0;
        let root = (first * first * 9.0 - p * second * 12.0).at_least(0.0).root();
        x = x - p * 4.0 / (first + root).at_least(NOTHING);
    }
    let kappa = (x * x - n) * 0.5;
    let scale = (kappa * x - determinant).at_least(NOTHING);
    let turned = f.times(&f.transposed_times(f));
    let (of_f, inverse) = (kappa + n, scale.inverse());
    Square::of(|r, c| (of_f * f.0[r][c] + x * cofactor.0[r][c] - turned.0[r][c]) * inverse)
}
