//! Films: pictures one after the other into a `.gif` or an animated `.png`. Only what changed from
//! one picture to the next is stored.

use super::canvas::{Canvas, Rect};
use std::io::Write;

/// A film could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// Writing failed.
    #[error("{0}")]
    Write(#[from] std::io::Error),
    /// The format refused.
    #[error("{0}")]
    Format(String),
}

impl From<png::EncodingError> for FilmError {
    fn from(error: png::EncodingError) -> Self {
        match error {
            png::EncodingError::IoError(error) => FilmError::Write(error),
            other => FilmError::Format(other.to_string()),
        }
    }
}

impl From<gif::EncodingError> for FilmError {
    fn from(error: gif::EncodingError) -> Self {
        match error {
            gif::EncodingError::Io(error) => FilmError::Write(error),
            other => FilmError::Format(other.to_string()),
        }
    }
}

/// Something that takes pictures of one size, one after the other.
pub trait Film {
    /// Takes the next picture.
    fn add(&mut self, picture: &Canvas) -> Result<(), FilmError>;

    /// Completes the file; a film that ends early shows its last picture for the rest.
    fn finish(self: Box<Self>) -> Result<(), FilmError>;
}

/// Writes one picture as PNG.
pub fn write_png(picture: &Canvas, to: impl Write) -> Result<(), FilmError> {
    let mut encoder = png::Encoder::new(to, picture.width() as u32, picture.height() as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb())?;
    Ok(writer.finish()?)
}

/// Animated PNG: all colours, larger files.
pub struct Apng<W: Write> {
    writer: png::Writer<W>,
    before: Option<Canvas>,
    left: u32,
}

impl<W: Write> Apng<W> {
    /// A film of `pictures` pictures, `rate` a second, played over and over.
    pub fn new(
        to: W,
        size: (usize, usize),
        pictures: u32,
        rate: u16,
    ) -> Result<Apng<W>, FilmError> {
        let mut encoder = png::Encoder::new(to, size.0 as u32, size.1 as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_animated(pictures.max(1), 0)?;
        encoder.set_frame_delay(1, rate.max(1))?;
        encoder.set_blend_op(png::BlendOp::Source)?;
        Ok(Apng { writer: encoder.write_header()?, before: None, left: pictures.max(1) })
    }
}

impl<W: Write> Film for Apng<W> {
    fn add(&mut self, picture: &Canvas) -> Result<(), FilmError> {
        let area = changed(self.before.as_ref(), picture);
        if self.before.is_some() {
            // at (0, 0) every size fits
            self.writer.set_frame_position(0, 0)?;
            self.writer.set_frame_dimension(area.width() as u32, area.height() as u32)?;
            self.writer.set_frame_position(area.x0 as u32, area.y0 as u32)?;
        }
        let bytes: Vec<u8> = pixels(picture, &area)
            .flat_map(|p| [(p >> 16) as u8, (p >> 8) as u8, p as u8])
            .collect();
        self.writer.write_image_data(&bytes)?;
        self.before = Some(picture.clone());
        self.left = self.left.saturating_sub(1);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), FilmError> {
        // the number of pictures stands at the front of the file
        if let Some(last) = self.before.clone() {
            while self.left > 0 {
                self.add(&last)?;
            }
        }
        Ok(self.writer.finish()?)
    }
}

/// GIF: 256 colours a picture, plays everywhere.
pub struct Gif<W: Write> {
    encoder: gif::Encoder<W>,
    before: Option<Canvas>,
    count: u64,
    rate: u16,
}

impl<W: Write> Gif<W> {
    /// A film of `rate` pictures a second, at most 50, played over and over.
    pub fn new(to: W, size: (usize, usize), rate: u16) -> Result<Gif<W>, FilmError> {
        let side = |n: usize| {
            u16::try_from(n).map_err(|_| FilmError::Format(format!("{n} pixels are too many")))
        };
        let mut encoder = gif::Encoder::new(to, side(size.0)?, side(size.1)?, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Gif { encoder, before: None, count: 0, rate: rate.clamp(1, 50) })
    }

