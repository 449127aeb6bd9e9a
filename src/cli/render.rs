//! `render`: the picture of the window, without a display.

use super::machine::StopSignal;
use super::scene::SceneOptions;
use super::terminal::{self, progress, say};
use super::{Exit, Failure};
use crate::view::display::Labels;
use crate::view::painter::Look;
use crate::view::picture::{PictureError, Shot, render as draw};
use crate::view::theme::{DARK, LIGHT};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Options of `render`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// The picture: .png for a still, .gif or .apng for a film
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Time of a still in seconds (default: the scene's end)
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["from", "to"])]
    at: Option<f64>,
    /// Start of a film in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    from: f64,
    /// End of a film in seconds (default: the scene's end)
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Seconds of the scene per second of film
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Pictures per second of film
    #[arg(long, default_value_t = 25)]
    rate: u16,
    /// Width and height in pixels
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    size: (usize, usize),
    /// Dark colours
    #[arg(long)]
    dark: bool,
    /// Leave out the panel
    #[arg(long)]
    no_panel: bool,
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    parts.ok_or_else(|| "give two numbers such as 1280x720".into())
}

/// Runs the verb.
pub fn render(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    let mut run = options.scene.open(&scene)?;
    let end = scene.time.end();
    for time in [Some(options.from), options.at, options.to].into_iter().flatten() {
        if !(0.0..=end).contains(&time) {
            let message = format!("{time} s is outside the scene, which goes from 0 to {end} s");
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let shot = Shot {
        width: options.size.0,
        height: options.size.1,
        from: options.from,
        to: options.at.or(options.to).unwrap_or(end),
        rate: options.rate,
        speed: options.speed,
        panel: !options.no_panel,
        look: look(options.dark),
    };
    let labels = Labels {
        title: scene.title.clone(),
        law: super::watch::law(&scene),
        integrator: scene.integrator.name.into(),
        end: Some(end),
    };
    let signal = StopSignal::listen();
    let bar = progress(1000, "rendering");
    let report = &mut |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        if signal.heard().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let drawn = draw(&mut run.simulation, &labels, &shot, &options.output, report);
    bar.finish_and_clear();
    match drawn {
        Ok(rendered) => {
            say(&format!("{} pictures in {}", rendered.pictures, options.output.display()));
            if let Some(error) = rendered.failure {
                terminal::complain(&error.describe(&run.simulation.model));
                return Ok(Exit::Simulation);
            }
            Ok(Exit::Ok)
        }
        Err(PictureError::Stopped { .. }) => Ok(signal.heard().unwrap_or(Exit::Interrupted)),
        Err(error @ PictureError::Setting { .. }) => {
            Err(Failure::new(Exit::Usage, error.to_string()))
        }
        Err(error) => Err(Failure::new(Exit::Output, error.to_string())),
    }
}

/// What is drawn.
pub fn look(dark: bool) -> Look {
    Look { theme: if dark { &DARK } else { &LIGHT }, ..Look::default() }
}
