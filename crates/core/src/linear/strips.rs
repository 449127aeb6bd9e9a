//! The symmetric blocks of pairs: eight pairs (i, i + d), i = first, first + 1, … side by side where a lattice has
//! them, the others one by one.

use super::blocks::{Pair, times};
use super::pattern::Rows;
use crate::math::lanes::{Lanes, Level, Simd, SimdBase, add3, dispatch, f64x2, f64x4, f64x8};
use crate::math::{Vector, flat, flat_mut};
use std::collections::BTreeMap;
use std::ops::Range;

/// Pairs of a strip.
const LANES: usize = 8;

/// Fewest pairs with the same j − i, of eight consecutive i, that make a strip.
const WORTH_A_STRIP: usize = 3;

/// A pair that is in no strip: its number in the list, with this bit.
const LISTED: u32 = 1 << 31;

/// The blocks of all pairs, and a product with them. The order of sums depends on the pairs alone.
#[derive(Debug, Default)]
pub(super) struct Strips {
    groups: Vec<Octet>,
    /// j − i of each strip
    offsets: Vec<u32>,
    /// the six numbers of each block of a strip, zero where there is no pair
    blocks: Vec<[[f64; LANES]; 6]>,
    /// the twists of the blocks of a strip; none where all pairs are symmetric
    twists: Vec<[[f64; LANES]; 3]>,
    /// the other pairs, by rows
    list: Vec<(u32, u32, Pair)>,
    /// the place of each pair: eight times its strip and its lane, or [`LISTED`]
    places: Vec<u32>,
    /// [`Rows::version`]
    version: u64,
    level: Option<Level>,
}

/// Eight consecutive rows, the first of which is a multiple of eight.
#[derive(Debug, Clone, Default)]
struct Octet {
    strips: Range<u32>,
    list: Range<u32>,
}

/// j − i, blocks and twists of the strips of a group; no twists where all pairs are symmetric.
type StripsOfGroup<'a> = (&'a [u32], &'a [[[f64; LANES]; 6]], &'a [[[f64; LANES]; 3]]);

impl Strips {
    /// Lays out the pairs of `rows` among `particles` particles, with their blocks in the same order.
    pub fn of(rows: &Rows, blocks: impl Iterator<Item = Pair>, particles: usize) -> Self {
        let mut strips = Strips {
            groups: Vec::with_capacity(particles.div_ceil(LANES)),
            places: Vec::with_capacity(rows.len()),
            version: rows.version(),
            ..Strips::default()
        };
        let mut pairs = rows.pairs().zip(blocks).peekable();
        let mut group = Vec::new();
        for first in (0..particles).step_by(LANES) {
            group.clear();
            while let Some(((_, i, j), block)) = pairs.next_if(|((_, i, _), _)| *i < first + LANES)
            {
                group.push((i, j, block));
            }
            strips.add_group(first, &group, particles);
        }
        if !strips.twists.is_empty() {
            strips.twists.resize(strips.blocks.len(), [[0.0; LANES]; 3]);
        }
        strips
    }

    /// Adds the pairs of the eight rows from `first` on.
    fn add_group(&mut self, first: usize, pairs: &[(usize, usize, Pair)], particles: usize) {
        // by j − i, the pair of each lane
        let mut strided: BTreeMap<usize, [Option<usize>; LANES]> = BTreeMap::new();
        for (number, (i, j, _)) in pairs.iter().enumerate() {
            // all eight ends are read
            if first + (j - i) + LANES <= particles {
                strided.entry(j - i).or_default()[i - first].get_or_insert(number);
            }
        }
        strided.retain(|_, lanes| lanes.iter().flatten().count() >= WORTH_A_STRIP);
        let (strip, listed) = (self.offsets.len() as u32, self.list.len() as u32);
        let mut places = vec![LISTED; pairs.len()];
        for (offset, lanes) in strided {
            self.blocks.push([[0.0; LANES]; 6]);
            for (lane, number) in lanes.iter().enumerate() {
                let Some(number) = *number else { continue };
                places[number] = (self.offsets.len() * LANES + lane) as u32;
                self.set(self.offsets.len(), lane, &pairs[number].2);
            }
            self.offsets.push(offset as u32);
        }
        for (place, (i, j, block)) in places.iter_mut().zip(pairs) {
            if *place == LISTED {
                *place |= self.list.len() as u32;
                self.list.push((*i as u32, *j as u32, *block));
            }
        }
        self.places.extend(places);
        self.groups.push(Octet {
            strips: strip..self.offsets.len() as u32,
            list: listed..self.list.len() as u32,
        });
    }

    #[inline(always)]
    fn set(&mut self, strip: usize, lane: usize, block: &Pair) {
        let blocks = &mut self.blocks[strip];
        (0..6).for_each(|k| blocks[k][lane] = block.half[k]);
        if self.twists.len() <= strip && !block.is_symmetric() {
            self.twists.resize(self.blocks.len(), [[0.0; LANES]; 3]);
        }
        if let Some(twists) = self.twists.get_mut(strip) {
            (0..3).for_each(|k| twists[k][lane] = block.twist[k]);
        }
    }

