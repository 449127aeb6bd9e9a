//! The numbers of a scene, each by the path under which `--set` knows it.

use super::keys::{Choices, Form, PartContent};
use super::place::{Choice, Places};
use super::record::{Piece, Record, Resolved};
use stiction_core::registry::{Key, Kind, Range, Value, Values};

/// Longest list whose numbers are named one by one.
const LIST: usize = 12;

/// A number of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneNumber {
    /// Its path: `contact.friction.epsilon`, `body.box.mass`, `world.gravity.2`.
    pub path: String,
    /// Its value, in `unit`.
    pub value: f64,
    /// The unit, empty for a ratio.
    pub unit: &'static str,
    /// The permitted values.
    pub range: Range,
    /// Whether it is an integer.
    pub integer: bool,
    /// The meaning of its key.
    pub about: &'static str,
    /// `x`, `y` or `z` of a component of a vector, whose path has the number 0, 1 or 2.
    pub axis: Option<&'static str>,
}

impl SceneNumber {
    /// The text for `--set` that gives it another value.
    pub fn set_to(&self, value: f64) -> String {
        match self.integer {
            true => format!("{}={}", self.path, value.round() as i64),
            false => format!("{}={value:e}", self.path),
        }
    }
}

/// All numbers that a scene gives or has by default, in the order of the reference; of vectors and
/// lists those that the file gives, since `--set` finds their parts only there.
pub fn numbers(resolved: &Resolved) -> Vec<SceneNumber> {
    let mut found = Vec::new();
    for (section, items) in &resolved.sections {
        for (place, record) in items.iter().enumerate() {
            let path = match section.form {
                Form::Single => section.name.to_string(),
                Form::Named => joined(section.name, &record.name),
                Form::Repeated => joined(section.name, &element(items, place)),
            };
            add_record(&path, record, &mut found);
        }
    }
    found
}

/// The name of an element of a repeated table, or its number where the name is missing or taken by
/// an earlier one.
fn element(items: &[Record], place: usize) -> String {
    match items[place].text("name") {
        Some(name) if items[..place].iter().all(|before| before.text("name") != Some(name)) => {
            name.into()
        }
        _ => place.to_string(),
    }
}

/// A path with a further part, in quotation marks where it needs them.
fn joined(path: &str, part: &str) -> String {
    let bare = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    match part.chars().all(bare) {
        true => format!("{path}.{part}"),
        false if part.contains('"') => format!("{path}.'{part}'"),
        false => format!("{path}.\"{part}\""),
    }
}

fn add_record(path: &str, record: &Record, found: &mut Vec<SceneNumber>) {
    if let (Some(tag), Some(choice)) = (record.keys.tag, &record.choice) {
        add_choice(path, tag.rows, choice, found);
    }
    add_values(path, record.keys.keys, (&record.values, &record.places), found);
    for part in record.keys.parts {
        let inner = || joined(path, part.name);
        match (part.content, record.parts.get(part.name)) {
            (_, Some(Piece::Table(table))) => add_record(&inner(), table, found),
            (PartContent::Variant(rows), Some(Piece::Variant(choice))) => {
                add_choice(&joined(&inner(), choice.name), rows, choice, found);
            }
            _ => {}
        }
    }
}

fn add_choice(path: &str, rows: &Choices, choice: &Choice, found: &mut Vec<SceneNumber>) {
    let keys = rows.find(choice.name).map_or(&[][..], |row| row.keys);
    add_values(path, keys, (&choice.values, &choice.places), found);
}

