//! A law written in the scene: μ, or the force, as a formula in slip speed and normal force.

use super::super::regularisation::Regularisation;
use super::ramp::EPSILON;
use super::{FrictionLaw, Slip, SlipJacobian};
use crate::expression::{Bundle, CONSTANTS_KEY, Expression, check_constants};
use crate::math::{Matrix, Vector, bisect, larger, pow, smaller};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Values};
use crate::state::memory::Coefficients;

/// The variables of a formula: s \[m/s\], N \[N\], and the coefficients of the pair.
const VARIABLES: &[&str] = &["s", "N", "mu_s", "mu_k"];

/// μ where the scene gives no formula.
const DEFAULT: &str = "mu_k + (mu_s - mu_k) * exp(-(s / 0.1)^2)";

/// F = −f(s, N) v/max(s, ε), where f = μ(s, N) N with the key `mu`, or f \[N\] is the key `force`.
///
/// Below ε \[m/s\] F is the threshold law's ramp with f at the actual s: the law creeps, and never
/// divides by zero. f is kept in 0 ≤ f ≤ max(μ_s, μ_k) N; before a run [`FrictionLaw::fits`]
/// refuses a formula that leaves this range at the sampled speeds and loads. Derivatives are
/// symbolic. Creep is found by bisection on the first rising branch. Explicit Euler needs
/// h < 2 m ε/(μ N), and less where f rises more steeply than the ramp.
pub struct Formula {
    what: FormulaKind,
    /// f or μ, with its derivatives by s and N.
    share: Bundle<2>,
    /// Whether the formula contains μ_s or μ_k.
    of_pair: bool,
    /// ε \[m/s\].
    pub epsilon: f64,
    /// Largest |∂f/∂s| for each of [`loads`]: \[N·s/m\], or divided by the cone \[s/m\] when `of_pair`.
    slopes: Vec<f64>,
}

/// The quantity a formula gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FormulaKind {
    /// μ.
    Coefficient,
    /// The size of the force \[N\].
    Force,
}

impl FormulaKind {
    fn key(self) -> &'static str {
        match self {
            FormulaKind::Coefficient => "mu",
            FormulaKind::Force => "force",
        }
    }
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "formula",
    about: "μ(s, N) or the force as a formula in the scene, with the threshold law's ramp below ε",
    keys: &[
        Key {
            name: "mu",
            kind: Kind::Text,
            default: Fallback::Optional("\"mu_k + (mu_s - mu_k) * exp(-(s / 0.1)^2)\""),
            about: "coefficient of friction in s (slip speed, m/s), N (normal force, N), mu_s and mu_k (of the pair)",
        },
        Key {
            name: "force",
            kind: Kind::Text,
            default: Fallback::Optional("from `mu`"),
            about: "size of the friction force in N, in the same variables, instead of `mu`",
        },
        CONSTANTS_KEY,
        EPSILON,
    ],
    page: Page {
        formula: "F = −μ(s, N) N v/max(s, ε)      with `mu`\n\
            F = −f(s, N) v/max(s, ε)        with `force`\n\
            in s [m/s], N [N], mu_s and mu_k of the pair, named `constants`, pi,\n\
            with + - * / ^ ( ) sin cos tan exp log sqrt abs tanh min max",
        creep: "On the first rising branch, by bisection; ε ρ as long as μ stays at μ_s below ε.",
        stiffness: "Damping μ N/ε [N·s/m] at rest: explicit Euler needs h < 2 m ε/(μ N), and less where the formula rises more steeply than the ramp. Where it falls the damping is negative.",
        when: "To try a law of one's own or measured data without compiling. It may not exceed max(μ_s, μ_k) N at any speed and load, so that the coefficients of the materials remain true.",
        source: "The ramp: David Baraff 1991, Coping with Friction for Non-penetrating Rigid Body Simulation [baraff1991]; the default: Li Chun Bo and D. Pavelescu 1982 [bo1982]",
    },
    make: |values| make(values).map(|law| Box::new(law) as Box<dyn FrictionLaw>),
};

