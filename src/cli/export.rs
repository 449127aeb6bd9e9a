//! `export`: the scene as another program's file.

use super::failures::build_failure;
use super::scene::SceneOptions;
use super::terminal::{self, Exit, Failure, say};
use crate::output::mjcf;
use crate::scene::build::build;
use std::path::PathBuf;

/// Options of `export`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Format to write
    #[arg(long, value_enum)]
    to: Format,
    /// Write into this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Formats of an exported scene.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// MuJoCo's XML: rigid bodies and balls on resting colliders and belts
    Mjcf,
}

/// Runs the verb.
pub fn export(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    let built =
        build(&scene, &options.scene.build_options()).map_err(|e| build_failure(&scene, e))?;
    let text = match options.to {
        Format::Mjcf => mjcf::document(&scene, &built),
    };
    let text = text.map_err(|mjcf::Inexpressible(reasons)| {
        let reasons = reasons.join("\n  ");
        Failure::new(Exit::Usage, format!("MJCF cannot express this scene:\n  {reasons}"))
    })?;
    match &options.output {
        None => terminal::print(&text)?,
        Some(path) => {
            std::fs::write(path, text).map_err(|error| {
                Failure::new(Exit::Output, format!("cannot write `{}`: {error}", path.display()))
            })?;
            say(&format!("the model is in {}", path.display()));
        }
    }
    Ok(Exit::Ok)
}
