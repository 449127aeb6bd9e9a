//! `new`: a commented scene to begin with.

use crate::cli::terminal::{self, Exit, Failure};
use std::fs;
use std::path::{Path, PathBuf};
use stiction_lab::output::shell;

/// Options of `new`.
#[derive(clap::Args)]
pub struct Options {
    /// Name of the scene: NAME.toml is written, with the schema that editors read beside it
    name: PathBuf,
    /// The scene to begin with: `stiction new grasp --from gripper` writes grasp.toml with two fingers
    #[arg(long, value_enum, default_value = "slope")]
    from: Beginning,
    /// Overwrite what is there
    #[arg(long)]
    force: bool,
}

/// A scene to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Beginning {
    /// A soft box that a slope holds
    Slope,
    /// A ball that is thrown onto a floor
    Drop,
    /// Two fingers that close on a box, lift, shake and hold it
    Gripper,
    /// A body from a tetrahedral mesh
    Mesh,
}

/// The file beside a scene from which editors complete keys.
const SCHEMA: &str = "scene.schema.json";

impl Beginning {
    fn text(self) -> &'static str {
        match self {
            Beginning::Slope => include_str!("../../../scenes/new/slope.toml"),
            Beginning::Drop => include_str!("../../../scenes/new/drop.toml"),
            Beginning::Gripper => include_str!("../../../scenes/new/gripper.toml"),
            Beginning::Mesh => include_str!("../../../scenes/new/mesh.toml"),
        }
    }

    /// Files needed by the scene.
    fn files(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Beginning::Mesh => &[("brick.msh", include_str!("../../../scenes/meshes/brick.msh"))],
            _ => &[],
        }
    }
}

/// Runs the verb.
pub fn new(options: &Options) -> Result<Exit, Failure> {
    let scene = match options.name.extension() {
        Some(end) if end == "toml" => options.name.clone(),
        _ => PathBuf::from(format!("{}.toml", options.name.display())),
    };
    let folder = scene.parent().unwrap_or(Path::new(""));
    let beside = options.from.files().iter().map(|(name, text)| (folder.join(name), *text));
    let files: Vec<_> =
        std::iter::once((scene.clone(), options.from.text())).chain(beside).collect();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()).filter(|_| !options.force)
    {
        let message = format!("{} is there already; --force overwrites it", path.display());
        return Err(Failure::new(Exit::Refused, message));
    }
    let failed = |path: &Path, error: std::io::Error| {
        Failure::new(Exit::Output, format!("{} cannot be written: {error}", path.display()))
    };
    if !folder.as_os_str().is_empty() {
        fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    }
    for (path, text) in &files {
        fs::write(path, text).map_err(|error| failed(path, error))?;
    }
    // the schema belongs to the program, so the newest is right
    let schema = folder.join(SCHEMA);
    fs::write(&schema, crate::cli::schema_text()).map_err(|error| failed(&schema, error))?;
    let word = shell::path(&scene);
    terminal::print(&format!(
        "{} is written, and {} for editors that complete keys. Next:\n  stiction run {word} --verify\n  stiction watch {word}\n  stiction check {word} --show\n",
        scene.display(),
        schema.display()
    ))?;
    Ok(Exit::Ok)
}
