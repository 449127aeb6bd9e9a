//! Impacts in which the step is above the friction limit. Friction chatters while N is large; but N falls to
//! zero before the contact opens, and h λ with it, so that the slip settles and the rebound is right. What
//! chatters in a contact that lasts is a creep, and counts.

use crate::math::sqrt;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Contact, ContactKey};
use serde::{Deserialize, Serialize};

/// Change of velocity by the normal force, over the speed of the impact, above which a contact is no impact: a
/// rebound changes it by 1 + e.
const LASTS: f64 = 3.0;

/// A contact that has been above the limit and may turn out to be an impact, with what was found of it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Passing<F> {
    key: ContactKey,
    /// speed of the impact, if it is one \[m/s\]
    speed: f64,
    /// change of velocity by its normal force since then \[m/s\]
    gained: f64,
    /// whether it is above the limit at the last state
    is_above: bool,
    found: F,
}

/// The open ones, ascending by key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct PassingImpacts<F>(Vec<Passing<F>>);

impl<F> Default for PassingImpacts<F> {
    fn default() -> Self {
        PassingImpacts(Vec::new())
    }
}

impl<F: Copy> PassingImpacts<F> {
    /// Goes on to the next accepted state, `h` \[s\] later, with its contacts, ascending by key. `count` is given
    /// those that were no impact, or opened while they were above the limit.
    pub(super) fn advance(&mut self, contacts: &[Contact], h: f64, mut count: impl FnMut(&F)) {
        self.0.retain_mut(|passing| {
            let place = contacts.binary_search_by(|contact| contact.key.cmp(&passing.key));
            let Ok(contact) = place.map(|place| &contacts[place]) else {
                if passing.is_above {
                    count(&passing.found);
                }
                return false;
            };
            passing.gained += h * contact.normal_force * contact.inverse_mass;
            passing.is_above = false;
            let lasts = passing.gained > LASTS * passing.speed;
            if lasts {
                count(&passing.found);
            }
            !lasts
        });
    }

    /// Adds a contact above the limit; `join` adds to what was found before.
    pub(super) fn add(
        &mut self,
        contact: &Contact,
        (model, state): (&Model, &State),
        found: F,
        join: impl Fn(&mut F, &F),
    ) {
        match self.0.binary_search_by(|passing| passing.key.cmp(&contact.key)) {
            Ok(place) => {
                self.0[place].is_above = true;
                join(&mut self.0[place].found, &found);
            }
            Err(place) => {
                let speed = speed(contact, model, state);
                let passing =
                    Passing { key: contact.key, speed, gained: 0.0, is_above: true, found };
                self.0.insert(place, passing);
            }
        }
    }

    /// The findings of contacts that have not ended, which count at the end of a run.
    pub(super) fn unended(&self) -> impl Iterator<Item = &F> {
        self.0.iter().map(|passing| &passing.found)
    }
}

/// The speed of an impact, had it begun freely: √(u_n² + N² w/k), with the inverse mass w and the stiffness k
/// of the normal law \[m/s\].
fn speed(contact: &Contact, model: &Model, state: &State) -> f64 {
    let Some(laws) = &model.laws else { return 0.0 };
    let normal = contact.closing(&state.velocities);
    let (stiffness, _) = laws.normal.derivative(contact.depth, 0.0, contact.normal_damping);
    let stored = contact.normal_force * contact.normal_force * contact.inverse_mass / stiffness;
    sqrt(normal * normal + if stiffness > 0.0 { stored } else { 0.0 })
}