    /// Replaces the block of a pair.
    #[inline(always)]
    pub fn put(&mut self, pair: usize, block: &Pair) {
        let place = self.places[pair];
        if place & LISTED != 0 {
            self.list[(place ^ LISTED) as usize].2 = *block;
        } else {
            self.set(place as usize / LANES, place as usize % LANES, block);
        }
    }

    /// The block of a pair.
    pub fn get(&self, pair: usize) -> Pair {
        let place = self.places[pair];
        if place & LISTED != 0 {
            return self.list[(place ^ LISTED) as usize].2;
        }
        let (strip, lane) = (place as usize / LANES, place as usize % LANES);
        let half = self.blocks[strip].map(|number| number[lane]);
        let twist = self.twists.get(strip).map_or([0.0; 3], |twists| twists.map(|w| w[lane]));
        Pair { half, twist }
    }

    /// Whether these are the pairs of `rows`.
    pub fn are_of(&self, rows: &Rows) -> bool {
        self.version == rows.version()
    }

    /// Adds B (p_j − p_i) of every pair in these rows to y_i and takes it from y_j. The first row is a
    /// multiple of eight.
    pub fn add_product(&self, of: Range<usize>, p: &[Vector], y: &mut [Vector]) {
        let groups = of.start / LANES..of.end.div_ceil(LANES);
        let level = self.level.unwrap_or_else(crate::math::lanes::level);
        dispatch!(level, simd => product(simd, self, groups, flat(p), flat_mut(y)));
    }
}

fn product<S: Simd>(simd: S, strips: &Strips, groups: Range<usize>, p: &[f64], y: &mut [f64]) {
    match S::f64s::LEN {
        8 => product_by::<S, f64x8<S>>(simd, strips, groups, p, y),
        4 => product_by::<S, f64x4<S>>(simd, strips, groups, p, y),
        _ => product_by::<S, f64x2<S>>(simd, strips, groups, p, y),
    }
}

#[inline(never)]
fn product_by<S: Simd, V: Lanes<S>>(
    simd: S,
    strips: &Strips,
    groups: Range<usize>,
    p: &[f64],
    y: &mut [f64],
) {
    simd.vectorize(
        #[inline(always)]
        || {
            for number in groups {
                let Octet { strips: own, list } = &strips.groups[number];
                if !own.is_empty() {
                    let own = own.start as usize..own.end as usize;
                    let first = 3 * LANES * number;
                    let (offsets, blocks) =
                        (&strips.offsets[own.clone()], &strips.blocks[own.clone()]);
                    match strips.twists.get(own) {
                        None => {
                            add_strips::<S, V, false>(simd, first, (offsets, blocks, &[]), p, y)
                        }
                        Some(twists) => {
                            add_strips::<S, V, true>(simd, first, (offsets, blocks, twists), p, y)
                        }
                    }
                }
                add_listed(&strips.list[list.start as usize..list.end as usize], p, y);
            }
        },
    )
}

/// The strips of the group whose first number is `first`: strip by strip, and within one from lane to lane, so
/// that the order of sums is that of every width.
#[inline(always)]
fn add_strips<S: Simd, V: Lanes<S>, const TWISTED: bool>(
    simd: S,
    first: usize,
    (offsets, blocks, twists): StripsOfGroup,
    p: &[f64],
    y: &mut [f64],
) {
    let zero = V::splat(simd, 0.0);
    let mut at_i = [[zero; 3]; LANES / 2];
    let mut sums = [[zero; 3]; LANES / 2];
    let mut part = 0;
    while part < LANES / V::LEN {
        at_i[part] = V::split3(simd, &p[first + 3 * V::LEN * part..]);
        part += 1;
    }
    for (strip, (offset, block)) in offsets.iter().zip(blocks).enumerate() {
        let mut part = 0;
        while part < LANES / V::LEN {
            let from = part * V::LEN;
            let b = |k: usize| V::from_slice(simd, &block[k][from..from + V::LEN]);
            let at_j = first + 3 * (*offset as usize + from);
            let [xj, yj, zj] = V::split3(simd, &p[at_j..]);
            let [xi, yi, zi] = at_i[part];
            let (dx, dy, dz) = (xj - xi, yj - yi, zj - zi);
            let (xy, yz, zx) = (b(3), b(4), b(5));
            let fx = b(0) * dx + xy * dy + zx * dz;
            let fy = b(1) * dy + yz * dz + xy * dx;
            let fz = b(2) * dz + zx * dx + yz * dy;
            let (mut own, mut other) = ([fx, fy, fz], [fx, fy, fz]);
            if TWISTED {
                let w = |k: usize| V::from_slice(simd, &twists[strip][k][from..from + V::LEN]);
                let [wx, wy, wz] = [w(0), w(1), w(2)];
                let turned = [wy * dz - wz * dy, wz * dx - wx * dz, wx * dy - wy * dx];
                let mut k = 0;
                while k < 3 {
                    (own[k], other[k]) = (own[k] + turned[k], other[k] - turned[k]);
                    k += 1;
                }
            }
            let [sx, sy, sz] = sums[part];
            sums[part] = [sx + own[0], sy + own[1], sz + own[2]];
            add3::<S, V, true>(simd, V::join3(simd, other), &mut y[at_j..]);
            part += 1;
        }
    }
    let mut part = 0;
    while part < LANES / V::LEN {
        let own = &mut y[first + 3 * V::LEN * part..];
        add3::<S, V, false>(simd, V::join3(simd, sums[part]), own);
        part += 1;
    }
}