fn add_values(
    path: &str,
    keys: &'static [Key],
    (values, places): (&Values, &Places),
    found: &mut Vec<SceneNumber>,
) {
    for key in keys {
        let Some(value) = values.0.get(key.name) else { continue };
        let (unit, range, integer) = match key.kind {
            Kind::Number { unit, range } | Kind::Numbers { unit, range } => (unit, range, false),
            Kind::Integer { min, max } => ("", Range::Between(min as f64, max as f64), true),
            Kind::Vector { unit, .. } => (unit, Range::Any, false),
            Kind::Constants => ("", Range::Any, false),
            _ => continue,
        };
        let path = joined(path, key.name);
        let mut put = |path: String, value: f64, axis: Option<&'static str>| {
            found.push(SceneNumber { path, value, unit, range, integer, about: key.about, axis });
        };
        let given = places.contains_key(key.name);
        match value {
            Value::Number(x) => put(path, *x, None),
            Value::Integer(n) => put(path, *n as f64, None),
            Value::Vector(v) if given => {
                let parts = v.iter().zip(["x", "y", "z"]).enumerate();
                parts.for_each(|(k, (x, axis))| put(format!("{path}.{k}"), *x, Some(axis)));
            }
            Value::Numbers(list) if given && list.len() <= LIST => {
                list.iter().enumerate().for_each(|(k, x)| put(format!("{path}.{k}"), *x, None));
            }
            Value::Constants(named) if given => {
                named.iter().for_each(|(name, x)| put(joined(&path, name), *x, None));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LoadOptions, load_text};

    const SCENE: &str = r#"
format = 1
time = { end = 1.0, step = 1e-3, output = 0.1 }
integrator = { method = "rk4" }
world = { gravity = [0, 0, -9.81] }
[materials."hard rubber"]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e4 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "box"
mass = 2.0
shape = { lattice = { counts = [2, 2, 2], spacing = 0.1 } }
springs = { edge = { stiffness = 5e3 } }
[[body]]
name = "dot.ted"
mass = 1.0
position = [5, 0, 0]
shape = { particle = {} }
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

    fn loaded(set: &[String]) -> Resolved {
        let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
        let loaded = load_text("test.toml", SCENE, std::path::Path::new("."), &options);
        loaded.unwrap_or_else(|errors| panic!("{set:?}: {}", errors.brief())).resolved
    }

    /// Every path is one that `--set` finds, and it is this number that changes.
    #[test]
    fn every_path_is_known_to_set() {
        let all = numbers(&loaded(&[]));
        for (place, number) in all.iter().enumerate() {
            let value = match number.range {
                _ if number.path.starts_with("time.") => continue,
                Range::Between(low, high) if number.integer => (low + high).min(number.value + 1.0),
                Range::Between(low, high) => 0.4 * low + 0.6 * high,
                _ => number.value + 0.125,
            };
            let after = numbers(&loaded(&[number.set_to(value)]));
            let changed =
                after.iter().find(|other| other.path == number.path).expect("it is there");
            assert_eq!(changed.value, value, "{place}: {}", number.path);
        }
    }

    #[test]
    fn numbers_have_names_units_and_values() {
        let all = numbers(&loaded(&[]));
        let of = |path: &str| {
            let found = all.iter().find(|number| number.path == path);
            found.map(|number| (number.value, number.unit, number.integer))
        };
        assert_eq!(of("world.gravity.2"), Some((-9.81, "m/s²", false)));
        assert_eq!(of("contact.friction.epsilon"), Some((1e-2, "m/s", false)));
        assert_eq!(of("materials.\"hard rubber\".static_friction"), Some((0.5, "", false)));
        assert_eq!(of("body.box.shape.lattice.spacing"), Some((0.1, "m", false)));
        assert_eq!(of("body.box.springs.edge.damping"), Some((0.0, "N·s/m", false)));
        assert_eq!(of("body.\"dot.ted\".position.0"), Some((5.0, "m", false)));
        let axis = |path: &str| all.iter().find(|n| n.path == path).and_then(|n| n.axis);
        assert_eq!([axis("world.gravity.2"), axis("body.box.mass")], [Some("z"), None]);
        // a vector that the file does not give, and a text
        assert_eq!([of("body.box.velocity.0"), of("body.box.name")], [None, None]);
    }
}
