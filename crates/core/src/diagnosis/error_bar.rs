//! The error bar of a measure, from the same run at half and a quarter of the step.
//!
//! y₀, y₁, y₂ are the values of a measure at one time in the runs at h, h/2, h/4. A method that
//! converges with order p gives y + c hᵖ, y + c (h/2)ᵖ, y + c (h/4)ᵖ, so
//!
//! p = log₂(|y₀ − y₁|/|y₁ − y₂|),  |y₀ − y| ≤ |y₀ − y₂| + |y₁ − y₂|/(2ᵖ − 1).
//!
//! The order is taken from all frames of a measure at once, since single differences pass through zero,
//! or, where these show no convergence and all but the most distant one do, to a share that is trusted, from
//! those: a value that jumps a little later is no error of others. There the error is twice the distance.
//! A factor of safety of 1.25 multiplies the estimate. With two runs only, p = 1, |y₀ − y| = 2 |y₀ −
//! y₁|, and a factor of 3. Source: \[roache1994\]. If the runs do not converge, the error may be as
//! large as the measure itself.

use crate::math::{Vector, larger, log2, pow, smaller, sqrt};

mod faults;

pub(crate) use faults::{
    ERROR_TOO_LARGE, FAR_FROM_REFERENCE, NOT_DETERMINED, REFINED_RUN_AT_FAULT,
};
pub use faults::{ErrorTooLarge, FarFromReference, NotDetermined, RefinedRunAtFault};

/// Factors of safety of an estimate from two runs and from three.
const SAFETY: [f64; 2] = [3.0, 1.25];

/// Share of a measure's scale up to which a run is trusted. Errors matter from 5 %; 3 % leaves room for
/// a smaller scale, as that of a rebound against the speed before it.
pub const TRUSTED: f64 = 0.03;

/// Share of a measure's scale at which advice aims: below [`TRUSTED`], since orders are estimates.
const AIM: f64 = 0.005;

/// Observed orders below this count as no convergence.
const LEAST_ORDER: f64 = 0.5;

/// Observed orders above this may be chance.
pub const MOST_ORDER: f64 = 3.0;

/// Share of a measure's largest value that rounding may cause over a run.
const ROUNDING: f64 = 1e-9;

/// Frames of a window: all frames over the second number, but at least the first.
const WINDOW: (usize, usize) = (8, 8);

/// The scale of a measure, by the meaning of its zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Zero means none: speeds, forces, angles. The scale is the largest value.
    Natural,
    /// Zero is a choice: positions. The scale is the largest distance from the mean over the run; for
    /// swings about a straight line, as in stick–slip, half the largest swing.
    Chosen,
    /// Zero is the right value: distances from a curve. The measure is itself an error, and no share of
    /// it counts.
    Wanted,
}

