//! Text on the canvas: a subset of DejaVu Sans with Greek letters, arrows and mathematical signs.

use super::canvas::{Canvas, CanvasPoint};
use super::theme::Colour;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use stiction_lab::output::plots::font::{BOLD, REGULAR};

/// Size, weight and colour of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    /// Font size \[pixels\].
    pub size: f64,
    /// Bold or regular.
    pub bold: bool,
    /// Colour.
    pub colour: Colour,
}

impl Ink {
    /// Regular text.
    pub fn regular(size: f64, colour: Colour) -> Ink {
        Ink { size, bold: false, colour }
    }

    /// Bold text.
    pub fn bold(size: f64, colour: Colour) -> Ink {
        Ink { size, bold: true, colour }
    }
}

/// One letter at one size.
struct Glyph {
    left: i32,
    top: i32,
    width: usize,
    advance: f64,
    cover: Vec<u8>,
}

/// The letters of the program, rasterised once per size.
pub struct Typeface {
    regular: fontdue::Font,
    bold: fontdue::Font,
    glyphs: RefCell<BTreeMap<(char, u32, bool), Glyph>>,
}

impl Typeface {
    /// Reads the built-in fonts.
    pub fn new() -> Self {
        let read = |bytes: &[u8]| {
            fontdue::Font::from_bytes(bytes, fontdue::FontSettings::default())
                .expect("the built-in font is well formed")
        };
        Typeface { regular: read(REGULAR), bold: read(BOLD), glyphs: RefCell::default() }
    }

    /// Whether a letter is in the font.
    pub fn has(&self, letter: char) -> bool {
        self.regular.has_glyph(letter) && self.bold.has_glyph(letter)
    }

    /// Draws `text` with its left end and baseline at `at`; returns its width \[pixels\].
    pub fn draw(&self, canvas: &mut Canvas, at: CanvasPoint, ink: Ink, text: &str) -> f64 {
        let mut x = at.0;
        if !(x.is_finite() && at.1.is_finite() && x.abs() < 1e6 && at.1.abs() < 1e6) {
            return 0.0;
        }
        let baseline = at.1.round() as i32;
        for letter in signed_text(text).chars() {
            x += self.with_glyph(letter, ink, |glyph| {
                let left = x.round() as i32 + glyph.left;
                for (k, cover) in glyph.cover.iter().enumerate().filter(|(_, c)| **c > 0) {
                    let (column, row) = ((k % glyph.width) as i32, (k / glyph.width) as i32);
                    canvas.blend(left + column, baseline - glyph.top + row, ink.colour, *cover);
                }
                glyph.advance
            });
        }
        x - at.0
    }

    /// Width of a text \[pixels\].
    pub fn width(&self, ink: Ink, text: &str) -> f64 {
        let text = signed_text(text);
        text.chars().map(|letter| self.with_glyph(letter, ink, |glyph| glyph.advance)).sum()
    }

    /// Wraps a text at spaces into lines no wider than `width`; longer words stand alone.
    pub fn wrap(&self, ink: Ink, text: &str, width: f64) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line)
                    if self.width(ink, line) + self.width(ink, " ") + self.width(ink, word)
                        <= width =>
                {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_string()),
            }
        }
        lines
    }

    fn with_glyph<T>(&self, letter: char, ink: Ink, then: impl FnOnce(&Glyph) -> T) -> T {
        // quarter pixels keep the cache small
        let quarters = (ink.size * 4.0).round().clamp(4.0, 2000.0) as u32;
        let mut glyphs = self.glyphs.borrow_mut();
        then(glyphs.entry((letter, quarters, ink.bold)).or_insert_with(|| {
            let font = if ink.bold { &self.bold } else { &self.regular };
            let (metrics, cover) = font.rasterize(letter, quarters as f32 / 4.0);
            Glyph {
                left: metrics.xmin,
                top: metrics.ymin + metrics.height as i32,
                width: metrics.width,
                advance: f64::from(metrics.advance_width),
                cover,
            }
        }))
    }
}

impl Default for Typeface {
    fn default() -> Self {
        Typeface::new()
    }
}

/// The text with a minus "−" before each number and exponent that is written with a hyphen.
pub fn signed_text(text: &str) -> Cow<'_, str> {
    if !text.contains('-') {
        return Cow::Borrowed(text);
    }
    let letters: Vec<char> = text.chars().collect();
    let is = |place: Option<usize>, of: fn(&char) -> bool| {
        place.and_then(|k| letters.get(k)).is_some_and(of)
    };
    let written = |(k, letter): (usize, &char)| {
        let before = k.checked_sub(1);
        let exponent = is(before, |c| *c == 'e') && is(k.checked_sub(2), char::is_ascii_digit);
        let begins = !is(before, |c| c.is_alphanumeric() || "_-.)".contains(*c));
        let number = is(Some(k + 1), |c| c.is_ascii_digit() || *c == '.');
        if *letter == '-' && number && (begins || exponent) { '−' } else { *letter }
    };
    letters.iter().enumerate().map(written).collect::<String>().into()
}

/// Prefixes of units, the largest first.
const PREFIXES: [(f64, &str); 10] = [
    (1e12, "T"),
    (1e9, "G"),
    (1e6, "M"),
    (1e3, "k"),
    (1.0, ""),
    (1e-3, "m"),
    (1e-6, "µ"),
    (1e-9, "n"),
    (1e-12, "p"),
    (1e-15, "f"),
];

