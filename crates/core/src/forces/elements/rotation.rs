//! The rotation of a deformation: its polar decomposition with the sign of a rotation.

use crate::math::square::{Real, Square, square};

/// Most steps of Laguerre's iteration. It starts above all roots and converges in the third order: five leave
/// rounding alone unless its two largest roots nearly agree: σ₂ = −σ₃.
const STEPS: usize = 5;

/// Square of the last step, as a share of that of the root, after which the next one would be rounding.
const ENOUGH: f64 = 1e-12;

/// Least denominator.
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
    // 1 while a lane moves: no lane depends on how long another one does
    let (mut moving, mut step) = (x.positive(), 0);
    while step < STEPS && moving.any_positive() {
        let square = x * x;
        let p = ((square - n * 2.0) * x - determinant * 8.0) * x + rest;
        let first = (square - n) * x * 4.0 - determinant * 8.0;
        let second = (square * 3.0 - n) * 4.0;
        let root = (first * first * 9.0 - p * second * 12.0).at_least(0.0).root();
        let by = p * 4.0 / (first + root).at_least(NOTHING) * moving;
        x = x - by;
        moving = (by * by - square * ENOUGH).positive();
        step += 1;
    }
    let kappa = (x * x - n) * 0.5;
    let scale = (kappa * x - determinant).at_least(NOTHING);
    let turned = f.times(&f.transposed_times(f));
    let (of_f, inverse) = (kappa + n, scale.inverse());
    square!(R, C => (of_f * f.0[R][C] + x * cofactor.0[R][C] - turned.0[R][C]) * inverse)
}
