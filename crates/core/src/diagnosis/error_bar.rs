//! The error bar of a measure, from the same run at other steps: at larger ones as in larger_steps.rs.
//!
//! From smaller steps: y is the value of a measure at one time for h → 0, y₀, y₁, y₂ are those of the runs at h, h/2,
//! h/4. A method that converges with order p gives y + c hᵖ, y + c (h/2)ᵖ, y + c (h/4)ᵖ, so
//!
//! p = log₂(|y₀ − y₁|/|y₁ − y₂|),  |y₀ − y| ≤ |y₀ − y₂| + |y₁ − y₂|/(2ᵖ − 1).
//!
//! The order is taken from all frames of a measure at once, since single differences pass through zero,
//! or, where these show no convergence and all but the most distant one do, to a share that is trusted, from
//! those: a value that jumps a little later is no error of others. There the error is twice the distance.
//! A factor of safety of 1.25 multiplies the estimate. With two runs only, p = 1, |y₀ − y| = 2 |y₀ −
//! y₁|, and a factor of 3. Source: \[roache1994\]. If the runs do not converge, the error may be as
//! large as the measure itself.

use crate::math::{Vector, larger, pow, smaller};

mod difference;
mod faults;
mod larger_steps;
mod scale;

use difference::{Difference, jumps, late};
use larger_steps::by_larger_steps;
use scale::scale;

pub(crate) use faults::{
    ERROR_TOO_LARGE, FAR_FROM_REFERENCE, MESH_TOO_COARSE, NOT_DETERMINED, REFINED_RUN_AT_FAULT,
};
pub use faults::{
    ErrorTooLarge, FarFromReference, MeshTooCoarse, NotDetermined, RefinedRunAtFault,
};

/// Factors of safety of an estimate by a difference alone, and by an order that three runs at smaller steps show.
const SAFETY: [f64; 2] = [3.0, 1.25];

/// Share of a measure's scale up to which a run is trusted. Errors matter from 5 %; 3 % leaves room for
/// a smaller scale, as that of a rebound against the speed before it.
pub const TRUSTED: f64 = 0.03;

/// Share of a measure's scale at which advice aims: below [`TRUSTED`], since orders are estimates.
const AIM: f64 = 0.005;

/// Observed orders below this count as no convergence.
pub const LEAST_ORDER: f64 = 0.5;

/// Observed orders above this may be chance.
pub const MOST_ORDER: f64 = 3.0;

/// Share of a measure's largest value that rounding may cause over a run.
const ROUNDING: f64 = 1e-9;

/// The scale of a measure, by the meaning of its zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Zero means none: speeds, forces, angles. The scale is the largest value.
    Natural,
    /// Zero is a choice: positions. The scale is the largest distance from the mean over the run; for
    /// swings about a straight line, as in stick–slip, half the largest swing.
    Chosen,
    /// Zero is the start: displacements. The scale is the largest value; for swings about a straight line half the
    /// largest swing. Of a vector some of whose numbers swing it is the largest of its numbers' scales.
    Start,
    /// Zero is the right value: distances from a curve. The measure is itself an error, and no share of
    /// it counts.
    Wanted,
}

/// The columns of one measure, `columns[column][run][frame]`, the run at h first: then those at h/2 and, if needed,
/// h/4, or those at larger steps.
pub type Columns<'a> = [Vec<&'a [f64]>];

/// The error bar of a measure.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBar {
    /// Largest error at every frame, `bars[column][frame]`, in the measure's unit.
    pub bars: Vec<Vec<f64>>,
    /// The scale of errors, in the measure's unit.
    pub scale: f64,
    /// The error as a share of the scale: the larger of its mean over a window and its value at the end.
    pub share: f64,
    /// The observed order; `None` with fewer than three runs, where errors are by chance, or if they differ by
    /// rounding alone.
    pub order: Option<f64>,
    /// Whether the runs converge as the step falls; not asked of larger steps where errors are by chance.
    pub converges: bool,
    /// The factor of safety of the estimate; `None` where the runs do not converge.
    pub safety: Option<f64>,
}

