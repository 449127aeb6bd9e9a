//! The compact card of one pane among several, or of a small picture: method, law, step, gauge,
//! verdict, difference or time.

use super::mark::mark;
use super::{Tone, gauge, measured};
use crate::canvas::Rect;
use crate::display::Display;
use crate::pen::Pen;
use crate::text::{Ink, quantity};

/// Draws the card of a pane, numbered from 0, or of the only run.
pub fn draw(pen: &mut Pen, card: &Rect, display: &Display, pane: Option<usize>) {
    pen.card(card, pen.theme.card.1);
    let (left, right) = (f64::from(card.x0) + 12.0, f64::from(card.x1) - 12.0);
    let top = f64::from(card.y0);
    names(pen, (left, right), top + 21.0, display, pane);
    figures(pen, (left, right), top + 41.0, display);
    let (text, tone) = verdict(display);
    let ink = Ink::bold(12.5, tone.colour(pen.theme));
    let mut end = right;
    if pane.is_none() {
        let quiet = Ink::regular(12.5, pen.theme.ink);
        let time = format!("t = {:.3} s", display.snapshot.state.time);
        pen.text_before((right, top + 60.0), quiet, &time);
        end -= pen.width(quiet, &time) + 12.0;
    }
    let text = pen.fit(ink, &text, end - left);
    pen.text((left, top + 60.0), ink, &text);
}

fn names(pen: &mut Pen, (left, right): (f64, f64), y: f64, display: &Display, pane: Option<usize>) {
    let (strong, quiet) = (Ink::bold(14.0, pen.theme.ink), Ink::regular(12.5, pen.theme.faint));
    let h = format!("h {}", quantity(display.snapshot.step_size, "s"));
    let ink = Ink::regular(12.5, pen.theme.ink);
    pen.text_before((right, y), ink, &h);
    let end = right - pen.width(ink, &h) - 12.0;
    let mut x = left;
    if let Some(pane) = pane {
        mark(pen, (left, y + 2.5), 15.0, pane);
        x += 22.0;
    }
    let name = pen.fit(strong, &display.labels.integrator, end - x);
    x += pen.text((x, y), strong, &name) + 10.0;
    if end - x > 30.0 {
        let law = pen.fit(quiet, &display.labels.law, end - x);
        pen.text((x, y), quiet, &law);
    }
}

/// Least width of the gauge.
const GAUGE: f64 = 40.0;

/// The scene's first measure, the difference from the reference, and h λ with its gauge in the room that is
/// left; without measures h λ first.
fn figures(pen: &mut Pen, (left, right): (f64, f64), y: f64, display: &Display) {
    let mut x = left;
    let first = measured::values(display).into_iter().next();
    if let Some((name, text)) = &first {
        x = measure(pen, (x, right), y, (name, text));
    }
    let (before, limit) = (x, display.snapshot.decay_limit.filter(|_| display.has_rate()));
    if let (Some(limit), None) = (limit, &first) {
        x = rate(pen, (x, right), y, (display, limit));
    }
    let end = off_by(pen, (x, right), y, display);
    if let (Some(limit), Some(_)) = (limit, &first) {
        rate(pen, (before, end), y, (display, limit));
    }
}

/// A measure's name and value; returns the left end of the room after it.
fn measure(pen: &mut Pen, (left, right): (f64, f64), y: f64, (name, text): (&str, &str)) -> f64 {
    let (quiet, ink) = (Ink::regular(12.5, pen.theme.faint), Ink::regular(12.5, pen.theme.ink));
    // the name gives way to its value
    let name = pen.fit(quiet, name, (right - left - 8.0 - pen.width(ink, text)).max(40.0));
    let mut x = left + pen.text((left, y), quiet, &name) + 8.0;
    let text = pen.fit(ink, text, right - x);
    x += pen.text((x, y), ink, &text);
    x + 12.0
}

/// h λ with its gauge, if there is room for them; returns the left end of the room after them.
fn rate(
    pen: &mut Pen,
    (left, right): (f64, f64),
    y: f64,
    (display, limit): (&Display, f64),
) -> f64 {
    let snapshot = &display.snapshot;
    let tone = if snapshot.hlambda > limit { Tone::Bad } else { Tone::Plain };
    let ink = Ink::regular(12.5, tone.colour(pen.theme));
    let quiet = Ink::regular(12.5, pen.theme.faint);
    // a step that is safe now may have been unsafe before
    let label = if snapshot.verdict.reasons.is_empty() { "h λ" } else { "h λ now" };
    let text = gauge::text(snapshot.hlambda, Some(limit));
    let free = right - left - pen.width(quiet, label) - pen.width(ink, &text) - 16.0;
    if free < GAUGE {
        return left;
    }
    let mut x = left + pen.text((left, y), quiet, label) + 8.0;
    let end = x + (0.22 * (right - left)).clamp(GAUGE, free);
    gauge::draw(pen, (x, end), (y - 8.0, 8.0), snapshot.hlambda, Some(limit));
    x = end + 8.0;
    x + pen.text((x, y), ink, &text) + 10.0
}

/// The difference from the reference, at the right end if there is room; returns the right end of the room
/// that is left.
fn off_by(pen: &mut Pen, (left, right): (f64, f64), y: f64, display: &Display) -> f64 {
    let difference = display.history.samples().last().map(|sample| sample.difference);
    let Some(difference) = difference.filter(|d| d.is_finite()) else { return right };
    let text = format!("off by {}", quantity(difference, "m"));
    let plain = Ink::regular(12.5, pen.theme.ink);
    let width = pen.width(plain, &text);
    if left + width > right {
        return right;
    }
    pen.text_before((right, y), plain, &text);
    right - width - 12.0
}

/// One line: trusted, or the reason why not.
pub fn verdict(display: &Display) -> (String, Tone) {
    let reasons = &display.snapshot.verdict.reasons;
    if display.playback.failure.is_some() {
        return ("✗ stopped".into(), Tone::Bad);
    }
    if let Some(verified) = &display.playback.verified
        && verified.good == Some(true)
        && reasons.is_empty()
    {
        return (format!("✓ {}", verified.text), Tone::Good);
    }
    match reasons.first() {
        None => faultless(display),
        Some(first) => {
            let more = match reasons.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            (format!("✗ {}{more}", first.name()), Tone::Bad)
        }
    }
}

/// The line of a run without a fault now: samples since the last change may have had one.
pub(super) fn faultless(display: &Display) -> (String, Tone) {
    let since = display.playback.since;
    let mut samples = display.history.samples().iter().rev();
    let judged = |time: f64| since.is_none_or(|since| time > since);
    if let Some(fault) = samples.find(|sample| judged(sample.time) && !sample.trusted) {
        return (format!("no fault now; there was one at {:.3} s", fault.time), Tone::Plain);
    }
    let text = match since {
        Some(since) => format!("✓ no fault found since {since:.3} s"),
        None => "✓ no fault found so far".into(),
    };
    (text, Tone::Good)
}
