//! Passes of conjugate gradients over particles, as many numbers at a time as a register holds. Sums run in
//! eight lanes, number by number, at every width.

use super::blocks::{Half, times};
use crate::math::lanes::{
    Lanes, Level, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8, store3, tree,
};
use crate::math::{Vector, flat, flat_mut};
use std::ops::Range;

/// Particles of an octet, and lanes of a sum.
const LANES: usize = 8;

/// Symmetric blocks of 3 × 3, one for each particle, in octets: the six numbers of eight particles side by side.
#[derive(Debug, Default)]
pub(super) struct Octets(Vec<[[f64; LANES]; 6]>);

impl Octets {
    /// Room for the blocks of `particles` particles.
    pub fn resize(&mut self, particles: usize) {
        self.0.clear();
        self.0.resize(particles.div_ceil(LANES), [[0.0; LANES]; 6]);
    }

    /// Sets the block of a particle.
    pub fn put(&mut self, particle: usize, block: &Half) {
        let octet = &mut self.0[particle / LANES];
        (0..6).for_each(|k| octet[k][particle % LANES] = block[k]);
    }

    fn get(&self, particle: usize) -> Half {
        self.0[particle / LANES].map(|numbers| numbers[particle % LANES])
    }

    /// r −= step z, then z = P r with these blocks P, of the particles `of`, the first of which is a multiple of
    /// eight; returns Σ |r|² w and Σ r·z, w their weights.
    pub fn shrink(
        &self,
        level: Level,
        of: Range<usize>,
        (r, z): (&mut [Vector], &mut [Vector]),
        weights: &[f64],
        step: f64,
    ) -> [f64; 2] {
        debug_assert!(of.start.is_multiple_of(LANES), "octets begin at multiples of eight");
        let (r, z, weights) = (&mut r[of.clone()], &mut z[of.clone()], &weights[of.clone()]);
        let eights = of.len() / LANES;
        let octets = &self.0[of.start / LANES..][..eights];
        let (own_r, own_z) =
            (flat_mut(&mut r[..LANES * eights]), flat_mut(&mut z[..LANES * eights]));
        let mut sums = dispatch!(level, simd => shrink(simd, octets, own_r, own_z, weights, step));
        for lane in 0..of.len() % LANES {
            let i = LANES * eights + lane;
            r[i] -= z[i] * step;
            z[i] = times(&self.get(of.start + i), &r[i]);
            sums[0][lane] += r[i].norm_squared() * weights[i];
            sums[1][lane] += r[i].dot(&z[i]);
        }
        sums.map(tree)
    }
}

fn shrink<S: Simd>(
    simd: S,
    octets: &[[[f64; LANES]; 6]],
    r: &mut [f64],
    z: &mut [f64],
    weights: &[f64],
    step: f64,
) -> [[f64; LANES]; 2] {
    match S::f64s::LEN {
        8 => shrink_by::<S, f64x8<S>>(simd, octets, (r, z), weights, step),
        4 => shrink_by::<S, f64x4<S>>(simd, octets, (r, z), weights, step),
        _ => shrink_by::<S, f64x2<S>>(simd, octets, (r, z), weights, step),
    }
}

