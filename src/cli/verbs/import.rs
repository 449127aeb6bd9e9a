//! `import`: another program's model as a scene.

use crate::cli::model;
use crate::cli::terminal::{self, Exit, Failure, say};
use std::path::{Path, PathBuf};
use stiction_lab::output::folder::atomic;
use stiction_scene::mjcf;

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

/// Runs the verb.
pub fn import(options: &Options) -> Result<Exit, Failure> {
    let shown = options.model.display();
    let xml = model::read(&options.model)?;
    let imported = mjcf::import(&xml).map_err(|fault| {
        let (line, column) = (fault.line, fault.column);
        Failure::new(Exit::Input, format!("{shown}:{line}:{column}: {}", fault.message))
    })?;
    for (line, what) in &imported.left_out {
        say(&format!("left out: {shown}:{line}: {what}"));
    }
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
