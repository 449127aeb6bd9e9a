//! The controls: settings with buttons, and the effect of the last change on the stable step.

use super::facts::{above, stable_before, stable_now, stable_text};
use super::{Button, PADDING, rect};
use crate::canvas::Rect;
use crate::dial::Entry;
use crate::display::{Display, Setting};
use crate::keys::{Action, Direction, Knob};
use crate::pen::Pen;
use crate::text::Ink;
use crate::theme::{Colour, mix};

const ROW: i32 = 24;
const PLAY: i32 = 34;
/// Height of the line of time.
const TIME: i32 = 20;
const NOTE: i32 = 24;
/// Height of the path of a number.
const PATH: i32 = 16;
/// Width of a button that turns a knob.
const TURN: i32 = 27;

/// Height of the words of a mark on the line of time.
const MARK: i32 = 16;

/// Height of the card for the settings and marks of a run.
pub fn height(display: &Display) -> i32 {
    let rows: i32 = display.settings.iter().map(height_of).sum();
    let head = head(display);
    if display.settings.is_empty() { 0 } else { rows + head + PLAY + NOTE + 16 }
}

/// Height of the line of time, with the words of a mark on it.
fn head(display: &Display) -> i32 {
    if display.partings.is_empty() { TIME } else { TIME + MARK }
}

/// Height of a row; the path of a number stands above its value.
fn height_of(setting: &Setting) -> i32 {
    if is_path(setting) { ROW + PATH } else { ROW }
}

fn is_path(setting: &Setting) -> bool {
    matches!(setting.knob, Knob::Number(_))
}

/// Draws the card, with the number being typed; returns its buttons.
pub fn draw(pen: &mut Pen, card: &Rect, display: &Display, entry: Option<&Entry>) -> Vec<Button> {
    pen.card(card, pen.theme.card.1);
    let mut buttons = player(pen, card, display);
    buttons.extend(timeline(pen, card, display));
    let mut top = card.y0 + head(display) + PLAY + 8;
    for setting in &display.settings {
        let entry = entry.filter(|entry| entry.knob == setting.knob);
        buttons.extend(row(pen, card, top, setting, entry));
        top += height_of(setting);
    }
    note(pen, card, display);
    buttons
}

/// A row: the name, and the value with its slider between its two buttons.
fn row(
    pen: &mut Pen,
    card: &Rect,
    top: i32,
    setting: &Setting,
    entry: Option<&Entry>,
) -> Vec<Button> {
    let theme = pen.theme;
    let knob = setting.knob;
    let end = card.x1 - PADDING;
    let (top, begin) = name(pen, card, top, setting);
    let baseline = f64::from(top) + 16.5;
    let table = matches!(knob, Knob::Integrator | Knob::Law);
    // in a table "up" is the previous row, in numbers the larger value
    let ways =
        if table { [Direction::Up, Direction::Down] } else { [Direction::Down, Direction::Up] };
    let left = rect(begin, top + 2, TURN, ROW - 4);
    let right = rect(end - TURN, top + 2, TURN, ROW - 4);
    let ink = Ink::regular(13.0, theme.ink);
    let field = Rect { x0: left.x1 + 5, x1: right.x0 - 5, ..left };
    if entry.is_some() {
        pen.chip(&field, (theme.card.0, 255), theme.compressed);
    } else if let Some(dial) = &setting.dial {
        slider(pen, &field, dial.share());
    }
    let value = entry.map_or_else(|| setting.value.clone(), |entry| format!("{}_", entry.text));
    let value = pen.fit(ink, &value, f64::from(field.width() - 4));
    pen.text_about((0.5 * f64::from(left.x1 + right.x0), baseline), ink, &value);
    for (place, sign) in [(&left, -1.0), (&right, 1.0)] {
        chip(pen, place);
        if table {
            arrow(pen, middle(place), 4.5 * sign, theme.ink);
        } else {
            let (x, y) = middle(place);
            pen.bar((x - 4.5, x + 4.5), (y - 0.9, y + 0.9), theme.ink, 255);
            if sign > 0.0 {
                pen.bar((x - 0.9, x + 0.9), (y - 4.5, y + 4.5), theme.ink, 255);
            }
        }
    }
    let turn = |rect: Rect, way: Direction| Button { rect, action: Action::Turn(knob, way) };
    let mut buttons = vec![turn(left, ways[0]), turn(right, ways[1])];
    if setting.dial.is_some() {
        buttons.push(Button { rect: field, action: Action::Type(knob) });
    }
    buttons
}

