//! One trial: a scene is run and everything about it that can be compared is kept. Comparisons,
//! sweeps and searches are made of trials.

use crate::experiment::thread_time::ThreadTime;
use crate::output::folder::run_json;
use crate::run::verify::Builder;
use crate::run::{Checked, Creep, Frame, Means, Observer, Run, Status, Unobserved, Verification};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::integrators::StepReport;
use stiction_core::math::{Vector, larger};
use stiction_scene::Scene;
use stiction_scene::build::{BuildError, BuildOptions, Built, build};

/// Measurements of one run of a scene. All but the CPU time is the same on every machine.
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
    /// Whether its numbers can be trusted.
    pub verdict: Verdict,
    /// Its numbers by name: see [`Trial::figure`].
    pub figures: Vec<TrialFigure>,
    /// Creep of each body in contact over the last quarter of the run.
    pub creep: Vec<Creep>,
    /// Expectations of the scene.
    pub checked: Vec<Checked>,
    /// Hash of the final positions and velocities.
    pub state_hash: u64,
    /// Positions of all particles at the end \[m\].
    pub end: Vec<Vector>,
    /// Course of the run.
    pub trace: Trace,
    /// The content of `run.json`, without times.
    pub document: serde_json::Value,
}

/// One number of a trial.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialFigure {
    /// Its name, in lower case with underscores.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// Its value; `None` where it has no meaning, as the creep of what touches nothing.
    pub value: Option<f64>,
}

/// Frame by frame.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trace {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// Energy of motion, springs, contacts and height \[J\].
    pub energies: Vec<f64>,
    /// Energy residual \[J\].
    pub residuals: Vec<f64>,
    /// Creep of the first body that touches anything, since the frame before \[m/s\]; NaN without
    /// contact.
    pub creep: Vec<f64>,
    /// Mass centre of each body \[m\], `centers[frame][body]`.
    pub centers: Vec<Vec<Vector>>,
}

impl Trial {
    /// Runs a scene to its end, or until a step fails or `stop` says so.
    pub fn of(
        scene: &Scene,
        options: &BuildOptions,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        Trial::of_built(scene, build(scene, options)?, None, stop)
    }

    /// Runs what a scene was built into, whatever was changed in it since: a law or an integrator
    /// that no scene file knows, say. It is verified by `verifier`, if there is one.
    pub fn of_built(
        scene: &Scene,
        built: Built,
        verifier: Option<(Means, Builder)>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Trial, BuildError> {
        Trial::observed(scene, built, verifier, &mut Unobserved, stop)
    }

    /// The same, its frames shown to `observer`, whose errors must not occur.
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
        let outcome = run
            .finish_with(observer, stop)
            .expect("an unobserved run writes nothing that could fail");
        let cpu_seconds = started.elapsed().as_secs_f64();
        let document = run_json::document(scene, &run, Some(&outcome), &[]);
        let mut figures = own_figures(&run, outcome.creep.first());
        figures.extend(counters(outcome.steps, &outcome.work));
        let share = outcome.verification.as_ref().map(Verification::share);
        figures.push(TrialFigure { name: "error_share".into(), unit: "1", value: share });
        if let (Some(frame), Status::Completed) = (run.frames.last(), &outcome.status) {
            let columns = run.columns.iter().zip(run.units()).zip(&frame.measures);
            for ((name, unit), value) in columns {
                let taken = figures.iter().any(|figure| figure.name == *name);
                let name = if taken { format!("measure_{name}") } else { name.clone() };
                let last = run.frames.len() - 1;
                let error = outcome.verification.as_ref().and_then(|v| v.error(&name, last));
                if error.is_some() {
                    let name = format!("{name}_error");
                    figures.push(TrialFigure { name, unit, value: error });
                }
                figures.push(TrialFigure { name, unit, value: Some(*value) });
            }
        }
        Ok(Trial {
            trace: trace(&run),
            steps: outcome.steps,
            work: outcome.work,
            cpu_seconds,
            verdict: outcome.verdict,
            creep: outcome.creep,
            figures,
            checked: outcome.checked,
            state_hash: outcome.state_hash,
            status: outcome.status,
            end: run.simulation().state.positions.clone(),
            document,
        })
    }

    /// Whether it reached the end.
    pub fn completed(&self) -> bool {
        self.status == Status::Completed
    }

    /// A number by name: `creep`, `law_creep`, `integrator_creep`, `lag_creep` \[m/s\] of the first
    /// body in contact over the last quarter of the run, `travel` \[m\] of the first body, `penetration` \[m\] and `hlambda`, the
    /// largest of all frames, `energy_residual` \[J\] and `energy_error`, its largest size in a
    /// frame as a share of the energy that went through, what the audit itself may be wrong by
    /// included, `steps`, `evaluations`, `iterations`,
    /// `linear_iterations`, `error_share`, the largest error of a verified run as a share of a
    /// measure's scale, and the measures of the scene at the end, as their columns are called,
    /// with `measure_` before a name that is one of these, and their error bars with `_error` after
    /// it.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.iter().find(|figure| figure.name == name)?.value
    }
}

/// Share of a scene's energy that rounding makes.
const ROUNDING: f64 = 1e-12;

fn own_figures(run: &Run, creep: Option<&Creep>) -> Vec<TrialFigure> {
    let figure = |name: &str, unit, value| TrialFigure { name: name.into(), unit, value };
    let most = |of: fn(&Frame) -> f64| Some(run.frames.iter().map(of).fold(0.0, larger));
    let audit = &run.simulation().watches.audit;
    let residual = run.frames.iter().map(|frame| frame.residual.abs()).fold(0.0, larger);
    let size = run.frames.iter().map(|frame| frame.energies.total().abs()).fold(0.0, larger);
    // of what goes through next to nothing no share can be told
    let tells = audit.throughput() > ROUNDING * size;
    let share = tells.then(|| residual / audit.throughput());
    vec![
        figure("creep", "m/s", creep.map(|c| c.measured)),
        figure("law_creep", "m/s", creep.and_then(|c| c.law)),
        figure("integrator_creep", "m/s", creep.and_then(|c| c.integrator)),
        figure("lag_creep", "m/s", creep.and_then(|c| c.lag)),
        figure("travel", "m", travel(run)),
        figure("penetration", "m", most(|frame| frame.max_penetration)),
        figure("hlambda", "1", most(|frame| frame.max_hlambda)),
        figure("energy_residual", "J", Some(audit.residual())),
        figure("energy_error", "1", share.filter(|share| share.is_finite())),
    ]
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

fn trace(run: &Run) -> Trace {
    let frames = &run.frames;
    let first = frames.last().and_then(|last| {
        let touching = |b: &usize| frames.iter().any(|frame| frame.creep[*b].measured().is_some());
        (0..last.creep.len()).find(touching)
    });
    let creep = |frame: &Frame| first.and_then(|b| frame.creep[b].measured()).unwrap_or(f64::NAN);
    Trace {
        times: frames.iter().map(|frame| frame.time).collect(),
        energies: frames.iter().map(|frame| frame.energies.total()).collect(),
        residuals: frames.iter().map(|frame| frame.residual).collect(),
        creep: frames.iter().map(creep).collect(),
        centers: run.centers().to_vec(),
    }
}
