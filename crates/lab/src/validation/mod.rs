//! Validation: the program runs cases with known answers and reports the errors.
//!
//! A [`Case`] is an equation with its set-up. It has one [`CaseTrial`] for everything that has to
//! meet it: an integrator, a friction law, a coupling. A trial runs and measures [`CaseFigure`]s,
//! each beside the reference and the tolerance to which it is held. A variant without a reference,
//! such as a registered law of which no closed form is known, is a [`CaseGap`] and is told as not
//! validated. [`cases`] is the table over which the verb `validate`, the tests and the document
//! iterate.

pub mod bar;
pub mod bead;
pub mod block;
pub mod bounce;
pub mod capstan;
pub mod carried;
pub mod chains;
pub mod creep;
pub mod disc;
mod document;
pub mod factors;
pub mod jitter;
pub mod limits;
pub mod orders;
pub mod oscillator;
pub mod pairs;
pub mod rig;
pub mod rod;
pub mod rolling;
pub mod same_bits;
pub mod sliding;
pub mod solids;
pub mod stretch;
pub mod swing;
pub mod tipping;
pub mod wedge;

pub use document::document;
pub use rig::{Rig, RigSetting, Trouble};

use crate::jobs::{Event, side_by_side};
use crate::run::machine::cores;

/// One acceptance case.
pub struct Case {
    /// Group that `--only` selects: P1 to P8, pairs, units, softness or solids.
    pub group: &'static str,
    /// A few words, unique.
    pub name: &'static str,
    /// The equation and the set-up, in a sentence.
    pub about: &'static str,
    /// Trials that must satisfy it.
    pub trials: fn() -> Vec<CaseTrial>,
}

/// One run of a case, or a few related ones.
pub struct CaseTrial {
    /// Variant under test: an integrator, a law, a step.
    pub variant: String,
    run: Result<Box<CaseMeasure>, &'static str>,
}

type CaseMeasure = dyn Fn(&RigSetting) -> Result<Vec<CaseFigure>, Trouble> + Send + Sync;

impl CaseTrial {
    /// A trial of `variant`.
    pub fn new(
        variant: impl Into<String>,
        run: impl Fn(&RigSetting) -> Result<Vec<CaseFigure>, Trouble> + Send + Sync + 'static,
    ) -> CaseTrial {
        CaseTrial { variant: variant.into(), run: Ok(Box::new(run)) }
    }

    /// A variant that the case concerns but has no reference for, with the reason: it has no
    /// figures, and is told as not validated.
    pub fn not_validated(variant: impl Into<String>, reason: &'static str) -> CaseTrial {
        CaseTrial { variant: variant.into(), run: Err(reason) }
    }

    /// Why it is not validated; `None` if it is.
    pub fn gap(&self) -> Option<&'static str> {
        self.run.as_ref().err().copied()
    }

    /// Runs the trial. A run that fails is a red figure with its message.
    fn figures(&self, setting: &RigSetting) -> Vec<CaseFigure> {
        let Ok(run) = &self.run else { return Vec::new() };
        let found = run(setting).unwrap_or_else(|trouble| {
            let run = CaseFigure::absolute("the run", "", f64::NAN, f64::NAN, 0.0);
            vec![CaseFigure { trouble: Some(trouble.to_string()), ..run }]
        });
        let named = found.into_iter().map(|f| CaseFigure { variant: self.variant.clone(), ..f });
        named.collect()
    }
}

/// Meaning of a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CaseKind {
    /// In the unit of the figure.
    Absolute,
    /// A share of the reference.
    Relative,
}

/// A number and its reference.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFigure {
    /// Name of the measured quantity.
    pub name: String,
    /// Its unit; empty for pure numbers.
    pub unit: &'static str,
    /// Variant that was measured.
    pub variant: String,
    /// The reference value.
    pub reference: f64,
    /// The measured value; NaN if the run failed.
    pub measured: f64,
    /// Largest allowed error.
    pub tolerance: f64,
    /// Meaning of the tolerance.
    pub kind: CaseKind,
    /// The reason, if the run failed.
    pub trouble: Option<String>,
}