/// Writes the name of a setting, above its value if it is a path; returns top and left end of the
/// value.
fn name(pen: &mut Pen, card: &Rect, top: i32, setting: &Setting) -> (i32, i32) {
    let left = card.x0 + PADDING;
    let quiet = Ink::regular(13.0, pen.theme.faint);
    if !is_path(setting) {
        pen.text((f64::from(left), f64::from(top) + 16.5), quiet, &setting.name);
        return (top, left + 76);
    }
    let baseline = f64::from(top) + 13.0;
    let small = Ink { size: 12.0, ..quiet };
    let mut room = f64::from(card.width() - 2 * PADDING);
    if setting.restarts {
        let note = "starts again";
        pen.text_before((f64::from(card.x1 - PADDING), baseline), small, note);
        room -= pen.width(small, note) + 10.0;
    }
    let ink = Ink { size: 12.0, ..Ink::regular(13.0, pen.theme.ink) };
    let text = pen.fit(ink, &setting.name, room);
    pen.text((f64::from(left), baseline), ink, &text);
    (top + PATH, left)
}

/// The line of time from t = 0 to the scene's end, with a disc at the present and a mark at every
/// parting of bodies; below it the words of the latest one.
fn timeline(pen: &mut Pen, card: &Rect, display: &Display) -> Option<Button> {
    let end = display.labels.end.filter(|end| *end > 0.0)?;
    let theme = pen.theme;
    let field = rect(card.x0 + PADDING, card.y0 + 6, card.width() - 2 * PADDING, TIME);
    let (left, right) = (f64::from(field.x0), f64::from(field.x1));
    let line = 0.5 * f64::from(field.y0 + field.y1);
    let at = left + (display.snapshot.state.time / end).clamp(0.0, 1.0) * (right - left);
    pen.bar((left, right), (line - 1.0, line + 1.0), theme.border, 255);
    pen.bar((left, at), (line - 1.0, line + 1.0), theme.compressed, 255);
    let now = display.snapshot.state.time;
    for parting in &display.partings {
        let x = left + (parting.time / end).clamp(0.0, 1.0) * (right - left);
        pen.bar((x - 1.0, x + 1.0), (line - 7.0, line + 7.0), theme.ink, 255);
    }
    pen.disc((at, line), 5.0, theme.ink);
    let latest = display.partings.iter().rev().find(|parting| parting.time <= now);
    if let Some(parting) = latest {
        let ink = Ink::regular(12.0, theme.ink);
        let text = pen.fit(ink, &parting.text, right - left);
        pen.text((left, f64::from(field.y1) + 11.0), ink, &text);
    }
    Some(Button { rect: field, action: Action::Timeline })
}

/// A line below a value, with a mark at its position.
fn slider(pen: &mut Pen, field: &Rect, share: f64) {
    let theme = pen.theme;
    let (left, right) = (f64::from(field.x0), f64::from(field.x1));
    let line = f64::from(field.y1) - 1.2;
    pen.bar((left, right), (line - 0.6, line + 0.6), theme.border, 255);
    let at = left + share * (right - left);
    pen.bar((left, at), (line - 0.6, line + 0.6), theme.compressed, 255);
    pen.disc((at, line), 2.6, theme.compressed);
}

