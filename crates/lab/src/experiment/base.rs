//! The scene from which an experiment starts, and how it is loaded with changes.

use super::accuracy::asked::AskedAccuracy;
use super::trial::Trial;
use crate::run::verify::Builder;
use crate::run::{Means, Run};
use std::path::PathBuf;
use std::sync::Arc;
use stiction_core::halt::Halt;
use stiction_scene::build::{BuildError, BuildOptions, Built, build};
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
    /// The accuracy asked of every run, which is then verified by the runs that lead to it.
    pub accuracy: Option<AskedAccuracy>,
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
            accuracy: None,
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

    /// The same scene with its runs verified by `verify`, and no accuracy asked of them.
    pub fn verified(&self, verify: Option<Means>) -> Base {
        let mut base = self.clone();
        (base.verify, base.accuracy) = (verify, None);
        base
    }

    /// Runs a loaded scene with changes: verified, or with the accuracy asked. `set` are the settings with which it was
    /// loaded beside those of the base.
    pub(crate) fn trial(
        &self,
        (scene, set): (&Scene, &[String]),
        changes: &[Change],
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        let builder = self.builder(changes);
        if let Some(asked) = &self.accuracy {
            let given = self.set.iter().chain(set).any(|set| is_step(set));
            return asked.trial((scene, given), &builder, stop);
        }
        let built = builder(scene)?;
        Trial::of_built(scene, built, self.verifier(changes), stop)
    }

    /// Means of verifying a run, and the builder of its scenes with the same changes.
    pub(crate) fn verifier(&self, changes: &[Change]) -> Option<(Means, Builder)> {
        Some((self.verify?, self.builder(changes)))
    }

    /// Builds scenes with changes.
    fn builder(&self, changes: &[Change]) -> Builder {
        let (options, changes) = (self.options.clone(), changes.to_vec());
        Box::new(move |scene: &Scene| {
            let mut built = build(scene, &options)?;
            changes.iter().for_each(|change| change(&mut built));
            Ok(built)
        })
    }

    /// Memory of a run of a loaded scene until its end \[bytes\], with the runs that verify it: an estimate.
    ///
    /// # Errors
    /// The parts that contradict each other.
    pub fn memory(&self, scene: &Scene) -> Result<u128, SceneErrors> {
        let run = Run::of(scene, self.build(scene)?).map_err(|error| error.in_scene(scene))?;
        let compared = self.verify.is_some() || self.accuracy.is_some();
        Ok(run.memory_beside(usize::from(compared)))
    }

    /// Builds a loaded scene.
    ///
    /// # Errors
    /// The parts that contradict each other.
    pub fn build(&self, scene: &Scene) -> Result<Built, SceneErrors> {
        build(scene, &self.options).map_err(|error| error.in_scene(scene))
    }
}

/// Whether a `key=value` text sets the step.
pub fn is_step(set: &str) -> bool {
    set.split('=').next().is_some_and(|key| key.trim() == "time.step")
}
