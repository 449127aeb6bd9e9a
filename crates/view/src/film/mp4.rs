//! MP4, by the program `ffmpeg`, which receives the pictures through a pipe.

use super::{Film, FilmError};
use crate::canvas::Canvas;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

/// Codecs from best to oldest, with options for sharp lines and letters.
const CODECS: [(&str, &[&str]); 2] =
    [("libx264", &["-crf", "18", "-preset", "medium"]), ("mpeg4", &["-q:v", "2"])];

/// Stored length of ffmpeg's messages \[bytes\].
const SAID: usize = 4000;

/// An MP4 being written. If dropped before it is finished, it stops ffmpeg.
pub struct Mp4 {
    ffmpeg: Child,
    pictures: Option<ChildStdin>,
    /// reads ffmpeg's messages, so that it never waits for a reader
    said: Option<JoinHandle<String>>,
    size: (usize, usize),
}

impl Mp4 {
    /// A film of `rate` frames per second. The format requires even sides: the last row or column
    /// of an odd one is cut off.
    pub fn create(path: &Path, size: (usize, usize), rate: u16) -> Result<Mp4, FilmError> {
        let size = (size.0 & !1, size.1 & !1);
        let (codec, quality) = codec()?;
        // a plain path might be taken for a protocol or an option
        let mut to = std::ffi::OsString::from("file:");
        to.push(path);
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo"]);
        command.args(["-pix_fmt", "rgb24", "-s", &format!("{}x{}", size.0, size.1)]);
        command.args(["-r", &rate.max(1).to_string(), "-i", "pipe:0", "-an"]);
        // without these, players assume different colour encodings
        command.args(["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p"]);
        command.args(["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]);
        command.args(["-c:v", codec]).args(quality);
        command.args(["-movflags", "+faststart", "-f", "mp4"]).arg(to);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut ffmpeg = detached(&mut command).spawn().map_err(not_started)?;
        let said = ffmpeg.stderr.take().map(|pipe| std::thread::spawn(move || listen(pipe)));
        Ok(Mp4 { pictures: ffmpeg.stdin.take(), ffmpeg, said, size })
    }

    /// Waits for ffmpeg's end; an error with its messages on failure.
    fn wait(&mut self) -> Result<(), FilmError> {
        drop(self.pictures.take());
        let status = self.ffmpeg.wait()?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if status.success() {
            return Ok(());
        }
        let said = said.trim();
        Err(FilmError::Ffmpeg(if said.is_empty() { status.to_string() } else { said.into() }))
    }
}

impl Film for Mp4 {
    fn add(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError> {
        let bytes = rgb(picture, self.size);
        for _ in 0..frames.max(1) {
            let Some(pictures) = &mut self.pictures else { return self.wait() };
            match pictures.write_all(&bytes) {
                Ok(()) => {}
                // ffmpeg has ended by itself, with a message
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    self.wait()?;
                    return Err(FilmError::Ffmpeg("it stopped reading".into()));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), FilmError> {
        self.wait()
    }
}

impl Drop for Mp4 {
    fn drop(&mut self) {
        drop(self.pictures.take());
        if self.said.is_some() {
            // both fail only if ffmpeg has already ended
            let _ = self.ffmpeg.kill();
            let _ = self.ffmpeg.wait();
        }
    }
}

/// The best codec of this ffmpeg.
pub(super) fn codec() -> Result<(&'static str, &'static [&'static str]), FilmError> {
    let mut command = Command::new("ffmpeg");
    let listed = command.args(["-hide_banner", "-loglevel", "error", "-encoders"]);
    let output = listed.stdin(Stdio::null()).output().map_err(not_started)?;
    let text = String::from_utf8_lossy(&output.stdout);
    // " V....D libx264   libx264 H.264 / AVC ..."
    let has = |name: &str| text.lines().any(|line| line.split_whitespace().nth(1) == Some(name));
    let found = CODECS.into_iter().find(|(name, _)| has(name));
    found.ok_or_else(|| {
        let names = CODECS.map(|(name, _)| name).join(" nor ");
        FilmError::Ffmpeg(format!("it has neither {names}; .gif and .apng need nothing"))
    })
}

/// Detaches ffmpeg from signals of the keyboard; it ends at the end of its input.
#[cfg(unix)]
fn detached(command: &mut Command) -> &mut Command {
    std::os::unix::process::CommandExt::process_group(command, 0)
}

#[cfg(not(unix))]
fn detached(command: &mut Command) -> &mut Command {
    command
}

fn not_started(error: std::io::Error) -> FilmError {
    match error.kind() {
        ErrorKind::NotFound => FilmError::NoFfmpeg,
        _ => FilmError::Ffmpeg(error.to_string()),
    }
}

/// Reads all messages and keeps the first ones, which contain the cause.
fn listen(mut pipe: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let room = SAID.saturating_sub(kept.len());
        kept.extend_from_slice(&buffer[..count.min(room)]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// Red, green and blue of the part that fits `size`.
fn rgb(picture: &Canvas, size: (usize, usize)) -> Vec<u8> {
    let rows = picture.pixels().chunks_exact(picture.width().max(1));
    rows.take(size.1)
        .flat_map(|row| row.iter().take(size.0))
        .flat_map(|p| [(p >> 16) as u8, (p >> 8) as u8, *p as u8])
        .collect()
}
