//! A cache of clearances from costly colliders. A true distance changes by no more than the point moves,
//! so a particle at the distance g cannot touch before it has moved by g. No contact depends on the
//! cache.

use super::collider::Collider;
use super::surfaces::Surfaces;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::{Clearance, ClearanceList, Memory};
use std::sync::Arc;

impl Clearance {
    /// Whether the cached clearance excludes a contact at `p`.
    pub(super) fn excludes(&self, p: Vector) -> bool {
        let free = self.free * (1.0 - 1e-9);
        (p - self.from).norm_squared() < free * free
    }

    /// Whether to measure anew: the clearance is used up, or a particle without any has moved by
    /// `slack` \[m\].
    fn is_stale(&self, p: Vector, slack: f64) -> bool {
        let limit = if self.free > 0.0 { self.free } else { slack };
        (p - self.from).norm_squared() >= limit * limit
    }
}

impl Surfaces {
    /// The clearances from a costly collider, if they are known up to `range` \[m\].
    pub(super) fn known_far<'m>(
        &self,
        c: usize,
        at: &Configuration<'m>,
        range: f64,
    ) -> Option<&'m ClearanceList> {
        let known = &at.memory.clearances;
        let far = known.of_colliders.get(c).filter(|far| far.is_of(at.positions.len()))?;
        (range <= known.range).then_some(far)
    }

    /// Updates the caches of the search for contacts up to `range` \[m\] to an accepted state; no result
    /// depends on them.
    pub(crate) fn keep_candidates(&self, at: &Configuration, range: f64, next: &mut Memory) {
        if self.between.is_some() {
            next.candidates = self.candidates(at, range);
        }
        let committed = &at.memory.clearances;
        let lists = &mut next.clearances.of_colliders;
        lists.resize_with(self.colliders.len(), ClearanceList::default);
        for (c, list) in lists.iter_mut().enumerate() {
            if self.colliders[c].shape.is_costly() {
                match committed.of_colliders.get(c).filter(|_| committed.range == range) {
                    Some(known) => list.blocks.clone_from(&known.blocks),
                    None => list.blocks.clear(),
                }
                self.bring_up(c, at, range, list);
            }
        }
        next.clearances.range = range;
    }

    /// Updates the clearances from a collider to an accepted state.
    fn bring_up(&self, c: usize, at: &Configuration, range: f64, list: &mut ClearanceList) {
        let collider = &self.colliders[c];
        let pose = collider.motion.pose(at.time);
        let rest = collider.motion.is_rest();
        let place = |x: &Vector| if rest { *x } else { pose.to_shape(*x) };
        if !list.is_of(at.positions.len()) {
            // an unknown clearance is stale at once
            let unknown = Clearance { from: Vector::repeat(f64::INFINITY), free: 0.0 };
            let blocks = at.positions.chunks(ClearanceList::BLOCK);
            list.blocks = blocks.map(|block| Arc::new(vec![unknown; block.len()])).collect();
        }
        self.crew.divide(&mut list.blocks, |first, blocks| {
            for (number, block) in blocks.iter_mut().enumerate() {
                let from = (first + number) * ClearanceList::BLOCK;
                let positions = &at.positions[from..from + block.len()];
                self.bring_block_up(collider, &place, (from, positions), range, block);
            }
        });
    }

    /// Updates the clearances of a block of particles, the first of which is number `first`.
    fn bring_block_up(
        &self,
        collider: &Collider,
        place: &impl Fn(&Vector) -> Vector,
        (first, positions): (usize, &[Vector]),
        range: f64,
        block: &mut Arc<Vec<Clearance>>,
    ) {
        let stale = |(known, x): (&Clearance, &Vector)| known.is_stale(place(x), self.slack);
        if !block.iter().zip(positions).any(stale) {
            return;
        }
        let radii = &self.radii[first..];
        for ((known, x), radius) in Arc::make_mut(block).iter_mut().zip(positions).zip(radii) {
            let from = place(x);
            if known.is_stale(from, self.slack) {
                let free = collider.shape.gap(from).distance - (radius + range);
                let free = if free > self.slack { free } else { 0.0 };
                *known = Clearance { from, free };
            }
        }
    }
}
