//! Kernel of the springs in rows: as many at a time as a register holds.

use super::layout::{BATCH, Block, LANES, Layout, Row};
use super::{Books, Sweep};
use crate::math::lanes::{
    Lanes, Select, Simd, SimdBase, SimdMask, add3, f64x2, f64x4, f64x8, store3, tree,
};

/// Adds the forces of `blocks` and returns their energy and power.
///
/// For each batch of rows: −T n to the ends j, row by row, then Σ T n to the ends i. Eight lanes make
/// one step at every register width, so the bits do not depend on the width.
pub(super) fn rows<S: Simd, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    blocks: &[Block],
) -> Books {
    match S::f64s::LEN {
        8 => vectorized::<S, f64x8<S>, BOOKS>(simd, sweep, blocks),
        4 => vectorized::<S, f64x4<S>, BOOKS>(simd, sweep, blocks),
        _ => vectorized::<S, f64x2<S>, BOOKS>(simd, sweep, blocks),
    }
}

#[inline(never)]
fn vectorized<S: Simd, V: Lanes<S>, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    blocks: &[Block],
) -> Books {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut sums = [[0.0; LANES]; 2];
            let mut pulls = [[0.0; 3 * LANES]; BATCH];
            let mut own = [0.0; 3 * LANES];
            for block in blocks {
                let rows = &sweep.layout.rows[block.rows.start as usize..block.rows.end as usize];
                if sweep.is_beyond(block, rows) {
                    continue;
                }
                for rows in rows.chunks(BATCH) {
                    let mut lane = 0;
                    while lane < LANES {
                        let batch = Batch { first: block.first as usize, lane, rows };
                        pull::<S, V, BOOKS>(simd, sweep, &batch, &mut pulls, &mut own, &mut sums);
                        lane += V::LEN;
                    }
                    // eight lanes at once need no detour: the order of sums is the same
                    if V::LEN < LANES {
                        for (row, pull) in rows.iter().zip(&pulls) {
                            let at = (block.first + row.offset) as usize;
                            take::<S, V, true>(simd, sweep, at, pull);
                        }
                        take::<S, V, false>(simd, sweep, block.first as usize, &own);
                    }
                }
            }
            Books { twice_stored: tree(sums[0]), dissipated: tree(sums[1]) }
        },
    )
}

/// Some lanes of a block, from `lane` on.
struct Batch<'a> {
    first: usize,
    lane: usize,
    rows: &'a [Row],
}

