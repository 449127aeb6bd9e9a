//! The search: lanes take turns under a ceiling of cost.

use super::answer::{Answer, Combination, Cost, Ending, TuneCandidate};
use super::forecast::{METHOD, Progress, Speed};
use super::lane::Lane;
use super::tuning::{Clock, Tuning};
use crate::experiment::law;
use crate::experiment::stable_step::stable_step;
use rayon::prelude::*;
use stiction_core::math::smaller;
use stiction_scene::diagnostics::SceneErrors;

/// Number of ε in a row without a cheaper result after which the search of a law ends.
const NO_CHEAPER: usize = 2;

/// Growth factor of the ceiling: repeated runs cost at most a third of the last run.
const RISE: f64 = 4.0;

/// Factor of the ceiling for laws that hold without creep, until something holds: they need no small ε, and
/// what they cost bounds all others.
const LEAD: f64 = RISE * RISE;

/// Share of the time left that one run of the laws tried first may take before the lanes take turns: a best found
/// there can be verified in the rest.
const FIRST_RUN: f64 = 0.125;

/// Error factor of clocks: a candidate dearer than the best by less is run to its end.
const CLOCK_NOISE: f64 = 1.2;

/// The lanes of one law.
struct LawLanes {
    law: String,
    /// whether it holds without creep
    leads: bool,
    /// those not yet opened
    epsilons: std::vec::IntoIter<Option<f64>>,
    /// the lanes of all opened ε
    lanes: Vec<Lane>,
    /// number of ε in a row without improvement
    idle: usize,
    /// the least cost that held when the last ε was opened
    before: Option<f64>,
}

impl LawLanes {
    fn new(law: &str, epsilons: Vec<Option<f64>>) -> LawLanes {
        let leads = epsilons.iter().all(Option::is_none);
        let epsilons = epsilons.into_iter();
        LawLanes { law: law.into(), leads, epsilons, lanes: Vec::new(), idle: 0, before: None }
    }

    fn cheapest(&self) -> Option<f64> {
        let holding = self.lanes.iter().filter_map(Lane::holding);
        holding.map(|candidate| candidate.cost).reduce(smaller)
    }

    /// Opens the next ε.
    fn open(&mut self, tuning: &Tuning, speed: &Speed) {
        self.before = self.cheapest();
        let Some(epsilon) = self.epsilons.next() else { return };
        let stiffness =
            if tuning.exhaustive { 0.0 } else { least_explicit(tuning, speed, &self.law, epsilon) };
        let steps = &tuning.grid.steps;
        let lane = |name: &String| Lane::new((&self.law, epsilon), name, steps, stiffness);
        let opened: Vec<Lane> = tuning.grid.integrators.iter().map(lane).collect();
        self.lanes.extend(opened);
    }

    /// Opens the next ε if the open lanes are finished and fewer than `NO_CHEAPER` ε in a row
    /// brought no improvement; `bound` is the least cost that holds over all laws.
    fn open_if_through(&mut self, tuning: &Tuning, speed: &Speed, most: f64, bound: Option<f64>) {
        while self.epsilons.len() > 0 && self.idle < NO_CHEAPER {
            let waits = |lane: &Lane| match bound {
                Some(_) => lane.waits_below(most),
                None => !lane.done,
            };
            if self.lanes.iter().any(waits) {
                return;
            }
            let gained = self.lanes.is_empty() || bound.is_none() || self.cheapest() != self.before;
            self.idle = if gained || tuning.exhaustive { 0 } else { self.idle + 1 };
            if self.idle < NO_CHEAPER {
                self.open(tuning, speed);
            }
        }
    }
}

/// Lower bound of an explicit method's cost per simulated second: its evaluations at twice the
/// largest stable step of symplectic Euler, times 0.6 for inaccurate clocks.
fn least_explicit(tuning: &Tuning, speed: &Speed, law: &str, epsilon: Option<f64>) -> f64 {
    let integrator = METHOD.to_string();
    let step = tuning.grid.steps.first().copied().unwrap_or_default();
    let combination = Combination { law: law.into(), epsilon, integrator, step };
    let limit = || {
        let scene = tuning.base.load(&combination.sets()).ok()?.scene;
        let built = tuning.base.build(&scene).ok()?;
        let limit = stable_step(&scene, &built.model, built.state.clone()).ok()??.0;
        (limit > 0.0).then_some(limit)
    };
    limit().map_or(0.0, |limit| 0.6 * speed.cost_at(2.0 * limit, tuning.cost))
}

