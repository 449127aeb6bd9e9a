//! A sheet as the pixels of a PNG file.

use super::letters::{DEPTH, MIDDLE, TALL, below, pieces, width};
use super::sheet::{Lettering, Mark, Place, Sheet, Side};
use super::{FONT, PlotError, register_fonts};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use stiction_core::math::{larger, smaller, sqrt};

type Area<'a> = DrawingArea<BitMapBackend<'a>, Shift>;
type Fault<'a> = DrawingAreaErrorKind<<BitMapBackend<'a> as DrawingBackend>::ErrorType>;

/// Pixels of the file per point.
const PIXELS: usize = 2;

/// Oversampling along each side before pixels are averaged.
const FINER: usize = 2;

/// Points of an inch, and inches of a metre.
const INCH: f64 = 72.0;
const INCHES: f64 = 39.370_078_740_157_48;

/// A sheet as the bytes of a PNG file.
pub(super) fn png(sheet: &Sheet) -> Result<Vec<u8>, PlotError> {
    let side = |points: f64| (points * PIXELS as f64).ceil() as usize;
    let (width, height) = (side(sheet.size.0), side(sheet.size.1));
    let (columns, rows) = (FINER * width, FINER * height);
    let mut fine = vec![0u8; 3 * columns * rows];
    {
        let size = (columns as u32, rows as u32);
        let root = BitMapBackend::with_buffer(&mut fine, size).into_drawing_area();
        draw(sheet, &root).map_err(|e| PlotError::Drawing(e.to_string()))?;
        root.present().map_err(|e| PlotError::Drawing(e.to_string()))?;
    }
    encode(&averaged(&fine, columns), width as u32, height as u32)
        .map_err(|e| PlotError::Drawing(e.to_string()))
}

const SCALE: f64 = (PIXELS * FINER) as f64;

fn pixel((x, y): Place) -> (i32, i32) {
    ((x * SCALE).round() as i32, (y * SCALE).round() as i32)
}

fn draw<'a>(sheet: &Sheet, root: &Area<'a>) -> Result<(), Fault<'a>> {
    register_fonts();
    root.fill(&WHITE)?;
    for mark in &sheet.marks {
        match mark {
            Mark::Stroke { places, colour, width: thick, dashes } => {
                let width = (thick * SCALE).round().max(1.0);
                let style = colour.stroke_width(width as u32);
                let pieces = match dashes.is_empty() {
                    true => pairs(places),
                    false => dashed(places, *thick, dashes),
                };
                // drawn as one path, a thick line would be a polygon with protruding corners
                for piece in pieces {
                    root.draw(&PathElement::new(piece.map(pixel).to_vec(), style))?;
                }
            }
            Mark::Area { places, colour, opacity } => {
                let places: Vec<_> = places.iter().map(|place| pixel(*place)).collect();
                root.draw(&Polygon::new(places, colour.mix(*opacity)))?;
            }
            Mark::Disc { at, radius, colour } => {
                let radius = (radius * SCALE).round() as i32;
                root.draw(&Circle::new(pixel(*at), radius, colour.filled()))?;
            }
            Mark::Text(letters) => {
                parts(letters).iter().try_for_each(|part| draw_text(part, root))?;
            }
            Mark::Panel => {}
        }
    }
    Ok(())
}

