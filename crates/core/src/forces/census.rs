//! Moments of mass of an accepted state, in one pass over the particles: energies, momenta and centres
//! of mass follow from them.

mod moving;

use crate::math::lanes::{Lanes, Level, Simd, SimdBase, dispatch, f64x2, f64x4, f64x8, tree};
use crate::math::{Vector, flat};
pub use moving::Moving;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Particles of a block: so few that their positions, velocities, forces and masses stay in the
/// first-level cache.
const BLOCK: usize = 256;

/// Number of partial sums of each sum: particle i is added to number i modulo this.
const LANES: usize = 8;

/// Fewer particles than this are summed one by one.
const FEW: usize = 16;

/// Σ over particles of m v², m v, m x and m |x|².
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    /// Σ m v² \[J\].
    pub twice_kinetic: f64,
    /// Σ m v \[kg·m/s\].
    pub momentum: Vector,
    /// Σ m x \[kg·m\].
    pub first: Vector,
    /// Σ m |x|² \[kg·m²\].
    pub second: f64,
}

impl Moments {
    /// Those of one particle; raises `fastest`, the largest v² so far.
    #[inline(always)]
    fn of_one(m: f64, x: [f64; 3], v: [f64; 3], fastest: &mut f64) -> Moments {
        let (x, v) = (Vector::from(x), Vector::from(v));
        let speed2 = v.x * v.x + v.y * v.y + v.z * v.z;
        let distance2 = x.x * x.x + x.y * x.y + x.z * x.z;
        *fastest = if speed2 > *fastest { speed2 } else { *fastest };
        // 0 + −0 = 0, as in a sum of several
        let none = Vector::zeros();
        Moments {
            twice_kinetic: 0.0 + m * speed2,
            momentum: none + v * m,
            first: none + x * m,
            second: 0.0 + m * distance2,
        }
    }

    /// Adds those of other particles.
    pub fn add(&mut self, other: &Moments) {
        self.twice_kinetic += other.twice_kinetic;
        self.momentum += other.momentum;
        self.first += other.first;
        self.second += other.second;
    }
}

/// Consecutive particles of one body and one island.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// Its particles.
    pub particles: Range<usize>,
    /// Its body.
    pub body: usize,
    /// Its island.
    pub island: usize,
}

/// The particles of a group between two boundaries.
#[derive(Debug, Clone)]
struct Segment {
    group: usize,
    particles: Range<usize>,
}

/// Groups of particles, and the moments of each at one instant.
#[derive(Debug, Clone)]
pub struct Census {
    groups: Arc<[Group]>,
    moments: Vec<Moments>,
    segments: Arc<[Segment]>,
    /// of each segment
    parts: Vec<Moments>,
    fastest: f64,
    level: Level,
}

impl Default for Census {
    fn default() -> Self {
        Census::of(Arc::from([]), &[])
    }
}

/// Partial sums: of m v², of the components of m v and m x, and of m |x|².
#[derive(Debug, Clone, Copy, Default)]
struct Sums([[f64; LANES]; 8]);

/// Groups of particles by body and island. `bodies` are the particles of each body, `island_of` is
/// the island of each particle, empty if there is only one island.
pub fn groups(bodies: &[Range<usize>], island_of: &[u32]) -> Arc<[Group]> {
    let mut groups = Vec::new();
    for (body, particles) in bodies.iter().enumerate() {
        let island = |i: usize| island_of.get(i).map_or(0, |island| *island as usize);
        let mut start = particles.start;
        for i in particles.clone() {
            if i + 1 == particles.end || island(i + 1) != island(i) {
                groups.push(Group { particles: start..i + 1, body, island: island(i) });
                start = i + 1;
            }
        }
    }
    groups.into()
}

impl Census {
    /// A census of these groups, not yet counted. Sums are cut at `boundaries`, ascending; threads may
    /// share the pieces between them.
    pub fn of(groups: Arc<[Group]>, boundaries: &[usize]) -> Self {
        let mut segments = Vec::new();
        for (group, Group { particles, .. }) in groups.iter().enumerate() {
            let mut start = particles.start;
            while start < particles.end {
                let next = boundaries.partition_point(|boundary| *boundary <= start);
                let end = boundaries.get(next).map_or(particles.end, |cut| particles.end.min(*cut));
                segments.push(Segment { group, particles: start..end });
                start = end;
            }
        }
        Census {
            moments: vec![Moments::default(); groups.len()],
            parts: vec![Moments::default(); segments.len()],
            groups,
            segments: segments.into(),
            fastest: 0.0,
            level: Level::new(),
        }
    }

