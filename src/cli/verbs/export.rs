//! `export`: the scene as another program's files.

use crate::cli::failures::build_failure;
use crate::cli::scene::SceneOptions;
use crate::cli::terminal::{self, Exit, Failure, say};
use std::path::{Path, PathBuf};
use stiction_lab::output::Inexpressible;
use stiction_lab::output::exports::lammps;
use stiction_lab::output::exports::mjcf;
use stiction_scene::Scene;
use stiction_scene::build::{Built, build};

/// Options of `export`.
#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    scene: SceneOptions,
    /// Format to write
    #[arg(long, value_enum)]
    to: Format,
    /// Write into this file instead of standard output; for LAMMPS, NAME.in with NAME.data beside
    /// it, or a folder for both
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace files that are there already
    #[arg(long, requires = "output")]
    force: bool,
}

/// Formats of an exported scene.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Format {
    /// MuJoCo's XML: rigid bodies and balls on resting colliders and belts
    Mjcf,
    /// Input script and data file of LAMMPS: springs as bonds, contacts as granular walls and pairs
    Lammps,
}

/// Runs the verb.
pub fn export(options: &Options) -> Result<Exit, Failure> {
    let (scene, _) = options.scene.load()?;
    let built =
        build(&scene, &options.scene.build_options()).map_err(|e| build_failure(&scene, e))?;
    match options.to {
        Format::Mjcf => to_mjcf(options, &scene, &built)?,
        Format::Lammps => to_lammps(options, &scene, &built)?,
    }
    Ok(Exit::Ok)
}

fn refused(program: &str, Inexpressible(reasons): Inexpressible) -> Failure {
    let reasons = reasons.join("\n  ");
    Failure::new(Exit::Usage, format!("{program} cannot express this scene:\n  {reasons}"))
}

fn to_mjcf(options: &Options, scene: &Scene, built: &Built) -> Result<(), Failure> {
    let text = mjcf::document(scene, built).map_err(|reasons| refused("MJCF", reasons))?;
    let Some(path) = &options.output else { return terminal::print(&text) };
    check_free(options, path)?;
    write(path, &text)?;
    say(&format!("the model is in {}", path.display()));
    Ok(())
}

fn to_lammps(options: &Options, scene: &Scene, built: &Built) -> Result<(), Failure> {
    let Some(output) = &options.output else {
        let message = "LAMMPS reads two files, a script and its data: -o NAME.in writes NAME.in and NAME.data, -o FOLDER/ both into a folder";
        return Err(Failure::new(Exit::Usage, message));
    };
    let script = script_path(output, scene)?;
    let name = script.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let files = lammps::files(scene, built, &name).map_err(|reasons| refused("LAMMPS", reasons))?;
    let data = script.with_extension("data");
    if let Some(folder) = script.parent() {
        std::fs::create_dir_all(folder).map_err(|error| unwritten(folder, &error))?;
    }
    [&script, &data].into_iter().try_for_each(|path| check_free(options, path))?;
    write(&script, &files.script)?;
    write(&data, &files.data)?;
    files.notes.iter().for_each(|note| say(&format!("note: {note}")));
    say(&format!("the script is in {}, its data in {}", script.display(), data.display()));
    Ok(())
}

/// The path of the script: the one given, or the scene's name in the folder given.
fn script_path(output: &Path, scene: &Scene) -> Result<PathBuf, Failure> {
    let as_folder = output.is_dir() || output.to_string_lossy().ends_with(['/', '\\']);
    let script = if as_folder {
        let source = scene.sources.first().map(|source| PathBuf::from(&source.name));
        let stem = source.as_deref().and_then(Path::file_stem).map(PathBuf::from);
        output.join(stem.unwrap_or("scene".into())).with_extension("in")
    } else {
        output.to_path_buf()
    };
    let name = script.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    if script.extension().is_none_or(|end| end != "in") || !name.chars().all(plain) {
        let message = format!(
            "`{name}` is no name of a script: NAME.in of letters, digits and ._-+, since LAMMPS reads words"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    Ok(script)
}

/// Refuses a file that is there already, unless --force.
fn check_free(options: &Options, path: &Path) -> Result<(), Failure> {
    if !path.exists() || options.force {
        return Ok(());
    }
    let message = format!("`{}` is there already: --force replaces it", path.display());
    Err(Failure::new(Exit::Refused, message))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| unwritten(path, &error))
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(Exit::Output, format!("cannot write `{}`: {error}", path.display()))
}
