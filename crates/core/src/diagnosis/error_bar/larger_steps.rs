//! The error of the run with the smallest step, from those at larger ones.
//!
//! y is the value of a measure at one time for h → 0, y₀, y₁, y₂ are those of the runs at h, q₁ h, q₂ h with
//! 1 < q₁ < q₂. An error of which a part is chance, as that of a contact that begins inside a step, is of first order
//! and may be small in one of them: it is then at most the larger one of
//!
//! 3 |y₀ − y₁|/(q₁ − 1)  and  3 |y₀ − y₂|/(q₂ − 1),
//!
//! unless all three are further apart than is trusted, and no nearer at smaller steps: such runs part.
//!
//! Where only one larger step is there, and no chance, 3 |y₀ − y₁|/(q₁ᵖ − 1) with half the nominal order for p, between
//! 1 and 2, which at q₁ = 2 bounds an error of first order, and with p = 1 for q₁ > 2. Else, with the error c hᵖ, the
//! order is that p at which
//!
//! |y₁ − y₂|/|y₀ − y₁| = (q₂ᵖ − q₁ᵖ)/(q₁ᵖ − 1),  and  |y₀ − y| = |y₀ − y₁|/(q₁ᵖ − 1).
//!
//! where q₁ counts as no more than 4, since an order over a larger ratio may be chance.
//!
//! The factor of safety is 1.25 where p is the nominal order to 10 %, else 3 with p between ½ and that
//! order \[oberkampf2010\]. Runs that do not converge have the bar that they have by smaller steps: 2.5 times
//! their largest distance, and the whole scale from where they part.

use super::{Difference, Estimate, LEAST_ORDER, MOST_ORDER, ROUNDING, SAFETY, TRUSTED};
use crate::math::{larger, pow, smaller};

/// Difference of observed and nominal order, as a share, up to which the small factor of safety does.
const AS_NOMINAL: f64 = 0.1;

/// Largest nominal order that counts where only two runs are there.
const MOST_NOMINAL: f64 = 4.0;

/// Largest ratio of steps over which an order counts.
const FARTHEST: f64 = 4.0;

/// Bounds between which orders are searched, and halvings of that interval.
const ORDERS: (f64, f64) = (-8.0, 17.0);
const HALVINGS: usize = 60;

/// Runs of one measure, the first at h.
struct Distances {
    /// q₁, q₂
    ratios: [f64; 2],
    /// of the first two, of the last two, and of the first and the last
    apart: [Difference; 3],
    scale: f64,
    nominal: f64,
}

/// The observed order, and the error of the first run: by its distances `apart` from runs at
/// larger steps, in ascending order. Of a `nominal` order three of them count.
pub(super) fn by_larger_steps(
    steps: &[f64],
    nominal: Option<f64>,
    apart: impl Fn(usize, usize) -> Difference,
    (scale, jumps): (f64, &[bool]),
) -> Estimate {
    let ratio = |run: usize| steps[run] / steps[0];
    match nominal {
        Some(nominal) if steps.len() > 2 => {
            let (ratios, apart) = ([ratio(1), ratio(2)], [apart(0, 1), apart(1, 2), apart(0, 2)]);
            Distances { ratios, apart, scale, nominal }.error(jumps)
        }
        _ => {
            // half the nominal order: 3/(2² − 1) bounds an error of first order too, at a ratio of up to 2
            let half = nominal.map_or(1.0, |nominal| 0.5 * smaller(nominal, MOST_NOMINAL));
            let p = |run: usize| if ratio(run) <= 2.0 { larger(half, 1.0) } else { 1.0 };
            let error =
                |run: usize| apart(0, run).times(SAFETY[0] / (pow(ratio(run), p(run)) - 1.0));
            let most = (2..steps.len()).fold(error(1), |most, run| most.or(&error(run)));
            let safety = Some(SAFETY[0]);
            if steps.len() < 3 {
                return Estimate { order: None, safety, error: most };
            }
            let (ratios, apart) = ([ratio(1), ratio(2)], [apart(0, 1), apart(1, 2), apart(0, 2)]);
            match (Distances { ratios, apart, scale, nominal: 1.0 }).parted(jumps) {
                Some(parted) => Estimate { order: None, safety: None, error: parted },
                None => Estimate { order: None, safety, error: most },
            }
        }
    }
}