    /// The groups.
    pub fn groups(&self) -> &Arc<[Group]> {
        &self.groups
    }

    /// Counts the particles of a state: computes the moments of all groups.
    pub fn count(&mut self, masses: &[f64], x: &[Vector], v: &[Vector]) {
        let (x, v, level) = (flat(x), flat(v), self.level);
        self.fastest = 0.0;
        for (segment, part) in self.segments.iter().zip(&mut self.parts) {
            let mut sums = Sums::default();
            let Range { start, end } = segment.particles;
            let flat = 3 * start..3 * end;
            sums.add(level, &masses[start..end], &x[flat.clone()], &v[flat], &mut self.fastest);
            *part = sums.moments();
        }
        self.add_up();
    }

    /// Sums segments to groups.
    fn add_up(&mut self) {
        // every group has a segment
        if self.segments.len() == self.groups.len() {
            return self.moments.copy_from_slice(&self.parts);
        }
        self.moments.fill(Moments::default());
        for (segment, part) in self.segments.iter().zip(&self.parts) {
            self.moments[segment.group].add(part);
        }
    }

    /// Each group with its moments.
    pub fn iter(&self) -> impl Iterator<Item = (&Group, &Moments)> {
        self.groups.iter().zip(&self.moments)
    }

    /// The moments of the only group.
    #[inline]
    pub fn only(&self) -> Option<&Moments> {
        match &self.moments[..] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Kinetic energy of everything \[J\].
    pub fn kinetic(&self) -> f64 {
        0.5 * self.moments.iter().map(|moments| moments.twice_kinetic).sum::<f64>()
    }

    /// Whether a number is not finite, or a speed reaches `limit` \[m/s\]: only then need the particle
    /// be searched for.
    pub(crate) fn is_lost(&self, limit: f64) -> bool {
        let finite = |m: &Moments| (m.twice_kinetic + m.second).is_finite();
        self.fastest >= limit * limit || !self.moments.iter().all(finite)
    }
}

impl Sums {
    fn add(&mut self, level: Level, masses: &[f64], x: &[f64], v: &[f64], fastest: &mut f64) {
        if masses.len() < FEW {
            self.add_singly(0, masses, x, v, fastest);
        } else {
            dispatch!(level, simd => add_wide(simd, self, masses, x, v, fastest));
        }
    }

