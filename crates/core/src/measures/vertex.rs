//! The extreme of a value between its readings.

/// Time and value of the vertex of the parabola through the last three of four readings in the order of time, the third
/// of which is beyond its neighbours. With the slopes a, b, c between them, |b| towards the extreme and |c| from it,
/// that is beyond the third by
///
/// (b + c)² τ/(8 |b − c|)   at equal distances τ.
///
/// `None` where the slopes show a jump and no smooth extreme: before a smooth one the value slows down, so that
/// a is no less than b/2 where b is the larger one, and else exceeds it by no less than a quarter of |b − c|.
pub fn vertex([first, second, third, last]: [(f64, f64); 4]) -> Option<(f64, f64)> {
    let slope = |from: (f64, f64), to: (f64, f64)| (to.1 - from.1) / (to.0 - from.0);
    let (a, b, c) = (slope(first, second), slope(second, third), slope(third, last));
    let turn = b - c;
    if turn == 0.0 {
        return None;
    }
    let towards = |slope: f64| if turn > 0.0 { slope } else { -slope };
    let (before, up, down) = (towards(a), towards(b), -towards(c));
    let smooth = match up >= down {
        true => before >= 0.5 * up,
        false => before - up >= 0.25 * (up + down),
    };
    // y = y₃ + s (t − t₃) + k (t − t₃)²
    let k = -turn / (last.0 - second.0);
    let s = b + k * (third.0 - second.0);
    let shift = -0.5 * s / k;
    smooth.then_some((third.0 + shift, third.1 + 0.5 * s * shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{PI, sin};

    /// Readings of sin(t) at so many a cycle, the third of four nearest to its maximum.
    fn readings(count: f64, shift: f64) -> [(f64, f64); 4] {
        let apart = 2.0 * PI / count;
        [-2.0, -1.0, 0.0, 1.0].map(|k: f64| {
            let t = 0.5 * PI + (k + shift) * apart;
            (t, sin(t))
        })
    }

    #[test]
    fn a_maximum_between_readings_is_found() {
        for (count, most) in [(6.0, 0.03), (10.0, 4e-3), (20.0, 2e-4), (100.0, 4e-7)] {
            for shift in [-0.45, -0.3, 0.0, 0.2, 0.45] {
                let points = readings(count, shift);
                let (_, top) = vertex(points).expect("a smooth maximum");
                assert!((top - 1.0).abs() < most, "{count} {shift}: {top}");
                let (_, bottom) = vertex(points.map(|(t, y)| (t, -y))).expect("a minimum");
                assert_eq!(bottom, -top);
            }
        }
    }

    #[test]
    fn a_jump_has_none() {
        let at = |values: [f64; 4]| {
            let [a, b, c, d] = values;
            vertex([(0.0, a), (1.0, b), (2.0, c), (3.0, d)])
        };
        // from a slow rise down, up to a slow fall, and a peak of one reading
        for values in [[0.7, 0.8, 0.9, 0.1], [0.0, 0.0, 0.9, 0.8], [0.0, 0.0, 1.0, 0.0]] {
            assert_eq!(at(values), None, "{values:?}");
            assert_eq!(at(values.map(|y| -y)), None, "{values:?}");
        }
        assert_eq!(at([1.0; 4]), None);
    }
}
