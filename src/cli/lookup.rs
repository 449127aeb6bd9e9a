//! Words of `explain`, found by the names and phrases that are printed.

use super::words::{Word, all};

/// The words of a printed name, each under the name by which it was found: ignoring case, with or without its unit or a
/// body, or as part of a phrase.
pub fn find(name: &str) -> Vec<(String, &'static Word)> {
    let wanted = plain(name);
    let is = |known: &str| {
        let known = plain(known);
        known == wanted || known == without_unit(&wanted)
    };
    let named = |word| (name.to_string(), word);
    let exact: Vec<&Word> = all().filter(|word| word.names.iter().any(|n| is(n))).collect();
    if !exact.is_empty() {
        return exact.into_iter().map(named).collect();
    }
    // `slip_error`, the error bar of a column of a name of the scene
    if wanted.ends_with("_error") {
        return all().filter(|word| word.names.contains(&"error bar")).map(named).collect();
    }
    // `drift of box`, `creep_law_box`, `error_height`
    let begins = |known: &&&str| {
        let open = known.ends_with(" of") || known.contains('_');
        open && wanted.len() > known.len() && wanted.starts_with(**known)
    };
    let best = |fits: &dyn Fn(&&&'static str) -> bool| {
        let names = all().flat_map(|word| word.names.iter().map(move |known| (known, word)));
        names.filter(|(known, _)| fits(known)).max_by_key(|(known, _)| known.len())
    };
    // `friction bears`, `not verified`, `the runs part at t = 0.6 s`: the words of a phrase
    let says = |word: &&str| {
        let number = word.contains(|c: char| c.is_ascii_digit() || c == '=');
        !number && !FILLERS.contains(word) && !UNITS.contains(word)
    };
    let words: Vec<&str> = wanted.split(' ').filter(says).collect();
    let within = |known: &&&str| {
        let known: Vec<&str> = known.split(' ').collect();
        2 * known.len() >= words.len() && words.windows(known.len()).any(|part| part == known)
    };
    let found = best(&begins).map(|(_, word)| named(word));
    found
        .or_else(|| best(&within).map(|(known, word)| (known.to_string(), word)))
        .into_iter()
        .collect()
}

/// Words that say nothing about a phrase.
const FILLERS: [&str; 6] = ["the", "its", "a", "not", "at", "t"];

/// Units behind a printed number or name.
const UNITS: [&str; 9] = ["m", "m/s", "s", "j", "n", "rad/s", "1/s", "s/s", "degrees"];

fn plain(name: &str) -> String {
    name.trim().trim_matches(['"', '`', '*']).to_lowercase()
}

/// A name without the unit after its last blank.
fn without_unit(name: &str) -> String {
    match name.rsplit_once([' ', ',']) {
        Some((front, unit)) if UNITS.contains(&unit.trim()) => front.trim_end_matches(',').into(),
        _ => name.into(),
    }
}
