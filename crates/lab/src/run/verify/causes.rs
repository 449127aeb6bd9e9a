//! The error of a run by one cause, from runs at other values of the cause's parameter.
//!
//! A measure that is off by C qᵖ is estimated as by steps, [`ErrorBar::estimate`], with q in their place: from runs at
//! larger q, or at q/2 and q/4. There are two estimates of the error at the end: over all frames, and over the last
//! eighth of them, where the effect of a start out of balance has died away. The larger one counts where the frames
//! together show an order, else the second. From larger q the order counts as 1 or 2, whichever is nearer: creep falls
//! with ε, the loss of a slide with ε², the depth with the square of the time of contact, the duration of an impact
//! with that time. Of a mesh there is one run, at q = 1/2, whose order is assumed.

use super::super::cause::{Cause, Family, mesh};
use super::super::verification::{CauseBars, CauseRun, MeasureBar};
use super::{Check, Further};
use stiction_core::diagnosis::error_bar::{Columns, ErrorBar, TRUSTED, Zero};
use stiction_core::math::larger;
use stiction_core::model::Model;
use stiction_core::state::memory::Contact;

/// Largest factor of safety of an estimate by an order that the runs show.
const SMALL: f64 = 1.25;

/// A run at another q.
pub(in crate::run) struct At {
    pub q: f64,
    pub run: Further,
}

impl Check<'_> {
    /// The errors by a cause, from runs that are all coarser than this one, in ascending order of q, or all finer, in
    /// descending order; none without runs.
    pub(in crate::run) fn by_cause(&self, of: &dyn Family, cause: Cause, runs: &[At]) -> CauseBars {
        let others: Vec<&Further> = runs.iter().map(|at| &at.run).collect();
        let ratios: Vec<f64> = std::iter::once(1.0).chain(runs.iter().map(|at| at.q)).collect();
        let (measures, bodies) = match runs.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => self.each(&others, |columns, zero, unit, _| {
                estimate(columns, &ratios, (zero, self.scales.least(unit)), cause)
            }),
        };
        let about = |at: &At| CauseRun {
            value: of.value_at(at.q),
            factor: of.factor(at.q),
            ratio: at.q,
            step: at.run.about.step,
            status: at.run.about.status,
            verdict: at.run.about.verdict.clone(),
        };
        CauseBars {
            cause,
            parameter: Some((of.name(), of.value())),
            known: !runs.is_empty(),
            runs: runs.iter().map(about).collect(),
            measures,
            bodies,
            note: of.note(),
        }
    }

    /// The model of the run.
    pub(in crate::run) fn model(&self) -> &Model {
        &self.run.simulation().model
    }

    /// Whether particles are on curves at the end, whose friction has laws of its own.
    pub(in crate::run) fn on_curves(&self) -> bool {
        !self.run.simulation().state.memory.on_curves.is_empty()
    }

    /// The contacts at the end; `None` if there was none in the whole run.
    pub(in crate::run) fn contacts(&self) -> Option<&[Contact]> {
        self.touched().then(|| &self.run.simulation().state.memory.contacts[..])
    }

    /// Whether any contact was there at a frame, or a depth at a step, so that a law of contact acted.
    pub(in crate::run) fn touched(&self) -> bool {
        self.run.tally.touched
    }
}

impl CauseBars {
    /// Whether finer runs would hardly say more: every measure that counts, or every body if none does, is within what
    /// is trusted, or shows the order by which it falls.
    pub(in crate::run) fn settled(&self) -> bool {
        let none = !self.measures.iter().any(|measure| measure.counts);
        let all = if none { &self.bodies } else { &self.measures };
        let settled = |measure: &MeasureBar| {
            let bar = &measure.bar;
            let seen = bar.safety.is_some_and(|safety| safety <= SMALL);
            bar.converges && (seen || bar.share <= TRUSTED)
        };
        self.known && all.iter().filter(|measure| measure.counts).all(settled)
    }
}

/// Part of the frames at the end that is looked at by itself, and the fewest of them.
const END: (usize, usize) = (8, 8);

