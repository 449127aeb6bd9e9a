//! `watch`: a live window.

use super::failures::{failure, try_out};
use super::machine::StopSignal;
use super::terminal::{Exit, Failure, say};
use super::verbs::watch::Options;
use std::path::{Path, PathBuf};
use stiction_lab::output::folder::atomic;
use stiction_view::viewer::Beginning;
use stiction_view::window::{Closing, WatchError, watch as open};

/// The first scene of a folder, if the path is a folder.
fn first_of_folder(path: &Path) -> Result<Option<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(None);
    }
    let entries = std::fs::read_dir(path)
        .map_err(|error| Failure::new(Exit::Usage, format!("`{}`: {error}", path.display())))?;
    let scenes = entries.flatten().map(|entry| entry.path());
    let first = scenes.filter(|path| path.extension().is_some_and(|e| e == "toml")).min();
    match first {
        Some(first) => Ok(Some(first)),
        None => {
            let message = format!("there is no scene (.toml) in `{}`", path.display());
            Err(Failure::new(Exit::Usage, message))
        }
    }
}

/// Runs the verb.
pub fn watch(options: &Options) -> Result<Exit, Failure> {
    if let Some(path) = options.record.as_ref().filter(|path| path.exists()) {
        let message = format!("`{}` is there already: choose another name", path.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    try_out(options.record.iter().chain(&options.screenshot))?;
    let folder = first_of_folder(&options.scene.scene)?;
    let mut loading = options.view.with(&options.scene);
    loading.scene = folder.clone().unwrap_or(loading.scene);
    let replayed = if options.panes.replay.is_some() { &options.scene } else { &loading };
    loading.load()?;
    let signal = StopSignal::listen();
    let (cast, scene) = options.panes.plan(replayed, &signal)?;
    let mut view = scene.view.clone();
    options.view.add_layers(&mut view);
    view.speed = options.speed.or(view.speed);
    let scale = options.view.scale.unwrap_or(1.0);
    let pixels = |points: usize| (points as f64 * scale).round() as usize;
    let beginning = Beginning {
        size: (pixels(options.size.0), pixels(options.size.1)),
        scale,
        view,
        playing: !options.paused,
        folder: PathBuf::new(),
        browsing: folder.is_some(),
        looping: options.looping,
        profile: options.profile,
        record: options.record.clone(),
    };
    let closing = Closing { frames: options.frames, screenshot: options.screenshot.clone() };
    match open(cast, &beginning, &closing, &|| signal.heard().is_some()) {
        Ok(watched) => {
            if let Some(path) = &options.record {
                let text = watched.left.recording.text();
                atomic::write(path, text.as_bytes()).map_err(|error| {
                    Failure::new(
                        Exit::Output,
                        format!("cannot write `{}`: {error}", path.display()),
                    )
                })?;
                say(&format!("what was done is in {}", path.display()));
            }
            watched.film.iter().chain(&watched.left.verdicts).for_each(|line| say(line));
            match watched.trouble {
                Some(error) => Err(trouble(error)),
                None if signal.heard().is_some() => Ok(signal.heard().unwrap_or(Exit::Interrupted)),
                None if watched.left.failure.is_some() => Ok(Exit::Simulation),
                None => Ok(Exit::Ok),
            }
        }
        Err(error) => Err(trouble(error)),
    }
}

/// The failure, with its exit code, for an error of the window.
fn trouble(error: WatchError) -> Failure {
    match error {
        WatchError::Scene(errors) => failure(errors),
        WatchError::NoDisplay { cause, hint } => Failure::new(
            Exit::NoDisplay,
            format!("no window could be opened: {cause}\n  hint: {hint}"),
        ),
        WatchError::Screenshot { .. } => Failure::new(Exit::Output, error.to_string()),
        WatchError::Bug(_) => Failure::new(Exit::Internal, error.to_string()),
    }
}
