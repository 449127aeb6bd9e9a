//! Kernel of the springs in the list: four at a time.

use super::layout::Layout;
use super::{Books, Spring, Sweep};
use crate::math::lanes::{Select, Simd, SimdBase, SimdFloat, SimdSplit, f64x2, f64x4};
use std::ops::Range;

/// Number of springs at a time, at every register width.
const FOUR: usize = 4;

/// Positions and velocities of all particles, and the forces on those of a window.
struct Particles<'a> {
    x: &'a [f64],
    v: &'a [f64],
    /// forces on the particles of the window
    f: &'a mut [[f64; 3]],
    /// first particle of the window
    start: usize,
}

impl Particles<'_> {
    /// The force on a particle; none outside the window.
    #[inline(always)]
    fn force(&mut self, particle: usize) -> Option<&mut [f64; 3]> {
        self.f.get_mut(particle.wrapping_sub(self.start))
    }
}

/// The force \[N\] on the first end i of consecutive springs, in registers. Meanwhile no spring writes to i in
/// memory, since i < j. Outside the window the sum is dropped.
#[derive(Clone, Copy)]
struct FirstEnd<S: Simd> {
    particle: usize,
    xy: f64x2<S>,
    z: f64,
}

impl<S: Simd> FirstEnd<S> {
    #[inline(always)]
    fn none(simd: S) -> Self {
        FirstEnd { particle: usize::MAX, xy: f64x2::splat(simd, 0.0), z: 0.0 }
    }

    #[inline(always)]
    fn load(simd: S, particles: &mut Particles, particle: usize) -> Self {
        match particles.force(particle) {
            Some(force) => {
                FirstEnd { particle, xy: f64x2::from_slice(simd, &force[..2]), z: force[2] }
            }
            None => FirstEnd { particle, ..FirstEnd::none(simd) },
        }
    }

    #[inline(always)]
    fn store(self, particles: &mut Particles) {
        if let Some(into) = particles.force(self.particle) {
            self.xy.store_slice(&mut into[..2]);
            into[2] = self.z;
        }
    }
}

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
            let (layout, end) = (sweep.layout, sweep.end);
            let n = sweep.x.len().min(sweep.v.len());
            let (x, v) = (&sweep.x[..n], &sweep.v[..n]);
            let mut particles =
                Particles { x, v, f: sweep.f.as_chunks_mut().0, start: sweep.window.start };
            let pairs = &layout.pairs[..which.end];
            let mut sums = [f64x4::splat(simd, 0.0); 2];
            let mut books = Books::default();
            let mut first = FirstEnd::none(simd);
            let mut s = which.start;
            while s < which.end {
                // registers of four numbers are read at both ends; i < j, so that the bound on j suffices
                let four = pairs[s..]
                    .first_chunk()
                    .filter(|four: &&[[u32; 2]; FOUR]| four.iter().all(|pair| pair[1] + 1 < end));
                if let Some(four) = four {
                    let forces =
                        pull_four::<S, BOOKS>(simd, layout, &particles, (s, four), &mut sums);
                    first = take_four(simd, &mut particles, four, forces, first);
                    s += FOUR;
                } else {
                    first.store(&mut particles);
                    first = FirstEnd::none(simd);
                    pull_one(layout, &mut particles, s, &mut books);
                    s += 1;
                }
            }
            first.store(&mut particles);
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
    layout: &Layout,
    particles: &Particles,
    (s, pairs): (usize, &[[u32; 2]; FOUR]),
    [stored, dissipated]: &mut [f64x4<S>; 2],
) -> [f64x4<S>; FOUR] {
    let zero = f64x4::splat(simd, 0.0);
    let mut d = [zero; FOUR];
    let mut w = [zero; FOUR];
    let mut n = 0;
    while n < FOUR {
        let [i, j] = [3 * pairs[n][0] as usize, 3 * pairs[n][1] as usize];
        d[n] = f64x4::from_slice(simd, &particles.x[j..j + 4])
            - f64x4::from_slice(simd, &particles.x[i..i + 4]);
        w[n] = f64x4::from_slice(simd, &particles.v[j..j + 4])
            - f64x4::from_slice(simd, &particles.v[i..i + 4]);
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
fn take_four<S: Simd>(
    simd: S,
    particles: &mut Particles,
    pairs: &[[u32; 2]; FOUR],
    forces: [f64x4<S>; FOUR],
    mut first: FirstEnd<S>,
) -> FirstEnd<S> {
    let mut n = 0;
    while n < FOUR {
        let [i, j] = pairs[n].map(|p| p as usize);
        let (xy, z) = forces[n].split();
        let z = z.as_slice()[0];
        if i != first.particle {
            first.store(particles);
            first = FirstEnd::load(simd, particles, i);
        }
        first.xy += xy;
        first.z += z;
        if let Some(into) = particles.force(j) {
            (f64x2::from_slice(simd, &into[..2]) - xy).store_slice(&mut into[..2]);
            into[2] -= z;
        }
        n += 1;
    }
    first
}

/// Adds the forces of one spring, by the operations of the four in the same order.
#[inline(always)]
fn pull_one(layout: &Layout, particles: &mut Particles, s: usize, books: &mut Books) {
    let [i, j] = layout.pairs[s].map(|p| p as usize);
    let at =
        |flat: &[f64], k: usize| -> [f64; 3] { [flat[3 * k], flat[3 * k + 1], flat[3 * k + 2]] };
    let spring = Spring { i, j, ..layout.listed(s) };
    let pull = spring
        .pull([at(particles.x, i), at(particles.x, j)], [at(particles.v, i), at(particles.v, j)]);
    if let Some(into) = particles.force(i) {
        (0..3).for_each(|axis| into[axis] += pull.force[axis]);
    }
    if let Some(into) = particles.force(j) {
        (0..3).for_each(|axis| into[axis] -= pull.force[axis]);
    }
    books.twice_stored += pull.twice_stored;
    books.dissipated += pull.dissipated;
}
