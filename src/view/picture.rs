//! Pictures without a display: a still at a time, or a film of a stretch of time.

use super::display::{Display, Labels, Playback};
use super::film::{Apng, Film, FilmError, Gif, write_png};
use super::painter::Look;
use super::snapshot::Snapshot;
use super::stage::Stage;
use crate::simulation::{Simulation, SimulationError};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;

/// Steps between two calls of the progress closure.
const STEPS_PER_CALL: u64 = 32;

/// What to render.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Width \[pixels\], 16 to 8192.
    pub width: usize,
    /// Height \[pixels\], 16 to 8192.
    pub height: usize,
    /// First picture of a film \[s\].
    pub from: f64,
    /// Last picture of a film, or the still \[s\].
    pub to: f64,
    /// Pictures per second of a film, 1 to 50.
    pub rate: u16,
    /// Seconds of the scene per second of the film.
    pub speed: f64,
    /// Whether the panel is shown.
    pub panel: bool,
    /// What is drawn.
    pub look: Look,
}

impl Default for Shot {
    fn default() -> Self {
        Shot {
            width: 1280,
            height: 720,
            from: 0.0,
            to: 0.0,
            rate: 25,
            speed: 1.0,
            panel: true,
            look: Look::default(),
        }
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// A setting makes no sense.
    #[error("{message}")]
    Setting {
        /// What is wrong, with numbers.
        message: String,
    },
    /// The file could not be written (exit 5).
    #[error("cannot write `{path}`: {cause}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        cause: FilmError,
    },
    /// The progress closure asked to stop; nothing was left behind.
    #[error("stopped at t = {time} s")]
    Stopped {
        /// When \[s\].
        time: f64,
    },
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// Pictures drawn.
    pub pictures: u64,
    /// Why the run ended early, if it did; the last picture shows the last good state and says so.
    pub failure: Option<SimulationError>,
}

/// Told how far rendering is, from 0 to 1; may ask to stop.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> ControlFlow<()>;

impl Shot {
    fn check(&self) -> Result<(), PictureError> {
        let fault = |message: String| Err(PictureError::Setting { message });
        for (name, pixels) in [("width", self.width), ("height", self.height)] {
            if !(16..=8192).contains(&pixels) {
                return fault(format!("the {name} is {pixels} pixels; 16 to 8192 are possible"));
            }
        }
        if !(1..=50).contains(&self.rate) {
            return fault(format!(
                "the rate is {} pictures a second; 1 to 50 are possible",
                self.rate
            ));
        }
        if !(self.speed.is_finite() && self.speed > 0.0) {
            return fault(format!("the speed is {}; it must be greater than zero", self.speed));
        }
        if !(self.from >= 0.0 && self.to >= self.from && self.to.is_finite()) {
            let (from, to) = (self.from, self.to);
            return fault(format!(
                "the time range is {from} to {to} s; it must run forwards from 0"
            ));
        }
        Ok(())
    }

    /// Pictures of a film.
    fn pictures(&self) -> Result<u32, PictureError> {
        let count = ((self.to - self.from) / self.speed * f64::from(self.rate) + 1e-9).floor();
        if count >= 100_000.0 {
            let message = format!("the film would have {count:.0} pictures; 100000 are possible");
            return Err(PictureError::Setting { message });
        }
        Ok(count as u32 + 1)
    }

    fn stage(&self, simulation: &Simulation) -> Stage {
        let mut stage = Stage::new(self.width, self.height, 1.0);
        stage.panel = self.panel;
        stage.look = self.look;
        stage.frame(&Snapshot::of(simulation));
        stage
    }
}

