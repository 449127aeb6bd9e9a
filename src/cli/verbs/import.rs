//! `import`: another program's model as a scene.

use crate::cli::failures::scene_exit;
use crate::cli::model;
use crate::cli::terminal::{self, Exit, Failure, say};
use std::path::{Path, PathBuf};
use stiction_core::registry::words::LISTED;
use stiction_lab::output::folder::atomic;
use stiction_lab::run::Run;
use stiction_lab::run::machine::memory_limit;
use stiction_scene::build::BuildOptions;
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::mjcf::{self, Imported};
use stiction_scene::{LoadOptions, load_text};

/// Options of `import`.
#[derive(clap::Args)]
pub struct Options {
    /// The model: MuJoCo's XML (MJCF)
    model: PathBuf,
    /// Write into this file instead of standard output; - is standard output too
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite what is there
    #[arg(long)]
    force: bool,
}

/// Reads and builds the scene as `check` does.
fn check(imported: &Imported, options: &Options) -> Result<(), Failure> {
    let folder = options.output.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let loaded = load_text("the scene", &imported.text, folder, &LoadOptions::default());
    let refused = |errors: SceneErrors| {
        let place = errors.diagnostics.iter().find_map(|d| imported.origin(d.place?.start));
        let place = place.map_or(String::new(), |[line, column]| format!(":{line}:{column}"));
        let message = format!(
            "{}{place}: `check` would refuse the scene: {}; nothing is written",
            options.model.display(),
            errors.brief()
        );
        // a scene that is wrong is a model that is wrong
        match scene_exit(&errors) {
            Exit::Limit => Failure::new(Exit::Limit, message),
            _ => Failure::new(Exit::Input, message),
        }
    };
    let scene = loaded.map_err(refused)?.scene;
    let limits =
        BuildOptions { threads: 1, max_memory: memory_limit(1), ..BuildOptions::default() };
    Run::new(&scene, &limits).map(drop).map_err(|error| refused(error.in_scene(&scene)))
}

/// Runs the verb.
pub fn import(options: &Options) -> Result<Exit, Failure> {
    let shown = options.model.display();
    let xml = model::read(&options.model)?;
    let imported = mjcf::import(&xml).map_err(|fault| {
        let (line, column) = (fault.line, fault.column);
        Failure::new(Exit::Input, format!("{shown}:{line}:{column}: {}", fault.message))
    })?;
    for (line, what) in imported.left_out.iter().take(LISTED) {
        say(&format!("left out: {shown}:{line}: {what}"));
    }
    if imported.left_out.len() > LISTED {
        let rest = imported.left_out.len() - LISTED;
        say(&format!("left out: and {rest} more, which the scene lists at its head"));
    }
    check(&imported, options)?;
    let path = options.output.as_deref().filter(|path| *path != Path::new("-"));
    let Some(path) = path else {
        terminal::print(&imported.text)?;
        return Ok(Exit::Ok);
    };
    if path.exists() && !options.force {
        let message = format!("{} is there already; --force overwrites it", path.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    atomic::write(path, imported.text.as_bytes()).map_err(|error| {
        Failure::new(Exit::Output, format!("{} cannot be written: {error}", path.display()))
    })?;
    say(&format!("the scene is in {}", path.display()));
    Ok(Exit::Ok)
}
