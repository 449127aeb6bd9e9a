//! Which bodies touch which, and themselves.

use super::Pair;
use super::detect::{Detector, Proximity};
use super::force::ContactForce;
use super::touch::{Meeting, Touch};
use crate::math::tangential;
use crate::state::Configuration;
use crate::state::memory::{Anchor, Contact};
use crate::state::memory::{Candidates, ContactKind};
use std::sync::Arc;

/// Contact between bodies, and within them.
pub struct BetweenBodies {
    /// Finds what is near.
    pub detector: Detector,
    /// `pairs[a][b]`: what the materials of two bodies make of each other.
    pub pairs: Vec<Vec<Pair>>,
}

impl ContactForce {
    /// What may be near at a trial point: the committed candidates, or new ones where particles
    /// have moved too far for them. The contacts do not depend on which.
    pub(super) fn candidates(&self, at: &Configuration) -> Arc<Candidates> {
        let committed = &at.memory.candidates;
        let Some(between) = &self.between else { return Arc::default() };
        if between.detector.still_valid(committed, at.positions) {
            return Arc::clone(committed);
        }
        let mut fresh = Candidates::default();
        between.detector.refresh(&mut fresh, at.positions);
        Arc::new(fresh)
    }

    /// Calls `visit` for everything that touches between bodies, in the order of keys.
    pub(super) fn for_each_between(
        &self,
        at: &Configuration,
        candidates: &Candidates,
        visit: &mut impl FnMut(&Touch),
    ) {
        let Some(between) = &self.between else { return };
        let (mut number, mut known) =
            if self.remembers(at) { at.memory.of_bodies() } else { (0, &[][..]) };
        between.detector.for_each(candidates, at.positions, |proximity| {
            let depth = proximity.depth();
            if depth <= -self.reach {
                return;
            }
            let (a, b) = self.bodies_of(proximity);
            let meeting = Meeting::Bodies(proximity);
            let relative = proximity.relative_velocity(at.velocities);
            let rate = proximity.depth_rate(at.velocities);
            let mut touch =
                self.touch(meeting, (proximity.normal, depth, rate), &between.pairs[a][b]);
            if depth > 0.0 {
                let key = meeting.key();
                while known.first().is_some_and(|contact| contact.key < key) {
                    known = &known[1..];
                    number += 1;
                }
                if let Some(contact) = known.first().filter(|contact| contact.key == key) {
                    touch.recall(number, contact, at);
                }
            }
            touch.slip.velocity = tangential(relative, touch.basis);
            touch.grain = self.grain_between([a, b], proximity, &touch, at);
            visit(&touch);
        });
    }

    /// The contacts between bodies of the last commit as they were, but for what is slipped since;
    /// whether they still touch, or others do, is not asked.
    pub(super) fn for_each_committed_between(
        &self,
        at: &Configuration,
        visit: &mut impl FnMut(&Touch),
    ) {
        let Some(between) = &self.between else { return };
        let (first, contacts) = at.memory.of_bodies();
        for (number, contact) in contacts.iter().enumerate() {
            let Some(proximity) = committed(contact, at) else { continue };
            let (a, b) = self.bodies_of(&proximity);
            let rate = proximity.depth_rate(at.velocities);
            let along = (contact.normal, contact.depth, rate);
            let mut touch = self.touch(Meeting::Bodies(&proximity), along, &between.pairs[a][b]);
            touch.recall(first + number, contact, at);
            touch.slip.velocity =
                tangential(proximity.relative_velocity(at.velocities), touch.basis);
            touch.grain = self.grain_between([a, b], &proximity, &touch, at);
            visit(&touch);
        }
    }

    /// The bodies of the two sides.
    fn bodies_of(&self, proximity: &Proximity) -> (usize, usize) {
        let side = |place: usize| self.body_of(proximity.particles[place] as usize);
        match proximity.key.kind {
            ContactKind::Edges => (side(0), side(2)),
            _ => (side(0), side(1)),
        }
    }

    /// Anisotropy of a contact between bodies: that of the first side's material, else the second's.
    fn grain_between(
        &self,
        bodies: [usize; 2],
        proximity: &Proximity,
        touch: &Touch,
        at: &Configuration,
    ) -> Option<super::anisotropy::Grain> {
        bodies.into_iter().zip([0, proximity.count - 1]).find_map(|(body, place)| {
            let material = self.grains.get(body)?.as_ref()?;
            let particle = proximity.particles[place] as usize;
            material.anisotropy.at(material.direction(particle, at.positions), touch.basis)
        })
    }
}

/// A contact between bodies where and as deep as it was, with the material turned as it is now.
fn committed(contact: &Contact, at: &Configuration) -> Option<Proximity> {
    let Anchor::Bodies(anchor) = contact.anchor else { return None };
    Some(Proximity {
        key: contact.key,
        count: contact.ends.count,
        particles: contact.ends.particles,
        weights: contact.ends.weights,
        distance: -contact.depth,
        normal: contact.normal,
        contact_distance: 0.0,
        slip: anchor.map(at.positions),
    })
}
