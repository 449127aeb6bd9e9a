//! The laws of penalty contact: normal law, friction law, adhesion.

use super::adhesion::Adhesion;
use super::friction::FrictionLaw;
use super::normal::NormalLaw;
use super::surfaces::Search;
use super::touch::Touch;
use crate::math::smaller;
use crate::state::{Configuration, Lag};

/// The laws of all contacts of a scene.
pub struct Laws {
    /// The normal law.
    pub normal: Box<dyn NormalLaw>,
    /// The friction law.
    pub friction: Box<dyn FrictionLaw>,
    /// Adhesion of every contact.
    pub adhesion: Option<Adhesion>,
    /// Where the friction law's stretch is stored: [`StretchIn::under`] of the method.
    pub stretch: StretchIn,
}

/// Where the stretch of a friction law with memory is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StretchIn {
    /// [`StretchIn::State`] for a smooth law under a method that chooses its own substeps: moved by
    /// commits alone, the stretch would not gain from substeps, and no error estimate would contain
    /// its error. [`StretchIn::Commit`] for all others: in slip, the stretch of a law with a kink
    /// is held at the cone, which would take substeps without number.
    #[default]
    Automatic,
    /// Moved once per accepted step, by the displacement over it. Works with any method. The stretch is
    /// exact in stick, second-order accurate in the commit interval where the slip turns, and
    /// first-order where N or the speed changes.
    Commit,
    /// Part of the integrator's state, ż = rate(slip): multi-stage and adaptive methods keep their
    /// order, and the latter keep the error of the stretch within their tolerances. Two errors
    /// still depend on the commit interval: a new contact has no stretch until the next commit, and
    /// a fall of N shortens the stretch permanently only at a commit.
    State,
}

impl StretchIn {
    /// The place for a law, `Automatic` resolved for an adaptive method or another.
    pub fn under(self, adaptive: bool, law: &dyn FrictionLaw) -> StretchIn {
        match (self, adaptive && !law.is_kinked()) {
            (StretchIn::Automatic, true) => StretchIn::State,
            (StretchIn::Automatic, false) => StretchIn::Commit,
            (chosen, _) => chosen,
        }
    }
}

impl Laws {
    /// Largest elastic part of an eased contact, as a multiple of the law's. Damping lets N jump from 0 to
    /// c ḋ where a contact begins; eased, N rises with the depth instead, and is the law's again before
    /// a tenth of the distance h ḋ that the step covers at the rate of its end.
    pub const EASED: f64 = 100.0;

    /// See [`Self::EASED`]: the factor on c d/h.
    pub const EASED_DAMPING: f64 = 10.0;

    /// Whether stretch is part of the integrator's state.
    pub fn carries_stretch(&self) -> bool {
        self.stretch == StretchIn::State && self.friction.has_memory()
    }

    /// The search of the laws at a trial point: up to the range of adhesion, and with memory where a law
    /// or the lag needs it.
    pub(super) fn search(&self, at: &Configuration) -> Search {
        Search {
            range: self.adhesion.map_or(0.0, |adhesion| adhesion.range),
            recall: self.friction.has_memory() || at.lag != Lag::NONE,
            by_impulses: false,
        }
    }

    /// (∂N/∂d \[N/m\], ∂N/∂ḋ \[N·s/m\]) of the N that [`Self::press`] has set.
    pub(super) fn slopes(&self, touch: &Touch, at: &Configuration) -> (f64, f64) {
        if touch.depth <= 0.0 || at.lag.normal_contact {
            return (0.0, 0.0);
        }
        if at.lag.eased > 0.0 {
            let [most, slope] = self.eased(touch, at.lag.eased);
            if touch.normal_force >= most {
                return (slope, 0.0);
            }
        }
        self.normal.derivative(touch.depth, touch.depth_rate, touch.damping)
    }

    /// The largest N of an eased contact \[N\], 100 times its elastic part and 10 c d/h with c = ∂N/∂ḋ, and
    /// its slope over d \[N/m\].
    fn eased(&self, touch: &Touch, per_step: f64) -> [f64; 2] {
        let Touch { depth, depth_rate, damping, .. } = *touch;
        let (_, by_rate) = self.normal.derivative(depth, depth_rate, damping);
        let (by_depth, _) = self.normal.derivative(depth, 0.0, damping);
        let damped = Self::EASED_DAMPING * by_rate * per_step;
        [Self::EASED * self.normal.elastic(depth) + damped * depth, Self::EASED * by_depth + damped]
    }

    /// Power dissipated by the damping of the normal law, (N − dE/dd) ḋ \[W\].
    pub(super) fn damped(&self, touch: &Touch) -> f64 {
        (touch.normal_force - self.normal.elastic(touch.depth)) * touch.depth_rate
    }

    /// Sets N = normal law(d, ḋ) \[N\] and the N that friction uses; each is the committed one if
    /// it lags. `inverse_mass` is that of the contact \[1/kg\].
    pub(super) fn press(&self, touch: &mut Touch, inverse_mass: f64, at: &Configuration) {
        // held particles alone do not bounce
        touch.damping = match inverse_mass {
            0.0 => 0.0,
            inverse_mass => self.normal.damping(touch.pair.bounce, 1.0 / inverse_mass),
        };
        if touch.depth > 0.0 {
            touch.normal_force = self.normal.force(touch.depth, touch.depth_rate, touch.damping);
            if at.lag.eased > 0.0 {
                let [most, _] = self.eased(touch, at.lag.eased);
                touch.normal_force = smaller(touch.normal_force, most);
            }
        }
        let committed = touch.known.map(|number| at.memory.contacts[number].normal_force);
        if let (Some(committed), true) = (committed, at.lag.normal_contact) {
            touch.normal_force = committed;
        }
        touch.slip.normal_force = match committed {
            // never more than the contact bears now: friction ends where it opens, without a jump
            Some(committed) if at.lag.normal_force => smaller(committed, touch.normal_force),
            _ => touch.normal_force,
        };
    }
}