/// Play or pause, step, back, restart, push.
fn player(pen: &mut Pen, card: &Rect, display: &Display) -> Vec<Button> {
    let widths = [38, 38, 38, 72, 64];
    let actions = [Action::Back, Action::Play, Action::Step, Action::Restart, Action::Push];
    let free = card.width() - 2 * PADDING - widths.iter().sum::<i32>();
    let gap = (free / 4).max(0);
    let mut x = card.x0 + PADDING;
    let mut buttons = Vec::new();
    for (width, action) in widths.into_iter().zip(actions) {
        let place = rect(x, card.y0 + head(display) + 10, width, 26);
        x += width + gap;
        let pressed = action == Action::Push && display.playback.pushing;
        if pressed {
            pen.chip(&place, (pen.theme.ink, 255), pen.theme.ink);
        } else {
            chip(pen, &place);
        }
        icon(pen, &place, action, (display.playback.achieved.is_some(), pressed));
        buttons.push(Button { rect: place, action });
    }
    buttons
}

fn icon(pen: &mut Pen, place: &Rect, action: Action, (playing, pressed): (bool, bool)) {
    let ink = if pressed { pen.theme.card.0 } else { pen.theme.ink };
    let (x, y) = middle(place);
    match action {
        Action::Play if playing => {
            pen.bar((x - 5.0, x - 1.5), (y - 6.0, y + 6.0), ink, 255);
            pen.bar((x + 1.5, x + 5.0), (y - 6.0, y + 6.0), ink, 255);
        }
        Action::Play => arrow(pen, (x, y), 6.5, ink),
        Action::Step | Action::Back => {
            let sign = if action == Action::Step { 1.0 } else { -1.0 };
            arrow(pen, (x - 2.0 * sign, y), 5.0 * sign, ink);
            let bar = x + 5.0 * sign;
            pen.bar((bar - 1.2, bar + 1.2), (y - 5.5, y + 5.5), ink, 255);
        }
        _ => {
            let text = if action == Action::Restart { "restart" } else { "push" };
            let letters = if pressed { Ink::bold(13.0, ink) } else { Ink::regular(13.0, ink) };
            pen.text_about((x, y + 4.5), letters, text);
        }
    }
}

/// Writes the effect of the last change on the stable step.
fn note(pen: &mut Pen, card: &Rect, display: &Display) {
    let Some(text) = stable_now(display) else { return };
    let text = match stable_before(display) {
        Some(was) => format!("stable step: {was} → {text}"),
        None => format!("stable step: {text}"),
    };
    let theme = pen.theme;
    let (mark, colour) = if above(display) { (" < h ✗", theme.bad) } else { ("", theme.ink) };
    let (ink, room) = (Ink::regular(13.0, colour), f64::from(card.width() - 2 * PADDING));
    let mut text = format!("{text}{mark}");
    if pen.width(ink, &text) > room
        && let Some(brief) = stable_text(&display.stable_step.0)
    {
        // without the name of the method, or the step before
        text = format!("stable step: {brief}{mark}");
    }
    let text = pen.fit(ink, &text, room);
    pen.text((f64::from(card.x0 + PADDING), f64::from(card.y1) - 11.0), ink, &text);
}

fn chip(pen: &mut Pen, place: &Rect) {
    let theme = pen.theme;
    pen.chip(place, (mix(theme.card.0, theme.faint, 0.16), 255), theme.border);
}

/// A triangle that points right, or left if `size` is negative.
fn arrow(pen: &mut Pen, (x, y): (f64, f64), size: f64, colour: Colour) {
    let half = size.abs();
    pen.triangle([(x - 0.8 * size, y - half), (x - 0.8 * size, y + half), (x + size, y)], colour);
}

fn middle(place: &Rect) -> (f64, f64) {
    (0.5 * f64::from(place.x0 + place.x1), 0.5 * f64::from(place.y0 + place.y1))
}
