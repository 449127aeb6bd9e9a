//! Dahl's law: a bristle that stretches with the slip and saturates on the cone. It holds at an
//! elastic offset, and friction passes smoothly from spring to sliding.

use super::super::regularisation::Regularisation;
use super::bristle::{STIFFNESS, follow, inside, is_short};
use super::{FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, log};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Coefficients;

/// F = −(σ0 z + c v), inside the cone |F| ≤ μ_k N, with ż = v − σ0 |v| z/(μ_k N).
///
/// σ0 \[N/m\] and c \[N·s/m\] per contact; one coefficient, the kinetic, since the law has no peak.
/// Over a step z moves by the exact solution along the displacement since the commit, so
/// |z| ≤ μ_k N/σ0 for any step; where N falls, a longer z is cut to that. The law does not creep:
/// under a steady load T < μ_k N it rests at the offset −(μ_k N/σ0) ln(1 − T/(μ_k N)).
///
/// The bristle dissipates in every swing, in small ones only as the cube of their size. A load that
/// swings between the shares f₁ and f₂ of the cone makes the contact ratchet, by
/// (μ_k N/σ0) ln((1 − f₁²)/(1 − f₂²)) in every period. The damping c, not part of Dahl's law, ends
/// a free swing; in slip it has no effect, since the cone bounds F. Limits: oscillation √(σ0/m),
/// decay c/m. The bristle is first-order accurate in the commit interval. Source: \[dahl1968\].
#[derive(Debug, Clone, Copy)]
pub struct Dahl {
    /// σ0 \[N/m\].
    pub stiffness: f64,
    /// c \[N·s/m\].
    pub damping: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn FrictionLaw> = Entry {
    name: "dahl",
    about: "bristle that saturates at μ_k N: holds without creep, passes smoothly into sliding",
    keys: &[
        STIFFNESS,
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::NonNegative },
            default: Fallback::Number(0.0),
            about: "tangential damping c beside the bristle, inside the cone",
        },
    ],
    page: Page {
        formula: "F = −(σ0 z + c v), inside |F| ≤ μ_k N\n\
            z' = v − σ0 |v| z/(μ_k N)\n\
            z [m] stretch of the bristle",
        creep: "None under a steady load: it rests at the offset −(μ_k N/σ0) log(1 − T/(μ_k N)). A load \
            that swings between the shares f1 and f2 of μ_k N walks by (μ_k N/σ0) log((1 − f1²)/(1 − f2²)) \
            with every swing.",
        stiffness: "Stiffness σ0 [N/m] and damping c [N·s/m]: ω = √(σ0/m) and c/m limit an explicit step.",
        when: "When holding should pass smoothly into sliding, as in bearings and drives. One coefficient only. Give it some c: by itself it hardly damps small swings.",
        source: "Philip Dahl 1968, A solid friction model [dahl1968]",
    },
    make: |values| {
        Ok(Box::new(Dahl {
            stiffness: values.number("stiffness"),
            damping: values.number("damping"),
        }))
    },
};

impl Dahl {
    /// The longest stretch \[m\].
    fn reach(&self, slip: &Slip, pair: &Coefficients) -> f64 {
        pair.kinetic_friction * slip.normal_force / self.stiffness
    }
}

impl FrictionLaw for Dahl {
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let load = self.relax(slip, pair) * self.stiffness + slip.velocity * self.damping;
        -inside(load, pair.kinetic_friction * slip.normal_force)
    }

    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        let cone = pair.kinetic_friction * slip.normal_force;
        if cone <= 0.0 {
            return SlipJacobian::default();
        }
        let reach = self.reach(slip, pair);
        let bristle = follow(slip.stretch, slip.displacement, reach, reach);
        let load = bristle.stretch * self.stiffness + slip.velocity * self.damping;
        let by_displacement = bristle.by_displacement * self.stiffness;
        let by_normal_force = bristle.by_reach * (self.stiffness / slip.normal_force);
        let size = load.norm();
        if size <= cone {
            return SlipJacobian {
                by_displacement: -by_displacement,
                by_velocity: Matrix::identity() * -self.damping,
                by_normal_force: -by_normal_force,
            };
        }
        // on the cone only the direction of the load matters
        let t = load / size;
        let across = (t * t.transpose() - Matrix::identity()) * (cone / size);
        SlipJacobian {
            by_displacement: across * by_displacement,
            by_velocity: across * self.damping,
            by_normal_force: across * by_normal_force - t * pair.kinetic_friction,
        }
    }

    fn relax(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let reach = self.reach(slip, pair);
        follow(slip.stretch, slip.displacement, reach, reach).stretch
    }

    fn rate(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let reach = self.reach(slip, pair);
        if reach <= 0.0 {
            return Vector::zeros();
        }
        slip.velocity - self.relax(slip, pair) * (slip.velocity.norm() / reach)
    }

    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool {
        is_short(self.relax(slip, pair), self.reach(slip, pair))
    }

    /// No kink: the transition from stick to slip is gradual.
    fn is_kinked(&self) -> bool {
        false
    }

    fn damping(&self, _slip: &Slip, _pair: &Coefficients) -> f64 {
        self.damping
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn creep(&self, load_ratio: f64, _normal_force: f64, pair: &Coefficients) -> Option<f64> {
        (load_ratio * pair.static_friction < pair.kinetic_friction).then_some(0.0)
    }

    fn has_memory(&self) -> bool {
        true
    }

    /// −(μ_k N/σ0) log(1 − T/(μ_k N)).
    fn offset_under(&self, tangential_force: f64, stiffness: f64, kinetic_cone: f64) -> f64 {
        -kinetic_cone / stiffness * log(1.0 - tangential_force / kinetic_cone)
    }

    /// The stretch falls as σ0 grows; c/√σ0 stays, and with it the damping ratio.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Keys(vec![
            (STIFFNESS.name, self.stiffness, -2.0),
            ("damping", self.damping, -1.0),
        ])
    }
}
