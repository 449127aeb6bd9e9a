//! Kernels over vectors that have one weight each, and sums over them, at the width of the machine.

use super::Vector;
use super::lanes::{Lanes, Simd, SimdBase, SimdMask, dispatch, f64x2, f64x4, f64x8, level, tree};

/// Number of partial sums: particle i is added to number i modulo this.
const LANES: usize = 8;

/// Fewer vectors than this are taken one by one.
const FEW: usize = 16;

/// f_i += a w_i of every vector f_i.
pub fn add_along(f: &mut [f64], a: Vector, weights: &[f64]) {
    let f = &mut f[..3 * weights.len()];
    if weights.len() < FEW {
        return add_along_singly(f, a, weights);
    }
    dispatch!(level(), simd => add_along_wide(simd, f, a, weights));
}

#[inline(always)]
fn add_along_singly(f: &mut [f64], a: Vector, weights: &[f64]) {
    for (f, w) in f.chunks_exact_mut(3).zip(weights) {
        f[0] += a.x * w;
        f[1] += a.y * w;
        f[2] += a.z * w;
    }
}

fn add_along_wide<S: Simd>(simd: S, f: &mut [f64], a: Vector, weights: &[f64]) {
    match S::f64s::LEN {
        8 => add_along_by::<S, f64x8<S>>(simd, f, a, weights),
        4 => add_along_by::<S, f64x4<S>>(simd, f, a, weights),
        _ => add_along_by::<S, f64x2<S>>(simd, f, a, weights),
    }
}

#[inline(never)]
fn add_along_by<S: Simd, V: Lanes<S>>(simd: S, f: &mut [f64], a: Vector, weights: &[f64]) {
    simd.vectorize(
        #[inline(always)]
        || {
            let a_wide = [V::splat(simd, a.x), V::splat(simd, a.y), V::splat(simd, a.z)];
            let mut i = 0;
            while i + V::LEN <= weights.len() {
                let w = V::from_slice(simd, &weights[i..i + V::LEN]);
                let by = V::join3(simd, [a_wide[0] * w, a_wide[1] * w, a_wide[2] * w]);
                let f = &mut f[3 * i..3 * i + 3 * V::LEN];
                let mut k = 0;
                while k < 3 {
                    let here = k * V::LEN..(k + 1) * V::LEN;
                    let after = V::from_slice(simd, &f[here.clone()]) + by[k];
                    after.store_slice(&mut f[here]);
                    k += 1;
                }
                i += V::LEN;
            }
            add_along_singly(&mut f[3 * i..], a, &weights[i..]);
        },
    )
}

/// f_i −= v_i (rate w_i) of every vector f_i.
pub fn subtract_damped(f: &mut [f64], v: &[f64], rate: f64, weights: &[f64]) {
    let f = &mut f[..3 * weights.len()];
    let v = &v[..3 * weights.len()];
    if weights.len() < FEW {
        return subtract_damped_singly(f, v, rate, weights);
    }
    dispatch!(level(), simd => subtract_damped_wide(simd, f, v, rate, weights));
}

#[inline(always)]
fn subtract_damped_singly(f: &mut [f64], v: &[f64], rate: f64, weights: &[f64]) {
    for ((f, v), w) in f.chunks_exact_mut(3).zip(v.chunks_exact(3)).zip(weights) {
        let by = rate * w;
        f[0] -= v[0] * by;
        f[1] -= v[1] * by;
        f[2] -= v[2] * by;
    }
}

fn subtract_damped_wide<S: Simd>(simd: S, f: &mut [f64], v: &[f64], rate: f64, weights: &[f64]) {
    match S::f64s::LEN {
        8 => subtract_damped_by::<S, f64x8<S>>(simd, f, v, rate, weights),
        4 => subtract_damped_by::<S, f64x4<S>>(simd, f, v, rate, weights),
        _ => subtract_damped_by::<S, f64x2<S>>(simd, f, v, rate, weights),
    }
}

#[inline(never)]
fn subtract_damped_by<S: Simd, V: Lanes<S>>(
    simd: S,
    f: &mut [f64],
    v: &[f64],
    rate: f64,
    weights: &[f64],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let rate_wide = V::splat(simd, rate);
            let mut i = 0;
            while i + V::LEN <= weights.len() {
                let w = rate_wide * V::from_slice(simd, &weights[i..i + V::LEN]);
                let by = V::join3(simd, [w, w, w]);
                let (f, v) = (&mut f[3 * i..3 * i + 3 * V::LEN], &v[3 * i..3 * i + 3 * V::LEN]);
                let mut k = 0;
                while k < 3 {
                    let here = k * V::LEN..(k + 1) * V::LEN;
                    let damped = V::from_slice(simd, &v[here.clone()]) * by[k];
                    let after = V::from_slice(simd, &f[here.clone()]) - damped;
                    after.store_slice(&mut f[here]);
                    k += 1;
                }
                i += V::LEN;
            }
            subtract_damped_singly(&mut f[3 * i..], &v[3 * i..], rate, &weights[i..]);
        },
    )
}

