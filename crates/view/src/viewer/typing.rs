//! A value that is typed, in its field of the controls, or in a line where these have no room.

use super::Viewer;
use crate::dial::Entry;
use crate::keys::{Knob, special};

impl Viewer {
    /// Types a character of a knob's value.
    pub(super) fn type_in(&mut self, character: char) {
        self.changed = true;
        let Some(mut entry) = self.stage.entry.take() else { return };
        match character {
            special::ESCAPE | special::TAB => {}
            special::ENTER => match entry.value() {
                Ok(value) => self.set(entry.knob, value, false),
                Err(message) => {
                    entry.refused = true;
                    self.stage.entry = Some(entry);
                    self.say(message);
                }
            },
            other => {
                entry.type_in(other);
                self.stage.entry = Some(entry);
                self.show_entry();
            }
        }
    }

    /// Starts typing the value of a knob.
    pub(super) fn begin_typing(&mut self, knob: Knob) {
        match self.dial(knob) {
            Some(dial) => {
                let (text, unit) = (String::new(), dial.unit);
                self.stage.entry = Some(Entry { knob, text, unit, refused: false });
                self.stage.panel = true;
                self.show_entry();
            }
            None => self.say(format!("{} is not a number here", knob.name())),
        }
    }

    /// Shows what is typed as a notice where the controls have no room for its field.
    fn show_entry(&mut self) {
        let Some(entry) = &self.stage.entry else { return };
        if self.stage.has_controls() && self.setting(entry.knob).is_some() {
            return;
        }
        let name = self.setting(entry.knob).map_or("", |setting| setting.name.as_str());
        let now = self.setting(entry.knob).map_or("", |setting| setting.value.as_str());
        self.say(format!("{name}, now {now}: {}_", entry.text));
    }
}
