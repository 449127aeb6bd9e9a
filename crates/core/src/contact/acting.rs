//! Forces of the contacts of an accepted state, on each of their particles.

use super::force::ContactForce;
use super::surfaces::Search;
use super::touch::{Sides, Touch};
use crate::math::{Vector, tangential};
use crate::state::memory::{Contact, Ends, Memory};
use crate::state::{Configuration, State};

/// One contact of an accepted state with its forces.
#[derive(Debug, Clone, Copy)]
pub struct ActingContact<'a> {
    /// The particles, with their weights.
    pub ends: Ends,
    /// The recorded contact; none across a gap, where adhesion alone acts.
    pub contact: Option<&'a Contact>,
    /// Force along the normal on each end \[N\]: its weight × (N − P) n, P the pull of adhesion.
    pub along: [Vector; 4],
    /// Friction force on each end \[N\].
    pub friction: [Vector; 4],
    /// Stretch of a law with memory, first side against second, in world axes \[m\]; else zero.
    pub displacement: Vector,
}

impl ContactForce<'_> {
    /// Calls `visit` for the contacts of an accepted state, in the order of their keys. N, friction and
    /// stretch are those of the commit; the points of contact follow from the positions.
    pub fn for_each_acting(&self, state: &State, mut visit: impl FnMut(&ActingContact)) {
        let at = Configuration { stretch: None, ..state.configuration() };
        let search = Search { recall: true, ..self.laws.search(&at) };
        self.surfaces.for_each_touch(&at, search, |touch| {
            let contact = touch.known.map(|number| &state.memory.contacts[number]);
            let normal_force = contact.map_or(0.0, |contact| contact.normal_force);
            let pull = self.laws.adhesion.map_or(0.0, |adhesion| adhesion.pull(touch.depth));
            let friction = contact.map_or(Vector::zeros(), |contact| contact.friction);
            if contact.is_none() && pull == 0.0 {
                return;
            }
            let (along, friction) = shares(touch, normal_force - pull, friction);
            visit(&ActingContact {
                ends: touch.meeting.ends(),
                contact,
                along,
                friction,
                displacement: contact.map_or(Vector::zeros(), |c| displacement(touch, c, &at)),
            });
        });
    }
}

/// Calls `visit` for the contacts of a method that jumps velocities. The mean forces of the last step
/// act on each end in proportion to its weight.
pub fn for_each_jumped(memory: &Memory, mut visit: impl FnMut(&ActingContact)) {
    for contact in &memory.contacts {
        let on = |force: Vector| contact.ends.weights.map(|weight| force * weight);
        visit(&ActingContact {
            ends: contact.ends,
            contact: Some(contact),
            along: on(contact.normal * contact.normal_force),
            friction: on(contact.friction),
            displacement: Vector::zeros(),
        });
    }
}

/// On each end, the force along the normal and the friction force \[N\].
fn shares(touch: &Touch, along: f64, friction: Vector) -> ([Vector; 4], [Vector; 4]) {
    let none = [Vector::zeros(); 4];
    match touch.meeting {
        Sides::Collider { .. } => {
            let (mut first, mut second) = (none, none);
            (first[0], second[0]) = (touch.normal * along, friction);
            (first, second)
        }
        Sides::Bodies(proximity) => {
            let normal = proximity.normal;
            let first = proximity.weights.map(|weight| normal * (weight * along));
            (first, proximity.slip.shares(friction))
        }
    }
}

fn displacement(touch: &Touch, contact: &Contact, at: &Configuration) -> Vector {
    let turned = touch.meeting.to_world(&contact.anchor, contact.stretch, at.positions);
    tangential(turned, touch.normal)
}