    /// Hundredths of a second of the next picture, so that rounding does not add up.
    fn delay(&self) -> u16 {
        let until = |n: u64| (n * 200 + u64::from(self.rate)) / (2 * u64::from(self.rate));
        (until(self.count + 1) - until(self.count)) as u16
    }
}

impl<W: Write> Film for Gif<W> {
    fn add(&mut self, picture: &Canvas) -> Result<(), FilmError> {
        let area = changed(self.before.as_ref(), picture);
        let mut bytes: Vec<u8> = pixels(picture, &area)
            .flat_map(|p| [(p >> 16) as u8, (p >> 8) as u8, p as u8, 255])
            .collect();
        // unchanged pixels are transparent, which compresses well
        if let Some(before) = &self.before {
            let same = pixels(before, &area).zip(pixels(picture, &area)).map(|(a, b)| a == b);
            for (_, rgba) in same.zip(bytes.chunks_exact_mut(4)).filter(|(same, _)| *same) {
                rgba.fill(0);
            }
        }
        let (width, height) = (area.width() as u16, area.height() as u16);
        let mut frame = gif::Frame::from_rgba_speed(width, height, &mut bytes, 12);
        frame.left = area.x0 as u16;
        frame.top = area.y0 as u16;
        frame.delay = self.delay();
        frame.dispose = gif::DisposalMethod::Keep;
        self.encoder.write_frame(&frame)?;
        self.before = Some(picture.clone());
        self.count += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        self.encoder.into_inner()?.flush()?;
        Ok(())
    }
}

/// The smallest rectangle outside of which nothing changed; never empty.
fn changed(before: Option<&Canvas>, picture: &Canvas) -> Rect {
    let whole = picture.bounds();
    let Some(before) = before.filter(|b| b.bounds() == whole) else { return whole };
    let mut area = Rect { x0: whole.x1, y0: whole.y1, x1: 0, y1: 0 };
    let rows = before.pixels().chunks_exact(picture.width().max(1));
    for (y, (a, b)) in rows.zip(picture.pixels().chunks_exact(picture.width().max(1))).enumerate() {
        if let Some(first) = a.iter().zip(b).position(|(a, b)| a != b) {
            let last = a.iter().zip(b).rposition(|(a, b)| a != b).unwrap_or(first);
            area.x0 = area.x0.min(first as i32);
            area.x1 = area.x1.max(last as i32 + 1);
            area.y0 = area.y0.min(y as i32);
            area.y1 = y as i32 + 1;
        }
    }
    if area.is_empty() { Rect { x0: 0, y0: 0, x1: 1, y1: 1 } } else { area }
}

fn pixels<'a>(picture: &'a Canvas, area: &Rect) -> impl Iterator<Item = u32> + 'a {
    let Rect { x0, x1, .. } = *area;
    let rows = picture.pixels().chunks_exact(picture.width().max(1));
    rows.skip(area.y0 as usize)
        .take(area.height() as usize)
        .flat_map(move |row| row[x0 as usize..x1 as usize].iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dots(count: i32) -> Canvas {
        let mut canvas = Canvas::new(60, 40);
        canvas.gradient(0xffffff, 0xd0d0ff);
        for k in 0..count {
            canvas.disc((f64::from(10 + 12 * k), 20.0), 4.0, 0xff0000, 255);
        }
        canvas
    }

    #[test]
    fn an_apng_that_ends_early_is_whole_and_shows_what_was_added() {
        let mut bytes = Vec::new();
        let mut film: Box<dyn Film> = Box::new(Apng::new(&mut bytes, (60, 40), 5, 25).unwrap());
        film.add(&dots(1)).unwrap();
        film.add(&dots(2)).unwrap();
        film.finish().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 5);
        let mut first = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut first).unwrap();
        assert_eq!(first, dots(1).rgb());
        let mut part = vec![0; first.len()];
        let second = reader.next_frame(&mut part).unwrap();
        assert!(second.width < 15 && second.height < 15, "only what changed: {second:?}");
        for _ in 2..5 {
            reader.next_frame(&mut part).unwrap();
        }
    }

    #[test]
    fn gif_delays_add_up() {
        let mut bytes = Vec::new();
        let mut film: Box<dyn Film> = Box::new(Gif::new(&mut bytes, (60, 40), 30).unwrap());
        for k in 0..30 {
            film.add(&dots(k % 4)).unwrap();
        }
        film.finish().unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let (mut total, mut count) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            total += u32::from(frame.delay);
            count += 1;
        }
        assert_eq!((total, count), (100, 30));
    }
}
