//! The law's own creep, which determines before any search the ε within the budget.

use super::super::law;
use super::super::trial::Trial;
use super::answer::Combination;
use super::foresight::steady_from;
use super::tuning::Tuning;
use crate::experiment::purse::Purse;
use crate::run::{Observer, Recorded};
use std::cell::Cell;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::integrators::implicit_euler;
use stiction_core::math::larger;
use stiction_core::simulation::Simulation;
use stiction_scene::diagnostics::SceneErrors;
use web_time::Duration;

/// Change of the law's creep between two looks, as a share, below which it has settled.
const CHANGE: f64 = 0.01;

/// Number of frames at the first look; the next looks follow whenever it doubles.
const FIRST: usize = 4;

/// Largest share of the time of a search in which laws are asked for their creep.
const PROBING: f64 = 0.1;

/// Observes the law's creep until it settles.
struct Settling<'a> {
    settled: &'a Cell<Option<f64>>,
    frames: usize,
    sums: Vec<Drift>,
    last: [Option<f64>; 2],
}

impl Observer for Settling<'_> {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> std::io::Result<()> {
        if simulation.state.step_count == 0 {
            return Ok(());
        }
        let creep = &frame.frame.creep;
        self.sums.resize(creep.len(), Drift::default());
        self.sums.iter_mut().zip(creep).for_each(|(sum, since)| sum.append(since));
        self.frames += 1;
        if self.frames >= FIRST && self.frames.is_power_of_two() {
            let creep = self.sums.iter().filter_map(|sum| Some(sum.parts()?.law)).reduce(larger);
            self.sums.clear();
            let near = |before: &Option<f64>| match (before, creep) {
                (Some(before), Some(creep)) => (creep - before).abs() <= CHANGE * creep,
                _ => false,
            };
            if self.last.iter().all(near) {
                self.settled.set(creep);
            }
            self.last = [self.last[1], creep];
        }
        Ok(())
    }
}

impl Tuning<'_> {
    /// CPU time in which each of `laws` laws is asked for its creep \[s\].
    pub(super) fn probing(&self, laws: usize, threads: f64) -> f64 {
        let all = |most: Duration| PROBING * most.as_secs_f64() * threads;
        self.max_time.map_or(f64::INFINITY, all) / laws.max(1) as f64
    }

    /// The ε of a law whose own creep is within the budget, largest first; one `None` for a law
    /// without ε. The creep is that seen within a CPU time of `spend` \[s\].
    pub(super) fn epsilons(
        &self,
        law: &str,
        step: f64,
        spend: f64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Vec<Option<f64>>, SceneErrors> {
        if !law::has_epsilon(law) {
            return Ok(vec![None]);
        }
        let all = || self.grid.epsilons.iter().map(|epsilon| Some(*epsilon)).collect();
        if self.exhaustive {
            return Ok(all());
        }
        // creep is proportional to ε: one run determines it for all
        let epsilon = self.grid.epsilons[self.grid.epsilons.len() / 2];
        let own = self.base.load(&[])?.scene.integrator.name;
        let probe = |integrator: &str| {
            let (law, integrator) = (law.to_string(), integrator.to_string());
            let combination = Combination { law, epsilon: Some(epsilon), integrator, step };
            self.law_creep(&combination, spend, stop)
        };
        // implicit Euler has no step limit; a scene that refuses it is run by its own method
        let creep = probe(implicit_euler::ENTRY.name).or_else(|_| probe(own))?;
        let Some(creep) = creep.filter(|creep| *creep > 0.0) else { return Ok(all()) };
        let most = epsilon * self.budget.creep / creep;
        let within = self.grid.epsilons.iter().filter(|epsilon| **epsilon <= most);
        Ok(within.map(|epsilon| Some(*epsilon)).collect())
    }

    /// The law's creep over the last quarter, or after it has settled \[m/s\]; where `spend` ends the
    /// run before, the last that was seen.
    fn law_creep(
        &self,
        combination: &Combination,
        spend: f64,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<f64>, SceneErrors> {
        let mut sets = combination.sets();
        sets.extend(self.length(1.0));
        let scene = self.base.load(&sets)?.scene;
        let built = self.base.build(&scene)?;
        let settled = Cell::new(None);
        let still = steady_from(&built.model) == 0.0;
        let mut settling =
            Settling { settled: &settled, frames: 0, sums: Vec::new(), last: [None; 2] };
        let purse = Purse::new(spend);
        let ends = || (still && settled.get().is_some()) || purse.is_empty(stop);
        let trial = Trial::observed(&scene, built, None, &mut settling, &ends)
            .map_err(|error| error.in_scene(&scene))?;
        if trial.completed() {
            return Ok(trial
                .creep
                .iter()
                .filter_map(|creep| Some(creep.parts?.law))
                .reduce(larger));
        }
        Ok(settled.get().filter(|_| still).or(settling.last[1]))
    }
}
