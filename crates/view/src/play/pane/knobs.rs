//! Changes of a pane by its knobs, and taking them back.

use super::super::changes::{Candidate, Changes};
use super::Pane;
use crate::keys::{Direction, Knob};
use std::sync::Arc;
use stiction_core::math::larger;
use stiction_core::state::memory::Contact;
use stiction_lab::experiment::recording::Act;

impl Pane {
    /// Turns a knob; returns, in words, the new setting and the first candidate that was refused.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub fn turn(&mut self, knob: Knob, way: Direction) -> Result<String, String> {
        let capacity = self.capacity();
        let now = &self.timeline.scene;
        let candidates = self.changes.turned(knob, way, &self.original, now, capacity)?;
        self.choose_one(knob, candidates)
    }

    /// Sets a knob to a value in SI; `again` continues the last change.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub(crate) fn set_value(
        &mut self,
        knob: Knob,
        value: f64,
        again: bool,
    ) -> Result<String, String> {
        let now = &self.timeline.scene;
        let candidate = self.changes.to(knob, value, &self.original, now)?;
        if candidate.1 == *self.changes {
            return Ok(format!("{} is {}", knob.name(), candidate.0));
        }
        let before = self.done.len();
        let done = self.choose_one(knob, vec![candidate])?;
        if again && before > 0 {
            self.done.truncate(before);
        }
        Ok(done)
    }

    /// Chooses the integrator or the law by its name.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub(crate) fn set_name(&mut self, knob: Knob, name: &str) -> Result<String, String> {
        let candidate = self.changes.named(
            knob,
            name,
            &self.timeline.scene,
            &self.original,
            self.capacity(),
        )?;
        if candidate.1 == *self.changes {
            return Ok(format!("{} is {}", knob.name(), candidate.0));
        }
        self.choose_one(knob, vec![candidate])
    }

    /// Undoes the last change.
    ///
    /// # Errors
    /// There is no change to undo.
    pub fn undo(&mut self) -> Result<String, String> {
        let before = self.done.pop().ok_or("there is no change to take back")?;
        self.set(Arc::unwrap_or_clone(before))?;
        Ok("the last change was taken back".into())
    }

    /// Makes the first change that the scene accepts.
    fn choose_one(&mut self, knob: Knob, candidates: Vec<Candidate>) -> Result<String, String> {
        let mut refused = Vec::new();
        for (name, changes) in candidates {
            if changes == *self.changes {
                return Err(format!("{} is at its end", knob.name()));
            }
            let before = Arc::clone(&self.changes);
            match self.set(changes) {
                Ok(()) => {
                    self.done.push(before);
                    let passed = match refused.first() {
                        None => String::new(),
                        Some(first) => format!("; passed over {first}"),
                    };
                    return Ok(format!("{} is now {name}{passed}", knob.name()));
                }
                Err(message) => refused.push(format!("{name}: {message}")),
            }
        }
        let why = refused.first().map_or("there is no other".into(), String::clone);
        Err(format!("{} stays: {why}", knob.name()))
    }

    /// Resumes with other changes.
    pub fn set(&mut self, changes: Changes) -> Result<(), String> {
        if changes.start() != self.changes.start() {
            return self.start_with(changes);
        }
        let set = changes.set(&self.original);
        self.intervene(Act::Set { set })?;
        self.changes = Arc::new(changes);
        Ok(())
    }

    /// μ_s N of a typical contact, or μ_s times the weight without contacts \[N\].
    fn capacity(&self) -> f64 {
        let contacts = &self.timeline.simulation.state.memory.contacts;
        let bears = |c: &Contact| c.pair.static_friction * c.normal_force;
        let sum: f64 = contacts.iter().map(bears).sum();
        let model = &self.timeline.simulation.model;
        let weight = model.masses.iter().sum::<f64>() * larger(model.gravity.norm(), 1.0);
        if sum > 0.0 { sum / contacts.len() as f64 } else { weight }
    }
}