impl Distances {
    /// The order, and the error of the first run.
    fn error(&self, jumps: &[bool]) -> Estimate {
        let [fine, coarse, all] = &self.apart;
        let frames: Vec<usize> = (0..fine.frames()).collect();
        let order = self.order(&frames);
        if order.is_none_or(|p| p >= LEAST_ORDER) {
            return self.converging(order);
        }
        let apart = fine.or(coarse).or(all).times(2.0 * SAFETY[1]);
        if let Some(farthest) = coarse.farthest_frame(fine) {
            let others: Vec<usize> = frames.into_iter().filter(|k| *k != farthest).collect();
            let order = self.order(&others).filter(|p| *p >= LEAST_ORDER);
            let Estimate { order, safety, error } = self.converging(order);
            let error = error.or_at(farthest, &apart);
            if order.is_some() && error.size(jumps) <= TRUSTED * self.scale {
                return Estimate { order, safety, error };
            }
        }
        Estimate { order, safety: None, error: apart.unknown(self.scale) }
    }

    /// The distance of runs that do not come nearer to each other: chance may make one of them the nearer one, but not
    /// all of them differ by more than is trusted.
    fn parted(&self, jumps: &[bool]) -> Option<Difference> {
        let [fine, coarse, all] = &self.apart;
        let far = |apart: &&Difference| apart.size(jumps) > TRUSTED * self.scale;
        let frames: Vec<usize> = (0..fine.frames()).collect();
        let converge = self.order(&frames).is_none_or(|p| p >= LEAST_ORDER);
        let parted = !converge && [fine, coarse, all].iter().all(far);
        parted.then(|| fine.or(coarse).or(all).times(2.0 * SAFETY[1]).unknown(self.scale))
    }

    fn converging(&self, order: Option<f64>) -> Estimate {
        let [fine, ..] = &self.apart;
        let observed = order.unwrap_or(1.0);
        let as_nominal = (observed / self.nominal - 1.0).abs() <= AS_NOMINAL;
        let p = smaller(larger(smaller(observed, self.nominal), LEAST_ORDER), MOST_ORDER);
        let ratio = smaller(self.ratios[0], FARTHEST);
        let safety = SAFETY[usize::from(as_nominal)];
        Estimate { order, safety: Some(safety), error: fine.times(safety / (pow(ratio, p) - 1.0)) }
    }

    /// The order over some frames; `None` if the runs differ by rounding alone.
    fn order(&self, frames: &[usize]) -> Option<f64> {
        let [fine, coarse, _] = &self.apart;
        let halvings = coarse.order_over(fine, frames, ROUNDING * self.scale)?;
        Some(order(pow(2.0, halvings), self.ratios))
    }
}

