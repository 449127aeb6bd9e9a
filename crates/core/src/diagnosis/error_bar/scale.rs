//! The scale of errors of a measure.

use super::{Columns, ROUNDING, Zero};
use crate::math::{larger, smaller, sqrt};

/// The scale of errors of a measure: see [`Zero`]. The largest of all runs, at least `least`, and at
/// least the rounding of its values.
pub(super) fn scale(columns: &Columns, frames: usize, zero: Zero, least: f64) -> f64 {
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
    if matches!(zero, Zero::Natural | Zero::Wanted) || frames == 0 {
        return size;
    }
    let from_mean = |column: &Vec<f64>| -> Vec<f64> {
        let mean = column.iter().sum::<f64>() / frames as f64;
        column.iter().map(|y| y - mean).collect()
    };
    let from_mean: Vec<Vec<f64>> = values.iter().map(from_mean).collect();
    let from_zero = if zero == Zero::Start { values } else { &from_mean[..] };
    let range = larger(largest(&from_mean), ROUNDING * size);
    let swings: Vec<Option<f64>> =
        from_mean.iter().map(|column| swing(column, SWING * range)).collect();
    let most = larger(largest(from_zero), ROUNDING * size);
    if swings.iter().all(Option::is_none) {
        return most;
    }
    // of a vector some numbers may swing, others travel
    let columns = swings.iter().zip(from_zero);
    let of_column = columns
        .map(|(swing, column)| swing.unwrap_or_else(|| largest(std::slice::from_ref(column))));
    smaller(of_column.fold(0.0, larger), most)
}

/// Deviation from the line from which a swing counts, as a share of the range.
const SWING: f64 = 0.02;

/// The least number of swings, and of jumps that travel: of those the largest is at most this share of the range.
const SWINGS: usize = 6;
const JUMPS: usize = 3;
const TRAVELS: f64 = 2.0 / 3.0;

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

/// Half the largest swing of values of mean zero about their straight line, from one turning point to the next, of
/// those that are at least `least`. The last one is unfinished and counts for nothing; the first one, perhaps
/// incomplete, not for the number. `None` for fewer than [`SWINGS`] that are not at least [`JUMPS`] that travel: what
/// dies away about one place has a first swing as large as its range.
fn swing(from_mean: &[f64], least: f64) -> Option<f64> {
    let (mut low, mut high, mut rising) = (f64::INFINITY, f64::NEG_INFINITY, None);
    let mut sizes = Vec::new();
    for y in &from_line(from_mean) {
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
    let most = |sizes: &[f64]| sizes.iter().copied().fold(0.0, larger);
    if let Some(whole) = sizes.get(1..).filter(|whole| whole.len() >= SWINGS) {
        return Some(0.5 * most(whole));
    }
    let range = |end: fn(f64, f64) -> f64| from_mean.iter().copied().fold(0.0, end);
    let travels = most(&sizes) <= TRAVELS * (range(larger) - range(smaller));
    (sizes.len() > JUMPS && travels).then(|| 0.5 * most(&sizes))
}
