//! The contacts at the start, body by body.

use super::is_held;
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use std::cell::OnceCell;

/// The contacts of each body at the start, and which bodies bear others.
pub(super) struct Touching<'a> {
    model: &'a Model,
    state: &'a State,
    contacts: Vec<Vec<&'a Contact>>,
    borne: OnceCell<Vec<bool>>,
}

impl<'a> Touching<'a> {
    pub(super) fn of(model: &'a Model, state: &'a State) -> Self {
        let mut contacts = vec![Vec::new(); model.bodies.len()];
        for contact in &state.memory.contacts {
            if let Some(body) = model.body_of(contact.particle()) {
                contacts[body].push(contact);
            }
        }
        Touching { model, state, contacts, borne: OnceCell::new() }
    }

    /// The contacts of a body's particles, in the order of the state.
    pub(super) fn contacts_of(&self, body: usize) -> &[&'a Contact] {
        &self.contacts[body]
    }

    /// Whether springs, pins or other bodies press a body, too.
    pub(super) fn is_borne(&self, body: usize) -> bool {
        self.borne.get_or_init(|| self.borne())[body]
    }

    fn borne(&self) -> Vec<bool> {
        let Touching { model, state, .. } = *self;
        let mut borne = vec![false; model.bodies.len()];
        let mut press = |i: usize| {
            if let Some(body) = model.body_of(i) {
                borne[body] = true;
            }
        };
        for contact in state.memory.contacts.iter().filter(|c| c.key.collider().is_none()) {
            let ends = contact.ends.iter().filter(|(_, weight)| *weight != 0.0);
            ends.for_each(|(i, _)| press(i));
        }
        model.springs.for_each(|spring| {
            if model.body_of(spring.i) != model.body_of(spring.j) {
                [spring.i, spring.j].into_iter().for_each(&mut press);
            }
        });
        (0..model.particles()).filter(|i| is_held(model, *i)).for_each(press);
        borne
    }
}
