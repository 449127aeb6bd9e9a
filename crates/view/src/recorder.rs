//! Records the window: pictures are taken when the next frame of the film is due, encoded on a
//! separate thread, and written under their name when the film is complete.

use super::canvas::Canvas;
use super::film::{Film, FilmError, FilmFormat, Unfinished};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Largest number of pictures waiting for the encoder, and their memory \[bytes\].
const QUEUE: (usize, usize) = (24, 256 << 20);

/// A picture, and the index of its first frame.
type Exposure = (Canvas, u64);

/// A film being recorded. It is also completed if dropped.
pub struct Recorder {
    path: PathBuf,
    size: (usize, usize),
    rate: u16,
    /// time of the first picture
    began: Option<Duration>,
    /// the next frame that needs a picture
    next: u64,
    queue: Option<SyncSender<Exposure>>,
    encoder: Option<JoinHandle<Result<u64, FilmError>>>,
}

impl Recorder {
    /// Starts a film of `size` \[pixels\] and `rate` frames per second; the ending of `path`
    /// determines the format. Fails as [`FilmFormat::begin`] does, and for an unsupported ending,
    /// rate or size.
    pub fn start(path: &Path, size: (usize, usize), rate: u16) -> Result<Recorder, FilmError> {
        let fault = |message: String| Err(FilmError::Format(message));
        let Some(format) = FilmFormat::of(path) else {
            return fault(format!("`{}` does not end in .gif, .apng or .mp4", path.display()));
        };
        if !(1..=format.fastest()).contains(&rate) {
            let fastest = format.fastest();
            return fault(format!("{rate} frames a second; 1 to {fastest} are possible here"));
        }
        let (width, height) = size;
        if ![width, height].iter().all(|side| (16..=8192).contains(side)) {
            return fault(format!("{width} x {height} pixels; sides of 16 to 8192 are possible"));
        }
        let unfinished = Unfinished::create(path)?;
        let film = format.begin(unfinished.partial(), size, rate)?;
        Ok(Recorder::with(film, unfinished, path, size, rate))
    }

    fn with(
        film: Box<dyn Film>,
        unfinished: Unfinished,
        path: &Path,
        size: (usize, usize),
        rate: u16,
    ) -> Recorder {
        let (most, memory) = QUEUE;
        let waiting = (memory / (4 * size.0 * size.1).max(1)).clamp(2, most);
        let (queue, pictures) = sync_channel(waiting);
        let encoder = std::thread::spawn(move || encode(film, unfinished, &pictures));
        Recorder {
            path: path.into(),
            size,
            rate,
            began: None,
            next: 0,
            queue: Some(queue),
            encoder: Some(encoder),
        }
    }

    /// Adds a picture drawn at time `at`. It is taken if the next frame of the film is due and the
    /// encoder has kept up; otherwise the previous picture is shown for longer. Takes only the time
    /// of copying the picture.
    pub fn add(&mut self, picture: &Canvas, at: Duration) {
        let began = *self.began.get_or_insert(at);
        let passed = at.saturating_sub(began).as_secs_f64();
        // with pictures at the film's rate every frame is on time
        let frame = (passed * f64::from(self.rate) + 1e-3) as u64;
        let Some(queue) = self.queue.as_ref().filter(|_| frame >= self.next) else { return };
        match queue.try_send((fitted(picture, self.size), frame)) {
            Ok(()) => self.next = frame + 1,
            // the film gets no shorter: the previous picture is shown for longer
            Err(TrySendError::Full(_)) => {}
            // the encoder has failed; the reason is reported at the end
            Err(TrySendError::Disconnected(_)) => self.queue = None,
        }
    }

    /// Whether pictures are still accepted; not after the encoder has failed.
    pub fn is_running(&self) -> bool {
        self.queue.is_some()
    }

    /// Length of the film so far.
    pub fn length(&self) -> Duration {
        Duration::from_secs_f64(self.next as f64 / f64::from(self.rate))
    }

