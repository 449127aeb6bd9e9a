//! One scene under several settings, compared with a reference.

use super::plan::{AXES, COULOMB, Group, Plan, PlanError, PlanLayout, Variant};
use super::reference::{Reference, Search, rms_distance};
use super::trial::Trial;
use crate::jobs::{Event, side_by_side};
use crate::run::machine::{cores, that_fit};
use std::sync::Mutex;
use stiction_core::diagnosis::error_bar::{FarFromReference, TRUSTED};
use stiction_core::math::larger;
use stiction_scene::diagnostics::SceneErrors;

/// One row of a comparison.
#[derive(Debug, Clone)]
pub struct ComparedRow {
    /// Settings of the run: one value per applicable axis of [`AXES`].
    pub settings: Vec<(&'static str, String)>,
    /// Index of its reference, if it has one.
    pub reference: Option<usize>,
    /// Measurements of the run.
    pub trial: Trial,
    /// RMS distance of the particles from the reference at the end \[m\]; `None` if either did not
    /// reach it.
    pub error: Option<f64>,
}

/// All rows, in the order of the plan.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The scene's title.
    pub title: String,
    /// The `key=value` texts that change it for every row.
    pub set: Vec<String>,
    /// The rows.
    pub rows: Vec<ComparedRow>,
    /// References with which the rows are compared.
    pub references: Vec<Reference>,
    /// Variants refused by the scene, each with its first error.
    pub left_out: Vec<(String, String)>,
}

/// Reports the progress of a comparison: a label, the number of finished runs, and of all runs.
pub(crate) type CompareProgress<'a> = &'a mut (dyn FnMut(&str, u64, u64) + Send);

impl Plan {
    /// Runs everything, on all cores.
    ///
    /// # Errors
    /// The plan as a whole cannot be run; a run that fails is a row with that status.
    pub fn run(&self) -> Result<Comparison, PlanError> {
        compare(self, 0, &mut |_, _, _| (), &|| false)
    }
}

/// One run of a comparison.
#[derive(Clone, Copy)]
enum Piece {
    /// Of a row.
    Row(usize),
    /// Of the reference of a group, with the step divided by `parts`.
    Reference { group: usize, parts: u32 },
}

/// Runs a plan, up to `jobs` runs at a time (0: one for each core) as far as they fit into memory together, each on
/// one thread. After `stop` there are no references, and unfinished runs are interrupted.
///
/// # Errors
/// The plan as a whole cannot be run; a run that fails is a row with that status.
pub fn compare(
    plan: &Plan,
    jobs: usize,
    progress: CompareProgress,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Comparison, PlanError> {
    let PlanLayout { variants, groups, left_out } = plan.layout()?;
    let total = (variants.len() + if plan.reference { groups.len() } else { 0 }) as u64;
    progress("", 0, total);
    let seen = Mutex::new((0, progress));
    let done = |label: &str| {
        if let Ok(mut seen) = seen.lock() {
            seen.0 += 1;
            let count = seen.0;
            (seen.1)(label, count, total);
        }
    };
    let runs = Runs { plan, variants: &variants, groups: &groups, done: &done, stop };
    let (found, trials) = runs.make(jobs)?;
    let rows = variants.iter().zip(trials).map(|((variant, group), trial)| {
        let place = found[..*group].iter().flatten().count();
        let reference = found[*group].as_ref();
        let exact = reference.and_then(|reference| reference.end.as_ref());
        let error = exact.filter(|_| trial.completed()).map(|end| rms_distance(end, &trial.end));
        let settings = variant.settings_of(&trial);
        let mut row = ComparedRow { settings, reference: reference.map(|_| place), trial, error };
        // contact by impulses obeys another law than its reference
        if let Some(reference) = reference.filter(|_| variant.setting("law") != Some(COULOMB)) {
            row.judge(reference);
        }
        row
    });
    let mut refused: Vec<(String, String)> = left_out
        .into_iter()
        .map(|(name, errors)| (name, errors.diagnostics[0].message.clone()))
        .collect();
    refused.dedup();
    Ok(Comparison {
        title: variants.first().map(|(v, _)| v.scene.title.clone()).unwrap_or_default(),
        set: plan.base.set.clone(),
        rows: rows.collect(),
        references: found.into_iter().flatten().collect(),
        left_out: refused,
    })
}

/// The runs of a comparison.
struct Runs<'a> {
    plan: &'a Plan,
    variants: &'a [(Variant, usize)],
    groups: &'a [Group],
    /// reports that a row or a reference is done
    done: &'a (dyn Fn(&str) + Sync),
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Runs<'_> {
    /// Makes all runs: the references of the groups, and the trials of the rows.
    fn make(&self, jobs: usize) -> Result<(Vec<Option<Reference>>, Vec<Trial>), SceneErrors> {
        let finest = smallest_step(self.variants);
        let mut searches = self.searches(finest);
        let mut trials: Vec<Option<Trial>> = self.variants.iter().map(|_| None).collect();
        let (workers, pieces) = self.order(jobs, &searches);
        let without_run = |search: &&Option<Search>| search.as_ref().is_none_or(Search::has_ended);
        let ready = searches.iter().filter(without_run).filter(|_| self.plan.reference).count();
        let work = |piece: Piece| (piece, self.run(piece, finest));
        side_by_side(workers, &work, |desk| -> Result<(), SceneErrors> {
            pieces.into_iter().for_each(|piece| desk.put(piece));
            while let Some(event) = desk.wait() {
                match event {
                    Event::Ended((Piece::Row(row), trial)) => trials[row] = Some(trial?),
                    Event::Ended((Piece::Reference { group, parts }, trial)) => {
                        let Some(search) = &mut searches[group] else { continue };
                        let further = search.add(parts, trial?);
                        if let Some(parts) = further.filter(|_| !(self.stop)()) {
                            desk.put_first(Piece::Reference { group, parts });
                        } else if search.has_ended() {
                            (self.done)("reference");
                        }
                    }
                    Event::Tick => {}
                }
            }
            Ok(())
        })?;
        (0..ready).for_each(|_| (self.done)("reference"));
        // an interrupted reference is discarded
        let stopped = (self.stop)();
        let found = searches.into_iter().map(|search| search.filter(|_| !stopped)?.found());
        Ok((found.collect(), trials.into_iter().flatten().collect()))
    }

    /// The search for the reference of each group; none if it is not wanted or the scene refuses the method.
    fn searches(&self, finest: f64) -> Vec<Option<Search>> {
        let of = |group: &Group| {
            let wanted = self.plan.reference.then_some(group)?;
            let coarse = wanted.reference(&self.plan.base, finest, 1).ok();
            coarse.map(|coarse| Search::of(&group.name, &coarse))
        };
        self.groups.iter().map(of).collect()
    }

    /// The number of runs at a time, and all runs that are known so far in the order in which they begin.
    fn order(&self, jobs: usize, searches: &[Option<Search>]) -> (usize, Vec<Piece>) {
        let of = |(group, search): (usize, &Option<Search>)| {
            let parts = search.as_ref().map_or(&[][..], Search::first);
            parts.iter().map(move |&parts| Piece::Reference { group, parts })
        };
        let references: Vec<Piece> = searches.iter().enumerate().flat_map(of).collect();
        let rows: Vec<Piece> = (0..self.variants.len()).map(Piece::Row).collect();
        let most = if jobs == 0 { cores() } else { jobs };
        let most = most.min(references.len() + rows.len());
        let (limit, first) = (self.plan.base.options.max_memory, self.variants.first());
        let each = first.and_then(|(variant, _)| variant.memory().ok()).unwrap_or(0);
        let workers = that_fit(most, each, limit);
        // a reference is a chain of long runs; one at a time, rows come first, so that a stop keeps them
        let order = if workers > 1 { [references, rows] } else { [rows, references] };
        (workers, order.concat())
    }

    fn run(&self, piece: Piece, finest: f64) -> Result<Trial, SceneErrors> {
        match piece {
            Piece::Row(row) => {
                let (variant, _) = &self.variants[row];
                let trial = variant.run(self.stop);
                (self.done)(variant.setting("integrator").unwrap_or_default());
                trial
            }
            Piece::Reference { group, parts } => {
                self.groups[group].reference(&self.plan.base, finest, parts)?.run(self.stop)
            }
        }
    }
}

