//! Whether a drift is steady: its change from the first to the second half of its window, and the time after
//! which it has relaxed.
//!
//! A soft body relaxes by d(t) = v(t) − v∞ = d₀ exp(−t/τ), τ of the size μN/(εk) of one contact on a spring k. The
//! means d₁, d₂ over two halves of length L of the window give τ = L/ln(d₁/d₂), with the law's closed form at
//! the load ratio of the body as v∞.

use stiction_core::diagnosis::drift::Drift;
use stiction_core::math::{larger, log};

/// Change of a drift over its window, as a share, up to which it counts as steady.
pub const STEADY: f64 = 0.01;

/// Multiple of a run up to which its relaxation is extrapolated.
const FARTHEST: f64 = 10.0;

/// Speed below which a change is rounding \[m/s\].
const ROUNDED_AWAY: f64 = 1e-13;

/// The steadiness of a drift.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Steadiness {
    /// The law's closed form at the load ratio at the end \[m/s\]; absent without one load or one normal.
    pub closed_form: Option<f64>,
    /// (v₂ − v₁)/v₂ of the means over the two halves of the window; absent for less than two frames in it.
    pub change: Option<f64>,
    /// The end of a run in whose window the drift would be steady \[s\], if it relaxes to the closed form; none that is
    /// more than ten times as long.
    pub end: Option<f64>,
}

impl Steadiness {
    /// Whether the drift still changes over its window by more than [`STEADY`].
    pub fn is_unsteady(&self) -> bool {
        self.change.is_some_and(|change| change.abs() > STEADY)
    }

    /// The steadiness of a drift over a `window` \[s\], which has a length of its own or is the `share` of the run
    /// at its end.
    pub(super) fn of(
        halves: [&Drift; 2],
        closed_form: Option<f64>,
        window: [f64; 2],
        share: Option<f64>,
    ) -> Steadiness {
        let [Some(first), Some(second)] = halves.map(Drift::measured) else {
            return Steadiness { closed_form, ..Steadiness::default() };
        };
        if larger(first, second) < ROUNDED_AWAY {
            return Steadiness { closed_form, change: Some(0.0), end: None };
        }
        let change = Some((second - first) / second).filter(|change| change.is_finite());
        let unsteady = change.is_some_and(|change| change.abs() > STEADY);
        let limit = closed_form.filter(|v| *v > 0.0 && unsteady);
        let end = limit.and_then(|limit| relaxed([first, second], limit, window, share));
        Steadiness { closed_form, change, end }
    }
}

/// The end of a run whose window begins where |v − v∞| has fallen to [`STEADY`] v∞.
fn relaxed(
    [first, second]: [f64; 2],
    limit: f64,
    window: [f64; 2],
    share: Option<f64>,
) -> Option<f64> {
    let ratio = (first - limit) / (second - limit);
    if !(ratio.is_finite() && ratio > 1.0) {
        return None;
    }
    let half = 0.5 * (window[1] - window[0]);
    let tau = half / log(ratio);
    // the second mean is that of the middle of its half
    let middle = window[1] - 0.5 * half;
    let from = middle + tau * log(larger((second - limit).abs() / (STEADY * limit), 1.0));
    let end = match share {
        Some(share) => from / (1.0 - share),
        None => from + (window[1] - window[0]),
    };
    Some(larger(end, window[1])).filter(|end| *end <= FARTHEST * window[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use stiction_core::math::exp;

    /// The mean of d₀ exp(−t/τ) over a time.
    fn mean(size: f64, tau: f64, [from, until]: [f64; 2]) -> f64 {
        size * tau * (exp(-from / tau) - exp(-until / tau)) / (until - from)
    }

    #[test]
    fn a_drift_that_relaxes_is_steady_after_its_own_time() {
        let (limit, size, tau) = (2e-5, 3e-5, 0.2);
        let over = |window| limit + mean(size, tau, window);
        let [first, second] = [[0.75, 0.875], [0.875, 1.0]].map(over);
        let end = relaxed([first, second], limit, [0.75, 1.0], Some(0.25)).expect("it relaxes");
        // at the beginning of its window the rest is a hundredth
        let rest = size * exp(-0.75 * end / tau);
        assert!((rest / (STEADY * limit) - 1.0).abs() < 0.1, "{end}: {rest:e}");
        let own = relaxed([first, second], limit, [0.75, 1.0], None).expect("it relaxes");
        assert!((own - 0.25 - 0.75 * end).abs() < 1e-12, "{own} {end}");
    }

    #[test]
    fn what_takes_much_longer_than_the_run_is_no_forecast() {
        let of = |second| relaxed([3e-5, second], 2e-5, [0.75, 1.0], Some(0.25));
        assert!(of(2.9e-5).is_some());
        assert_eq!(of(2.995e-5), None);
    }

    #[test]
    fn what_departs_from_the_closed_form_has_no_end() {
        assert_eq!(relaxed([2.1e-5, 2.2e-5], 2e-5, [0.75, 1.0], Some(0.25)), None);
        assert_eq!(relaxed([2.1e-5, 1.9e-5], 2e-5, [0.75, 1.0], Some(0.25)), None);
        assert!(relaxed([1.8e-5, 1.9e-5], 2e-5, [0.75, 1.0], Some(0.25)).is_some());
    }

    #[test]
    fn a_change_of_more_than_a_hundredth_is_unsteady() {
        let unsteady = |change| Steadiness { change, ..Steadiness::default() }.is_unsteady();
        assert!(unsteady(Some(-0.02)) && unsteady(Some(0.02)));
        assert!(!unsteady(Some(0.009)) && !unsteady(None));
    }
}
