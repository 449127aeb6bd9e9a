//! Pictures without a display: a still at a time, or a film of a stretch of time.

use super::film::{Film, FilmError, FilmFormat, Unfinished, write_png};
use super::play::session::Session;
use super::stage::Stage;
use super::viewpoint;
use crate::scene::description::View;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Told how far something is, from 0 to 1; may ask to stop.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

/// Figures for the plots over the whole of a film, at least.
const SAMPLES: f64 = 400.0;

/// Settings of a rendering.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Width \[pixels\], 16 to 8192.
    pub width: usize,
    /// Height \[pixels\], 16 to 8192.
    pub height: usize,
    /// Pixels per pixel of the design, 0.5 to 8: at 2 letters and lines are twice as large.
    pub scale: f64,
    /// First picture of a film \[s\].
    pub from: f64,
    /// Last picture of a film, or the still \[s\].
    pub to: f64,
    /// Pictures per second of a film, 1 to what its format can show.
    pub rate: u16,
    /// Camera, what is drawn, and seconds of the scene per second of the film.
    pub view: View,
}

impl Default for Shot {
    fn default() -> Self {
        Shot {
            width: 1280,
            height: 720,
            scale: 1.0,
            from: 0.0,
            to: 0.0,
            rate: 25,
            view: View::default(),
        }
    }
}

/// Reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A setting makes no sense.
    #[error("{message}")]
    Setting {
        /// The fault, with numbers.
        message: String,
    },
    /// The file could not be written (exit 5).
    #[error("cannot write `{path}`: {cause}")]
    Write {
        /// The file.
        path: String,
        /// The reason.
        cause: FilmError,
    },
    /// The progress closure asked to stop; nothing was left behind.
    #[error("stopped at t = {time} s")]
    Stopped {
        /// When \[s\].
        time: f64,
    },
}

/// Result of a rendering.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// Pictures drawn.
    pub pictures: u64,
    /// Length of the film \[s\]; 0 of a still.
    pub seconds: f64,
    /// Size of the file \[bytes\].
    pub bytes: u64,
    /// Why runs ended early, of those that did; the last picture shows the last good state and says so.
    pub failures: Vec<String>,
}

impl Shot {
    fn check(&self) -> Result<(), PictureError> {
        let fault = |message: String| Err(PictureError::Setting { message });
        for (name, pixels) in [("width", self.width), ("height", self.height)] {
            if !(16..=8192).contains(&pixels) {
                return fault(format!("the {name} is {pixels} pixels; 16 to 8192 are possible"));
            }
        }
        if !(0.5..=8.0).contains(&self.scale) {
            return fault(format!("the scale is {}; 0.5 to 8 are possible", self.scale));
        }
        let speed = self.view.speed;
        if !(speed.is_finite() && speed > 0.0) {
            return fault(format!("the speed is {speed}; it must be greater than zero"));
        }
        if !(self.from >= 0.0 && self.to >= self.from && self.to.is_finite()) {
            let (from, to) = (self.from, self.to);
            return fault(format!(
                "the time range is {from} to {to} s; it must run forwards from 0"
            ));
        }
        Ok(())
    }

    /// Pictures of a film in the given format.
    fn pictures(&self, format: FilmFormat) -> Result<u32, PictureError> {
        let fastest = format.fastest();
        if !(1..=fastest).contains(&self.rate) {
            let rate = self.rate;
            let message =
                format!("the rate is {rate} pictures a second; 1 to {fastest} are possible here");
            return Err(PictureError::Setting { message });
        }
        let seconds = (self.to - self.from) / self.view.speed;
        let count = (seconds * f64::from(self.rate) + 1e-9).floor();
        if count >= 100_000.0 {
            let message = format!("the film would have {count:.0} pictures; 100000 are possible");
            return Err(PictureError::Setting { message });
        }
        Ok(count as u32 + 1)
    }

    fn stage(&self, session: &Session) -> Option<Stage> {
        let displays = session.pictures();
        let first = &displays.first()?.snapshot;
        let mut stage = Stage::new(self.width, self.height, self.scale);
        viewpoint::apply(&self.view, &mut stage, first);
        Some(stage)
    }

    /// Progress at a time \[s\], from 0 to 1.
    fn share(&self, time: f64) -> f64 {
        if self.to > 0.0 { time / self.to } else { 1.0 }
    }
}

