//! The search for a number of the scene, which becomes a slider.

use super::Viewer;
use crate::canvas::CanvasPoint;
use crate::display::Setting;
use crate::finder::Finder;
use crate::keys::{Knob, special};
use crate::play::PlayerCommand;
use crate::play::slider::{MOST, knob_of};

impl Viewer {
    /// Opens the line in which a name is typed.
    pub(super) fn open_finder(&mut self) {
        let display = self.scenes.displays.get(self.stage.active);
        let numbers = display.map(|display| display.numbers.clone());
        self.stage.finder = Some(Finder::new(numbers.unwrap_or_default()));
    }

    /// A press beside the search closes it.
    pub(super) fn close_finder(&mut self, at: CanvasPoint) {
        if self.stage.finder.is_some() && !self.stage.card_at(at.0, at.1) {
            self.stage.finder = None;
            self.changed = true;
        }
    }

    /// A character while the search is open.
    pub(super) fn find(&mut self, character: char) {
        self.changed = true;
        let Some(finder) = &mut self.stage.finder else { return };
        match character {
            special::ESCAPE => self.stage.finder = None,
            special::UP => finder.mark(-1),
            special::DOWN | special::TAB => finder.mark(1),
            special::ENTER => self.choose(),
            other => finder.type_in(other),
        }
    }

    /// Makes a slider of the candidate with this place.
    pub(super) fn choose_candidate(&mut self, place: usize) {
        if let Some(finder) = &mut self.stage.finder {
            finder.marked = place;
            self.choose();
        }
    }

    /// Makes a slider of the selected candidate, or types its value where it has one already.
    fn choose(&mut self) {
        let Some(finder) = self.stage.finder.take() else { return };
        let Some(chosen) = finder.chosen() else {
            self.say(finder.unknown());
            self.stage.finder = Some(finder);
            return;
        };
        self.stage.panel = true;
        match knob_of(&chosen.path) {
            Some(knob) => self.begin_typing(knob),
            None => {
                self.latest_knob = self.knob_to_be(&chosen.path);
                self.send(PlayerCommand::Slider(chosen.path.clone()));
            }
        }
    }

    /// The knob of the slider with this path, which is made if it is not there: the next key enter types into it.
    fn knob_to_be(&self, path: &str) -> Knob {
        let display = self.scenes.displays.get(self.stage.active);
        let settings = display.map_or(&[][..], |display| &display.settings);
        let is_number = |setting: &&Setting| matches!(setting.knob, Knob::Number(_));
        let own: Vec<&Setting> = settings.iter().filter(is_number).collect();
        match own.iter().find(|setting| setting.name == path) {
            Some(setting) => setting.knob,
            None => Knob::Number(own.len().min(MOST - 1)),
        }
    }
}
