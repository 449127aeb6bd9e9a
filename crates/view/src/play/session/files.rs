//! The files of a scene, watched for changes.

use crate::play::pane::Pane;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The scene's files, and their times of modification.
#[derive(Default)]
pub(super) struct Files {
    times: Vec<(PathBuf, Option<SystemTime>)>,
    /// wall time since the last check \[s\]
    pub(super) since: f64,
}

impl Files {
    pub(super) fn of(pane: &Pane) -> Files {
        let names = pane.scene().sources.iter().map(|source| PathBuf::from(&source.name));
        let files = names.filter(|path| path.is_file());
        let times = files.map(|path| {
            let time = written(&path);
            (path, time)
        });
        Files { times: times.collect(), since: 0.0 }
    }

    /// Whether one of them was written since the last call.
    pub(super) fn changed(&mut self) -> bool {
        let mut changed = false;
        for (path, time) in &mut self.times {
            // a file being replaced is absent for a moment
            if let Some(now) = written(path)
                && Some(now) != *time
            {
                *time = Some(now);
                changed = true;
            }
        }
        changed
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}