#[inline(never)]
fn shrink_by<S: Simd, V: Lanes<S>>(
    simd: S,
    octets: &[[[f64; LANES]; 6]],
    (r, z): (&mut [f64], &mut [f64]),
    weights: &[f64],
    step: f64,
) -> [[f64; LANES]; 2] {
    simd.vectorize(
        #[inline(always)]
        || {
            let step = V::splat(simd, step);
            let zero = V::splat(simd, 0.0);
            let mut sums = [[zero; LANES / 2]; 2];
            for (number, octet) in octets.iter().enumerate() {
                let mut part = 0;
                while part < LANES / V::LEN {
                    let (lane, first) = (part * V::LEN, LANES * number + part * V::LEN);
                    let at = 3 * first..3 * (first + V::LEN);
                    let (r, z) = (&mut r[at.clone()], &mut z[at]);
                    let mut k = 0;
                    while k < 3 {
                        let here = k * V::LEN..(k + 1) * V::LEN;
                        let left = V::from_slice(simd, &r[here.clone()]);
                        let moved = left - V::from_slice(simd, &z[here.clone()]) * step;
                        moved.store_slice(&mut r[here]);
                        k += 1;
                    }
                    let [x, y, w] = V::split3(simd, r);
                    let b = |k: usize| V::from_slice(simd, &octet[k][lane..lane + V::LEN]);
                    let (xy, yz, zx) = (b(3), b(4), b(5));
                    let px = b(0) * x + xy * y + zx * w;
                    let py = b(1) * y + yz * w + xy * x;
                    let pz = b(2) * w + zx * x + yz * y;
                    store3(V::join3(simd, [px, py, pz]), z);
                    let weight = V::from_slice(simd, &weights[first..first + V::LEN]);
                    sums[0][part] += (x * x + y * y + w * w) * weight;
                    sums[1][part] += x * px + y * py + w * pz;
                    part += 1;
                }
            }
            let mut lanes = [[0.0; LANES]; 2];
            let mut part = 0;
            while part < LANES / V::LEN {
                let here = part * V::LEN..(part + 1) * V::LEN;
                sums[0][part].store_slice(&mut lanes[0][here.clone()]);
                sums[1][part].store_slice(&mut lanes[1][here]);
                part += 1;
            }
            lanes
        },
    )
}

/// y += step p with the old p, then p = z + carry p, and z = 0.
pub(super) fn turn(
    level: Level,
    y: &mut [Vector],
    p: &mut [Vector],
    z: &mut [Vector],
    by: [f64; 2],
) {
    let (y, p, z) = (flat_mut(y), flat_mut(p), flat_mut(z));
    dispatch!(level, simd => turn_wide(simd, y, p, z, by));
}

fn turn_wide<S: Simd>(simd: S, y: &mut [f64], p: &mut [f64], z: &mut [f64], by: [f64; 2]) {
    match S::f64s::LEN {
        8 => turn_by::<S, f64x8<S>>(simd, y, p, z, by),
        4 => turn_by::<S, f64x4<S>>(simd, y, p, z, by),
        _ => turn_by::<S, f64x2<S>>(simd, y, p, z, by),
    }
}

#[inline(never)]
fn turn_by<S: Simd, V: Lanes<S>>(
    simd: S,
    y: &mut [f64],
    p: &mut [f64],
    z: &mut [f64],
    [step, carry]: [f64; 2],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let (wide_step, wide_carry) = (V::splat(simd, step), V::splat(simd, carry));
            let n = y.len();
            let (p, z) = (&mut p[..n], &mut z[..n]);
            let mut i = 0;
            while i + V::LEN <= n {
                let here = i..i + V::LEN;
                let old = V::from_slice(simd, &p[here.clone()]);
                let moved = V::from_slice(simd, &y[here.clone()]) + old * wide_step;
                let turned = V::from_slice(simd, &z[here.clone()]) + old * wide_carry;
                moved.store_slice(&mut y[here.clone()]);
                turned.store_slice(&mut p[here.clone()]);
                V::splat(simd, 0.0).store_slice(&mut z[here]);
                i += V::LEN;
            }
            while i < n {
                y[i] += p[i] * step;
                p[i] = z[i] + p[i] * carry;
                z[i] = 0.0;
                i += 1;
            }
        },
    )
}

/// Σ a·b.
pub(super) fn dot(level: Level, a: &[Vector], b: &[Vector]) -> f64 {
    let (a, b) = (flat(a), flat(b));
    tree(dispatch!(level, simd => dot_wide(simd, a, b)))
}

fn dot_wide<S: Simd>(simd: S, a: &[f64], b: &[f64]) -> [f64; LANES] {
    match S::f64s::LEN {
        8 => dot_by::<S, f64x8<S>>(simd, a, b),
        4 => dot_by::<S, f64x4<S>>(simd, a, b),
        _ => dot_by::<S, f64x2<S>>(simd, a, b),
    }
}