/// The error of a run by others, before it becomes a bar.
struct Estimate {
    order: Option<f64>,
    safety: Option<f64>,
    error: Difference,
}

/// Impacts of a method that jumps velocities at the ends of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LateImpacts {
    /// By how much they are late \[s\].
    pub late: f64,
    /// Share of a velocity by which they are wrong themselves.
    pub off: f64,
}

impl ErrorBar {
    /// Makes the error unknown (NaN at every frame, an infinite share): the runs compared are wrong
    /// themselves, and their differences do not bound how far they are from the right result.
    pub fn forget(&mut self) {
        self.bars.iter_mut().flatten().for_each(|bar| *bar = f64::NAN);
        (self.share, self.order, self.converges) = (f64::INFINITY, None, false);
        self.safety = None;
    }

    /// Compares the runs of a measure, made at these `steps` \[s\]: all further ones are smaller than the first, or
    /// all are larger, in ascending order. Its scale is no less than `least`, in its unit. `nominal` is the order of
    /// the method, by which larger steps may show a smaller error; `None` where errors are by chance.
    pub fn estimate(
        columns: &Columns,
        steps: &[f64],
        (zero, least): (Zero, f64),
        nominal: Option<f64>,
    ) -> ErrorBar {
        let frames = columns.iter().flatten().map(|run| run.len()).min().unwrap_or(0);
        let coarser = steps.iter().any(|step| *step > steps[0]);
        let own = || columns.iter().map(|runs| vec![runs[0]]).collect::<Vec<_>>();
        // a peak at a step that is too large is no size of the run
        let scale = match coarser {
            true => Some(scale(&own(), frames, zero, least)).filter(|own| *own > 0.0),
            false => None,
        }
        .unwrap_or_else(|| scale(columns, frames, zero, least));
        let apart = |a: usize, b: usize| Difference::between(columns, a, b, frames, scale);
        let jumps = jumps(columns, frames);
        let Estimate { order, safety, error } = match steps.len() {
            _ if coarser => by_larger_steps(steps, nominal, apart, (scale, &jumps)),
            0..=2 => {
                let error = apart(0, 1).times(2.0 * SAFETY[0]);
                Estimate { order: None, safety: Some(SAFETY[0]), error }
            }
            _ => by_three([apart(0, 1), apart(1, 2), apart(0, 2)], scale, &jumps),
        };
        let counts = scale > 0.0 && zero != Zero::Wanted;
        let share = if counts { error.size(&jumps) / scale } else { 0.0 };
        let bars = error.unknown_at(&late(columns, frames), scale).around();
        ErrorBar { bars, scale, share, order, converges: safety.is_some(), safety }
    }

    /// The error bar of a run compared with one at half its parameter, by an order p that is assumed:
    /// |y₀ − y| = |y₀ − y₁| 2ᵖ/(2ᵖ − 1), times the factor of 3 of two runs. For p = 2 it covers errors of one
    /// sign and of any one order above log₂(4/3) = .42. An error that may be as large as the scale is not known: runs so
    /// far apart show no order.
    pub fn by_order(columns: &Columns, (zero, least): (Zero, f64), order: f64) -> ErrorBar {
        let mut first_order = ErrorBar::estimate(columns, &[1.0, 0.5], (zero, least), None);
        let factor = 0.5 * pow(2.0, order) / (pow(2.0, order) - 1.0);
        if factor * first_order.share > 1.0 {
            first_order.forget();
        }
        let scaled = |bars: Vec<f64>| bars.into_iter().map(|bar| factor * bar).collect();
        ErrorBar {
            bars: first_order.bars.into_iter().map(scaled).collect(),
            share: factor * first_order.share,
            ..first_order
        }
    }

