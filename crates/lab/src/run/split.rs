//! The parts of a drift by refinement: the integrator's is what falls with the step.
//!
//! With the drifts D₁, D₂, D₃ of runs at h, h/2 and h/4 and r = |D₁ − D₂|/|D₂ − D₃| the drift for h → 0
//! is D₃ − (D₂ − D₃)/(r − 1), Richardson's extrapolation by the observed order log₂ r \[roache1994\]. Where
//! r is above 1.5 · 2ᵖ, p the method's order, or the extrapolation goes far beyond D₃, the steps are
//! not yet small enough for it, and the limit is not known.
//!
//! Where the drifts at h and at larger steps agree, the nearest of them q h, the integrator's part is the difference
//! that the order p expects between h and 0: (D_q − D₁)/(qᵖ − 1), with p = 1 where errors are by chance; a difference
//! that is rounding leaves none.

use super::outcome::{Creep, DriftAt, Split};
use stiction_core::diagnosis::drift::Drift;
use stiction_core::math::{Vector, larger, pow};

/// Relative difference of drifts that count as the same, whether or not they converge.
pub const SAME: f64 = 5e-3;

/// Least ratio of successive differences of drifts that converge, half an order.
const LEAST_RATIO: f64 = 1.4;

/// Greatest ratio, as a multiple of 2ᵖ.
const MOST_RATIO: f64 = 1.5;

/// Greatest share of the limit by which it may differ from the drift at the smallest step.
const FARTHEST: f64 = 0.1;

/// How drifts are compared.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    /// Order p of the method.
    pub order: u32,
    /// Whether errors are of order one by a factor that is chance.
    pub erratic: bool,
    /// Speed that is rounding \[m/s\].
    pub least: f64,
}

/// The drift of one body in one run.
pub(super) struct Refined<'a> {
    pub step: f64,
    pub drift: &'a Drift,
}

/// Splits the drift of a body by its drifts in the run itself, the first, and at smaller steps, the finest last, or
/// at larger ones.
pub(super) fn by_refinement(creep: &mut Creep, runs: &[Refined], comparison: Comparison) {
    let velocities: Option<Vec<Vector>> = runs.iter().map(|run| run.drift.velocity()).collect();
    let (Some(velocities), [first, .., last]) = (velocities, runs) else { return };
    let along = velocities[0].try_normalize(0.0).unwrap_or_else(Vector::zeros);
    let drifts: Vec<DriftAt> = runs
        .iter()
        .zip(&velocities)
        .map(|(run, velocity)| DriftAt { step: run.step, drift: along.dot(velocity) })
        .collect();
    let (limit, finest) = match last.step > first.step {
        true if runs[1..].iter().any(|run| !settled(first.drift, run.drift, comparison)) => {
            (None, first)
        }
        true => {
            let order = f64::from(if comparison.erratic { 1 } else { comparison.order });
            let change = velocities[1] - velocities[0];
            let left = match change.norm() <= comparison.least {
                true => Vector::zeros(),
                false => change / (pow(runs[1].step / first.step, order) - 1.0),
            };
            (Some(velocities[0] - left), first)
        }
        false => (limit(&velocities, comparison), last),
    };
    match limit {
        Some(limit) => {
            creep.parts = first.drift.refined(limit, finest.drift);
            creep.split = Split::Refinement(drifts);
        }
        None => {
            creep.parts = None;
            creep.split = Split::Unsettled(drifts);
        }
    }
}

/// Whether the drifts of a body at two steps are the same, so that a third run says nothing about them.
pub(super) fn settled(a: &Drift, b: &Drift, Comparison { least, .. }: Comparison) -> bool {
    match (a.velocity(), b.velocity()) {
        (Some(a), Some(b)) => (a - b).norm() <= larger(SAME * b.norm(), least),
        (None, None) => true,
        _ => false,
    }
}

/// The drift for h → 0 from drifts at halved steps; `None` if they do not converge.
fn limit(drifts: &[Vector], Comparison { order, least, .. }: Comparison) -> Option<Vector> {
    let last = *drifts.last()?;
    let close =
        |difference: Vector, share: f64| difference.norm() <= larger(share * last.norm(), least);
    let (before, difference) = match drifts {
        [a, b] => return close(a - b, SAME).then_some(last),
        [a, b, c] => (a - b, b - c),
        _ => return None,
    };
    if close(before, SAME) && close(difference, 0.0) {
        return Some(last);
    }
    let ratio = before.norm() / difference.norm();
    let most = MOST_RATIO * f64::from(1 << order);
    if (LEAST_RATIO..=most).contains(&ratio) && before.dot(&difference) > 0.0 {
        let correction = difference / (ratio - 1.0);
        let limit = last - correction;
        if correction.norm() <= larger(FARTHEST * limit.norm(), least) {
            return Some(limit);
        }
    }
    drifts.iter().all(|drift| close(drift - last, SAME)).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drifts(speeds: &[f64]) -> Vec<Vector> {
        speeds.iter().map(|speed| Vector::x() * *speed).collect()
    }

    fn by(order: u32, least: f64) -> Comparison {
        Comparison { order, erratic: false, least }
    }

    #[test]
    fn a_drift_is_extrapolated_by_the_order_that_is_observed() {
        for order in [1, 2, 4] {
            let at = |halvings: u32| 1.0 + 0.3 * pow(0.5, f64::from(order * halvings));
            let found =
                limit(&drifts(&[at(0), at(1), at(2)]), by(order, 0.0)).expect("it converges");
            assert!((found.x - 1.0).abs() < 1e-12, "order {order}: {found}");
        }
    }

    #[test]
    fn drifts_that_do_not_converge_have_no_limit() {
        assert_eq!(limit(&drifts(&[1.0, 1.2, 1.4]), by(2, 0.0)), None);
        assert_eq!(limit(&drifts(&[1.0, 1.5, 1.2]), by(2, 0.0)), None);
        assert_eq!(limit(&drifts(&[1.0, 1.1]), by(2, 0.0)), None);
        // rounding is the same, and so are drifts that differ by less than is reported
        assert_eq!(
            limit(&drifts(&[1e-15, -3e-15, 2e-15]), by(2, 1e-14)),
            Some(Vector::x() * 2e-15)
        );
        assert_eq!(limit(&drifts(&[1.0, 1.004]), by(2, 0.0)), Some(Vector::x() * 1.004));
        assert_eq!(limit(&drifts(&[1.0, 1.002, 1.001]), by(2, 0.0)), Some(Vector::x() * 1.001));
        assert_eq!(limit(&drifts(&[1.0, 1.2, 1.19]), by(2, 0.0)), None);
        assert_eq!(limit(&drifts(&[1.0, 1.004, 1.008]), by(2, 0.0)), None);
    }

    #[test]
    fn drifts_at_steps_that_are_not_small_enough_have_no_limit() {
        // falls faster than the order allows
        assert_eq!(limit(&drifts(&[3.43, 2.99, 2.93]), by(1, 0.0)), None);
        assert!(limit(&drifts(&[3.43, 2.99, 2.88]), by(2, 0.0)).is_some());
        // the limit is a third beyond the drift at the smallest step
        assert_eq!(limit(&drifts(&[0.247, 0.977, 1.421]), by(1, 0.0)), None);
    }
}
