//! Penetration so deep that the side from which a particle came is lost. Beyond the middle of a thin
//! collider, or of a body whose distance has no sign, a contact pushes out on the wrong side, and the
//! run goes on looking well.

use crate::state::State;

/// A contact that is too deep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TooDeep {
    /// Its first particle.
    pub particle: usize,
    /// Depth \[m\].
    pub depth: f64,
    /// The depth from which sides may be mistaken \[m\].
    pub limit: f64,
    /// When it began \[s\].
    pub time: f64,
    /// How many accepted contacts were too deep.
    pub particle_steps: u64,
}

/// Watches the depth of contacts at accepted states.
#[derive(Debug, Clone, Default)]
pub struct Penetration {
    /// The worst so far, by its depth over the limit.
    pub worst: Option<TooDeep>,
}

impl Penetration {
    /// Looks at the contacts of an accepted state.
    pub fn observe(&mut self, state: &State) {
        let too_deep = |contact: &&crate::state::memory::Contact| contact.depth > contact.deepest;
        for contact in state.memory.contacts.iter().filter(too_deep) {
            let found = TooDeep {
                particle: contact.particle(),
                depth: contact.depth,
                limit: contact.deepest,
                time: state.time,
                particle_steps: 0,
            };
            let worst = self.worst.get_or_insert(found);
            worst.particle_steps += 1;
            if found.depth / found.limit > worst.depth / worst.limit {
                (worst.particle, worst.depth, worst.limit) =
                    (found.particle, found.depth, found.limit);
            }
        }
    }
}
