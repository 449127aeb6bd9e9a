//! Names to which tables refer, and messages about them.

use crate::diagnostics::{Diagnostic, Diagnostics, listed, quoted};
use crate::place::Place;
use crate::record::Record;
use crate::values::unknown_name;
use std::collections::BTreeMap;

/// Names of one kind, in order, and the place of each.
#[derive(Default)]
pub struct Known {
    list: Vec<String>,
    places: BTreeMap<String, usize>,
}

impl Known {
    fn of(list: Vec<String>) -> Self {
        let mut places = BTreeMap::new();
        for (at, name) in list.iter().enumerate() {
            places.entry(name.clone()).or_insert(at);
        }
        Known { list, places }
    }

    /// The first place of a name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

impl std::ops::Deref for Known {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.list
    }
}

/// The names of a scene, and the collector of messages.
pub struct Names<'d> {
    diagnostics: &'d mut Diagnostics,
    materials: Known,
    /// whether a material has a density
    dense: Vec<bool>,
    /// whether a body or collider has the material
    pub(crate) used: Vec<bool>,
    /// Names of bodies.
    pub bodies: Known,
    /// Names of colliders.
    pub colliders: Known,
    /// Names of pins; empty for a pin without a name.
    pub pins: Known,
}

impl<'d> Names<'d> {
    /// The names of a scene.
    pub fn new(
        diagnostics: &'d mut Diagnostics,
        (materials, dense): (Vec<String>, Vec<bool>),
        [bodies, colliders, pins]: [Vec<String>; 3],
    ) -> Self {
        let used = vec![false; materials.len()];
        let materials = Known::of(materials);
        let [bodies, colliders, pins] = [bodies, colliders, pins].map(Known::of);
        Names { diagnostics, materials, dense, used, bodies, colliders, pins }
    }

    /// Adds a message.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Whether a further error is only counted; counts one if so.
    pub(super) fn is_full(&mut self) -> bool {
        let full = self.diagnostics.full();
        self.diagnostics.count_more(usize::from(full));
        full
    }

    /// Whether there is an error so far.
    pub fn failed(&self) -> bool {
        self.diagnostics.failed()
    }

    /// An error at the place of a key.
    pub(super) fn fault(
        &mut self,
        code: &'static str,
        (record, key): (&Record, &str),
        message: String,
        help: impl Into<String>,
    ) {
        self.push(Diagnostic::error(code, record.place_of(key), message).help(help));
    }

    /// The index of a material, if one has that name.
    pub(super) fn material(&mut self, name: &str, place: Place) -> Option<usize> {
        let found = self.materials.find(name);
        if found.is_none() && !self.is_full() {
            self.push(*unknown_name(place, name, "material", &self.materials));
        }
        found
    }

    /// Whether the material of a body has a density, as far as it is known.
    pub(super) fn is_dense(&self, record: &Record) -> bool {
        let own = match record.text("material") {
            Some(name) => self.materials.find(name),
            None => (self.materials.len() == 1).then_some(0),
        };
        own.is_some_and(|material| self.dense[material])
    }

    /// The material of a body or collider; the only one if none is named.
    pub(super) fn material_of(&mut self, record: &Record, key: &str, header: &str) -> usize {
        let found = match record.text(key) {
            Some(name) => self.material(name, record.place_of(key)),
            None if record.places.contains_key(key) => None,
            None if self.materials.len() == 1 => Some(0),
            None => {
                self.missing_material(record, key, header);
                None
            }
        };
        if let Some(at) = found {
            self.used[at] = true;
        }
        found.unwrap_or(0)
    }

    fn missing_material(&mut self, record: &Record, key: &str, header: &str) {
        let name = record.text("name").map_or(String::new(), |name| format!(" {}", quoted(name)));
        let message = format!("missing key `material` in {header}{name}: the name of a material");
        let help = if self.materials.is_empty() {
            "there are no materials yet; add [materials.NAME] with static_friction = ..."
                .to_string()
        } else {
            format!("add material = \"NAME\" with one of {}", listed(&self.materials))
        };
        self.fault("E203", (record, key), message, help);
    }
}

/// The body named by a key.
pub(super) fn find_body(record: &Record, key: &str, names: &mut Names) -> Option<usize> {
    let name = record.text(key)?;
    let found = names.bodies.find(name);
    if found.is_none() && !names.is_full() {
        let place = record.place_of(key);
        names.push(*unknown_name(place, name, "body", &names.bodies));
    }
    found
}

/// The body named by a required key.
pub(super) fn body_of(record: &Record, key: &str, names: &mut Names) -> usize {
    find_body(record, key, names).unwrap_or_default()
}
