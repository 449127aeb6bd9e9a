//! The parts of a drift by refinement: the integrator's is what falls with the step.
//!
//! With the drifts D₁, D₂, D₃ of runs at h, h/2 and h/4 and r = |D₁ − D₂|/|D₂ − D₃| the drift for h → 0
//! is D₃ − (D₂ − D₃)/(r − 1), Richardson's extrapolation by the observed order log₂ r \[roache1994\].

use super::outcome::{Creep, DriftAt, Split};
use stiction_core::diagnosis::drift::Drift;
use stiction_core::math::{Vector, larger};

/// Relative difference of two drifts that count as the same: half of a hundredth, below which a part is
/// not reported as the integrator's.
const SAME: f64 = 5e-3;

/// Least ratio of successive differences of drifts that converge, half an order.
const LEAST_RATIO: f64 = 1.4;

/// Relative difference of the last two drifts up to which the last is taken where the differences change
/// their sign or do not fall.
const NEAR: f64 = 0.02;

/// The drift of one body in one run.
pub(super) struct Refined<'a> {
    pub step: f64,
    pub drift: &'a Drift,
}

/// Splits the drift of a body by its drifts in the run itself and at smaller steps, largest step first.
/// `least` is a speed that is rounding \[m/s\].
pub(super) fn by_refinement(creep: &mut Creep, runs: &[Refined], least: f64) {
    let velocities: Option<Vec<Vector>> = runs.iter().map(|run| run.drift.velocity()).collect();
    let (Some(velocities), [first, .., finest]) = (velocities, runs) else { return };
    let along = velocities[0].try_normalize(0.0).unwrap_or_else(Vector::zeros);
    let drifts: Vec<DriftAt> = runs
        .iter()
        .zip(&velocities)
        .map(|(run, velocity)| DriftAt { step: run.step, drift: along.dot(velocity) })
        .collect();
    match limit(&velocities, least) {
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
pub(super) fn settled(a: &Drift, b: &Drift, least: f64) -> bool {
    match (a.velocity(), b.velocity()) {
        (Some(a), Some(b)) => (a - b).norm() <= larger(SAME * b.norm(), least),
        _ => true,
    }
}

/// The drift for h → 0 from drifts at halved steps; `None` if they do not converge.
fn limit(drifts: &[Vector], least: f64) -> Option<Vector> {
    let last = *drifts.last()?;
    let close =
        |difference: Vector, share: f64| difference.norm() <= larger(share * last.norm(), least);
    let (before, difference) = match drifts {
        [a, b] => return close(a - b, SAME).then_some(last),
        [a, b, c] => (a - b, b - c),
        _ => return None,
    };
    if close(difference, 0.0) {
        return Some(last);
    }
    let ratio = before.norm() / difference.norm();
    if ratio >= LEAST_RATIO && before.dot(&difference) > 0.0 {
        return Some(last - difference / (ratio - 1.0));
    }
    close(difference, NEAR).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::pow;

    fn drifts(speeds: &[f64]) -> Vec<Vector> {
        speeds.iter().map(|speed| Vector::x() * *speed).collect()
    }

    #[test]
    fn a_drift_is_extrapolated_by_the_order_that_is_observed() {
        for order in [1, 2, 4] {
            let at = |halvings: i32| 1.0 + 0.3 * pow(0.5, f64::from(order * halvings));
            let found = limit(&drifts(&[at(0), at(1), at(2)]), 0.0).expect("it converges");
            assert!((found.x - 1.0).abs() < 1e-12, "order {order}: {found}");
        }
    }

    #[test]
    fn drifts_that_do_not_converge_have_no_limit() {
        assert_eq!(limit(&drifts(&[1.0, 1.2, 1.4]), 0.0), None);
        assert_eq!(limit(&drifts(&[1.0, 1.5, 1.2]), 0.0), None);
        assert_eq!(limit(&drifts(&[1.0, 1.1]), 0.0), None);
        // rounding is the same, and so are drifts that differ by less than is reported
        assert_eq!(limit(&drifts(&[1e-15, -3e-15, 2e-15]), 1e-14), Some(Vector::x() * 2e-15));
        assert_eq!(limit(&drifts(&[1.0, 1.004]), 0.0), Some(Vector::x() * 1.004));
        assert_eq!(limit(&drifts(&[1.0, 1.2, 1.19]), 0.0), Some(Vector::x() * 1.19));
    }
}
