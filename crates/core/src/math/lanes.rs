//! Several numbers in one register, at the width of the machine the program runs on.
//!
//! Every operation is that of IEEE 754 in each lane, never a fused or an approximate one, so the
//! bits of a sum depend on its order alone: kernels sum in an order that no width changes.

pub use fearless_simd::prelude::*;
pub use fearless_simd::{Level, Simd, dispatch, f64x2, f64x4, f64x8};
use fearless_simd::{mask64x2, mask64x4, mask64x8, u8x64};
use std::sync::LazyLock;

/// A register, and vectors of three numbers across three of them.
pub trait Lanes<S: Simd>: SimdFloat<S, Element = f64> {
    /// x, y and z of the first `LEN` vectors of `flat`, which lie one after the other.
    fn split3(simd: S, flat: &[f64]) -> [Self; 3];

    /// The reverse of [`Self::split3`]: the vectors one after the other, in three registers.
    fn join3(simd: S, xyz: [Self; 3]) -> [Self; 3];
}

/// Stores three registers one after the other.
#[inline(always)]
pub fn store3<S: Simd, V: Lanes<S>>([a, b, c]: [V; 3], into: &mut [f64]) {
    let into = &mut into[..3 * V::LEN];
    a.store_slice(&mut into[..V::LEN]);
    b.store_slice(&mut into[V::LEN..2 * V::LEN]);
    c.store_slice(&mut into[2 * V::LEN..]);
}

/// Adds three registers to the numbers in `into`, one after the other, or subtracts them.
#[inline(always)]
pub fn add3<S: Simd, V: Lanes<S>, const AWAY: bool>(simd: S, [a, b, c]: [V; 3], into: &mut [f64]) {
    let into = &mut into[..3 * V::LEN];
    let x = V::from_slice(simd, &into[..V::LEN]);
    let y = V::from_slice(simd, &into[V::LEN..2 * V::LEN]);
    let z = V::from_slice(simd, &into[2 * V::LEN..]);
    store3(if AWAY { [x - a, y - b, z - c] } else { [x + a, y + b, z + c] }, into);
}

