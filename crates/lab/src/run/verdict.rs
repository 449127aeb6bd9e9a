//! The verdict on a verified run: its own reasons, and what the comparison with other runs adds or outweighs.

pub(super) mod mesh;

use super::Run;
use super::verification::{MeasureBar, Verification};
use stiction_core::diagnosis::error_bar::{
    ErrorTooLarge, NotDetermined, RefinedRunAtFault, TRUSTED,
};
use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;

/// Largest error, as a share, at which the agreement of the runs outweighs symptoms common to all.
pub(super) const CLOSE: f64 = 1e-2;

/// Adds the result of the comparison with runs at other steps, or by another method, to the verdict.
pub(super) fn judge(
    verdict: &mut Verdict,
    verification: &Verification,
    faults: Vec<Reason>,
    (run, times): (&Run, &[f64]),
    can_outweigh: impl Fn(&Verdict) -> bool,
) {
    let share = verification.share();
    verdict.error = Some(share);
    verdict.reasons.extend(faults);
    let time_step = run.simulation().time_step();
    if share <= TRUSTED && is_outweighed(verdict, verification, share, (time_step, can_outweigh)) {
        verdict.outweighed.append(&mut verdict.reasons);
        return;
    }
    for refined in &verification.runs {
        at_fault(verdict, &refined.name, &refined.verdict);
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

/// Adds the reasons against a run that was compared with, but those that stand against the verified one too.
fn at_fault(verdict: &mut Verdict, run: &str, of: &Verdict) {
    let own = || verdict.reasons.iter().chain(&verdict.outweighed);
    let new = |reason: &&Reason| own().all(|own| own.name() != reason.name());
    let marks: Vec<&str> = of.reasons.iter().filter(new).map(|reason| reason.name()).collect();
    if !marks.is_empty() {
        let fault = RefinedRunAtFault { run: run.into(), marks: marks.join(", ") };
        verdict.reasons.push(fault.into());
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
