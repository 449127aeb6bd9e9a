//! One trial: a scene is run, and everything that can be compared is kept. Comparisons, sweeps and
//! searches consist of trials.

use crate::experiment::accuracy::search::Standing;
use crate::experiment::thread_time::ThreadTime;
use crate::output::folder::run_json;
use crate::run::verify::Builder;
use crate::run::{
    Checked, Creep, Frame, Means, Observer, Outcome, Run, Split, Status, Unobserved, Verification,
};
use stiction_core::diagnosis::drift::Parts;
use stiction_core::diagnosis::error_bar::RefinedRunAtFault;
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::integrators::StepReport;
use stiction_core::math::{Vector, larger};
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, BuildOptions, Built, build};

/// Measurements of one run of a scene. All but the CPU time are the same on every machine.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Final status.
    pub status: Status,
    /// Steps taken.
    pub steps: u64,
    /// Work done.
    pub work: StepReport,
    /// CPU time of the run's own thread \[s\].
    pub cpu_seconds: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// Its numbers by name: see [`Trial::figure`].
    pub figures: Vec<TrialFigure>,
    /// Names of those that are measures of the scene.
    pub measures: Vec<String>,
    /// Creep of each body in contact over the last quarter of the run.
    pub creep: Vec<Creep>,
    /// Results of the scene's expectations.
    pub checked: Vec<Checked>,
    /// Hash of the final positions and velocities.
    pub state_hash: u64,
    /// Positions of all particles at the end \[m\].
    pub end: Vec<Vector>,
    /// Quantities over time.
    pub trace: Trace,
    /// The content of `run.json`, without times.
    pub document: serde_json::Value,
    /// Its step \[s\].
    pub step: f64,
    /// How the search for an accuracy ended whose answer it is; `None` if none was asked.
    pub accuracy: Option<Standing>,
}

/// One number of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialFigure {
    /// Its name, in lower case with underscores.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its value; `None` if it is undefined, such as creep without contact.
    pub value: Option<f64>,
}

/// Quantities at every frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Energy of motion, springs, contacts and gravity \[J\].
    pub energies: Vec<f64>,
    /// Energy residual \[J\].
    pub residuals: Vec<f64>,
    /// Creep of the first body in contact, since the previous frame \[m/s\]; NaN without contact.
    pub creep: Vec<f64>,
    /// Centre of mass of each body \[m\], `centers[frame][body]`.
    pub centers: Vec<Vec<Vector>>,
    /// The measures of the scene.
    pub measures: Vec<TracedMeasure>,
}

/// A measure of a scene at every frame.
#[derive(Debug, Clone, PartialEq)]
pub struct TracedMeasure {
    /// Its name: that of its column.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its values.
    pub values: Vec<f64>,
}

impl Trial {
    /// Runs a scene to its end, or until a step fails or `stop` returns true.
    pub fn of(
        scene: &Scene,
        options: &BuildOptions,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        Trial::of_built(scene, build(scene, options)?, None, stop)
    }

    /// Runs a built scene with any changes made since, such as a law or an integrator that no scene
    /// file names. It is verified by `verifier`, if given.
    pub fn of_built(
        scene: &Scene,
        built: Built,
        verifier: Option<(Means, Builder)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        Trial::observed(scene, built, verifier, &mut Unobserved, stop)
    }

    /// As [`Trial::of_built`], with an `observer` of its frames, which must not return errors.
    pub(super) fn observed(
        scene: &Scene,
        built: Built,
        verifier: Option<(Means, Builder)>,
        observer: &mut dyn Observer,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        let mut run = Run::of(scene, built)?;
        if let Some((means, build)) = verifier {
            run.verify(means, build);
        }
        let started = ThreadTime::now();
        let mut outcome = run
            .finish_with(observer, stop)
            .expect("an unobserved run writes nothing that could fail");
        if outcome.verdict.reasons.iter().any(is_of_refined_run) && stop() {
            // the run came to its end, a run that verifies it did not
            outcome.status = Status::Interrupted;
        }
        Ok(Trial::of_run(&run, outcome, started.elapsed().as_secs_f64()))
    }

