//! Kernel of the springs in the list: four at a time.

use super::{Books, Spring, Sweep};
use crate::math::lanes::{Select, Simd, SimdBase, SimdFloat, SimdSplit, f64x2, f64x4};
use std::ops::Range;

/// Number of springs at a time, at every register width.
const FOUR: usize = 4;

/// Adds the forces of the springs `which` of the list, in order, and returns their energy and power.
#[inline(never)]
pub(super) fn list<S: Simd, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    which: Range<usize>,
) -> Books {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [f64x4::splat(simd, 0.0); 2];
            let mut books = Books::default();
            let mut s = which.start;
            while s < which.end {
                if s + FOUR <= which.end && sweep.can_read(s, s + FOUR) {
                    let forces = pull_four::<S, BOOKS>(simd, sweep, s, &mut sums);
                    take_four(simd, sweep, s, forces);
                    s += FOUR;
                } else {
                    pull_one(sweep, s, &mut books);
                    s += 1;
                }
            }
            let [energy, power] = sums;
            let (e, p) = (energy.as_slice(), power.as_slice());
            books.twice_stored += (e[0] + e[2]) + (e[1] + e[3]);
            books.dissipated += (p[0] + p[2]) + (p[1] + p[3]);
            books
        },
    )
}

/// T n of four springs: a vector and a zero each.
#[inline(always)]
fn pull_four<S: Simd, const BOOKS: bool>(
    simd: S,
    sweep: &Sweep,
    s: usize,
    [stored, dissipated]: &mut [f64x4<S>; 2],
) -> [f64x4<S>; FOUR] {
    let layout = sweep.layout;
    let pairs: &[[u32; 2]] = &layout.pairs[s..s + FOUR];
    let zero = f64x4::splat(simd, 0.0);
    let mut d = [zero; FOUR];
    let mut w = [zero; FOUR];
    let mut n = 0;
    while n < FOUR {
        let [i, j] = [3 * pairs[n][0] as usize, 3 * pairs[n][1] as usize];
        d[n] = f64x4::from_slice(simd, &sweep.x[j..j + 4])
            - f64x4::from_slice(simd, &sweep.x[i..i + 4]);
        w[n] = f64x4::from_slice(simd, &sweep.v[j..j + 4])
            - f64x4::from_slice(simd, &sweep.v[i..i + 4]);
        n += 1;
    }
    let [dx, dy, dz] = transposed(d);
    let [du, dv, dw] = transposed(w);
    let (k, c) = if layout.materials.is_empty() {
        let material = layout.material(s);
        (f64x4::splat(simd, material.stiffness), f64x4::splat(simd, material.damping))
    } else {
        let (mut k, mut c) = ([0.0; FOUR], [0.0; FOUR]);
        let mut n = 0;
        while n < FOUR {
            let material = layout.material(s + n);
            (k[n], c[n]) = (material.stiffness, material.damping);
            n += 1;
        }
        (f64x4::from_slice(simd, &k), f64x4::from_slice(simd, &c))
    };
    let rest = f64x4::from_slice(simd, &layout.rest_lengths[s..s + FOUR]);
    let length = (dx * dx + dy * dy + dz * dz).sqrt();
    let inverse = length.simd_gt(zero).select(f64x4::splat(simd, 1.0) / length, zero);
    let rate = (du * dx + dv * dy + dw * dz) * inverse;
    let extension = length - rest;
    let scale = (k * extension + c * rate) * inverse;
    if BOOKS {
        *stored += k * extension * extension;
        *dissipated += c * rate * rate;
    }
    let (fx, fy, fz) = (dx * scale, dy * scale, dz * scale);
    let (low, high) = (fx.zip_low(fz), fx.zip_high(fz));
    let (y_low, y_high) = (fy.zip_low(zero), fy.zip_high(zero));
    [low.zip_low(y_low), low.zip_high(y_low), high.zip_low(y_high), high.zip_high(y_high)]
}

/// Lanes 0, 1 and 2 of four registers, transposed to three.
#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f64x4<S>; FOUR]) -> [f64x4<S>; 3] {
    let (low, other) = (a.zip_low(c), b.zip_low(d));
    [low.zip_low(other), low.zip_high(other), a.zip_high(c).zip_low(b.zip_high(d))]
}

/// Adds four forces to the first ends and subtracts them from the second ends, in order.
#[inline(always)]
fn take_four<S: Simd>(simd: S, sweep: &mut Sweep, s: usize, forces: [f64x4<S>; FOUR]) {
    let mut n = 0;
    while n < FOUR {
        let [i, j] = sweep.layout.pairs[s + n].map(|p| p as usize);
        let (xy, z) = forces[n].split();
        let z = z.as_slice()[0];
        if let Some(into) = sweep.force_on(i) {
            (f64x2::from_slice(simd, &into[..2]) + xy).store_slice(&mut into[..2]);
            into[2] += z;
        }
        if let Some(into) = sweep.force_on(j) {
            (f64x2::from_slice(simd, &into[..2]) - xy).store_slice(&mut into[..2]);
            into[2] -= z;
        }
        n += 1;
    }
}

/// Adds the forces of one spring, by the operations of the four in the same order.
#[inline(always)]
fn pull_one(sweep: &mut Sweep, s: usize, books: &mut Books) {
    let [i, j] = sweep.layout.pairs[s].map(|p| p as usize);
    let at =
        |flat: &[f64], k: usize| -> [f64; 3] { [flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]] };
    let spring = Spring { i, j, ..sweep.layout.listed(s) };
    let pull = spring.pull([at(sweep.x, i), at(sweep.x, j)], [at(sweep.v, i), at(sweep.v, j)]);
    if let Some(into) = sweep.force_on(i) {
        (0..3).for_each(|axis| into[axis] += pull.force[axis]);
    }
    if let Some(into) = sweep.force_on(j) {
        (0..3).for_each(|axis| into[axis] -= pull.force[axis]);
    }
    books.twice_stored += pull.twice_stored;
    books.dissipated += pull.dissipated;
}