fn make(values: &Values) -> Result<Formula, Problem> {
    let (what, text) = match (values.get_text("mu"), values.get_text("force")) {
        (Some(_), Some(_)) => {
            let message = "`mu` and `force` both say how large friction is";
            return Err(Problem::of("force", message, "give one of them"));
        }
        (_, Some(text)) => (FormulaKind::Force, text),
        (text, None) => (FormulaKind::Coefficient, text.unwrap_or(DEFAULT)),
    };
    let key = what.key();
    let constants = values.constants("constants");
    check_constants(VARIABLES, &constants)
        .map_err(|fault| Problem::of("constants", fault.message, fault.help))?;
    let expression = Expression::parse(text, VARIABLES, &constants)
        .map_err(|fault| Problem::of(key, fault.message, fault.help))?;
    let mut law = Formula {
        what,
        share: expression.with_partials([0, 1]),
        of_pair: expression.depends_on(2) || expression.depends_on(3),
        epsilon: values.number("epsilon"),
        slopes: Vec::new(),
    };
    if !law.of_pair {
        // a formula with the pair's coefficients can only be checked by `fits`
        law.check(&Coefficients::default(), f64::INFINITY)?;
    }
    law.slopes = loads().map(|n| law.largest_slope(n)).collect();
    Ok(law)
}

/// Sampled slip speeds: 0, and sixteen a decade from 1e-9 to 1e3 m/s.
fn speeds() -> impl Iterator<Item = f64> {
    std::iter::once(0.0).chain((0..=192).map(|k| pow(10.0, f64::from(k) / 16.0 - 9.0)))
}

/// Sampled normal forces: two a decade from 1e-6 to 1e6 N.
fn loads() -> impl Iterator<Item = f64> {
    (0..=24).map(|k| pow(10.0, f64::from(k) / 2.0 - 6.0))
}

impl Formula {
    /// f, ∂f/∂s and ∂f/∂N of the formula, at N > 0.
    fn raw(&self, s: f64, n: f64, pair: &Coefficients) -> (f64, f64, f64) {
        let at = [s, n, pair.static_friction, pair.kinetic_friction];
        let (value, [by_s, by_n]) = self.share.eval(&at);
        match self.what {
            FormulaKind::Coefficient => (value * n, by_s * n, value + by_n * n),
            FormulaKind::Force => (value, by_s, by_n),
        }
    }

    /// f \[N\], inside the cone.
    fn size(&self, s: f64, n: f64, pair: &Coefficients) -> f64 {
        let at = [s, n, pair.static_friction, pair.kinetic_friction];
        let value = self.share.value(&at);
        let size = if self.what == FormulaKind::Coefficient { value * n } else { value };
        // NaN becomes zero too
        if size > 0.0 { smaller(size, cone(pair, n)) } else { 0.0 }
    }

    /// Largest |∂f/∂s| at N = `n` over all sampled speeds; if the formula contains the pair's
    /// coefficients, divided by the cone and over sampled pairs.
    fn largest_slope(&self, n: f64) -> f64 {
        let slope = |pair: &Coefficients, scale: f64| {
            speeds().fold(0.0, |most, s| {
                let (size, by_s, _) = self.raw(s, n, pair);
                // a force beyond any cone (μ = 4) is cut off
                let counts = by_s.is_finite() && size <= 4.0 * n;
                if counts { larger(most, by_s.abs() / scale) } else { most }
            })
        };
        if !self.of_pair {
            return slope(&Coefficients::default(), 1.0);
        }
        let kinds = [(0.1, 0.1), (0.5, 0.5), (1.0, 1.0), (0.5, 0.25), (1.0, 0.1), (0.3, 0.2)];
        kinds.iter().fold(0.0, |most, &(static_friction, kinetic_friction)| {
            let pair = Coefficients { static_friction, kinetic_friction };
            larger(most, slope(&pair, cone(&pair, n)))
        })
    }

    /// Prepared bound of |∂f/∂s| \[N·s/m\] at N = `n`: the larger of those at the two nearest loads.
    fn slope_bound(&self, n: f64, pair: &Coefficients) -> f64 {
        let last = self.slopes.len() - 1;
        let above = loads().position(|load| load >= n).unwrap_or(last);
        let most = larger(self.slopes[above], self.slopes[above.saturating_sub(1)]);
        if self.of_pair { most * cone(pair, n) } else { most }
    }

