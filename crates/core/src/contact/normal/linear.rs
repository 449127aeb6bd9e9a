//! Kelvin–Voigt penalty: a spring and a damper, clamped.

use super::super::regularisation::Regularisation;
use super::NormalLaw;
use crate::math::{acos, acosh, bisect, exp, larger, sqrt};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// N = max(0, k d + c ḋ).
///
/// k \[N/m\] stiffness, c \[N·s/m\] damping, d \[m\] depth, ḋ \[m/s\] its rate. c is given, or
/// c = 2 ζ √(k m) with the ζ of the wanted [`restitution`].
#[derive(Debug, Clone, Copy)]
pub struct Linear {
    /// k \[N/m\].
    pub stiffness: f64,
    /// The rule for c.
    pub damping: LinearDamping,
}

/// The rule for the damping of the law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LinearDamping {
    /// c \[N·s/m\], the same for every contact.
    Coefficient(f64),
    /// e of every contact.
    Restitution(f64),
    /// e of the pair of materials; no damping if none is stated.
    OfThePair,
}

/// Least restitution: its ζ is 15.8, and e = 0 would need an infinite ζ.
pub(crate) const LEAST_RESTITUTION: f64 = 1e-3;

/// The row of the law.
pub const ENTRY: Entry<dyn NormalLaw> = Entry {
    name: "linear",
    about: "spring and damper, N = max(0, k d + c ḋ)",
    keys: &[
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/m", range: Range::Positive },
            default: Fallback::Required,
            about: "penalty stiffness k",
        },
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Optional("from the restitution; none where no material states one"),
            about: "penalty damping c",
        },
        Key {
            name: "restitution",
            kind: Kind::Number { unit: "", range: Range::Between(0.0, 1.0) },
            default: Fallback::Optional("as the pair of materials states"),
            about: "coefficient of restitution e of every contact, instead of `damping`",
        },
    ],
    page: Page {
        formula: "N = max(0, k d + c d')\n\
            d [m] depth, d' [m/s] its rate, k [N/m], c [N·s/m]",
        creep: "",
        stiffness: "Stiffness k [N/m] and damping c [N·s/m]: ω = √(k/m) and c/m limit an explicit step.",
        when: "The plain choice. Depth under a load is N/k; c from `restitution` makes every impact return the same share of its speed.",
        source: "Peter Cundall and Otto Strack 1979, A discrete numerical model for granular assemblies [cundall1979]",
    },
    make: |values| {
        let damping = match (values.get_number("damping"), values.get_number("restitution")) {
            (Some(_), Some(_)) => {
                return Err(Problem::of(
                    "restitution",
                    "`damping` and `restitution` both decide how a contact bounces",
                    "give one of them",
                ));
            }
            (Some(c), None) => LinearDamping::Coefficient(c),
            (None, Some(e)) => LinearDamping::Restitution(e),
            (None, None) => LinearDamping::OfThePair,
        };
        Ok(Box::new(Linear { stiffness: values.number("stiffness"), damping }))
    },
};

impl NormalLaw for Linear {
    fn force(&self, d: f64, rate: f64, damping: f64) -> f64 {
        let n = self.stiffness * d + damping * rate;
        if n > 0.0 { n } else { 0.0 }
    }

    fn derivative(&self, d: f64, rate: f64, damping: f64) -> (f64, f64) {
        if self.stiffness * d + damping * rate > 0.0 {
            (self.stiffness, damping)
        } else {
            (0.0, 0.0)
        }
    }

    fn energy(&self, d: f64) -> f64 {
        0.5 * self.stiffness * d * d
    }

    fn elastic(&self, d: f64) -> f64 {
        self.stiffness * d
    }

    /// 2 ζ from the restitution; zero where none is stated or c is given.
    fn bounce(&self, restitution: Option<f64>) -> f64 {
        match (self.damping, restitution) {
            (LinearDamping::Restitution(e), _) | (LinearDamping::OfThePair, Some(e)) => {
                2.0 * damping_ratio(e)
            }
            _ => 0.0,
        }
    }

    fn damping(&self, bounce: f64, mass: f64) -> f64 {
        match self.damping {
            LinearDamping::Coefficient(c) => c,
            _ if bounce == 0.0 => 0.0,
            _ => bounce * sqrt(self.stiffness * mass),
        }
    }

    fn returned(&self, bounce: f64, share: f64) -> Option<f64> {
        self.weighs(bounce).then(|| restitution(0.5 * bounce * share))
    }

    fn heeds_restitution(&self) -> bool {
        self.damping == LinearDamping::OfThePair
    }

    fn is_linear(&self) -> bool {
        true
    }

    /// The depth N/k falls as k grows; c/√k stays, and with it the restitution.
    fn regularisation(&self) -> Regularisation {
        let mut keys = vec![("stiffness", self.stiffness, -2.0)];
        if let LinearDamping::Coefficient(damping) = self.damping {
            keys.push(("damping", damping, -1.0));
        }
        Regularisation::Keys(keys)
    }
}

/// Restitution of a spring and damper that never pulls, with ζ = c/(2 √(k m)):
///
/// ```text
/// e = exp(−2 ζ arccos(ζ)/√(1 − ζ²)),   e⁻² at ζ = 1,   arcosh and √(ζ² − 1) beyond
/// ```
///
/// The contact ends when its force does, k d + c ḋ = 0, while still compressed. The textbook formula
/// exp(−π ζ/√(1 − ζ²)) lets the force pull until d = 0 and gives a smaller e.
pub fn restitution(damping_ratio: f64) -> f64 {
    let z = damping_ratio;
    let off = 1.0 - z * z;
    // arccos(ζ)/√(1 − ζ²) and its continuation; 1 + (1 − ζ)/3 near ζ = 1
    let angle = if off.abs() < 1e-8 {
        1.0 + (1.0 - z) / 3.0
    } else if off > 0.0 {
        acos(z) / sqrt(off)
    } else {
        acosh(z) / sqrt(-off)
    };
    exp(-2.0 * z * angle)
}

/// The ζ at which [`restitution`] is `e`, 0 ≤ e ≤ 1, to the last bit by bisection; an e below .001
/// counts as .001.
pub fn damping_ratio(e: f64) -> f64 {
    let e = larger(e, LEAST_RESTITUTION);
    if e >= 1.0 {
        return 0.0;
    }
    let mut high = 1.0;
    while restitution(high) > e {
        high *= 2.0;
    }
    bisect(0.0, high, |ratio| restitution(ratio) > e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restitution_has_its_tabled_values_and_inverse() {
        let table = [
            (0.05, 0.858758),
            (0.1, 0.744079),
            (0.2, 0.571740),
            (0.3, 0.450975),
            (0.5, 0.298436),
            (0.7, 0.210285),
            (1.0, 0.135335),
        ];
        for (zeta, e) in table {
            assert!((restitution(zeta) - e).abs() < 1e-6, "{zeta}: {}", restitution(zeta));
            assert!((damping_ratio(restitution(zeta)) - zeta).abs() < 1e-9, "{zeta}");
        }
        for (e, zeta) in [(0.9, 0.034265), (0.8, 0.074355), (0.5, 0.255276), (0.3, 0.497239)] {
            assert!((damping_ratio(e) - zeta).abs() < 1e-6, "{e}: {}", damping_ratio(e));
        }
        // smooth through ζ = 1, and on to strong damping
        assert!((restitution(1.0 - 1e-6) - restitution(1.0 + 1e-6)).abs() < 1e-6);
        assert!((restitution(damping_ratio(LEAST_RESTITUTION)) - LEAST_RESTITUTION).abs() < 1e-12);
    }
}
