//! Particles moved one by one by the rule of a method: the start of the step is stored, they are moved, and
//! their moments are summed, in one pass.

use super::{BLOCK, Census, Moments, Segment, Sums};
use crate::forces::crew::{Crew, split};
use crate::math::lanes::Level;
use crate::math::pointwise::{self, Pointwise};
use crate::math::{Vector, flat, flat_mut, larger};
use std::ops::Range;

/// Particles in motion over a step: \[positions, velocities\] at its start, to be moved, and where the
/// start is stored.
pub struct Moving<'a> {
    /// h \[s\].
    pub h: f64,
    /// m \[kg\].
    pub masses: &'a [f64],
    /// 1/m per axis \[1/kg\], zero where held.
    pub inverse_masses: &'a [Vector],
    /// F \[N\].
    pub forces: &'a [Vector],
    /// Positions \[m\] and velocities \[m/s\].
    pub now: [&'a mut [Vector]; 2],
    /// The same before the step.
    pub before: [&'a mut [Vector]; 2],
}

impl Census {
    /// Moves the particles to the next state block by block, stores their old positions and velocities,
    /// and counts them at the new ones. The rule `R` gives a component's next position and velocity, from h,
    /// force and inverse mass.
    pub fn advance<R: Pointwise<1, 2, 2>>(&mut self, crew: &Crew, moving: Moving) {
        let Moving { h, masses, inverse_masses, forces, now, before } = moving;
        let acting =
            Acting { h, masses, inverse_masses: flat(inverse_masses), forces: flat(forces) };
        let (level, segments) = (self.level, &self.segments);
        let moving = |share: &mut Share| share.advance::<R>(level, &acting);
        let ranges = crew.ranges();
        let now = now.map(flat_mut);
        let before = before.map(flat_mut);
        if let [_] = ranges {
            let ([x, v], [from_x, from_v]) = (now, before);
            let parts = &mut self.parts[..];
            let mut all = Share { first: 0, segments, parts, x, v, from_x, from_v, fastest: 0.0 };
            moving(&mut all);
            self.fastest = all.fastest;
        } else {
            let mut shares = shares(ranges, segments, &mut self.parts, now, before);
            crew.for_each(&mut shares, moving);
            self.fastest = shares.iter().fold(0.0, |most, share| larger(most, share.fastest));
        }
        self.add_up();
    }
}

/// Constants of a step for all threads.
struct Acting<'a> {
    h: f64,
    masses: &'a [f64],
    inverse_masses: &'a [f64],
    forces: &'a [f64],
}

/// Share of one thread in moving and counting.
struct Share<'a> {
    first: usize,
    segments: &'a [Segment],
    parts: &'a mut [Moments],
    x: &'a mut [f64],
    v: &'a mut [f64],
    from_x: &'a mut [f64],
    from_v: &'a mut [f64],
    fastest: f64,
}

/// The shares of several threads: `ranges` are the particles of each.
fn shares<'a>(
    ranges: &[Range<usize>],
    segments: &'a [Segment],
    parts: &'a mut [Moments],
    [x, v]: [&'a mut [f64]; 2],
    [from_x, from_v]: [&'a mut [f64]; 2],
) -> Vec<Share<'a>> {
    let number = |i: usize| segments.partition_point(|s| s.particles.start < i);
    let of_segments: Vec<Range<usize>> =
        ranges.iter().map(|r| number(r.start)..number(r.end)).collect();
    let states = split(x, ranges, 3).zip(split(v, ranges, 3));
    let kept = split(from_x, ranges, 3).zip(split(from_v, ranges, 3));
    let parts = split(parts, &of_segments, 1);
    let shares = ranges.iter().zip(&of_segments).zip(parts).zip(states.zip(kept));
    shares
        .map(|(((range, own), parts), ((x, v), (from_x, from_v)))| Share {
            first: range.start,
            segments: &segments[own.clone()],
            parts,
            x,
            v,
            from_x,
            from_v,
            fastest: 0.0,
        })
        .collect()
}

/// The vector whose first component is number `place`.
#[inline(always)]
fn one(flat: &[f64], place: usize) -> [f64; 3] {
    [flat[place], flat[place + 1], flat[place + 2]]
}

