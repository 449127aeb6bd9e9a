//! Statistics that are robust against a few outliers.

use stiction_core::math::{Vector, larger, sqrt};

/// (σ of a normal distribution)/(its median absolute deviation).
const MAD: f64 = 1.4826;

/// Tolerated difference of intervals that count as equal, as a share.
const EQUAL: f64 = 1e-3;

/// Least number of equal intervals, three in a row, from which noise is taken.
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

/// σ of the noise on a smooth column: the third differences of white noise have √20 σ.
pub fn noise(of: &[Vector]) -> f64 {
    let third = |axis: usize| {
        median(
            of.windows(4)
                .map(|w| (w[3][axis] - 3.0 * w[2][axis] + 3.0 * w[1][axis] - w[0][axis]).abs()),
        )
    };
    (0..3).map(third).fold(0.0, larger) * MAD / sqrt(20.0)
}

/// The same of the frames that follow at equal intervals, where there are some: dropped frames are no noise.
pub(crate) fn noise_at(time: &[f64], of: &[Vector]) -> f64 {
    let equal = |k: &usize| {
        let [a, b, c] = [0, 1, 2].map(|i| time[k + i + 1] - time[k + i]);
        (a - b).abs() <= EQUAL * b && (c - b).abs() <= EQUAL * b
    };
    let starts: Vec<usize> = (0..time.len().saturating_sub(3)).filter(equal).collect();
    if starts.len() + 3 >= time.len() || starts.len() < FEWEST {
        return noise(of);
    }
    let third = |axis: usize| {
        let of = |k: &usize| {
            of[k + 3][axis] - 3.0 * of[k + 2][axis] + 3.0 * of[k + 1][axis] - of[*k][axis]
        };
        median(starts.iter().map(|k| of(k).abs()))
    };
    (0..3).map(third).fold(0.0, larger) * MAD / sqrt(20.0)
}

/// σ of numbers about their median, from the median absolute deviation.
pub(crate) fn spread(of: &[f64]) -> f64 {
    let middle = median(of.iter().copied());
    MAD * median(of.iter().map(|x| (x - middle).abs()))
}
