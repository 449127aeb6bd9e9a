//! Pictures without a display: a single still, a film of a time range, or a sequence of stills.

use super::captions::Captions;
use super::film::{Film, FilmError, FilmFormat, Unfinished, write_pixels};
use super::matte::matted;
use super::play::session::Session;
use super::stage::Stage;
use super::viewpoint;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_scene::description::View;

/// Receives the progress, from 0 to 1; may request a stop.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

/// Settings of a rendering.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Width \[pixels\], 16 to 8192.
    pub width: usize,
    /// Height \[pixels\], 16 to 8192.
    pub height: usize,
    /// Pixels per pixel of the design, 0.5 to 8: at 2, letters and lines are twice as large.
    pub scale: f64,
    /// Time of the first picture of a film \[s\].
    pub from: f64,
    /// Time of the last picture of a film, or of the still \[s\].
    pub to: f64,
    /// Pictures per second of a film, from 1 to the limit of its format.
    pub rate: u16,
    /// Camera, layers, and scene time per time of the film.
    pub view: View,
    /// Whether the background is left out, for stills and sequences.
    pub transparent: bool,
    /// Title and chosen plots.
    pub captions: Captions,
}

/// Kind of picture, by the name of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// `.png`: one picture.
    Still,
    /// `.png` with the number of the picture as `%d` or `%04d`: one file per picture.
    Sequence,
    /// `.gif`, `.apng`, `.mp4`.
    Film(FilmFormat),
}

impl PictureFormat {
    /// The format of a file by its name.
    pub fn of(path: &Path) -> Option<PictureFormat> {
        match path.extension() {
            Some(ending) if ending.eq_ignore_ascii_case("png") => Some(match numbered(path, 0) {
                Some(_) => PictureFormat::Sequence,
                None => PictureFormat::Still,
            }),
            _ => FilmFormat::of(path).map(PictureFormat::Film),
        }
    }

    /// The largest number of pictures per second.
    fn fastest(self) -> u16 {
        match self {
            PictureFormat::Film(format) => format.fastest(),
            PictureFormat::Still | PictureFormat::Sequence => 1000,
        }
    }
}

/// A name with a number in place of `%d`, or of `%04d` with at least 4 digits.
fn numbered(path: &Path, number: u32) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let (before, behind) = name.split_once('%')?;
    let (digits, after) = behind.split_once('d')?;
    let digits: usize = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    (digits <= 9).then(|| path.with_file_name(format!("{before}{number:0digits$}{after}")))
}

/// The first existing file that a rendering would replace.
pub fn replaces(shot: &Shot, path: &Path) -> Option<PathBuf> {
    let files = match PictureFormat::of(path) {
        Some(PictureFormat::Sequence) => shot.pictures(PictureFormat::Sequence).unwrap_or(0),
        _ => return path.exists().then(|| path.into()),
    };
    (0..files).filter_map(|k| numbered(path, k)).find(|file| file.exists())
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
            transparent: false,
            captions: Captions::default(),
        }
    }
}

/// Reason why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A setting is invalid.
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
    /// The progress closure requested a stop; no file remains.
    #[error("stopped at t = {time} s")]
    Stopped {
        /// Time \[s\].
        time: f64,
    },
}

/// Result of a rendering.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// Pictures drawn.
    pub pictures: u64,
    /// Length of the film \[s\]; 0 for a still.
    pub seconds: f64,
    /// Size of the file, or of all files of a sequence \[bytes\].
    pub bytes: u64,
    /// Reasons for the early end of runs, if any; the last picture then shows the last good state
    /// and the reason.
    pub failures: Vec<String>,
    /// Names of the wanted plots that had no room in the last picture.
    pub left_out: Vec<String>,
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
        let speed = self.speed();
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

    /// Number of pictures of a film or sequence.
    fn pictures(&self, format: PictureFormat) -> Result<u32, PictureError> {
        let fastest = format.fastest();
        if !(1..=fastest).contains(&self.rate) {
            let rate = self.rate;
            let message =
                format!("the rate is {rate} pictures a second; 1 to {fastest} are possible here");
            return Err(PictureError::Setting { message });
        }
        let seconds = (self.to - self.from) / self.speed();
        let count = (seconds * f64::from(self.rate) + 1e-9).floor();
        if count >= 100_000.0 {
            let message = format!("the film would have {count:.0} pictures; 100000 are possible");
            return Err(PictureError::Setting { message });
        }
        Ok(count as u32 + 1)
    }

    /// Scene time per time of the film.
    fn speed(&self) -> f64 {
        self.view.speed.unwrap_or(1.0)
    }

    /// The time of a picture of a film \[s\].
    fn time_of(&self, picture: u32) -> f64 {
        self.from + f64::from(picture) * self.speed() / f64::from(self.rate)
    }

    fn stage(&self, session: &Session) -> Option<Stage> {
        let displays = session.pictures();
        let first = &displays.first()?.snapshot;
        let mut stage = Stage::new(self.width, self.height, self.scale);
        stage.captions = self.captions.clone();
        stage.plots |= !self.captions.plots.is_empty();
        viewpoint::apply(&self.view, &mut stage, first);
        Some(stage)
    }

    /// Progress at a time \[s\], from 0 to 1.
    fn share(&self, time: f64) -> f64 {
        if self.to > 0.0 { time / self.to } else { 1.0 }
    }
}

