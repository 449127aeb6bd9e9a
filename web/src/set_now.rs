//! The settings of a run now, for a run of its own from t = 0.

use stiction_scene::Scene;
use stiction_view::play::pane::Pane;

/// A run as it was opened.
pub struct OpenedRun {
    /// its `key=value` texts
    set: Vec<String>,
    scene: Scene,
}

impl OpenedRun {
    /// Runs at t = 0, each opened with its `key=value` texts.
    pub fn all(sets: Vec<Vec<String>>, panes: &[Pane]) -> Vec<OpenedRun> {
        let runs = sets.into_iter().zip(panes);
        runs.map(|(set, pane)| OpenedRun { set, scene: pane.scene().clone() }).collect()
    }

    /// The `key=value` texts of the present settings: those of the opening, then the changes.
    pub fn set_now(&self, pane: &Pane) -> Vec<String> {
        let changes = pane.changes();
        [self.set.clone(), changes.start(), changes.set(&self.scene)].concat()
    }

    /// Whether every key of the scene has the value of its text.
    pub fn is_as_written(&self, pane: &Pane) -> bool {
        self.set_now(pane).is_empty()
    }
}
