//! The legend: what colours and lengths mean, in numbers.

use super::Scenery;
use super::contacts::{cross, flat_arrow};
use super::heat::DECADES;
use crate::math::pow;
use crate::view::canvas::{Canvas, Rect};
use crate::view::snapshot::Stance;
use crate::view::text::{Ink, Typeface, quantity};
use crate::view::theme::{Colour, heat};

/// The least and the most width; a long text makes it wider, a longer one is cut.
const WIDTH: (f64, f64) = (214.0, 340.0);
/// Where texts begin.
const TEXT: f64 = 62.0;
const LINE: f64 = 21.0;

/// What stands before a text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sample {
    Nothing,
    Arrow {
        width: f64,
        colour: Colour,
    },
    Chatter,
    Strain,
    Neutral,
    Ghost,
    /// a bar as wide as the legend, and below it three texts
    Heat,
}

/// A line of the legend.
type Row = (Sample, String);

/// Draws the legend into the lower right corner of `focus`, if there is room.
pub(super) fn draw(canvas: &mut Canvas, typeface: &Typeface, focus: &Rect, scenery: &Scenery) {
    let rows = rows(scenery);
    let px = |design: f64| scenery.pixels(design);
    let ink = Ink::regular(px(12.5), scenery.look.theme.ink);
    let widest = rows.iter().map(|(_, text)| typeface.width(ink, text)).fold(0.0, f64::max);
    let width = (px(TEXT) + widest + px(12.0)).clamp(px(WIDTH.0), px(WIDTH.1));
    let lines: f64 = rows.iter().map(|row| if row.0 == Sample::Heat { 2.0 } else { 1.0 }).sum();
    let height = lines * px(LINE) + px(14.0);
    let (room_x, room_y) = (f64::from(focus.width()), f64::from(focus.height()));
    if rows.is_empty() || room_x < width + px(120.0) || room_y < height + px(160.0) {
        return;
    }
    let (right, bottom) = (focus.x1 - px(14.0) as i32, focus.y1 - px(14.0) as i32);
    let (x0, y0) = (right - width.ceil() as i32, bottom - height.ceil() as i32);
    let card = Rect { x0, y0, x1: right, y1: bottom };
    let theme = scenery.look.theme;
    canvas.card(card, px(8.0), theme.card, theme.border);
    let mut top = f64::from(y0) + px(7.0);
    for (sample, text) in rows {
        let line = Line { scenery, left: f64::from(x0), middle: top + 0.5 * px(LINE), width };
        if sample == Sample::Heat {
            line.heat(canvas, typeface, &text);
            top += px(LINE);
        } else {
            line.sample(canvas, sample);
            let text = cut(typeface, ink, text, width - px(TEXT) - px(10.0));
            let at = (line.left + px(TEXT), line.middle + px(4.5));
            typeface.draw(canvas, at, ink, &text);
        }
        top += px(LINE);
    }
}

/// The lines of what is in the picture.
fn rows(scenery: &Scenery) -> Vec<Row> {
    let (look, theme, scales) = (scenery.look, scenery.look.theme, &scenery.scales);
    let contacts = !scenery.state.memory.contacts.is_empty();
    let mut rows: Vec<Row> = Vec::new();
    if look.friction && contacts {
        for (stance, text) in
            [(Stance::Sticks, "friction, sticks"), (Stance::Slips, "friction, slips")]
        {
            rows.push((Sample::Arrow { width: 2.4, colour: theme.friction(stance) }, text.into()));
        }
        if scenery.chatters {
            rows.push((Sample::Chatter, "friction, chatters".into()));
        }
    }
    if look.normals && contacts {
        let arrow = Sample::Arrow { width: 1.3, colour: theme.normal };
        rows.push((arrow, "normal force N".into()));
    }
    if (look.friction || look.normals) && contacts {
        let force = round_quantity(scales.force, "N");
        let text = format!("{force} is {} long", quantity(scales.arrow, "m"));
        rows.push((Sample::Nothing, text));
    }
    match &scenery.heat {
        Some(heat) => {
            rows.push((Sample::Neutral, "no creep known".into()));
            if let Some(top) = heat.top {
                let bottom = top / pow(10.0, DECADES);
                let ends = [bottom, top].map(|speed| round_quantity(speed, "m/s"));
                rows.push((Sample::Heat, ends.join("|")));
            }
        }
        None if look.springs && !scenery.model.springs.is_empty() => {
            rows.push((Sample::Strain, format!("strain ±{}", percent(scales.strain))));
        }
        None => {}
    }
    if let Some(ghost) = scenery.subject.ghost.filter(|_| scenery.ghost().is_some()) {
        let doubt = if ghost.trusted { "" } else { "not trusted: " };
        rows.push((Sample::Ghost, format!("{doubt}{}", ghost.name)));
    }
    rows
}