impl CaseFigure {
    /// A figure with |measured − reference| ≤ tolerance.
    pub fn absolute(
        name: impl Into<String>,
        unit: &'static str,
        reference: f64,
        measured: f64,
        tolerance: f64,
    ) -> CaseFigure {
        let (name, variant, kind) = (name.into(), String::new(), CaseKind::Absolute);
        CaseFigure { name, unit, variant, reference, measured, tolerance, kind, trouble: None }
    }

    /// A figure with |measured/reference − 1| ≤ tolerance.
    pub fn relative(
        name: impl Into<String>,
        unit: &'static str,
        reference: f64,
        measured: f64,
        tolerance: f64,
    ) -> CaseFigure {
        let kind = CaseKind::Relative;
        CaseFigure { kind, ..CaseFigure::absolute(name, unit, reference, measured, tolerance) }
    }

    /// Error, in the unit of the tolerance.
    pub fn error(&self) -> f64 {
        match self.kind {
            CaseKind::Absolute => self.measured - self.reference,
            CaseKind::Relative => self.measured / self.reference - 1.0,
        }
    }

    /// Whether it is within its tolerance; NaN never is.
    pub fn green(&self) -> bool {
        self.trouble.is_none() && self.error().abs() <= self.tolerance
    }
}

/// A case and its measured figures.
pub struct CaseOutcome {
    /// The case.
    pub case: &'static Case,
    /// All its figures, in the order of its trials.
    pub figures: Vec<CaseFigure>,
    /// Variants that are not validated, in the order of its trials.
    pub gaps: Vec<CaseGap>,
}

/// A variant that a case concerns but has no reference for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseGap {
    /// Variant that is not validated.
    pub variant: String,
    /// Why there is no reference.
    pub reason: &'static str,
}

/// Number of green figures, and of all figures.
pub fn count<'a>(figures: impl Iterator<Item = &'a CaseFigure>) -> (usize, usize) {
    figures.fold((0, 0), |(green, all), figure| (green + usize::from(figure.green()), all + 1))
}

/// All cases, in the order of the report.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    CASES.iter().chain(&solids::CASES).copied().flatten()
}

const CASES: &[&[Case]] = &[
    sliding::CASES,
    creep::CASES,
    limits::CASES,
    factors::CASES,
    tipping::CASES,
    capstan::CASES,
    disc::CASES,
    bead::CASES,
    bounce::CASES,
    jitter::CASES,
    pairs::CASES,
    rolling::CASES,
    stretch::CASES,
    oscillator::CASES,
    chains::CASES,
    orders::CASES,
    bar::CASES,
    rod::CASES,
    wedge::CASES,
    carried::CASES,
    swing::CASES,
];

/// The groups, in order, each once.
pub fn groups() -> Vec<&'static str> {
    let mut groups: Vec<&str> = cases().map(|case| case.group).collect();
    groups.dedup();
    groups
}

/// Trials to be run.
pub struct CasePlan {
    cases: Vec<&'static Case>,
    jobs: Vec<(usize, CaseTrial)>,
}

impl CasePlan {
    /// All trials of the cases that are `wanted`.
    pub fn of(wanted: impl Fn(&Case) -> bool) -> CasePlan {
        let cases: Vec<&Case> = cases().filter(|case| wanted(case)).collect();
        let trials = |(k, case): (usize, &&Case)| {
            (case.trials)().into_iter().map(move |trial| (k, trial)).collect::<Vec<_>>()
        };
        let jobs = cases.iter().enumerate().flat_map(trials).collect();
        CasePlan { cases, jobs }
    }

    /// Number of trials.
    pub fn trials(&self) -> usize {
        self.jobs.len()
    }

    /// Runs all trials, one on each core at a time; `done` receives the name of a case whenever one of its trials
    /// has ended.
    pub fn run(&self, setting: &RigSetting, done: &(dyn Fn(&str) + Sync)) -> Vec<CaseOutcome> {
        self.run_at_once(cores(), setting, done)
    }

