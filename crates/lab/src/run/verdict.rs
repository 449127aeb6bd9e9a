//! The verdict on a verified run: its own reasons, and what the comparison with other runs adds or outweighs.

use super::Run;
use super::verification::{MeasureBar, Verification};
use stiction_core::diagnosis::error_bar::{
    ErrorTooLarge, MeshTooCoarse, NotDetermined, RefinedRunAtFault, TRUSTED,
};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;

/// Largest error, as a share, at which the agreement of the runs outweighs symptoms common to all.
pub(super) const CLOSE: f64 = 1e-2;

/// Adds the result of the comparison to the verdict: first by the step, then by the mesh where a finer one was run.
pub(super) fn judge(
    verdict: &mut Verdict,
    verification: &Verification,
    faults: Vec<Reason>,
    (run, times): (&Run, &[f64]),
    can_outweigh: impl Fn(&Verdict) -> bool,
) {
    verdict.reasons.extend(faults);
    judge_steps(verdict, verification, (run, times), can_outweigh);
    let mesh = verification.widest_by_mesh();
    let by_mesh = mesh.map_or(0.0, |measure| measure.bar.share);
    verdict.error = Some(verification.share() + by_mesh);
    if let Some(measure) = mesh.filter(|measure| measure.bar.share > TRUSTED) {
        verdict.reasons.push(too_coarse(measure, times).into());
    }
}

/// The fault of a measure that a finer mesh moves.
fn too_coarse(measure: &MeasureBar, times: &[f64]) -> MeshTooCoarse {
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
    }
}

/// Adds the result of the comparison with other steps to the verdict.
fn judge_steps(
    verdict: &mut Verdict,
    verification: &Verification,
    (run, times): (&Run, &[f64]),
    can_outweigh: impl Fn(&Verdict) -> bool,
) {
    let share = verification.share();
    let time_step = run.simulation().time_step();
    if share <= TRUSTED && is_outweighed(verdict, verification, share, (time_step, can_outweigh)) {
        verdict.outweighed.append(&mut verdict.reasons);
        return;
    }
    for refined in &verification.runs {
        let new = |reason: &&Reason| verdict.reasons.iter().all(|own| own.name() != reason.name());
        let marks: Vec<&str> =
            refined.verdict.reasons.iter().filter(new).map(|reason| reason.name()).collect();
        if !marks.is_empty() {
            let fault = RefinedRunAtFault { run: refined.name.clone(), marks: marks.join(", ") };
            verdict.reasons.push(fault.into());
        }
    }
    let worst = |of: fn(&MeasureBar) -> bool| {
        let found = verification.judged().filter(|m| m.bar.share > TRUSTED && of(m));
        found.reduce(|a, b| if b.bar.share > a.bar.share { b } else { a })
    };
    if let Some(measure) = worst(|m| !m.bar.converges) {
        let column = measure.widest();
        let others = verification.runs.iter().map(|run| run.step);
        let steps = others.filter(|step| *step != time_step);
        let (frame, values) = measure.apart[column].clone();
        verdict.reasons.push(
            NotDetermined {
                measure: measure.columns[column].clone(),
                unit: measure.unit,
                at: times.get(frame).copied().unwrap_or_default(),
                values,
                order: measure.bar.order.unwrap_or_default(),
                steps: std::iter::once(time_step).chain(steps).collect(),
                time: verification.parting.as_ref().map(|parting| parting.time),
            }
            .into(),
        );
    } else if let Some(measure) = worst(|_| true) {
        let column = measure.widest();
        verdict.reasons.push(
            ErrorTooLarge {
                measure: measure.columns[column].clone(),
                value: measure.ends[column][0],
                error: measure.error_at_end(column),
                unit: measure.unit,
                share: measure.bar.share,
                step: time_step * measure.bar.step_share(run.most_order()),
            }
            .into(),
        );
    }
}

/// Whether the symptoms of all runs have no effect on the measures: there are three runs at different steps, all
/// their symptoms are of kinds that agreement can outweigh, and either the run at the smallest step has none, or
/// all are forecasts, or the agreement is so close that the cause of a symptom cannot matter, unless three runs may
/// share it.
fn is_outweighed(
    verdict: &Verdict,
    verification: &Verification,
    share: f64,
    (own_step, can_outweigh): (f64, impl Fn(&Verdict) -> bool),
) -> bool {
    let runs = &verification.runs;
    let all =
        |of: &dyn Fn(&Verdict) -> bool| of(verdict) && runs.iter().all(|run| of(&run.verdict));
    if runs.iter().filter(|run| run.step != own_step).count() < 2 {
        return false;
    }
    let refined = runs.iter().rfind(|run| run.is_refined);
    let finest = refined.map_or(verdict, |run| &run.verdict);
    // a method has its faults at every step
    let methods = || runs.iter().filter(|run| run.step == own_step);
    let faultless = || {
        finest.faultless() && (refined.is_some() || methods().all(|run| run.verdict.faultless()))
    };
    let forecasts_only = || all(&Verdict::forecasts_only);
    let close = share <= CLOSE && !finest.is_of_finest();
    all(&can_outweigh) && (faultless() || forecasts_only() || close)
}
