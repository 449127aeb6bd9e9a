//! A number set by a slider or by typing.

use super::keys::Knob;
use stiction_core::math::{larger, log10, pow, smaller};

/// Significant digits of a value on a logarithmic slider: steps of 1 to 10 %, about a pixel of a slider over
/// four decades.
const DIGITS: usize = 2;

/// A value with the range of its slider.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dial {
    /// The value, in SI.
    pub value: f64,
    /// Its unit; empty for a ratio.
    pub unit: &'static str,
    /// Left and right end of the slider.
    pub range: [f64; 2],
    /// Whether the scale is logarithmic.
    pub logarithmic: bool,
}

impl Dial {
    /// Position of the value on the slider, from 0 to 1.
    pub fn share(&self) -> f64 {
        let place = |x: f64| if self.logarithmic { log10(x) } else { x };
        let [low, high] = self.range.map(place);
        let share = (place(self.value) - low) / (high - low);
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The value at a position, rounded: to two significant digits on a logarithmic slider, to a
    /// hundredth of the range on a linear one.
    pub fn at(&self, share: f64) -> f64 {
        let share = larger(0.0, smaller(share, 1.0));
        let [low, high] = self.range;
        let value = match self.logarithmic {
            true => low * pow(high / low, share),
            false => low + share * (high - low),
        };
        // the smallest step of a linear slider
        let value = match self.logarithmic {
            true => value,
            false => {
                let step = (high - low) / 100.0;
                (value / step).round() * step
            }
        };
        let digits = if self.logarithmic { DIGITS } else { DIGITS + 2 };
        format!("{value:.*e}", digits - 1).parse().unwrap_or(value)
    }
}

/// A number being typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its knob.
    pub knob: Knob,
    /// The text so far.
    pub text: String,
    /// The unit.
    pub unit: &'static str,
    /// Whether the text was refused: the next character replaces it.
    pub refused: bool,
}

/// Letters for powers of ten.
const PREFIXES: [(char, f64); 7] =
    [('n', 1e-9), ('u', 1e-6), ('µ', 1e-6), ('μ', 1e-6), ('m', 1e-3), ('k', 1e3), ('M', 1e6)];

impl Entry {
    /// Adds a character, removes the last one, or removes all (Ctrl-A, Ctrl-U).
    pub(crate) fn type_in(&mut self, character: char) {
        if std::mem::take(&mut self.refused) && !character.is_control() {
            self.text.clear();
        }
        match character {
            '\u{1}' | '\u{15}' => self.text.clear(),
            '\u{8}' | '\u{7f}' => drop(self.text.pop()),
            letter if !letter.is_control() && self.text.chars().count() < 24 => {
                self.text.push(letter);
            }
            _ => {}
        }
    }

    /// The number: `1e-4`, `0.1 mm/s`, `100u`, `20k`.
    ///
    /// # Errors
    /// A sentence with examples.
    pub fn value(&self) -> Result<f64, String> {
        let text = self.text.trim().replace('−', "-").replace(',', ".");
        let text = text.strip_suffix(self.unit).unwrap_or(&text).trim_end();
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let scaled = || {
            let (last, factor) = PREFIXES.iter().find(|(letter, _)| text.ends_with(*letter))?;
            Some(number(text.strip_suffix(*last)?)? * factor)
        };
        number(text).or_else(scaled).ok_or_else(|| {
            let with_unit = match self.unit {
                "" => "0.1".to_string(),
                unit => format!("0.1 m{unit}"),
            };
            format!("`{}` is not a number such as 1e-4, {with_unit} or 20k", self.text.trim())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_goes_from_end_to_end_and_back() {
        let dial = |value, logarithmic, range| Dial { value, unit: "m/s", range, logarithmic };
        let epsilon = dial(1e-3, true, [1e-6, 1.0]);
        assert!((epsilon.share() - 0.5).abs() < 1e-12);
        assert_eq!([epsilon.at(0.0), epsilon.at(0.5), epsilon.at(2.0)], [1e-6, 1e-3, 1.0]);
        let mu = dial(0.5, false, [0.0, 2.0]);
        assert_eq!([mu.share(), mu.at(0.25), mu.at(0.333), mu.at(-1.0)], [0.25, 0.5, 0.66, 0.0]);
        assert_eq!(dial(0.0, true, [1e-6, 1.0]).share(), 0.0);
    }

    #[test]
    fn a_character_replaces_what_was_refused_and_control_characters_take_away() {
        let typed = |refused, characters: &str| {
            let (knob, text) = (Knob::Epsilon, "12".to_string());
            let mut entry = Entry { knob, text, unit: "m/s", refused };
            characters.chars().for_each(|character| entry.type_in(character));
            entry.text
        };
        assert_eq!([typed(true, "34"), typed(false, "34")], ["34", "1234"]);
        assert_eq!([typed(true, "\u{8}3"), typed(false, "\u{15}5")], ["13", "5"]);
        assert_eq!(typed(false, &"0".repeat(40)).len(), 24);
    }

    #[test]
    fn numbers_are_typed_with_and_without_prefix_and_unit() {
        let entry = |text: &str| Entry {
            knob: Knob::Epsilon,
            text: text.into(),
            unit: "m/s",
            refused: false,
        };
        for (text, value) in [
            ("1e-4", 1e-4),
            (" 0.2 mm/s", 2e-4),
            ("100u", 1e-4),
            ("5 µm/s", 5e-6),
            ("20k", 2e4),
            ("-3 m/s", -3.0),
            ("3 m", 3e-3),
        ] {
            let read = entry(text).value().expect(text);
            assert!((read - value).abs() <= 1e-15 * value.abs(), "{text}: {read}");
        }
        for text in ["", "fast", "1e", "inf", "1 2", "mm/s"] {
            assert!(entry(text).value().is_err(), "{text}");
        }
        let mut typed = entry("");
        "12x\u{8}3".chars().for_each(|letter| typed.type_in(letter));
        assert_eq!(typed.text, "123");
    }
}
