//! Straight lines with soft edges. Thin ones, of which a picture has thousands, are drawn in
//! integers, column by column; the thinnest, if inside the clip, with two pixels per column. Wide
//! ones are drawn with exact distances.

use super::{Canvas, CanvasPoint, Rect, blended, span};
use crate::theme::Colour;

/// Width above which lines have round ends \[pixels\].
const THIN: f64 = 2.6;

/// The number one in units of 1/65536.
const ONE: i64 = 1 << 16;

impl Canvas {
    /// A straight line with soft edges, with round ends where visible; widths below one pixel are
    /// drawn fainter.
    pub fn line(&mut self, a: CanvasPoint, b: CanvasPoint, width: f64, colour: Colour, alpha: u8) {
        let strength = f64::from(alpha) * width.min(1.0);
        if strength < 1.0 || strength.is_nan() {
            return;
        }
        if width <= 1.0 && self.holds(a) && self.holds(b) && self.hairline(a, b, colour, strength) {
            return;
        }
        let Some((a, b)) = self.clipped(a, b, width + 2.0) else { return };
        let half = 0.5 * width.max(1.0);
        if width <= THIN {
            self.thin(a, b, half, colour, strength);
        } else {
            self.wide(a, b, half, colour, strength);
        }
    }

    /// Whether a point is far enough inside the clip for a hairline to end there.
    fn holds(&self, (x, y): CanvasPoint) -> bool {
        let Rect { x0, y0, x1, y1 } = self.clip;
        let (low, high) = (f64::from(x0) + 2.0, f64::from(x1) - 2.0);
        let (above, below) = (f64::from(y0) + 2.0, f64::from(y1) - 2.0);
        x > low && x < high && y > above && y < below
    }

    /// A line at most one pixel wide with both ends inside the clip: two pixels at each step along
    /// its longer direction share the coverage. Returns `false`, and draws nothing, if a pixel
    /// would be more than covered.
    fn hairline(&mut self, a: CanvasPoint, b: CanvasPoint, colour: Colour, strength: f64) -> bool {
        let steep = (b.1 - a.1).abs() > (b.0 - a.0).abs();
        let turn = |p: CanvasPoint| if steep { (p.1, p.0) } else { p };
        let (mut a, mut b) = (turn(a), turn(b));
        if a.0 > b.0 {
            std::mem::swap(&mut a, &mut b);
        }
        let slope = if b.0 > a.0 { (b.1 - a.1) / (b.0 - a.0) } else { 0.0 };
        let stretch = (1.0 + slope * slope).sqrt();
        let strength = (strength * stretch) as i64;
        if strength > 255 {
            return false;
        }
        // extended so that the ends have the area of round ones
        let more = 0.39 / stretch;
        let fixed = |x: f64| (x * ONE as f64) as i64;
        let (low, high) = (fixed(a.0 - more), fixed(b.0 + more));
        let (start, end) = (low >> 16, (high - 1) >> 16);
        // offset by half a pixel, so that the integer part is the first of the two pixels
        let mut middle = fixed(a.1 + (start as f64 + 0.5 - a.0) * slope - 0.5);
        let step = fixed(slope);
        let (rows, width) = (self.rows_here(), self.width);
        let (r0, r1) = (i64::from(rows.start), i64::from(rows.end));
        // of a steep line the steps are rows
        let (first, last) = if steep { (start.max(r0), end.min(r1 - 1)) } else { (start, end) };
        middle += step * (first - start).max(0);
        for m in first..=last {
            let strength = if m > start && m < end {
                strength
            } else {
                (strength * ((m * ONE + ONE).min(high) - (m * ONE).max(low))) >> 16
            };
            let second = ((strength * (middle & (ONE - 1))) >> 16) as u8;
            let first = strength as u8 - second;
            let n = middle >> 16;
            middle += step;
            let (x, y) = if steep { (n, m) } else { (m, n) };
            let row = (y - i64::from(self.top)) as usize;
            let at = row.wrapping_mul(width).wrapping_add(x as usize);
            if steep {
                self.pixels[at] = blended(self.pixels[at], colour, first);
                self.pixels[at + 1] = blended(self.pixels[at + 1], colour, second);
                continue;
            }
            if y >= r0 && y < r1 {
                self.pixels[at] = blended(self.pixels[at], colour, first);
            }
            if y + 1 >= r0 && y + 1 < r1 {
                let below = at.wrapping_add(width);
                self.pixels[below] = blended(self.pixels[below], colour, second);
            }
        }
        true
    }