    /// The trial of a run that has ended, and its CPU time \[s\].
    pub(super) fn of_run(run: &Run, outcome: Outcome, cpu_seconds: f64) -> Trial {
        let document = run_json::document(run.scene(), run, Some(&outcome), &[]);
        let completed = outcome.status == Status::Completed;
        let verified = outcome.verification.as_ref();
        let mut figures = own_figures(run, outcome.creep.first(), verified.is_some());
        // of a run that ended early, the numbers are of another time
        figures.iter_mut().filter(|_| !completed).for_each(|figure| figure.value = None);
        figures.extend(counters(outcome.steps, &outcome.work));
        let share = verified.filter(|_| completed).map(Verification::share);
        let share = share.filter(|share| share.is_finite());
        figures.push(TrialFigure { name: "error_share".into(), unit: "1", value: share });
        let measures = measured(run, completed, verified, &mut figures);
        Trial {
            trace: trace(run),
            steps: outcome.steps,
            work: outcome.work,
            cpu_seconds,
            verdict: outcome.verdict,
            creep: outcome.creep,
            figures,
            measures,
            checked: outcome.checked,
            state_hash: outcome.state_hash,
            status: outcome.status,
            end: run.simulation().state.positions.clone(),
            document,
            accuracy: None,
            step: run.simulation().time_step(),
        }
    }

    /// Whether it reached the end.
    pub fn completed(&self) -> bool {
        self.status == Status::Completed
    }

    /// A number by name. Of the first body in contact, over the last quarter of the run: `creep`,
    /// `law_creep`, `integrator_creep`, `lag_creep` \[m/s\], `creep_change`, its change over that time as a share,
    /// `steady_creep`, the law's closed form at the load ratio at the end \[m/s\], and of a verified run
    /// `creep_error` \[m/s\]. Of the first body: `travel` \[m\].
    /// Largest over all frames: `penetration` \[m\], `hlambda`, and `energy_error`, the size of the
    /// energy residual over the energy throughput. At the end: `energy_residual` \[J\]. Counts:
    /// `steps`, `evaluations`, `iterations`, `linear_iterations`. Of a verified run: `error_share`,
    /// the largest error as a share of a measure's scale. The measures of the scene at the end have
    /// the names of their columns, with `measure_` before a name that is already used; their error
    /// bars have `_error` after it. Of a run that did not reach its end there are the counts alone.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name)?.value
    }
}

fn is_of_refined_run(reason: &Reason) -> bool {
    reason.numbers::<RefinedRunAtFault>().is_some()
}

/// Share of a scene's energy below which a throughput is attributed to rounding.
const ROUNDING: f64 = 1e-12;

/// The error bar of a drift \[m/s\], of which the runs at other steps converge: |D₁ − D| + |Dₙ − D| of the run and of
/// the last of those, the finest or that at the largest step, from the limit D.
fn drift_error(creep: &Creep) -> Option<f64> {
    let Split::Refinement(runs) = &creep.split else { return None };
    let integrator = creep.parts?.integrator;
    let [first, last] = [runs.first()?.drift, runs.last()?.drift];
    Some(integrator.abs() + (last - (first - integrator)).abs())
}