    /// Adds particles one by one; the first belongs to lane 0.
    #[inline(always)]
    fn add_singly(&mut self, from: usize, masses: &[f64], x: &[f64], v: &[f64], fastest: &mut f64) {
        for i in from..masses.len() {
            let (m, lane) = (masses[i], i % LANES);
            let [px, py, pz] = [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
            let [vx, vy, vz] = [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
            let speed2 = vx * vx + vy * vy + vz * vz;
            let distance2 = px * px + py * py + pz * pz;
            let by = [m * speed2, m * vx, m * vy, m * vz, m * px, m * py, m * pz, m * distance2];
            for (sum, by) in self.0.iter_mut().zip(by) {
                sum[lane] += by;
            }
            *fastest = if speed2 > *fastest { speed2 } else { *fastest };
        }
    }

    fn moments(&self) -> Moments {
        let [kinetic, vx, vy, vz, px, py, pz, second] = self.0.map(tree);
        Moments {
            twice_kinetic: kinetic,
            momentum: Vector::new(vx, vy, vz),
            first: Vector::new(px, py, pz),
            second,
        }
    }
}

fn add_wide<S: Simd>(
    simd: S,
    sums: &mut Sums,
    masses: &[f64],
    x: &[f64],
    v: &[f64],
    fastest: &mut f64,
) {
    match S::f64s::LEN {
        8 => add_vectorized::<S, f64x8<S>>(simd, sums, masses, x, v, fastest),
        4 => add_vectorized::<S, f64x4<S>>(simd, sums, masses, x, v, fastest),
        _ => add_vectorized::<S, f64x2<S>>(simd, sums, masses, x, v, fastest),
    }
}

#[inline(never)]
fn add_vectorized<S: Simd, V: Lanes<S>>(
    simd: S,
    sums: &mut Sums,
    masses: &[f64],
    x: &[f64],
    v: &[f64],
    fastest: &mut f64,
) {
    simd.vectorize(
        #[inline(always)]
        || {
            let whole = masses.len() / LANES * LANES;
            let mut most = V::splat(simd, *fastest);
            let mut lane = 0;
            while lane < LANES {
                let end = lane + V::LEN;
                let mut own = [V::splat(simd, 0.0); 8];
                let mut k = 0;
                while k < 8 {
                    own[k] = V::from_slice(simd, &sums.0[k][lane..end]);
                    k += 1;
                }
                let mut i = lane;
                while i < whole {
                    let m = V::from_slice(simd, &masses[i..i + V::LEN]);
                    let [px, py, pz] = V::split3(simd, &x[3 * i..]);
                    let [vx, vy, vz] = V::split3(simd, &v[3 * i..]);
                    let speed2 = vx * vx + vy * vy + vz * vz;
                    let distance2 = px * px + py * py + pz * pz;
                    own[0] += m * speed2;
                    own[1] += m * vx;
                    own[2] += m * vy;
                    own[3] += m * vz;
                    own[4] += m * px;
                    own[5] += m * py;
                    own[6] += m * pz;
                    own[7] += m * distance2;
                    most = most.max(speed2);
                    i += LANES;
                }
                let mut k = 0;
                while k < 8 {
                    own[k].store_slice(&mut sums.0[k][lane..end]);
                    k += 1;
                }
                lane = end;
            }
            for speed2 in most.as_slice() {
                *fastest = if *speed2 > *fastest { *speed2 } else { *fastest };
            }
            sums.add_singly(whole, masses, x, v, fastest);
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::levels;

    #[test]
    fn every_level_counts_the_same_and_right() {
        let number = |k: usize| ((k * 7919) % 1013) as f64 * 1e-3 - 0.4;
        let vectors = |seed: usize| -> Vec<Vector> {
            (0..1000).map(|i| Vector::from_fn(|k, _| number(3 * i + k + seed))).collect()
        };
        let (x, v) = (vectors(5), vectors(11));
        let masses: Vec<f64> = (0..1000).map(|i| 1.0 + number(i).abs()).collect();
        let islands: Vec<u32> = (0..1000).map(|i| (i / 333) as u32).collect();
        let mut census = Census::of(groups(&[0..700, 700..1000], &islands), &[256, 512]);
        let of = |census: &Census| census.moments.clone();
        census.count(&masses, &x, &v);
        let first = of(&census);
        assert_eq!(census.groups.len(), 5);
        for level in levels() {
            census.level = level;
            census.count(&masses, &x, &v);
            assert_eq!(of(&census), first, "{level:?}");
        }
        for (group, moments) in census.iter() {
            let mut wanted = Moments::default();
            for i in group.particles.clone() {
                wanted.add(&Moments {
                    twice_kinetic: masses[i] * v[i].norm_squared(),
                    momentum: v[i] * masses[i],
                    first: x[i] * masses[i],
                    second: masses[i] * x[i].norm_squared(),
                });
            }
            assert!((wanted.twice_kinetic - moments.twice_kinetic).abs() < 1e-12 * 1000.0);
            assert!((wanted.momentum - moments.momentum).norm() < 1e-12 * 1000.0);
            assert!((wanted.first - moments.first).norm() < 1e-12 * 1000.0);
            assert!((wanted.second - moments.second).abs() < 1e-12 * 1000.0);
        }
    }

    #[test]
    fn what_is_lost_is_seen_anywhere() {
        for at in [0, 7, 8, 20, 21] {
            let still = vec![Vector::zeros(); 22];
            let mut census = Census::of(groups(&[0..9, 9..22], &[]), &[]);
            census.count(&[1.0; 22], &still, &still);
            assert!(!census.is_lost(1e7));
            for lost in [f64::NAN, f64::INFINITY, 2e7] {
                let mut moved = still.clone();
                moved[at].y = lost;
                census.count(&[1.0; 22], &still, &moved);
                assert!(census.is_lost(1e7), "{lost} at {at}");
                census.count(&[1.0; 22], &moved, &still);
                assert_eq!(census.is_lost(1e7), lost != 2e7, "{lost} at {at}");
            }
        }
    }
}