/// The message of the first error.
fn first(errors: &SceneErrors) -> String {
    errors.diagnostics[0].message.clone()
}

/// The first refusal, if everything is refused.
fn all_of(mut refusals: impl Iterator<Item = Option<SceneErrors>>) -> Option<SceneErrors> {
    let found = refusals.next()??;
    refusals.all(|refusal| refusal.is_some()).then_some(found)
}

/// All lanes of a search.
struct Field {
    laws: Vec<LawLanes>,
    /// the scene's own combination, if it holds
    own: Option<TuneCandidate>,
    /// whether it is verified
    own_passed: bool,
}

impl Field {
    fn lanes(&self) -> impl Iterator<Item = &Lane> {
        self.laws.iter().flat_map(|law| &law.lanes)
    }

    fn best(&self) -> Option<&TuneCandidate> {
        let holding = self.lanes().filter_map(Lane::holding).chain(&self.own);
        holding.min_by(|a, b| a.cost.total_cmp(&b.cost))
    }

    fn runs(&self) -> usize {
        self.lanes().map(|lane| lane.last.runs).chain(self.own.iter().map(|own| own.runs)).sum()
    }

    /// Whether a remaining combination may be cheaper than `most`.
    fn waits_below(&self, most: f64) -> bool {
        let laws = self.laws.iter();
        let closed = |law: &LawLanes| law.epsilons.len() == 0 || law.idle >= NO_CHEAPER;
        self.lanes().any(|lane| lane.waits_below(most)) || !laws.clone().all(closed)
    }
}

