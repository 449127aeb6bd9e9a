//! One scene under several settings, compared with a reference.

use super::plan::{AXES, COULOMB, Group, Plan, PlanError, PlanLayout, Variant};
use super::reference::{self, Reference, rms_distance};
use super::trial::Trial;
use rayon::prelude::*;
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

/// Runs a plan on `jobs` threads (0: all cores), each run on one of them. After `stop` there are no
/// references, and unfinished runs are interrupted.
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
    let seen = Mutex::new((0, progress));
    let done = |label: &str| {
        if let Ok(mut seen) = seen.lock() {
            seen.0 += 1;
            let count = seen.0;
            (seen.1)(label, count, total);
        }
    };
    let finest = smallest_step(&variants);
    let work = || -> Result<_, SceneErrors> {
        let trials: Vec<Trial> = variants
            .par_iter()
            .map(|(variant, _)| {
                let trial = variant.run(stop);
                done(variant.setting("integrator").unwrap_or_default());
                trial
            })
            .collect::<Result<_, _>>()?;
        let found: Vec<Option<Reference>> = groups
            .par_iter()
            .map(|group| {
                let found = of_group(group, plan, finest, stop);
                if plan.reference {
                    done("reference");
                }
                found
            })
            .collect::<Result<_, _>>()?;
        // an interrupted reference is discarded
        let found = if stop() { vec![None; groups.len()] } else { found };
        Ok((found, trials))
    };
    let (found, trials) = match rayon::ThreadPoolBuilder::new().num_threads(jobs).build() {
        Ok(pool) => pool.install(work),
        // the default number of threads
        Err(_) => work(),
    }?;
    let rows = variants.iter().zip(trials).map(|((variant, group), trial)| {
        let place = found[..*group].iter().flatten().count();
        let reference = found[*group].as_ref();
        let exact = reference.and_then(|reference| reference.end.as_ref());
        let error = exact.filter(|_| trial.completed()).map(|end| rms_distance(end, &trial.end));
        let settings = variant.settings.clone();
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
        rows: rows.collect(),
        references: found.into_iter().flatten().collect(),
        left_out: refused,
    })
}

/// The reference of a group; none if it is not wanted or the scene refuses the method.
fn of_group(
    group: &Group,
    plan: &Plan,
    finest: f64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Reference>, SceneErrors> {
    if !plan.reference || group.reference(&plan.base, finest, 1).is_err() {
        return Ok(None);
    }
    let at = |parts: u32| group.reference(&plan.base, finest, parts);
    reference::find(&group.name, &at, stop).map(Some)
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
