//! Rules that are applied to numbers side by side, as many at a time as a register holds. The bits are
//! those of one number after the other.

use super::lanes::{Lanes, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8, level};
use std::ops::{Add, Mul, Sub};

/// Fewer numbers than this are taken one by one.
const FEW: usize = 16;

/// A number, or several in a register.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {}

impl<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>> Number for T {}

/// The rule for one place of `IN` slices that are read and `OUT` slices that change, with `K` constants.
pub trait Pointwise<const K: usize, const IN: usize, const OUT: usize> {
    /// The new numbers at a place.
    fn at<T: Number>(constants: [T; K], read: [T; IN], change: [T; OUT]) -> [T; OUT];
}

/// Applies a rule to all places; the slices are equally long.
#[inline]
pub fn apply<R: Pointwise<K, IN, OUT>, const K: usize, const IN: usize, const OUT: usize>(
    constants: [f64; K],
    read: [&[f64]; IN],
    change: [&mut [f64]; OUT],
) {
    let n = change[0].len();
    let read = read.map(|slice| &slice[..n]);
    let change = change.map(|slice| &mut slice[..n]);
    if n == 3 {
        // one vector: stored at once, since it is read at once
        three::<R, K, IN, OUT>(constants, read, change);
    } else if n < FEW {
        singly::<R, K, IN, OUT>(0, constants, read, change);
    } else {
        dispatch!(level(), simd => wide::<_, R, K, IN, OUT>(simd, constants, read, change));
    }
}

#[inline(always)]
fn three<R: Pointwise<K, IN, OUT>, const K: usize, const IN: usize, const OUT: usize>(
    constants: [f64; K],
    read: [&[f64]; IN],
    change: [&mut [f64]; OUT],
) {
    let mut new = [[0.0; 3]; OUT];
    for i in 0..3 {
        let (mut a, mut b) = ([0.0; IN], [0.0; OUT]);
        (0..IN).for_each(|k| a[k] = read[k][i]);
        (0..OUT).for_each(|k| b[k] = change[k][i]);
        let b = R::at(constants, a, b);
        (0..OUT).for_each(|k| new[k][i] = b[k]);
    }
    for (change, new) in change.into_iter().zip(new) {
        change.copy_from_slice(&new);
    }
}

#[inline(always)]
fn singly<R: Pointwise<K, IN, OUT>, const K: usize, const IN: usize, const OUT: usize>(
    from: usize,
    constants: [f64; K],
    read: [&[f64]; IN],
    change: [&mut [f64]; OUT],
) {
    for i in from..change[0].len() {
        let (mut a, mut b) = ([0.0; IN], [0.0; OUT]);
        (0..IN).for_each(|k| a[k] = read[k][i]);
        (0..OUT).for_each(|k| b[k] = change[k][i]);
        let b = R::at(constants, a, b);
        (0..OUT).for_each(|k| change[k][i] = b[k]);
    }
}

fn wide<S: Simd, R: Pointwise<K, IN, OUT>, const K: usize, const IN: usize, const OUT: usize>(
    simd: S,
    constants: [f64; K],
    read: [&[f64]; IN],
    change: [&mut [f64]; OUT],
) {
    match S::f64s::LEN {
        8 => vectorized::<S, f64x8<S>, R, K, IN, OUT>(simd, constants, read, change),
        4 => vectorized::<S, f64x4<S>, R, K, IN, OUT>(simd, constants, read, change),
        _ => vectorized::<S, f64x2<S>, R, K, IN, OUT>(simd, constants, read, change),
    }
}

#[inline(never)]
fn vectorized<
    S: Simd,
    V: Lanes<S>,
    R: Pointwise<K, IN, OUT>,
    const K: usize,
    const IN: usize,
    const OUT: usize,
