//! The friction limit of a step. Above it friction does not explode, since it is bounded by μN:
//! the velocity chatters, or settles on a wrong constant, and the body walks. So the step is
//! compared with each particle's own friction rate λ = |∂F/∂v|/m = μ_s N/(m ε), and with the
//! frequency ω = √(k/m) of a law with stretch.

use crate::integrators::Capabilities;
use crate::math::{Vector, sqrt};
use crate::model::Model;
use crate::state::State;

/// Share of the threshold ε that one step may turn a slip into before it counts: what is below
/// changes creep by less than this.
const NEGLIGIBLE: f64 = 1e-3;

/// A particle whose friction the step cannot resolve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AboveLimit {
    /// The particle.
    pub particle: usize,
    /// h λ.
    pub hlambda: f64,
    /// h ω of the law's stretch; zero for laws without.
    pub homega: f64,
    /// The method's limit of h λ at ω = 0.
    pub limit: f64,
    /// The largest step its friction allows \[s\].
    pub largest_step: f64,
    /// When it began \[s\].
    pub time: f64,
    /// How many accepted contacts were above the limit.
    pub particle_steps: u64,
}

/// Watches h λ of every contact at accepted states.
#[derive(Debug, Clone, Default)]
pub struct FrictionLimit {
    /// Largest h λ since [`Self::take_largest`] was last called.
    largest: f64,
    /// The worst violation so far.
    pub worst: Option<AboveLimit>,
}

impl FrictionLimit {
    /// Looks at the contacts of an accepted state, for steps of `h` \[s\].
    ///
    /// A contact counts when the method is unstable for its λ and ω, and when that matters: when it
    /// is within reach of the stick zone (its slip is at most ε and what one step can throw it out
    /// by, h (μN + T)/m with the load T ≤ μN that friction could hold), and when one step turns its
    /// slip s into more than a thousandth of ε, by the leading term s (hλ)ᵖ/p! of the method (any
    /// slip counts for a law without ε). A fast slide is not harmed by a large step; its stopping is. One such step is enough: with
    /// μ_s > μ_k it decides whether the body holds.
    pub fn observe(&mut self, model: &Model, state: &State, method: &Capabilities, h: f64) {
        let law = model.contact.friction.as_ref();
        for contact in &state.memory.contacts {
            let i = contact.particle();
            let hlambda = h * contact.damping * contact.mobility;
            if hlambda > self.largest {
                self.largest = hlambda;
            }
            let homega = h * sqrt(law.stiffness() * contact.mobility);
            // a law without threshold or stretch has nothing to rest on: whatever one step can
            // reverse, it will reverse for ever
            if method.holds(hlambda, homega) && law.can_rest() {
                continue;
            }
            let slip = contact.slip.norm();
            let reach = law.threshold() + 2.0 * h * contact.friction.norm() * contact.mobility;
            let held = contact.ends.iter().all(|(i, _)| model.mobilities[i] == Vector::zeros());
            // a law without threshold has no measure of a small slip: any slip grows
            let matters = match law.threshold() {
                0.0 => slip > 0.0,
                epsilon => slip * method.growth(hlambda) > NEGLIGIBLE * epsilon,
            };
            if slip <= reach && matters && !held {
                self.note(i, (hlambda, homega), method, state.time, h);
            }
        }
    }

    fn note(&mut self, i: usize, rates: (f64, f64), method: &Capabilities, time: f64, h: f64) {
        let (hlambda, homega) = rates;
        let worst = self.worst.get_or_insert(AboveLimit {
            particle: i,
            hlambda: 0.0,
            homega: 0.0,
            limit: method.decay_limit.unwrap_or(f64::INFINITY),
            largest_step: h,
            time,
            particle_steps: 0,
        });
        worst.particle_steps += 1;
        if hlambda + homega > worst.hlambda + worst.homega {
            (worst.particle, worst.hlambda, worst.homega) = (i, hlambda, homega);
            worst.largest_step = h * largest_share(method, hlambda, homega);
        }
    }

    /// The largest h λ since the last call.
    pub fn take_largest(&mut self) -> f64 {
        std::mem::take(&mut self.largest)
    }
}

/// The largest share of the step at which the method holds, by bisection.
fn largest_share(method: &Capabilities, hlambda: f64, homega: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let share = 0.5 * (low + high);
        if method.holds(share * hlambda, share * homega) {
            low = share;
        } else {
            high = share;
        }
    }
    low
}
