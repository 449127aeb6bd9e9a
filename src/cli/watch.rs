//! `watch`: a live window.

use super::scene::{SceneOptions, failure};
use super::view::ViewOptions;
use super::{Exit, Failure};
use crate::contact::friction::FRICTION_LAWS;
use crate::experiment::base::Base;
use crate::experiment::law;
use crate::experiment::list::{items, split};
use crate::experiment::recording::{Recording, Replay};
use crate::impulses::CONTACT_METHODS;
use crate::integrators::INTEGRATORS;
use crate::registry::find;
use crate::scene::Scene;
use crate::view::play::session::Cast;
use std::path::{Path, PathBuf};

/// Options of `watch`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    #[command(flatten)]
    panes: PaneOptions,
    #[command(flatten)]
    view: ViewOptions,
    /// Seconds of the scene per second of the clock (default: the scene's, else 1)
    #[arg(long, value_parser = positive)]
    speed: Option<f64>,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Width and height of the window in points
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = super::render::size)]
    size: (usize, usize),
    /// Close after so many frames
    #[arg(long, value_name = "NUMBER")]
    frames: Option<u64>,
    /// Write the last picture to this PNG file when the window closes
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// When the window closes, write what was done in it to this new file, for --replay
    #[arg(long, value_name = "FILE", conflicts_with = "compare")]
    record: Option<PathBuf>,
}

/// What is shown side by side, and what was done before.
#[derive(clap::Args, Clone)]
pub struct PaneOptions {
    /// Up to four runs side by side, each by integrator, law and contact method joined by +, with a
    /// step after @: rk4,implicit-euler@1e-3,rk4+cundall-strack:stiffness=1e4,exact
    #[arg(long, value_name = "LIST", conflicts_with = "replay")]
    compare: Option<String>,
    /// What they are compared with: an integrator, METHOD@STEP, or none (default with --compare: dopri5
    /// with tight tolerances)
    #[arg(long, value_name = "METHOD", conflicts_with = "replay")]
    reference: Option<String>,
    /// Do again what `watch --record` wrote to this file
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
}

/// Tolerances of the reference.
const TIGHT: [&str; 3] =
    ["integrator.method=dopri5", "integrator.rtol=1e-9", "integrator.atol=1e-12"];

/// Where dopri5 will not do: the scene's own method, in so many smaller steps.
const FINER: f64 = 8.0;

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("give a number greater than zero".into()),
    }
}

/// What `--set` takes for an item of `--compare`.
fn item(text: &str) -> Result<Vec<String>, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let mut parts = split(text, '@', 2).into_iter();
    let (mut set, mut kinds) = (Vec::new(), Vec::new());
    for name in split(parts.next().unwrap_or(""), '+', usize::MAX) {
        let kind = if find(INTEGRATORS, name).is_some() {
            set.push(format!("integrator.method={name}"));
            "integrators"
        } else if find(CONTACT_METHODS, name).is_some() {
            set.push(format!("contact.method={name}"));
            "contact methods"
        } else if find(FRICTION_LAWS, law::name(name)).is_some() {
            set.extend(law::sets(name));
            "friction laws"
        } else {
            return Err(usage(format!(
                "`{name}` is no integrator, friction law or contact method; `stiction list` shows them"
            )));
        };
        if kinds.contains(&kind) {
            return Err(usage(format!("`{text}` has two {kind}; a run has one")));
        }
        kinds.push(kind);
    }
    if let Some(step) = parts.next() {
        positive(step).map_err(|_| {
            usage(format!("`{step}` is no step: in `{text}` a number of seconds follows @"))
        })?;
        set.push(format!("time.step={step}"));
    }
    Ok(set)
}

impl PaneOptions {
    /// Everything to be played: checked as far as loading goes.
    pub fn cast(&self, options: &SceneOptions) -> Result<(Cast, Scene), Failure> {
        if let Some(path) = &self.replay {
            return self.again(options, path);
        }
        let base = options.base()?;
        let scene = base.load(&[]).map_err(failure)?.scene;
        let with = |set: &[String]| {
            let mut base = base.clone();
            base.set.extend(set.iter().cloned());
            base
        };
        let mut panes = Vec::new();
        for text in self.compare.as_deref().map(items).unwrap_or_default() {
            let pane = with(&item(&text)?);
            pane.load(&[]).map_err(failure)?;
            panes.push(pane);
        }
        if self.compare.is_some() && panes.is_empty() {
            return Err(Failure::new(Exit::Usage, "--compare names nothing to be compared"));
        }
        if panes.len() > crate::view::stage::PANES {
            let message = format!("{} runs side by side; four are possible", panes.len());
            return Err(Failure::new(Exit::Usage, message));
        }
        let several = !panes.is_empty();
        if !several {
            let mut alone = base.clone();
            alone.options = options.build_options();
            panes.push(alone);
        }
        let reference = match self.reference.as_deref() {
            Some("none") => None,
            Some(name) => Some((name.replace('@', ", h = "), with(&item(name)?))),
            None if several => Some(tight(&scene, &with)),
            None => None,
        };
        let path = options.scene.clone();
        Ok((Cast { path, panes, reference, recording: None }, scene))
    }

