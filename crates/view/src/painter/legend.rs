//! The legend: a low strip at the bottom of a picture with the meaning of colours and lengths, in
//! numbers.

use super::contacts::{cross, flat_arrow};
use super::{PaintedPlace, Scenery, WrittenText, round_down};
use crate::canvas::{Canvas, Rect};
use crate::snapshot::Stance;
use crate::text::{Ink, Typeface, quantity};
use crate::theme::{Colour, heat};
use stiction_scene::sections::MapKind;

/// Height of a line, of the strip without its lines, and of the gap below the strip.
const HEIGHTS: (i32, i32, i32) = (20, 8, 10);
/// Width of a focus below which the legend has two lines.
const ONE_LINE: i32 = 860;
/// Width and height of a focus below which there is no legend.
const LEAST: (i32, i32) = (300, 240);
/// Longest arrow of a force \[pixels of the design\].
const LONGEST: f64 = 64.0;
/// Gaps between entries, and between a sample and its text.
const GAPS: (f64, f64) = (18.0, 7.0);

/// Sample before a text.
#[derive(Debug, Clone, Copy, PartialEq)]
enum LegendSample {
    /// a force to scale
    Scale {
        length: f64,
    },
    Arrow {
        width: f64,
        colour: Colour,
    },
    Chatter,
    Strain,
    Neutral,
    Ghost,
    /// a map
    Heat,
}

/// An entry of the legend.
type LegendEntry = (LegendSample, String);

impl LegendSample {
    /// Its width in pixels of the design.
    fn width(self) -> f64 {
        match self {
            LegendSample::Scale { length } => length,
            LegendSample::Neutral => 16.0,
            LegendSample::Strain => 44.0,
            LegendSample::Heat => 76.0,
            LegendSample::Arrow { .. } | LegendSample::Chatter | LegendSample::Ghost => 26.0,
        }
    }
}

/// Height of the legend at the bottom of a focus, in pixels of the design; 0 without legend.
pub fn height(width: i32, height: i32) -> i32 {
    if width < LEAST.0 || height < LEAST.1 {
        return 0;
    }
    lines(width) * HEIGHTS.0 + HEIGHTS.1 + HEIGHTS.2
}

fn lines(width: i32) -> i32 {
    if width < ONE_LINE { 2 } else { 1 }
}

/// Draws the legend at the bottom of the pane, as wide as its focus; entries that do not fit are
/// left out. Returns its card and words.
pub(super) fn draw(
    canvas: &mut Canvas,
    typeface: &Typeface,
    place: &PaintedPlace,
    scenery: &Scenery,
) -> Option<WrittenText> {
    let px = |design: f64| scenery.pixels(design);
    let Rect { x0, x1, .. } = place.focus;
    let design = |pixels: i32| (f64::from(pixels) / scenery.unit) as i32;
    let (width, low) = (design(x1 - x0), design(place.pane.height()));
    if height(width, low) == 0 {
        return None;
    }
    let ink = Ink::regular(px(12.5), scenery.look.theme.ink);
    let entries: Vec<(LegendEntry, f64)> = entries(scenery)
        .into_iter()
        .map(|entry| {
            let text = typeface.width(ink, &entry.1);
            let width = px(entry.0.width() + GAPS.1) + text;
            (entry, width)
        })
        .collect();
    let rows = broken(&entries, f64::from(x1 - x0) - px(52.0), px(GAPS.0), lines(width) as usize);
    let widest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    if rows.is_empty() || widest <= 0.0 {
        return None;
    }
    let high = px(f64::from(HEIGHTS.1) + f64::from(HEIGHTS.0) * rows.len() as f64);
    let (foot, inset) = (place.pane.y1 - px(f64::from(HEIGHTS.2)) as i32, px(12.0));
    let left = 0.5 * (f64::from(x0 + x1) - widest);
    let card = Rect {
        x0: (left - inset) as i32,
        y0: foot - high.ceil() as i32,
        x1: (left + widest + inset).ceil() as i32,
        y1: foot,
    };
    let theme = scenery.look.theme;
    canvas.card(card, px(8.0), theme.card, theme.border);
    let words: Vec<&str> =
        rows.iter().flat_map(|(row, _)| row.iter().map(|((_, text), _)| text.as_str())).collect();
    let text = words.join(" · ");
    let mut middle = f64::from(card.y0) + px(0.5 * f64::from(HEIGHTS.0 + HEIGHTS.1));
    for (row, _) in rows {
        let mut left = left;
        for ((sample, text), width) in row {
            LegendLine { scenery, left, middle }.sample(canvas, *sample);
            let at = (left + px(sample.width() + GAPS.1), middle + px(4.5));
            typeface.draw(canvas, at, ink, text);
            left += width + px(GAPS.0);
        }
        middle += px(f64::from(HEIGHTS.0));
    }
    Some(WrittenText { rect: card, text, leader: None })
}

/// The force whose arrow is as long as legends have room for, a round one, and the length of that arrow
/// \[pixels of the design\], at the distance of the middle of the bodies.
fn sample_force(scenery: &Scenery) -> Option<(f64, f64)> {
    let middle = (scenery.bounds.min + scenery.bounds.max) * 0.5;
    let scale = scenery.view.see(middle)?.scale;
    let per_newton = scale * scenery.scales.arrow / (scenery.scales.force * scenery.unit);
    let force = round_down(LONGEST / per_newton);
    let length = force * per_newton;
    (length.is_finite() && length > 3.0).then_some((force, length))
}

