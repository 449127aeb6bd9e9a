//! The plan of a sweep, checked before anything runs.

use super::folder::{FORMAT, FolderPlan};
use super::grid::SweepGrid;
use super::job::{fingerprint, fingerprint_with, load, named_files};
use crate::experiment::base::Base;
use crate::output::folder::manifest::PROGRAM;
use stiction_scene::Scene;
use stiction_scene::diagnostics::SceneErrors;

/// Reason why a sweep cannot be planned.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The scene of its first job is at fault.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// One key would override another.
    #[error("{0}")]
    Overruled(String),
}

impl FolderPlan {
    /// The plan of a sweep. Its first job is loaded, so that an unknown key is found before
    /// anything runs.
    ///
    /// # Errors
    /// The scene is at fault, or a varied key is also set or varied elsewhere.
    pub fn of(base: &Base, grid: SweepGrid) -> Result<FolderPlan, PlanError> {
        let loaded = load(base, &grid.jobs().settings(0))?;
        let set = base.set.iter().filter_map(|set| Some(set.split_once('=')?.0.trim()));
        let varied = grid.axes.iter().map(|axis| axis.key.as_str());
        overruled(&loaded.scene, &set.collect::<Vec<_>>(), &varied.collect::<Vec<_>>())
            .map_err(PlanError::Overruled)?;
        Ok(FolderPlan {
            format: FORMAT,
            stiction: PROGRAM.into(),
            scene_sha256: fingerprint(&loaded.scene, &grid.axes),
            set: base.set.clone(),
            verify: base.verify.map(|means| means.word().into()),
            accuracy: base.accuracy.as_ref().map(|asked| asked.text().into()),
            jobs: grid.count(),
            grid,
        })
    }

    /// Tells whether the scene, and every file that it or a value names, is as it was planned. The names are found
    /// once, since a plan may have many values; the files are read at each call.
    pub fn watch_inputs<'a>(&'a self, base: &'a Base) -> impl Fn() -> bool + Sync + 'a {
        let first = move || load(base, &self.grid.jobs().settings(0));
        let named = first().map(|it| named_files(&it.scene, &self.grid.axes)).unwrap_or_default();
        move || first().is_ok_and(|it| fingerprint_with(&it.scene, &named) == self.scene_sha256)
    }
}

/// Refuses a varied key that equals, contains or is part of another key set or varied: one of the
/// two would be in the table and not in the run.
fn overruled(scene: &Scene, set: &[&str], varied: &[&str]) -> Result<(), String> {
    let bodies: Vec<&str> = scene.bodies.iter().map(|body| body.name.as_str()).collect();
    let colliders: Vec<&str> = scene.colliders.iter().map(|c| c.name.as_str()).collect();
    // body.0 is the same as body.NAME
    let named = |key: &str| -> Vec<String> {
        let mut parts: Vec<String> = key.split('.').map(|part| part.trim().into()).collect();
        let names = match parts[0].as_str() {
            "body" => &bodies,
            "collider" => &colliders,
            _ => return parts,
        };
        let number = parts.get(1).and_then(|part| part.parse::<usize>().ok());
        if let Some(name) = number.and_then(|number| names.get(number)) {
            parts[1] = (*name).into();
        }
        parts
    };
    for (k, key) in varied.iter().enumerate() {
        for other in set.iter().chain(&varied[..k]) {
            let (a, b) = (named(key), named(other));
            if a.starts_with(&b) || b.starts_with(&a) {
                return Err(format!(
                    "`{key}` is varied, and `{other}` is set or varied too: one would overrule the other; keep one"
                ));
            }
        }
    }
    Ok(())
}