    /// This error bar, widened to 1.25 times the distance from a run by another method.
    pub fn with_method(mut self, columns: &Columns, zero: Zero) -> ErrorBar {
        let frames = columns.iter().flatten().map(|run| run.len()).min().unwrap_or(0);
        let apart = Difference::between(columns, 0, 1, frames, self.scale).times(SAFETY[1]);
        if self.scale > 0.0 && zero != Zero::Wanted {
            let size = apart.size(&jumps(columns, frames));
            self.share = larger(self.share, size / self.scale);
        }
        for (bars, other) in self.bars.iter_mut().zip(apart.around()) {
            bars.iter_mut().zip(other).for_each(|(bar, other)| *bar = larger(*bar, other));
        }
        self
    }

    /// This error bar, widened by an error of every column, in its unit, that is the same at all frames.
    pub fn widened(mut self, off: &[f64]) -> ErrorBar {
        let most = off.iter().copied().fold(0.0, larger);
        if self.scale > 0.0 {
            self.share += most / self.scale;
        }
        for (bars, off) in self.bars.iter_mut().zip(off) {
            bars.iter_mut().for_each(|bar| *bar += off);
        }
        self
    }

    /// This error bar, widened by an error at each frame, in its unit, that is the same in every column.
    pub fn widened_over_time(mut self, off: &[f64], zero: Zero) -> ErrorBar {
        let frames = self.bars.iter().map(|bars| bars.len()).min().unwrap_or(0);
        let off = &off[..frames.min(off.len())];
        if self.scale > 0.0 && zero != Zero::Wanted {
            self.share += Difference(vec![off.to_vec()]).size(&vec![true; off.len()]) / self.scale;
        }
        for bars in &mut self.bars {
            bars.iter_mut().zip(off).for_each(|(bar, off)| *bar += off);
        }
        self
    }

    /// This error bar, widened by impacts that come late; the frames of the first run are at `times` \[s\]. A length
    /// is off by the delay times its largest recent rate, and times the `free` share of its largest rate until then,
    /// since what an impact moves stays moved where contact does not hold it. A velocity that rebounds is off by twice
    /// the delay times the rate that three quarters of its recent rates do not exceed, since others are those of
    /// impacts, and by what these leave themselves. Recent is a quarter of the course.
    pub fn with_late_impacts(
        mut self,
        columns: &Columns,
        (zero, unit): (Zero, &str),
        times: &[f64],
        LateImpacts { late, off }: LateImpacts,
        free: &[f64],
    ) -> ErrorBar {
        let column = |(runs, free): (&Vec<&[f64]>, &f64)| -> Vec<f64> {
            let rates = rates(runs[0], times);
            match unit {
                "m" => {
                    let (recent, until) = (recent_quantile(&rates, 1.0), largest_until(&rates));
                    let both = recent.into_iter().zip(until);
                    both.map(|(recent, until)| late * larger(recent, free * until)).collect()
                }
                _ => {
                    let usual = recent_quantile(&rates, 0.75).into_iter();
                    usual.map(|rate| 2.0 * late * rate + off * self.scale).collect()
                }
            }
        };
        if !["m", "m/s", "rad/s"].contains(&unit) {
            return self;
        }
        let off = Difference(columns.iter().zip(free).map(column).collect());
        if self.scale > 0.0 && zero != Zero::Wanted {
            self.share += off.size(&vec![true; off.frames()]) / self.scale;
        }
        for (bars, off) in self.bars.iter_mut().zip(off.0) {
            bars.iter_mut().zip(off).for_each(|(bar, off)| *bar += off);
        }
        self
    }

    /// The first frame with an error above the trusted share.
    pub fn parts(&self) -> Option<usize> {
        let frames = self.bars.first()?.len();
        let most = TRUSTED * self.scale;
        (0..frames).find(|frame| self.bars.iter().any(|bars| bars[*frame] > most))
    }

