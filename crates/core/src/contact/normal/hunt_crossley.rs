//! A power law whose damping grows with the depth: N begins and ends at zero, without a jump.

use super::super::regularisation::Regularisation;
use super::NormalLaw;
use super::linear::LEAST_RESTITUTION;
use crate::math::{bisect, larger, log1p, pow, sqrt};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// N = max(0, k dⁿ (1 + a ḋ)).
///
/// k \[N/mⁿ\], d \[m\] depth, ḋ \[m/s\] its rate, a \[s/m\]. For any k, n and mass, an impact at the
/// speed v returns e v with a v (1 + e) = ln((1 + a v)/(1 − a v e)): e falls with v. So a follows from e
/// and the impact speed at which e holds, see [`dissipation`]. Source: \[hunt1975\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct HuntCrossley {
    /// k \[N/mⁿ\].
    pub stiffness: f64,
    /// n ≥ 1.
    pub exponent: f64,
    /// The rule for a.
    pub damping: Damping,
}

/// The rule for the dissipation a.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// a \[s/m\], the same for every contact.
    Coefficient(f64),
    /// e of every contact, at an impact speed \[m/s\].
    Restitution(f64, f64),
    /// e of the pair of materials, at an impact speed \[m/s\]; no damping if none is stated.
    OfThePair(f64),
}

/// The key of the dissipation.
pub(super) const DISSIPATION: &str = "dissipation";

/// The row of the law.
pub const ENTRY: Entry<dyn NormalLaw> = Entry {
    name: "hunt-crossley",
    about: "N = max(0, k dⁿ (1 + a ḋ)): no jump at touch and release, restitution falls with speed",
    keys: &[
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/mⁿ", range: Range::Positive },
            default: Fallback::Required,
            about: "penalty stiffness k",
        },
        Key {
            name: "exponent",
            kind: Kind::Number { unit: "", range: Range::Between(1.0, 10.0) },
            default: Fallback::Number(1.5),
            about: "power n of the depth",
        },
        Key {
            name: DISSIPATION,
            kind: Kind::Number { unit: "s/m", range: Range::NonNegative },
            default: Fallback::Optional("from the restitution; none where no material states one"),
            about: "dissipation a",
        },
        Key {
            name: "restitution",
            kind: Kind::Number { unit: "", range: Range::Between(0.0, 1.0) },
            default: Fallback::Optional("as the pair of materials states"),
            about: "coefficient of restitution e of every contact at `impact_speed`, instead of `dissipation`",
        },
        Key {
            name: "impact_speed",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Optional("1 m/s"),
            about: "speed of impact at which the restitution holds; slower impacts return more, faster ones less",
        },
    ],
    page: Page {
        formula: "N = max(0, k dⁿ (1 + a d'))\n\
            d [m] depth, d' [m/s] its rate, k [N/mⁿ], a [s/m]\n\
            a v (1 + e) = ln((1 + a v)/(1 − a v e)) at the impact speed v",
        creep: "",
        stiffness: "Stiffness n k dⁿ⁻¹ [N/m] and damping a k dⁿ [N·s/m], both growing with the depth: the deepest contact limits an explicit step, with ω² = n k dⁿ⁻¹/m.",
        when: "For impacts: the force has no jump at touch and release, and e falls with the speed as measured on real bodies. Soft at small depth, so resting contacts sink in more than under the linear law of the same k d.",
        source: "Kenneth Hunt and Erskine Crossley 1975, Coefficient of restitution interpreted as damping in vibroimpact [hunt1975]",
    },
    make: |values| {
        let speed = values.get_number("impact_speed");
        let at = speed.unwrap_or(1.0);
        let damping = match (values.get_number(DISSIPATION), values.get_number("restitution")) {
            (Some(_), Some(_)) => {
                return Err(Problem::of(
                    "restitution",
                    "`dissipation` and `restitution` both decide how a contact bounces",
                    "give one of them",
                ));
            }
            (Some(_), None) if speed.is_some() => {
                return Err(Problem::of(
                    "impact_speed",
                    "`impact_speed` says where `restitution` holds, but `dissipation` is given",
                    "remove `impact_speed`, or give `restitution` instead of `dissipation`",
                ));
            }
            (Some(a), None) => Damping::Coefficient(a),
            (None, Some(e)) => Damping::Restitution(e, at),
            (None, None) => Damping::OfThePair(at),
        };
        let (stiffness, exponent) = (values.number("stiffness"), values.number("exponent"));
        Ok(Box::new(HuntCrossley { stiffness, exponent, damping }))
    },
};