>(
    simd: S,
    constants: [f64; K],
    read: [&[f64]; IN],
    change: [&mut [f64]; OUT],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let zero = V::splat(simd, 0.0);
            let mut wide = [zero; K];
            let mut k = 0;
            while k < K {
                wide[k] = V::splat(simd, constants[k]);
                k += 1;
            }
            let n = change[0].len();
            let mut i = 0;
            while i + V::LEN <= n {
                let (mut a, mut b) = ([zero; IN], [zero; OUT]);
                let mut k = 0;
                while k < IN {
                    a[k] = V::from_slice(simd, &read[k][i..i + V::LEN]);
                    k += 1;
                }
                let mut k = 0;
                while k < OUT {
                    b[k] = V::from_slice(simd, &change[k][i..i + V::LEN]);
                    k += 1;
                }
                let b = R::at(wide, a, b);
                let mut k = 0;
                while k < OUT {
                    b[k].store_slice(&mut change[k][i..i + V::LEN]);
                    k += 1;
                }
                i += V::LEN;
            }
            singly::<R, K, IN, OUT>(i, constants, read, change);
        },
    )
}

/// `to = base + Σ_j c_j k_j`, the sum over the terms with c_j ≠ 0 in their order, at every place.
pub fn combine(to: &mut [f64], base: &[f64], terms: &[(f64, &[f64])]) {
    dispatch!(level(), simd => combine_wide::<_, false>(simd, to, base, terms, 1.0));
}

/// `to += (Σ_j c_j k_j) share`, the sum as in [`combine`].
pub fn add_combined(to: &mut [f64], terms: &[(f64, &[f64])], share: f64) {
    dispatch!(level(), simd => combine_wide::<_, true>(simd, to, &[], terms, share));
}

fn combine_wide<S: Simd, const ADD: bool>(
    simd: S,
    to: &mut [f64],
    base: &[f64],
    terms: &[(f64, &[f64])],
    share: f64,
) {
    match S::f64s::LEN {
        8 => combined::<S, f64x8<S>, ADD>(simd, to, base, terms, share),
        4 => combined::<S, f64x4<S>, ADD>(simd, to, base, terms, share),
        _ => combined::<S, f64x2<S>, ADD>(simd, to, base, terms, share),
    }
}

#[inline(never)]
fn combined<S: Simd, V: Lanes<S>, const ADD: bool>(
    simd: S,
    to: &mut [f64],
    base: &[f64],
    terms: &[(f64, &[f64])],
    share: f64,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let n = to.len();
            let wide_share = V::splat(simd, share);
            let mut i = 0;
            while i + V::LEN <= n {
                let end = i + V::LEN;
                let from = if ADD { &to[i..end] } else { &base[i..end] };
                let from = V::from_slice(simd, from);
                let mut sum = V::splat(simd, 0.0);
                let mut j = 0;
                while j < terms.len() {
                    let (c, k) = terms[j];
                    let term = V::from_slice(simd, &k[i..end]) * V::splat(simd, c);
                    sum = if j == 0 { term } else { sum + term };
                    j += 1;
                }
                let after = if ADD { from + sum * wide_share } else { from + sum };
                after.store_slice(&mut to[i..end]);
                i = end;
            }
            while i < n {
                let mut sum = 0.0;
                let mut j = 0;
                while j < terms.len() {
                    let (c, k) = terms[j];
                    sum = if j == 0 { k[i] * c } else { sum + k[i] * c };
                    j += 1;
                }
                to[i] = if ADD { to[i] + sum * share } else { base[i] + sum };
                i += 1;
            }
        },
    )
}

/// `numbers *= weights` at every place. Returns whether the squares of the products have a finite sum:
/// then all products are finite.
pub fn weigh(numbers: &mut [f64], weights: &[f64]) -> bool {
    dispatch!(level(), simd => weigh_wide(simd, numbers, weights))
}

fn weigh_wide<S: Simd>(simd: S, numbers: &mut [f64], weights: &[f64]) -> bool {
    match S::f64s::LEN {
        8 => weighed::<S, f64x8<S>>(simd, numbers, weights),
        4 => weighed::<S, f64x4<S>>(simd, numbers, weights),
        _ => weighed::<S, f64x2<S>>(simd, numbers, weights),
    }
}