/// The pairs of a group that are in no strip.
#[inline(always)]
fn add_listed(list: &[(u32, u32, Pair)], p: &[f64], y: &mut [f64]) {
    let at = |of: &[f64], i: usize| Vector::new(of[3 * i], of[3 * i + 1], of[3 * i + 2]);
    for (i, j, block) in list {
        let (i, j) = (*i as usize, *j as usize);
        let apart = at(p, j) - at(p, i);
        let part = times(&block.half, &apart);
        let turned = match block.is_symmetric() {
            true => Vector::zeros(),
            false => Vector::from(block.twist).cross(&apart),
        };
        for axis in 0..3 {
            y[3 * i + axis] += part[axis] + turned[axis];
            y[3 * j + axis] -= part[axis] - turned[axis];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::levels;

    fn number(k: usize) -> f64 {
        ((k * 7919) % 1013) as f64 * 1e-3 - 0.4
    }

    /// Pairs of a lattice of 5 × 3 × 3, with some left out, and some of no lattice.
    fn pairs(twisted: bool) -> (Rows, Vec<(usize, usize, Pair)>, usize) {
        let (n, mut all) = (45, Vec::new());
        for i in 0..n {
            for offset in [1, 4, 5, 6, 15, 16, 20] {
                if i + offset < n && (i * 7 + offset) % 9 != 0 {
                    all.push((i, i + offset));
                }
            }
            if i % 6 == 1 && i + 17 < n {
                all.extend([(i, i + 17), (i, i + 1)]);
            }
        }
        let mut rows = Rows::default();
        rows.start();
        all.iter().for_each(|(i, j)| assert!(rows.add(*i, *j)));
        rows.finish(n);
        let block = |(s, (i, j)): (usize, (usize, usize))| {
            let half = [0, 1, 2, 3, 4, 5].map(|k| number(6 * s + k));
            let twist = [0, 1, 2].map(|k| if twisted { number(3 * s + k + 1) } else { 0.0 });
            (i, j, Pair { half, twist })
        };
        (rows, all.into_iter().enumerate().map(block).collect(), n)
    }

    #[test]
    fn a_product_is_that_of_all_pairs_at_every_width() {
        product_of_all_pairs(false);
    }

    #[test]
    fn a_product_with_other_blocks_on_the_other_side_is_too() {
        product_of_all_pairs(true);
    }

    fn product_of_all_pairs(twisted: bool) {
        let (rows, pairs, n) = pairs(twisted);
        let vectors = |seed| -> Vec<Vector> {
            (0..n).map(|i| Vector::from_fn(|axis, _| number(3 * i + axis + seed))).collect()
        };
        let (p, before) = (vectors(5), vectors(11));
        let mut strips = Strips::of(&rows, pairs.iter().map(|(.., block)| *block), n);
        assert!(strips.offsets.len() > 10 && strips.list.len() > 10);
        let mut wanted = before.clone();
        for (i, j, block) in &pairs {
            let [there, back] = block.matrices();
            wanted[*i] += there * (p[*j] - p[*i]);
            wanted[*j] -= back * (p[*j] - p[*i]);
        }
        let mut first = None;
        for level in levels() {
            strips.level = Some(level);
            // in pieces, as leaves of a sum do
            let mut y = before.clone();
            strips.add_product(0..16, &p, &mut y);
            strips.add_product(16..n, &p, &mut y);
            let apart = y.iter().zip(&wanted).map(|(y, w)| (y - w).norm());
            assert!(apart.fold(0.0, f64::max) < 1e-12, "{level:?}");
            let bits: Vec<u64> = crate::math::flat(&y).iter().map(|y| y.to_bits()).collect();
            assert_eq!(*first.get_or_insert_with(|| bits.clone()), bits, "{level:?}");
        }
    }

    #[test]
    fn every_block_has_one_place() {
        let (rows, pairs, n) = pairs(true);
        let mut strips = Strips::of(&rows, pairs.iter().map(|(.., block)| *block), n);
        assert!(strips.are_of(&rows) && strips.places.len() == pairs.len());
        for (s, (.., block)) in pairs.iter().enumerate() {
            assert_eq!(strips.get(s), *block);
        }
        for s in 0..pairs.len() {
            strips.put(s, &Pair { half: [s as f64; 6], twist: [1.0 + s as f64; 3] });
        }
        for s in 0..pairs.len() {
            assert_eq!(strips.get(s), Pair { half: [s as f64; 6], twist: [1.0 + s as f64; 3] });
        }
    }
}
