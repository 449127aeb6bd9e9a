//! Widths of texts in the built-in typeface, and lines that fit a width.

use super::FONT;
use super::register_fonts;
use plotters::prelude::{FontDesc, FontFamily, FontStyle};
use stiction_core::math::{larger, smaller};

/// Ascent plus descent of the typeface over its size.
pub(super) const TALL: f64 = 1.164;

/// Distance between the baselines of two lines over the size of letters.
pub(super) const LINE: f64 = 1.3;

/// Height of a text's middle above its baseline over the size of letters.
pub const MIDDLE: f64 = 0.36;

/// Least size of letters \[pt\]: smaller ones cannot be read in print.
pub(super) const LEAST: f64 = 7.0;

/// Size of a subscript \[pt\] below letters of a size, and its depth below them over that size.
pub(super) fn below(size: f64) -> f64 {
    smaller(larger(0.75 * size, LEAST), size)
}
pub(super) const DEPTH: f64 = 0.2;

/// A text in pieces, each with whether it is a subscript: the letter of `μ_s` behind its `_`.
pub(super) fn pieces(text: &str) -> Vec<(String, bool)> {
    let letters: Vec<char> = text.chars().collect();
    let at = |k: usize| letters.get(k).copied();
    let is_index = |k: usize| {
        let symbol = k > 0 && at(k - 1).is_some_and(|c| ('α'..='ω').contains(&c));
        let alone = at(k + 1).is_some_and(char::is_alphanumeric)
            && !at(k + 2).is_some_and(|c| c.is_alphanumeric() || c == '_');
        at(k) == Some('_') && symbol && alone
    };
    let mut pieces = vec![(String::new(), false)];
    let mut k = 0;
    while k < letters.len() {
        if is_index(k) {
            pieces.push((letters[k + 1].to_string(), true));
            pieces.push((String::new(), false));
            k += 1;
        } else if let Some((piece, _)) = pieces.last_mut() {
            piece.push(letters[k]);
        }
        k += 1;
    }
    pieces.retain(|(piece, _)| !piece.is_empty());
    pieces
}

/// Width of a text \[pt\] in letters of a size \[pt\].
pub fn width(text: &str, size: f64, bold: bool) -> f64 {
    let one = |(piece, index): &(String, bool)| {
        advance(piece, if *index { below(size) } else { size }, bold)
    };
    pieces(text).iter().map(one).sum()
}

fn advance(text: &str, size: f64, bold: bool) -> f64 {
    /// Size at which widths are measured.
    const MEASURED: f64 = 1000.0;
    register_fonts();
    let style = if bold { FontStyle::Bold } else { FontStyle::Normal };
    let font = FontDesc::new(FontFamily::Name(FONT), TALL * MEASURED, style);
    let wide = font.box_size(text).map_or(0.0, |(wide, _)| f64::from(wide));
    wide / MEASURED * size
}

/// A text shortened to a width \[pt\], with … where letters are missing.
pub(super) fn cut(text: &str, room: f64, size: f64, bold: bool) -> String {
    let mut shown = text.to_string();
    let mut letters: Vec<char> = text.chars().collect();
    while width(&shown, size, bold) > room && letters.pop().is_some() {
        shown = letters.iter().collect::<String>().trim_end().to_string() + "…";
    }
    shown
}

/// A text shortened to a width \[pt\] in its middle, with … there: names often differ at their ends.
pub(super) fn cut_within(text: &str, room: f64, size: f64) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut left = letters.len();
    let mut shown = text.to_string();
    while width(&shown, size, false) > room && left > 2 {
        left -= 1;
        let (head, tail) = (left.div_ceil(2), letters.len() - left / 2);
        let [head, tail] = [&letters[..head], &letters[tail..]].map(String::from_iter);
        shown = format!("{}…{}", head.trim_end(), tail.trim_start());
    }
    shown
}

/// A text in at most `most` lines of a width \[pt\], broken between words; what is left of the last
/// line is cut. None for an empty text.
pub(super) fn lines(text: &str, room: f64, size: f64, bold: bool, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let last = lines.len() == most;
        match lines.last_mut() {
            Some(line) if last || width(&format!("{line} {word}"), size, bold) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.into()),
        }
    }
    lines.iter().map(|line| cut(line, room, size, bold)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_those_of_the_typeface() {
        // advance widths of DejaVu Sans in units of 1/2048 em: digits 1303, bold digits 1425
        assert!((width("0000", 8.0, false) - 4.0 * 8.0 * 1303.0 / 2048.0).abs() < 0.02);
        assert!((width("0000", 8.0, true) - 4.0 * 8.0 * 1425.0 / 2048.0).abs() < 0.02);
    }

    #[test]
    fn indices_of_symbols_are_below_the_line() {
        let of = |text: &str| pieces(text).into_iter().map(|(piece, _)| piece).collect::<Vec<_>>();
        assert_eq!(of("over ε and μ_s = 1"), ["over ε and μ", "s", " = 1"]);
        assert!(pieces("μ_s")[1].1 && !pieces("μ_s")[0].1);
        for plain in ["off_x", "μ_static", "μ_", "_s", "μ_s_k"] {
            assert_eq!(of(plain), [plain]);
        }
        assert!((below(8.0) - 7.0).abs() < 1e-12 && (below(20.0) - 15.0).abs() < 1e-12);
    }

    #[test]
    fn lines_are_no_wider_than_their_room() {
        let text = "A block held on a slope creeps at a speed of the law's own";
        let found = lines(text, 100.0, 8.0, false, 9);
        assert_eq!(found.join(" "), text);
        assert!(found.len() > 2 && found.iter().all(|line| width(line, 8.0, false) <= 100.0));
        let short = lines(text, 100.0, 8.0, false, 2);
        assert!(short.len() == 2 && short[1].ends_with('…'), "{short:?}");
        assert!(width(&short[1], 8.0, false) <= 100.0);
        assert!(lines("", 100.0, 8.0, false, 2).is_empty());
    }

    #[test]
    fn a_name_is_cut_in_its_middle() {
        let names =
            ["1e-3", "1e-2"].map(|h| format!("rk4 cundall-strack:stiffness=1e4, h = {h} s"));
        let [first, second] = names.each_ref().map(|name| cut_within(name, 100.0, 8.0));
        assert!(width(&first, 8.0, false) <= 100.0 && first.contains('…'), "{first}");
        assert!(first.starts_with("rk4") && first.ends_with("1e-3 s") && first != second);
        assert_eq!(cut_within("rk4", 100.0, 8.0), "rk4");
    }
}
