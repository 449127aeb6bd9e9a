//! The cards over a picture: what runs, how it is doing, whether it can be trusted; and the help.

use super::canvas::{Canvas, Rect};
use super::display::Display;
use super::keys::{BINDINGS, MOUSE};
use super::snapshot::Snapshot;
use super::text::{Ink, Typeface, quantity};
use super::theme::Theme;

/// Width of the panel \[pixels\].
pub const PANEL_WIDTH: i32 = 306;
/// Distance of cards from the rim \[pixels\].
pub const MARGIN: i32 = 14;
const PADDING: i32 = 14;

/// How a line is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// A fact.
    Plain,
    /// Something right.
    Good,
    /// Something wrong.
    Bad,
}

/// A line of the panel.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    /// Large and bold.
    Title(String),
    /// A name and its value.
    Fact(&'static str, String, Tone),
    /// A sentence.
    Note(String, Tone),
    /// A rule.
    Rule,
}

/// What the panel says about a run.
pub fn lines(display: &Display) -> Vec<Line> {
    let Display { snapshot, labels, playback, .. } = display;

    let mut lines = vec![Line::Title(labels.title.clone())];
    let plain = |name, text| Line::Fact(name, text, Tone::Plain);
    let time = match labels.end {
        Some(end) => format!("{:.3} of {end:.3} s", snapshot.state.time),
        None => format!("{:.3} s", snapshot.state.time),
    };
    lines.push(plain("time", time));
    if let Some(wanted) = playback.wanted {
        lines.push(speed(wanted, playback.achieved));
    }
    lines.push(plain("integrator", labels.integrator.clone()));
    lines.extend(law(&labels.law));
    lines.push(plain("step h", quantity(snapshot.step_size, "s")));
    lines.push(Line::Rule);
    lines.extend(contacts(snapshot));
    lines.push(Line::Rule);
    if let Some(failure) = &playback.failure {
        lines.push(Line::Note(format!("✗ stopped: {failure}"), Tone::Bad));
        lines.push(Line::Note("r starts again, i chooses another integrator".into(), Tone::Plain));
    }
    lines.extend(verdict(snapshot, playback.failure.is_some()));
    if let Some(remark) = &playback.remark {
        lines.push(Line::Note(remark.clone(), Tone::Plain));
    }
    // last, since a low window cuts off what is below
    lines.push(Line::Rule);
    lines.extend(energies(snapshot));
    lines
}

/// The law on one line where it is short, else its parameters below it.
fn law(law: &str) -> Vec<Line> {
    const SHORT: usize = 26;
    let plain = |name, text: &str| Line::Fact(name, text.into(), Tone::Plain);
    if law.chars().count() <= SHORT {
        return vec![plain("friction", law)];
    }
    let mut parts = law.split(", ");
    let name = parts.next().unwrap_or_default();
    std::iter::once(plain("friction", name)).chain(parts.map(|part| plain("", part))).collect()
}

fn speed(wanted: f64, achieved: Option<f64>) -> Line {
    let name = factor(wanted);
    match achieved {
        None => Line::Fact("speed", format!("paused ({name})"), Tone::Plain),
        Some(achieved) if achieved < 0.9 * wanted => {
            Line::Fact("speed", format!("{} of {name}", factor(achieved)), Tone::Plain)
        }
        Some(_) => Line::Fact("speed", name, Tone::Plain),
    }
}

/// "× 0.25", or "real time" at 1.
fn factor(speed: f64) -> String {
    if speed == 1.0 {
        "real time".into()
    } else if speed >= 0.095 {
        let text = format!("{speed:.2}");
        format!("× {}", text.trim_end_matches('0').trim_end_matches('.'))
    } else {
        format!("× {speed:.1e}")
    }
}

fn energies(snapshot: &Snapshot) -> Vec<Line> {
    let fact = |name, value: f64| Line::Fact(name, quantity(value, "J"), Tone::Plain);
    vec![
        fact("kinetic", snapshot.energies.kinetic),
        fact("springs", snapshot.energies.spring),
        fact("contacts", snapshot.energies.contact),
        fact("gravity", snapshot.energies.gravity),
        fact("lost to friction", snapshot.flows.friction_stick + snapshot.flows.friction_slip),
        fact(
            "lost to damping",
            snapshot.flows.spring + snapshot.flows.normal + snapshot.flows.drag,
        ),
        fact("work done on it", snapshot.flows.work),
        fact("audit residual", snapshot.residual),
    ]
}

fn contacts(snapshot: &Snapshot) -> Vec<Line> {
    let contacts = &snapshot.state.memory.contacts;
    let sticking = contacts.iter().filter(|c| c.sticking).count();
    let text = match contacts.len() {
        0 => "none".to_string(),
        _ => format!("{sticking} stick · {} slip", contacts.len() - sticking),
    };
    let largest = snapshot.hlambda;
    let (limit, tone) = match snapshot.decay_limit {
        None => ("no limit".to_string(), Tone::Plain),
        Some(limit) if largest > limit => (format!("limit {limit:.2}"), Tone::Bad),
        Some(limit) => (format!("limit {limit:.2}"), Tone::Plain),
    };
    let decimals = [100.0, 10.0, 1.0].iter().filter(|bound| largest < **bound).count();
    let number = format!("{largest:.decimals$}");
    vec![
        Line::Fact("contacts", text, Tone::Plain),
        Line::Fact("largest h λ", format!("{number} · {limit}"), tone),
    ]
}