/// Goes on to a picture's time and draws it.
fn expose(
    session: &mut Session,
    stage: &mut Stage,
    shot: &Shot,
    time: f64,
    progress: Progress,
) -> Result<(), PictureError> {
    let mut heard = |time: f64| progress(shot.share(time));
    if session.film_to(time, shot.to / SAMPLES, &mut heard).is_break() {
        return Err(PictureError::Stopped { time: session.time() });
    }
    stage.draw(&session.pictures());
    Ok(())
}

fn nothing() -> PictureError {
    PictureError::Setting { message: "there is no run to draw".into() }
}

/// Runs to `shot.to` and draws the state there.
pub fn still(
    session: &mut Session,
    shot: &Shot,
    progress: Progress,
) -> Result<Stage, PictureError> {
    shot.check()?;
    let mut stage = shot.stage(session).ok_or_else(nothing)?;
    expose(session, &mut stage, shot, shot.to, progress)?;
    Ok(stage)
}

/// Runs through `shot.from..=shot.to` and adds `pictures` pictures to a film, fewer where the run
/// fails: the last one then stays for a second. Gives how many were drawn and for how many frames.
fn animate(
    session: &mut Session,
    shot: &Shot,
    pictures: u32,
    film: &mut dyn Film,
    progress: Progress,
) -> Result<(u32, u32), FilmingError> {
    let mut stage = shot.stage(session).ok_or_else(nothing)?;
    for k in 0..pictures {
        let time = shot.from + f64::from(k) * shot.view.speed / f64::from(shot.rate);
        expose(session, &mut stage, shot, time, progress)?;
        if session.failure().is_some() {
            let stays = u32::from(shot.rate).min(pictures - k);
            film.add(&stage.canvas, stays)?;
            return Ok((k + 1, k + stays));
        }
        film.add(&stage.canvas, 1)?;
    }
    Ok((pictures, pictures))
}

/// Failure of a film: of its pictures, or of its file.
#[derive(Debug, thiserror::Error)]
enum FilmingError {
    #[error(transparent)]
    Picture(#[from] PictureError),
    #[error(transparent)]
    Film(#[from] FilmError),
}

impl From<std::io::Error> for FilmingError {
    fn from(error: std::io::Error) -> Self {
        FilmingError::Film(error.into())
    }
}

/// Renders into a file by its ending: `.png` a still at `shot.to`; `.gif`, `.apng` and `.mp4` a film.
/// The file appears when it is complete.
pub fn render(
    session: &mut Session,
    shot: &Shot,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, PictureError> {
    shot.check()?;
    let is_still = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
    let rendered = match (is_still, FilmFormat::of(path)) {
        (true, _) => render_still(session, shot, path, progress),
        (false, Some(format)) => render_film(session, shot, format, path, progress),
        (false, None) => {
            let path = path.display();
            let message = format!("`{path}` does not end in .png, .gif, .apng or .mp4");
            return Err(PictureError::Setting { message });
        }
    };
    rendered.map_err(|error| match error {
        FilmingError::Picture(error) => error,
        FilmingError::Film(cause) => {
            PictureError::Write { path: path.display().to_string(), cause }
        }
    })
}

fn render_still(
    session: &mut Session,
    shot: &Shot,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, FilmingError> {
    let unfinished = Unfinished::create(path)?;
    let stage = still(session, shot, progress)?;
    let mut file = BufWriter::new(File::create(unfinished.partial())?);
    write_png(&stage.canvas, &mut file)?;
    file.flush()?;
    let bytes = unfinished.complete()?;
    Ok(Rendered { pictures: 1, seconds: 0.0, bytes, failures: session.failures() })
}

fn render_film(
    session: &mut Session,
    shot: &Shot,
    format: FilmFormat,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, FilmingError> {
    let pictures = shot.pictures(format)?;
    let unfinished = Unfinished::create(path)?;
    let mut film = format.begin(unfinished.partial(), (shot.width, shot.height), shot.rate)?;
    let (pictures, frames) = animate(session, shot, pictures, film.as_mut(), progress)?;
    film.finish()?;
    Ok(Rendered {
        pictures: pictures.into(),
        seconds: f64::from(frames) / f64::from(shot.rate),
        bytes: unfinished.complete()?,
        failures: session.failures(),
    })
}
