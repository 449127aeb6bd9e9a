//! The acceleration at each contact due to the normal forces of all contacts: of a particle N/m, of a
//! rigid body A = Σ N n/M, α = I⁻¹ Σ r × N n.

use crate::math::Vector;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// Accelerations of all rigid bodies due to the normal forces of some contacts.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Blows {
    bodies: Vec<Blow>,
}

#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Blow {
    center: Vector,
    acceleration: Vector,
    angular: Vector,
}

impl Blows {
    /// Sums the contacts selected by `counts`.
    pub(super) fn gather(
        &mut self,
        model: &Model,
        state: &State,
        counts: impl Fn(&Contact) -> bool,
    ) {
        self.bodies.clear();
        if model.rigid.is_empty() {
            return;
        }
        self.bodies.extend(
            model
                .rigid
                .iter()
                .map(|body| Blow { center: body.center(&state.positions), ..Blow::default() }),
        );
        for contact in state.memory.contacts.iter().filter(|contact| counts(contact)) {
            for (i, c) in contact.ends.iter() {
                if let Some(body) = model.rigid_of(i) {
                    let force = contact.normal * (contact.normal_force * c);
                    let blow = &mut self.bodies[body.number];
                    blow.acceleration += force / body.mass;
                    blow.angular += (state.positions[i] - blow.center).cross(&force);
                }
            }
        }
        for (blow, body) in self.bodies.iter_mut().zip(&model.rigid) {
            blow.angular = body.inverse_inertia(&state.attitudes[body.number]) * blow.angular;
        }
    }

    /// The acceleration along the normal of a contact due to its own normal force and to all other
    /// normal forces on its rigid bodies \[m/s²\].
    pub(super) fn along(&self, model: &Model, state: &State, contact: &Contact) -> f64 {
        if self.bodies.is_empty() {
            return contact.normal_force * contact.inverse_mass;
        }
        let mut along = 0.0;
        let mut rigid = false;
        for (i, c) in contact.ends.iter() {
            match model.rigid_of(i) {
                Some(body) => {
                    let blow = &self.bodies[body.number];
                    let arm = state.positions[i] - blow.center;
                    along +=
                        c * contact.normal.dot(&(blow.acceleration + blow.angular.cross(&arm)));
                    rigid = true;
                }
                None => along += c * c * contact.normal_force * model.surfaces.inverse_masses[i],
            }
        }
        if rigid { along } else { contact.normal_force * contact.inverse_mass }
    }
}
