//! The search for a number of the scene by a part of its name.

use std::sync::Arc;
use stiction_core::registry::words::{listed, nearest, quoted};
use stiction_scene::numbers::SceneNumber;

/// Most candidates that are shown.
pub const SHOWN: usize = 8;

/// Most names in a message.
const NAMED: usize = 3;

/// Longest text that can be typed.
const LONGEST: usize = 60;

/// A name being typed, and the numbers that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Finder {
    /// The text so far.
    pub text: String,
    /// The selected candidate.
    pub marked: usize,
    numbers: Arc<Vec<SceneNumber>>,
    found: Vec<usize>,
}

impl Finder {
    /// A search in the numbers of a scene.
    pub fn new(numbers: Arc<Vec<SceneNumber>>) -> Finder {
        let found = search(&numbers, "");
        Finder { text: String::new(), marked: 0, numbers, found }
    }

    /// The best candidates, the first first.
    pub fn candidates(&self) -> impl Iterator<Item = &SceneNumber> {
        self.found.iter().map(|place| &self.numbers[*place])
    }

    /// The selected candidate.
    pub fn chosen(&self) -> Option<&SceneNumber> {
        self.candidates().nth(self.marked)
    }

    /// Adds a character, removes the last one, or removes all (Ctrl-A, Ctrl-U).
    pub fn type_in(&mut self, character: char) {
        match character {
            '\u{1}' | '\u{15}' => self.text.clear(),
            '\u{8}' | '\u{7f}' => drop(self.text.pop()),
            letter if !letter.is_control() && self.text.chars().count() < LONGEST => {
                self.text.push(letter);
            }
            _ => return,
        }
        self.found = search(&self.numbers, &self.text);
        self.marked = 0;
    }

    /// Moves the selection by `by` candidates down.
    pub fn mark(&mut self, by: isize) {
        let last = self.found.len().saturating_sub(1);
        self.marked = self.marked.saturating_add_signed(by).min(last);
    }

    /// The answer to a name that no number has, with the nearest ones.
    pub fn unknown(&self) -> String {
        let near = search(&self.numbers, &corrected(&self.numbers, &self.text));
        let near: Vec<&str> =
            near.iter().take(NAMED).map(|place| self.numbers[*place].path.as_str()).collect();
        let meant = match near.is_empty() {
            true => "type a part of its key, for example mass".to_string(),
            false => format!("did you mean {}?", listed(&near)),
        };
        format!("no number of the scene is called {}; {meant}", quoted(self.text.trim()))
    }
}

/// A text as it is compared.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('-', "_")
}

/// Tables whose numbers say what is recorded, not what happens: they come last.
const LATE: [&str; 1] = ["measure"];

/// Words that are typed for words of keys.
const MEANT: [(&str, &str); 4] =
    [("speed", "velocity"), ("weight", "mass"), ("density", "mass"), ("pull", "force")];

/// Places of the best candidates. All words of the text are in the path of a number or in its
/// meaning; those at the beginning of a key come before those within one. Among equals the order is that
/// of the reference, where the key that a table is about stands first, with components that are zero
/// after all others; numbers of measures come last.
fn search(numbers: &[SceneNumber], text: &str) -> Vec<usize> {
    let words: Vec<String> = text.split_whitespace().map(plain).collect();
    let mut found: Vec<(bool, u32, bool, usize)> = Vec::new();
    for (place, number) in numbers.iter().enumerate() {
        if let Some(rank) = words.iter().map(|word| rank(number, word)).sum::<Option<u32>>() {
            let late = LATE.iter().any(|table| number.path.split('.').next() == Some(table));
            found.push((late, rank, number.axis.is_some() && number.value == 0.0, place));
        }
    }
    found.sort_unstable();
    found.into_iter().take(SHOWN).map(|(.., place)| place).collect()
}

/// How far a word is from the name of a number: 0 for its path or its key; none if it is not in it.
fn rank(number: &SceneNumber, word: &str) -> Option<u32> {
    let path = plain(&number.path);
    let own = rank_of(&path, &plain(number.about), word, number.axis);
    // a component is also called by its axis
    let by_axis = number.axis.and_then(|axis| {
        let path = format!("{}.{axis}", path.rsplit_once('.')?.0);
        rank_of(&path, "", word, number.axis)
    });
    let meant = MEANT.iter().filter(|(typed, _)| *typed == word);
    let other = meant.filter(|(_, key)| path.contains(key)).map(|_| 3);
    own.into_iter().chain(by_axis).chain(other).min()
}

fn rank_of(path: &str, about: &str, word: &str, axis: Option<&str>) -> Option<u32> {
    let of_vector = |path: &str| path.rsplit_once('.').map(|(vector, _)| vector.to_string());
    let key = axis.and_then(|_| of_vector(path)).unwrap_or_else(|| path.into());
    let last = key.rsplit('.').next().unwrap_or_default();
    // μ_s is typed as mu_s
    let symbol = word.replace("mu", "μ");
    let within = |place: usize| place == 0 || path[..place].ends_with('.');
    let begins = path.match_indices(word).any(|(place, _)| within(place));
    Some(match () {
        () if path == word || last == word => 0,
        () if last.starts_with(word) => 1,
        () if begins => 2,
        () if path.contains(word) => 3,
        () if about.split(' ').any(|part| part.starts_with(&symbol)) => 4,
        () => return None,
    })
}