/// The force T n, tension times unit vector, of the springs of one register: row by row into `pulls`, for
/// their particles j, and summed over the rows into `own`, for the particles i.
#[inline(always)]
fn pull<S: Simd, V: Lanes<S>, const BOOKS: bool>(
    simd: S,
    sweep: &mut Sweep,
    batch: &Batch,
    pulls: &mut [[f64; 3 * LANES]; BATCH],
    own: &mut [f64; 3 * LANES],
    [stored, dissipated]: &mut [[f64; LANES]; 2],
) {
    let layout = sweep.layout;
    let Layout { rests, table, .. } = layout;
    let (zero, one) = (V::splat(simd, 0.0), V::splat(simd, 1.0));
    let (lane, end) = (batch.lane, batch.lane + V::LEN);
    let at_i = 3 * (batch.first + lane);
    let [xi, yi, zi] = V::split3(simd, &sweep.x[at_i..]);
    let [ui, vi, wi] = V::split3(simd, &sweep.v[at_i..]);
    let (mut sx, mut sy, mut sz) = (zero, zero, zero);
    let mut energy = V::from_slice(simd, &stored[lane..end]);
    let mut power = V::from_slice(simd, &dissipated[lane..end]);
    for (row, pull) in batch.rows.iter().zip(pulls) {
        let at_j = at_i + 3 * row.offset as usize;
        let [xj, yj, zj] = V::split3(simd, &sweep.x[at_j..]);
        let [uj, vj, wj] = V::split3(simd, &sweep.v[at_j..]);
        let material = &table[row.material as usize];
        let (k, c) = (V::splat(simd, material.stiffness), V::splat(simd, material.damping));
        let rest = V::from_slice(simd, &rests[row.rests as usize][lane..end]);
        let (dx, dy, dz) = (xj - xi, yj - yi, zj - zi);
        let (du, dv, dw) = (uj - ui, vj - vi, wj - wi);
        let length = (dx * dx + dy * dy + dz * dz).sqrt();
        let inverse = length.simd_gt(zero).select(one / length, zero);
        let rate = (du * dx + dv * dy + dw * dz) * inverse;
        let extension = length - rest;
        let scale = (k * extension + c * rate) * inverse;
        let (mut fx, mut fy, mut fz) = (dx * scale, dy * scale, dz * scale);
        let (mut e, mut p) = (zero, zero);
        if BOOKS {
            (e, p) = (k * extension * extension, c * rate * rate);
        }
        if row.mask != u8::MAX {
            let there = V::Mask::from_bitmask(simd, u64::from(row.mask) >> lane);
            (fx, fy) = (there.select(fx, zero), there.select(fy, zero));
            fz = there.select(fz, zero);
            if BOOKS {
                (e, p) = (there.select(e, zero), there.select(p, zero));
            }
        }
        (sx, sy, sz) = (sx + fx, sy + fy, sz + fz);
        if BOOKS {
            (energy, power) = (energy + e, power + p);
        }
        give::<S, V, true>(simd, sweep, at_j / 3, [fx, fy, fz], &mut pull[3 * lane..]);
    }
    give::<S, V, false>(simd, sweep, at_i / 3, [sx, sy, sz], &mut own[3 * lane..]);
    if BOOKS {
        energy.store_slice(&mut stored[lane..end]);
        power.store_slice(&mut dissipated[lane..end]);
    }
}

/// Gives forces to the particles from `at` on, or keeps them for [`take`] where these are fewer than eight.
#[inline(always)]
fn give<S: Simd, V: Lanes<S>, const AWAY: bool>(
    simd: S,
    sweep: &mut Sweep,
    at: usize,
    forces: [V; 3],
    place: &mut [f64],
) {
    let joined = V::join3(simd, forces);
    if V::LEN == LANES {
        take_eight::<S, V, AWAY>(simd, sweep, at, joined);
    } else {
        store3(joined, place);
    }
}

/// As [`take`], for forces in three registers of eight lanes.
#[inline(always)]
fn take_eight<S: Simd, V: Lanes<S>, const AWAY: bool>(
    simd: S,
    sweep: &mut Sweep,
    at: usize,
    forces: [V; 3],
) {
    let window = &sweep.window;
    if at >= window.start && at + LANES <= window.end {
        let from = 3 * (at - window.start);
        return add3::<S, V, AWAY>(simd, forces, &mut sweep.f[from..from + 3 * LANES]);
    }
    let mut own = [0.0; 3 * LANES];
    store3(forces, &mut own);
    take::<S, V, AWAY>(simd, sweep, at, &own);
}

/// Adds forces to the eight particles from `at` on, or subtracts them; particles outside the window are
/// skipped.
#[inline(always)]
fn take<S: Simd, V: Lanes<S>, const AWAY: bool>(
    simd: S,
    sweep: &mut Sweep,
    at: usize,
    forces: &[f64; 3 * LANES],
) {
    let window = &sweep.window;
    if at >= window.start && at + LANES <= window.end {
        let from = 3 * (at - window.start);
        let into = &mut sweep.f[from..from + 3 * LANES];
        let mut k = 0;
        while k < 3 * LANES {
            let end = k + V::LEN;
            let before = V::from_slice(simd, &into[k..end]);
            let by = V::from_slice(simd, &forces[k..end]);
            let after = if AWAY { before - by } else { before + by };
            after.store_slice(&mut into[k..end]);
            k = end;
        }
        return;
    }
    for i in at.max(window.start)..(at + LANES).min(window.end) {
        for axis in 0..3 {
            let by = forces[3 * (i - at) + axis];
            let into = &mut sweep.f[3 * (i - window.start) + axis];
            *into = if AWAY { *into - by } else { *into + by };
        }
    }
}
