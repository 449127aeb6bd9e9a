//! The stable neo-Hookean law: rubber at any strain, inverted elements too.

use super::moduli::Moduli;
use super::principal::Principal;
use super::solid::Solid;
use super::tangent::Tangent;
use crate::math::square::{Real, Square, square};
use crate::math::{Matrix, Vector};

/// ψ = ½ M (I − 3) − ½ M ln ((I + 1)/4) + ½ L (J − 1)² − ¾ M (J − 1), with I = F:F and J = det F.
///
/// M = 4μ/3 and L = λ + 5μ/6 make it Hooke's law at small strains. P = M (1 − 1/(I + 1)) F +
/// (L (J − 1) − ¾ M) cof F is defined for every F. Source: \[smith2018\].
pub(super) struct NeoHookean;

/// M and L \[Pa\].
#[inline(always)]
fn own(moduli: &Moduli) -> (f64, f64) {
    (moduli.mu * (4.0 / 3.0), moduli.lambda + moduli.mu * (5.0 / 6.0))
}

impl Solid for NeoHookean {
    #[inline(always)]
    fn stress<T: Real>(moduli: &Moduli, f: &Square<T>) -> Square<T> {
        let (m, l) = own(moduli);
        let cofactor = f.cofactor();
        let of_volume = (f.determinant(&cofactor) - 1.0) * l - 0.75 * m;
        let size = f.dot(f);
        let of_f = size / (size + 1.0) * m;
        square!(R, C => of_f * f.0[R][C] + of_volume * cofactor.0[R][C])
    }

    #[inline(always)]
    fn energy<T: Real>(moduli: &Moduli, f: &Square<T>) -> T {
        let (m, l) = own(moduli);
        let (a, j) = (f.dot(f) - 3.0, f.determinant(&f.cofactor()) - 1.0);
        (a - (a * 0.25).log1p()) * (0.5 * m) + j * j * (0.5 * l) - j * (0.75 * m)
    }

    fn tangent(moduli: &Moduli, f: &Square<f64>, positive: bool) -> Tangent {
        let (m, l) = own(moduli);
        let cofactor = f.cofactor();
        let size = f.dot(f);
        let along = m * size / (size + 1.0);
        let of_size = 2.0 * m / ((size + 1.0) * (size + 1.0));
        let of_volume = l * (f.determinant(&cofactor) - 1.0) - 0.75 * m;
        if !positive {
            let mut tangent = Tangent::along(along);
            tangent.cofactor = Some((of_volume, (*f).into()));
            tangent.add(of_size, (*f).into());
            tangent.add(l, cofactor.into());
            return tangent;
        }
        projected(&Principal::of(&(*f).into()), [along, of_size, of_volume, l])
    }
}

/// The tangent by its own directions, each above or at zero: in each plane a turn and a shear, and three
/// stretches.
fn projected(principal: &Principal, [along, of_size, of_volume, l]: [f64; 4]) -> Tangent {
    let mut tangent = Tangent::default();
    let s = Vector::from(principal.stretches);
    for plane in 0..3 {
        let bent = of_volume * s[plane];
        tangent.add_positive(along + bent, principal.turn(plane));
        tangent.add_positive(along - bent, principal.shear(plane));
    }
    let c = Vector::new(s.y * s.z, s.z * s.x, s.x * s.y);
    let across = |i: usize, j: usize| if i == j { 0.0 } else { of_volume * s[3 - i - j] };
    let stretches = Matrix::from_fn(|i, j| {
        let own = if i == j { along } else { 0.0 };
        own + of_size * s[i] * s[j] + l * c[i] * c[j] + across(i, j)
    });
    let (values, directions) = super::principal::eigen(&stretches);
    for k in 0..3 {
        tangent.add_positive(values[k], principal.stretch(directions.column(k).into()));
    }
    tangent
}