/// The p at which (q₂ᵖ − q₁ᵖ)/(q₁ᵖ − 1) is a ratio of distances; that ratio grows with p.
fn order(ratio: f64, [near, far]: [f64; 2]) -> f64 {
    let (mut low, mut high) = ORDERS;
    for _ in 0..HALVINGS {
        let p = 0.5 * (low + high);
        let of = |q: f64| pow(q, p) - 1.0;
        let found = (of(far) - of(near)) / of(near);
        if found < ratio { low = p } else { high = p }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::error_bar::{ErrorBar, Zero};

    /// A measure 1 + t over eleven frames, off by c hᵖ t.
    fn runs(steps: &[f64], c: f64, p: f64) -> Vec<Vec<f64>> {
        let run =
            |h: &f64| (0..=10).map(|k| f64::from(k) * (1.0 + c * pow(*h, p))).collect::<Vec<f64>>();
        steps.iter().map(run).collect()
    }

    fn bar(runs: &[Vec<f64>], steps: &[f64], nominal: Option<f64>) -> ErrorBar {
        let columns = [runs.iter().map(Vec::as_slice).collect::<Vec<_>>()];
        ErrorBar::estimate(&columns, steps, (Zero::Natural, 0.0), nominal)
    }

    #[test]
    fn orders_are_found_whatever_the_ratios_of_steps() {
        for p in [0.7, 1.0, 2.0, 3.0, 4.0] {
            for steps in [[0.1, 0.2, 0.4], [0.1, 0.15, 0.6], [0.1, 0.4, 0.6]] {
                let found = bar(&runs(&steps, 0.5, p), &steps, Some(4.0));
                let order = found.order.expect("they differ");
                assert!((order - p).abs() < 1e-6, "{p} {steps:?}: {order}");
                assert!(found.converges);
                // at the last frame: the error there, times the factor of safety
                let error = 0.5 * pow(0.1, p) * 10.0;
                let last = *found.bars[0].last().expect("a frame");
                let least = if p > MOST_ORDER { 1.0 } else { 1.24 };
                assert!(last >= least * error && last < 20.0 * error, "{p}: {last} of {error}");
            }
        }
    }

    #[test]
    fn the_factor_of_safety_is_small_where_the_order_is_the_nominal_one() {
        let steps = [0.1, 0.2, 0.4];
        let error = 0.5 * 0.01 * 10.0;
        for (nominal, factor) in [(2.0, 1.25), (4.0, 3.0), (1.0, 9.0)] {
            let found = bar(&runs(&steps, 0.5, 2.0), &steps, Some(nominal));
            let last = found.bars[0].last().expect("a frame") / error;
            assert!((last - factor).abs() < 1e-9, "{nominal}: {last}");
        }
    }

    #[test]
    fn two_runs_count_as_of_first_order() {
        let steps = [0.1, 0.3];
        let found = bar(&runs(&steps, 0.5, 1.0), &steps, Some(1.0));
        let last = found.bars[0].last().expect("a frame") / (0.5 * 0.1 * 10.0);
        assert!((last - 3.0).abs() < 1e-9 && found.order.is_none(), "{found:?}");
    }

    /// |y₀ − y₁| is c h for p = 1: what is left of it for a method of higher order.
    #[test]
    fn two_runs_of_a_method_of_high_order_bound_an_error_of_first_order_at_twice_the_step() {
        for (steps, nominal, factor) in
            [([0.1, 0.2], 4.0, 1.0), ([0.1, 0.2], 2.0, 3.0), ([0.1, 0.4], 4.0, 3.0)]
        {
            let found = bar(&runs(&steps, 0.5, 1.0), &steps, Some(nominal));
            let last = found.bars[0].last().expect("a frame") / (0.5 * 0.1 * 10.0);
            assert!((last - factor).abs() < 1e-9, "{steps:?} {nominal}: {last}");
        }
    }

    #[test]
    fn of_errors_by_chance_the_larger_distance_counts() {
        // the first two agree by chance, the third is off
        let steps = [0.1, 0.2, 0.4];
        let runs = [vec![1.01; 20], vec![1.011; 20], vec![1.05; 20]];
        let found = bar(&runs, &steps, None);
        assert!((found.bars[0][19] - 0.04).abs() < 1e-12, "{found:?}");
        let smooth = bar(&runs, &steps, Some(4.0));
        assert!(smooth.bars[0][19] < 0.01, "{smooth:?}");
    }

    #[test]
    fn runs_that_part_by_chance_are_no_error_of_first_order() {
        let steps = [0.1, 0.2, 0.4];
        let part = |own: f64| bar(&[vec![own; 20], vec![0.5; 20], vec![0.8; 20]], &steps, None);
        assert!(!part(1.0).converges && part(1.0).share >= 1.0, "{:?}", part(1.0));
        // those at the smaller steps are close
        assert!(part(0.505).converges, "{:?}", part(0.505));
    }

    #[test]
    fn runs_that_part_have_no_order_and_a_wide_bar() {
        let steps = [0.1, 0.2, 0.4];
        // they agree again at the end
        let run = |until: f64| [vec![until; 15], vec![1.0; 5]].concat();
        let found = bar(&[run(1.0), run(0.5), run(0.8)], &steps, Some(4.0));
        assert!(!found.converges && found.share >= 1.0, "{found:?}");
        assert!(found.bars[0][19] >= 1.0, "{found:?}");
    }

    #[test]
    fn a_run_that_explodes_is_no_scale() {
        let steps = [0.1, 0.2, 0.4];
        let found = bar(&[vec![1.0; 20], vec![1.1; 20], vec![1e9; 20]], &steps, Some(4.0));
        assert_eq!(found.scale, 1.0);
        assert!(found.share > TRUSTED, "{found:?}");
    }
}
