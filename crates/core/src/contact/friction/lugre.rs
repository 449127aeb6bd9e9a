//! The LuGre law: Dahl's bristle with damping, a Stribeck curve for its saturation, and viscous
//! friction beside it. Presliding, break-away, stick–slip and holding in one law.

use super::super::regularisation::Regularisation;
use super::bristle::{STIFFNESS, follow, inside, is_short};
use super::{FrictionLaw, Slip};
use crate::math::{Vector, exp, larger};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Coefficients;

/// F = −(σ0 z + σ1 ż + σ2 v) with ż = v − σ0 |v| z/g and g = N (μ_k + (μ_s − μ_k) e^{−(s/v_s)²}).
///
/// σ0 \[N/m\], σ1 and σ2 \[N·s/m\] per contact, v_s \[m/s\]. Unlike in the source, the cone |F| ≤
/// max(μ_s, μ_k) N bounds F, so σ1 and σ2 cannot hold more than the contact bears. Over a step z
/// moves by the exact solution along the displacement since the commit, with g of the step's end.
/// The law does not creep: under a load T < μ_s N it rests at σ0 z = T.
///
/// As the speed rises, g falls, and a z beyond g/σ0 decays to g/σ0 over the distance g/σ0: friction
/// lags behind the speed, and under a faster load the bristle breaks away at a smaller force. To
/// cut z at the present g/σ0 would remove that lag, so z is bounded only by its largest value at
/// any speed, max(μ_s, μ_k) N/σ0. A fall of N (constant in the source) lowers that bound, and z is
/// cut to it: at less N the contact cannot bear the old σ0 z at any speed.
///
/// Steady sliding gives g + σ2 s. Where g falls with s, the damping is negative, down to
/// −0.858 (μ_s − μ_k) N/v_s, and causes stick–slip. With a large σ1 the law may, just after a
/// reversal, return more energy than it stored. While z decays, ż opposes the slip and σ1 |ż| may
/// exceed σ0 |z|: unlike in the source, σ1 ż is limited so that friction falls to zero but never
/// drives the slip. Limits: oscillation √(σ0/m), decay (2σ1 + σ2)/m. The derivative is by finite
/// differences; the bristle is first-order accurate in the commit interval. Source:
/// \[canudas1995\].
#[derive(Debug, Clone, Copy)]
pub struct LuGre {
    /// σ0 \[N/m\].
    pub stiffness: f64,
    /// σ1 \[N·s/m\].
    pub damping: f64,
    /// σ2 \[N·s/m\].
    pub viscosity: f64,
    /// v_s \[m/s\].
    pub stribeck_speed: f64,
}

/// The key of v_s.
const SPEED: &str = "stribeck_speed";

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "lugre",
    about: "damped bristle with a Stribeck curve: holds without creep, presliding, stick–slip",
    keys: &[
        STIFFNESS,
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "damping σ1 of the bristle",
        },
        Key {
            name: "viscosity",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "viscous friction σ2 beside the bristle",
        },
        Key {
            name: SPEED,
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Number(1e-2),
            about: "speed v_s over which friction falls from μ_s to μ_k",
        },
    ],
    page: Page {
        formula: "F = −(σ0 z + σ1 z' + σ2 v), inside the cone\n\
            z' = v − σ0 |v| z/g,    g = N (μ_k + (μ_s − μ_k) exp(−(s/v_s)²))",
        creep: "None under a steady load: it rests at an elastic offset of the bristle. A slow load that \
            swings between the shares f1 and f2 of μ_s N walks by (μ_s N/σ0) log((1 − f1²)/(1 − f2²)) with \
            every swing, as under dahl.",
        stiffness: "Stiffness σ0 [N/m] and damping σ1 + σ2 [N·s/m]: ω = √(σ0/m) and (σ1 + σ2)/m limit an explicit step.",
        when: "When presliding, the Stribeck effect and viscous friction all matter: control of machines, stick–slip with a real standstill.",
        source: "Carlos Canudas de Wit and others 1995, A new model for control of systems with friction [canudas1995]",
    },
    make: |values| {
        Ok(Box::new(LuGre {
            stiffness: values.number("stiffness"),
            damping: values.number("damping"),
            viscosity: values.number("viscosity"),
            stribeck_speed: values.number(SPEED),
        }))
    },
};

impl LuGre {
    /// g/σ0, the stretch of steady sliding at this speed \[m\].
    fn reach(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let share = slip.velocity.norm() / self.stribeck_speed;
        let fall = pair.static_friction - pair.kinetic_friction;
        let mu = pair.kinetic_friction + fall * exp(-share * share);
        mu * slip.normal_force / self.stiffness
    }

    /// σ1, reduced where ż opposes the slip so that F·v ≤ 0 \[N·s/m\]; `held` is σ0 z + σ2 v.
    fn resistance(&self, held: &Vector, rate: &Vector, slip: &Slip) -> f64 {
        let (taken, given) = (held.dot(&slip.velocity), -rate.dot(&slip.velocity));
        if given > 0.0 && self.damping * given > taken { taken / given } else { self.damping }
    }

    /// Largest force of the contact at any speed, max(μ_s, μ_k) N \[N\].
    fn cone(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        larger(pair.static_friction, pair.kinetic_friction) * slip.normal_force
    }

    /// z \[m\] and ż \[m/s\] at the slip.
    fn bristle(&self, slip: &Slip, pair: &Coefficients) -> (Vector, Vector) {
        let reach = self.reach(slip, pair);
        if reach <= 0.0 {
            return (Vector::zeros(), Vector::zeros());
        }
        let longest = self.cone(slip, pair) / self.stiffness;
        let z = follow(slip.stretch, slip.displacement, reach, longest).stretch;
        (z, slip.velocity - z / reach * slip.velocity.norm())
    }
}

impl FrictionLaw for LuGre {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let (z, rate) = self.bristle(slip, pair);
        let held = z * self.stiffness + slip.velocity * self.viscosity;
        -inside(held + rate * self.resistance(&held, &rate, slip), self.cone(slip, pair))
    }

    fn relax(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.bristle(slip, pair).0
    }

    fn rate(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        self.bristle(slip, pair).1
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        is_short(self.relax(slip, pair), self.reach(slip, pair))
    }

    /// No kink: the transition from stick to slip is gradual.
    fn is_kinked(&self) -> bool {
        false
    }

    /// σ1 |∂ż/∂v| + σ2 with the bound |∂ż/∂v| ≤ 1 + σ0 |z|/g, reached as the slip turns against a
    /// stretched bristle. The bound is taken as 2, and as more only while z decays to a fallen g.
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        let (z, reach) = (self.relax(slip, pair).norm(), self.reach(slip, pair));
        let longer = if z > reach { z / reach } else { 1.0 };
        (1.0 + longer) * self.damping + self.viscosity
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, _pair: &Coefficients) -> Option<f64> {
        (load_ratio < 1.0).then_some(0.0)
    }

    fn has_memory(&self) -> bool {
        true
    }

    /// The stretch falls as σ0 grows, at the same damping ratio; Coulomb's law has neither viscosity nor a speed over
    /// which friction falls.
    fn regularisation(&self) -> Regularisation {
        let keys = [
            (STIFFNESS.name, self.stiffness, -2.0),
            ("damping", self.damping, -1.0),
            ("viscosity", self.viscosity, 1.0),
            (SPEED, self.stribeck_speed, 1.0),
        ];
        Regularisation::Keys(keys.into())
    }
}
