//! The Stribeck curve: friction rises smoothly to nearly μ_s N, then falls to μ_k N as the slip
//! grows past a second speed.

use super::super::regularisation::Regularisation;
use super::ramp::{Chord, EPSILON, Ramp};
use super::{FrictionLaw, tanh};
use crate::math::exp;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Coefficients;

/// F = −μ(s) N tanh(u) v̂ with u = s/ε and μ(s) = μ_k + (μ_s − μ_k) e^{−(s/v_s)²}.
///
/// ε \[m/s\] is the speed of the rise, v_s \[m/s\] that of the fall. The law creeps on the rising
/// branch (the speed is found by bisection) while the load is below the peak, which is a little
/// under μ_s N and tends to it as v_s/ε grows. Steepest at rest, μ_s N/ε, as long as v_s ≥ ε:
/// explicit Euler needs h < 2 m ε/(μ_s N).
///
/// The falling part is **negative damping** of up to 0.858 (μ_s − μ_k) N/v_s: a steady slide there
/// is unstable, which causes stick–slip, and an implicit step larger than m over that damping may
/// find two solutions. The exponential is that of \[bo1982\]; see also \[armstrong1994\].
#[derive(Debug, Clone, Copy)]
pub struct Stribeck {
    /// ε \[m/s\].
    pub epsilon: f64,
    /// v_s \[m/s\].
    pub stribeck_speed: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "stribeck",
    about: "rises as tanh u to about μ_s N, falls to μ_k N past v_s: negative damping, stick–slip",
    keys: &[
        EPSILON,
        Key {
            name: "stribeck_speed",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Optional("ten times epsilon"),
            about: "speed v_s over which friction falls from μ_s to μ_k",
        },
    ],
    page: Page {
        formula: "F = −μ(s) N tanh(s/ε) v/s\n\
            μ(s) = μ_k + (μ_s − μ_k) exp(−(s/v_s)²)",
        creep: "On the rising branch, by bisection; about ε artanh(ρ) while s is well below v_s.",
        stiffness: "Damping μ_s N/ε [N·s/m] at rest: explicit Euler needs h < 2 m ε/(μ_s N). Past v_s the damping is negative, up to 0.858 (μ_s − μ_k) N/v_s, which makes stick–slip.",
        when: "For stick–slip and squeal, with μ_s > μ_k. An implicit step above m over the steepness of the fall may find two solutions.",
        source: "Li Chun Bo and D. Pavelescu 1982, on the friction-speed relation [bo1982]; Brian Armstrong-Hélouvry and others 1994, a survey [armstrong1994]",
    },
    make: |values| {
        let epsilon = values.number("epsilon");
        let stribeck_speed = values.get_number("stribeck_speed").unwrap_or(10.0 * epsilon);
        Ok(Box::new(Stribeck { epsilon, stribeck_speed }))
    },
};

impl Ramp for Stribeck {
    fn epsilon(&self) -> f64 {
        self.epsilon
    }

    fn chord(&self, u: f64, pair: &Coefficients) -> Chord {
        let scale = self.epsilon / self.stribeck_speed;
        let share = u * scale;
        let above = (pair.static_friction - pair.kinetic_friction) * exp(-share * share);
        let mu = pair.kinetic_friction + above;
        let rise = tanh::quotient(u);
        let slope =
            mu * (1.0 - rise * u) * (1.0 + rise * u) - 2.0 * share * scale * above * rise * u;
        Chord { factor: 1.0, quotient: mu * rise, bend: slope - mu * rise }
    }

    fn steepest(&self, pair: &Coefficients) -> f64 {
        let fall = pair.static_friction - pair.kinetic_friction;
        let falling = 0.858 * fall * (self.epsilon / self.stribeck_speed);
        if fall < 0.0 {
            // both rise
            return pair.kinetic_friction - falling;
        }
        crate::math::larger(pair.static_friction, falling)
    }

    fn suits_search(&self) -> bool {
        true
    }

    /// Both speeds, ε the faster, so that the peak tends to μ_s N and is followed by μ_k N at once.
    fn regularisation(&self) -> Regularisation {
        let speed = ("stribeck_speed", self.stribeck_speed, 0.5);
        Regularisation::Keys(vec![(EPSILON.name, self.epsilon, 1.0), speed])
    }
}
