//! Contacts of particles with colliders.

use super::collider::{BATCH, Pose};
use super::surfaces::{Search, Surfaces};
use super::touch::{Approach, Sides, Touch};
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::Contact;
use std::ops::Range;

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
        let collider = &self.colliders[c];
        let pose = collider.motion.pose(at.time);
        let rest = collider.motion.is_rest();
        let (mut number, mut committed) =
            if search.recall { at.memory.of_collider(c) } else { (0, &[][..]) };
        for (b, pair) in self.pairs.of_part(c).enumerate() {
            let (start, end) = (self.starts[b], self.starts[b + 1]);
            for first in (start..end).step_by(BATCH) {
                let batch = first..(first + BATCH).min(end);
                let mut near = self.near_of_batch(c, (&pose, rest), &batch, at, search.range);
                while near != 0 {
                    let i = first + near.trailing_zeros() as usize;
                    near &= near - 1;
                    let x = at.positions[i];
                    let at_rest = if rest { x } else { pose.to_shape(x) };
                    let reach = self.radii[i] + search.range;
                    let Some(gap) = collider.shape.gap_within(at_rest, reach) else {
                        continue;
                    };
                    let depth = self.radii[i] - gap.distance;
                    let normal = pose.direction_to_world(gap.normal);
                    let surface_velocity =
                        if rest { Vector::zeros() } else { pose.surface_velocity(x, normal) };
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
                }
            }
        }
    }

    /// A bit for each particle of a batch: set if its gap to the collider `c` may be below `range`.
    fn near_of_batch(
        &self,
        c: usize,
        (pose, rest): (&Pose, bool),
        batch: &Range<usize>,
        at: &Configuration,
        range: f64,
    ) -> u64 {
        let collider = &self.colliders[c];
        let count = batch.len();
        let all = u64::MAX >> (BATCH - count);
        let places = &at.positions[batch.clone()];
        let reach = &self.radii[batch.clone()];
        let Some(far) = self.known_far(c, at, range) else {
            if rest {
                return collider.shape.may_reach(places, reach, range) & all;
            }
            let mut own = [Vector::zeros(); BATCH];
            own.iter_mut().zip(places).for_each(|(own, x)| *own = pose.to_shape(*x));
            return collider.shape.may_reach(&own[..count], reach, range) & all;
        };
        let near = |(i, x): (usize, &Vector)| {
            let place = if rest { *x } else { pose.to_shape(*x) };
            u64::from(!far.get(i).excludes(place))
        };
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