fn pairs(places: &[Place]) -> Vec<[Place; 2]> {
    places.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// The pieces of a dashed line of a width: as long as in SVG.
fn dashed(places: &[Place], width: f64, lengths: &[f64]) -> Vec<[Place; 2]> {
    let period = lengths.iter().sum::<f64>() * width;
    // whether a place in the period is on a dash, and the length left of that dash or gap
    let piece = |mut phase: f64| {
        for (k, length) in lengths.iter().enumerate() {
            if phase < length * width {
                return (k % 2 == 0, length * width - phase);
            }
            phase -= length * width;
        }
        (true, 0.0)
    };
    let (mut pieces, mut gone) = (Vec::new(), 0.0);
    for [a, b] in pairs(places) {
        let (x, y) = (b.0 - a.0, b.1 - a.1);
        let length = sqrt(x * x + y * y);
        let at = |s: f64| (a.0 + x * s / length, a.1 + y * s / length);
        let mut s = 0.0;
        while s < length {
            let (on, left) = piece((gone + s) % period);
            // an end that rounding puts at its beginning is passed over
            let end = smaller(length, s + larger(left, 1e-6 * period));
            if on {
                pieces.push([at(s), at(end)]);
            }
            s = end;
        }
        gone += length;
    }
    pieces
}

/// A text in pieces that have one size each: itself, unless it has subscripts.
fn parts(letters: &Lettering) -> Vec<Lettering> {
    let pieces = pieces(&letters.text);
    if pieces.len() < 2 {
        return vec![letters.clone()];
    }
    let wide = width(&letters.text, letters.size, letters.bold);
    let mut along = match letters.side {
        Side::Begin => 0.0,
        Side::Middle => -wide / 2.0,
        Side::End => -wide,
    };
    let mut parts = Vec::new();
    for (text, index) in pieces {
        let size = if index { below(letters.size) } else { letters.size };
        // the baseline of a subscript is lower, and its middle nearer to it
        let depth = if index { DEPTH * letters.size } else { 0.0 };
        let down = depth + MIDDLE * (letters.size - size);
        let (x, y) = letters.at;
        let at = if letters.turned { (x + down, y - along) } else { (x + along, y + down) };
        along += width(&text, size, letters.bold);
        parts.push(Lettering { text, at, size, side: Side::Begin, ..letters.clone() });
    }
    parts
}

fn draw_text<'a>(letters: &Lettering, root: &Area<'a>) -> Result<(), Fault<'a>> {
    let style = if letters.bold { FontStyle::Bold } else { FontStyle::Normal };
    // the plotting library measures letters by ascent plus descent, and puts their baseline half
    // of it below the upper edge
    let tall = TALL * letters.size;
    let font = FontDesc::new(FontFamily::Name(FONT), tall * SCALE, style);
    let up = MIDDLE * letters.size - tall / 2.0;
    let (x, y) = letters.at;
    let (font, at) = match letters.turned {
        true => (font.transform(FontTransform::Rotate270), (x + up, y)),
        false => (font, (x, y + up)),
    };
    let side = match letters.side {
        Side::Begin => HPos::Left,
        Side::Middle => HPos::Center,
        Side::End => HPos::Right,
    };
    let style = font.color(&letters.colour).pos(Pos::new(side, VPos::Top));
    root.draw_text(&letters.text, &style, pixel(at))
}

/// Averages squares of [`FINER`] × [`FINER`] pixels, so that edges are smooth.
fn averaged(fine: &[u8], columns: usize) -> Vec<u8> {
    let mut pixels = Vec::with_capacity(fine.len() / (FINER * FINER));
    for rows in fine.chunks_exact(3 * columns * FINER) {
        for column in 0..columns / FINER {
            for colour in 0..3 {
                let at = |row: usize, k: usize| {
                    usize::from(rows[3 * (row * columns + column * FINER + k) + colour])
                };
                let all = (0..FINER).flat_map(|row| (0..FINER).map(move |k| at(row, k)));
                pixels.push((all.sum::<usize>() / (FINER * FINER)) as u8);
            }
        }
    }
    pixels
}

/// Pixels (three bytes each, rows from the top) as the bytes of a PNG file of the sheet's size.
fn encode(pixels: &[u8], width: u32, height: u32) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let dense = (PIXELS as f64 * INCH * INCHES).round() as u32;
    let unit = png::Unit::Meter;
    encoder.set_pixel_dims(Some(png::PixelDimensions { xppu: dense, yppu: dense, unit }));
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}
