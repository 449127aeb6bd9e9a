//! By which means each job of a sweep was computed: friction law, method and step.

use super::folder::Folder;
use serde_json::Value;

/// Names of the columns.
pub const MEANS: [&str; 4] = ["job", "law", "method", "step"];

/// Means of all jobs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PointMeans {
    rows: Vec<Vec<String>>,
}

impl PointMeans {
    /// The means of all jobs of a folder; empty cells where a job has none.
    pub fn of(folder: &Folder) -> PointMeans {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let row = |job: usize| {
            let results = folder.outcome(job).map(|outcome| outcome.results).unwrap_or_default();
            let results = Value::Object(results);
            let integrator = &results["integrator"];
            let means = [&results["friction"], &integrator["method"], &integrator["step"]];
            [job.to_string()].into_iter().chain(means.map(text)).collect()
        };
        PointMeans { rows: (0..folder.jobs.count()).map(row).collect() }
    }

    /// The cells of a job, in the order of [`MEANS`].
    pub fn cells(&self, job: usize) -> Vec<String> {
        self.rows.get(job).cloned().unwrap_or_else(|| vec![String::new(); MEANS.len()])
    }
}