/// The columns of one measure, `columns[column][run][frame]`: runs at h, h/2 and, if needed, h/4.
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
    /// The observed order; `None` with fewer than three runs, or if they differ by rounding alone.
    pub order: Option<f64>,
    /// Whether the runs converge as the step is halved.
    pub converges: bool,
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
    /// Compares the runs of a measure; its scale is no less than `least`, in its unit.
    pub fn estimate(columns: &Columns, zero: Zero, least: f64) -> ErrorBar {
        let frames = columns.iter().flatten().map(|run| run.len()).min().unwrap_or(0);
        let scale = scale(columns, frames, zero, least);
        let runs = columns.first().map_or(0, Vec::len);
        let apart = |a: usize, b: usize| Difference::between(columns, a, b, frames, scale);
        let first = apart(0, 1);
        let jumps = jumps(columns, frames);
        let (order, converges, error) = match runs > 2 {
            true => by_three([first, apart(1, 2), apart(0, 2)], scale, &jumps),
            false => (None, true, first.times(2.0 * SAFETY[0])),
        };
        let counts = scale > 0.0 && zero != Zero::Wanted;
        let share = if counts { error.size(&jumps) / scale } else { 0.0 };
        ErrorBar { bars: error.around(), scale, share, order, converges }
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

/// The order by which three runs converge, whether they do, and the error of the first; from the distances of the
/// first two, of the last two, and of the first and the last.
fn by_three(
    [first, second, whole]: [Difference; 3],
    scale: f64,
    jumps: &[bool],
) -> (Option<f64>, bool, Difference) {
    let all: Vec<usize> = (0..first.frames()).collect();
    let order_over = |frames: &[usize]| first.order_over(&second, frames, ROUNDING * scale);
    let converging = |order: Option<f64>| {
        let p = smaller(order.unwrap_or(MOST_ORDER), MOST_ORDER);
        whole.plus(&second.times(1.0 / (pow(2.0, p) - 1.0))).times(SAFETY[1])
    };
    let order = order_over(&all);
    if order.is_none_or(|p| p >= LEAST_ORDER) {
        return (order, true, converging(order));
    }
    let twice = first.or(&second).or(&whole).times(2.0);
    if let Some(farthest) = first.farthest_frame(&second) {
        let others: Vec<usize> = all.into_iter().filter(|k| *k != farthest).collect();
        let order = order_over(&others).filter(|p| *p >= LEAST_ORDER);
        let error = converging(order).or_at(farthest, &twice.times(SAFETY[1]));
        if order.is_some() && error.size(jumps) <= TRUSTED * scale {
            return (order, true, error);
        }
    }
    (order, false, twice.unknown(scale).times(SAFETY[1]))
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

/// The scale of errors of a measure: see [`Zero`]. The largest of all runs, at least `least`, and at
/// least the rounding of its values.
fn scale(columns: &Columns, frames: usize, zero: Zero, least: f64) -> f64 {
    let finite = |y: &f64| if y.is_finite() { *y } else { 0.0 };
    let runs = columns.first().map_or(0, Vec::len);
    let mut largest_scale = least;
    for run in 0..runs {
        let values: Vec<Vec<f64>> =
            columns.iter().map(|runs| runs[run][..frames].iter().map(finite).collect()).collect();
        largest_scale = larger(largest_scale, scale_of_run(&values, zero));
    }
    largest_scale
}

fn scale_of_run(values: &[Vec<f64>], zero: Zero) -> f64 {
    let size = largest(values);
    let frames = values.first().map_or(0, Vec::len);
    if zero != Zero::Chosen || frames == 0 {
        return size;
    }
    let from_mean = |column: &Vec<f64>| -> Vec<f64> {
        let mean = column.iter().sum::<f64>() / frames as f64;
        column.iter().map(|y| y - mean).collect()
    };
    let from_mean: Vec<Vec<f64>> = values.iter().map(from_mean).collect();
    let range = larger(largest(&from_mean), ROUNDING * size);
    let swing = from_mean.iter().map(|column| swing(&from_line(column), SWING * range));
    swing.flatten().reduce(larger).map_or(range, |swing| smaller(swing, range))
}

/// Deviation from the line from which a swing counts, as a share of the range; and the least number of
/// swings.
const SWING: f64 = 0.02;
const SWINGS: usize = 6;

/// The largest √Σ y² of all frames, summed over the columns.
fn largest(columns: &[Vec<f64>]) -> f64 {
    let frames = columns.first().map_or(0, Vec::len);
    let square = |k: usize| columns.iter().map(|column| column[k] * column[k]).sum::<f64>();
    sqrt((0..frames).map(square).fold(0.0, larger))
}

/// Distances of values of mean zero from their straight line of least squares.
fn from_line(values: &[f64]) -> Vec<f64> {
    let middle = 0.5 * (values.len() as f64 - 1.0);
    let places = || (0..values.len()).map(|k| k as f64 - middle);
    let (product, square) = places()
        .zip(values)
        .fold((0.0, 0.0), |(product, square), (t, y)| (product + t * y, square + t * t));
    let slope = if square > 0.0 { product / square } else { 0.0 };
    places().zip(values).map(|(t, y)| y - slope * t).collect()
}

/// Half the largest swing, from one turning point to the next, of values that oscillate by at least
/// `least`; the incomplete first and last swings do not count. `None` for fewer than [`SWINGS`].
fn swing(values: &[f64], least: f64) -> Option<f64> {
    let (mut low, mut high, mut rising) = (f64::INFINITY, f64::NEG_INFINITY, None);
    let mut sizes = Vec::new();
    for y in values {
        (low, high) = (smaller(low, *y), larger(high, *y));
        match rising {
            // the return from the extreme begins a new swing
            Some(true) | None if high - y > least => {
                sizes.extend(rising.map(|_| high - low));
                (low, rising) = (*y, Some(false));
            }
            Some(false) | None if y - low > least => {
                sizes.extend(rising.map(|_| high - low));
                (high, rising) = (*y, Some(true));
            }
            _ => {}
        }
    }
    let whole = sizes.get(1..).filter(|sizes| sizes.len() >= SWINGS)?;
    whole.iter().copied().reduce(larger).map(|size| 0.5 * size)
}

/// Whether the runs are no further apart at a frame than twice what one of them changes from the frame before it to
/// that behind it: there a value jumps in one run earlier than in others. A peak of one frame is no jump.
fn jumps(columns: &Columns, frames: usize) -> Vec<bool> {
    let runs = columns.first().map_or(0, Vec::len);
    let distance = |of: &dyn Fn(&Vec<&[f64]>) -> f64| {
        sqrt(columns.iter().map(|column| of(column) * of(column)).sum())
    };
    let jumps = |k: usize| {
        let (before, after) = (k.saturating_sub(1), (k + 1).min(frames - 1));
        let change = (0..runs).map(|run| distance(&|of| of[run][after] - of[run][before]));
        let pairs = (0..runs).flat_map(|a| (0..a).map(move |b| (a, b)));
        let apart = pairs.map(|(a, b)| distance(&|of| of[a][k] - of[b][k]));
        apart.fold(0.0, larger) <= 2.0 * change.fold(0.0, larger)
    };
    (0..frames).map(jumps).collect()
}

/// Distances of two runs, `[column][frame]`.
struct Difference(Vec<Vec<f64>>);

impl Difference {
    /// A value that only one run has counts as an error of the whole scale.
    fn between(columns: &Columns, a: usize, b: usize, frames: usize, scale: f64) -> Self {
        let apart = |x: f64, y: f64| match (x.is_finite(), y.is_finite()) {
            (true, true) => (x - y).abs(),
            (false, false) => 0.0,
            _ => scale,
        };
        let column = |runs: &Vec<&[f64]>| -> Vec<f64> {
            (0..frames).map(|k| apart(runs[a][k], runs[b][k])).collect()
        };
        Difference(columns.iter().map(column).collect())
    }

    fn with(&self, other: &Self, of: impl Fn(f64, f64) -> f64) -> Self {
        let columns = self.0.iter().zip(&other.0);
        Difference(
            columns.map(|(a, b)| a.iter().zip(b).map(|(a, b)| of(*a, *b)).collect()).collect(),
        )
    }

    fn plus(&self, other: &Self) -> Self {
        self.with(other, |a, b| a + b)
    }

    fn or(&self, other: &Self) -> Self {
        self.with(other, larger)
    }

    fn times(&self, factor: f64) -> Self {
        self.with(self, |a, _| factor * a)
    }

    /// The same, but at least the scale from the first frame with a distance above the trusted share, in columns
    /// in which the runs differ at all.
    fn unknown(&self, scale: f64) -> Self {
        let from = (0..self.frames()).find(|frame| self.norm(*frame) > TRUSTED * scale);
        let mut wide = self.times(1.0);
        let differs = |column: &&mut Vec<f64>| column.iter().any(|x| *x > ROUNDING * scale);
        for column in wide.0.iter_mut().filter(differs) {
            column[from.unwrap_or(self.frames())..].iter_mut().for_each(|x| *x = larger(*x, scale));
        }
        wide
    }

    /// Distance over all columns at a frame.
    fn norm(&self, frame: usize) -> f64 {
        sqrt(self.0.iter().map(|column| column[frame] * column[frame]).sum())
    }

    fn frames(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }

    /// Frames of a window.
    fn window(&self) -> usize {
        let (least, parts) = WINDOW;
        (self.frames() / parts).max(least).min(self.frames())
    }

    /// The larger of the last distance and the largest mean over a window, without its largest distance at a jump: a
    /// jump one step early is no error of later frames.
    fn size(&self, jumps: &[bool]) -> f64 {
        let norms: Vec<f64> = (0..self.frames()).map(|frame| self.norm(frame)).collect();
        let (window, whole) = (self.window(), norms.len() >= WINDOW.0);
        let mean = |from: usize, norms: &[f64]| {
            let at_jumps = norms.iter().zip(&jumps[from..]).filter(|(_, jump)| **jump && whole);
            let left_out = at_jumps.map(|(norm, _)| *norm).reduce(larger);
            let count = norms.len() - usize::from(left_out.is_some());
            (norms.iter().sum::<f64>() - left_out.unwrap_or(0.0)) / count as f64
        };
        let step = (window / 2).max(1);
        let windows = norms.windows(window.max(1)).enumerate().step_by(step);
        let means = windows.map(|(from, norms)| mean(from, norms));
        means.chain(norms.last().copied()).fold(0.0, larger)
    }

    /// The order by which distances at these frames fall from this to `next`; `None` if they are rounding.
    fn order_over(&self, next: &Self, frames: &[usize], rounding: f64) -> Option<f64> {
        let root = |d: &Self| {
            let squares =
                |column: &Vec<f64>| frames.iter().map(|k| column[*k] * column[*k]).sum::<f64>();
            sqrt(d.0.iter().map(squares).sum())
        };
        let count = sqrt((frames.len() * self.0.len()) as f64);
        let (first, second) = (root(self), root(next));
        (larger(first, second) > rounding * count).then(|| log2(first / second))
    }

    /// The frame where this or `other` is largest; never the last one, and none where a window has all frames.
    fn farthest_frame(&self, other: &Self) -> Option<usize> {
        let apart = |k: usize| larger(self.norm(k), other.norm(k));
        let before_the_last = (0..self.frames()).filter(|_| self.frames() > WINDOW.0);
        let before_the_last = before_the_last.take(self.frames().saturating_sub(1));
        before_the_last.reduce(|a, b| if apart(b) > apart(a) { b } else { a })
    }

    /// The same, but at this frame at least `other`.
    fn or_at(mut self, frame: usize, other: &Self) -> Self {
        for (column, other) in self.0.iter_mut().zip(&other.0) {
            column[frame] = larger(column[frame], other[frame]);
        }
        self
    }

    /// The largest distance near each frame, within an eighth of a window: differences of oscillations
    /// pass through zero.
    fn around(&self) -> Vec<Vec<f64>> {
        let reach = (self.window() / 8).max(1);
        let column = |column: &Vec<f64>| {
            let near =
                |k: usize| &column[k.saturating_sub(reach)..(k + reach + 1).min(column.len())];
            (0..column.len()).map(|k| near(k).iter().copied().fold(0.0, larger)).collect()
        };
        self.0.iter().map(column).collect()
    }
}

/// The particle that lies farthest apart in two states of a body, and its distance \[m\].
pub fn farthest(a: &[Vector], b: &[Vector]) -> Option<(usize, f64)> {
    let apart = a.iter().zip(b).map(|(a, b)| (a - b).norm()).enumerate();
    apart.reduce(|a, b| if b.1 > a.1 { b } else { a })
}

#[cfg(test)]
mod tests;
