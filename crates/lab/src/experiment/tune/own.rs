//! The scene's own law, ε, method and step: run, and verified, before the search.

use super::answer::{Combination, Cost, Passed, SearchEnd, TuneCandidate};
use super::forecast::Progress;
use super::tuning::{Clock, Tuning};
use crate::experiment::purse::Purse;
use crate::experiment::trial::Trial;
use std::fmt::Write;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::math::larger;
use stiction_core::registry::Value;
use stiction_scene::Scene;

/// Share of the time left that the first run may cost if it is verified before the search.
const FIRST_RUN: f64 = 0.2;

/// The scene's own combination after its run.
pub(super) struct Own {
    /// with the end of its runs
    pub candidate: TuneCandidate,
    /// result of its verification, if it was verified before the search
    pub passed: Option<Passed>,
}

/// The combination that a scene names; none if a value of its law cannot be written as `key=value`.
fn combination(scene: &Scene) -> Option<Combination> {
    let choice = &scene.contact.friction;
    let row = FRICTION_LAWS.find(choice.name)?;
    let mut law = row.name.to_string();
    let given = row.keys.iter().filter(|key| key.name != "epsilon");
    for key in given.filter(|key| choice.places.iter().any(|(name, _)| *name == key.name)) {
        match choice.values.0.get(key.name) {
            Some(Value::Number(x)) => write!(law, ":{}={x:e}", key.name).ok()?,
            Some(Value::Integer(n)) => write!(law, ":{}={n}", key.name).ok()?,
            Some(Value::Text(text)) => write!(law, ":{}=\"{text}\"", key.name).ok()?,
            _ => return None,
        }
    }
    Some(Combination {
        law,
        epsilon: choice.values.get_number("epsilon"),
        integrator: scene.integrator.name.into(),
        step: scene.time.step,
    })
}

impl Tuning<'_> {
    /// Runs the scene as it is, if the grid asks for it, and verifies it where its own faults may be
    /// without effect on any measure, or where there is time. The cost is that of a run to its end.
    pub(super) fn try_own(
        &self,
        clock: &Clock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Option<Own> {
        if !self.grid.own {
            return None;
        }
        let combination = combination(&self.base.load(&[]).ok()?.scene)?;
        progress(&Progress::now("running the scene's own setting", clock, f64::INFINITY, 0, None));
        let trial = self.run_through(&combination, 1.0, &|| self.over(clock)).ok()?;
        if self.over(clock) {
            return None;
        }
        let spent = match self.cost {
            Cost::Cpu => trial.cpu_seconds,
            Cost::Evaluations => trial.work.evaluations as f64,
        };
        let reached = trial.trace.times.last().copied().unwrap_or_default();
        let mut candidate = TuneCandidate {
            cost: spent / larger(reached, combination.step),
            completed: trial.completed(),
            creep: trial.creep.iter().map(|creep| creep.measured).reduce(larger),
            end: self.fault(&trial, &[]).map_or(SearchEnd::Holds, SearchEnd::Fails),
            runs: 1,
            combination,
        };
        // faults that may turn out to be without effect do not decide
        let excused = match self.verify.is_some() && trial.verdict.can_be_outweighed() {
            true => trial.verdict.reasons.iter().map(|reason| reason.name()).collect(),
            false => Vec::new(),
        };
        let affordable = trial.cpu_seconds <= FIRST_RUN * clock.left();
        if !affordable || self.fault(&trial, &excused).is_some() {
            return Some(Own { candidate, passed: None });
        }
        progress(&Progress::now(
            "verifying the scene's own setting",
            clock,
            f64::INFINITY,
            1,
            None,
        ));
        let found = self.own_passes(&candidate.combination, clock);
        if self.over(clock) {
            return Some(Own { candidate, passed: None });
        }
        candidate.runs += 1;
        candidate.end = match &found {
            Ok(_) => SearchEnd::Holds,
            Err(why) => SearchEnd::Fails(why.clone()),
        };
        Some(Own { candidate, passed: found.ok() })
    }

    /// Verifies as [`Tuning::passes`] does; in the run twice as long, faults of the kinds that
    /// the runs at other steps found without effect are passed over.
    fn own_passes(&self, combination: &Combination, clock: &Clock) -> Result<Passed, String> {
        let finer = Combination { step: 0.5 * combination.step, ..combination.clone() };
        let over = || self.over(clock);
        let (twice, verified) = rayon::join(
            || self.run_through(&finer, 2.0, &over),
            || self.verified_run(combination, &over),
        );
        let (twice, verified) = (twice?, verified?);
        let outweighed = verified.iter().flat_map(|trial| &trial.verdict.outweighed);
        let excused: Vec<&str> = outweighed.map(|reason| reason.name()).collect();
        let error = verified.as_ref().map(|trial| self.error(trial)).transpose();
        let error = error.map_err(|fault| format!("verified: {fault}"))?;
        if let Some(fault) = self.fault(&twice, &excused) {
            return Err(format!("twice as long at half the step: {fault}"));
        }
        let creep = twice.creep.iter().map(|creep| creep.measured).reduce(larger);
        Ok((creep, error.flatten()))
    }

    /// A run of `times` its usual length to its end, whatever its faults.
    fn run_through(
        &self,
        combination: &Combination,
        times: f64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, String> {
        let mut sets = combination.sets();
        sets.extend(self.length(times));
        let first = |errors: stiction_scene::diagnostics::SceneErrors| {
            errors.diagnostics[0].message.clone()
        };
        let scene = self.base.load(&sets).map_err(first)?.scene;
        let built = self.base.build(&scene).map_err(first)?;
        let purse = Purse::new(f64::INFINITY);
        let ends = || purse.is_empty(stop);
        Trial::of_built(&scene, built, None, &ends).map_err(|error| error.to_string())
    }
}