    /// The cast of a recording.
    fn again(&self, options: &SceneOptions, path: &Path) -> Result<(Cast, Scene), Failure> {
        let (base, scene, recording) = recording(options, path)?;
        let cast = Cast {
            path: options.scene.clone(),
            panes: vec![base],
            reference: None,
            recording: Some(recording),
        };
        Ok((cast, scene))
    }
}

/// A recording, with the scene as it began.
pub fn recording(options: &SceneOptions, path: &Path) -> Result<(Base, Scene, Recording), Failure> {
    if !options.sets().is_empty() {
        let message = "--replay does what was recorded: leave out --set, --integrator and --step";
        return Err(Failure::new(Exit::Usage, message));
    }
    let fault = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Usage, format!("{}: {error}", path.display()))
    };
    let recording = Recording::read(path).map_err(|error| fault(&error))?;
    let mut base = options.base()?;
    base.options = options.build_options();
    base.set.clone_from(&recording.head.set);
    let scene = base.load(&[]).map_err(failure)?.scene;
    // everything in it is tried before anything runs
    Replay::new(base.clone(), &scene, recording.clone()).map_err(|error| fault(&error))?;
    Ok((base, scene, recording))
}

/// The reference that is tried first, and what stands in for it.
fn tight(scene: &Scene, with: &dyn Fn(&[String]) -> Base) -> (String, Base) {
    let dopri5 = with(&TIGHT.map(String::from));
    let loaded = dopri5.load(&[]).and_then(|loaded| dopri5.build(&loaded.scene));
    if loaded.is_ok() {
        return ("dopri5, rtol 1e-9".into(), dopri5);
    }
    let step = scene.time.step / FINER;
    let name = format!("{}, h/{FINER}", scene.integrator.name);
    (name, with(&[format!("time.step={step:e}")]))
}

/// The first scene of a folder, where a folder is given.
#[cfg(feature = "viewer")]
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
#[cfg(feature = "viewer")]
pub fn watch(options: &Options) -> Result<Exit, Failure> {
    use super::machine::StopSignal;
    use super::terminal::say;
    use crate::output::atomic;
    use crate::view::viewer::Beginning;
    use crate::view::window::{Closing, watch as open};

    if let Some(path) = options.record.as_ref().filter(|path| path.exists()) {
        let message = format!("`{}` is there already: choose another name", path.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    let folder = first_of_folder(&options.scene.scene)?;
    let mut loading = options.view.with(&options.scene);
    loading.scene = folder.clone().unwrap_or(loading.scene);
    let replayed = if options.panes.replay.is_some() { &options.scene } else { &loading };
    loading.load()?;
    let (cast, scene) = options.panes.cast(replayed)?;
    let mut view = scene.view.clone();
    options.view.add_layers(&mut view);
    view.speed = options.speed.unwrap_or(view.speed);
    let scale = options.view.scale.unwrap_or(1.0);
    let pixels = |points: usize| (points as f64 * scale).round() as usize;
    let beginning = Beginning {
        size: (pixels(options.size.0), pixels(options.size.1)),
        scale,
        view,
        playing: !options.paused,
        folder: PathBuf::new(),
        browsing: folder.is_some(),
    };
    let closing = Closing { frames: options.frames, screenshot: options.screenshot.clone() };
    let signal = StopSignal::listen();
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

/// What went wrong with the window as a failure with its exit code.
#[cfg(feature = "viewer")]
fn trouble(error: crate::view::window::WatchError) -> Failure {
    use crate::view::window::WatchError;
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

/// Runs the verb in a build without the window.
#[cfg(not(feature = "viewer"))]
pub fn watch(options: &Options) -> Result<Exit, Failure> {
    let Options { scene, .. } = options;
    scene.load()?;
    Err(Failure::new(
        Exit::NoDisplay,
        "this build has no window (feature `viewer`); use `stiction run` or `stiction render`",
    ))
}