    /// Checks at all sampled speeds and loads that f is finite, not negative and at most
    /// `most` times N.
    fn check(&self, pair: &Coefficients, most: f64) -> Result<(), Problem> {
        let key = self.what.key();
        for n in loads() {
            for s in speeds() {
                let size = self.raw(s, n, pair).0;
                let at = format!("at s = {} m/s and N = {} N", short(s), short(n));
                let given = match self.what {
                    FormulaKind::Coefficient => short(size / n),
                    FormulaKind::Force => format!("{} N", short(size)),
                };
                if !size.is_finite() {
                    let message = format!("the formula has no finite value {at}");
                    let help = "it is needed for s from 0 to 1e3 m/s and N from 1e-6 to 1e6 N";
                    return Err(Problem::of(key, message, help));
                }
                if size < 0.0 {
                    let message = format!("the formula is negative {at}: {given}");
                    let help =
                        "friction must oppose slip at s from 0 to 1e3 m/s and N from 1e-6 to 1e6 N";
                    return Err(Problem::of(key, message, help));
                }
                if size > most * n * (1.0 + 1e-9) {
                    let message = format!(
                        "the formula gives {given} {at}, a coefficient of {}; the larger coefficient of the pair is {}",
                        short(size / n),
                        short(most)
                    );
                    let help = format!(
                        "raise the static friction of the materials, or keep the coefficient below {} at all speeds to 1e3 m/s, as min(..., mu_s) does",
                        short(most)
                    );
                    return Err(Problem::of(key, message, help));
                }
            }
        }
        Ok(())
    }
}

/// max(μ_s, μ_k) N.
fn cone(pair: &Coefficients, n: f64) -> f64 {
    larger(pair.static_friction, pair.kinetic_friction) * n
}

/// A number to four digits.
fn short(x: f64) -> String {
    let rounded = format!("{x:.3e}").parse().unwrap_or(x);
    let size = f64::abs(rounded);
    if rounded == 0.0 || (1e-3..1e5).contains(&size) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

impl FrictionLaw for Formula {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        if slip.normal_force <= 0.0 {
            return Vector::zeros();
        }
        let s = slip.velocity.norm();
        slip.velocity * (-self.size(s, slip.normal_force, pair) / larger(s, self.epsilon))
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let n = slip.normal_force;
        if n <= 0.0 {
            return SlipJacobian::default();
        }
        let s = slip.velocity.norm();
        let size = self.size(s, n, pair);
        let (raw, by_s, by_n) = self.raw(s, n, pair);
        let limit = cone(pair, n);
        let (by_s, by_n) = if raw >= limit {
            (0.0, larger(pair.static_friction, pair.kinetic_friction))
        } else if raw > 0.0 && by_s.is_finite() {
            (by_s, by_n)
        } else {
            (0.0, if raw > 0.0 { by_n } else { 0.0 })
        };
        let t = if s > 0.0 { slip.velocity / s } else { Vector::zeros() };
        let along = t * t.transpose();
        let across = if s < self.epsilon { Matrix::identity() } else { Matrix::identity() - along };
        let reach = larger(s, self.epsilon);
        SlipJacobian {
            by_displacement: Matrix::zeros(),
            by_velocity: across * (-size / reach) - along * (by_s * s / reach),
            by_normal_force: slip.velocity * (-by_n / reach),
        }
    }

    fn sticks(&self, slip: &Slip, _pair: &Coefficients) -> bool {
        slip.velocity.norm() < self.epsilon
    }

    /// The damping of the ramp at the cone plus the bound of the formula's slope.
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let n = slip.normal_force;
        if n > 0.0 { cone(pair, n) / self.epsilon + self.slope_bound(n, pair) } else { 0.0 }
    }

    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        let borne = |s: f64| self.size(s, normal_force, pair) * s / larger(s, self.epsilon);
        let load = load_ratio * pair.static_friction * normal_force;
        if load <= 0.0 {
            return Some(0.0);
        }
        // steps of ε/64 on the ramp, then of 4 %
        let ramp = (1..=64).map(|k| self.epsilon * f64::from(k) / 64.0);
        let beyond = (1..).map(|k| self.epsilon * pow(2.0, f64::from(k) / 16.0));
        let (mut low, mut borne_low) = (0.0, 0.0);
        for high in ramp.chain(beyond.take_while(|s| *s <= 1e3)) {
            let borne_high = borne(high);
            if borne_high >= load {
                return Some(bisect(low, high, |s| borne(s) < load));
            }
            // no load is held past the first peak
            if borne_high < borne_low * (1.0 - 1e-12) {
                return None;
            }
            (low, borne_low) = (high, borne_high);
        }
        None
    }

    fn threshold(&self) -> f64 {
        self.epsilon
    }

    fn fits(&self, pair: &Coefficients) -> Result<(), Problem> {
        self.check(pair, larger(pair.static_friction, pair.kinetic_friction))
    }

    /// The ramp below ε: the formula beyond it counts as what is meant.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![(EPSILON.name, self.epsilon, 1.0)])
    }
}

#[cfg(test)]
mod tests;