/// Registers in which squares are added side by side.
const SUMS: usize = 4;

#[inline(never)]
fn weighed<S: Simd, V: Lanes<S>>(simd: S, numbers: &mut [f64], weights: &[f64]) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let (n, mut i) = (numbers.len(), 0);
            let weights = &weights[..n];
            let mut sums = [V::splat(simd, 0.0); SUMS];
            while i + SUMS * V::LEN <= n {
                let mut k = 0;
                while k < SUMS {
                    let here = i + k * V::LEN..i + (k + 1) * V::LEN;
                    let number = V::from_slice(simd, &numbers[here.clone()])
                        * V::from_slice(simd, &weights[here.clone()]);
                    number.store_slice(&mut numbers[here]);
                    sums[k] += number * number;
                    k += 1;
                }
                i += SUMS * V::LEN;
            }
            while i + V::LEN <= n {
                let here = i..i + V::LEN;
                let number = V::from_slice(simd, &numbers[here.clone()])
                    * V::from_slice(simd, &weights[here.clone()]);
                number.store_slice(&mut numbers[here]);
                sums[0] += number * number;
                i += V::LEN;
            }
            let mut total = 0.0;
            for sum in ((sums[0] + sums[1]) + (sums[2] + sums[3])).as_slice() {
                total += *sum;
            }
            while i < n {
                numbers[i] *= weights[i];
                total += numbers[i] * numbers[i];
                i += 1;
            }
            total.is_finite()
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Euler;

    impl Pointwise<1, 1, 2> for Euler {
        #[inline(always)]
        fn at<T: Number>([h]: [T; 1], [a]: [T; 1], [x, v]: [T; 2]) -> [T; 2] {
            let v = v + a * h;
            [x + v * h, v]
        }
    }

    #[test]
    fn many_numbers_change_as_each_by_itself() {
        let number = |k: usize| ((k * 7919) % 1013) as f64 * 1e-3 - 0.4;
        for n in [0, 1, 15, 16, 17, 100] {
            let a: Vec<f64> = (0..n).map(number).collect();
            let mut x: Vec<f64> = (0..n).map(|k| number(k + 5)).collect();
            let mut v: Vec<f64> = (0..n).map(|k| number(k + 11)).collect();
            let (from_x, from_v) = (x.clone(), v.clone());
            apply::<Euler, 1, 1, 2>([0.1], [&a], [&mut x, &mut v]);
            for i in 0..n {
                let wanted = Euler::at([0.1], [a[i]], [from_x[i], from_v[i]]);
                assert_eq!([x[i], v[i]], wanted, "{i} of {n}");
            }
            let mut sum = vec![0.0; n];
            combine(&mut sum, &from_x, &[(0.3, &a), (-2.0, &from_v)]);
            let mut added = from_x.clone();
            add_combined(&mut added, &[(0.3, &a), (-2.0, &from_v)], 0.7);
            for i in 0..n {
                let terms = a[i] * 0.3 + from_v[i] * -2.0;
                assert_eq!(sum[i], from_x[i] + terms, "{i} of {n}");
                assert_eq!(added[i], from_x[i] + terms * 0.7, "{i} of {n}");
            }
        }
    }

    #[test]
    fn a_product_that_is_not_finite_is_seen_anywhere() {
        for n in [0, 1, 7, 32, 33, 47, 100] {
            let weights: Vec<f64> = (0..n).map(|k| 0.5 + k as f64).collect();
            let mut all = vec![-1e100; n];
            assert!(weigh(&mut all, &weights));
            for (product, weight) in all.iter().zip(&weights) {
                assert_eq!(*product, -1e100 * weight);
            }
            for odd in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
                for place in 0..n {
                    let mut all = vec![-1e100; n];
                    all[place] = odd;
                    assert!(!weigh(&mut all, &weights), "{odd} at {place} of {n}");
                }
            }
        }
    }
}
