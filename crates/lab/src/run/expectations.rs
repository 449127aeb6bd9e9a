//! Expectations of a scene: checked before a run, and compared with it afterwards.

use super::{Run, Status};
use stiction_core::math::larger;
use stiction_core::registry::Problem;
use stiction_scene::build::BuildError;
use stiction_scene::{Expectation, Moment, Scene};

impl Run {
    /// The frame and the value to which the expectation with this index refers.
    pub(super) fn measured(&self, number: usize, status: &Status) -> Option<(usize, f64)> {
        let range = |column| self.extremes.range(column);
        let near = |time| 1e-6 * larger(time, self.timeline.simulation.time_step());
        self.tally.measured(number, *status == Status::Completed, range, near)
    }
}

/// Refuses expectations on a column that does not exist, or at a time that is no frame's.
pub(super) fn check_expectations(scene: &Scene, columns: &[String]) -> Result<(), BuildError> {
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
