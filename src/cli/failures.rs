//! Exit codes of errors: the only place that assigns them.

use super::terminal::{Exit, Failure, colours};
use std::path::PathBuf;
use stiction_core::simulation::SimulationError;
use stiction_lab::experiment::baseline::BaselineError;
use stiction_lab::experiment::plan::{LAW_KEYS, PlanError};
use stiction_lab::experiment::sweep::folder::FolderError;
use stiction_lab::output::folder::atomic;
use stiction_lab::output::folder::directory::OutputError;
use stiction_lab::output::plots::figure::PlotError;
use stiction_scene::Scene;
use stiction_scene::build::BuildError;
use stiction_scene::diagnostics::{FailureKind, SceneErrors};
use stiction_scene::place::Source;
use stiction_view::film::FilmError;
use stiction_view::picture::PictureError;

/// Scene errors as a failure with its exit code.
pub fn failure(mut errors: SceneErrors) -> Failure {
    errors.sources.iter_mut().for_each(name_flag);
    Failure::new(scene_exit(&errors), errors.render(colours()))
}

/// Names the option that was typed, of those that stand for a `--set`.
fn name_flag(source: &mut Source) {
    let typed = |text: &str| std::env::args().any(|word| word.ends_with(text));
    if source.name != "--set" || typed(&source.text) {
        return;
    }
    for (key, flag) in [("time.step=", "--step"), ("integrator.method=", "--integrator")] {
        if source.text.starts_with(key) {
            source.name = flag.into();
        }
    }
}

/// The exit code of scene errors.
pub fn scene_exit(errors: &SceneErrors) -> Exit {
    match errors.kind {
        FailureKind::Unreadable => Exit::Usage,
        FailureKind::Scene => Exit::Scene,
        FailureKind::Mesh => Exit::Input,
        FailureKind::Limit => Exit::Limit,
    }
}

/// The exit code of a run with a failed step: missing memory counts as a limit, as when building.
pub fn step_exit(error: &SimulationError) -> Exit {
    if error.is_of_memory() { Exit::Limit } else { Exit::Simulation }
}

/// A build error, with its place in the scene.
pub fn build_failure(scene: &Scene, error: BuildError) -> Failure {
    failure(error.in_scene(scene))
}

/// Checks before a run that its files can be written.
pub fn try_out<'a>(paths: impl IntoIterator<Item = &'a PathBuf>) -> Result<(), Failure> {
    for path in paths {
        atomic::try_out(path).map_err(|error| {
            Failure::new(Exit::Output, format!("`{}` cannot be written: {error}", path.display()))
        })?;
    }
    Ok(())
}

/// An output error as a failure with its exit code and remedy.
pub fn output_failure(error: OutputError) -> Failure {
    match &error {
        OutputError::WouldOverwrite(_) => Failure::new(
            Exit::Refused,
            format!("{error}; choose another folder, or --force to replace an earlier run there"),
        ),
        OutputError::Discards { .. } => Failure::new(Exit::Refused, error.to_string()),
        OutputError::NotARun(_) => Failure::new(
            Exit::Refused,
            format!("{error}, so --force will not touch it; choose another folder"),
        ),
        OutputError::Held { .. } | OutputError::Link(_) => {
            Failure::new(Exit::Refused, error.to_string())
        }
        OutputError::Unusable { .. } => Failure::new(Exit::Unusable, error.to_string()),
        OutputError::Io { .. } | OutputError::Named(_) => {
            Failure::new(Exit::Output, error.to_string())
        }
    }
}

/// The failure, with its exit code, of a plot that cannot be written.
pub fn plot_failure(error: PlotError) -> Failure {
    let exit = match error {
        PlotError::Ending(_) | PlotError::NoPdf => Exit::Usage,
        PlotError::Style(_) | PlotError::Room { .. } | PlotError::Narrow { .. } => Exit::Usage,
        PlotError::Io { .. } => Exit::Output,
        PlotError::Drawing(_) => Exit::Internal,
    };
    Failure::new(exit, error.to_string())
}

/// The failure, with its exit code, of a baseline that cannot be used.
pub fn baseline_failure(error: BaselineError) -> Failure {
    let exit = match &error {
        BaselineError::Content { .. } => Exit::Input,
        BaselineError::Io { cause, .. } if cause.kind() == std::io::ErrorKind::NotFound => {
            Exit::Input
        }
        BaselineError::Io { .. } => Exit::Output,
    };
    Failure::new(exit, error.to_string())
}

/// The failure, with its exit code, of a plan that cannot be run.
pub fn plan_failure(error: PlanError) -> Failure {
    match error {
        PlanError::Scene(errors) => failure(errors),
        PlanError::Law { law, errors } => {
            let Failure { exit, message } = failure(errors);
            let message = message.trim_end();
            Failure::new(
                exit,
                format!("{message}\nThis is the scene under --laws {law}. {LAW_KEYS}"),
            )
        }
        PlanError::Unknown { .. }
        | PlanError::Number { .. }
        | PlanError::TwoEpsilons(_)
        | PlanError::Multiplier(_) => Failure::new(Exit::Usage, error.to_string()),
    }
}

/// The failure, with its exit code, of a folder that cannot be used.
pub fn folder_failure(error: FolderError) -> Failure {
    let exit = match error {
        FolderError::NotASweep(_)
        | FolderError::Another { .. }
        | FolderError::Link(_)
        | FolderError::Changed(_) => Exit::Refused,
        FolderError::Unreadable { .. } => Exit::Unusable,
        FolderError::TooMany(_) | FolderError::TableTooLarge { .. } | FolderError::TooWide(_) => {
            Exit::Limit
        }
        FolderError::Io { .. } | FolderError::Replaced(_) => Exit::Output,
    };
    Failure::new(exit, error.to_string())
}

/// The failure, with its exit code, of a picture that cannot be drawn.
pub fn picture_failure(error: PictureError) -> Failure {
    let exit = match error {
        PictureError::Setting { .. } => Exit::Usage,
        // another ending would work
        PictureError::Write { cause: FilmError::NoFfmpeg, .. } => Exit::Usage,
        _ => Exit::Output,
    };
    Failure::new(exit, error.to_string())
}