fn verdict(snapshot: &Snapshot, failed: bool) -> Vec<Line> {
    let verdict = &snapshot.verdict;
    if verdict.trusted() {
        return match failed {
            true => Vec::new(),
            false => vec![Line::Note("✓ trusted so far".into(), Tone::Good)],
        };
    }
    let reasons = verdict.reasons.iter().map(|reason| {
        Line::Note(format!("✗ not trusted: {}", reason.describe(&snapshot.model)), Tone::Bad)
    });
    reasons.collect()
}

/// Draws the panel into the upper left corner of `pane`.
pub fn draw_panel(
    canvas: &mut Canvas,
    typeface: &Typeface,
    pane: &Rect,
    theme: &Theme,
    lines: &[Line],
) {
    let width = PANEL_WIDTH.min(pane.width() - 2 * MARGIN);
    if width < 150 {
        return;
    }
    let (x, y) = (pane.x0 + MARGIN, pane.y0 + MARGIN);
    let inner = f64::from(width - 2 * PADDING);
    let rows: Vec<Row> = lines.iter().flat_map(|line| rows(typeface, theme, line, inner)).collect();
    let height = rows.iter().map(|row| row.height).sum::<i32>() + 2 * PADDING - 4;
    let card = Rect { x0: x, y0: y, x1: x + width, y1: y + height };
    canvas.card(card, 10.0, theme.card, theme.border);
    let (left, right) = (f64::from(x + PADDING), f64::from(x + width - PADDING));
    let mut top = y + PADDING - 2;
    for row in rows {
        let baseline = f64::from(top + row.height) - 6.0;
        if row.rule {
            let y0 = top + row.height / 2;
            let rule = Rect { x0: x + PADDING, y0, x1: x + width - PADDING, y1: y0 + 1 };
            canvas.rectangle(rule, theme.border, 255);
        }
        if let Some((ink, text)) = &row.left {
            typeface.draw(canvas, (left, baseline), *ink, text);
        }
        if let Some((ink, text)) = &row.right {
            let start = right - typeface.width(*ink, text);
            typeface.draw(canvas, (start, baseline), *ink, text);
        }
        top += row.height;
    }
}

/// A line broken to the width of the card.
struct Row {
    left: Option<(Ink, String)>,
    right: Option<(Ink, String)>,
    rule: bool,
    height: i32,
}

fn rows(typeface: &Typeface, theme: &Theme, line: &Line, width: f64) -> Vec<Row> {
    let tone = |tone: &Tone| match tone {
        Tone::Plain => theme.ink,
        Tone::Good => theme.good,
        Tone::Bad => theme.bad,
    };
    let wrapped = |ink: Ink, text: &str, height: i32| -> Vec<Row> {
        let lines = typeface.wrap(ink, text, width).into_iter();
        lines
            .map(|text| Row { left: Some((ink, text)), right: None, rule: false, height })
            .collect()
    };
    match line {
        Line::Title(text) => {
            let mut rows = wrapped(Ink::bold(15.5, theme.ink), text, 22);
            rows.push(Row { left: None, right: None, rule: false, height: 6 });
            rows
        }
        Line::Note(text, t) => wrapped(Ink::regular(12.5, tone(t)), text, 18),
        Line::Rule => vec![Row { left: None, right: None, rule: true, height: 11 }],
        Line::Fact(name, text, t) => {
            let (quiet, ink) = (Ink::regular(13.0, theme.faint), Ink::regular(13.0, tone(t)));
            let name = (quiet, name.to_string());
            if typeface.width(quiet, &name.1) + typeface.width(ink, text) + 10.0 <= width {
                return vec![Row {
                    left: Some(name),
                    right: Some((ink, text.clone())),
                    rule: false,
                    height: 20,
                }];
            }
            // too long for one line: the value goes below its name
            let mut rows = vec![Row { left: Some(name), right: None, rule: false, height: 20 }];
            rows.extend(wrapped(ink, text, 18));
            rows
        }
    }
}

/// Draws the help into the middle of `pane`: the keys and the mouse.
pub fn draw_help(canvas: &mut Canvas, typeface: &Typeface, pane: &Rect, theme: &Theme) {
    let mut entries: Vec<(String, String)> = Vec::new();
    for binding in BINDINGS {
        entries.push((binding.shown.to_string(), binding.about.to_string()));
    }
    for (shown, about) in MOUSE {
        entries.push((shown.to_string(), about.to_string()));
    }
    let (key, text) = (Ink::bold(13.0, theme.ink), Ink::regular(13.0, theme.ink));
    let columns = if pane.height() < entries.len() as i32 * 20 + 90 { 2 } else { 1 };
    let per_column = entries.len().div_ceil(columns as usize);
    let (column, line) = (430, 20);
    let (width, height) = (column * columns + 28, per_column as i32 * line + 56);
    let x = (pane.x0 + pane.x1 - width) / 2;
    let y = (pane.y0 + pane.y1 - height) / 2;
    let card = Rect { x0: x, y0: y, x1: x + width, y1: y + height };
    canvas.card(card, 12.0, (theme.card.0, 250), theme.border);
    let heading = Ink::bold(15.5, theme.ink);
    typeface.draw(canvas, (f64::from(x + 18), f64::from(y + 28)), heading, "Keys and mouse");
    for (k, (shown, about)) in entries.iter().enumerate() {
        let left = x + 18 + (k / per_column) as i32 * column;
        let baseline = f64::from(y + 54 + (k % per_column) as i32 * line);
        typeface.draw(canvas, (f64::from(left), baseline), key, shown);
        typeface.draw(canvas, (f64::from(left + 122), baseline), text, about);
    }
}
