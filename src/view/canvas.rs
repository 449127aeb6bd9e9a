//! A plain framebuffer of 0x00RRGGBB pixels, with anti-aliased discs and lines and exact triangles.
//!
//! Integer blending and plain arithmetic only: the same drawing gives the same bits everywhere.
//! Nothing panics, whatever the coordinates: what is not finite or outside is left out.

use super::theme::{Colour, mix};

/// A point on the canvas, in pixels from the upper left corner.
pub type Point = (f64, f64);

/// A rectangle of pixels, `x0 ≤ x < x1`, `y0 ≤ y < y1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Rect {
    /// Left.
    pub x0: i32,
    /// Top.
    pub y0: i32,
    /// Right.
    pub x1: i32,
    /// Bottom.
    pub y1: i32,
}

impl Rect {
    /// Width, not negative.
    pub fn width(&self) -> i32 {
        (self.x1 - self.x0).max(0)
    }

    /// Height, not negative.
    pub fn height(&self) -> i32 {
        (self.y1 - self.y0).max(0)
    }

    /// Whether it has no pixels.
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The common part.
    pub fn intersection(&self, other: &Rect) -> Rect {
        Rect {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }
}

/// The framebuffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u32>,
    clip: Rect,
}

impl Canvas {
    /// A black canvas; both sides may be 0.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.min(1 << 15), height.min(1 << 15));
        let clip = Rect { x0: 0, y0: 0, x1: width as i32, y1: height as i32 };
        Canvas { width, height, pixels: vec![0; width * height], clip }
    }

    /// Width \[pixels\].
    pub fn width(&self) -> usize {
        self.width
    }

    /// Height \[pixels\].
    pub fn height(&self) -> usize {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[u32] {
        &self.pixels
    }

    /// The whole canvas.
    pub fn bounds(&self) -> Rect {
        Rect { x0: 0, y0: 0, x1: self.width as i32, y1: self.height as i32 }
    }

    /// Where drawing has an effect.
    pub fn clip(&self) -> Rect {
        self.clip
    }

    /// Restricts drawing to the part of `clip` that is on the canvas.
    pub fn set_clip(&mut self, clip: Rect) {
        self.clip = clip.intersection(&self.bounds());
    }

    /// The pixels as RGB bytes.
    pub fn rgb(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|p| [(p >> 16) as u8, (p >> 8) as u8, *p as u8]).collect()
    }

    /// FNV-1a hash of size and pixels, for golden tests.
    pub fn hash(&self) -> u64 {
        let size = [self.width as u32, self.height as u32];
        size.iter()
            .chain(&self.pixels)
            .flat_map(|word| word.to_le_bytes())
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            })
    }

    /// Fills the clip with a vertical gradient.
    pub fn gradient(&mut self, top: Colour, bottom: Colour) {
        let clip = self.clip;
        for y in clip.y0..clip.y1 {
            let share = f64::from(y - clip.y0) / f64::from(clip.height());
            let colour = mix(top, bottom, share);
            self.row(y, clip.x0, clip.x1).fill(colour);
        }
    }

    /// Blends one pixel, `alpha` of 255.
    #[inline]
    pub fn blend(&mut self, x: i32, y: i32, colour: Colour, alpha: u8) {
        let clip = &self.clip;
        if x >= clip.x0 && x < clip.x1 && y >= clip.y0 && y < clip.y1 {
            let at = y as usize * self.width + x as usize;
            self.pixels[at] = blended(self.pixels[at], colour, alpha);
        }
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, rect: Rect, colour: Colour, alpha: u8) {
        let rect = rect.intersection(&self.clip);
        for y in rect.y0..rect.y1 {
            for pixel in self.row(y, rect.x0, rect.x1) {
                *pixel = blended(*pixel, colour, alpha);
            }
        }
    }

    /// A card: a filled rectangle with round corners and a border of one pixel.
    pub fn card(&mut self, rect: Rect, radius: f64, fill: (Colour, u8), border: Colour) {
        let half = (f64::from(rect.width()) / 2.0, f64::from(rect.height()) / 2.0);
        let middle = (f64::from(rect.x0) + half.0, f64::from(rect.y0) + half.1);
        let seen = rect.intersection(&self.clip);
        for y in seen.y0..seen.y1 {
            for x in seen.x0..seen.x1 {
                let dx = (f64::from(x) + 0.5 - middle.0).abs() - (half.0 - radius);
                let dy = (f64::from(y) + 0.5 - middle.1).abs() - (half.1 - radius);
                // distance inside the rounded outline
                let (ox, oy) = (dx.max(0.0), dy.max(0.0));
                let inside = radius - (ox * ox + oy * oy).sqrt() - dx.max(dy).min(0.0);
                let cover = (inside + 0.5).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let edge = (1.5 - inside).clamp(0.0, 1.0);
                    self.blend(x, y, fill.0, (f64::from(fill.1) * cover) as u8);
                    self.blend(x, y, border, (255.0 * cover * edge) as u8);
                }
            }
        }
    }

    /// A filled disc with a soft edge of one pixel.
    pub fn disc(&mut self, (cx, cy): Point, radius: f64, colour: Colour, alpha: u8) {
        self.round((cx, cy), radius, |_, _| colour, alpha);
    }

    /// A shaded ball, lit from the upper left.
    pub fn ball(&mut self, centre: Point, radius: f64, colour: Colour, alpha: u8) {
        if radius < 2.5 {
            return self.disc(centre, radius, colour, alpha);
        }
        let shade = |x: f64, y: f64| {
            let z = (1.0 - x * x - y * y).max(0.0).sqrt();
            let light = 0.62 + 0.5 * (0.74 * z - 0.36 * x - 0.57 * y);
            super::theme::lit(colour, light.clamp(0.3, 1.35))
        };
        self.round(centre, radius, shade, alpha);
    }

    /// A disc whose colour is a function of the place in it, from −1 to 1.
    fn round(
        &mut self,
        (cx, cy): Point,
        radius: f64,
        colour: impl Fn(f64, f64) -> Colour,
        alpha: u8,
    ) {
        if !(cx.is_finite() && cy.is_finite() && radius.is_finite() && radius > 0.0) {
            return;
        }
        let reach = radius + 1.0;
        let (x0, x1) = span(cx - reach, cx + reach, self.clip.x0, self.clip.x1);
        let (y0, y1) = span(cy - reach, cy + reach, self.clip.y0, self.clip.y1);
        for y in y0..y1 {
            for x in x0..x1 {
                let (dx, dy) = (f64::from(x) + 0.5 - cx, f64::from(y) + 0.5 - cy);
                let cover = (radius + 0.5 - (dx * dx + dy * dy).sqrt()).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let colour = colour(dx / radius, dy / radius);
                    self.blend(x, y, colour, (f64::from(alpha) * cover) as u8);
                }
            }
        }
    }

    /// A straight line with round ends and soft edges; widths below one pixel are drawn fainter.
    pub fn line(&mut self, a: Point, b: Point, width: f64, colour: Colour, alpha: u8) {
        let Some((a, b)) = self.clipped(a, b, width + 2.0) else { return };
        let half = 0.5 * width.max(1.0);
        let strength = f64::from(alpha) * width.min(1.0);
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
        if strength < 1.0 {
            return;
        }
        let clip = self.clip;
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
                    let at = y as usize * self.width + x as usize;
                    self.pixels[at] = blended(self.pixels[at], colour, (strength * cover) as u8);
                }
            }
        }
    }

    /// The part of a segment within the clip widened by `margin` (Liang and Barsky).
    fn clipped(&self, a: Point, b: Point, margin: f64) -> Option<(Point, Point)> {
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

    /// A filled triangle: exactly the pixels whose centre is inside, so that neighbours that share
    /// an edge neither overlap nor leave a gap.
    pub fn triangle(&mut self, corners: [Point; 3], colour: Colour, alpha: u8) {
        let clip = self.clip;
        for_each_span(corners, &clip, |y, x0, x1| {
            for pixel in self.row(y, x0, x1) {
                *pixel = blended(*pixel, colour, alpha);
            }
        });
    }

    /// Blends a colour where `mask` (one byte per pixel of `area`, row by row) says so.
    pub fn blend_mask(&mut self, mask: &[u8], area: &Rect, colour: Colour, alpha: u8) {
        let width = area.width() as usize;
        let seen = area.intersection(&self.clip);
        for y in seen.y0..seen.y1 {
            let offset = (y - area.y0) as usize * width + (seen.x0 - area.x0) as usize;
            let cover = &mask[offset..offset + seen.width() as usize];
            for (pixel, cover) in self.row(y, seen.x0, seen.x1).iter_mut().zip(cover) {
                if *cover > 0 {
                    let strength = u32::from(*cover) * u32::from(alpha) / 255;
                    *pixel = blended(*pixel, colour, strength as u8);
                }
            }
        }
    }

    fn row(&mut self, y: i32, x0: i32, x1: i32) -> &mut [u32] {
        let start = y as usize * self.width;
        &mut self.pixels[start + x0 as usize..start + x1.max(x0) as usize]
    }
}