    /// Waits for the encoder; returns the file and the number of pictures in it.
    pub fn finish(mut self) -> Result<(PathBuf, u64), FilmError> {
        let pictures = self.close()?;
        Ok((self.path.clone(), pictures))
    }

    fn close(&mut self) -> Result<u64, FilmError> {
        self.queue = None;
        match self.encoder.take().map(JoinHandle::join) {
            None => Ok(0),
            Some(Ok(done)) => done,
            Some(Err(_)) => Err(FilmError::Format("the encoder broke down".into())),
        }
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // for the result, call `finish`
        let _ = self.close();
    }
}

/// Adds pictures to the film until the channel is closed. Each is held back until the next
/// determines its duration; the last is shown for one frame.
fn encode(
    mut film: Box<dyn Film>,
    unfinished: Unfinished,
    pictures: &Receiver<Exposure>,
) -> Result<u64, FilmError> {
    let mut count = 0;
    let mut held: Option<Exposure> = None;
    for (picture, frame) in pictures {
        if let Some((before, since)) = held.replace((picture, frame)) {
            film.add(&before, (frame - since).min(u64::from(u32::MAX)) as u32)?;
            count += 1;
        }
    }
    let Some((last, _)) = held else {
        return Err(FilmError::Format("nothing was recorded".into()));
    };
    film.add(&last, 1)?;
    film.finish()?;
    unfinished.complete()?;
    Ok(count + 1)
}

/// The picture centred in one of another size: cropped if it is larger, surrounded by the colour of
/// its corner if it is smaller.
fn fitted(picture: &Canvas, (width, height): (usize, usize)) -> Canvas {
    if (picture.width(), picture.height()) == (width, height) {
        return picture.clone();
    }
    let mut canvas = Canvas::new(width, height);
    let rim = picture.pixels().first().copied().unwrap_or(0);
    canvas.rectangle(canvas.bounds(), rim, 255);
    let offset = |outer: usize, inner: usize| (outer as i32 - inner as i32) / 2;
    let (left, top) = (offset(width, picture.width()), offset(height, picture.height()));
    let rows = picture.pixels().chunks_exact(picture.width().max(1));
    for (y, row) in rows.enumerate() {
        for (x, colour) in row.iter().enumerate() {
            canvas.blend(left + x as i32, top + y as i32, *colour, 255);
        }
    }
    canvas
}