/// Advances to a picture's time and draws it.
fn expose(
    session: &mut Session,
    stage: &mut Stage,
    shot: &Shot,
    time: f64,
    progress: Progress,
) -> Result<(), PictureError> {
    let mut heard = |time: f64| progress(shot.share(time));
    if session.film_to(time, &mut heard).is_break() {
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

/// Runs through `shot.from..=shot.to` and adds `pictures` pictures to a film, fewer if the run
/// fails; the last one is then shown for up to one second. Returns the numbers of drawn pictures
/// and of frames.
fn animate(
    session: &mut Session,
    stage: &mut Stage,
    shot: &Shot,
    pictures: u32,
    film: &mut dyn Film,
    progress: Progress,
) -> Result<(u32, u32), FilmingError> {
    for k in 0..pictures {
        expose(session, stage, shot, shot.time_of(k), progress)?;
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

/// Names of the wanted plots that have no room in the pictures of a shot, found before it is drawn.
///
/// # Errors
/// A setting is invalid.
pub fn without_room(session: &Session, shot: &Shot) -> Result<Vec<String>, PictureError> {
    shot.check()?;
    let mut stage = shot.stage(session).ok_or_else(nothing)?;
    stage.draw(&session.pictures());
    Ok(stage.left_out().to_vec())
}

/// Renders into a file by its name: `.png` a still at `shot.to`, with `%04d` in its name one file
/// per picture; `.gif`, `.apng` and `.mp4` a film. A file appears when it is complete, and replaces
/// an existing one ([`replaces`]).
pub fn render(
    session: &mut Session,
    shot: &Shot,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, PictureError> {
    shot.check()?;
    shot.captions
        .check(&session.pictures())
        .map_err(|message| PictureError::Setting { message })?;
    let rendered = match PictureFormat::of(path) {
        Some(PictureFormat::Still) => render_still(session, shot, path, progress),
        Some(PictureFormat::Sequence) => render_sequence(session, shot, path, progress),
        Some(PictureFormat::Film(_)) if shot.transparent => {
            let message = "a film has a background; transparent are .png, or a sequence such as frame_%04d.png";
            return Err(PictureError::Setting { message: message.into() });
        }
        Some(PictureFormat::Film(format)) => render_film(session, shot, format, path, progress),
        None => {
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
    let mut stage = still(session, shot, progress)?;
    let bytes = write_picture(&mut stage, session, shot, unfinished)?;
    let left_out = stage.left_out().to_vec();
    Ok(Rendered { pictures: 1, seconds: 0.0, bytes, failures: session.failures(), left_out })
}

fn render_sequence(
    session: &mut Session,
    shot: &Shot,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, FilmingError> {
    let wanted = shot.pictures(PictureFormat::Sequence)?;
    let mut stage = shot.stage(session).ok_or_else(nothing)?;
    let (mut pictures, mut bytes) = (0, 0);
    while pictures < wanted && session.failure().is_none() {
        let name = numbered(path, pictures).expect("a name of a sequence");
        let unfinished = Unfinished::create(&name)?;
        expose(session, &mut stage, shot, shot.time_of(pictures), progress)?;
        bytes += write_picture(&mut stage, session, shot, unfinished)?;
        pictures += 1;
    }
    let seconds = f64::from(pictures) / f64::from(shot.rate);
    let (failures, left_out) = (session.failures(), stage.left_out().to_vec());
    Ok(Rendered { pictures: pictures.into(), seconds, bytes, failures, left_out })
}

/// Writes the picture of a stage; returns the size of the file \[bytes\].
fn write_picture(
    stage: &mut Stage,
    session: &Session,
    shot: &Shot,
    unfinished: Unfinished,
) -> Result<u64, FilmError> {
    let mut file = BufWriter::new(File::create(unfinished.partial())?);
    let size = (stage.canvas.width(), stage.canvas.height());
    match shot.transparent {
        true => {
            let pixels = matted(stage, &session.pictures());
            write_pixels(&pixels, size, png::ColorType::Rgba, &mut file)?;
        }
        false => write_pixels(&stage.canvas.rgb(), size, png::ColorType::Rgb, &mut file)?,
    }
    file.flush()?;
    drop(file);
    Ok(unfinished.complete()?)
}

fn render_film(
    session: &mut Session,
    shot: &Shot,
    format: FilmFormat,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, FilmingError> {
    let pictures = shot.pictures(PictureFormat::Film(format))?;
    let unfinished = Unfinished::create(path)?;
    let mut film = format.begin(unfinished.partial(), (shot.width, shot.height), shot.rate)?;
    let mut stage = shot.stage(session).ok_or_else(nothing)?;
    let (pictures, frames) = animate(session, &mut stage, shot, pictures, film.as_mut(), progress)?;
    film.finish()?;
    Ok(Rendered {
        pictures: pictures.into(),
        seconds: f64::from(frames) / f64::from(shot.rate),
        bytes: unfinished.complete()?,
        failures: session.failures(),
        left_out: stage.left_out().to_vec(),
    })
}