/// Calls `visit(y, x0, x1)` for every row of pixels whose centres are inside a triangle.
pub fn for_each_span(corners: [Point; 3], clip: &Rect, mut visit: impl FnMut(i32, i32, i32)) {
    if corners.iter().any(|c| !(c.0.is_finite() && c.1.is_finite())) {
        return;
    }
    let ys = corners.map(|c| c.1);
    let (top, bottom) = (ys[0].min(ys[1]).min(ys[2]), ys[0].max(ys[1]).max(ys[2]));
    let centre = |c: f64, low: i32, high: i32| {
        let high = high.max(low);
        let inside = (c - 0.5).clamp(f64::from(low), f64::from(high));
        // rounded up
        high - (f64::from(high) - inside) as i32
    };
    for y in centre(top, clip.y0, clip.y1)..centre(bottom, clip.y0, clip.y1) {
        let middle = f64::from(y) + 0.5;
        let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
        for k in 0..3 {
            // an edge always runs downwards, so that both of its triangles compute the same bits
            let (mut a, mut b) = (corners[k], corners[(k + 1) % 3]);
            if a.1 > b.1 {
                std::mem::swap(&mut a, &mut b);
            }
            if a.1 <= middle && middle < b.1 {
                let x = a.0 + (b.0 - a.0) * ((middle - a.1) / (b.1 - a.1));
                left = left.min(x);
                right = right.max(x);
            }
        }
        if left < right {
            let (x0, x1) = (centre(left, clip.x0, clip.x1), centre(right, clip.x0, clip.x1));
            if x0 < x1 {
                visit(y, x0, x1);
            }
        }
    }
}

