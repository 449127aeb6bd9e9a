//! The friction limit of a step. Above it friction does not explode, since it is bounded by μN:
//! the velocity chatters, or settles on a wrong constant, and the body walks. So the step is
//! compared with each particle's own friction rate λ = |∂F/∂v|/m = μ_s N/(m ε), and with the
//! frequency ω = √(k/m) of a law with stretch.

use crate::contact::Contact;
use crate::integrators::Capabilities;
use crate::math::{Matrix, Vector, larger, sqrt, tangent_projector};
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
    rates: Rates,
}

/// What friction does to each particle through all its contacts together.
///
/// Where the ends of a contact have no other, λ = damping × mobility is exact. Else the largest sum
/// over a row of the matrix of all of them bounds it: contact k acts on particle i with
/// |c_i| Σ_j |c_j| (1 − n nᵀ) of its damping, and the largest eigenvalue of their sum counts.
#[derive(Debug, Clone, Default)]
struct Rates {
    contacts: Vec<u32>,
    damping: Vec<Matrix>,
    stiffness: Vec<Matrix>,
    law_stiffness: f64,
}

impl Rates {
    fn gather(&mut self, model: &Model, state: &State) {
        let mobilities = &model.contact.mobilities;
        self.law_stiffness = model.contact.friction.stiffness();
        self.contacts.clear();
        self.contacts.resize(mobilities.len(), 0);
        let contacts = &state.memory.contacts;
        for (i, _) in contacts.iter().flat_map(|contact| contact.ends.iter()) {
            self.contacts[i] += 1;
        }
        if self.contacts.iter().all(|count| *count <= 1) {
            return;
        }
        for sums in [&mut self.damping, &mut self.stiffness] {
            sums.clear();
            sums.resize(mobilities.len(), Matrix::zeros());
        }
        for contact in contacts {
            let moving = |(i, _): &(usize, f64)| mobilities[*i] > 0.0;
            let whole: f64 = contact.ends.iter().filter(moving).map(|(_, c)| c.abs()).sum();
            let plane = tangent_projector(contact.normal);
            for (i, c) in contact.ends.iter() {
                self.damping[i] += plane * (c.abs() * whole * contact.damping);
                self.stiffness[i] += plane * (c.abs() * whole * self.law_stiffness);
            }
        }
    }

    /// The worst end of a contact, its λ \[1/s\] and its k/m \[1/s²\].
    fn of(&self, contact: &Contact, mobilities: &[f64]) -> (usize, f64, f64) {
        let own = contact.damping * contact.mobility;
        let alone = (contact.particle(), own, self.law_stiffness * contact.mobility);
        if contact.ends.iter().all(|(i, _)| self.contacts[i] <= 1) {
            return alone;
        }
        let largest = |m: &Matrix| m.symmetric_eigenvalues().amax();
        contact.ends.iter().fold(alone, |worst, (i, _)| {
            let rate = mobilities[i] * largest(&self.damping[i]);
            let stiffness = larger(worst.2, mobilities[i] * largest(&self.stiffness[i]));
            if rate > worst.1 { (i, rate, stiffness) } else { (worst.0, worst.1, stiffness) }
        })
    }
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
        self.rates.gather(model, state);
        for contact in &state.memory.contacts {
            let (i, rate, stiffness) = self.rates.of(contact, &model.contact.mobilities);
            let hlambda = h * rate;
            if hlambda > self.largest {
                self.largest = hlambda;
            }
            let homega = h * sqrt(stiffness);
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
