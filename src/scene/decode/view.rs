//! `[view]`.

use super::Decoder;
use crate::scene::description::{Follow, Theme, View};
use crate::scene::diagnostics::{Diagnostic, quoted};
use crate::scene::record::Record;
use crate::scene::sections::LAYERS;
use crate::scene::values::unknown_name;

impl Decoder<'_> {
    pub(super) fn view(&mut self, record: &Record) -> View {
        View {
            yaw: record.values.get_number("yaw"),
            pitch: record.values.get_number("pitch"),
            zoom: record.values.get_number("zoom").unwrap_or(1.0),
            target: record.values.get_vector("target"),
            orthographic: record.text("projection") == Some("orthographic"),
            follow: self.follow(record),
            theme: match record.text("theme") {
                Some("dark") => Theme::Dark,
                _ => Theme::Light,
            },
            layers: self.layers(record),
            speed: record.values.get_number("speed").unwrap_or(1.0),
        }
    }

    fn follow(&mut self, record: &Record) -> Follow {
        let name = match record.text("follow") {
            None | Some("all") => return Follow::All,
            Some("nothing") => return Follow::Nothing,
            Some(name) => name,
        };
        match self.bodies.iter().position(|known| known == name) {
            Some(body) => Follow::Body(body),
            None => {
                let words = ["all", "nothing"].map(String::from);
                let known: Vec<String> = words.into_iter().chain(self.bodies.clone()).collect();
                let place = record.place_of("follow");
                self.diagnostics.push(*unknown_name(place, name, "body", &known));
                Follow::All
            }
        }
    }

    /// What is shown and hidden. Whoever asks for both has made a mistake.
    fn layers(&mut self, record: &Record) -> Vec<(&'static str, bool)> {
        let (show, hide) = (record.values.texts("show"), record.values.texts("hide"));
        if let Some(both) = hide.iter().find(|name| show.contains(name)) {
            let message = format!("{} is in both `show` and `hide` of [view]", quoted(both));
            let help = "leave it in one of the two";
            let place = record.place_of("hide");
            self.diagnostics.push(Diagnostic::error("E310", place, message).help(help));
        }
        let known = |names: &[String]| {
            LAYERS.iter().filter(|l| names.iter().any(|n| n == **l)).copied().collect::<Vec<_>>()
        };
        let shown = known(show).into_iter().map(|layer| (layer, true));
        shown.chain(known(hide).into_iter().map(|layer| (layer, false))).collect()
    }
}
