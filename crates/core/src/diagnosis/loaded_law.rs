//! The friction law of a contact, or of all contacts of a body together, at their normal forces: its
//! creep under a load, and its force at a slip speed.

use crate::contact::anisotropy::LawFrame;
use crate::contact::friction::{FrictionLaw, Slip};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::state::memory::Coefficients;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// One contact: N, coefficients and damping.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct LoadedContact {
    normal_force: f64,
    pair: Coefficients,
    /// the larger of the law's damping and √(k m), k the stiffness of its stretch \[N·s/m\]
    damping: f64,
}

impl LoadedContact {
    pub(super) fn of(contact: &Contact, law: &dyn FrictionLaw) -> Self {
        let critical = if contact.inverse_mass > 0.0 {
            sqrt(law.stiffness() / contact.inverse_mass)
        } else {
            0.0
        };
        LoadedContact {
            normal_force: contact.normal_force,
            pair: contact.pair,
            damping: larger(contact.damping, critical),
        }
    }

    /// The same in the law's variables of an anisotropic contact.
    pub(super) fn within(mut self, frame: &LawFrame) -> Self {
        self.pair.static_friction *= frame.factor;
        self.pair.kinetic_friction *= frame.factor;
        self.damping /= frame.gain;
        self
    }
}

/// Contacts that share one load.
#[derive(Clone, Copy)]
pub(super) struct LoadedLaw<'a> {
    law: &'a dyn FrictionLaw,
    parts: &'a [LoadedContact],
    /// Σ N at the accepted state \[N\]
    normal_force: f64,
}

impl<'a> LoadedLaw<'a> {
    pub(super) fn new(law: &'a dyn FrictionLaw, parts: &'a [LoadedContact]) -> Self {
        LoadedLaw { law, parts, normal_force: parts.iter().map(|part| part.normal_force).sum() }
    }

    /// Σ μ_s N, scaled to the mean N of a window \[N\].
    pub(super) fn capacity(&self, normal_force: f64) -> f64 {
        let here: f64 = self.parts.iter().map(|p| p.pair.static_friction * p.normal_force).sum();
        if self.normal_force > 0.0 { here * (normal_force / self.normal_force) } else { 0.0 }
    }

    /// Scale of speed Σ μ_s N/Σ |∂F/∂v| \[m/s\]: ε for the threshold law. For a law with stretch
    /// |∂F/∂v| is at least √(k m).
    pub(super) fn scale(&self) -> f64 {
        let damping: f64 = self.parts.iter().map(|part| part.damping).sum();
        if damping > 0.0 { self.capacity(self.normal_force) / damping } else { 0.0 }
    }

    /// Speed at which the law's force reaches μ_s N, or its damper alone does \[m/s\].
    pub(super) fn threshold(&self) -> f64 {
        larger(self.law.threshold(), self.scale())
    }

    /// Speed above which contacts slide, under every law \[m/s\].
    pub(super) fn reach(&self) -> f64 {
        8.0 * self.threshold()
    }

    /// Σ μ_k N, scaled to the mean N of a window \[N\].
    pub(super) fn kinetic(&self, normal_force: f64) -> f64 {
        let here: f64 = self.parts.iter().map(|p| p.pair.kinetic_friction * p.normal_force).sum();
        if self.normal_force > 0.0 { here * (normal_force / self.normal_force) } else { 0.0 }
    }

    /// Whether the law holds by a stretch, without creep.
    pub(super) fn has_memory(&self) -> bool {
        self.law.has_memory()
    }

    /// Whether the law is set-valued at rest: it bears a load without creep, and has no stretch.
    pub(super) fn is_set_valued(&self) -> bool {
        !self.law.has_memory()
            && self.creep(0.5 * self.capacity(self.normal_force), self.normal_force) == Some(0.0)
    }

    /// Whether the law creeps or rests at all, and the contacts bear a normal force.
    pub(super) fn can_rest(&self) -> bool {
        self.law.can_rest() && self.capacity(self.normal_force) > 0.0
    }

    /// The law's creep \[m/s\] under `load` \[N\] at the mean N of a window \[N\], if friction holds it.
    pub(super) fn creep(&self, load: f64, normal_force: f64) -> Option<f64> {
        let capacity = self.capacity(normal_force);
        if capacity <= 0.0 {
            return None;
        }
        let pair = Coefficients {
            static_friction: capacity / normal_force,
            kinetic_friction: self.kinetic(normal_force) / normal_force,
        };
        self.law.creep(load / capacity, normal_force / self.parts.len() as f64, &pair)
    }

    /// The load that a law without memory bears at a slip speed, with `share` of each N \[N\].
    fn bears(&self, speed: f64, share: f64) -> f64 {
        let force = |part: &LoadedContact| {
            let slip = Slip {
                velocity: Vector::new(speed, 0.0, 0.0),
                normal_force: part.normal_force * share,
                ..Slip::default()
            };
            self.law.force(&slip, &part.pair).norm()
        };
        self.parts.iter().map(force).sum()
    }

    /// The least and the largest load that a law without memory bears at the speeds `speed` and
    /// `speed` ± `around` \[N\].
    pub(super) fn loads(&self, speed: f64, around: f64, normal_force: f64) -> (f64, f64) {
        let share = normal_force / self.normal_force;
        let speeds = [larger(speed - around, 0.0), speed, speed + around];
        speeds.iter().fold((f64::INFINITY, 0.0), |(least, most), speed| {
            let load = self.bears(*speed, share);
            (smaller(least, load), larger(most, load))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Matrix;

    /// In the variables of the law a contact that is twice as rough and four times as damped across its
    /// grain has twice the coefficients and a quarter of its damping.
    #[test]
    fn an_anisotropic_contact_is_seen_in_the_variables_of_its_law() {
        let pair = Coefficients { static_friction: 0.4, kinetic_friction: 0.3 };
        let contact = LoadedContact { normal_force: 10.0, pair, damping: 8.0 };
        let (slip, force) = (Matrix::identity(), Matrix::identity());
        let within = contact.within(&LawFrame { slip, force, factor: 2.0, gain: 4.0 });
        assert_eq!(within.pair, Coefficients { static_friction: 0.8, kinetic_friction: 0.6 });
        assert_eq!((within.normal_force, within.damping), (10.0, 2.0));
    }
}