/// The error bar of a measure by runs at these q: as of the whole run, but at its end.
fn estimate(columns: &Columns, ratios: &[f64], scale: (Zero, f64), cause: Cause) -> ErrorBar {
    let all = of_frames(columns, ratios, scale, cause);
    let frames = columns.iter().flatten().map(|run| run.len()).min().unwrap_or(0);
    let from = frames - (frames / END.0).max(END.1).min(frames);
    let mut end = columns.to_vec();
    end.iter_mut().flatten().for_each(|run| *run = &run[from..frames]);
    let end = of_frames(&end, ratios, (scale.0, larger(scale.1, all.scale)), cause);
    let last = |bar: &ErrorBar| -> f64 {
        let bars = bar.bars.iter().filter_map(|bars| bars.last());
        bars.fold(0.0, |sum, bar| sum + bar * bar)
    };
    if all.converges && last(&end) <= last(&all) {
        return all;
    }
    match cause {
        // an error of the run, not at its end alone
        Cause::Mesh => ErrorBar { share: larger(all.share, end.share), ..end },
        _ => end,
    }
}

fn of_frames(columns: &Columns, ratios: &[f64], scale: (Zero, f64), cause: Cause) -> ErrorBar {
    if cause == Cause::Solver {
        // where iterations end is chance
        let mut bar = ErrorBar::estimate(columns, ratios, scale, None);
        // and so is an order by them
        bar.order = None;
        return bar;
    }
    if cause == Cause::Mesh {
        return ErrorBar::by_order(columns, scale, mesh::ORDER);
    }
    let second = ErrorBar::estimate(columns, ratios, scale, Some(2.0));
    match second.order {
        Some(order) if order < 1.5 => ErrorBar::estimate(columns, ratios, scale, Some(1.0)),
        _ => second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::pow;

    /// Ten frames of a value that is off by c qᵖ, over 1.
    fn bar(ratios: &[f64], p: f64, truth: f64) -> ErrorBar {
        let run = |q: &f64| vec![truth + 0.1 * pow(*q, p); 10];
        let runs: Vec<Vec<f64>> = ratios.iter().map(run).collect();
        let columns = [runs.iter().map(Vec::as_slice).collect::<Vec<_>>()];
        estimate(&columns, ratios, (Zero::Natural, 0.0), Cause::Epsilon)
    }

    #[test]
    fn what_falls_by_a_whole_order_is_found_itself_times_a_quarter_more() {
        let root = std::f64::consts::SQRT_2;
        for ratios in [[1.0, 2.0, 4.0], [1.0, root, 2.0], [1.0, 0.5, 0.25]] {
            for p in [1.0, 2.0] {
                // a limit of zero: the bar covers the whole value
                for truth in [0.0, 1.0] {
                    let bar = bar(&ratios, p, truth);
                    assert!((bar.bars[0][9] / 0.125 - 1.0).abs() < 1e-9, "{ratios:?} {p}: {bar:?}");
                    assert!((bar.order.expect("seen") - p).abs() < 1e-6, "{bar:?}");
                    assert_eq!(bar.safety, Some(SMALL));
                }
            }
        }
    }

    /// A mesh that moves a value in between by more than a quarter of it is not known to be right by what it is at the end.
    #[test]
    fn the_mesh_counts_over_the_whole_course() {
        let course = |between: f64| {
            let mut run = vec![1.0; 40];
            run[8..20].fill(between);
            run
        };
        for (between, known) in [(1.1, true), (1.3, true), (2.5, false)] {
            let runs = [course(1.0), course(between)];
            let columns = [runs.iter().map(Vec::as_slice).collect::<Vec<_>>()];
            let bar = estimate(&columns, &[1.0, 0.5], (Zero::Natural, 0.0), Cause::Mesh);
            assert!(bar.share > TRUSTED && bar.share.is_finite() == known, "{between}: {bar:?}");
            assert_eq!(bar.bars[0].last().copied(), Some(0.0), "{between}");
        }
    }

    #[test]
    fn other_orders_are_covered_by_a_larger_factor() {
        for p in [0.6, 1.3, 1.6, 3.0] {
            let bar = bar(&[1.0, 2.0, 4.0], p, 1.0);
            assert!(bar.bars[0][9] >= 0.1 && bar.safety == Some(3.0), "{p}: {bar:?}");
        }
    }
}
