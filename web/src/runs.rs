//! Whole runs from t = 0: verified, as a table of measures, as a hash.

use crate::library::SceneSource;
use serde_json::{Value, json};
use std::sync::Arc;
use stiction_core::math::with_error;
use stiction_lab::output::arrays::measures_csv;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::{Means, Observer, Run, Timeline};
use stiction_lab::session::{Ended, Session};
use stiction_scene::build::build;
use web_time::Instant;

/// Receives the progress, from 0 to 1, and the present activity.
pub type Progress<'a> = &'a mut dyn FnMut(f64, &str);

/// Passes progress on.
struct Watched<'a> {
    progress: Progress<'a>,
    words: String,
    steps: u64,
}

impl Observer for Watched<'_> {
    fn progress(&mut self, step: u64) {
        (self.progress)(step as f64 / self.steps.max(1) as f64, &self.words);
    }

    fn verifying(&mut self, run: &str, steps: u64) {
        (self.words, self.steps) = (run.into(), steps);
    }
}

fn finished(
    source: &SceneSource,
    set: Vec<String>,
    verify: Option<Means>,
    progress: Progress,
) -> Result<(Run, Ended), String> {
    let base = source.base(set)?;
    let scene = base.load(&[]).map_err(|errors| errors.brief())?.scene;
    let settings = Settings { verify, ..Settings::default() };
    let mut session = Session::open(&scene, settings, &base.options, Arc::new(build))
        .map_err(|error| error.in_scene(&scene).brief())?;
    let (words, steps) = ("the run itself".into(), session.run.steps());
    let mut watched = Watched { progress, words, steps };
    let ended = session.finish(&mut watched, &|| false).map_err(|error| error.to_string())?;
    Ok((session.run, ended))
}

/// The run of a scene to its end, and again at other steps: verdict, error bars, and the document
/// printed by `stiction run --verify --format json`.
///
/// # Errors
/// The scene cannot be run.
pub fn verify(source: &SceneSource, set: Vec<String>, progress: Progress) -> Result<Value, String> {
    let began = Instant::now();
    let (run, Ended { outcome, document, .. }) =
        finished(source, set, Some(Means::STEP), progress)?;
    let model = &run.simulation().model;
    let verdict = &outcome.verdict;
    let bars = outcome.verification.iter().flat_map(|v| v.judged());
    let measures = bars.flat_map(|bar| {
        let names = bar.columns.iter().enumerate();
        names.map(|(k, name)| {
            let (value, error) = (bar.ends[k][0], bar.error_at_end(k));
            let unit = if bar.unit == "1" { "" } else { bar.unit };
            let text = format!("{} {unit}", with_error(value, error));
            json!({ "name": name, "unit": unit, "value": value, "error": error, "text": text.trim_end() })
        })
    });
    Ok(json!({
        "status": outcome.status.word(),
        "level": verdict.level().to_string(),
        "trusted": if verdict.faultless() { verdict.trusted().then_some(true) } else { Some(false) },
        "marks": verdict.marks(),
        "reasons": verdict.reasons.iter().map(|r| r.describe(model)).collect::<Vec<_>>(),
        "measures": measures.collect::<Vec<_>>(),
        "notes": outcome.verification.as_ref().map(|v| v.notes.clone()),
        "steps": outcome.steps,
        "state_hash": stiction_core::state::hash_text(outcome.state_hash),
        "seconds": began.elapsed().as_secs_f64(),
        "document": document,
    }))
}

/// `measures.csv` of the run of a scene, as written by the command line.
///
/// # Errors
/// The scene cannot be run.
pub fn measures(
    source: &SceneSource,
    set: Vec<String>,
    progress: Progress,
) -> Result<Value, String> {
    let (run, Ended { outcome, .. }) = finished(source, set, None, progress)?;
    let written = |error: std::io::Error| error.to_string();
    let columns = measures_csv::columns_of(&run).into_iter();
    let mut bytes = measures_csv::line(columns).map_err(written)?;
    for frame in &run.frames {
        bytes.extend(measures_csv::line_of(frame).map_err(written)?);
    }
    let csv = String::from_utf8(bytes).map_err(|error| error.to_string())?;
    Ok(json!({ "csv": csv, "status": outcome.status.word() }))
}

/// Hash of the state after a number of steps, and the seconds of computing them.
///
/// # Errors
/// The scene cannot be run, or fails before.
pub fn hash(source: &SceneSource, set: Vec<String>, steps: u64) -> Result<Value, String> {
    let base = source.base(set)?;
    let scene = base.load(&[]).map_err(|errors| errors.brief())?.scene;
    let built = base.build(&scene).map_err(|errors| errors.brief())?;
    let mut simulation = Timeline::start(&scene, built).simulation;
    let began = Instant::now();
    for _ in 0..steps {
        simulation.advance().map_err(|error| error.describe(&simulation.model))?;
    }
    let seconds = began.elapsed().as_secs_f64();
    Ok(json!({
        "hash": simulation.state.hash_text(),
        "steps": simulation.state.step_count,
        "particles": simulation.model.particles(),
        "seconds": seconds,
    }))
}
