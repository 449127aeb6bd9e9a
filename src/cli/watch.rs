//! `watch`: a live window.

use super::scene::SceneOptions;
use super::{Exit, Failure};
use crate::scene::Scene;
#[cfg(feature = "viewer")]
use crate::scene::build::make;
use std::path::PathBuf;

/// Options of `watch`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Seconds of the scene per second of the clock
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    speed: f64,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Dark colours
    #[arg(long)]
    dark: bool,
    /// Close after so many frames
    #[arg(long, value_name = "NUMBER")]
    frames: Option<u64>,
    /// Write the last picture to this PNG file when the window closes
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("give a number greater than zero".into()),
    }
}

/// "threshold, epsilon = 0.001": the friction law with its parameters.
pub fn law(scene: &Scene) -> String {
    if scene.contact.method.name != crate::impulses::penalty::ENTRY.name {
        return format!("Coulomb, by {}", scene.contact.method.name);
    }
    let choice = &scene.contact.friction;
    let mut text = choice.name.to_string();
    for (key, value) in &choice.values.0 {
        if let crate::registry::Value::Number(x) = value {
            let key = if *key == "epsilon" { "ε" } else { key };
            text += &format!(", {key} = {}", super::terminal::number(*x));
        }
    }
    text
}

/// Runs the verb.
#[cfg(feature = "viewer")]
pub fn watch(options: &Options) -> Result<Exit, Failure> {
    use crate::integrators::INTEGRATORS;
    use crate::view::Show;
    use crate::view::window::{WatchError, WatchOptions, watch as open};

    let (scene, _) = options.scene.load()?;
    options.scene.open(&scene)?;
    let with = |method: &str| {
        let set = [format!("integrator.method={method}")];
        options.scene.load_with(&set).map(|loaded| loaded.scene)
    };
    let show = Show {
        title: scene.title.clone(),
        law: law(&scene),
        integrator: scene.integrator.name.into(),
        end: Some(scene.time.end()),
        start: &|method| {
            let scene = with(method).map_err(|failure| failure.message)?;
            let run = options.scene.open(&scene).map_err(|failure| failure.message)?;
            Ok(run.simulation)
        },
        method: &|method| {
            let scene = with(method).map_err(|failure| failure.message)?;
            make(INTEGRATORS, &scene.integrator).map_err(|problem| problem.message)
        },
    };
    let window = WatchOptions {
        look: super::render::look(options.dark),
        speed: options.speed,
        paused: options.paused,
        frames: options.frames,
        screenshot: options.screenshot.clone(),
        ..WatchOptions::default()
    };
    match open(&show, &window) {
        Ok(watched) => Ok(if watched.failure.is_some() { Exit::Simulation } else { Exit::Ok }),
        Err(WatchError::NoDisplay { cause, hint }) => Err(Failure::new(
            Exit::NoDisplay,
            format!("no window could be opened: {cause}\n  hint: {hint}"),
        )),
        Err(error @ WatchError::Screenshot { .. }) => {
            Err(Failure::new(Exit::Output, error.to_string()))
        }
        Err(error) => Err(Failure::new(Exit::Simulation, error.to_string())),
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