fn own_figures(run: &Run, creep: Option<&Creep>, verified: bool) -> Vec<TrialFigure> {
    let figure = |name: &str, unit, value| TrialFigure { name: name.into(), unit, value };
    let part = |of: fn(&Parts) -> f64| creep.and_then(|c| Some(of(&c.parts?)));
    let most = |of: fn(&Frame) -> f64| Some(run.frames.iter().map(of).fold(0.0, larger));
    let audit = &run.simulation().watches.audit;
    let residual = run.frames.iter().map(|frame| frame.residual.abs()).fold(0.0, larger);
    let size = run.frames.iter().map(|frame| frame.energies.total().abs()).fold(0.0, larger);
    // no share of a throughput of almost zero
    let tells = audit.throughput() > ROUNDING * size;
    let share = tells.then(|| residual / audit.throughput());
    let mut figures = vec![
        figure("creep", "m/s", creep.map(|c| c.measured)),
        figure("creep_change", "1", creep.and_then(|c| c.steadiness.change)),
        figure("steady_creep", "m/s", creep.and_then(|c| c.steadiness.closed_form)),
        figure("law_creep", "m/s", part(|parts| parts.law)),
        figure("integrator_creep", "m/s", part(|parts| parts.integrator)),
        figure("stretch_creep", "m/s", part(|parts| parts.stretch)),
        figure("sliding_creep", "m/s", part(|parts| parts.sliding)),
        figure("lag_creep", "m/s", part(|parts| parts.lag)),
        figure("travel", "m", travel(run)),
        figure("penetration", "m", most(|frame| frame.max_penetration)),
        figure("hlambda", "1", most(|frame| frame.max_hlambda)),
        figure("energy_residual", "J", Some(audit.residual())),
        figure("energy_error", "1", share.filter(|share| share.is_finite())),
    ];
    if verified {
        figures.insert(1, figure("creep_error", "m/s", creep.and_then(drift_error)));
    }
    figures
}

/// Distance of the centre of mass of the first body from its start \[m\].
fn travel(run: &Run) -> Option<f64> {
    let (first, last) = (run.centers().first()?.first()?, run.centers().last()?.first()?);
    Some((last - first).norm())
}

/// The figures that are counts.
pub const COUNTERS: [&str; 4] = ["steps", "evaluations", "iterations", "linear_iterations"];

fn counters(steps: u64, work: &StepReport) -> [TrialFigure; 4] {
    let counts = [steps, work.evaluations, work.iterations, work.linear_iterations];
    std::array::from_fn(|k| TrialFigure {
        name: COUNTERS[k].into(),
        unit: "1",
        value: Some(counts[k] as f64),
    })
}

/// Adds the measures at the end of a run that reached it to the figures, with their error bars; their
/// names.
fn measured(
    run: &Run,
    completed: bool,
    verified: Option<&Verification>,
    figures: &mut Vec<TrialFigure>,
) -> Vec<String> {
    let mut measures = Vec::new();
    if let (Some(frame), true) = (run.frames.last(), completed) {
        let columns = run.columns.iter().zip(run.units()).zip(&frame.measures);
        for ((name, unit), value) in columns {
            let taken = figures.iter().any(|figure| figure.name == *name);
            let last = run.frames.len() - 1;
            let error = verified.and_then(|v| v.error(name, last)).filter(|error| !error.is_nan());
            let name = if taken { format!("measure_{name}") } else { name.clone() };
            measures.push(name.clone());
            if verified.is_some() {
                let name = format!("{name}_error");
                figures.push(TrialFigure { name, unit, value: error });
            }
            let value = (!value.is_nan()).then_some(*value);
            figures.push(TrialFigure { name, unit, value });
        }
    }
    measures
}

fn trace(run: &Run) -> Trace {
    let frames = &run.frames;
    let first = frames.last().and_then(|last| {
        let touching = |b: &usize| frames.iter().any(|frame| frame.creep[*b].measured().is_some());
        (0..last.creep.len()).find(touching)
    });
    let creep = |frame: &Frame| first.and_then(|b| frame.creep[b].measured()).unwrap_or(f64::NAN);
    let measure = |(column, (name, unit)): (usize, (&String, &'static str))| TracedMeasure {
        name: name.clone(),
        unit,
        values: frames.iter().map(|frame| frame.measures[column]).collect(),
    };
    Trace {
        times: frames.iter().map(|frame| frame.time).collect(),
        energies: frames.iter().map(|frame| frame.energies.total()).collect(),
        residuals: frames.iter().map(|frame| frame.residual).collect(),
        creep: frames.iter().map(creep).collect(),
        centers: run.centers().to_vec(),
        measures: run.columns.iter().zip(run.units()).enumerate().map(measure).collect(),
    }
}
