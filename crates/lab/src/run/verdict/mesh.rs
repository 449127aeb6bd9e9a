//! The part of the verdict that the mesh of elastic bodies has.

use super::super::cause::Cause;
use super::super::verification::{CauseBars, MeasureBar, Verification};
use super::at_fault;
use stiction_core::diagnosis::error_bar::{MeshTooCoarse, TRUSTED};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::model::Model;

/// Adds the result of the comparison with a finer mesh: its share to the error, and the reasons against it. What runs are
/// trusted to by step and mesh together is at most [`TRUSTED`].
pub(in crate::run) fn judge(verdict: &mut Verdict, verification: &Verification, times: &[f64]) {
    let Some(by) = verification.causes.iter().find(|by| by.cause == Cause::Mesh) else { return };
    for run in &by.runs {
        at_fault(verdict, by.cause.run(), &run.verdict);
    }
    let Some(measure) = widest(verification, by) else { return };
    let (steps, share) = (verification.share(), measure.bar.share);
    verdict.error = verdict.error.map(|error| error + share);
    if share > TRUSTED || (steps <= TRUSTED && steps + share > TRUSTED) {
        verdict.reasons.push(too_coarse(measure, times, steps).into());
    }
}

/// The deciding measure with the largest error by the mesh; `None` where no finer mesh was run.
fn widest<'a>(verification: &Verification, by: &'a CauseBars) -> Option<&'a MeasureBar> {
    let none = !verification.measures.iter().any(|measure| measure.counts);
    let all = if none { &by.bodies } else { &by.measures };
    let counts = all.iter().filter(|measure| measure.counts);
    counts.reduce(|a, b| if b.bar.share > a.bar.share { b } else { a })
}

/// The fault of a measure that a finer mesh moves.
fn too_coarse(measure: &MeasureBar, times: &[f64], steps: f64) -> MeshTooCoarse {
    let moved = |(_, values): &&(usize, Vec<f64>)| match values[..] {
        [own, finer] => (own - finer).abs(),
        _ => 0.0,
    };
    let columns = measure.columns.iter().zip(&measure.apart);
    let (column, apart) = columns
        .reduce(|a, b| if moved(&b.1) > moved(&a.1) { b } else { a })
        .map_or((String::new(), (0, Vec::new())), |(column, apart)| {
            (column.clone(), apart.clone())
        });
    MeshTooCoarse {
        measure: column,
        values: apart.1,
        at: times.get(apart.0).copied().unwrap_or_default(),
        unit: measure.unit,
        share: Some(measure.bar.share).filter(|share| share.is_finite()),
        steps,
    }
}

/// A note where bodies are elastic and the error bars do not contain their mesh.
pub(in crate::run) fn note(verification: &mut Verification, model: &Model) {
    if model.elements.is_empty() {
        return;
    }
    let why = match verification.causes.iter().find(|by| by.cause == Cause::Mesh) {
        Some(by) if by.known => return,
        Some(by) => by.note.clone().unwrap_or_else(|| "it was not run on a finer one".into()),
        None => "it was not compared with a finer one (--verify=mesh)".into(),
    };
    verification
        .notes
        .push(format!("the error bars do not contain the mesh of elastic bodies: {why}"));
}