impl Tuning<'_> {
    /// Searches.
    ///
    /// # Errors
    /// The scene is wrong, either itself or under every law.
    pub fn run(&self, progress: &mut dyn FnMut(&Progress)) -> Result<Answer, SceneErrors> {
        let clock = Clock::start(self.max_time);
        let base = self.base.until(move || clock.left() <= 0.0);
        let refused = self.refused_laws();
        let mut grid = self.grid.clone();
        grid.laws.retain(|law| refused.iter().all(|(name, _)| name != law));
        if let (true, Some((_, errors))) = (grid.laws.is_empty(), refused.first()) {
            return Err(errors.clone());
        }
        let answer = Tuning { base: &base, grid, ..*self }.run_until(clock, progress)?;
        let dropped = refused.into_iter().map(|(law, errors)| (law, first(&errors)));
        Ok(Answer { dropped: dropped.chain(answer.dropped).collect(), ..answer })
    }

    /// Laws and integrators of the grid that the scene refuses at its own step, whatever they are combined
    /// with, and the reasons: what is missing, or does not fit.
    pub fn refused(&self) -> Vec<(String, String)> {
        let laws = self.refused_laws();
        let fit = |law: &&String| laws.iter().all(|(refused, _)| refused != *law);
        let others: Vec<&String> = self.grid.laws.iter().filter(fit).collect();
        let integrators = self.grid.integrators.iter().filter_map(|integrator| {
            let refusals = others.iter().map(|law| self.refusal(law, integrator));
            Some((integrator.clone(), all_of(refusals)?))
        });
        let refused = laws.iter().cloned().chain(integrators);
        refused.map(|(name, errors)| (name, first(&errors))).collect()
    }

    fn refused_laws(&self) -> Vec<(String, SceneErrors)> {
        let refused = |law: &String| {
            let integrators = self.grid.integrators.iter();
            let refusals = integrators.map(|integrator| self.refusal(law, integrator));
            Some((law.clone(), all_of(refusals)?))
        };
        self.grid.laws.iter().filter_map(refused).collect()
    }

    /// The errors of the scene under a law, with the largest ε, and an integrator; `None` where it can
    /// run.
    fn refusal(&self, law: &str, integrator: &str) -> Option<SceneErrors> {
        let epsilon = self.grid.epsilons.first().filter(|_| law::has_epsilon(law));
        let mut sets = law::sets(law);
        sets.extend(epsilon.map(|epsilon| format!("contact.friction.epsilon={epsilon:e}")));
        sets.push(format!("integrator.method={integrator}"));
        let loaded = self.base.load(&sets).and_then(|loaded| self.base.build(&loaded.scene));
        loaded.err()
    }

    fn run_until(
        &self,
        clock: Clock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Answer, SceneErrors> {
        let scene = self.base.load(&self.length(1.0))?.scene;
        self.base.build(&scene)?;
        let own = self.try_own(&clock, progress);
        let speed = Speed::measure(self)?;
        let lanes = self.grid.laws.len() * self.grid.integrators.len();
        let remaining = speed.remaining(self, lanes, None);
        progress(&Progress::now("asking laws for their creep", &clock, remaining, 0, None));
        let stop = || self.over(&clock);
        let laws = &self.grid.laws;
        let with_epsilon = laws.iter().filter(|law| law::has_epsilon(law)).count();
        let spend = self.probing(with_epsilon, speed.threads);
        let asked = |law: &String| self.epsilons(law, scene.time.step, spend, &stop);
        let probed: Vec<_> = laws.par_iter().map(asked).collect();
        let (mut field, mut dropped, mut refusal) =
            (Field { laws: Vec::new(), own: None, own_passed: false }, Vec::new(), None);
        for (law, epsilons) in self.grid.laws.iter().zip(probed) {
            match epsilons {
                Ok(epsilons) => field.laws.push(LawLanes::new(law, epsilons)),
                Err(errors) => {
                    dropped.push((law.clone(), errors.diagnostics[0].message.clone()));
                    refusal = Some(errors);
                }
            }
        }
        if let (Some(errors), true) = (refusal, field.laws.is_empty()) {
            return Err(errors);
        }
        field.own = own.as_ref().map(|own| own.candidate.clone()).filter(TuneCandidate::holds);
        field.own_passed = own.as_ref().is_some_and(|own| own.passed.is_some());
        if self.max_time.is_some() && !self.exhaustive && field.own.is_none() {
            self.begin(&mut field, &speed, &clock);
        }
        let ending = self.search(&mut field, &speed, &clock, progress);
        let lanes = field.laws.into_iter().flat_map(|law| law.lanes);
        let first = own.iter().map(|own| own.candidate.clone());
        let candidates = first.chain(lanes.map(Lane::found)).collect();
        Ok(Answer { dropped, ..self.decide((candidates, own), ending, &speed, &clock, progress) })
    }

    /// Begins a search whose time is bounded: tries the steps of the lane of [`METHOD`], or of the first lane, until
    /// one holds, of every law that holds without creep, or of the first law where none does. Where nothing holds
    /// at a large step, the lanes would all be tried under one ceiling after the other, and the time be over.
    fn begin(&self, field: &mut Field, speed: &Speed, clock: &Clock) {
        let most = speed.affordable(FIRST_RUN * clock.left(), self.cost);
        let explicit = self.grid.integrators.iter().position(|name| name == METHOD).unwrap_or(0);
        let any_leads = field.laws.iter().any(|law| law.leads);
        let laws = field.laws.iter_mut().enumerate();
        let chosen = laws.filter(|(number, law)| law.leads || !any_leads && *number == 0);
        let mut lanes: Vec<&mut Lane> = chosen
            .filter_map(|(_, law)| {
                law.open(self, speed);
                law.lanes.get_mut(explicit)
            })
            .collect();
        lanes.par_iter_mut().for_each(|lane| {
            while lane.waits_below(most) && !self.over(clock) {
                lane.advance(self, speed, most, clock);
            }
        });
    }

    /// Runs the lanes in turn until no combination can be cheaper than the best.
    fn search(
        &self,
        field: &mut Field,
        speed: &Speed,
        clock: &Clock,
        progress: &mut dyn FnMut(&Progress),
    ) -> Ending {
        let longest = self.grid.steps.first().copied().unwrap_or(1.0);
        let mut ceiling =
            if self.exhaustive { f64::INFINITY } else { RISE * speed.cost_at(longest, self.cost) };
        loop {
            while self.wave(field, ceiling, speed, clock, progress) {
                if self.out_of_time(field, speed, clock) {
                    break;
                }
            }
            if (self.stop)() {
                return Ending::Stopped;
            }
            if self.out_of_time(field, speed, clock) {
                return Ending::OutOfTime;
            }
            let most = self.most(field);
            if most <= ceiling || !field.waits_below(most) {
                return Ending::Complete;
            }
            ceiling *= RISE;
            // combinations that hold only at a smaller ε must not wait for all steps of larger ones
            for law in &mut field.laws {
                if law.cheapest().is_none() && law.idle < NO_CHEAPER {
                    law.open(self, speed);
                }
            }
        }
    }

    /// The largest cost per simulated second with which a run can be the best.
    fn most(&self, field: &Field) -> f64 {
        let noise = if self.cost == Cost::Cpu { CLOCK_NOISE } else { 1.0 };
        match field.best() {
            Some(best) if !self.exhaustive => noise * best.cost,
            _ => f64::INFINITY,
        }
    }

    /// Number of lanes that may be cheaper than the best, those of up to [`NO_CHEAPER`] further ε
    /// of each law included.
    fn left(&self, field: &Field) -> usize {
        let most = self.most(field);
        let open = field.lanes().filter(|lane| lane.waits_below(most)).count();
        let closed = |law: &LawLanes| law.epsilons.len().min(NO_CHEAPER.saturating_sub(law.idle));
        open + field.laws.iter().map(closed).sum::<usize>() * self.grid.integrators.len()
    }

    /// Whether the time is over, or the rest of it is needed to verify the best.
    fn out_of_time(&self, field: &Field, speed: &Speed, clock: &Clock) -> bool {
        self.over(clock) || clock.left() < self.to_verify(field, speed)
    }

    /// Wall time that the verification of the best needs \[s\].
    fn to_verify(&self, field: &Field, speed: &Speed) -> f64 {
        let best =
            field.best().filter(|best| !field.own_passed || field.own.as_ref() != Some(*best));
        best.map_or(0.0, |best| speed.verification(self, best.cost))
    }

    /// Runs the next step of every lane that may cost less than the ceiling; returns false if there
    /// is none. All runs of a wave use the bound of earlier waves, so that the answer does not
    /// depend on the number of threads.
    fn wave(
        &self,
        field: &mut Field,
        ceiling: f64,
        speed: &Speed,
        clock: &Clock,
        progress: &mut dyn FnMut(&Progress),
    ) -> bool {
        let bound = field.best().map(|best| best.cost);
        let reserved = self.to_verify(field, speed);
        let most = self.most(field);
        let ceiling_of = |law: &LawLanes| match bound {
            None if law.leads => LEAD * ceiling,
            _ => smaller(ceiling, most),
        };
        for law in &mut field.laws {
            law.open_if_through(self, speed, ceiling_of(law), bound);
        }
        let remaining = match field.runs() {
            0 => speed.remaining(self, self.left(field), bound),
            // assumes that the remaining runs cost as much as the past ones
            runs => {
                let each = clock.elapsed() / runs as f64;
                let last = bound.unwrap_or(speed.rate * speed.cost_at(1.0, self.cost));
                self.left(field) as f64 * each + speed.verification(self, last)
            }
        };
        let best = field.best();
        let now = Progress::now("searching", clock, remaining, field.runs(), best);
        progress(&now);
        let lanes = field.laws.iter_mut().flat_map(|law| {
            let most = ceiling_of(law);
            law.lanes.iter_mut().map(move |lane| (lane, most))
        });
        let mut waiting: Vec<(&mut Lane, f64)> =
            lanes.filter(|(lane, most)| lane.waits_below(*most)).collect();
        // reserves time for the verification of the best
        let held = clock.earlier(reserved);
        waiting.par_iter_mut().for_each(|(lane, most)| lane.advance(self, speed, *most, &held));
        !waiting.is_empty()
    }
}
