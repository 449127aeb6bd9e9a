//! The scene from which an experiment starts, and how it is loaded with changes.

use crate::run::verify::Builder;
use crate::run::{Means, Run};
use std::path::PathBuf;
use std::sync::Arc;
use stiction_core::halt::Halt;
use stiction_scene::build::{BuildOptions, Built, build};
use stiction_scene::diagnostics::SceneErrors;
use stiction_scene::folder::Folder;
use stiction_scene::load::load_bytes;
use stiction_scene::{LoadOptions, Loaded, Scene, load};

/// A change to a built scene.
pub type Change = Arc<dyn Fn(&mut Built) + Send + Sync>;

/// A scene file or its text, with changes that apply to every run of the experiment.
#[derive(Debug, Clone)]
pub struct Base {
    origin: Origin,
    /// `key=value` texts as of `--set`: see [`LoadOptions::set`].
    pub set: Vec<String>,
    /// Includes may lie outside the scene's folder.
    pub allow_path: bool,
    /// Limits for building.
    pub options: BuildOptions,
    /// Means of verifying every run; none: runs are not verified.
    pub verify: Option<Means>,
}

#[derive(Debug, Clone)]
enum Origin {
    File(PathBuf),
    Bytes { name: String, bytes: Vec<u8>, folder: Folder },
}

impl Base {
    /// A scene file.
    pub fn file(path: impl Into<PathBuf>) -> Base {
        Base::from(Origin::File(path.into()))
    }

    /// The text of a scene; `name` is the file's name in messages, `folder` the base of includes
    /// and meshes.
    pub fn bytes(name: &str, bytes: &[u8], folder: impl Into<Folder>) -> Base {
        let folder = folder.into();
        Base::from(Origin::Bytes { name: name.into(), bytes: bytes.to_vec(), folder })
    }

    fn from(origin: Origin) -> Base {
        Base {
            origin,
            set: Vec::new(),
            allow_path: false,
            options: BuildOptions::default(),
            verify: None,
        }
    }

    /// The same, whose runs leave a step also once `late` says so.
    pub fn until(&self, late: impl Fn() -> bool + Send + Sync + 'static) -> Base {
        let (mut base, asked) = (self.clone(), self.options.halt.clone());
        base.options.halt = Halt::when(move || asked.is_asked() || late());
        base
    }

    /// Loads the scene, with further changes.
    ///
    /// # Errors
    /// All faults of the scene.
    pub fn load(&self, more: &[String]) -> Result<Loaded, SceneErrors> {
        let set = self.set.iter().chain(more).cloned().collect();
        let options = LoadOptions { set, allow_path: self.allow_path };
        match &self.origin {
            Origin::File(path) => load(path, &options),
            Origin::Bytes { name, bytes, folder } => load_bytes(name, bytes, folder, &options),
        }
    }

    /// The same scene with its runs verified by `verify`.
    pub fn verified(&self, verify: Option<Means>) -> Base {
        let mut base = self.clone();
        base.verify = verify;
        base
    }

    /// Means of verifying a run, and the builder of its scenes with the same changes.
    pub(crate) fn verifier(&self, changes: &[Change]) -> Option<(Means, Builder)> {
        let (options, changes) = (self.options.clone(), changes.to_vec());
        let built = move |scene: &Scene| {
            let mut built = build(scene, &options)?;
            changes.iter().for_each(|change| change(&mut built));
            Ok(built)
        };
        Some((self.verify?, Box::new(built)))
    }

    /// Memory of a run of a loaded scene until its end \[bytes\], with the runs that verify it: an estimate.
    ///
    /// # Errors
    /// The parts that contradict each other.
    pub fn memory(&self, scene: &Scene) -> Result<u128, SceneErrors> {
        let run = Run::of(scene, self.build(scene)?).map_err(|error| error.in_scene(scene))?;
        Ok(run.memory_beside(usize::from(self.verify.is_some())))
    }

    /// Builds a loaded scene.
    ///
    /// # Errors
    /// The parts that contradict each other.
    pub fn build(&self, scene: &Scene) -> Result<Built, SceneErrors> {
        build(scene, &self.options).map_err(|error| error.in_scene(scene))
    }
}