    /// Draws along the longer direction pixel by pixel; across it, coverage decreases with the
    /// distance.
    fn thin(&mut self, a: CanvasPoint, b: CanvasPoint, half: f64, colour: Colour, strength: f64) {
        let steep = (b.1 - a.1).abs() > (b.0 - a.0).abs();
        let turn = |p: CanvasPoint| if steep { (p.1, p.0) } else { p };
        let (mut a, mut b) = (turn(a), turn(b));
        if a.0 > b.0 {
            std::mem::swap(&mut a, &mut b);
        }
        let slope = if b.0 > a.0 { (b.1 - a.1) / (b.0 - a.0) } else { 0.0 };
        let shrink = 1.0 / (1.0 + slope * slope).sqrt();
        // extended so that the ends have the area of round ones
        let more = 0.785 * half * shrink;
        let (low, high) = (a.0 - more, b.0 + more);
        let clip = self.clip;
        let (outer, inner) = if steep {
            ((clip.y0, clip.y1), (clip.x0, clip.x1))
        } else {
            ((clip.x0, clip.x1), (clip.y0, clip.y1))
        };
        let (m0, m1) = span(low, high, outer.0, outer.1);
        let rows = self.rows_here();
        // of a steep line the steps are rows, of another one the pixels of a step
        let (from, to) = if steep { (m0.max(rows.start), m1.min(rows.end)) } else { (m0, m1) };
        let inner = if steep { inner } else { (rows.start, rows.end) };
        let fixed = |x: f64| (x * ONE as f64) as i64;
        let (low, high, shrink) = (fixed(low), fixed(high), fixed(shrink));
        let (rim, step) = (fixed(half + 0.5), fixed(slope));
        let reach = (rim * ONE) / shrink;
        let rim = rim as i32;
        let mut middle = fixed(a.1 + (f64::from(m0) + 0.5 - a.0) * slope);
        middle += step * i64::from((from - m0).max(0));
        let next = if steep { 1 } else { self.width };
        for m in from..to {
            let here = i64::from(m) * ONE;
            let long = (here + ONE).min(high) - here.max(low);
            let strength = ((strength as i64 * long.max(0)) >> 8) as i32;
            let first = ((middle - reach + ONE / 2) >> 16).max(i64::from(inner.0));
            let last = ((middle + reach + ONE / 2) >> 16).min(i64::from(inner.1));
            let n = first.max(0) as i32;
            let mut at = if steep { self.index(n, m) } else { self.index(m, n.max(rows.start)) };
            // the distance from the middle grows by a constant per pixel
            let mut away = (((first * ONE + ONE / 2 - middle) * shrink) >> 16) as i32;
            for _ in first..last {
                let cover = (rim - away.abs()).clamp(0, ONE as i32);
                let pixel = &mut self.pixels[at];
                *pixel = blended(*pixel, colour, ((strength * (cover >> 8)) >> 16) as u8);
                at += next;
                away += shrink as i32;
            }
            middle += step;
        }
    }

    /// Colours every pixel near the line by its distance from it.
    fn wide(&mut self, a: CanvasPoint, b: CanvasPoint, half: f64, colour: Colour, strength: f64) {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let squared = dx * dx + dy * dy;
        let inverse = if squared > 1e-12 { 1.0 / squared } else { 0.0 };
        let outside = (half + 0.5) * (half + 0.5);
        let steep = dy.abs() > dx.abs();
        let (long, cross) = if steep { (dy, dx) } else { (dx, dy) };
        let (from, to) = if steep { (a.1, b.1) } else { (a.0, b.0) };
        let start = if steep { a.0 } else { a.1 };
        let slope = if long == 0.0 { 0.0 } else { cross / long };
        let reach = (half + 0.5) * (1.0 + slope * slope).sqrt() + 0.5;
        let clip = self.here;
        let (outer, inner) = if steep {
            ((clip.y0, clip.y1), (clip.x0, clip.x1))
        } else {
            ((clip.x0, clip.x1), (clip.y0, clip.y1))
        };
        let (low, high) = (from.min(to), from.max(to));
        let (m0, m1) = span(low - half - 1.0, high + half + 1.0, outer.0, outer.1);
        for m in m0..m1 {
            let along = (f64::from(m) + 0.5).clamp(low, high);
            let middle = start + (along - from) * slope;
            let (n0, n1) = span(middle - reach, middle + reach, inner.0, inner.1);
            for n in n0..n1 {
                let (x, y) = if steep { (n, m) } else { (m, n) };
                let (px, py) = (f64::from(x) + 0.5 - a.0, f64::from(y) + 0.5 - a.1);
                let t = ((px * dx + py * dy) * inverse).clamp(0.0, 1.0);
                let (ex, ey) = (px - dx * t, py - dy * t);
                let away = ex * ex + ey * ey;
                if away < outside {
                    let cover = (half + 0.5 - away.sqrt()).clamp(0.0, 1.0);
                    let at = self.index(x, y);
                    self.pixels[at] = blended(self.pixels[at], colour, (strength * cover) as u8);
                }
            }
        }
    }

    /// The part of a segment within the clip widened by `margin` (Liang and Barsky).
    fn clipped(
        &self,
        a: CanvasPoint,
        b: CanvasPoint,
        margin: f64,
    ) -> Option<(CanvasPoint, CanvasPoint)> {
        if !(a.0.is_finite() && a.1.is_finite() && b.0.is_finite() && b.1.is_finite()) {
            return None;
        }
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let clip = &self.clip;
        let (mut t0, mut t1) = (0.0f64, 1.0f64);
        for (p, q) in [
            (-dx, a.0 - (f64::from(clip.x0) - margin)),
            (dx, f64::from(clip.x1) + margin - a.0),
            (-dy, a.1 - (f64::from(clip.y0) - margin)),
            (dy, f64::from(clip.y1) + margin - a.1),
        ] {
            if p == 0.0 {
                if q < 0.0 {
                    return None;
                }
            } else if p < 0.0 {
                t0 = t0.max(q / p);
            } else {
                t1 = t1.min(q / p);
            }
        }
        let at = |t: f64| (a.0 + dx * t, a.1 + dy * t);
        (t0 <= t1 && dx.is_finite() && dy.is_finite()).then(|| (at(t0), at(t1)))
    }
}
