//! The legend: what colours and lengths mean, in numbers.

use super::Scenery;
use super::contacts::flat_arrow;
use crate::view::canvas::{Canvas, Rect};
use crate::view::snapshot::Stance;
use crate::view::text::{Ink, Typeface, quantity};

/// The least width; a long text makes it wider.
const WIDTH: i32 = 214;
const TEXT: i32 = 62;
const LINE: i32 = 21;

/// Draws the legend into the lower right corner of `focus`, if there is room.
pub(super) fn draw(canvas: &mut Canvas, typeface: &Typeface, focus: &Rect, scenery: &Scenery) {
    let look = scenery.look;
    let contacts = !scenery.state.memory.contacts.is_empty();
    let friction = look.friction && contacts;
    let normals = look.normals && contacts;
    let springs = look.springs && !scenery.model.springs.is_empty();
    let arrows = friction || normals;
    let lines =
        2 * i32::from(friction) + i32::from(normals) + i32::from(arrows) + i32::from(springs);
    let height = lines * LINE + 14;
    let scales = &scenery.scales;
    let force = round_quantity(scales.force, "N");
    let scale = format!("{force} is {} long", quantity(scales.arrow, "m"));
    let ink = Ink::regular(12.5, look.theme.ink);
    let width = WIDTH.max(TEXT + typeface.width(ink, &scale).ceil() as i32 + 12);
    if lines == 0 || focus.width() < width + 120 || focus.height() < height + 160 {
        return;
    }
    let (x, mut y) = (focus.x1 - width - 14, focus.y1 - height - 14);
    let card = Rect { x0: x, y0: y, x1: x + width, y1: y + height };
    let theme = look.theme;
    canvas.card(card, 8.0, theme.card, theme.border);
    y += 7;
    let mut line = |canvas: &mut Canvas, text: &str| {
        let middle = f64::from(y) + 0.5 * f64::from(LINE);
        typeface.draw(canvas, (f64::from(x + TEXT), middle + 4.5), ink, text);
        y += LINE;
        middle
    };
    let arrow = |canvas: &mut Canvas, middle: f64, width: f64, colour: u32| {
        let from = f64::from(x) + 14.0;
        flat_arrow(canvas, (from, middle), (from + 36.0, middle), width, colour, 255);
    };
    if friction {
        for (stance, text) in
            [(Stance::Sticks, "friction, sticks"), (Stance::Slips, "friction, slips")]
        {
            let middle = line(canvas, text);
            arrow(canvas, middle, 2.4, theme.friction(stance));
        }
    }
    if normals {
        let middle = line(canvas, "normal force N");
        arrow(canvas, middle, 1.3, theme.normal);
    }
    if arrows {
        line(canvas, &scale);
    }
    if springs {
        let middle = line(canvas, &format!("strain ±{}", percent(scales.strain)));
        for k in 0..44 {
            let colour = theme.strain(f64::from(k) / 21.5 - 1.0);
            let x0 = x + 10 + k;
            let y0 = middle as i32 - 3;
            canvas.rectangle(Rect { x0, y0, x1: x0 + 1, y1: y0 + 7 }, colour, 255);
        }
    }
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
