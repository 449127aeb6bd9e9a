//! The laws of contact by penalty: along the normal, across it, and adhesion beside both.

use super::adhesion::Adhesion;
use super::friction::FrictionLaw;
use super::normal::NormalLaw;
use super::surfaces::Search;
use super::touch::Touch;
use crate::state::{Configuration, Lag};

/// The laws that every contact of a scene obeys.
pub struct Laws {
    /// The normal law.
    pub normal: Box<dyn NormalLaw>,
    /// The friction law.
    pub friction: Box<dyn FrictionLaw>,
    /// Adhesion, of every contact.
    pub adhesion: Option<Adhesion>,
    /// The place of the friction law's stretch, as it is [`StretchIn::under`] the method.
    pub stretch: StretchIn,
}

/// The place of the stretch of a friction law with memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StretchIn {
    /// In the state under a method that chooses its own substeps, if the law has no kink, since these
    /// make the stretch no better where it moves with commits alone, and its error is then in no
    /// estimate; else with commits: where a law has a kink, its stretch in slip is held at the cone
    /// by substeps without number.
    #[default]
    Automatic,
    /// Moved once per accepted step, by the displacement over it. Any method can be used; the
    /// stretch is exact in stick, of order two in the commit interval where the slip turns, and of
    /// order one where N or the speed changes.
    Commit,
    /// Part of the integrator's state, ż = rate(slip): multi-stage and adaptive methods keep their
    /// order, and the latter keep its error within their tolerances. Two things stay with the commit
    /// interval: a contact that begins has no stretch before the next commit, and a stretch that a
    /// falling N cuts is cut for good only there.
    State,
}

impl StretchIn {
    /// Meaning under a method that chooses its own substeps, or does not, and a law.
    pub fn under(self, adaptive: bool, law: &dyn FrictionLaw) -> StretchIn {
        match (self, adaptive && !law.is_kinked()) {
            (StretchIn::Automatic, true) => StretchIn::State,
            (StretchIn::Automatic, false) => StretchIn::Commit,
            (chosen, _) => chosen,
        }
    }
}

impl Laws {
    /// Whether stretch is part of the integrator's state.
    pub fn carries_stretch(&self) -> bool {
        self.stretch == StretchIn::State && self.friction.has_memory()
    }

    /// Which contacts the laws need at a trial point: up to the range of adhesion, with their
    /// memory where a law or the lag asks for it.
    pub(super) fn search(&self, at: &Configuration) -> Search {
        Search {
            range: self.adhesion.map_or(0.0, |adhesion| adhesion.range),
            recall: self.friction.has_memory() || at.lag != Lag::NONE,
        }
    }

    /// N = normal law(d, ḋ) and the N that friction sees \[N\]: either may be the committed one.
    /// `inverse_mass` is that of the contact \[1/kg\].
    pub(super) fn press(&self, touch: &mut Touch, inverse_mass: f64, at: &Configuration) {
        // where everything is held, nothing bounces
        touch.damping = match inverse_mass {
            0.0 => 0.0,
            inverse_mass => self.normal.damping(touch.pair.bounce, 1.0 / inverse_mass),
        };
        if touch.depth > 0.0 {
            touch.normal_force = self.normal.force(touch.depth, touch.depth_rate, touch.damping);
        }
        touch.slip.normal_force = touch.normal_force;
        if let Some(number) = touch.known {
            let committed = at.memory.contacts[number].normal_force;
            if at.lag.normal_force {
                touch.slip.normal_force = committed;
            }
            if at.lag.normal_contact {
                touch.normal_force = committed;
            }
        }
    }
}