impl Share<'_> {
    /// Moves the particles of the share block by block, and counts them.
    #[inline(always)]
    fn advance<R: Pointwise<1, 2, 2>>(&mut self, level: Level, acting: &Acting) {
        let Acting { h, masses, inverse_masses, forces } = *acting;
        let mut parts = self.parts.iter_mut();
        for segment in self.segments {
            let Range { start, end } = segment.particles;
            if end - start == 1 {
                let place = 3 * (start - self.first);
                let [x, v] = [one(self.x, place), one(self.v, place)];
                let [f, w] = [one(forces, 3 * start), one(inverse_masses, 3 * start)];
                let (mut next_x, mut next_v) = (x, v);
                for axis in 0..3 {
                    let next = R::at([h], [f[axis], w[axis]], [x[axis], v[axis]]);
                    [next_x[axis], next_v[axis]] = next;
                }
                self.from_x[place..place + 3].copy_from_slice(&x);
                self.from_v[place..place + 3].copy_from_slice(&v);
                self.x[place..place + 3].copy_from_slice(&next_x);
                self.v[place..place + 3].copy_from_slice(&next_v);
                if let Some(part) = parts.next() {
                    *part = Moments::of_one(masses[start], next_x, next_v, &mut self.fastest);
                }
                continue;
            }
            let mut sums = Sums::default();
            for from in (start..end).step_by(BLOCK) {
                let block = from..(from + BLOCK).min(end);
                let own = 3 * (block.start - self.first)..3 * (block.end - self.first);
                let (x, v) = (&mut self.x[own.clone()], &mut self.v[own.clone()]);
                self.from_x[own.clone()].copy_from_slice(x);
                self.from_v[own].copy_from_slice(v);
                let components = 3 * block.start..3 * block.end;
                let read = [&forces[components.clone()], &inverse_masses[components]];
                pointwise::apply::<R, 1, 2, 2>([h], read, [x, v]);
                sums.add(level, &masses[block], x, v, &mut self.fastest);
            }
            if let Some(part) = parts.next() {
                *part = sums.moments();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::census::groups;
    use crate::integrators::symplectic_euler::SymplecticEuler;

    /// Moments counted while any number of threads move the particles equal those counted after.
    #[test]
    fn what_moves_is_counted_where_it_is_then() {
        let number = |k: usize| ((k * 7919) % 1013) as f64 * 1e-3 - 0.4;
        let vectors = |seed: usize| -> Vec<Vector> {
            (0..900).map(|i| Vector::from_fn(|k, _| number(3 * i + k + seed))).collect()
        };
        let masses: Vec<f64> = (0..900).map(|i| 1.0 + number(i).abs()).collect();
        let islands: Vec<u32> =
            (0..900).map(|i| u32::from(i >= 300) + u32::from(i >= 301)).collect();
        let boundaries = [100, 300, 550];
        let of = || Census::of(groups(&[0..700, 700..900], &islands), &boundaries);
        let (start_x, start_v) = (vectors(5), vectors(11));
        let h = 0.25;
        let v: Vec<Vector> = start_v.iter().zip(&start_x).map(|(v, x)| v - x * h).collect();
        let x: Vec<Vector> = start_x.iter().zip(&v).map(|(x, v)| x + v * h).collect();
        let mut wanted = of();
        wanted.count(&masses, &x, &v);
        let crews = [
            Crew::alone(900),
            Crew::of(vec![0..300, 300..900]),
            Crew::of(vec![0..100, 100..550, 550..900]),
        ];
        for crew in crews {
            let mut census = of();
            let (mut own_x, mut own_v) = (start_x.clone(), start_v.clone());
            let mut kept = [vec![Vector::zeros(); 900], vec![Vector::zeros(); 900]];
            let weights = vec![Vector::repeat(1.0); 900];
            let forces: Vec<Vector> = start_x.iter().map(|x| -x).collect();
            let mut advance = |x: &mut [Vector], v: &mut [Vector]| {
                let [kept_x, kept_v] = &mut kept;
                let moving = Moving {
                    h,
                    masses: &masses,
                    inverse_masses: &weights,
                    forces: &forces,
                    now: [x, v],
                    before: [kept_x, kept_v],
                };
                census.advance::<SymplecticEuler>(&crew, moving);
                (census.moments.clone(), census.fastest, census.is_lost(1e7))
            };
            let (moments, fastest, lost) = advance(&mut own_x, &mut own_v);
            assert_eq!((moments, fastest, lost), (wanted.moments.clone(), wanted.fastest, false));
            assert_eq!((&own_x, &own_v), (&x, &v), "{:?}", crew.ranges());
            // a NaN in the share of one of several threads is seen
            let mut odd = own_v.clone();
            odd[899].z = f64::NAN;
            assert!(advance(&mut own_x.clone(), &mut odd).2);
            advance(&mut start_x.clone(), &mut start_v.clone());
            assert_eq!([&kept[0], &kept[1]], [&start_x, &start_v]);
        }
    }
}
