//! Diagnostics as text: `error[CODE] file:line:col: message`, the offending line with a mark under
//! the offending words, and the remedy.

use super::diagnostic::{Diagnostic, Severity};
use super::place::{Place, Source};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::fmt::Write as _;
use stiction_core::registry::words::unprintable;

/// Largest number of columns shown of a source line.
const WIDTH: usize = 160;

/// Line and column of a place, both from 1, columns in characters.
pub fn position(sources: &[Source], place: Place) -> (usize, usize) {
    let Some(source) = sources.get(place.source) else {
        return (1, 1);
    };
    let start = floor(&source.text, place.start);
    let before = &source.text[..start];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&b| b == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// `file:line:col` of a place; `--step 3e-4` of an option that stands for a `--set`.
pub fn location(sources: &[Source], place: Place) -> String {
    let (line, column) = position(sources, place);
    if let Some(source) = sources.get(place.source).filter(|s| s.name.starts_with("--"))
        && source.name != "--set"
        && let Some((_, value)) = source.text.split_once('=')
    {
        return format!("{} {}", source.name, visible(value));
    }
    let name = sources.get(place.source).map_or("scene", |s| &s.name);
    format!("{}:{line}:{column}", visible(name))
}

/// All messages as text, each followed by an empty line.
pub fn render(list: &[Diagnostic], sources: &[Source], coloured: bool) -> String {
    let mut out = String::new();
    for diagnostic in list {
        one(&mut out, diagnostic, sources, coloured);
        out.push('\n');
    }
    out
}

fn one(out: &mut String, diagnostic: &Diagnostic, sources: &[Source], coloured: bool) {
    let (word, colour) = match diagnostic.severity {
        Severity::Error => ("error", "\u{1b}[1;31m"),
        Severity::Warning => ("warning", "\u{1b}[1;33m"),
    };
    let (on, bold, off) = if coloured { (colour, "\u{1b}[1m", "\u{1b}[0m") } else { ("", "", "") };
    let _ = write!(out, "{on}{word}[{}]{off}", diagnostic.code);
    if let Some(place) = diagnostic.place {
        let _ = write!(out, " {}", location(sources, place));
    } else if !diagnostic.elsewhere.is_empty() {
        let _ = write!(out, " {}", visible(&diagnostic.elsewhere));
    }
    let _ = writeln!(out, ": {bold}{}{off}", diagnostic.message);
    if let Some(place) = diagnostic.place
        && let Some(text) = snippet(diagnostic, sources, place, coloured)
    {
        let _ = writeln!(out, "{}", text.trim_end());
    }
    for (words, place) in &diagnostic.beside {
        let _ = writeln!(out, "  note: {words} at {}", location(sources, *place));
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    if !diagnostic.help.is_empty() {
        let _ = writeln!(out, "  {bold}help{off}: {}", diagnostic.help);
    }
}

fn snippet(
    diagnostic: &Diagnostic,
    sources: &[Source],
    place: Place,
    coloured: bool,
) -> Option<String> {
    let source = sources.get(place.source)?;
    let excerpt = clip(&source.text, place);
    if excerpt.line.trim().is_empty() {
        return None;
    }
    let (line, _) = position(sources, place);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut mark = AnnotationKind::Primary.span(excerpt.start..excerpt.end);
    if !diagnostic.label.is_empty() {
        mark = mark.label(diagnostic.label.as_str());
    }
    let body = Snippet::source(excerpt.line.as_str()).line_start(line).fold(false).annotation(mark);
    let renderer = if coloured { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(WIDTH + 60);
    Some(renderer.render(&[Group::with_level(level).element(body)]))
}

/// A line cut to [`WIDTH`] characters around the marked bytes, safe for a terminal.
struct Excerpt {
    line: String,
    start: usize,
    end: usize,
}

fn clip(text: &str, place: Place) -> Excerpt {
    let start = floor(text, place.start);
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    // a line may be 64 MiB long: search only the part that can be shown
    let from = floor(text, start.saturating_sub(WIDTH).max(line_start));
    let rest = &text[from..];
    let window = floor(rest, 4 * WIDTH + WIDTH);
    let end_of_line = rest[start - from..window.max(start - from)]
        .find('\n')
        .map_or(window, |at| at + start - from);
    let mut excerpt = Excerpt { line: String::new(), start: 0, end: 0 };
    if from > line_start {
        excerpt.line.push('…');
    }
    let mut marked = false;
    for (columns, (offset, c)) in rest[..end_of_line].char_indices().enumerate() {
        if from + offset == start {
            excerpt.start = excerpt.line.len();
            marked = true;
        }
        if columns == WIDTH && marked {
            excerpt.line.push('…');
            break;
        }
        if c != '\r' {
            excerpt.line.push(if c == '\t' { ' ' } else { shown(c) });
        }
        if from + offset + c.len_utf8() <= place.end {
            excerpt.end = excerpt.line.len();
        }
    }
    if !marked {
        excerpt.start = excerpt.line.len();
    }
    excerpt.end = excerpt.end.max(excerpt.start);
    excerpt
}

/// The character, or a substitute where it must not reach a terminal.
fn shown(c: char) -> char {
    match c as u32 {
        code @ 0..=0x1f => char::from_u32(0x2400 + code).unwrap_or('\u{fffd}'),
        _ if unprintable(c) => '\u{fffd}',
        _ => c,
    }
}

fn visible(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// The largest character boundary ≤ `at` \[bytes\].
pub fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
