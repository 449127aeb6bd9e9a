//! Which particles touch which colliders.

use super::Pair;
use super::collider::{Collider, Pose};
use super::force::ContactForce;
use super::friction::Slip;
use super::touch::{Meeting, Touch};
use crate::math::{Vector, tangential};
use crate::state::Configuration;
use crate::state::memory::Contact;

impl ContactForce {
    /// Calls `visit` for every particle that touches a collider, or is within
    /// reach, in the order (collider, particle).
    pub(super) fn for_each_on_colliders(&self, at: &Configuration, visit: &mut impl FnMut(&Touch)) {
        for c in 0..self.colliders.len() {
            if at.lag.normal_contact {
                self.for_each_committed(c, at, visit);
            } else {
                self.for_each_on(c, at, visit);
            }
        }
    }

    /// The contacts of the last commit as they were, but for what is slipped since.
    fn for_each_committed(&self, c: usize, at: &Configuration, visit: &mut impl FnMut(&Touch)) {
        let collider = &self.colliders[c];
        let pose = collider.motion.pose(at.time);
        let (first, contacts) = at.memory.of_collider(c);
        for (number, contact) in contacts.iter().enumerate() {
            let i = contact.particle();
            let b = self.body_of(i);
            let meeting = Meeting::Collider { collider: c, particle: i, pose: &pose };
            let velocity = at.velocities[i] - contact.surface_velocity;
            let along = (contact.normal, contact.depth, -velocity.dot(&contact.normal));
            let mut touch = self.touch(meeting, along, &self.pairs[c][b]);
            touch.surface_velocity = contact.surface_velocity;
            touch.recall(first + number, contact, at);
            touch.slip.velocity = tangential(velocity, touch.basis);
            touch.grain = self.grain((collider, &pose), b, i, &touch, at);
            visit(&touch);
        }
    }

    fn for_each_on(&self, c: usize, at: &Configuration, visit: &mut impl FnMut(&Touch)) {
        let collider = &self.colliders[c];
        let pose = collider.motion.pose(at.time);
        let rest = collider.motion.is_rest();
        let (mut number, mut known) =
            if self.remembers(at) { at.memory.of_collider(c) } else { (0, &[][..]) };
        let far = at.memory.clearances.get(c).filter(|far| far.len() == at.positions.len());
        for (b, pair) in self.pairs[c].iter().enumerate() {
            for i in self.starts[b]..self.starts[b + 1] {
                let x = at.positions[i];
                let at_rest = if rest { x } else { pose.to_shape(x) };
                if far.is_some_and(|far| far[i].excludes(at_rest)) {
                    continue;
                }
                let Some(gap) = collider.shape.gap_within(at_rest, self.radii[i] + self.reach)
                else {
                    continue;
                };
                let depth = self.radii[i] - gap.distance;
                let normal = pose.direction_to_world(gap.normal);
                let surface_velocity =
                    if rest { Vector::zeros() } else { pose.surface_velocity(x, normal) };
                let meeting = Meeting::Collider { collider: c, particle: i, pose: &pose };
                let velocity = at.velocities[i] - surface_velocity;
                let rate = -velocity.dot(&normal);
                let mut touch = self.touch(meeting, (normal, depth, rate), pair);
                touch.surface_velocity = surface_velocity;
                if depth > 0.0
                    && let Some(contact) = advance_to(&mut number, &mut known, i)
                {
                    touch.recall(number, contact, at);
                }
                touch.slip.velocity = tangential(velocity, touch.basis);
                touch.grain = self.grain((collider, &pose), b, i, &touch, at);
                visit(&touch);
            }
        }
    }

    /// A contact that is not yet known: N from the normal law, no stretch.
    pub(super) fn touch<'a>(
        &self,
        meeting: Meeting<'a>,
        (normal, depth, depth_rate): (Vector, f64, f64),
        pair: &Pair,
    ) -> Touch<'a> {
        // where everything is held, nothing bounces
        let damping = match meeting.mobility(&self.mobilities) {
            0.0 => 0.0,
            mobility => self.normal.damping(pair.bounce, 1.0 / mobility),
        };
        let normal_force =
            if depth > 0.0 { self.normal.force(depth, depth_rate, damping) } else { 0.0 };
        Touch {
            meeting,
            normal,
            depth,
            depth_rate,
            surface_velocity: Vector::zeros(),
            damping,
            normal_force,
            basis: normal,
            slip: Slip { normal_force, ..Slip::default() },
            committed: Vector::zeros(),
            known: None,
            pair: pair.friction,
            restitution: pair.restitution,
            grain: None,
        }
    }

    /// Anisotropy of a contact: the collider's, or that of the particle's material.
    fn grain(
        &self,
        (collider, pose): (&Collider, &Pose),
        body: usize,
        particle: usize,
        touch: &Touch,
        at: &Configuration,
    ) -> Option<super::anisotropy::Grain> {
        if let Some(anisotropy) = &collider.anisotropy {
            return anisotropy.at(pose.direction_to_world(anisotropy.direction), touch.basis);
        }
        let material = self.grains.get(body)?.as_ref()?;
        material.anisotropy.at(material.direction(particle, at.positions), touch.basis)
    }
}

/// Moves the sorted list on to particle `i`; returns its contact, if there is one, and leaves its
/// number in `number`.
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
