//! A plain framebuffer of 0x00RRGGBB pixels, with anti-aliased discs and lines and exact triangles.
//!
//! Integer blending and plain arithmetic only: the same drawing gives the same bits everywhere.
//! Drawing never panics: points outside of the canvas or not finite are not drawn.

mod lines;
mod triangles;

pub use triangles::for_each_span;

use super::theme::{Colour, mix};
use rayon::prelude::*;
use std::ops::Range;

/// A point on the canvas, in pixels from the upper left corner.
pub type CanvasPoint = (f64, f64);

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
    /// Width, ≥ 0.
    pub fn width(&self) -> i32 {
        (self.x1 - self.x0).max(0)
    }

    /// Height, ≥ 0.
    pub fn height(&self) -> i32 {
        (self.y1 - self.y0).max(0)
    }

    /// Whether it has no pixels.
    pub fn is_empty(&self) -> bool {
        self.width() == 0 || self.height() == 0
    }

    /// The common part of two rectangles.
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
    /// those of the rows from `top` on
    pixels: Vec<u32>,
    top: i32,
    clip: Rect,
    /// the part of the clip whose pixels are here
    here: Rect,
}

impl Canvas {
    /// A black canvas; both sides may be 0.
    pub fn new(width: usize, height: usize) -> Self {
        let (width, height) = (width.min(1 << 15), height.min(1 << 15));
        let clip = Rect { x0: 0, y0: 0, x1: width as i32, y1: height as i32 };
        Canvas { width, height, pixels: vec![0; width * height], top: 0, clip, here: clip }
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

    /// The rectangle in which drawing has an effect.
    pub fn clip(&self) -> Rect {
        self.clip
    }

    /// Restricts drawing to the part of `clip` that is on the canvas.
    pub(crate) fn set_clip(&mut self, clip: Rect) {
        self.clip = clip.intersection(&self.bounds());
        self.here = self.clip;
    }

    /// Calls `draw` for bands of the canvas, side by side: each is a canvas of the same size and clip on which
    /// drawing sets the pixels of some rows only. The pixels do not depend on the number of bands.
    pub(crate) fn in_bands(&mut self, count: usize, draw: impl Fn(&mut Canvas) + Sync) {
        let (width, height, clip) = (self.width, self.height, self.clip);
        let rows = height.div_ceil(count.max(1)).max(1);
        self.pixels.par_chunks_mut((rows * width).max(1)).enumerate().for_each(|(k, own)| {
            let (y0, y1) = ((k * rows) as i32, ((k + 1) * rows) as i32);
            let here = Rect { y0: clip.y0.max(y0), y1: clip.y1.min(y1), ..clip };
            let mut band = Canvas { width, height, pixels: own.to_vec(), top: y0, clip, here };
            draw(&mut band);
            own.copy_from_slice(&band.pixels);
        });
    }

    /// The rows in which drawing has an effect.
    pub(crate) fn rows_here(&self) -> Range<i32> {
        self.here.y0..self.here.y1
    }

    /// The index of a pixel.
    #[inline]
    fn index(&self, x: i32, y: i32) -> usize {
        (y - self.top) as usize * self.width + x as usize
    }

    /// Copies `picture` onto the canvas, with its upper left corner at (x, y).
    pub fn copy(&mut self, picture: &Canvas, (x, y): (i32, i32)) {
        let (width, height) = (picture.width as i32, picture.height as i32);
        let place = Rect { x0: x, y0: y, x1: x + width, y1: y + height };
        let seen = place.intersection(&self.clip);
        if seen.is_empty() {
            return;
        }
        for row in seen.y0..seen.y1 {
            let from = (row - y) as usize * picture.width + (seen.x0 - x) as usize;
            let to = row as usize * self.width + seen.x0 as usize;
            let count = seen.width() as usize;
            self.pixels[to..to + count].copy_from_slice(&picture.pixels[from..from + count]);
        }
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

    /// Blends one pixel with opacity `alpha`/255.
    #[inline]
    pub(crate) fn blend(&mut self, x: i32, y: i32, colour: Colour, alpha: u8) {
        let here = &self.here;
        if x >= here.x0 && x < here.x1 && y >= here.y0 && y < here.y1 {
            let at = self.index(x, y);
            self.pixels[at] = blended(self.pixels[at], colour, alpha);
        }
    }

    /// A filled rectangle.
    pub fn rectangle(&mut self, rect: Rect, colour: Colour, alpha: u8) {
        let rect = rect.intersection(&self.here);
        for y in rect.y0..rect.y1 {
            blend_all(self.row(y, rect.x0, rect.x1), colour, alpha);
        }
    }

    /// A card: a filled rectangle with rounded corners and a border of one pixel.
    pub fn card(&mut self, rect: Rect, radius: f64, fill: (Colour, u8), border: Colour) {
        let half = (f64::from(rect.width()) / 2.0, f64::from(rect.height()) / 2.0);
        let middle = (f64::from(rect.x0) + half.0, f64::from(rect.y0) + half.1);
        let seen = rect.intersection(&self.clip);
        // between corners and borders there is one colour only
        let rim = radius.max(2.0).ceil() as i32;
        let plain = Rect { x0: rect.x0 + rim, y0: rect.y0 + 2, x1: rect.x1 - rim, y1: rect.y1 - 2 };
        let plain = plain.intersection(&seen);
        self.rectangle(plain, fill.0, fill.1);
        for y in seen.y0..seen.y1 {
            let mut x = seen.x0;
            while x < seen.x1 {
                if x == plain.x0 && y >= plain.y0 && y < plain.y1 && !plain.is_empty() {
                    x = plain.x1;
                    continue;
                }
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
                x += 1;
            }
        }
    }

    /// A filled disc with a soft edge of one pixel.
    pub fn disc(&mut self, centre: CanvasPoint, radius: f64, colour: Colour, alpha: u8) {
        if !(radius > 0.0 && radius < 4.0) {
            return self.round(centre, radius, |_, _| colour, alpha);
        }
        // for small radii the distance to the rim is about (r² − d²)/(2r), d from the centre: no
        // root
        let (cx, cy) = centre;
        let (strength, half) = (f64::from(alpha), 0.5 / radius);
        let Some([x0, y0, x1, y1]) = self.square(centre, radius + 1.0) else { return };
        for y in y0..y1 {
            let dy = f64::from(y) + 0.5 - cy;
            let rest = radius * radius - dy * dy;
            for (x, pixel) in (x0..x1).zip(self.row(y, x0, x1)) {
                let dx = f64::from(x) + 0.5 - cx;
                let cover = 0.5 + (rest - dx * dx) * half;
                if cover > 0.0 {
                    let cover = if cover < 1.0 { cover } else { 1.0 };
                    *pixel = blended(*pixel, colour, (strength * cover) as u8);
                }
            }
        }
    }

    /// A circle, as a line of `width` pixels.
    pub fn ring(
        &mut self,
        centre: CanvasPoint,
        radius: f64,
        width: f64,
        colour: Colour,
        alpha: u8,
    ) {
        let half = 0.5 * width;
        if !(radius > 0.0 && half > 0.0) {
            return;
        }
        let Some([x0, y0, x1, y1]) = self.square(centre, radius + half + 1.0) else { return };
        for y in y0..y1 {
            for x in x0..x1 {
                let (dx, dy) = (f64::from(x) + 0.5 - centre.0, f64::from(y) + 0.5 - centre.1);
                let away = ((dx * dx + dy * dy).sqrt() - radius).abs();
                let cover = (half + 0.5 - away).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(x, y, colour, (f64::from(alpha) * cover) as u8);
                }
            }
        }
    }

    /// The square of pixels within `reach` of a point, cut to the clip: x0, y0, x1, y1.
    fn square(&self, (cx, cy): CanvasPoint, reach: f64) -> Option<[i32; 4]> {
        if !(cx.is_finite() && cy.is_finite() && reach.is_finite()) {
            return None;
        }
        let (x0, x1) = span(cx - reach, cx + reach, self.clip.x0, self.clip.x1);
        let (y0, y1) = span(cy - reach, cy + reach, self.here.y0, self.here.y1);
        (x0 < x1).then_some([x0, y0, x1, y1])
    }

    /// A shaded ball, lit from the upper left.
    pub fn ball(&mut self, centre: CanvasPoint, radius: f64, colour: Colour, alpha: u8) {
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

    /// A disc whose colour is a function of the position (x, y) in it, both from −1 to 1.
    fn round(
        &mut self,
        (cx, cy): CanvasPoint,
        radius: f64,
        colour: impl Fn(f64, f64) -> Colour,
        alpha: u8,
    ) {
        if radius <= 0.0 || radius.is_nan() {
            return;
        }
        let Some([x0, y0, x1, y1]) = self.square((cx, cy), radius + 1.0) else { return };
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

    /// A filled triangle: exactly the pixels whose centre is inside, so that triangles with a
    /// common edge neither overlap nor leave a gap.
    pub fn triangle(&mut self, corners: [CanvasPoint; 3], colour: Colour, alpha: u8) {
        let (clip, rows) = (self.clip, self.rows_here());
        for_each_span(corners, &clip, |y, x0, x1| {
            if rows.contains(&y) {
                blend_all(self.row(y, x0, x1), colour, alpha);
            }
        });
    }

    /// Blends a colour into row `y` from `x0` on, with opacity `alpha`/255 times `cover`/255.
    pub(crate) fn blend_row(&mut self, y: i32, x0: i32, cover: &[u8], colour: Colour, alpha: u8) {
        let clip = self.clip;
        let from = x0.max(clip.x0);
        let to = x0.saturating_add(cover.len().min(1 << 20) as i32).min(clip.x1);
        if !self.rows_here().contains(&y) || from >= to {
            return;
        }
        let cover = &cover[(from - x0) as usize..(to - x0) as usize];
        for (pixel, cover) in self.row(y, from, to).iter_mut().zip(cover) {
            if *cover > 0 {
                let strength = (u32::from(*cover) * u32::from(alpha) * 257 + 32768) >> 16;
                *pixel = blended(*pixel, colour, strength as u8);
            }
        }
    }

    fn row(&mut self, y: i32, x0: i32, x1: i32) -> &mut [u32] {
        let start = (y - self.top) as usize * self.width;
        &mut self.pixels[start + x0 as usize..start + x1.max(x0) as usize]
    }
}

/// Range of whole pixels that covers low..high within from..to.
fn span(low: f64, high: f64, from: i32, to: i32) -> (i32, i32) {
    let to = to.max(from);
    let bound = |x: f64| x.clamp(f64::from(from), f64::from(to));
    // rounding after clamping, by conversion to integers, is faster than floor and ceil
    ((bound(low) - f64::from(from)) as i32 + from, to - (f64::from(to) - bound(high)) as i32)
}

/// Blends one colour into a run of pixels as [`blended`] does; common terms are computed once.
#[inline]
fn blend_all(pixels: &mut [u32], over: u32, alpha: u8) {
    if alpha == 255 {
        return pixels.fill(over & 0x00ff_ffff);
    }
    let a = u32::from(alpha) + u32::from(alpha >> 7);
    let b = 256 - a;
    let red_blue = (over & 0xff00ff) * a + 0x800080;
    let green = (over & 0x00ff00) * a + 0x008000;
    for pixel in pixels {
        *pixel = ((*pixel & 0xff00ff) * b + red_blue) >> 8 & 0xff00ff
            | ((*pixel & 0x00ff00) * b + green) >> 8 & 0x00ff00;
    }
}

#[inline]
fn blended(under: u32, over: u32, alpha: u8) -> u32 {
    // red and blue are blended together, green alone; 0..=255 is widened to 0..=256, so that
    // full opacity gives the colour itself. over·a + under·(256 − a)
    // is 256·under + (over − under)·a, and has no carry where that has: the sums wrap
    let a = u32::from(alpha) + u32::from(alpha >> 7);
    let mixed = |mask: u32, half: u32| {
        let (over, under) = (over & mask, under & mask);
        let sum = (under << 8).wrapping_add(over.wrapping_sub(under).wrapping_mul(a));
        sum.wrapping_add(half) >> 8 & mask
    };
    mixed(0xff00ff, 0x800080) | mixed(0x00ff00, 0x008000)
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
                    canvas.line((a, b), (3.0, b), 9.0, 0xffffff, 200);
                    canvas.disc((a, 4.0), b, 0xffffff, 200);
                    canvas.ring((a, 4.0), b, a, 0xffffff, 200);
                    canvas.blend_row(a as i32, b as i32, &[255; 40], 0xffffff, 200);
                    canvas.ball((5.0, b), 4.0, 0xffffff, 200);
                    canvas.triangle([(a, b), (3.0, 9.0), (b, 1.0)], 0xffffff, 200);
                }
            }
        }
    }

    /// Lines of every width, discs, balls, rings and triangles, within a clip and across its border.
    fn drawn_on(canvas: &mut Canvas) {
        let place = |k: u32| f64::from(k.wrapping_mul(2_654_435_761) >> 16) / 65536.0 * 90.0 - 10.0;
        for k in 0..600 {
            let at = |n: u32| (place(7 * k + 2 * n), place(7 * k + 2 * n + 1));
            let (colour, width) = (k * 0x0003_0509, f64::from(k % 12) * 0.4 + 0.3);
            canvas.line(at(0), at(1), width, colour, 150);
            match k % 6 {
                0 => canvas.triangle([at(0), at(1), at(2)], colour, 90),
                1 => canvas.ball(at(0), width, colour, 255),
                2 => canvas.ring(at(1), 6.0, width, colour, 200),
                3 => canvas.blend_row(at(1).1 as i32, 3, &[200; 30], colour, 90),
                4 => canvas.line((at(0).0, f64::NAN), at(1), width, colour, 90),
                _ => canvas.disc(at(2), width, colour, 100),
            }
        }
    }

    #[test]
    fn bands_draw_the_same_pixels() {
        for clip in [Rect { x0: 0, y0: 0, x1: 71, y1: 67 }, Rect { x0: 5, y0: 9, x1: 60, y1: 50 }] {
            let mut whole = Canvas::new(71, 67);
            whole.set_clip(clip);
            drawn_on(&mut whole);
            assert!(whole.pixels().iter().filter(|p| **p != 0).count() > 1000);
            for count in [0, 1, 2, 3, 7, 40, 100] {
                let mut banded = Canvas::new(71, 67);
                banded.set_clip(clip);
                banded.in_bands(count, drawn_on);
                assert!(banded == whole, "{count} bands, {clip:?}");
            }
        }
    }

    fn area(canvas: &Canvas) -> f64 {
        canvas.pixels().iter().map(|p| f64::from(p & 255) / 255.0).sum()
    }

    #[test]
    fn a_line_covers_its_area() {
        for width in [0.6, 1.0, 1.7, 2.4, 4.0] {
            for (b, turned) in [((50.0, 40.0), (38.0, 52.0)), ((10.0, 52.0), (50.0, 12.0))] {
                for b in [b, turned] {
                    let mut canvas = Canvas::new(64, 64);
                    canvas.line((10.0, 12.0), b, width, 0xffffff, 255);
                    let (dx, dy) = (b.0 - 10.0, b.1 - 12.0);
                    let length: f64 = (dx * dx + dy * dy).sqrt();
                    let expected = length * width + std::f64::consts::PI * width * width / 4.0;
                    let share = area(&canvas) / expected;
                    assert!((share - 1.0).abs() < 0.06, "width {width}: {share}");
                }
            }
        }
    }

    #[test]
    fn discs_and_rings_cover_their_area() {
        for radius in [0.9, 1.5, 2.8, 3.9, 4.1, 9.0] {
            let mut canvas = Canvas::new(32, 32);
            canvas.disc((16.2, 15.7), radius, 0xffffff, 255);
            let share = area(&canvas) / (std::f64::consts::PI * radius * radius);
            assert!((share - 1.0).abs() < 0.12, "radius {radius}: {share}");
        }
        let mut canvas = Canvas::new(32, 32);
        canvas.ring((16.2, 15.7), 9.0, 2.0, 0xffffff, 255);
        assert!((area(&canvas) / (std::f64::consts::PI * 36.0) - 1.0).abs() < 0.05);
        assert_eq!(canvas.pixels()[16 * 32 + 16], 0);
    }
}