/// Where a line of the legend is drawn.
struct Line<'a> {
    scenery: &'a Scenery<'a>,
    left: f64,
    middle: f64,
    width: f64,
}

impl Line<'_> {
    fn sample(&self, canvas: &mut Canvas, sample: Sample) {
        let theme = self.scenery.look.theme;
        let px = |design: f64| self.scenery.pixels(design);
        let (from, to) = ((self.left + px(14.0), self.middle), (self.left + px(50.0), self.middle));
        match sample {
            Sample::Nothing | Sample::Heat => {}
            Sample::Arrow { width, colour } => flat_arrow(canvas, from, to, px(width), colour, 255),
            Sample::Chatter => {
                flat_arrow(canvas, from, to, px(2.4), theme.chatter, 255);
                cross(canvas, from, px(4.6), 2.0, theme.card.0, 255);
                cross(canvas, from, px(4.6), 1.0, theme.chatter, 255);
            }
            Sample::Strain => self.bar(canvas, self.left + px(10.0), px(44.0), |share| {
                theme.strain(2.0 * share - 1.0)
            }),
            Sample::Neutral => {
                self.bar(canvas, self.left + px(10.0), px(44.0), |_| theme.neutral);
            }
            Sample::Ghost => canvas.line(from, to, px(2.0), theme.ghost, 255),
        }
    }

    /// A bar whose colour is a function of the place in it, from 0 to 1.
    fn bar(&self, canvas: &mut Canvas, left: f64, width: f64, colour: impl Fn(f64) -> Colour) {
        let (x, count) = (left as i32, (width as i32).max(2));
        let half = self.scenery.pixels(3.5);
        let (y0, y1) = ((self.middle - half) as i32, (self.middle + half) as i32);
        for k in 0..count {
            let colour = colour(f64::from(k) / f64::from(count - 1));
            canvas.rectangle(Rect { x0: x + k, y0, x1: x + k + 1, y1 }, colour, 255);
        }
    }

    /// The map of creep and the speeds at its ends.
    fn heat(&self, canvas: &mut Canvas, typeface: &Typeface, ends: &str) {
        let px = |design: f64| self.scenery.pixels(design);
        let (left, width) = (self.left + px(12.0), self.width - px(24.0));
        self.bar(canvas, left, width, heat);
        let ink = Ink::regular(px(11.5), self.scenery.look.theme.ink);
        let baseline = self.middle + px(18.5);
        let (low, high) = ends.split_once('|').unwrap_or(("", ends));
        let faint = Ink { colour: self.scenery.look.theme.faint, ..ink };
        for (text, ink, share) in [(low, ink, 0.0), ("creep", faint, 0.5), (high, ink, 1.0)] {
            let at = left + share * (width - typeface.width(ink, text));
            typeface.draw(canvas, (at, baseline), ink, text);
        }
    }
}

/// A text without what is too much for a width.
fn cut(typeface: &Typeface, ink: Ink, mut text: String, width: f64) -> String {
    if typeface.width(ink, &text) <= width {
        return text;
    }
    while !text.is_empty() && typeface.width(ink, &text) + typeface.width(ink, "...") > width {
        text.pop();
    }
    text + "..."
}

/// A round quantity without the zeros after its last digit.
fn round_quantity(value: f64, unit: &str) -> String {
    let text = quantity(value, unit);
    match text.split_once(' ') {
        Some((number, rest)) if number.contains('.') && !number.contains('e') => {
            format!("{} {rest}", number.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text,
    }
}

/// A round share in per cent.
fn percent(share: f64) -> String {
    let value = 100.0 * share;
    let decimals = [0.9, 0.09, 0.009].iter().filter(|limit| value < **limit).count();
    format!("{value:.decimals$} %")
}