#[inline(never)]
fn dot_by<S: Simd, V: Lanes<S>>(simd: S, a: &[f64], b: &[f64]) -> [f64; LANES] {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [V::splat(simd, 0.0); LANES / 2];
            let eights = a.len() / LANES;
            for number in 0..eights {
                let mut part = 0;
                while part < LANES / V::LEN {
                    let from = LANES * number + part * V::LEN;
                    let here = from..from + V::LEN;
                    let (a, b) =
                        (V::from_slice(simd, &a[here.clone()]), V::from_slice(simd, &b[here]));
                    sums[part] += a * b;
                    part += 1;
                }
            }
            let mut lanes = [0.0; LANES];
            let mut part = 0;
            while part < LANES / V::LEN {
                sums[part].store_slice(&mut lanes[part * V::LEN..(part + 1) * V::LEN]);
                part += 1;
            }
            for (lane, i) in (LANES * eights..a.len()).enumerate() {
                lanes[lane] += a[i] * b[i];
            }
            lanes
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::levels;

    fn number(k: usize) -> f64 {
        ((k * 7919) % 1013) as f64 * 1e-3 - 0.4
    }

    fn vectors(n: usize, seed: usize) -> Vec<Vector> {
        (0..n).map(|i| Vector::from_fn(|axis, _| number(3 * i + axis + seed))).collect()
    }

    fn bits<'a>(numbers: impl IntoIterator<Item = &'a f64>) -> Vec<u64> {
        numbers.into_iter().map(|number| number.to_bits()).collect()
    }

    /// Every pass over `n` particles from `from` on at a width: all that it writes and returns.
    fn passes(level: Level, from: usize, n: usize) -> Vec<f64> {
        let (mut r, mut z, mut y) = (vectors(n, 3), vectors(n, 17), vectors(n, 29));
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + number(i)).collect();
        let mut octets = Octets::default();
        octets.resize(n);
        let block = |i: usize| [0, 1, 2, 3, 4, 5].map(|k| number(6 * i + k + 5));
        (0..n).for_each(|i| octets.put(i, &block(i)));
        let (mut wanted_r, mut wanted_z, before) = (r.clone(), z.clone(), y.clone());
        let mut wanted = [0.0; 2];
        for i in from..n {
            wanted_r[i] -= z[i] * 0.3;
            wanted_z[i] = times(&block(i), &wanted_r[i]);
            wanted[0] += wanted_r[i].norm_squared() * weights[i];
            wanted[1] += wanted_r[i].dot(&wanted_z[i]);
        }
        let sums = octets.shrink(level, from..n, (&mut r, &mut z), &weights, 0.3);
        let product = dot(level, &r, &z);
        assert!((sums[0] - wanted[0]).abs() < 1e-12 && (sums[1] - wanted[1]).abs() < 1e-12);
        assert_eq!(flat(&r), flat(&wanted_r));
        assert_eq!(flat(&z), flat(&wanted_z));
        let all: f64 = r.iter().zip(&z).map(|(r, z)| r.dot(z)).sum();
        assert!((product - all).abs() < 1e-12);
        let mut all: Vec<f64> = [&r, &z].into_iter().flat_map(|of| flat(of).to_vec()).collect();
        turn(level, &mut y, &mut r, &mut z, [0.7, 0.2]);
        for i in 0..n {
            assert_eq!(y[i], before[i] + wanted_r[i] * 0.7);
            assert_eq!(r[i], wanted_z[i] + wanted_r[i] * 0.2);
            assert_eq!(z[i], Vector::zeros());
        }
        all.extend(sums.iter().chain([&product]).chain(flat(&y)).chain(flat(&r)));
        all
    }

    #[test]
    fn passes_are_those_of_particle_by_particle_at_every_width() {
        for (from, n) in [(0, 5), (0, 8), (0, 83), (16, 83), (64, 64)] {
            let first = passes(Level::new(), from, n);
            for level in levels() {
                assert_eq!(bits(&first), bits(&passes(level, from, n)), "{from}..{n}, {level:?}");
            }
        }
    }
}
