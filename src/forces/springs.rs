//! Damped springs between particles.

use super::pool::Pool;
use super::{Axial, BlockSink, Force};
use crate::forces::account::Ledger;
use crate::math::{Matrix, Vector};
use crate::state::Configuration;
use crate::state::memory::Memory;
use std::sync::Arc;

/// Below this many springs one thread does all: handing out work costs more than it saves.
const SERIAL_BELOW: usize = 20_000;

/// Particles per partial sum of the account, fixed so that sums do not depend on threads.
const BLOCK: usize = 4096;

/// Stiffness and damping of one family of springs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SpringMaterial {
    /// k \[N/m\].
    pub stiffness: f64,
    /// c \[N·s/m\], along the spring.
    pub damping: f64,
}

/// All springs of the model.
///
/// With d = x_j − x_i, l = |d|, n = d/l and ḷ = (v_j − v_i)·n the tension is
/// T = k (l − l₀) + c ḷ, the force on i is T n and on j −T n. Coincident ends have no direction
/// and give no force.
///
/// Sorted by (i, j) with i < j, so that the force on a particle is summed in the same order
/// whoever sums it: each thread owns a contiguous range of particles and evaluates, in the global
/// order, every spring that touches it.
pub struct Springs {
    pairs: Vec<[u32; 2]>,
    rest_lengths: Vec<f64>,
    materials: Vec<u32>,
    table: Vec<SpringMaterial>,
    ranges: Vec<Owned>,
    pool: Option<Pool>,
}

/// A contiguous range of particles and the springs that touch it.
#[derive(Debug, Clone)]
struct Owned {
    particles: std::ops::Range<usize>,
    /// springs whose first end is in an earlier range
    foreign: std::ops::Range<usize>,
    own: std::ops::Range<usize>,
}

/// One spring, for builders, measures and pictures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spring {
    /// First particle.
    pub i: usize,
    /// Second particle, i < j.
    pub j: usize,
    /// l₀ \[m\].
    pub rest_length: f64,
    /// k and c.
    pub material: SpringMaterial,
}

impl Springs {
    /// Springs among `particles` particles, evaluated by `threads` threads.
    pub fn new(mut springs: Vec<Spring>, particles: usize, threads: usize) -> Self {
        springs.sort_by_key(|s| (s.i, s.j));
        let count = springs.len();
        Springs::sorted(springs.into_iter(), count, particles, threads)
    }

    /// The same of `count` springs that come sorted by (i, j), one by one: they need not be listed.
    pub fn sorted(
        springs: impl Iterator<Item = Spring>,
        count: usize,
        particles: usize,
        threads: usize,
    ) -> Self {
        let mut table: Vec<SpringMaterial> = Vec::new();
        let (mut pairs, mut materials) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut rest_lengths = Vec::with_capacity(count);
        let mut reach = 0;
        for spring in springs {
            let known = table.iter().position(|m| *m == spring.material);
            materials.push(known.unwrap_or_else(|| {
                table.push(spring.material);
                table.len() - 1
            }) as u32);
            pairs.push([spring.i as u32, spring.j as u32]);
            rest_lengths.push(spring.rest_length);
            reach = reach.max(spring.j - spring.i);
        }
        let threads = if pairs.len() < SERIAL_BELOW { 1 } else { threads.max(1) };
        let pool = if threads > 1 { Pool::new(threads) } else { None };
        let shares = if pool.is_some() { threads } else { 1 };
        Springs {
            ranges: share_out(&pairs, particles, shares, reach),
            pairs,
            rest_lengths,
            materials,
            table,
            pool,
        }
    }

    /// Number of springs.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Spring number `s`.
    pub fn get(&self, s: usize) -> Spring {
        Spring {
            i: self.pairs[s][0] as usize,
            j: self.pairs[s][1] as usize,
            rest_length: self.rest_lengths[s],
            material: self.table[self.materials[s] as usize],
        }
    }

    /// Tension of spring number `s` \[N\], positive when it pulls.
    pub fn tension(&self, s: usize, at: &Configuration) -> f64 {
        let spring = self.get(s);
        let d = at.positions[spring.j] - at.positions[spring.i];
        let length = d.norm();
        if length == 0.0 {
            return 0.0;
        }
        let rate = (at.velocities[spring.j] - at.velocities[spring.i]).dot(&d) / length;
        spring.material.stiffness * (length - spring.rest_length) + spring.material.damping * rate
    }

    /// Evaluates the springs of one owner into its part of `f`. With `LEDGER` also calls `enter`
    /// with the stored energy and the power dissipated of each block of particles, in order, and
    /// with those of each run of springs of one island, where there are several.
    fn evaluate<const LEDGER: bool>(
        &self,
        owned: &Owned,
        at: &Configuration,
        f: &mut [Vector],
        islands: &[u32],
        mut enter: impl FnMut(Entered, f64, f64),
    ) {
        let (offset, end) = (owned.particles.start, owned.particles.end);
        for s in owned.foreign.clone() {
            let j = self.pairs[s][1] as usize;
            if owned.particles.contains(&j) {
                f[j - offset] -= self.pull(s, at).force;
            }
        }
        let (mut stored, mut dissipated, mut block) = (0.0, 0.0, offset / BLOCK);
        let mut own = (u32::MAX, 0.0, 0.0);
        for s in owned.own.clone() {
            let pull = self.pull(s, at);
            f[pull.i - offset] += pull.force;
            if pull.j < end {
                f[pull.j - offset] -= pull.force;
            }
            if LEDGER {
                if pull.i / BLOCK != block {
                    enter(Entered::Block, stored, dissipated);
                    (stored, dissipated, block) = (0.0, 0.0, pull.i / BLOCK);
                }
                let material = &self.table[self.materials[s] as usize];
                let energy = 0.5 * material.stiffness * pull.extension * pull.extension;
                let power = material.damping * pull.rate * pull.rate;
                stored += energy;
                dissipated += power;
                if let Some(island) = islands.get(pull.i) {
                    if own.0 != *island {
                        enter(Entered::Island(own.0), own.1, own.2);
                        own = (*island, 0.0, 0.0);
                    }
                    own.1 += energy;
                    own.2 += power;
                }
            }
        }
        if LEDGER {
            enter(Entered::Block, stored, dissipated);
            enter(Entered::Island(own.0), own.1, own.2);
        }
    }