    /// As [`Self::run`], with so many trials at a time.
    fn run_at_once(
        &self,
        workers: usize,
        setting: &RigSetting,
        done: &(dyn Fn(&str) + Sync),
    ) -> Vec<CaseOutcome> {
        let measured = self.measured(workers, setting, done);
        let gaps = |k: usize| {
            let own = self.jobs.iter().filter(move |(of, _)| *of == k).map(|(_, trial)| trial);
            let gap = |trial: &CaseTrial| {
                Some(CaseGap { variant: trial.variant.clone(), reason: trial.gap()? })
            };
            own.filter_map(gap).collect()
        };
        let empty = |(k, case): (usize, &&'static Case)| CaseOutcome {
            case,
            figures: Vec::new(),
            gaps: gaps(k),
        };
        let mut outcomes: Vec<CaseOutcome> = self.cases.iter().enumerate().map(empty).collect();
        for ((k, _), figures) in self.jobs.iter().zip(measured) {
            outcomes[*k].figures.extend(figures);
        }
        outcomes
    }

    /// The figures of every trial, in the order of the trials.
    fn measured(
        &self,
        workers: usize,
        setting: &RigSetting,
        done: &(dyn Fn(&str) + Sync),
    ) -> Vec<Vec<CaseFigure>> {
        let work = |job: usize| (job, self.jobs[job].1.figures(setting));
        let mut measured = vec![Vec::new(); self.jobs.len()];
        side_by_side(workers.min(self.jobs.len()), &work, |desk| {
            (0..self.jobs.len()).for_each(|job| desk.put(job));
            while let Some(event) = desk.wait() {
                if let Event::Ended((job, figures)) = event {
                    done(self.cases[self.jobs[job].0].name);
                    measured[job] = figures;
                }
            }
        });
        measured
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn figures_are_held_to_their_tolerance() {
        let held = |measured: f64| CaseFigure::relative("x", "m", 2.0, measured, 0.01).green();
        assert!(held(2.0) && held(2.019) && held(1.981));
        assert!(!held(2.021) && !held(1.979) && !held(f64::NAN) && !held(f64::INFINITY));
        let held = |measured: f64| CaseFigure::absolute("x", "m", 2.0, measured, 0.01).green();
        assert!(held(2.009) && !held(2.011) && !held(f64::NAN));
    }

    #[test]
    fn a_run_that_fails_is_a_red_figure_with_its_message() {
        let trial =
            CaseTrial::new("rk4", |setting| setting.stand("format = 2").map(|_| Vec::new()));
        let [figure] = &trial.figures(&RigSetting::default())[..] else { panic!("one figure") };
        assert!(!figure.green());
        assert_eq!(figure.variant, "rk4");
        assert!(figure.trouble.as_ref().is_some_and(|said| said.contains("format")), "{figure:?}");
    }

    #[test]
    fn a_run_stops_when_it_is_told_to() {
        let stopped = RigSetting { stop: &|| true };
        let plan = CasePlan::of(|case| case.name == "cantilever lattices");
        assert!(plan.trials() > 0);
        let outcomes = plan.run(&stopped, &|_| {});
        assert!(outcomes[0].figures.iter().all(|figure| !figure.green()));
    }

    #[test]
    fn figures_stand_in_the_order_of_the_trials_whatever_ends_first() {
        let plan =
            CasePlan::of(|case| ["substeps while it sticks", "chain modes"].contains(&case.name));
        let figures = |workers: usize| {
            let done = AtomicUsize::new(0);
            let count = |_: &str| {
                done.fetch_add(1, Ordering::Relaxed);
            };
            let outcomes = plan.run_at_once(workers, &RigSetting::default(), &count);
            assert_eq!(done.into_inner(), plan.trials());
            outcomes.into_iter().map(|outcome| outcome.figures).collect::<Vec<_>>()
        };
        let one = figures(1);
        assert_eq!(one.len(), 2);
        assert_eq!([2, 3].map(figures), [one.clone(), one]);
    }

    #[test]
    fn names_are_unique_and_groups_stand_together() {
        let mut names: Vec<&str> = cases().map(|case| case.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
        let mut once = groups();
        once.sort_unstable();
        assert!(once.windows(2).all(|pair| pair[0] != pair[1]), "{once:?}");
    }
}
