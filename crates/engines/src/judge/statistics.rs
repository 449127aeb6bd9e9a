//! Statistics that are robust against a few outliers.

use stiction_core::math::{Vector, larger, sqrt};

/// (σ of a normal distribution)/(its median absolute deviation).
const MAD: f64 = 1.4826;

/// Tolerated difference of intervals that count as equal, as a share.
const EQUAL: f64 = 1e-3;

/// Least number of quadruples of frames from which noise is taken.
const FEWEST: usize = 8;

/// The median; zero for an empty list.
pub fn median(of: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = of.collect();
    all.sort_by(f64::total_cmp);
    match all.len() {
        0 => 0.0,
        n if n % 2 == 1 => all[n / 2],
        n => 0.5 * (all[n / 2 - 1] + all[n / 2]),
    }
}

/// The median of each component.
pub(crate) fn median_vector(of: &[Vector]) -> Vector {
    Vector::from_fn(|axis, _| median(of.iter().map(|v| v[axis])))
}

/// Chance error of the median of components, at six σ: 6 · 1.25 σ/√n, with σ from the median
/// absolute deviation, at least `sigma`.
pub fn doubt(of: &[Vector], sigma: f64) -> f64 {
    let middle = median_vector(of);
    let spread = (0..3).map(|axis| MAD * median(of.iter().map(|v| (v[axis] - middle[axis]).abs())));
    let sigma = spread.fold(sigma, larger);
    6.0 * 1.25 * sigma / sqrt(of.len().max(1) as f64)
}

/// σ of the noise on a smooth column: the third differences of white noise have √20 σ. Frames that do not follow at
/// equal intervals are left out where there are enough others, since dropped frames are no noise, and so are those
/// beside which nothing changes.
pub(crate) fn noise_at(time: &[f64], of: &[Vector]) -> f64 {
    let equal = |k: &usize| {
        let [a, b, c] = [0, 1, 2].map(|i| time[k + i + 1] - time[k + i]);
        (a - b).abs() <= EQUAL * b && (c - b).abs() <= EQUAL * b
    };
    let moves = |k: &usize| of[*k..k + 4].windows(2).all(|pair| pair[0] != pair[1]);
    let all: Vec<usize> = (0..of.len().saturating_sub(3)).filter(moves).collect();
    if all.len() < FEWEST {
        return 0.0;
    }
    let even: Vec<usize> = all.iter().copied().filter(equal).collect();
    let starts = if even.len() < FEWEST { &all } else { &even };
    let third = |axis: usize| {
        let of = |k: &usize| {
            of[k + 3][axis] - 3.0 * of[k + 2][axis] + 3.0 * of[k + 1][axis] - of[*k][axis]
        };
        median(starts.iter().map(|k| of(k).abs()))
    };
    (0..3).map(third).fold(0.0, larger) * MAD / sqrt(20.0)
}

/// The same of a column at equal intervals.
pub fn noise(of: &[Vector]) -> f64 {
    let time: Vec<f64> = (0..of.len()).map(|k| k as f64).collect();
    noise_at(&time, of)
}

/// σ of numbers about their median, from the median absolute deviation.
pub(crate) fn spread(of: &[f64]) -> f64 {
    let middle = median(of.iter().copied());
    MAD * median(of.iter().map(|x| (x - middle).abs()))
}
