//! The bristle of the laws of Dahl and LuGre: an elastic stretch z that follows the slip x and
//! saturates at the reach r, dz = dx − |dx| z/r. Stepped exactly along a straight slip.

use crate::math::{Matrix, Vector, exp, smaller};
use crate::registry::{Fallback, Key, Kind, Range};

/// The key of the bristle's stiffness.
pub(super) const STIFFNESS: Key = Key {
    name: "stiffness",
    kind: Kind::Number { unit: "N/m", range: Range::Positive },
    default: Fallback::Required,
    about: "stiffness σ0 of the bristle of one contact",
};

/// The stretch after a slip, and its derivatives.
///
/// With the reach r = g/σ0 (g the friction in steady sliding, σ0 the stiffness) held over the step,
/// z0 the old stretch and ℓ = |x|, the exact solution is
///
/// ```text
/// z = e z0 + (1 − e) r x̂,    e = exp(−ℓ/r)
/// ```
///
/// a weighted mean of the old and the saturated stretch. So |z| never exceeds the larger of |z0|
/// and r, and the step is unconditionally stable. A stretch beyond r, left over where g falls with
/// rising speed, decays to r over the distance r, not at once: friction lags behind the speed. Only
/// a fall of N shortens it at once: an old stretch beyond `longest`, the largest at this N for any
/// slip speed, is first cut to that.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bristle {
    /// z \[m\].
    pub(super) stretch: Vector,
    /// ∂z/∂x.
    pub(super) by_displacement: Matrix,
    /// r ∂z/∂r \[m\], with `longest` in proportion to r.
    pub(super) by_reach: Vector,
}

/// Moves the stretch `old` along the slip `x`, with the reach `reach` and the bound `longest` ≥ `reach`,
/// all in metres.
pub(super) fn follow(old: Vector, x: Vector, reach: f64, longest: f64) -> Bristle {
    if reach <= 0.0 {
        let none = Vector::zeros();
        return Bristle { stretch: none, by_displacement: Matrix::zeros(), by_reach: none };
    }
    let size = old.norm();
    let start = if size > longest { old * (longest / size) } else { old };
    let length = x.norm();
    let way = length / reach;
    let decay = exp(-way);
    // (1 − e)/(ℓ/r), one at rest
    let mean = if way < 1e-4 { 1.0 - way * (0.5 - way / 6.0) } else { (1.0 - decay) / way };
    let t = if length > 0.0 { x / length } else { Vector::zeros() };
    let along = t * t.transpose();
    let pulled = if size > longest { start * decay } else { Vector::zeros() };
    Bristle {
        stretch: start * decay + x * mean,
        by_displacement: (Matrix::identity() - along) * mean + along * decay
            - start * t.transpose() * (decay / reach),
        by_reach: start * (way * decay) + x * (mean - decay) + pulled,
    }
}

/// Whether a bristle sticks: its stretch is below 99 % of that of steady sliding, `reach`, both in metres.
pub(super) fn is_short(stretch: Vector, reach: f64) -> bool {
    stretch.norm() < 0.99 * reach
}

/// `force` bounded to the size `cone` \[N\].
pub(super) fn inside(force: Vector, cone: f64) -> Vector {
    let size = force.norm();
    if size > cone { force * (smaller(size, cone) / size) } else { force }
}
