//! Points drawn from the unit cube, equal for equal seeds on every machine.

use serde::{Deserialize, Serialize};

/// Method of drawing points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleKind {
    /// Every point independently.
    Random,
    /// Latin hypercube: every axis is cut into as many slices as there are points, with one point
    /// in each slice.
    Latin,
}

/// A sample of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplePlan {
    /// Method of drawing them.
    pub kind: SampleKind,
    /// Their number.
    pub count: u32,
    /// Seed of the generator.
    pub seed: u64,
}

/// The points of a sample, `points[point][axis]`, each coordinate in \[0, 1). Every axis has a
/// generator of its own, so that a further axis does not change the others. Latin hypercube:
/// \[mckay1979\].
pub fn points(sample: &SamplePlan, axes: usize) -> Vec<Vec<f64>> {
    let count = sample.count as usize;
    let mut points = vec![Vec::with_capacity(axes); count];
    for axis in 0..axes {
        let mut generator = SplitMix::new(sample.seed, axis as u64);
        let mut slices: Vec<usize> = (0..count).collect();
        if sample.kind == SampleKind::Latin {
            // Fisher and Yates: every order is equally likely
            for last in (1..count).rev() {
                slices.swap(last, generator.below(last + 1));
            }
        }
        for (point, slice) in points.iter_mut().zip(&slices) {
            let share = generator.share();
            point.push(match sample.kind {
                SampleKind::Random => share,
                SampleKind::Latin => (*slice as f64 + share) / count as f64,
            });
        }
    }
    points
}

/// The generator SplitMix64 \[steele2014\].
struct SplitMix(u64);

impl SplitMix {
    fn new(seed: u64, stream: u64) -> Self {
        let mut start = SplitMix(seed);
        let base = start.next();
        SplitMix(SplitMix(base ^ stream).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in \[0, 1), a multiple of 2⁻⁵³.
    fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A whole number below `n`.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// first numbers of the published generator from seed 1234567
    #[test]
    fn the_generator_is_the_published_one() {
        let mut generator = SplitMix(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| generator.next()).collect();
        assert_eq!(
            first,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn a_latin_hypercube_has_one_point_in_every_slice_of_every_axis() {
        let sample = SamplePlan { kind: SampleKind::Latin, count: 37, seed: 5 };
        let drawn = points(&sample, 3);
        for axis in 0..3 {
            let mut slices: Vec<usize> =
                drawn.iter().map(|point| (point[axis] * 37.0) as usize).collect();
            assert_ne!(slices, (0..37).collect::<Vec<_>>(), "axis {axis} is in order");
            slices.sort_unstable();
            assert_eq!(slices, (0..37).collect::<Vec<_>>(), "axis {axis}");
        }
        assert_ne!(drawn, points(&SamplePlan { seed: 6, ..sample }, 3));
    }

    #[test]
    fn one_more_axis_leaves_the_others_as_they_are() {
        for kind in [SampleKind::Random, SampleKind::Latin] {
            let sample = SamplePlan { kind, count: 20, seed: 1 };
            let (two, three) = (points(&sample, 2), points(&sample, 3));
            assert!(two.iter().zip(&three).all(|(a, b)| a[..] == b[..2]), "{kind:?}");
            assert!(three.iter().all(|p| p[0] != p[1]), "axes share their numbers");
        }
    }

    /// Two slices have two orders, and three have six: all of them come.
    #[test]
    fn every_order_of_slices_is_drawn() {
        for (count, orders) in [(2, 2), (3, 6)] {
            let order = |seed: u64| {
                let sample = SamplePlan { kind: SampleKind::Latin, count, seed };
                let slice = |point: &Vec<f64>| (point[0] * f64::from(count)) as u32;
                points(&sample, 1).iter().map(slice).collect::<Vec<u32>>()
            };
            let drawn: std::collections::BTreeSet<Vec<u32>> = (0..200).map(order).collect();
            assert_eq!(drawn.len(), orders, "{drawn:?}");
        }
    }
}
