//! Combine rules: the coefficients of two materials → the coefficient of their pair.
//!
//! Every rule is symmetric, gives f(x, x) = x and lies between the smaller and the larger value
//! (except `product`, which other engines use). Source of the weighted sums and the piecewise
//! rule: \[stock2015\].

use crate::math::{larger, smaller, sqrt};

/// Combine rule of a pair of coefficients in [0, 1] (any non-negative value is accepted).
pub struct CombineRule {
    /// The name in `[pairing]`.
    pub name: &'static str,
    /// One line for `list`.
    pub about: &'static str,
    /// f(x, y).
    pub combine: fn(f64, f64) -> f64,
}

/// Combine rules offered for friction.
pub const FRICTION_PAIRINGS: &[CombineRule] = &[
    CombineRule {
        name: "minimum",
        about: "min(x, y): the more slippery material decides",
        combine: smaller,
    },
    CombineRule { name: "mean", about: "(x + y)/2", combine: mean },
    CombineRule { name: "geometric", about: "√(x y)", combine: geometric },
    CombineRule {
        name: "weighted-sum",
        about: "(w(x) x + w(y) y)/(w(x) + w(y)), w(x) = √2 (1 − x) + 1: slippery materials weigh more",
        combine: friction_weighted_sum,
    },
    CombineRule { name: "maximum", about: "max(x, y)", combine: larger },
    CombineRule {
        name: "product",
        about: "x y: not between x and y, but used by other engines",
        combine: product,
    },
    CombineRule { name: "harmonic", about: "2 x y/(x + y)", combine: harmonic },
];

/// Combine rules offered for restitution.
pub const RESTITUTION_PAIRINGS: &[CombineRule] = &[
    CombineRule { name: "minimum", about: "min(x, y)", combine: smaller },
    CombineRule { name: "mean", about: "(x + y)/2", combine: mean },
    CombineRule { name: "geometric", about: "√(x y)", combine: geometric },
    CombineRule {
        name: "weighted-sum",
        about: "(w(x) x + w(y) y)/(w(x) + w(y)), w(x) = √2 |2x − 1| + 1: extreme materials weigh more",
        combine: restitution_weighted_sum,
    },
    CombineRule {
        name: "piecewise",
        about: "minimum when both are at most ½, maximum when both are at least ½, x + y − ½ otherwise",
        combine: piecewise,
    },
    CombineRule { name: "maximum", about: "max(x, y)", combine: larger },
    CombineRule {
        name: "product",
        about: "x y: not between x and y, but used by other engines",
        combine: product,
    },
    CombineRule { name: "harmonic", about: "2 x y/(x + y)", combine: harmonic },
];

fn mean(x: f64, y: f64) -> f64 {
    0.5 * (x + y)
}

fn geometric(x: f64, y: f64) -> f64 {
    sqrt(x * y)
}

fn product(x: f64, y: f64) -> f64 {
    x * y
}

fn harmonic(x: f64, y: f64) -> f64 {
    if x + y > 0.0 { 2.0 * x * y / (x + y) } else { 0.0 }
}

fn weighted(x: f64, y: f64, w: impl Fn(f64) -> f64) -> f64 {
    let (wx, wy) = (w(x), w(y));
    (wx * x + wy * y) / (wx + wy)
}

/// Above x = 1 the weight is held at 1: √2 (1 − x) + 1 would turn negative at 1.71 and put the pair's
/// coefficient outside those of its materials.
fn friction_weighted_sum(x: f64, y: f64) -> f64 {
    friction_family(sqrt(2.0), x, y)
}

/// The weighted sums with w(x) = c (1 − x) + 1. `weighted-sum` has c = √2, the largest for which
/// the sum is monotone: above that a grippier material can make a more slippery pair.
pub fn friction_family(c: f64, x: f64, y: f64) -> f64 {
    weighted(x, y, |x| larger(c * (1.0 - x), 0.0) + 1.0)
}

fn restitution_weighted_sum(x: f64, y: f64) -> f64 {
    weighted(x, y, |x| sqrt(2.0) * (2.0 * x - 1.0).abs() + 1.0)
}

fn piecewise(x: f64, y: f64) -> f64 {
    let (low, high) = (smaller(x, y), larger(x, y));
    if high <= 0.5 {
        low
    } else if low >= 0.5 {
        high
    } else {
        x + y - 0.5
    }
}
