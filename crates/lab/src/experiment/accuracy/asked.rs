//! An accuracy asked of every run of an experiment.

use super::ladder::{Build, methods};
use super::search::{AccuracySearch, Standing};
use crate::experiment::purse::Purse;
use crate::experiment::thread_time::ThreadTime;
use crate::experiment::trial::{Trial, TrialFigure};
use crate::run::verify::goals::Goals;
use crate::run::{Outcome, Run, Status, Unobserved};
use std::time::Duration;
use stiction_scene::Scene;
use stiction_scene::build::BuildError;

/// The accuracy, and the CPU time in which each run is to have it.
#[derive(Debug, Clone)]
pub struct AskedAccuracy {
    goals: Goals,
    limit: Duration,
}

/// The accuracy that a scene without a step is run with, unless it asks for another.
const WITHOUT_STEP: &str = "1e-2";

/// The accuracy that a scene asks for, or that it is run with since it has no step, and the CPU time in which it is
/// sought; `None` for a scene with a step alone.
pub fn wanted(scene: &Scene) -> Option<(String, Duration)> {
    let without = (!scene.time.given).then(|| WITHOUT_STEP.to_string());
    Some((scene.accuracy.within.clone().or(without)?, limit(scene)))
}

/// The CPU time in which an accuracy of a scene is sought.
pub fn limit(scene: &Scene) -> Duration {
    Duration::try_from_secs_f64(scene.accuracy.max_time).unwrap_or(Duration::MAX)
}

impl AskedAccuracy {
    /// Reads an accuracy for the measures of a run ([`Goals::parse`]); the search for each run may take `limit`.
    ///
    /// # Errors
    /// A sentence: what is wrong, and what may be asked for.
    pub fn parse(text: &str, limit: Duration, run: &Run) -> Result<AskedAccuracy, String> {
        Ok(AskedAccuracy { goals: Goals::parse(text, run)?, limit })
    }

    /// As it was asked for.
    pub fn text(&self) -> &str {
        &self.goals.text
    }

    /// Runs a scene until it has the accuracy; its own step is the first if it is `given`. The trial is that of the
    /// last run that came to its end, or of the first one if none did.
    pub(crate) fn trial(
        &self,
        (scene, given): (&Scene, bool),
        build: Build,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        let start = Run::of(scene, build(scene)?)?;
        let methods = methods((scene, &start), given, self.goals.least_share(), build);
        drop(start);
        let limit = self.limit.as_secs_f64();
        let mut finding = AccuracySearch::new(self.goals.clone(), methods, limit);
        let mut answer: Option<(Run, Outcome, f64)> = None;
        while let Some(scene) = finding.next_scene() {
            let (started, left) = (ThreadTime::now(), finding.left());
            let cost = || started.elapsed().as_secs_f64();
            let purse = Purse::of(left, Box::new(cost));
            let mut run = Run::of(&scene, build(&scene)?)?;
            let (outcome, farthest) = run
                .finish_after(finding.comparison(), &mut Unobserved, &|| purse.is_empty(stop))
                .expect("an unobserved run writes nothing that could fail");
            finding.add(&run, &outcome, farthest, cost());
            if finding.is_last() {
                answer = Some((run, outcome, cost()));
            }
        }
        let (run, outcome, cost) = answer.expect("a search makes a run");
        let mut trial = Trial::of_run(&run, outcome, cost);
        trial.accuracy = Some(finding.end());
        trial.document["accuracy"] = finding.document();
        if stop() && finding.end() == Standing::Interrupted {
            trial.status = Status::Interrupted;
        }
        let delivered = f64::from(u8::from(finding.end() == Standing::Delivered));
        for (name, unit, value) in [("step", "s", trial.step), ("delivered", "1", delivered)] {
            trial.figures.push(TrialFigure { name: name.into(), unit, value: Some(value) });
        }
        Ok(trial)
    }
}
