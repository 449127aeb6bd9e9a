//! GIF: 256 colours per picture, supported everywhere.

use super::palette::Palette;
use super::{Film, FilmError, changed, pixels};
use crate::canvas::Canvas;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Longest delay of one stored picture \[s\]: delays have 16 bits, in 1/100 s.
const LONGEST: u32 = 600;

/// The index of transparent pixels.
const CLEAR: u8 = 255;

/// A GIF being written.
pub struct Gif {
    encoder: gif::Encoder<BufWriter<File>>,
    before: Option<Canvas>,
    /// frames so far
    count: u64,
    rate: u16,
}

impl Gif {
    /// A film of `rate` frames per second, at most 50, played in a loop.
    pub fn create(path: &Path, size: (usize, usize), rate: u16) -> Result<Gif, FilmError> {
        let side = |n: usize| {
            u16::try_from(n).map_err(|_| FilmError::Format(format!("{n} pixels are too many")))
        };
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = gif::Encoder::new(file, side(size.0)?, side(size.1)?, &[])?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Gif { encoder, before: None, count: 0, rate: rate.clamp(1, 50) })
    }

    /// Delay of the next `frames` frames \[1/100 s\], rounded so that errors do not accumulate.
    fn delay(&self, frames: u32) -> u16 {
        let until = |n: u64| (n * 200 + u64::from(self.rate)) / (2 * u64::from(self.rate));
        (until(self.count + u64::from(frames)) - until(self.count)) as u16
    }

    fn write(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError> {
        let area = changed(self.before.as_ref(), picture);
        // unchanged pixels are transparent, which compresses well
        let same: Vec<bool> = match &self.before {
            Some(before) => {
                pixels(before, &area).zip(pixels(picture, &area)).map(|(a, b)| a == b).collect()
            }
            None => vec![false; picture.pixels().len()],
        };
        let changed = || pixels(picture, &area).zip(&same).filter(|(_, same)| !**same);
        let palette = Palette::of(changed().map(|(pixel, _)| pixel));
        let index = |(pixel, same): (u32, &bool)| if *same { CLEAR } else { palette.index(pixel) };
        let indices: Vec<u8> = pixels(picture, &area).zip(&same).map(index).collect();
        let mut colours = palette.colours.clone();
        // the transparent colour is the last of the 256
        colours.resize(3 * 256, 0);
        let (width, height) = (area.width() as u16, area.height() as u16);
        let mut frame =
            gif::Frame::from_palette_pixels(width, height, indices, colours, Some(CLEAR));
        frame.left = area.x0 as u16;
        frame.top = area.y0 as u16;
        frame.delay = self.delay(frames);
        frame.dispose = gif::DisposalMethod::Keep;
        self.encoder.write_frame(&frame)?;
        self.before = Some(picture.clone());
        self.count += u64::from(frames);
        Ok(())
    }
}

impl Film for Gif {
    fn add(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError> {
        let mut left = frames.max(1);
        while left > 0 {
            let part = left.min(LONGEST * u32::from(self.rate));
            self.write(picture, part)?;
            left -= part;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        self.encoder.into_inner()?.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dots;
    use super::*;

    #[test]
    fn delays_add_up() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let mut film: Box<dyn Film> = Box::new(Gif::create(&path, (60, 40), 30).unwrap());
        for k in 0..28 {
            film.add(&dots(k % 4), 1).unwrap();
        }
        film.add(&dots(1), 32).unwrap();
        film.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let mut decoder = gif::DecodeOptions::new().read_info(&bytes[..]).unwrap();
        let (mut total, mut count) = (0, 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            total += u32::from(frame.delay);
            count += 1;
        }
        assert_eq!((total, count), (200, 29));
    }
}
