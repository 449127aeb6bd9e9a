//! Largest number of springs per second on this machine.

use stiction_core::math::lanes::{Lanes, Level, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8};
use web_time::{Duration, Instant};

/// Number of independent registers, so that the divider is the bottleneck and not the latency.
const REGISTERS: usize = 4;
/// Square roots and divisions per register and round.
const REPEATS: usize = 2_000;
/// Duration of the measurement.
const PATIENCE: Duration = Duration::from_millis(3);

/// Largest rate of a square root with a division on one core at its native width, in the best of
/// several rounds over 3 ms \[1/s\].
///
/// A spring needs one of each, l = √(d·d) and 1/l. Both use the single divider of a core, so no
/// summation over springs can be faster.
pub(super) fn limit() -> f64 {
    let level = Level::new();
    let (started, mut best) = (Instant::now(), 0.0_f64);
    while started.elapsed() < PATIENCE {
        let round = Instant::now();
        let (sum, lanes) = dispatch!(level, simd => round_of(simd));
        std::hint::black_box(sum);
        let rate = (lanes * REGISTERS * REPEATS) as f64 / round.elapsed().as_secs_f64();
        best = best.max(rate);
    }
    best
}

/// One round at the native width: a number that depends on all results, and the width.
fn round_of<S: Simd>(simd: S) -> (f64, usize) {
    match S::f64s::LEN {
        8 => vectorized::<S, f64x8<S>>(simd),
        4 => vectorized::<S, f64x4<S>>(simd),
        _ => vectorized::<S, f64x2<S>>(simd),
    }
}

#[inline(never)]
fn vectorized<S: Simd, V: Lanes<S>>(simd: S) -> (f64, usize) {
    simd.vectorize(
        #[inline(always)]
        || {
            // x ← a/√x tends to a^(2/3), whose digits do not shorten a division
            let a = V::splat(simd, std::hint::black_box(1.7));
            let mut x =
                std::array::from_fn::<V, REGISTERS, _>(|k| V::splat(simd, 1.1 + 0.1 * k as f64));
            for _ in 0..REPEATS {
                for x in &mut x {
                    *x = a / x.sqrt();
                }
            }
            let sum = x.into_iter().fold(a, |sum, x| sum + x);
            (sum.as_slice().iter().sum(), V::LEN)
        },
    )
}
