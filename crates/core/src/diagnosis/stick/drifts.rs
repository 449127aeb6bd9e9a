//! The drift of contacts, window by window, and of bodies over a frame.

use super::super::drift::{Drift, LONGEST, Rest};
use super::super::loaded_law::{LoadedContact, LoadedLaw};
use super::bodies::{body_of, shares};
use super::{ContactRecord, NONE, Stick};
use crate::contact::friction::FrictionLaw;
use crate::model::Model;
use crate::state::memory::Contact;
use crate::state::{Lag, State};

/// The facts about law and method by which all drifts of a model are split.
pub(super) struct DriftRule<'a> {
    law: &'a dyn FrictionLaw,
    rest: Rest,
    lags_normal_force: bool,
}

impl<'a> DriftRule<'a> {
    pub(super) fn of(model: &'a Model, lag: &Lag) -> Self {
        let law = model.friction();
        let rest = match (law.has_memory(), law.is_kinked()) {
            _ if model.laws.is_none() => Rest::SetValued,
            (true, true) => Rest::Stretches,
            (true, false) => Rest::Yields,
            (false, _) => Rest::Creeps,
        };
        DriftRule { law, rest, lags_normal_force: lag.normal_force }
    }
}

impl ContactRecord {
    /// Ends the window of the drift where it is full.
    #[inline]
    pub(super) fn follow<'a>(
        &mut self,
        rule: impl FnOnce() -> DriftRule<'a>,
        contact: &Contact,
        h: f64,
    ) {
        if self.record.steps_of_part() >= LONGEST {
            self.end_part(&rule(), Some(contact), h);
        }
    }

    /// Adds the window in progress to the drift, and begins the next; `contact` is `None` if it opened.
    fn end_part(&mut self, rule: &DriftRule, contact: Option<&Contact>, h: f64) {
        let window = self.record.part(h, contact.map_or(1.0, |contact| contact.inverse_mass));
        // the parts of a drift are speeds in the world
        if window.steps() >= 1.0 && self.judged && !self.grained {
            let part = contact.map(|contact| [LoadedContact::of(contact, rule.law)]);
            let loaded_law = || part.as_ref().map(|part| LoadedLaw::new(rule.law, part));
            let how = (rule.lags_normal_force, self.record.is_unresolved(&window));
            self.drift.append(&Drift::of(&window, rule.rest, how, loaded_law));
        }
        self.record.begin_part();
    }
}

impl Stick {
    /// Adds to its bodies the drift since the last frame of a contact that opened.
    pub(super) fn part_with(&mut self, gone: &mut ContactRecord, model: &Model, h: f64) {
        self.begin_anew(gone);
        gone.end_part(&DriftRule::of(model, &self.lag), None, h);
        let body = body_of(model, gone.particle as usize);
        if body != NONE {
            self.drifts[body as usize].append(&gone.drift);
        }
    }

    /// Ends a frame; returns the drift of every body since the last one, in their order. [`Self::creep`]
    /// then holds that of the particles: the mean over a particle's contacts, weighted with N.
    pub fn end_frame(&mut self, model: &Model, state: &State, h: f64) -> Vec<Drift> {
        let rule = DriftRule::of(model, &self.lag);
        self.creep.begin(model.particles());
        for (kept, contact) in self.kept.iter_mut().zip(&state.memory.contacts) {
            kept.end_part(&rule, Some(contact), h);
            let drift = std::mem::take(&mut kept.drift);
            for (body, share) in shares(|i| body_of(model, i), contact) {
                self.drifts[body as usize].add(&drift, share);
            }
            if let Some(parts) = drift.parts() {
                for (i, c) in contact.ends.iter() {
                    self.creep.add(i, c.abs() * drift.weight(), parts.array());
                }
            }
        }
        self.creep.end();
        let none = vec![Drift::default(); self.drifts.len()];
        std::mem::replace(&mut self.drifts, none)
    }
}