fn smallest_step(variants: &[(Variant, usize)]) -> f64 {
    let steps = variants.iter().map(|(variant, _)| variant.scene.time.step);
    steps.reduce(|a, b| if b < a { b } else { a }).unwrap_or_default()
}

impl ComparedRow {
    /// The row's value on an axis.
    pub fn setting(&self, axis: &str) -> Option<&str> {
        let found = self.settings.iter().find(|(name, _)| *name == axis)?;
        Some(&found.1)
    }

    /// A number by name: `error` \[m\], or one of [`Trial::figure`].
    pub fn figure(&self, name: &str) -> Option<f64> {
        if name == "error" { self.error } else { self.trial.figure(name) }
    }

    /// Whether the run ended without a fault and its error is known.
    pub fn trusted(&self) -> bool {
        self.trial.completed() && self.trial.verdict.trusted()
    }

    /// Whether the run ended without a fault.
    pub fn faultless(&self) -> bool {
        self.trial.completed() && self.trial.verdict.faultless()
    }

    /// Judges the row by (error + the reference's error bar)/distance travelled: above [`TRUSTED`]
    /// it is not trusted, unless the error is within the error bar; below, it is trusted to that
    /// share.
    fn judge(&mut self, reference: &Reference) {
        let (Some(error), travelled) = (self.error, reference.length) else { return };
        let uncertainty = reference.uncertainty;
        if !reference.verdict.faultless() || travelled <= 0.0 || uncertainty > TRUSTED * travelled {
            return;
        }
        let (share, verdict) = ((error + uncertainty) / travelled, &mut self.trial.verdict);
        if error <= uncertainty && share > TRUSTED {
            return;
        }
        if share > TRUSTED {
            verdict
                .reasons
                .push(FarFromReference { distance: error, uncertainty, travelled }.into());
        }
        verdict.error = Some(verdict.error.map_or(share, |known| larger(known, share)));
    }
}

impl Comparison {
    /// The axes of all rows, in their order.
    pub fn axes(&self) -> Vec<&'static str> {
        let has = |axis: &&str| self.rows.iter().any(|row| row.setting(axis).is_some());
        AXES.into_iter().filter(has).collect()
    }

    /// The axes on which rows differ.
    pub fn differing(&self) -> Vec<&'static str> {
        let mut axes = self.axes();
        axes.retain(|axis| {
            self.rows.iter().any(|row| row.setting(axis) != self.rows[0].setting(axis))
        });
        axes
    }

    /// Short label of a row: its values on the axes where rows differ, or the integrator if there
    /// are none.
    pub fn label(&self, row: &ComparedRow) -> String {
        let mut axes = self.differing();
        if axes.is_empty() {
            axes.push("integrator");
        }
        let words: Vec<&str> = axes.iter().filter_map(|axis| row.setting(axis)).collect();
        words.join(" ")
    }
}