/// Entries wrapped into at most `most` lines of width `limit`, each with its own width.
fn broken(
    entries: &[(LegendEntry, f64)],
    limit: f64,
    gap: f64,
    most: usize,
) -> Vec<(&[(LegendEntry, f64)], f64)> {
    let mut rows = Vec::new();
    let (mut start, mut width) = (0, 0.0);
    for (k, (_, own)) in entries.iter().enumerate() {
        let wider = if k > start { width + gap + own } else { *own };
        if wider > limit && k > start {
            rows.push((&entries[start..k], width));
            (start, width) = (k, *own);
        } else {
            width = wider;
        }
    }
    rows.push((&entries[start..], width));
    rows.retain(|(row, width)| !row.is_empty() && *width <= limit);
    rows.truncate(most);
    rows
}

/// Entries for all elements of the picture that need explanation.
fn entries(scenery: &Scenery) -> Vec<LegendEntry> {
    let (look, theme, scales) = (scenery.look, scenery.look.theme, &scenery.scales);
    let contacts = !scenery.state.memory.contacts.is_empty();
    let mut entries: Vec<LegendEntry> = Vec::new();
    if look.friction && contacts {
        for (stance, text) in [(Stance::Sticks, "sticks"), (Stance::Slips, "slips")] {
            entries.push((
                LegendSample::Arrow { width: 2.4, colour: theme.friction(stance) },
                text.into(),
            ));
        }
        if scenery.chatters {
            entries.push((LegendSample::Chatter, "chatters".into()));
        }
    }
    if look.normals && contacts {
        let arrow = LegendSample::Arrow { width: 1.3, colour: theme.normal };
        entries.push((arrow, "N".into()));
    }
    if (look.friction || look.normals)
        && contacts
        && let Some((force, length)) = sample_force(scenery)
    {
        entries.push((LegendSample::Scale { length }, round_quantity(force, "N")));
    }
    match &scenery.heat {
        Some(heat) => {
            if let Some(ends) = heat.ends {
                let [bottom, top] = ends.map(|end| end_of_scale(end, heat.unit));
                entries.push((LegendSample::Heat, format!("{} {bottom} to {top}", heat.name)));
            }
            let neutral = if heat.name == MapKind::Creep.name() { "unknown" } else { "none" };
            entries.push((LegendSample::Neutral, neutral.into()));
        }
        None if look.springs && !scenery.model.springs.is_empty() => {
            entries.push((LegendSample::Strain, format!("strain ±{}", percent(scales.strain))));
        }
        None => {}
    }
    if let Some(ghost) = scenery.subject.ghost.filter(|_| scenery.ghost().is_some()) {
        let doubt = if ghost.trusted { "" } else { "not trusted: " };
        entries.push((LegendSample::Ghost, format!("{doubt}{}", ghost.name)));
    }
    entries
}

/// Position of a sample.
struct LegendLine<'a> {
    scenery: &'a Scenery<'a>,
    left: f64,
    middle: f64,
}

impl LegendLine<'_> {
    fn sample(&self, canvas: &mut Canvas, sample: LegendSample) {
        let theme = self.scenery.look.theme;
        let px = |design: f64| self.scenery.pixels(design);
        let width = px(sample.width());
        let (from, to) = ((self.left, self.middle), (self.left + width, self.middle));
        match sample {
            LegendSample::Scale { .. } => {
                flat_arrow(canvas, from, to, px(1.8), theme.ink, 255);
                for x in [from.0, to.0] {
                    canvas.line(
                        (x, from.1 - px(5.0)),
                        (x, from.1 + px(5.0)),
                        px(1.0),
                        theme.ink,
                        150,
                    );
                }
            }
            LegendSample::Heat => self.bar(canvas, width, heat),
            LegendSample::Arrow { width, colour } => {
                flat_arrow(canvas, from, to, px(width), colour, 255)
            }
            LegendSample::Chatter => {
                flat_arrow(canvas, from, to, px(2.4), theme.chatter, 255);
                cross(canvas, from, px(4.6), 2.0, theme.card.0, 255);
                cross(canvas, from, px(4.6), 1.0, theme.chatter, 255);
            }
            LegendSample::Strain => {
                self.bar(canvas, width, |share| theme.strain(2.0 * share - 1.0))
            }
            LegendSample::Neutral => self.bar(canvas, width, |_| theme.neutral),
            LegendSample::Ghost => canvas.line(from, to, px(2.0), theme.ghost, 255),
        }
    }

    /// A bar whose colour is a function of the position in it, from 0 to 1.
    fn bar(&self, canvas: &mut Canvas, width: f64, colour: impl Fn(f64) -> Colour) {
        let (x, count) = (self.left as i32, (width as i32).max(2));
        let half = self.scenery.pixels(3.5);
        let (y0, y1) = ((self.middle - half) as i32, (self.middle + half) as i32);
        for k in 0..count {
            let colour = colour(f64::from(k) / f64::from(count - 1));
            canvas.rectangle(Rect { x0: x + k, y0, x1: x + k + 1, y1 }, colour, 255);
        }
    }
}

/// An end of a scale.
fn end_of_scale(value: f64, unit: &str) -> String {
    match value {
        0.0 => "0".into(),
        _ if unit.is_empty() => value.to_string(),
        _ => round_quantity(value, unit),
    }
}

/// A round quantity without trailing zeros.
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