/// Steps to the last step that is not after `time`. `Ok(Some(_))`: the run failed before.
fn advance_to(
    simulation: &mut Simulation,
    time: f64,
    mut progress: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Option<SimulationError>, PictureError> {
    let h = simulation.step_size();
    while (simulation.state.step as f64 + 0.999_999) * h <= time {
        if let Err(error) = simulation.advance() {
            return Ok(Some(error));
        }
        let now = simulation.state.time;
        if simulation.state.step.is_multiple_of(STEPS_PER_CALL) && progress(now).is_break() {
            return Err(PictureError::Stopped { time: now });
        }
    }
    Ok(None)
}

/// What a picture shows; the last one of a failed run says why.
fn display(simulation: &Simulation, labels: &Labels, failure: Option<&SimulationError>) -> Display {
    let failure = failure.map(|error| error.describe(&simulation.model));
    let playback = Playback { failure, ..Playback::default() };
    Display::plain(Snapshot::of(simulation), labels.clone(), playback)
}

/// Runs to `shot.to` and draws the state there.
pub fn still(
    simulation: &mut Simulation,
    labels: &Labels,
    shot: &Shot,
    progress: Progress,
) -> Result<(Stage, Rendered), PictureError> {
    shot.check()?;
    let mut stage = shot.stage(simulation);
    let share = |time: f64| if shot.to > 0.0 { time / shot.to } else { 1.0 };
    let failure = advance_to(simulation, shot.to, |time| progress(share(time)))?;
    stage.draw(&[display(simulation, labels, failure.as_ref())]);
    Ok((stage, Rendered { pictures: 1, failure }))
}

/// Runs through `shot.from..=shot.to` and adds the pictures to a film. The last picture of a failed
/// run stays for a second.
pub fn animate(
    simulation: &mut Simulation,
    labels: &Labels,
    shot: &Shot,
    film: &mut dyn Film,
    progress: Progress,
) -> Result<Rendered, PictureError> {
    shot.check()?;
    let count = shot.pictures()?;
    let mut stage = shot.stage(simulation);
    let share = |time: f64| if shot.to > 0.0 { time / shot.to } else { 1.0 };
    let write = |cause| PictureError::Write { path: "film".into(), cause };
    for k in 0..count {
        let time = shot.from + f64::from(k) * shot.speed / f64::from(shot.rate);
        let failure = advance_to(simulation, time, |time| progress(share(time)))?;
        stage.draw(&[display(simulation, labels, failure.as_ref())]);
        film.add(&stage.canvas).map_err(write)?;
        if failure.is_some() {
            for _ in 1..u32::from(shot.rate).min(count - k) {
                film.add(&stage.canvas).map_err(write)?;
            }
            return Ok(Rendered { pictures: u64::from(k) + 1, failure });
        }
        if progress(share(time)).is_break() {
            return Err(PictureError::Stopped { time });
        }
    }
    Ok(Rendered { pictures: u64::from(count), failure: None })
}

/// Renders into a file by its ending: `.png` a still at `shot.to`, `.gif` and `.apng` a film. The
/// file appears when it is complete.
pub fn render(
    simulation: &mut Simulation,
    labels: &Labels,
    shot: &Shot,
    path: &Path,
    progress: Progress,
) -> Result<Rendered, PictureError> {
    shot.check()?;
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let size = (shot.width, shot.height);
    if !["png", "gif", "apng"].contains(&ending.as_str()) {
        let message = format!("`{}` does not end in .png, .gif or .apng", path.display());
        return Err(PictureError::Setting { message });
    }
    let pictures = shot.pictures()?;
    let fault = |cause: FilmError| PictureError::Write { path: path.display().to_string(), cause };
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    let file = BufWriter::new(File::create(partial).map_err(|e| fault(e.into()))?);
    let result = (|| match ending.as_str() {
        "png" => {
            let (stage, rendered) = still(simulation, labels, shot, progress)?;
            let mut file = file;
            write_png(&stage.canvas, &mut file).map_err(fault)?;
            file.flush().map_err(|e| fault(e.into()))?;
            Ok(rendered)
        }
        ending => {
            let mut film: Box<dyn Film> = match ending {
                "gif" => Box::new(Gif::new(file, size, shot.rate).map_err(fault)?),
                _ => Box::new(Apng::new(file, size, pictures, shot.rate).map_err(fault)?),
            };
            let rendered = animate(simulation, labels, shot, film.as_mut(), progress);
            let rendered = rendered.map_err(|error| match error {
                PictureError::Write { cause, .. } => fault(cause),
                other => other,
            })?;
            film.finish().map_err(fault)?;
            Ok(rendered)
        }
    })();
    let result = result.and_then(|rendered| {
        std::fs::rename(partial, path).map_err(|e| fault(e.into()))?;
        Ok(rendered)
    });
    if result.is_err() {
        // the unfinished file is of no use; that it cannot be removed is not the error to report
        let _ = std::fs::remove_file(partial);
    }
    result
}