    /// The step at which the error would be 0.5 %, as a share of the run's step, by an order of at most `most`.
    pub fn step_share(&self, most: f64) -> f64 {
        pow(AIM / self.share, 1.0 / self.order_for_advice(most))
    }

    /// The observed order, within what may be extrapolated and at most `most`.
    pub fn order_for_advice(&self, most: f64) -> f64 {
        self.order.map_or(1.0, |p| smaller(larger(p, LEAST_ORDER), most))
    }
}

/// The order by which three runs converge, and the error of the first; from the distances of the
/// first two, of the last two, and of the first and the last.
fn by_three([first, second, whole]: [Difference; 3], scale: f64, jumps: &[bool]) -> Estimate {
    let all: Vec<usize> = (0..first.frames()).collect();
    let order_over = |frames: &[usize]| first.order_over(&second, frames, ROUNDING * scale);
    let converging = |order: Option<f64>| {
        let p = smaller(order.unwrap_or(MOST_ORDER), MOST_ORDER);
        whole.plus(&second.times(1.0 / (pow(2.0, p) - 1.0))).times(SAFETY[1])
    };
    let order = order_over(&all);
    let safety = Some(SAFETY[1]);
    if order.is_none_or(|p| p >= LEAST_ORDER) {
        return Estimate { order, safety, error: converging(order) };
    }
    let twice = first.or(&second).or(&whole).times(2.0);
    if let Some(farthest) = first.farthest_frame(&second) {
        let others: Vec<usize> = all.into_iter().filter(|k| *k != farthest).collect();
        let order = order_over(&others).filter(|p| *p >= LEAST_ORDER);
        let error = converging(order).or_at(farthest, &twice.times(SAFETY[1]));
        if order.is_some() && error.size(jumps) <= TRUSTED * scale {
            return Estimate { order, safety, error };
        }
    }
    Estimate { order, safety: None, error: twice.unknown(scale).times(SAFETY[1]) }
}

/// The size of the rate of the values at `times` before every frame; zero before the first, and where it is not finite.
fn rates(values: &[f64], times: &[f64]) -> Vec<f64> {
    let rate = |(y, t): (&[f64], &[f64])| ((y[1] - y[0]) / (t[1] - t[0])).abs();
    let rates = values.windows(2).zip(times.windows(2)).map(rate);
    let finite = |rate: f64| if rate.is_finite() { rate } else { 0.0 };
    std::iter::once(0.0).chain(rates.map(finite)).take(values.len()).collect()
}

/// The largest number up to every place.
fn largest_until(of: &[f64]) -> Vec<f64> {
    let mut most = 0.0;
    let until = |number: &f64| {
        most = larger(most, *number);
        most
    };
    of.iter().map(until).collect()
}

/// The number that a `part` of the numbers within the last quarter do not exceed, at every place.
fn recent_quantile(of: &[f64], part: f64) -> Vec<f64> {
    let reach = of.len() / 4 + 1;
    // those of the window in ascending order
    let mut recent: Vec<f64> = Vec::new();
    let place = |recent: &[f64], number: f64| recent.partition_point(|other| *other < number);
    let mut found = Vec::with_capacity(of.len());
    for (k, number) in of.iter().enumerate() {
        recent.insert(place(&recent, *number), *number);
        if let Some(old) = k.checked_sub(reach) {
            recent.remove(place(&recent, of[old]));
        }
        let last = (part * recent.len() as f64).ceil() as usize;
        found.push(recent[last.saturating_sub(1)]);
    }
    found
}

/// The particle that lies farthest apart in two states of a body, and its distance \[m\].
pub fn farthest(a: &[Vector], b: &[Vector]) -> Option<(usize, f64)> {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).norm()).enumerate();
    apart.reduce(|a, b| if b.1 > a.1 { b } else { a })
}

#[cfg(test)]
mod tests;
