//! Contacts of particles with colliders.

use super::collider::{BATCH, Gap, Pose};
use super::pair::Pair;
use super::surfaces::{Found, Search, Surfaces, lock};
use super::touch::{Approach, Sides, Touch};
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Contact;
use std::ops::Range;

/// A collider at an instant.
struct View<'a> {
    collider: usize,
    pose: &'a Pose,
    /// whether it never moves
    rest: bool,
}

impl View<'_> {
    /// A point in the frame of the shape \[m\].
    fn place(&self, x: Vector) -> Vector {
        if self.rest { x } else { self.pose.to_shape(x) }
    }
}

impl Surfaces {
    /// Calls `visit` for every particle in contact with a collider or within range, in the order
    /// (collider, particle).
    pub(super) fn for_each_on_colliders(
        &self,
        at: &Configuration,
        search: Search,
        visit: &mut impl FnMut(&mut Touch),
    ) {
        for c in 0..self.colliders.len() {
            if at.lag.normal_contact {
                self.for_each_committed(c, at, visit);
            } else {
                self.for_each_on(c, at, search, visit);
            }
        }
    }

    /// Calls `visit` for the contacts of the last commit, unchanged but for their slip since then.
    fn for_each_committed(&self, c: usize, at: &Configuration, visit: &mut impl FnMut(&mut Touch)) {
        let pose = self.colliders[c].motion.pose(at.time);
        let (first, contacts) = at.memory.of_collider(c);
        for (number, contact) in contacts.iter().enumerate() {
            let i = contact.particle();
            let meeting = Sides::Collider { collider: c, particle: i, pose: &pose };
            let relative = at.velocities[i] - contact.surface_velocity;
            let approach = Approach {
                normal: contact.normal,
                depth: contact.depth,
                depth_rate: -relative.dot(&contact.normal),
                surface_velocity: contact.surface_velocity,
            };
            let pair = self.pairs.of(c, self.body_of(i));
            let mut touch = Touch::new(meeting, approach, *pair);
            self.complete(&mut touch, relative, Some((first + number, contact)), at);
            visit(&mut touch);
        }
    }

    fn for_each_on(
        &self,
        c: usize,
        at: &Configuration,
        search: Search,
        visit: &mut impl FnMut(&mut Touch),
    ) {
        let pose = self.colliders[c].motion.pose(at.time);
        let view = View { collider: c, pose: &pose, rest: self.colliders[c].motion.is_rest() };
        let (mut number, mut committed) =
            if search.recall { at.memory.of_collider(c) } else { (0, &[][..]) };
        let mut touch = |i: usize, gap: Gap, pair: &Pair| {
            let depth = self.radii[i] - gap.distance;
            let normal = pose.direction_to_world(gap.normal);
            let surface_velocity = match view.rest {
                true => Vector::zeros(),
                false => pose.surface_velocity(at.positions[i], normal),
            };
            let meeting = Sides::Collider { collider: c, particle: i, pose: &pose };
            let relative = at.velocities[i] - surface_velocity;
            let depth_rate = -relative.dot(&normal);
            let approach = Approach { normal, depth, depth_rate, surface_velocity };
            let known = (depth > 0.0)
                .then(|| advance_to(&mut number, &mut committed, i))
                .flatten()
                .map(|contact| (number, contact));
            let mut touch = Touch::new(meeting, approach, *pair);
            self.complete(&mut touch, relative, known, at);
            visit(&mut touch);
        };
        let bodies = self.starts.windows(2).zip(self.pairs.of_part(c));
        if self.crew.is_alone() {
            for (body, pair) in bodies {
                self.find(&view, body[0]..body[1], at, search.range, |i, gap| touch(i, gap, pair));
            }
            return;
        }
        let found = self.find_by_threads(&view, at, search.range);
        let mut all = found.iter().flatten().peekable();
        for (body, pair) in bodies {
            while let Some((i, gap)) = all.next_if(|(i, _)| *i < body[1]) {
                touch(*i, *gap, pair);
            }
        }
        drop(all);
        *lock(&self.found) = found;
    }

    /// The gaps below `range` \[m\] of all particles, by every thread those of its own, in order.
    fn find_by_threads(&self, view: &View, at: &Configuration, range: f64) -> Vec<Vec<Found>> {
        let mut found = std::mem::take(&mut *lock(&self.found));
        found.resize_with(self.crew.ranges().len(), Vec::new);
        let mut shares: Vec<_> = self.crew.ranges().iter().cloned().zip(&mut found).collect();
        self.crew.for_each(&mut shares, |(own, found)| {
            found.clear();
            self.find(view, own.clone(), at, range, |i, gap| found.push((i, gap)));
        });
        found
    }

    /// Calls `visit` for every particle of a range whose gap to a collider is below `range` \[m\].
    #[inline(always)]
    fn find(
        &self,
        view: &View,
        particles: Range<usize>,
        at: &Configuration,
        range: f64,
        mut visit: impl FnMut(usize, Gap),
    ) {
        let shape = &self.colliders[view.collider].shape;
        for first in particles.clone().step_by(BATCH) {
            let batch = first..(first + BATCH).min(particles.end);
            let mut near = self.near_of_batch(view, &batch, at, range);
            while near != 0 {
                let i = first + near.trailing_zeros() as usize;
                near &= near - 1;
                if let Some(gap) =
                    shape.gap_within(view.place(at.positions[i]), self.radii[i] + range)
                {
                    visit(i, gap);
                }
            }
        }
    }

    /// A bit for each particle of a batch: set if its gap to the collider may be below `range`.
    fn near_of_batch(
        &self,
        view: &View,
        batch: &Range<usize>,
        at: &Configuration,
        range: f64,
    ) -> u64 {
        let shape = &self.colliders[view.collider].shape;
        let count = batch.len();
        let all = u64::MAX >> (BATCH - count);
        let places = &at.positions[batch.clone()];
        let reach = &self.radii[batch.clone()];
        let Some(far) = self.known_far(view.collider, at, range) else {
            if view.rest {
                return shape.may_reach(places, reach, range) & all;
            }
            let mut own = [Vector::zeros(); BATCH];
            own.iter_mut().zip(places).for_each(|(own, x)| *own = view.place(*x));
            return shape.may_reach(&own[..count], reach, range) & all;
        };
        let near = |(i, x): (usize, &Vector)| u64::from(!far.get(i).excludes(view.place(*x)));
        batch.clone().zip(places).map(near).rev().fold(0, |near, bit| near << 1 | bit)
    }
}

/// Advances the sorted list to particle `i`; returns its contact, if any, and leaves its number in
/// `number`.
fn advance_to<'a>(number: &mut usize, known: &mut &'a [Contact], i: usize) -> Option<&'a Contact> {
    while let Some(first) = known.first() {
        if first.key.b as usize >= i {
            break;
        }
        *known = &known[1..];
        *number += 1;
    }
    known.first().filter(|contact| contact.key.b as usize == i)
}