/// The text with each part that no path has replaced by the nearest key, or left out.
fn corrected(numbers: &[SceneNumber], text: &str) -> String {
    let paths: Vec<String> = numbers.iter().map(|number| plain(&number.path)).collect();
    let mut keys: Vec<&str> = paths.iter().flat_map(|path| path.split('.')).collect();
    keys.sort_unstable();
    keys.dedup();
    let text = plain(text);
    let parts = text.split(|c: char| c == '.' || c.is_whitespace()).filter(|part| !part.is_empty());
    let meant = parts.filter_map(|part| match paths.iter().any(|path| path.contains(part)) {
        true => Some(part),
        false => nearest(part, keys.iter().copied()),
    });
    let meant: Vec<&str> = meant.collect();
    // nothing that is near: no candidates
    if meant.is_empty() { text } else { meant.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::registry::Range;

    fn finder(text: &str) -> Finder {
        let number = |path: &str, about| SceneNumber {
            path: path.into(),
            value: if path.ends_with(".1") { 0.0 } else { 1.0 },
            unit: "",
            range: Range::Any,
            integer: false,
            about,
            axis: ["x", "y", "z"]
                .into_iter()
                .zip(0..)
                .find_map(|(axis, k)| path.ends_with(&format!(".{k}")).then_some(axis)),
        };
        let numbers = vec![
            number("world.gravity.2", "acceleration of gravity"),
            number("contact.friction.epsilon", "threshold"),
            number("materials.steel.static_friction", "coefficient of static friction μ_s"),
            number("body.large_mass.spin.0", "rate of turn"),
            number("body.box.mass", "mass of the whole body"),
            number("body.box.position.0", "translation of the shape"),
            number("body.box.springs.edge.stiffness", "stiffness"),
            number("body.box.springs.edge.damping", "damping"),
            number("push.0.force.0", "total force"),
            number("push.0.force.1", "total force"),
            number("push.0.from", "start"),
            number("push.0.ramp", "linear rise"),
            number("measure.speed.direction.0", "component along it"),
            number("pin.hand.motion.velocity.0", "motion"),
        ];
        let mut finder = Finder::new(Arc::new(numbers));
        text.chars().for_each(|letter| finder.type_in(letter));
        finder
    }

    fn paths(text: &str) -> Vec<String> {
        finder(text).candidates().map(|number| number.path.clone()).collect()
    }

    #[test]
    fn the_best_candidates_come_first() {
        assert_eq!(paths("mass"), ["body.box.mass", "body.large_mass.spin.0"]);
        assert_eq!(
            paths("friction"),
            ["contact.friction.epsilon", "materials.steel.static_friction"]
        );
        assert_eq!(paths("box.m"), ["body.box.mass"]);
        assert_eq!(paths("pos box"), ["body.box.position.0"]);
        assert_eq!(paths("mu_s"), ["materials.steel.static_friction"]);
        assert_eq!(paths("Static-Fr"), ["materials.steel.static_friction"]);
        assert_eq!(paths("").len(), SHOWN);
        assert_eq!(paths("x\u{8}eps"), ["contact.friction.epsilon"]);
    }

    /// The number that a word means comes first: the key that a table is about, then its other keys, then
    /// zero components, and numbers of measures last.
    #[test]
    fn the_number_that_is_meant_comes_first() {
        assert_eq!(
            paths("push"),
            ["push.0.force.0", "push.0.from", "push.0.ramp", "push.0.force.1"]
        );
        assert_eq!(
            paths("edge"),
            ["body.box.springs.edge.stiffness", "body.box.springs.edge.damping"]
        );
        assert_eq!(paths("speed"), ["pin.hand.motion.velocity.0", "measure.speed.direction.0"]);
        assert_eq!(paths("push.0.force.x"), ["push.0.force.0"]);
        assert_eq!(paths("gravity z"), ["world.gravity.2"]);
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        assert!(finder("bxo.mass").chosen().is_none());
        let said = finder("frictoin.epsilon").unknown();
        assert!(
            said.contains("`frictoin.epsilon`; did you mean `contact.friction.epsilon`?"),
            "{said}"
        );
        let said = finder("gravty").unknown();
        assert!(said.contains("did you mean `world.gravity.2`?"), "{said}");
        let said = finder("qqqqqq").unknown();
        assert!(!said.contains("did you mean") && said.contains("for example mass"), "{said}");
    }

    #[test]
    fn the_mark_stays_among_the_candidates() {
        let mut finder = finder("mass");
        finder.mark(5);
        assert_eq!(
            finder.chosen().map(|number| number.path.as_str()),
            Some("body.large_mass.spin.0")
        );
        finder.mark(-9);
        assert_eq!(finder.marked, 0);
        finder.type_in('q');
        assert_eq!(finder.chosen(), None);
    }
}