/// A bit for each of at most 64 points: set if its distance d = (p − o)·n from the plane through o with
/// the normal n is less than its reach plus `range` \[m\].
pub fn near_plane(points: &[f64], reach: &[f64], range: f64, plane: [&Vector; 2]) -> u64 {
    if reach.len() < FEW {
        return near_plane_singly(0, points, reach, range, plane);
    }
    dispatch!(level(), simd => near_plane_wide(simd, points, reach, range, plane))
}

#[inline(always)]
fn near_plane_singly(
    from: usize,
    points: &[f64],
    reach: &[f64],
    range: f64,
    [on, normal]: [&Vector; 2],
) -> u64 {
    let mut near = 0;
    for i in from..reach.len() {
        let [x, y, z] = [points[3 * i] - on.x, points[3 * i + 1] - on.y, points[3 * i + 2] - on.z];
        let distance = x * normal.x + y * normal.y + z * normal.z;
        near |= u64::from(distance < reach[i] + range) << i;
    }
    near
}

fn near_plane_wide<S: Simd>(
    simd: S,
    points: &[f64],
    reach: &[f64],
    range: f64,
    plane: [&Vector; 2],
) -> u64 {
    match S::f64s::LEN {
        8 => near_plane_by::<S, f64x8<S>>(simd, points, reach, range, plane),
        4 => near_plane_by::<S, f64x4<S>>(simd, points, reach, range, plane),
        _ => near_plane_by::<S, f64x2<S>>(simd, points, reach, range, plane),
    }
}

#[inline(never)]
fn near_plane_by<S: Simd, V: Lanes<S>>(
    simd: S,
    points: &[f64],
    reach: &[f64],
    range: f64,
    [on, normal]: [&Vector; 2],
) -> u64 {
    simd.vectorize(
        #[inline(always)]
        || {
            let wide = |x: f64| V::splat(simd, x);
            let (ox, oy, oz) = (wide(on.x), wide(on.y), wide(on.z));
            let (nx, ny, nz) = (wide(normal.x), wide(normal.y), wide(normal.z));
            let range_wide = wide(range);
            let (mut near, mut i) = (0, 0);
            while i + V::LEN <= reach.len() {
                let [x, y, z] = V::split3(simd, &points[3 * i..]);
                let distance = (x - ox) * nx + (y - oy) * ny + (z - oz) * nz;
                let most = V::from_slice(simd, &reach[i..i + V::LEN]) + range_wide;
                near |= distance.simd_lt(most).to_bitmask() << i;
                i += V::LEN;
            }
            near | near_plane_singly(i, points, reach, range, [on, normal])
        },
    )
}

/// Σ m (v − v₀) and Σ f, in eight lanes and a fixed tree.
pub fn gained(masses: &[f64], [v, before, f]: [&[f64]; 3]) -> [Vector; 2] {
    let mut sums = [[0.0; LANES]; 6];
    if masses.len() < FEW {
        gained_singly(0, &mut sums, masses, [v, before, f]);
    } else {
        dispatch!(level(), simd => gained_wide(simd, &mut sums, masses, [v, before, f]));
    }
    let [a, b, c, d, e, f] = sums.map(tree);
    [Vector::new(a, b, c), Vector::new(d, e, f)]
}

/// Adds vectors one by one; the first belongs to lane 0.
#[inline(always)]
fn gained_singly(
    from: usize,
    sums: &mut [[f64; LANES]; 6],
    masses: &[f64],
    [v, before, f]: [&[f64]; 3],
) {
    for i in from..masses.len() {
        let mut axis = 0;
        while axis < 3 {
            let k = 3 * i + axis;
            sums[axis][i % LANES] += (v[k] - before[k]) * masses[i];
            sums[3 + axis][i % LANES] += f[k];
            axis += 1;
        }
    }
}

fn gained_wide<S: Simd>(simd: S, sums: &mut [[f64; LANES]; 6], masses: &[f64], of: [&[f64]; 3]) {
    match S::f64s::LEN {
        8 => gained_by::<S, f64x8<S>>(simd, sums, masses, of),
        4 => gained_by::<S, f64x4<S>>(simd, sums, masses, of),
        _ => gained_by::<S, f64x2<S>>(simd, sums, masses, of),
    }
}

