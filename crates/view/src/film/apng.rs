//! Animated PNG: all colours, lossless.

use super::{Film, FilmError, changed, pixels};
use crate::canvas::Canvas;
use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Placeholder for the number of pictures until it is known.
const UNKNOWN: u32 = i32::MAX as u32;

/// Offset of the chunk with the number of pictures: after the signature and IHDR, which has 13
/// bytes of data and 12 of frame.
const ACTL: u64 = 8 + 13 + 12;

/// An animated PNG being written.
pub struct Apng {
    writer: png::Writer<BufWriter<File>>,
    path: PathBuf,
    before: Option<Canvas>,
    pictures: u32,
    rate: u16,
}

impl Apng {
    /// A film of `rate` frames per second, played in a loop.
    pub fn create(path: &Path, size: (usize, usize), rate: u16) -> Result<Apng, FilmError> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, size.0 as u32, size.1 as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_animated(UNKNOWN, 0)?;
        encoder.set_blend_op(png::BlendOp::Source)?;
        let writer = encoder.write_header()?;
        Ok(Apng { writer, path: path.into(), before: None, pictures: 0, rate: rate.max(1) })
    }

    fn write(&mut self, picture: &Canvas, frames: u16) -> Result<(), FilmError> {
        let area = changed(self.before.as_ref(), picture);
        if self.before.is_some() {
            // at (0, 0) every size fits
            self.writer.set_frame_position(0, 0)?;
            self.writer.set_frame_dimension(area.width() as u32, area.height() as u32)?;
            self.writer.set_frame_position(area.x0 as u32, area.y0 as u32)?;
        }
        self.writer.set_frame_delay(frames, self.rate)?;
        let bytes: Vec<u8> = pixels(picture, &area)
            .flat_map(|p| [(p >> 16) as u8, (p >> 8) as u8, p as u8])
            .collect();
        self.writer.write_image_data(&bytes)?;
        self.before = Some(picture.clone());
        self.pictures += 1;
        Ok(())
    }
}

impl Film for Apng {
    fn add(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError> {
        let mut left = frames.max(1);
        while left > 0 {
            let part = left.min(u32::from(u16::MAX));
            self.write(picture, part as u16)?;
            left -= part;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        let Apng { writer, path, pictures, .. } = *self;
        writer.finish()?;
        Ok(write_count(&path, pictures)?)
    }
}

/// Writes the number of pictures into the file, now that it is known.
fn write_count(path: &Path, pictures: u32) -> std::io::Result<()> {
    let mut chunk = *b"acTL\0\0\0\0\0\0\0\0";
    chunk[4..8].copy_from_slice(&pictures.to_be_bytes());
    let mut file = OpenOptions::new().write(true).open(path)?;
    file.seek(SeekFrom::Start(ACTL + 4))?;
    file.write_all(&chunk)?;
    file.write_all(&checksum(&chunk).to_be_bytes())?;
    file.flush()
}

/// The checksum of a chunk of PNG: CRC-32 with the polynomial of ISO 3309.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::dots;
    use super::*;

    #[test]
    fn an_apng_knows_its_number_of_pictures_and_stores_what_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.apng");
        let mut film: Box<dyn Film> = Box::new(Apng::create(&path, (60, 40), 25).unwrap());
        film.add(&dots(1), 1).unwrap();
        film.add(&dots(2), 4).unwrap();
        film.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 2);
        let mut first = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut first).unwrap();
        assert_eq!(first, dots(1).rgb());
        let mut part = vec![0; first.len()];
        let second = reader.next_frame(&mut part).unwrap();
        assert!(second.width < 15 && second.height < 15, "only what changed: {second:?}");
        let shown = reader.info().frame_control().unwrap();
        assert_eq!((shown.delay_num, shown.delay_den), (4, 25));
    }

    #[test]
    fn the_checksum_is_that_of_png() {
        // the empty chunk at the end of every PNG
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
    }
}
