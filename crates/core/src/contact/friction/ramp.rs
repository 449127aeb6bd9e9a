//! The regularised laws: force and derivative of a friction that grows from zero with the slip speed. A
//! law supplies its chord only.

use super::kinetic::Kinetic;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, bisect};
use crate::registry::{Fallback, Key, Kind, Range};
use crate::state::memory::Coefficients;

/// The key of the threshold speed, shared by the regularised laws.
pub const EPSILON: Key = Key {
    name: "epsilon",
    kind: Kind::Number { unit: "m/s", range: Range::Positive },
    default: Fallback::Number(1e-3),
    about: "threshold slip speed ε below which the contact sticks, by creeping",
};

/// The friction coefficient μ(u) f(u) of a law, divided by u: the slope of the chord from rest. In this
/// form no law divides by zero, and each is exact at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chord {
    /// A constant factor: μ_s or μ_k; 1 where μ depends on u.
    pub factor: f64,
    /// q(u) = μ(u) f(u)/(u · factor).
    pub quotient: f64,
    /// u q'(u).
    pub bend: f64,
}

/// A regularised law, without memory: with u = s/ε and μ f(u)/u = factor · q(u)
///
/// ```text
/// F     = −(factor N/ε) q(u) v
/// ∂F/∂v = −(factor N/ε) [q 1 + u q'(u) v̂ v̂ᵀ]
/// ```
///
/// up to u = `reach`, and the sign law −μ_k N v̂ beyond. Every `Ramp` is a [`FrictionLaw`] too.
pub trait Ramp: Send + Sync {
    /// ε \[m/s\].
    fn epsilon(&self) -> f64;

    /// The chord at u < [`Self::reach`].
    fn chord(&self, u: f64, pair: &Coefficients) -> Chord;

    /// The largest chord or slope |d(μ f)/du| at any u.
    fn steepest(&self, pair: &Coefficients) -> f64;

    /// The u beyond which friction is μ_k N; infinite for laws that only approach it.
    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    /// See [`FrictionLaw::form`]: Coulomb's, if friction is μ_k N from some speed on.
    fn form(&self) -> FrictionForm {
        if self.reach().is_finite() { FrictionForm::Coulomb } else { FrictionForm::Own }
    }

    /// See [`FrictionLaw::suits_search`].
    fn suits_search(&self) -> bool {
        false
    }

    /// The u at which the law bears the load ratio ρ = |T|/(μ_s N) on its rising branch; by bisection
    /// unless a law overrides it with a closed form.
    fn creep(&self, load_ratio: f64, pair: &Coefficients) -> Option<f64> {
        let share = |u: f64| {
            let chord = self.chord(u, pair);
            chord.factor * chord.quotient * u
        };
        first_crossing(share, load_ratio * pair.static_friction, self.reach())
    }
}

impl<R: Ramp> FrictionLaw for R {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let u = slip.velocity.norm() / self.epsilon();
        if u < self.reach() {
            let chord = self.chord(u, pair);
            let per_speed = chord.factor * slip.normal_force / self.epsilon() * chord.quotient;
            slip.velocity * -per_speed
        } else {
            Kinetic.force(slip, pair)
        }
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let s = slip.velocity.norm();
        let u = s / self.epsilon();
        if u >= self.reach() {
            return Kinetic.derivative(slip, pair);
        }
        let t = if s > 0.0 { slip.velocity / s } else { Vector::zeros() };
        let Chord { factor, quotient, bend } = self.chord(u, pair);
        let slope = factor * slip.normal_force / self.epsilon();
        SlipJacobian {
            by_displacement: Matrix::zeros(),
            by_velocity: (t * t.transpose() * -bend - Matrix::identity() * quotient) * slope,
            by_normal_force: slip.velocity * (-factor / self.epsilon() * quotient),
        }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon()
    }

    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        self.steepest(pair) * slip.normal_force / self.epsilon()
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, pair: &Coefficients) -> Option<f64> {
        self.creep(load_ratio, pair).map(|u| self.epsilon() * u)
    }

    fn threshold(&self) -> f64 {
        self.epsilon()
    }

    fn form(&self) -> FrictionForm {
        self.form()
    }

    fn suits_search(&self) -> bool {
        self.suits_search()
    }

    /// Laws that only approach the cone are smooth.
    fn is_kinked(&self) -> bool {
        self.reach().is_finite()
    }
}

/// The smallest u below `reach` and 32 at which `share` rises to `target`, to the last bit. Searches in
/// strides of 1/64: a target within a stride of the peak may be missed.
fn first_crossing(share: impl Fn(f64) -> f64, target: f64, reach: f64) -> Option<f64> {
    const STRIDE: f64 = 1.0 / 64.0;
    if target <= 0.0 {
        return Some(0.0);
    }
    let mut low = 0.0;
    while share(low + STRIDE) < target {
        low += STRIDE;
        if low + STRIDE >= reach || low >= 32.0 {
            return None;
        }
    }
    Some(bisect(low, low + STRIDE, |u| share(u) < target))
}
