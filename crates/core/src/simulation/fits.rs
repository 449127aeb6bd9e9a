//! Whether a checkpoint read from a file can be of a run: its lists are as long, and all that it names
//! exists in the model. A checksum guards against damage, not against a file written by others.

use super::{Checkpoint, Simulation};
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Anchor, Contact, ContactKind, Hand, Memory};

impl Simulation {
    /// Whether a checkpoint read from a file can be of this run, after at most `steps` steps: all else
    /// is refused, for it would be read beyond the end of a list, or without end.
    pub fn fits(&self, checkpoint: &Checkpoint, steps: u64) -> bool {
        let Checkpoint { state, origin, watches, .. } = checkpoint;
        state.step_count <= steps
            && *origin == self.origin
            && origin.step <= state.step_count
            && state.time == self.time_at(state.step_count)
            && self.state.fits(state, &self.model)
            && self.watches.fits(watches, &self.model)
    }
}

impl State {
    /// Whether it can be a later state of the run that began with `self`, as far as the model decides:
    /// its lists are as long, all indices are of the model, and its numbers are finite.
    fn fits(&self, later: &State, model: &Model) -> bool {
        let n = model.particles();
        let is_finite = |v: &Vector| v.iter().all(|x| x.is_finite());
        let State { positions, velocities, forces, memory, stretch, past, attitudes, .. } = later;
        let contacts = memory.contacts.len();
        let remembered = if model.carries_stretch() { contacts } else { 0 };
        let of_past = [past.of_positions.len(), past.of_velocities.len()];
        [positions.len(), velocities.len(), forces.len()] == [n; 3]
            && later.first_lost().is_none()
            && forces.iter().chain(stretch).all(is_finite)
            && stretch.len() == remembered
            && of_past.iter().all(|length| [0, n].contains(length))
            && past.of_stretch.len() == past.contacts.len()
            && past.substep.is_finite()
            && past.substep >= 0.0
            && attitudes.len() == self.attitudes.len()
            && attitudes.iter().all(|it| (it.norm() - 1.0).abs() < 1e-3)
            && self.memory.fits(memory, model)
    }
}

impl Memory {
    /// Whether it can be the memory at a later state of the same run: see [`State::fits`].
    fn fits(&self, later: &Memory, model: &Model) -> bool {
        let n = model.particles();
        let on =
            |memory: &Memory| memory.on_curves.iter().map(|it| it.particle).collect::<Vec<_>>();
        let Hand { grip, push } = &later.hand;
        let held = grip.iter().flat_map(|grip| &grip.particles);
        let mut handled = held.chain(push.iter().flat_map(|push| &push.particles));
        later.contacts.iter().all(|contact| contact.fits(model))
            && later.contacts.is_sorted_by_key(|contact| contact.key)
            && on(later) == on(self)
            && handled.all(|i| *i < n)
            && grip.iter().all(|grip| grip.offsets.len() == grip.particles.len())
    }
}

impl Contact {
    /// Whether a model can have it: the particles and colliders that forces are computed with exist, and the
    /// numbers of its force are finite.
    fn fits(&self, model: &Model) -> bool {
        let n = model.particles();
        let known = |particles: &[u32]| particles.iter().all(|i| (*i as usize) < n);
        let (sides, places) = match &self.anchor {
            Anchor::Surface(place) => {
                let colliders = model.surfaces.colliders.len();
                let touched = self.key.collider().is_some_and(|number| number < colliders);
                (touched && known(&[self.key.b]), [*place, *place])
            }
            Anchor::Bodies(anchor) => {
                let of_bodies = match self.key.kind {
                    ContactKind::Collider => false,
                    ContactKind::Edges => true,
                    _ => known(&[self.key.a]),
                };
                let sides = of_bodies && known(&anchor.particles) && known(&anchor.line);
                (sides, [anchor.offset, anchor.axis])
            }
        };
        let [x, y] = places;
        let vectors = [self.point, self.normal, self.slip, self.friction, self.stretch, x, y];
        let numbers = [self.depth, self.normal_force, self.inverse_mass];
        sides
            && (1..=4).contains(&self.ends.count)
            && known(&self.ends.particles)
            && vectors.iter().flat_map(|v| v.iter()).chain(&numbers).all(|x| x.is_finite())
    }
}
