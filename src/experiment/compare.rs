//! The same scene under several integrators, steps and laws, against a reference run.

use crate::diagnosis::trust::Verdict;
use crate::math::{Vector, larger, sqrt};
use crate::run::{Run, Unobserved};
use crate::scene::Scene;
use crate::scene::build::{BuildError, BuildOptions};
use cpu_time::ThreadTime;

/// One run of the comparison.
pub struct Variant {
    /// The friction law, which decides the reference it is compared with.
    pub law: String,
    /// The contact method, as it was asked for.
    pub method: String,
    /// The scene with its integrator and step.
    pub scene: Scene,
}

/// The reference run for one friction law.
pub struct Reference {
    /// The law.
    pub law: String,
    /// The scene at reference accuracy.
    pub scene: Scene,
}

/// One line of the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Contact method.
    pub method: String,
    /// Method.
    pub integrator: String,
    /// Friction law.
    pub law: String,
    /// Step \[s\].
    pub step: f64,
    /// How it ended.
    pub status: String,
    /// Steps taken.
    pub steps: u64,
    /// Force evaluations.
    pub evaluations: u64,
    /// CPU time \[s\].
    pub cpu_seconds: f64,
    /// RMS distance of the particles from the reference at the end \[m\]; absent when either run
    /// did not get there.
    pub error: Option<f64>,
    /// Creep of the first body in contact, from displacement \[m/s\].
    pub creep: Option<f64>,
    /// The law's own creep there \[m/s\].
    pub law_creep: Option<f64>,
    /// Largest penetration in any frame \[m\].
    pub max_penetration: f64,
    /// Energy residual at the end \[J\].
    pub energy_residual: f64,
    /// Largest h λ.
    pub max_hlambda: f64,
    /// Whether it can be trusted.
    pub verdict: Verdict,
}

/// All rows, in the order of the variants.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The rows.
    pub rows: Vec<Row>,
    /// Each reference's law and verdict.
    pub references: Vec<(String, Verdict)>,
}

/// Runs the references, then every variant. `progress` gets a label, the runs done and their
/// number; `stop` ends it early.
pub fn compare(
    variants: Vec<Variant>,
    references: Vec<Reference>,
    options: &BuildOptions,
    progress: &mut dyn FnMut(&str, u64, u64),
    stop: &dyn Fn() -> bool,
) -> Result<Comparison, (Scene, BuildError)> {
    let total = (variants.len() + references.len()) as u64;
    let mut done = 0;
    let mut ends: Vec<(String, Option<Vec<Vector>>)> = Vec::new();
    let mut judged = Vec::new();
    for reference in references {
        progress("reference", done, total);
        let (row, end) = run_one(&reference.law, "penalty", &reference.scene, options, stop)
            .map_err(|error| (reference.scene.clone(), error))?;
        judged.push((reference.law.clone(), row.verdict));
        ends.push((reference.law, end));
        done += 1;
    }
    let mut rows = Vec::new();
    for variant in variants {
        progress(variant.scene.integrator.name, done, total);
        let (mut row, end) = run_one(&variant.law, &variant.method, &variant.scene, options, stop)
            .map_err(|error| (variant.scene.clone(), error))?;
        let reference = ends.iter().find(|(law, _)| *law == variant.law);
        if let (Some((_, Some(exact))), Some(end)) = (reference, &end) {
            row.error = Some(rms_distance(exact, end));
        }
        rows.push(row);
        done += 1;
    }
    Ok(Comparison { rows, references: judged })
}

/// One run and, when it completed, its final positions.
fn run_one(
    law: &str,
    method: &str,
    scene: &Scene,
    options: &BuildOptions,
    stop: &dyn Fn() -> bool,
) -> Result<(Row, Option<Vec<Vector>>), BuildError> {
    let mut run = Run::new(scene, options)?;
    let started = ThreadTime::now();
    let outcome = run
        .finish(&mut Unobserved, stop)
        .expect("an unobserved run writes nothing that could fail");
    let creep = outcome.creep.first();
    let most = |of: fn(&crate::run::Frame) -> f64| run.frames.iter().map(of).fold(0.0, larger);
    let row = Row {
        method: method.into(),
        integrator: scene.integrator.name.into(),
        law: if method == "penalty" { law.into() } else { "coulomb".into() },
        step: scene.time.step,
        status: outcome.status.word().into(),
        steps: outcome.steps,
        evaluations: outcome.work.evaluations,
        cpu_seconds: started.elapsed().as_secs_f64(),
        error: None,
        creep: creep.map(|c| c.measured),
        law_creep: creep.and_then(|c| c.law),
        max_penetration: most(|frame| frame.max_penetration),
        energy_residual: run.simulation.audit.residual(),
        max_hlambda: most(|frame| frame.max_hlambda),
        verdict: outcome.verdict,
    };
    let completed = outcome.status == crate::run::Status::Completed;
    Ok((row, completed.then(|| run.simulation.state.positions.clone())))
}

fn rms_distance(a: &[Vector], b: &[Vector]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (a - b).norm_squared()).sum();
    sqrt(sum / a.len() as f64)
}
