//! Contact as a force: nothing jumps.

use super::ContactMethod;
use crate::forces::account::Jump;
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::memory::Memory;
use crate::state::{State, Taken};
use crate::step_error::StepError;

/// Contacts are springs and dampers along the normal and a friction law across it:
/// [`crate::contact::force`].
#[derive(Debug, Clone, Copy)]
pub struct Penalty;

/// Its row.
pub const ENTRY: Entry<dyn ContactMethod> = Entry {
    name: "penalty",
    about: "a force that grows with depth, and a friction law; any integrator",
    keys: &[],
    page: Page {
        formula: "N = normal law(depth, its rate)\nF_t = friction law(slip velocity, stretch, N)",
        crawl: "By the friction law: laws with a threshold creep, laws with stretch hold.",
        stiffness: "By the normal law, h √(k/m), and by the friction law, h λ: see `stiffness SCENE`.",
        when: "For soft bodies, and wherever the cost of a law, a threshold or an integrator is the question.",
        source: "David Baraff 1991, Coping with friction for non-penetrating rigid body simulation [baraff1991]",
    },
    make: |_| Ok(Box::new(Penalty)),
};

impl ContactMethod for Penalty {
    fn is_force(&self) -> bool {
        true
    }

    fn apply(
        &mut self,
        _model: &Model,
        _state: &mut State,
        _taken: &Taken,
        _next: &mut Memory,
        _jump: &mut Jump,
    ) -> Result<(), StepError> {
        Ok(())
    }
}
