//! Numbers of laws, methods, shapes and scenes in README.md and CHANGELOG.md are those of the tables.

use crate::support::files::home;
use stiction_core::contact::collider::COLLIDERS;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::contact::normal::NORMAL_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::world::shapes::SHAPES;

/// Numbers in words, from zero.
const WORDS: [&str; 13] = [
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
];

/// The numbers that stand before `what` in a text, in digits or as a word.
fn numbers(text: &str, what: &str) -> Vec<usize> {
    let number = |before: &str| {
        let word = before.split_whitespace().next_back()?;
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let in_words = WORDS.iter().position(|known| *known == word);
        in_words.or_else(|| word.replace(',', "").parse().ok())
    };
    let what = format!(" {what}");
    text.match_indices(&what).filter_map(|(at, _)| number(&text[..at])).collect()
}

/// Scenes of the library: the folders within are not part of it.
fn scenes() -> usize {
    let entries = std::fs::read_dir(home("scenes")).expect("the library");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).count()
}

#[test]
fn readme_and_changelog_count_as_the_tables_do() {
    let (readme, changelog) = (&["README.md", "CHANGELOG.md"][..], &["CHANGELOG.md"][..]);
    let counts = [
        ("friction laws", FRICTION_LAWS.built_in().len(), readme),
        ("integrators", INTEGRATORS.built_in().len(), readme),
        ("contact methods", CONTACT_METHODS.built_in().len(), readme),
        ("normal laws", NORMAL_LAWS.built_in().len(), changelog),
        ("colliders", COLLIDERS.built_in().len(), changelog),
        ("shapes", SHAPES.built_in().len(), changelog),
        ("scenes", scenes(), changelog),
    ];
    for (what, count, pages) in counts {
        for page in pages {
            let text = std::fs::read_to_string(home(page)).expect("a page");
            let written = numbers(&text, what);
            assert!(!written.is_empty(), "{page} does not say how many {what} there are");
            assert!(written.iter().all(|n| *n == count), "{page}: {written:?} {what}, not {count}");
        }
    }
}

#[test]
fn numbers_are_found_in_digits_and_in_words() {
    let text = "bodies (nine shapes), 1,189 shapes. Eight shapes; the shapes";
    assert_eq!(numbers(text, "shapes"), [9, 1189, 8]);
}