/// Whole pixels that cover low..high within from..to.
fn span(low: f64, high: f64, from: i32, to: i32) -> (i32, i32) {
    let to = to.max(from);
    let bound = |x: f64| x.clamp(f64::from(from), f64::from(to));
    // rounding after clamping, by the conversion to integers, which is cheaper than floor and ceil
    ((bound(low) - f64::from(from)) as i32 + from, to - (f64::from(to) - bound(high)) as i32)
}

#[inline]
fn blended(under: u32, over: u32, alpha: u8) -> u32 {
    if alpha == 255 {
        return over & 0x00ff_ffff;
    }
    // red and blue together, green alone; 0..=255 widened to 0..=256
    let a = u32::from(alpha) + u32::from(alpha >> 7);
    let b = 256 - a;
    let red_blue = ((over & 0xff00ff) * a + (under & 0xff00ff) * b + 0x800080) >> 8 & 0xff00ff;
    let green = ((over & 0x00ff00) * a + (under & 0x00ff00) * b + 0x008000) >> 8 & 0x00ff00;
    red_blue | green
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_that_share_an_edge_cover_every_pixel_once() {
        let mut canvas = Canvas::new(40, 30);
        let (a, b, c, d) = ((3.3, 2.1), (36.9, 5.7), (31.2, 27.4), (1.4, 22.2));
        canvas.triangle([a, b, c], 0xffffff, 128);
        canvas.triangle([c, d, a], 0xffffff, 128);
        let once = blended(0, 0xffffff, 128);
        assert!(canvas.pixels().iter().all(|p| *p == 0 || *p == once));
        assert!(canvas.pixels().iter().filter(|p| **p == once).count() > 600);
    }

    #[test]
    fn wild_coordinates_do_no_harm() {
        let values = [0.0, -1e300, 1e300, f64::NAN, f64::INFINITY, 7.5, -3.0];
        for size in [(0, 0), (0, 9), (16, 16)] {
            let mut canvas = Canvas::new(size.0, size.1);
            for a in values {
                for b in values {
                    canvas.line((a, b), (b, 3.0), 2.0, 0xffffff, 200);
                    canvas.disc((a, 4.0), b, 0xffffff, 200);
                    canvas.ball((5.0, b), 4.0, 0xffffff, 200);
                    canvas.triangle([(a, b), (3.0, 9.0), (b, 1.0)], 0xffffff, 200);
                }
            }
        }
    }

    #[test]
    fn a_line_covers_its_area() {
        let mut canvas = Canvas::new(64, 64);
        canvas.line((10.0, 12.0), (50.0, 40.0), 4.0, 0xffffff, 255);
        let area: f64 = canvas.pixels().iter().map(|p| f64::from(p & 255) / 255.0).sum();
        let length = (40.0f64 * 40.0 + 28.0 * 28.0).sqrt();
        let expected = length * 4.0 + std::f64::consts::PI * 4.0;
        assert!((area / expected - 1.0).abs() < 0.05, "{area} against {expected}");
    }
}
