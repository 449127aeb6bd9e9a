//! Films: sequences of pictures in a `.gif`, an animated `.png` or an `.mp4`. A picture may last
//! for several frames; only its changes are stored if the format allows it.

mod apng;
mod gif;
mod mp4;
mod palette;

pub use self::apng::Apng;
pub use self::gif::Gif;
pub use self::mp4::Mp4;

use super::canvas::{Canvas, Rect};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Reason why a film cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// Writing failed.
    #[error("{0}")]
    Write(#[from] std::io::Error),
    /// The format refused.
    #[error("{0}")]
    Format(String),
    /// The program for `.mp4` is missing.
    #[error("this needs the program ffmpeg, which is not on PATH; .gif and .apng need nothing")]
    NoFfmpeg,
    /// The program for `.mp4` failed, with its message.
    #[error("ffmpeg failed: {0}")]
    Ffmpeg(String),
}

impl From<png::EncodingError> for FilmError {
    fn from(error: png::EncodingError) -> Self {
        match error {
            png::EncodingError::IoError(error) => FilmError::Write(error),
            other => FilmError::Format(other.to_string()),
        }
    }
}

impl From<::gif::EncodingError> for FilmError {
    fn from(error: ::gif::EncodingError) -> Self {
        match error {
            ::gif::EncodingError::Io(error) => FilmError::Write(error),
            other => FilmError::Format(other.to_string()),
        }
    }
}

/// A film being written, from pictures of equal size.
pub trait Film: Send {
    /// Adds the next picture, shown for `frames` frames, at least one.
    fn add(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<(), FilmError>;
}

/// A format of films.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilmFormat {
    /// 256 colours per picture; supported everywhere.
    Gif,
    /// All colours, lossless; supported by browsers.
    Apng,
    /// Small files; made by the program `ffmpeg`.
    Mp4,
}

impl FilmFormat {
    /// The format of a file by its ending, ignoring case.
    pub fn of(path: &Path) -> Option<FilmFormat> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gif" => Some(FilmFormat::Gif),
            "apng" => Some(FilmFormat::Apng),
            "mp4" => Some(FilmFormat::Mp4),
            _ => None,
        }
    }

    /// The largest number of frames per second.
    pub fn fastest(self) -> u16 {
        match self {
            // browsers show a delay below 0.02 s as 0.1 s
            FilmFormat::Gif => 50,
            FilmFormat::Apng | FilmFormat::Mp4 => 120,
        }
    }

    /// Starts a film of pictures of `size` \[pixels\], `rate` frames per second, in the file
    /// `path`, whatever its extension.
    pub fn begin(
        self,
        path: &Path,
        size: (usize, usize),
        rate: u16,
    ) -> Result<Box<dyn Film>, FilmError> {
        Ok(match self {
            FilmFormat::Gif => Box::new(Gif::create(path, size, rate)?),
            FilmFormat::Apng => Box::new(Apng::create(path, size, rate)?),
            FilmFormat::Mp4 => Box::new(Mp4::create(path, size, rate)?),
        })
    }
}

/// A file written under another name, so that it appears whole or not at all. If dropped before
/// [`Unfinished::complete`], it is removed.
#[derive(Debug)]
pub(crate) struct Unfinished {
    path: PathBuf,
    partial: Option<PathBuf>,
}

impl Unfinished {
    /// Creates the empty file `PATH.partial`.
    pub fn create(path: &Path) -> std::io::Result<Unfinished> {
        let mut partial = path.as_os_str().to_owned();
        partial.push(".partial");
        std::fs::File::create(&partial)?;
        Ok(Unfinished { path: path.into(), partial: Some(partial.into()) })
    }

    /// The file to write to.
    pub fn partial(&self) -> &Path {
        self.partial.as_deref().unwrap_or(&self.path)
    }

    /// Renames the file to its final name and returns its size \[bytes\].
    pub fn complete(mut self) -> std::io::Result<u64> {
        std::fs::rename(self.partial(), &self.path)?;
        self.partial = None;
        Ok(std::fs::metadata(&self.path)?.len())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(partial) = &self.partial {
            // useless now; failure to remove it is not reported
            let _ = std::fs::remove_file(partial);
        }
    }
}

/// Whether an `.mp4` can be written here, by the program ffmpeg.
pub fn has_ffmpeg() -> bool {
    mp4::codec().is_ok()
}

/// Writes one picture as PNG.
pub fn write_png(picture: &Canvas, to: impl Write) -> Result<(), FilmError> {
    let size = (picture.width(), picture.height());
    write_pixels(&picture.rgb(), size, png::ColorType::Rgb, to)
}

/// Writes pixels as PNG: rows from the top, three bytes per pixel, or four with the opacity.
pub(crate) fn write_pixels(
    pixels: &[u8],
    (width, height): (usize, usize),
    colour: png::ColorType,
    to: impl Write,
) -> Result<(), FilmError> {
    let mut encoder = png::Encoder::new(to, width as u32, height as u32);
    encoder.set_color(colour);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// The smallest rectangle that contains all changes; never empty.
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
pub(super) mod tests {
    use super::*;

    /// A picture of 60 × 40 pixels with some dots.
    pub fn dots(count: i32) -> Canvas {
        let mut canvas = Canvas::new(60, 40);
        canvas.gradient(0xffffff, 0xd0d0ff);
        for k in 0..count {
            canvas.disc((f64::from(10 + 12 * k), 20.0), 4.0, 0xff0000, 255);
        }
        canvas
    }

    #[test]
    fn formats_go_by_the_ending() {
        for (name, format) in [
            ("a.gif", Some(FilmFormat::Gif)),
            ("a.b.APNG", Some(FilmFormat::Apng)),
            ("a.mp4", Some(FilmFormat::Mp4)),
            ("a.avi", None),
            ("gif", None),
        ] {
            assert_eq!(FilmFormat::of(Path::new(name)), format, "{name}");
        }
    }

    #[test]
    fn an_unfinished_file_is_removed_and_a_complete_one_has_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let files = || std::fs::read_dir(folder.path()).unwrap().count();
        drop(Unfinished::create(&path).unwrap());
        assert_eq!(files(), 0);
        let unfinished = Unfinished::create(&path).unwrap();
        std::fs::write(unfinished.partial(), b"whole").unwrap();
        assert!(!path.exists());
        assert_eq!(unfinished.complete().unwrap(), 5);
        assert!(path.exists() && files() == 1);
    }
}
