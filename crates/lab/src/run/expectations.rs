//! Expectations of a scene: checked before a run, and compared with it afterwards.

use super::verify::goals::Goals;
use super::{Checked, Run, Status};
use stiction_core::math::larger;
use stiction_core::measures::Probe;
use stiction_core::registry::Problem;
use stiction_scene::build::BuildError;
use stiction_scene::{Expectation, Moment, Scene};

/// The `key=value` texts among `sets` that change what a scene does: all but those of step, frames and method. The
/// expectations of a scene are for the scene without them.
pub fn changes(sets: &[String]) -> Vec<&String> {
    let numerical = |text: &str| {
        let key = text.split('=').next().unwrap_or_default().trim();
        ["time.step", "time.output", "contact.tolerance"].contains(&key)
            || ["integrator", "output", "view", "expect"]
                .contains(&key.split('.').next().unwrap_or(key))
    };
    sets.iter().filter(|text| !numerical(text)).collect()
}

impl Run {
    /// The texts of `--set` that change what the scene does, so that its expectations are for another one.
    pub fn changes(&self) -> Vec<&String> {
        let sources = self.timeline.scene.sources.iter();
        let sets = sources.filter(|source| source.name == "--set").map(|source| &source.text);
        sets.filter(|text| !changes(std::slice::from_ref(text)).is_empty()).collect()
    }

    /// The expectations, with what was measured.
    pub(super) fn checked(&self, status: &Status) -> Vec<Checked> {
        let checked = |(number, expectation): (usize, &Expectation)| {
            let found = self.measured(number, status);
            let (frame, measured) = (found.map(|f| f.0), found.map(|f| f.1));
            let (expectation, between) = (expectation.clone(), found.map_or(0.0, |f| f.2));
            Checked { expectation, measured, frame, between, error: None }
        };
        self.expectations.iter().enumerate().map(checked).collect()
    }

    /// The frame and the value to which the expectation with this index refers, and by how much an extreme lies beyond
    /// all values at the ends of steps.
    fn measured(&self, number: usize, status: &Status) -> Option<(usize, f64, f64)> {
        let range = |column| self.extremes.range(column);
        let near = |time| 1e-6 * larger(time, self.timeline.simulation.time_step());
        self.tally.measured(number, *status == Status::Completed, range, near)
    }
}

/// Refuses expectations and an accuracy that cannot be asked of the measures and their columns.
pub(super) fn check_asked(
    scene: &Scene,
    probes: &[Probe],
    columns: &[String],
) -> Result<(), BuildError> {
    check_expectations(scene, columns)?;
    Goals::check(scene, probes)
}

/// Refuses expectations on a column that does not exist, or at a time that is no frame's.
fn check_expectations(scene: &Scene, columns: &[String]) -> Result<(), BuildError> {
    let fault = |expectation: &Expectation, message: String, help: String| BuildError::Scene {
        problem: Problem { key: None, message, help },
        place: expectation.place,
    };
    for expectation in &scene.expectations {
        let name = &expectation.column;
        if !columns.contains(name) {
            let help = if columns.is_empty() {
                "add a [[measure]] of that name".into()
            } else {
                format!("the measures make: {}", columns.join(", "))
            };
            let message = format!("no measure makes a column `{name}`");
            return Err(fault(expectation, message, help));
        }
        if let Moment::Time(time) = expectation.at {
            let interval = scene.time.step * scene.time.steps_per_frame as f64;
            let nearest = (time / interval).round() * interval;
            let is_frame = (time - nearest).abs() < 1e-6 * interval || time == scene.time.end();
            // an expectation beyond the end of a shortened run is not met, but is no mistake
            if !is_frame && time < scene.time.end() {
                let message = format!("`at = {time}` is not the time of a frame");
                let help = format!(
                    "frames are every {interval} s from 0 to {}; or use \"end\", \"max\" or \"min\"",
                    scene.time.end()
                );
                return Err(fault(expectation, message, help));
            }
        }
    }
    Ok(())
}
