//! `render`: the picture of the window, without a display.

use crate::cli::failures::{failure, picture_failure, try_out};
use crate::cli::machine::StopSignal;
use crate::cli::panes::PaneOptions;
use crate::cli::scene::SceneOptions;
use crate::cli::space::size_of;
use crate::cli::terminal::{self, Exit, Failure, progress, say};
use crate::cli::view::{ViewOptions, size};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use stiction_core::registry::words::listed;
use stiction_scene::Scene;
use stiction_view::captions::Captions;
use stiction_view::picture::{
    PictureError, PictureFormat, Rendered, Shot, render as draw, replaces, without_room,
};
use stiction_view::play::session::Session;

/// Options of `render`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    #[command(flatten)]
    panes: PaneOptions,
    /// The picture: .png for a still, frame_%04d.png for numbered stills; .gif, .apng or .mp4 (by
    /// the program ffmpeg) for a film
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
    /// Seconds of the scene per second of film (default: the scene's, else 1)
    #[arg(long)]
    speed: Option<f64>,
    /// Pictures per second of film
    #[arg(long, default_value_t = 25)]
    rate: u16,
    /// Width and height in points, which are pixels unless --scale says otherwise
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "1280x720", value_parser = size)]
    size: (usize, usize),
    #[command(flatten)]
    view: ViewOptions,
    /// Plots beside the picture, as --show plots, but only these: measures of the scene, creep,
    /// h-lambda, energy
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    plot: Vec<String>,
    /// A title above the picture
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Name all bodies however many there are, as --show labels,names does
    #[arg(long)]
    labels: bool,
    /// Leave out the panel, as --hide panel does
    #[arg(long)]
    no_panel: bool,
    /// Leave out the background, for .png; together with --hide panel,labels for slides
    #[arg(long)]
    transparent: bool,
    /// Replace files that are there already
    #[arg(long)]
    force: bool,
}

/// Runs the verb.
pub fn render(options: &Options) -> Result<Exit, Failure> {
    let loading = options.view.with(&options.scene);
    let (scene, _) = loading.load()?;
    // a recording contains its own changes; those of the view apply to the picture only
    let played = if options.panes.replay.is_some() { &options.scene } else { &loading };
    let signal = StopSignal::listen();
    let (cast, _) = options.panes.plan(played, &signal)?;
    let end = cast.recording.as_ref().map_or(scene.time.end(), |recording| recording.end.time);
    let shot = shot(options, &scene, end)?;
    if let Some(file) = replaces(&shot, &options.output).filter(|_| !options.force) {
        let message = format!("`{}` is there already: --force replaces it", file.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    // pictures of a sequence get numbers
    if !options.output.to_string_lossy().contains('%') {
        try_out([&options.output])?;
    }
    let mut session = Session::start(cast).map_err(failure)?;
    session.panes()[0].remarks.iter().for_each(|remark| say(&format!("note: {remark}")));
    let announced = without_room(&session, &shot).map_err(picture_failure)?;
    no_room(&announced).into_iter().for_each(|note| say(&note));
    let bar = progress(1000, "rendering");
    if let Ok(style) =
        indicatif::ProgressStyle::with_template("{msg} {wide_bar} {percent}%, {eta} left")
    {
        bar.set_style(style);
    }
    let report = &mut |share: f64| {
        bar.set_position((share * 1000.0) as u64);
        if signal.heard().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let drawn = draw(&mut session, &shot, &options.output, report);
    bar.finish_and_clear();
    match drawn {
        Ok(rendered) => {
            say(&written(&options.output, &shot, &rendered));
            let mut later = rendered.left_out;
            later.retain(|name| !announced.contains(name));
            no_room(&later).into_iter().for_each(|note| say(&note));
            rendered.failures.iter().for_each(|failure| terminal::complain(failure));
            Ok(if rendered.failures.is_empty() { Exit::Ok } else { Exit::Simulation })
        }
        Err(PictureError::Stopped { .. }) => Ok(signal.heard().unwrap_or(Exit::Interrupted)),
        Err(error) => Err(picture_failure(error)),
    }
}

/// The settings of the rendering; an error for a time outside the scene.
fn shot(options: &Options, scene: &Scene, end: f64) -> Result<Shot, Failure> {
    for time in [Some(options.from), options.at, options.to].into_iter().flatten() {
        if !(0.0..=end).contains(&time) {
            let message = format!("{time} s is outside the scene, which goes from 0 to {end} s");
            return Err(Failure::new(Exit::Usage, message));
        }
    }
    let moves = matches!(
        PictureFormat::of(&options.output),
        Some(PictureFormat::Film(_) | PictureFormat::Sequence)
    );
    if options.at.is_some() && moves {
        let message = "--at is the time of one still, and this is a film: use --from and --to";
        return Err(Failure::new(Exit::Usage, message));
    }
    let mut view = scene.view.clone();
    options.view.add_layers(&mut view);
    if options.labels {
        view.layers.extend([("labels", true), ("names", true)]);
    }
    if options.no_panel {
        view.layers.push(("panel", false));
    }
    view.speed = options.speed.or(view.speed);
    let until = options.at.or(options.to).unwrap_or(end);
    let scale = options.view.scale.unwrap_or(1.0);
    let pixels = |points: usize| (points as f64 * scale).round() as usize;
    Ok(Shot {
        width: pixels(options.size.0),
        height: pixels(options.size.1),
        scale,
        from: options.from,
        to: until,
        rate: options.rate,
        view,
        transparent: options.transparent,
        captions: Captions {
            title: options.title.clone(),
            plots: options.plot.clone(),
            until: (!options.plot.is_empty()).then_some(until),
        },
    })
}

/// A note on plots that had no room; a name that several have stands once.
fn no_room(plots: &[String]) -> Option<String> {
    let first = |k: &usize| !plots[..*k].contains(&plots[*k]);
    let distinct: Vec<&String> = (0..plots.len()).filter(first).map(|k| &plots[k]).collect();
    let names = listed(&distinct);
    let plural = if plots.len() == 1 { "" } else { "s" };
    let note = format!(
        "note: no room for the plot{plural} {names}: a larger --size, --no-panel, or fewer by --plot make some"
    );
    (!plots.is_empty()).then_some(note)
}

/// "film.gif: 138 pictures, 5.52 s, 1280 x 720 pixels, 1.3 MB".
fn written(path: &Path, shot: &Shot, rendered: &Rendered) -> String {
    let Rendered { pictures, seconds, bytes, .. } = rendered;
    let film = match PictureFormat::of(path) {
        Some(PictureFormat::Film(_) | PictureFormat::Sequence) => {
            format!("{pictures} pictures, {seconds:.2} s, ")
        }
        Some(PictureFormat::Still) | None => String::new(),
    };
    let (width, height) = (shot.width, shot.height);
    format!("{}: {film}{width} x {height} pixels, {}", path.display(), size_of(u128::from(*bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A measure may have the name of a plot that every run has.
    #[test]
    fn a_name_that_two_plots_have_stands_once() {
        let note =
            |names: &[&str]| no_room(&names.iter().copied().map(String::from).collect::<Vec<_>>());
        let words = note(&["creep", "energy", "creep"]).expect("a note");
        assert!(words.contains("plots `creep`, `energy`: a larger"), "{words}");
        assert_eq!(note(&[]), None);
    }
}
