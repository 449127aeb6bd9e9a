//! The regularised laws: force and derivative of a friction that grows from zero with the slip speed. A
//! law supplies its chord only.

use super::super::regularisation::Regularisation;
use super::kinetic::Kinetic;
use super::{FrictionForm, FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, bisect, larger, smaller};
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

    /// The largest chord or slope |d(μ f)/du| at any u, or more: [`Self::creep`] relies on it.
    fn steepest(&self, pair: &Coefficients) -> f64;

    /// The u beyond which friction is μ_k N; infinite for laws that only approach it.
    fn reach(&self) -> f64 {
        f64::INFINITY
    }

    /// See [`FrictionLaw::form`]: Coulomb's, if friction is μ_k N from some speed on.
    fn form(&self) -> FrictionForm {
        if self.reach().is_finite() { FrictionForm::Coulomb } else { FrictionForm::Own }
    }

    /// See [`FrictionLaw::regularisation`]: ε, under its usual key.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![(EPSILON.name, self.epsilon(), 1.0)])
    }

    /// See [`FrictionLaw::suits_search`].
    fn suits_search(&self) -> bool {
        false
    }

    /// The u at which the law bears the load ratio ρ = |T|/(μ_s N) on its rising branch; by a search
    /// unless a law overrides it with a closed form.
    fn creep(&self, load_ratio: f64, pair: &Coefficients) -> Option<f64> {
        let share = |u: f64| {
            let chord = self.chord(u, pair);
            chord.factor * chord.quotient * u
        };
        let target = load_ratio * pair.static_friction;
        first_crossing(share, target, self.steepest(pair), self.reach())
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

    fn regularisation(&self) -> Regularisation {
        self.regularisation()
    }

    fn suits_search(&self) -> bool {
        self.suits_search()
    }

    /// Laws that only approach the cone are smooth.
    fn is_kinked(&self) -> bool {
        self.reach().is_finite()
    }
}

/// The smallest u below `reach` and 32 at which `share` rises to `target`, to rounding; no rise is
/// steeper than `steepest`. Searches in strides of 1/64, and leaves out those that the steepest rise could
/// not cover: a target within a stride of the peak may be missed.
fn first_crossing(
    share: impl Fn(f64) -> f64,
    target: f64,
    steepest: f64,
    reach: f64,
) -> Option<f64> {
    const STRIDE: f64 = 1.0 / 64.0;
    if target <= 0.0 {
        return Some(0.0);
    }
    let mut low = 0.0;
    let mut missing = target - share(STRIDE);
    while missing > 0.0 {
        // at the steepest rise the next strides end below the target too
        let strides = (missing / (steepest * STRIDE) * (1.0 - 1e-9)).floor();
        low += STRIDE + strides * STRIDE;
        if low + STRIDE >= reach || low >= 32.0 {
            return None;
        }
        missing = target - share(low + STRIDE);
    }
    let (low, high) = narrowed(low, low + STRIDE, |u| share(u) - target);
    Some(bisect(low, high, |u| share(u) < target))
}

/// An interval in `[low, high]` at whose ends `excess` still is negative and not negative: a few hundred
/// roundings wide if `excess` is smooth, by false position, where an end that stays a second time counts half
/// (the Illinois method, \[dowell1971\]).
fn narrowed(low: f64, high: f64, excess: impl Fn(f64) -> f64) -> (f64, f64) {
    const WIDTH: f64 = 1.0 / (1u64 << 44) as f64;
    let (mut below, mut above) = ((low, excess(low)), (high, excess(high)));
    let (mut u, mut last) = (low, None);
    for _ in 0..8 {
        let next = above.0 - above.1 * (above.0 - below.0) / (above.1 - below.1);
        let change = (next - u).abs();
        u = next;
        if change <= 0.25 * WIDTH * u {
            break;
        }
        let here = excess(u);
        let again = if last == Some(here < 0.0) { 0.5 } else { 1.0 };
        last = Some(here < 0.0);
        if here < 0.0 {
            (below, above.1) = ((u, here), again * above.1);
        } else {
            (above, below.1) = ((u, here), again * below.1);
        }
    }
    let (left, right) = (larger(u * (1.0 - WIDTH), low), smaller(u * (1.0 + WIDTH), high));
    if excess(left) < 0.0 && excess(right) >= 0.0 { (left, right) } else { (low, high) }
}

#[cfg(test)]
mod tests {
    use super::super::quintic::Quintic;
    use super::super::stribeck::Stribeck;
    use super::*;

    /// The search in all strides, then by halves alone.
    fn searched(law: &dyn Ramp, ratio: f64, pair: &Coefficients) -> Option<f64> {
        let share = |u: f64| {
            let chord = law.chord(u, pair);
            chord.factor * chord.quotient * u
        };
        let target = ratio * pair.static_friction;
        let strides = (0..2048).map(|k| f64::from(k) / 64.0);
        let within = strides.take_while(|low| *low == 0.0 || low + 1.0 / 64.0 < law.reach());
        let low = within.into_iter().find(|low| share(low + 1.0 / 64.0) >= target)?;
        Some(bisect(low, low + 1.0 / 64.0, |u| share(u) < target))
    }

    #[test]
    fn creep_is_the_first_crossing_to_rounding() {
        let mut found = 0;
        for stribeck_speed in [1e-3, 5e-3, 1e-2, 0.1, 1.0] {
            let laws: [&dyn Ramp; 2] =
                [&Stribeck { epsilon: 1e-2, stribeck_speed }, &Quintic { epsilon: 1e-2 }];
            for law in laws {
                for kinetic_friction in [0.0, 0.1, 0.3, 0.5, 0.6, 0.9, 2.0] {
                    let pair = Coefficients { static_friction: 0.6, kinetic_friction };
                    let ratios = (1..120).filter(|k| *k != 100).map(|k| f64::from(k) * 0.01);
                    for ratio in ratios.chain([1e-9, 1e-4]) {
                        // at the cones rounding decides
                        if (ratio * 0.6 - kinetic_friction).abs() < 1e-9 {
                            continue;
                        }
                        let (fast, slow) = (law.creep(ratio, &pair), searched(law, ratio, &pair));
                        let near = |(a, b): (f64, f64)| (a - b).abs() <= 1e3 * f64::EPSILON * b;
                        assert!(
                            fast == slow || fast.zip(slow).is_some_and(near),
                            "{ratio} {pair:?} {stribeck_speed}: {fast:?} {slow:?}"
                        );
                        found += u32::from(fast.is_some());
                    }
                }
            }
        }
        assert!(found > 2000, "{found}");
    }

    #[test]
    fn creep_asks_for_few_shares() {
        let asked = std::cell::Cell::new(0);
        let share = |u: f64| {
            asked.set(asked.get() + 1);
            crate::math::tanh(u)
        };
        let u = first_crossing(share, 0.9, 1.0, f64::INFINITY).expect("a crossing");
        assert!((u - 1.4722194895832204).abs() < 1e-15, "{u}");
        assert!(asked.get() < 40, "{}", asked.get());
    }
}