/// The power of a thousand that leaves one to three digits before the decimal point, and its
/// prefix; `None` outside the range of prefixes.
pub fn prefix(size: f64) -> Option<(f64, &'static str)> {
    // 0.9995 so that 999.96 becomes 1.00 k
    let found = PREFIXES.iter().find(|(scale, _)| size >= 0.9995 * scale);
    found.copied().filter(|(scale, _)| size < 999.5 * scale)
}

/// Sizes that are written in full where a unit has no prefix.
pub const FULL: Range<f64> = 1e-3..1e3;

/// Size of a plain number below which it is written as 0.
const NOTHING: f64 = 1e-9;

/// Size of a plain number from which it is written as a power of ten.
const POWERS: f64 = 1e6;

/// Whether numbers of a unit have no prefix: angles in degrees and ratios.
pub fn is_plain(unit: &str) -> bool {
    ["", "1", "degrees"].contains(&unit)
}

/// A plain number with three significant digits: "0.328", "1.3e-8", "12300"; "0" below 1e-9.
fn plain_number(value: f64) -> String {
    let size = value.abs();
    if size < NOTHING {
        return "0".into();
    }
    if !(FULL.start..POWERS).contains(&size) {
        let text = format!("{value:.2e}");
        let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.trim_end_matches('0').trim_end_matches('.');
        return signed_text(&format!("{digits}e{power}")).into_owned();
    }
    signed(value, 1.0)
}

/// A quantity with three significant digits and a prefix: 0.00234 and `J` give "2.34 mJ". Plain numbers
/// have no prefix.
pub fn quantity(value: f64, unit: &str) -> String {
    if is_plain(unit) && value.is_finite() {
        let unit = if unit == "1" { "" } else { unit };
        return format!("{} {unit}", plain_number(value)).trim_end().to_string();
    }
    let size = value.abs();
    if size == 0.0 {
        return format!("0 {unit}").trim_end().to_string();
    }
    let Some((scale, prefix)) = prefix(size) else {
        return signed_text(format!("{value:.2e} {unit}").trim_end()).into_owned();
    };
    format!("{} {prefix}{unit}", signed(value, scale)).trim_end().to_string()
}

/// A value in units of `scale` with three significant digits, and its sign.
fn signed(value: f64, scale: f64) -> String {
    let number = value.abs() / scale;
    let digits = if number < 0.00995 {
        5
    } else if number < 0.0995 {
        4
    } else if number < 0.9995 {
        3
    } else if number < 9.995 {
        2
    } else {
        usize::from(number < 99.95)
    };
    let sign = if value < 0.0 { "−" } else { "" };
    format!("{sign}{number:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_every_letter_the_pictures_use() {
        let face = Typeface::new();
        for letter in "µμελ·×ρ→←↑↓ωθαβδΔ≤≥√∂²³−–°✓●▶⚠ḷ aZ9%".chars()
        {
            assert!(face.has(letter), "{letter}");
        }
    }

    #[test]
    fn quantities_have_three_digits_and_a_prefix() {
        let cases = [
            (0.0, "0 J"),
            (0.00234, "2.34 mJ"),
            (-12.345, "−12.3 J"),
            (999.96, "1.00 kJ"),
            (1e-20, "1.00e−20 J"),
            (-1.22e-16, "−1.22e−16 J"),
            (123.4e3, "123 kJ"),
        ];
        for (value, text) in cases {
            assert_eq!(quantity(value, "J"), text);
        }
        let angles =
            [(0.0669, "0.0669 degrees"), (-0.476, "−0.476 degrees"), (20.0, "20.0 degrees")];
        for (value, text) in angles {
            assert_eq!(quantity(value, "degrees"), text);
        }
        let ratios = [
            (0.328, "0.328"),
            (1.0, "1.00"),
            (-62.0, "−62.0"),
            (0.00234, "0.00234"),
            (12_345.6, "12346"),
            (-1.3e-8, "−1.3e−8"),
            (2e7, "2e7"),
            (9e-10, "0"),
        ];
        for (value, text) in ratios {
            assert_eq!([quantity(value, ""), quantity(value, "1")], [text, text]);
        }
        assert_eq!(quantity(1.25e-5, "degrees"), "1.25e−5 degrees");
    }

    #[test]
    fn numbers_have_a_minus_and_words_a_hyphen() {
        let cases = [
            ("-1.5 and 2e-4 (-3)", "−1.5 and 2e−4 (−3)"),
            ("tr-bdf2, rk4@1e-3", "tr-bdf2, rk4@1e−3"),
            ("z = -sin(x), 1-4, box_-2, 2026-11-29", "z = -sin(x), 1-4, box_-2, 2026-11-29"),
            ("μ = -.5", "μ = −.5"),
        ];
        for (text, signed) in cases {
            assert_eq!(signed_text(text), signed);
        }
    }

    #[test]
    fn wrapped_lines_are_not_too_wide() {
        let (face, ink) = (Typeface::new(), Ink::regular(13.0, 0));
        let text = "the step is above the friction limit and the body walks";
        let lines = face.wrap(ink, text, 120.0);
        assert!(lines.len() > 2 && lines.iter().all(|l| face.width(ink, l) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }
}
