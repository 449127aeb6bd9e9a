//! Names of the varied keys in a figure: their symbols, or words, with units.

use stiction_core::registry::Kind;
use stiction_scene::homes::{Home, homes};

/// Symbols of keys that mean one quantity wherever they stand, those of the documents, and words for
/// the choices that go without a symbol.
const SYMBOLS: [(&str, &str); 9] = [
    ("epsilon", "ε"),
    ("static", "μ_s"),
    ("static_friction", "μ_s"),
    ("kinetic", "μ_k"),
    ("kinetic_friction", "μ_k"),
    ("step", "h"),
    ("restitution", "e"),
    ("law", "law"),
    ("method", "method"),
];

/// Names of the varied keys.
pub(super) struct KeyNames {
    /// Keys with their names.
    names: Vec<(String, String)>,
}

impl KeyNames {
    /// Names of keys, no two of them equal.
    pub fn of(keys: &[String]) -> KeyNames {
        let own = |key: &String| {
            let symbol = symbol(key).map_or_else(|| in_words(key, 2), String::from);
            let alone = keys.iter().all(|other| other == key || symbol_of(other) != symbol);
            if alone { symbol } else { in_words(key, 3) }
        };
        KeyNames { names: keys.iter().map(|key| (key.clone(), own(key))).collect() }
    }

    /// Name of a key: `ε`.
    pub fn name<'k>(&'k self, key: &'k str) -> &'k str {
        self.names.iter().find(|(known, _)| known == key).map_or(key, |(_, name)| name)
    }

    /// Name of a key with its unit, if all keys of this name in tables like its own have the same: `ε [m/s]`.
    pub fn label(&self, key: &str) -> String {
        let mut parts: Vec<&str> = key.split('.').collect();
        let last = parts.pop().unwrap_or(key);
        let mut of_name: Vec<Home> = homes().into_iter().filter(|home| home.key == last).collect();
        // words of the path that its table has too
        let words = |table: &str| {
            let named: Vec<&str> =
                table.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            parts.iter().filter(|part| named.contains(part)).count()
        };
        let most = of_name.iter().map(|home| words(&home.table)).max().unwrap_or_default();
        of_name.retain(|home| words(&home.table) == most);
        let unit = |kind: Kind| match kind {
            Kind::Number { unit, .. } => Some(unit),
            _ => None,
        };
        let mut units: Vec<&str> = of_name.iter().filter_map(|home| unit(home.kind?)).collect();
        units.sort_unstable();
        units.dedup();
        match units[..] {
            [unit] if !matches!(unit, "" | "1") => format!("{} [{unit}]", self.name(key)),
            _ => self.name(key).into(),
        }
    }
}

fn symbol(key: &str) -> Option<&'static str> {
    let last = key.rsplit('.').next().unwrap_or(key);
    SYMBOLS.iter().find(|(name, _)| *name == last).map(|(_, symbol)| *symbol)
}

fn symbol_of(key: &str) -> String {
    symbol(key).map_or_else(|| in_words(key, 2), String::from)
}

/// A key in words, its last parts: `material.wood.static_friction` is wood static friction.
fn in_words(key: &str, most: usize) -> String {
    let parts: Vec<&str> = key.split('.').collect();
    words(&parts[parts.len().saturating_sub(most)..].join(" "))
}

/// A column of the results by its symbol, or in words.
pub(super) fn quantity(name: &str) -> String {
    if name == "hlambda" { "h λ".into() } else { words(name) }
}

/// A name in words.
fn words(name: &str) -> String {
    name.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_symbols_and_units_and_equal_ones_words() {
        let keys = ["contact.friction.epsilon", "material.m.static_friction", "time.step"];
        let keys = keys.map(String::from);
        let names = KeyNames::of(&keys);
        let found: Vec<String> = keys.iter().map(|key| names.label(key)).collect();
        assert_eq!(found, ["ε [m/s]", "μ_s", "h [s]"]);
        let two = ["material.a.static_friction", "material.b.static_friction"].map(String::from);
        let names = KeyNames::of(&two);
        assert_eq!(names.name(&two[0]), "material a static friction");
        assert_eq!(names.name(&two[1]), "material b static friction");
        let words = ["integrator.method", "contact.friction.law"].map(String::from);
        let names = KeyNames::of(&words);
        assert_eq!(words.each_ref().map(|key| names.name(key)), ["method", "law"]);
        // a key of several tables has the unit of its own
        let springs = ["body.osc.springs.edge.stiffness".to_string()];
        assert_eq!(KeyNames::of(&springs).label(&springs[0]), "edge stiffness [N/m]");
    }
}