#[inline(never)]
fn gained_by<S: Simd, V: Lanes<S>>(
    simd: S,
    sums: &mut [[f64; LANES]; 6],
    masses: &[f64],
    [v, before, f]: [&[f64]; 3],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let whole = masses.len() / LANES * LANES;
            let mut lane = 0;
            while lane < LANES {
                let zero = V::splat(simd, 0.0);
                let (mut gained, mut force) = ([zero; 3], [zero; 3]);
                let mut i = lane;
                while i < whole {
                    let m = V::from_slice(simd, &masses[i..i + V::LEN]);
                    let now = V::split3(simd, &v[3 * i..]);
                    let then = V::split3(simd, &before[3 * i..]);
                    let by = V::split3(simd, &f[3 * i..]);
                    let mut k = 0;
                    while k < 3 {
                        gained[k] += (now[k] - then[k]) * m;
                        force[k] += by[k];
                        k += 1;
                    }
                    i += LANES;
                }
                let mut k = 0;
                while k < 3 {
                    gained[k].store_slice(&mut sums[k][lane..lane + V::LEN]);
                    force[k].store_slice(&mut sums[3 + k][lane..lane + V::LEN]);
                    k += 1;
                }
                lane += V::LEN;
            }
            gained_singly(whole, sums, masses, [v, before, f]);
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::levels;

    fn numbers(n: usize, seed: usize) -> Vec<f64> {
        (0..n).map(|k| (((k + seed) * 7919) % 1013) as f64 * 1e-3 - 0.4).collect()
    }

    #[test]
    fn weighted_vectors_are_added_as_one_by_one() {
        for n in [1, 15, 16, 21, 100] {
            let (weights, v) = (numbers(n, 3), numbers(3 * n, 5));
            let a = Vector::new(0.3, -9.81, 0.0);
            let from = numbers(3 * n, 9);
            let (mut along, mut damped) = (from.clone(), from.clone());
            add_along_singly(&mut along, a, &weights);
            subtract_damped_singly(&mut damped, &v, 0.7, &weights);
            let mut f = from.clone();
            add_along(&mut f, a, &weights);
            assert_eq!(f, along, "{n}");
            f.clone_from(&from);
            subtract_damped(&mut f, &v, 0.7, &weights);
            assert_eq!(f, damped, "{n}");
            for level in levels() {
                f.clone_from(&from);
                dispatch!(level, simd => add_along_wide(simd, &mut f, a, &weights));
                assert_eq!(f, along, "{level:?} {n}");
                f.clone_from(&from);
                dispatch!(level, simd => subtract_damped_wide(simd, &mut f, &v, 0.7, &weights));
                assert_eq!(f, damped, "{level:?} {n}");
            }
        }
    }

    #[test]
    fn points_near_a_plane_are_found_at_every_level() {
        let plane = [&Vector::new(0.1, 0.0, -0.2), &Vector::new(0.6, 0.0, 0.8)];
        for n in [1, 15, 16, 21, 64] {
            let (points, reach) = (numbers(3 * n, 5), numbers(n, 3));
            let wanted = near_plane_singly(0, &points, &reach, 0.01, plane);
            assert_eq!(near_plane(&points, &reach, 0.01, plane), wanted, "{n}");
            assert!(n == 1 || wanted != 0 && wanted.count_ones() < n as u32, "{n}");
            for level in levels() {
                let found =
                    dispatch!(level, simd => near_plane_wide(simd, &points, &reach, 0.01, plane));
                assert_eq!(found, wanted, "{level:?} {n}");
            }
        }
    }

    #[test]
    fn sums_are_the_same_at_every_level_and_right() {
        for n in [1, 15, 16, 21, 100] {
            let masses = numbers(n, 3);
            let [v, before, f] = [5, 7, 11].map(|seed| numbers(3 * n, seed));
            let first = gained(&masses, [&v, &before, &f]);
            for level in levels() {
                let mut sums = [[0.0; LANES]; 6];
                dispatch!(level, simd => gained_wide(simd, &mut sums, &masses, [&v, &before, &f]));
                let found = sums.map(tree);
                let wanted =
                    [first[0].x, first[0].y, first[0].z, first[1].x, first[1].y, first[1].z];
                assert_eq!(found, wanted, "{level:?} {n}");
            }
            for axis in 0..3 {
                let places = (0..n).map(|i| 3 * i + axis);
                let force: f64 = places.clone().map(|k| f[k]).sum();
                let momentum: f64 = places.map(|k| (v[k] - before[k]) * masses[k / 3]).sum();
                assert!((first[0][axis] - momentum).abs() < 1e-12, "{n}");
                assert!((first[1][axis] - force).abs() < 1e-12, "{n}");
            }
        }
    }
}