impl HuntCrossley {
    /// dᵖ, by square roots where n = 3/2.
    fn power(d: f64, p: f64) -> f64 {
        if p == 1.5 {
            d * sqrt(d)
        } else if p == 0.5 {
            sqrt(d)
        } else {
            pow(d, p)
        }
    }
}

impl NormalLaw for HuntCrossley {
    fn force(&self, d: f64, rate: f64, damping: f64) -> f64 {
        let share = 1.0 + damping * rate;
        if share > 0.0 { self.elastic(d) * share } else { 0.0 }
    }

    fn derivative(&self, d: f64, rate: f64, damping: f64) -> (f64, f64) {
        let share = 1.0 + damping * rate;
        if share > 0.0 {
            let steep = self.exponent * self.stiffness * Self::power(d, self.exponent - 1.0);
            (steep * share, self.elastic(d) * damping)
        } else {
            (0.0, 0.0)
        }
    }

    fn energy(&self, d: f64) -> f64 {
        self.elastic(d) * d / (self.exponent + 1.0)
    }

    fn elastic(&self, d: f64) -> f64 {
        self.stiffness * Self::power(d, self.exponent)
    }

    /// a \[s/m\] from the restitution; zero where none is stated or a itself is given.
    fn bounce(&self, restitution: Option<f64>) -> f64 {
        match (self.damping, restitution) {
            (Damping::Restitution(e, speed), _) | (Damping::OfThePair(speed), Some(e)) => {
                dissipation(e) / speed
            }
            _ => 0.0,
        }
    }

    /// a \[s/m\], for any mass.
    fn damping(&self, bounce: f64, _mass: f64) -> f64 {
        match self.damping {
            Damping::Coefficient(a) => a,
            _ => bounce,
        }
    }

    fn heeds_restitution(&self) -> bool {
        matches!(self.damping, Damping::OfThePair(_))
    }

    /// The depth (N/k)^(1/n) falls as k^(1/n) grows; the restitution is that of a v at any k.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![("stiffness", self.stiffness, -2.0 * self.exponent)])
    }
}

/// The a v at which an impact at v returns e v: the root of
///
/// ```text
/// a v (1 + e) = ln(1 + a v) − ln(1 − a v e)
/// ```
///
/// between 0 and 1/e, 0 ≤ e ≤ 1, by bisection; an e below .001 counts as .001. Close to e = 1 the
/// series of the root is used, 3 (1 − e²)/(2 (1 + e³)).
pub fn dissipation(e: f64) -> f64 {
    let e = larger(e, LEAST_RESTITUTION);
    if e > 1.0 - 1e-5 {
        return 1.5 * (1.0 - e) * (1.0 + e) / (1.0 + e * e * e);
    }
    let too_small = |x: f64| x * (1.0 + e) > log1p(x) - log1p(-x * e);
    bisect(0.0, 1.0 / e, too_small)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dissipation_inverts_the_tabled_restitution() {
        let table =
            [(0.05, 0.967739), (0.2, 0.882190), (0.5, 0.748435), (1.0, 0.593624), (3.0, 0.306897)];
        for (product, e) in table {
            let found = dissipation(e);
            assert!((found / product - 1.0).abs() < 3e-5, "{e}: {found} {product}");
        }
        assert_eq!(dissipation(1.0), 0.0);
        // agreement on both sides of the change to the series
        let (a, b) = (dissipation(1.0 - 1.01e-5), dissipation(1.0 - 0.99e-5));
        assert!((a / b - 1.01 / 0.99).abs() < 1e-4, "{a} {b}");
        assert!(dissipation(0.0).is_finite() && dissipation(0.0) > 999.0);
    }
}
