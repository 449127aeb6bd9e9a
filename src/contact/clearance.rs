//! A cache of how far each particle may move before a costly collider must be asked. A true distance changes by
//! no more than the point moves, so a particle that was a distance g away cannot touch before it has
//! moved by g. No contact depends on it.

use super::surfaces::Surfaces;
use crate::math::Vector;
use crate::state::Configuration;
use crate::state::memory::{Clearance, Clearances, Memory};
use std::sync::Arc;

impl Clearance {
    /// Whether a particle at `p` cannot touch, by what is known.
    pub(super) fn excludes(&self, p: Vector) -> bool {
        let free = self.free * (1.0 - 1e-9);
        (p - self.from).norm_squared() < free * free
    }

    /// Whether it should be asked anew: a far one that came near, or a near one that went away.
    fn is_stale(&self, p: Vector, slack: f64) -> bool {
        let limit = if self.free > 0.0 { self.free } else { slack };
        (p - self.from).norm_squared() >= limit * limit
    }
}

impl Surfaces {
    /// Clearances of all particles from each costly collider, brought up to an accepted state;
    /// empty if no collider is costly.
    fn clearances(&self, at: &Configuration, range: f64) -> Clearances {
        if !self.colliders.iter().any(|collider| collider.shape.is_costly()) {
            return Clearances::default();
        }
        let committed = &at.memory.clearances;
        let known = |c: usize| committed.of_colliders.get(c).filter(|_| committed.range == range);
        let brought_up = |c| self.brought_up(c, known(c).cloned().unwrap_or_default(), at, range);
        Clearances { range, of_colliders: (0..self.colliders.len()).map(brought_up).collect() }
    }

    /// Each particle's clearance from a costly collider, if known up to `range` \[m\].
    pub(super) fn known_far<'m>(
        &self,
        c: usize,
        at: &Configuration<'m>,
        range: f64,
    ) -> Option<&'m Vec<Clearance>> {
        let known = &at.memory.clearances;
        let far = known.of_colliders.get(c).filter(|far| far.len() == at.positions.len())?;
        (range <= known.range).then_some(far)
    }

    /// Savings of the search for contacts up to `range` \[m\], brought up to an accepted state; no
    /// result depends on them.
    pub fn keep_candidates(&self, at: &Configuration, range: f64, next: &mut Memory) {
        if self.between.is_some() {
            next.candidates = self.candidates(at, range);
        }
        next.clearances = self.clearances(at, range);
    }

    fn brought_up(
        &self,
        c: usize,
        known: Arc<Vec<Clearance>>,
        at: &Configuration,
        range: f64,
    ) -> Arc<Vec<Clearance>> {
        let collider = &self.colliders[c];
        if !collider.shape.is_costly() {
            return known;
        }
        let pose = collider.motion.pose(at.time);
        let place = |i: usize| pose.to_shape(at.positions[i]);
        let complete = known.len() == at.positions.len();
        let stale = |i: &usize| !complete || known[*i].is_stale(place(*i), self.slack);
        let stale: Vec<usize> = (0..at.positions.len()).filter(stale).collect();
        if stale.is_empty() {
            return known;
        }
        let mut clearances = known.to_vec();
        clearances.resize(at.positions.len(), Clearance::default());
        for i in stale {
            let from = place(i);
            let reach = self.radii[i] + range;
            let free = collider.shape.gap(from).distance - reach;
            clearances[i] = Clearance { from, free: if free > self.slack { free } else { 0.0 } };
        }
        Arc::new(clearances)
    }
}
