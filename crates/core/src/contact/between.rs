//! Contacts between bodies, and within them.

use super::detect::Proximity;
use super::pair::Pair;
use super::surfaces::{BetweenBodies, Search, Surfaces, lock};
use super::touch::{Approach, Sides, Touch};
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::{Anchor, Candidates, Contact, ContactKind};
use std::sync::Arc;

impl Surfaces {
    /// Pairs whose gap may be below `range` \[m\] at a trial point: the committed candidates, or
    /// new ones if a particle has moved too far. Both give the same contacts.
    pub(super) fn candidates(&self, at: &Configuration, range: f64) -> Arc<Candidates> {
        let committed = &at.memory.candidates;
        let Some(between) = &self.between else { return Arc::default() };
        if between.detector.still_valid_by(self.detecting(), committed, at.positions, range) {
            return Arc::clone(committed);
        }
        let mut fresh = Candidates::default();
        between.detector.refresh_by(self.detecting(), &mut fresh, at.positions, range);
        Arc::new(fresh)
    }

    /// Calls `visit` for every contact between bodies, in the order of keys.
    pub(super) fn for_each_between(
        &self,
        at: &Configuration,
        search: Search,
        candidates: &Candidates,
        visit: &mut impl FnMut(&mut Touch),
    ) {
        let Some(between) = &self.between else { return };
        let (mut number, mut committed) =
            if search.recall { at.memory.of_bodies() } else { (0, &[][..]) };
        let mut meet = |proximity: &Proximity| {
            let facing;
            let proximity = match search.by_impulses {
                true => {
                    let Some(found) = between.detector.facing(proximity, at.positions) else {
                        return;
                    };
                    facing = found;
                    &facing
                }
                false => proximity,
            };
            let depth = proximity.depth();
            if depth <= -search.range {
                return;
            }
            let meeting = Sides::Bodies(proximity);
            let mut known = None;
            if depth > 0.0 {
                let key = meeting.key();
                while committed.first().is_some_and(|contact| contact.key < key) {
                    committed = &committed[1..];
                    number += 1;
                }
                known = committed.first().filter(|contact| contact.key == key);
            }
            let known = known.map(|contact| (number, contact));
            let approach = approach(proximity, depth, proximity.normal, at);
            let relative = proximity.relative_velocity(at.velocities);
            let mut touch = Touch::new(meeting, approach, *self.pair(between, proximity));
            self.complete(&mut touch, relative, known, at);
            visit(&mut touch);
        };
        let mut found = std::mem::take(&mut *lock(&between.found));
        let (detector, crew) = (&between.detector, self.detecting());
        detector.for_each_by(crew, candidates, at.positions, search.range, &mut found, &mut meet);
        *lock(&between.found) = found;
    }

    /// Calls `visit` for the last commit's contacts between bodies, unchanged but for their slip
    /// since then. Neither lost nor new contacts are looked for.
    pub(super) fn for_each_committed_between(
        &self,
        at: &Configuration,
        visit: &mut impl FnMut(&mut Touch),
    ) {
        let Some(between) = &self.between else { return };
        let (first, contacts) = at.memory.of_bodies();
        for (number, contact) in contacts.iter().enumerate() {
            let Some(proximity) = committed(contact, at) else { continue };
            let meeting = Sides::Bodies(&proximity);
            let approach = approach(&proximity, contact.depth, contact.normal, at);
            let relative = proximity.relative_velocity(at.velocities);
            let (pair, known) = (self.pair(between, &proximity), Some((first + number, contact)));
            let mut touch = Touch::new(meeting, approach, *pair);
            self.complete(&mut touch, relative, known, at);
            visit(&mut touch);
        }
    }

    /// Coefficients of the pair of materials that meet.
    fn pair<'a>(&self, between: &'a BetweenBodies, proximity: &Proximity) -> &'a Pair {
        let side = |place: usize| self.body_of(proximity.particles[place] as usize);
        let second = if proximity.key.kind == ContactKind::Edges { 2 } else { 1 };
        between.pairs.of(side(0), side(second))
    }
}

fn approach(proximity: &Proximity, depth: f64, normal: Vector, at: &Configuration) -> Approach {
    let depth_rate = proximity.depth_rate(at.velocities);
    Approach { normal, depth, depth_rate, surface_velocity: Vector::zeros() }
}

/// A contact between bodies with its committed normal and depth, and the present rotation of its
/// material; none for a contact with a collider.
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