/// `STEM-N.ENDING` with the first number N of which no complete or partial file exists.
pub(crate) fn next_free_name(stem: &Path, ending: &str) -> PathBuf {
    let named = |number: u64, more: &str| {
        let mut name = stem.as_os_str().to_owned();
        name.push(format!("-{number}.{ending}{more}"));
        PathBuf::from(name)
    };
    // a dangling link also counts
    let taken = |path: PathBuf| std::fs::symlink_metadata(path).is_ok();
    let free = (1..).find(|n| !taken(named(*n, "")) && !taken(named(*n, ".partial")));
    named(free.unwrap_or(1), "")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Sender, channel};
    use std::time::Instant;

    const SIZE: (usize, usize) = (60, 40);

    /// An encoder that waits for a signal before each picture, and reports its pictures.
    struct Slow {
        go: Receiver<()>,
        given: Sender<(Canvas, u32)>,
    }

    impl Film for Slow {
        fn add(&mut self, picture: &Canvas, frames: u32) -> Result<(), FilmError> {
            // the sender is gone: continue
            let _ = self.go.recv();
            self.given.send((picture.clone(), frames)).map_err(|e| FilmError::Format(e.to_string()))
        }

        fn finish(self: Box<Self>) -> Result<(), FilmError> {
            Ok(())
        }
    }

    fn picture(shade: u32) -> Canvas {
        let mut canvas = Canvas::new(SIZE.0, SIZE.1);
        canvas.rectangle(canvas.bounds(), shade, 255);
        canvas
    }

    #[test]
    fn a_slow_encoder_costs_pictures_but_no_time_and_nobody_waits() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let (speak, go) = channel();
        let (given, pictures) = channel();
        let unfinished = Unfinished::create(&path).unwrap();
        let film = Box::new(Slow { go, given });
        let mut recorder = Recorder::with(film, unfinished, &path, SIZE, 25);
        for k in 0..200u32 {
            // a window at 50 frames per second; the encoder has received no signal, so a window
            // waiting for it would wait for ever
            recorder.add(&picture(k), Duration::from_millis(700 + 20 * u64::from(k)));
        }
        drop(speak);
        let length = recorder.length();
        let (written, count) = recorder.finish().unwrap();
        assert!(written == path && path.exists());
        let pictures: Vec<(Canvas, u32)> = pictures.iter().collect();
        assert_eq!(count, pictures.len() as u64);
        // the queue, one at the encoder, one held back
        assert!((24..=27).contains(&count), "{count}");
        let frames: u32 = pictures.iter().map(|(_, frames)| frames).sum();
        assert_eq!(Duration::from_millis(40) * frames, length);
        let mut start = 0;
        for (picture, frames) in &pictures {
            // each is shown from the frame on in which it was drawn, the first or the second of two
            assert_eq!(picture.pixels()[0] / 2, start);
            start += frames;
        }
    }

    #[test]
    fn what_was_left_out_is_shown_as_the_picture_before() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let (speak, go) = channel();
        let (given, pictures) = channel();
        let film = Box::new(Slow { go, given });
        let mut recorder =
            Recorder::with(film, Unfinished::create(&path).unwrap(), &path, SIZE, 10);
        drop(speak);
        for (shade, at) in [(1, 0), (2, 50), (3, 100), (4, 700), (5, 740), (6, 800)] {
            recorder.add(&picture(shade), Duration::from_millis(at));
        }
        drop(recorder);
        let shown: Vec<(u32, u32)> = pictures.iter().map(|(p, n)| (p.pixels()[0], n)).collect();
        assert_eq!(shown, [(1, 1), (3, 6), (4, 1), (6, 1)]);
        assert!(path.exists(), "dropped is completed too");
    }

    #[test]
    fn an_encoder_that_fails_is_heard_of_at_the_end_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        let (_, go) = channel();
        let (given, _) = channel();
        let film = Box::new(Slow { go, given });
        let mut recorder =
            Recorder::with(film, Unfinished::create(&path).unwrap(), &path, SIZE, 10);
        let began = Instant::now();
        let mut frame = 0;
        while recorder.is_running() && began.elapsed() < Duration::from_secs(20) {
            recorder.add(&picture(1), Duration::from_millis(100 * frame));
            frame += 1;
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(!recorder.is_running());
        assert!(recorder.finish().is_err());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn another_size_is_centred() {
        let mut small = Canvas::new(20, 60);
        small.rectangle(small.bounds(), 0x123456, 255);
        small.rectangle(crate::canvas::Rect { x0: 9, y0: 29, x1: 11, y1: 31 }, 0xff, 255);
        let fitted = fitted(&small, SIZE);
        assert_eq!((fitted.width(), fitted.height()), SIZE);
        let at = |x: usize, y: usize| fitted.pixels()[y * 60 + x];
        assert_eq!(
            [at(29, 19), at(30, 20), at(0, 0), at(59, 39)],
            [0xff, 0xff, 0x123456, 0x123456]
        );
    }

    #[test]
    fn names_are_free() {
        let folder = tempfile::tempdir().unwrap();
        let stem = folder.path().join("tipping_box");
        let name = |ending: &str| {
            next_free_name(&stem, ending).file_name().unwrap().to_string_lossy().into_owned()
        };
        assert_eq!(name("png"), "tipping_box-1.png");
        std::fs::write(folder.path().join("tipping_box-1.png"), "").unwrap();
        std::fs::write(folder.path().join("tipping_box-2.png.partial"), "").unwrap();
        assert_eq!([name("png"), name("gif")], ["tipping_box-3.png", "tipping_box-1.gif"]);
    }
}