/// The sum of eight lanes, in a fixed tree.
#[inline(always)]
pub fn tree([a, b, c, d, e, f, g, h]: [f64; 8]) -> f64 {
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The widest level of this machine.
#[inline]
pub fn level() -> Level {
    static WIDEST: LazyLock<Level> = LazyLock::new(Level::new);
    *WIDEST
}

/// All levels of this machine, the widest first.
pub fn levels() -> Vec<Level> {
    let all = vec![Level::new()];
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    let all = {
        let mut all = all;
        all.extend(all[0].as_avx2().map(Level::Avx2));
        all.extend(all[0].as_sse4_2().map(Level::Sse4_2));
        all.extend(all[0].as_sse2().map(Level::Sse2));
        all
    };
    all
}

/// The bytes of lanes `first`, `first` + 3, … of eight, modulo 8.
const fn third(first: usize) -> [u8; 64] {
    let mut bytes = [0; 64];
    let mut k = 0;
    while k < 64 {
        bytes[k] = (((first + 3 * (k / 8)) % 8) * 8 + k % 8) as u8;
        k += 1;
    }
    bytes
}

/// Where axes begin in a period of three registers of eight, and the reverse: 3 · 3 = 1 modulo 8.
static SPLIT: [[u8; 64]; 3] = [third(0), third(1), third(2)];
static JOIN: [[u8; 64]; 3] = [third(0), third(5), third(2)];

#[inline(always)]
fn pick<S: Simd>(simd: S, a: f64x8<S>, bytes: &'static [u8; 64]) -> f64x8<S> {
    a.swizzle_dyn(u8x64::load_array_ref(simd, bytes))
}

/// Lanes 0, 3, 6 of `a`, lanes 1, 4, 7 of `b`, lanes 2, 5 of `c`.
#[inline(always)]
fn weave<S: Simd>(simd: S, [a, b, c]: [f64x8<S>; 3]) -> f64x8<S> {
    let first = mask64x8::from_bitmask(simd, 0b0100_1001);
    let second = mask64x8::from_bitmask(simd, 0b1001_0010);
    first.select(a, second.select(b, c))
}

/// A register holds eight numbers of eight vectors, three axes in turn. Each axis has its lanes in
/// different places of the three registers: they are woven into one, then permuted.
impl<S: Simd> Lanes<S> for f64x8<S> {
    #[inline(always)]
    fn split3(simd: S, flat: &[f64]) -> [Self; 3] {
        let flat = &flat[..24];
        let a = Self::from_slice(simd, &flat[..8]);
        let b = Self::from_slice(simd, &flat[8..16]);
        let c = Self::from_slice(simd, &flat[16..]);
        [
            pick(simd, weave(simd, [a, b, c]), &SPLIT[0]),
            pick(simd, weave(simd, [c, a, b]), &SPLIT[1]),
            pick(simd, weave(simd, [b, c, a]), &SPLIT[2]),
        ]
    }

    #[inline(always)]
    fn join3(simd: S, [x, y, z]: [Self; 3]) -> [Self; 3] {
        let (x, y, z) = (pick(simd, x, &JOIN[0]), pick(simd, y, &JOIN[1]), pick(simd, z, &JOIN[2]));
        [weave(simd, [x, y, z]), weave(simd, [z, x, y]), weave(simd, [y, z, x])]
    }
}

/// Two numbers of a slice.
#[inline(always)]
fn pair<S: Simd>(simd: S, flat: &[f64], k: usize) -> f64x2<S> {
    f64x2::from_slice(simd, &flat[k..k + 2])
}

impl<S: Simd> Lanes<S> for f64x4<S> {
    #[inline(always)]
    fn split3(simd: S, flat: &[f64]) -> [Self; 3] {
        let flat = &flat[..12];
        // x₀ y₀ x₂ y₂, z₀ x₁ z₂ x₃ and y₁ z₁ y₃ z₃
        let a = pair(simd, flat, 0).combine(pair(simd, flat, 6));
        let b = pair(simd, flat, 2).combine(pair(simd, flat, 8));
        let c = pair(simd, flat, 4).combine(pair(simd, flat, 10));
        let even = mask64x4::from_bitmask(simd, 0b0101);
        [even.select(a, b), a.slide_within_blocks::<1>(c), even.select(b, c)]
    }

    #[inline(always)]
    fn join3(simd: S, [x, y, z]: [Self; 3]) -> [Self; 3] {
        let even = mask64x4::from_bitmask(simd, 0b0101);
        let (a0, a1) = x.slide_within_blocks::<1>(x).slide_within_blocks::<1>(y).split();
        let (b0, b1) = even.select(z, x).split();
        let (c0, c1) = even.select(y.slide_within_blocks::<1>(y), z).split();
        [a0.combine(b0), c0.combine(a1), b1.combine(c1)]
    }
}

impl<S: Simd> Lanes<S> for f64x2<S> {
    #[inline(always)]
    fn split3(simd: S, flat: &[f64]) -> [Self; 3] {
        let flat = &flat[..6];
        let (a, b, c) = (pair(simd, flat, 0), pair(simd, flat, 2), pair(simd, flat, 4));
        let even = mask64x2::from_bitmask(simd, 0b01);
        [even.select(a, b), a.slide_within_blocks::<1>(c), even.select(b, c)]
    }

    #[inline(always)]
    fn join3(simd: S, [x, y, z]: [Self; 3]) -> [Self; 3] {
        let even = mask64x2::from_bitmask(simd, 0b01);
        let a = x.slide_within_blocks::<1>(x).slide_within_blocks::<1>(y);
        [a, even.select(z, x), even.select(y.slide_within_blocks::<1>(y), z)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn there_and_back<S: Simd, V: Lanes<S>>(simd: S, flat: &[f64]) -> [Vec<f64>; 2] {
        let parts = V::split3(simd, flat);
        let mut back = vec![0.0; 3 * V::LEN];
        store3(V::join3(simd, parts), &mut back);
        [parts.iter().flat_map(|part| part.as_slice().to_vec()).collect(), back]
    }

    #[test]
    fn vectors_come_apart_and_together_at_every_width() {
        let flat: Vec<f64> = (0..24).map(f64::from).collect();
        for level in levels() {
            let widths = dispatch!(level, simd => [
                there_and_back::<_, f64x2<_>>(simd, &flat),
                there_and_back::<_, f64x4<_>>(simd, &flat),
                there_and_back::<_, f64x8<_>>(simd, &flat),
            ]);
            for [apart, back] in widths {
                let lanes = back.len() / 3;
                let wanted = (0..3).flat_map(|axis| (0..lanes).map(move |k| (3 * k + axis) as f64));
                assert_eq!(apart, wanted.collect::<Vec<_>>(), "{level:?}");
                assert_eq!(back, flat[..back.len()], "{level:?}");
            }
        }
    }
}