    /// T n of spring `s`: T = k (l − l₀) + c ḷ; zero where the ends coincide.
    #[inline(always)]
    fn pull(&self, s: usize, at: &Configuration) -> Pull {
        let [i, j] = self.pairs[s].map(|p| p as usize);
        let material = &self.table[self.materials[s] as usize];
        let d = at.positions[j] - at.positions[i];
        let w = at.velocities[j] - at.velocities[i];
        let length = d.norm();
        let inverse = if length > 0.0 { 1.0 / length } else { 0.0 };
        let rate = w.dot(&d) * inverse;
        let extension = length - self.rest_lengths[s];
        let tension = material.stiffness * extension + material.damping * rate;
        Pull { i, j, force: d * (tension * inverse), extension, rate }
    }

    /// Runs `evaluate` for every owner, on the pool when there is one.
    fn evaluate_all<const LEDGER: bool>(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        islands: &[u32],
        mut enter: impl FnMut(Entered, f64, f64),
    ) {
        if self.is_empty() {
            return;
        }
        let Some(pool) = &self.pool else {
            return self.evaluate::<LEDGER>(&self.ranges[0], at, f, islands, enter);
        };
        let mut parts = Vec::with_capacity(self.ranges.len());
        let mut rest = f;
        for owned in &self.ranges {
            let (part, after) = rest.split_at_mut(owned.particles.len());
            parts.push((owned, part, Vec::new()));
            rest = after;
        }
        pool.for_each(&mut parts, |(owned, part, sums)| {
            self.evaluate::<LEDGER>(owned, at, part, islands, |to, stored, lost| {
                sums.push((to, stored, lost));
            });
        });
        for (to, stored, dissipated) in parts.into_iter().flat_map(|(_, _, sums)| sums) {
            enter(to, stored, dissipated);
        }
    }
}

/// What energies and powers are entered for.
#[derive(Debug, Clone, Copy)]
enum Entered {
    /// Everything: a block of particles.
    Block,
    /// An island.
    Island(u32),
}

/// One spring at work.
struct Pull {
    i: usize,
    j: usize,
    force: Vector,
    extension: f64,
    rate: f64,
}

/// Cuts the particles into `shares` ranges with about equally many springs each, at block
/// boundaries so that block sums are whole.
fn share_out(pairs: &[[u32; 2]], particles: usize, shares: usize, reach: usize) -> Vec<Owned> {
    let first_spring = |p: usize| pairs.partition_point(|pair| (pair[0] as usize) < p);
    let mut cuts = vec![0];
    for share in 1..shares {
        let spring = pairs.len() * share / shares;
        let particle = pairs[spring][0] as usize;
        let cut = (particle + BLOCK / 2) / BLOCK * BLOCK;
        cuts.push(cut.clamp(cuts[share - 1], particles));
    }
    cuts.push(particles);
    cuts.windows(2)
        .map(|w| Owned {
            particles: w[0]..w[1],
            foreign: first_spring(w[0].saturating_sub(reach))..first_spring(w[0]),
            own: first_spring(w[0])..first_spring(w[1]),
        })
        .collect()
}

impl Force for Springs {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.evaluate_all::<false>(at, f, &[], |_, _, _| ());
    }

    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        for s in 0..self.len() {
            let spring = self.get(s);
            let d = at.positions[spring.j] - at.positions[spring.i];
            let w = at.velocities[spring.j] - at.velocities[spring.i];
            let length = d.norm();
            let SpringMaterial { stiffness: k, damping: c } = spring.material;
            if length == 0.0 {
                // only a spring of no rest length has a derivative where its ends coincide
                let k = if spring.rest_length == 0.0 { k } else { 0.0 };
                let (by_position, none) = (Matrix::identity() * k, Matrix::zeros());
                into.add_pair(spring.i, spring.j, &by_position, &none);
                continue;
            }
            let n = d / length;
            let rate = w.dot(&n);
            let axial = Axial {
                direction: n,
                stiffness: k,
                damping: c,
                across: (k * (length - spring.rest_length) + c * rate) / length,
                // ∂n/∂x_j = (1 − n nᵀ)/l
                turning: (w - n * rate) * (c / length),
            };
            into.add_axial(spring.i, spring.j, &axial);
        }
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        ledger: &mut Ledger,
        _next: &mut Memory,
    ) {
        let islands = Arc::clone(ledger.islands());
        self.evaluate_all::<true>(at, f, &islands, |to, stored, dissipated| {
            let account = match to {
                Entered::Block => Some(&mut ledger.total),
                Entered::Island(island) => ledger.shares.get_mut(island as usize),
            };
            if let Some(account) = account {
                account.spring += stored;
                account.dissipated_spring += dissipated;
            }
        });
    }
}
