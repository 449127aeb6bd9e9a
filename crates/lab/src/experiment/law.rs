//! Friction laws as written in lists: `NAME:key=value:key=value`. Colons within brackets and
//! quotation marks belong to a value.

use super::list::split;
use std::collections::BTreeSet;
use stiction_core::contact::friction::FRICTION_LAWS;

/// The name of a law.
pub fn name(law: &str) -> &str {
    split(law, ':', usize::MAX)[0]
}

/// The keys of a law with their values, each as `key=value`.
pub fn keys(law: &str) -> Vec<&str> {
    split(law, ':', usize::MAX).split_off(1)
}

/// "dahl has stiffness=1e4", for each law with keys, where the names alone tell all laws apart; `None` where
/// they do not.
pub fn keys_by_name<'l>(laws: impl Iterator<Item = &'l str>) -> Option<Vec<String>> {
    let laws: BTreeSet<&str> = laws.collect();
    let names: BTreeSet<&str> = laws.iter().map(|law| name(law)).collect();
    let with_keys = laws.iter().filter(|law| !keys(law).is_empty());
    let words = with_keys.map(|law| format!("{} has {}", name(law), keys(law).join(", ")));
    (names.len() == laws.len()).then(|| words.collect())
}

/// `--set` texts that put the law into a scene.
pub fn sets(law: &str) -> Vec<String> {
    let keys = keys(law).into_iter().map(|key| format!("contact.friction.{key}"));
    std::iter::once(format!("contact.friction.law={}", name(law))).chain(keys).collect()
}

/// Whether the law has an ε.
pub(crate) fn has_epsilon(law: &str) -> bool {
    let row = FRICTION_LAWS.find(name(law));
    row.is_some_and(|row| row.keys.iter().any(|key| key.name == "epsilon"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_in_texts_belong_to_them() {
        let law = "formula:mu=\"0.3 + 0.2*exp(-s/0.1) : really\":epsilon=1e-3";
        assert_eq!(name(law), "formula");
        assert_eq!(keys(law), ["mu=\"0.3 + 0.2*exp(-s/0.1) : really\"", "epsilon=1e-3"]);
        let both = ["dahl:stiffness=1e4", "threshold"];
        assert_eq!(keys_by_name(both.into_iter()), Some(vec!["dahl has stiffness=1e4".into()]));
        assert_eq!(keys_by_name(["dahl:stiffness=1e4", "dahl:stiffness=2e4"].into_iter()), None);
        assert_eq!(sets("none"), ["contact.friction.law=none"]);
        assert!(has_epsilon(law) && has_epsilon("tanh") && !has_epsilon("dahl:stiffness=1"));
    }
}
