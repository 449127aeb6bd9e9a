//! Particles moved one by one by the rule of a method, and their moments summed, in one pass.

use super::{BLOCK, Census, Moments, Segment, Sums};
use crate::forces::crew::{Crew, split};
use crate::math::lanes::Level;
use crate::math::pointwise::{self, Number, Pointwise};
use crate::math::{Vector, flat, flat_mut, larger};
use std::marker::PhantomData;
use std::ops::Range;

/// Particles in motion over a step: \[positions, velocities\] at its start and at its end.
pub struct Moving<'a> {
    /// h \[s\].
    pub h: f64,
    /// m \[kg\].
    pub masses: &'a [f64],
    /// 1/m per axis \[1/kg\], zero where held.
    pub inverse_masses: &'a [Vector],
    /// All particles have the same mass and inverse masses: those of the first block are read for all.
    pub alike: bool,
    /// F \[N\]; zero after the step if they are to be cleared.
    pub forces: &'a mut [Vector],
    /// Whether to clear the forces, while they are at hand, for those of the next state.
    pub clears: bool,
    /// Positions \[m\] and velocities \[m/s\] before the step.
    pub from: [&'a [Vector]; 2],
    /// The same after it, to be written.
    pub to: [&'a mut [Vector]; 2],
}

impl Census {
    /// Moves the particles to the next state block by block, and counts them there. The rule `R` gives a
    /// component's next position and velocity, from h, force and inverse mass.
    pub fn advance<R: Pointwise<1, 2, 2>>(&mut self, crew: &Crew, moving: Moving) {
        let Moving { h, masses, inverse_masses, alike, forces, clears, from, to } = moving;
        let acting = Acting {
            h,
            masses,
            inverse_masses: flat(inverse_masses),
            alike,
            clears,
            from: from.map(flat),
        };
        let (level, segments) = (self.level, &self.segments);
        let moving = |share: &mut Share| share.advance::<R>(level, &acting);
        let ranges = crew.ranges();
        let [x, v] = to.map(flat_mut);
        let f = flat_mut(forces);
        if let [_] = ranges {
            let parts = &mut self.parts[..];
            let mut all = Share { first: 0, segments, parts, x, v, f, fastest: 0.0 };
            moving(&mut all);
            self.fastest = all.fastest;
        } else {
            let mut shares = shares(ranges, segments, &mut self.parts, [x, v, f]);
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
    alike: bool,
    clears: bool,
    from: [&'a [f64]; 2],
}

/// Share of one thread in moving and counting.
struct Share<'a> {
    first: usize,
    segments: &'a [Segment],
    parts: &'a mut [Moments],
    x: &'a mut [f64],
    v: &'a mut [f64],
    f: &'a mut [f64],
    fastest: f64,
}

/// The shares of several threads: `ranges` are the particles of each.
fn shares<'a>(
    ranges: &[Range<usize>],
    segments: &'a [Segment],
    parts: &'a mut [Moments],
    [x, v, f]: [&'a mut [f64]; 3],
) -> Vec<Share<'a>> {
    let number = |i: usize| segments.partition_point(|s| s.particles.start < i);
    let of_segments: Vec<Range<usize>> =
        ranges.iter().map(|r| number(r.start)..number(r.end)).collect();
    let states = split(x, ranges, 3).zip(split(v, ranges, 3)).zip(split(f, ranges, 3));
    let parts = split(parts, &of_segments, 1);
    let shares = ranges.iter().zip(&of_segments).zip(parts).zip(states);
    shares
        .map(|(((range, own), parts), ((x, v), f))| Share {
            first: range.start,
            segments: &segments[own.clone()],
            parts,
            x,
            v,
            f,
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
        let Acting { h, masses, inverse_masses, alike, clears, from: [from_x, from_v] } = *acting;
        let mut parts = self.parts.iter_mut();
        for segment in self.segments {
            let Range { start, end } = segment.particles;
            if end - start == 1 {
                let place = 3 * (start - self.first);
                let f = &mut self.f[place..place + 3];
                let [x, v] = [one(from_x, 3 * start), one(from_v, 3 * start)];
                let w = one(inverse_masses, 3 * start);
                let (mut next_x, mut next_v) = (x, v);
                for axis in 0..3 {
                    let next = R::at([h], [f[axis], w[axis]], [x[axis], v[axis]]);
                    [next_x[axis], next_v[axis]] = next;
                }
                if clears {
                    f.copy_from_slice(&[0.0; 3]);
                }
                self.x[place..place + 3].copy_from_slice(&next_x);
                self.v[place..place + 3].copy_from_slice(&next_v);
                if let Some(part) = parts.next() {
                    *part = Moments::of_one(masses[start], next_x, next_v, &mut self.fastest);
                }
                continue;
            }
            let mut sums = Sums::default();
            for first in (start..end).step_by(BLOCK) {
                let block = first..(first + BLOCK).min(end);
                let own = 3 * (block.start - self.first)..3 * (block.end - self.first);
                let (x, v) = (&mut self.x[own.clone()], &mut self.v[own.clone()]);
                let f = &mut self.f[own];
                let all = 3 * block.start..3 * block.end;
                let weighed = if alike { 0..block.len() } else { block };
                let w = &inverse_masses[3 * weighed.start..3 * weighed.end];
                let [from_x, from_v] = [from_x, from_v].map(|of| &of[all.clone()]);
                if clears {
                    let read = [w, from_x, from_v];
                    pointwise::apply::<Clearing<R>, 2, 3, 3>([h, 0.0], read, [x, v, f]);
                } else {
                    pointwise::apply::<Elsewhere<R>, 1, 4, 2>([h], [f, w, from_x, from_v], [x, v]);
                }
                sums.add(level, &masses[weighed], x, v, &mut self.fastest);
            }
            if let Some(part) = parts.next() {
                *part = sums.moments();
            }
        }
    }
}

/// The rule `R` for positions and velocities that are written elsewhere.
struct Elsewhere<R>(PhantomData<R>);

impl<R: Pointwise<1, 2, 2>> Pointwise<1, 4, 2> for Elsewhere<R> {
    #[inline(always)]
    fn at<T: Number>(h: [T; 1], [f, w, x, v]: [T; 4], _: [T; 2]) -> [T; 2] {
        R::at(h, [f, w], [x, v])
    }
}

/// The same, and forces that are zero afterwards.
struct Clearing<R>(PhantomData<R>);

impl<R: Pointwise<1, 2, 2>> Pointwise<2, 3, 3> for Clearing<R> {
    #[inline(always)]
    fn at<T: Number>([h, zero]: [T; 2], [w, x, v]: [T; 3], [_, _, f]: [T; 3]) -> [T; 3] {
        let [x, v] = R::at([h], [f, w], [x, v]);
        [x, v, zero]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forces::census::groups;
    use crate::integrators::symplectic_euler::SymplecticEuler;

    /// One mass read for all gives the bits of the mass of each.
    #[test]
    fn particles_alike_move_as_each_by_itself() {
        let number = |k: usize| ((k * 7919) % 1013) as f64 * 1e-3 - 0.4;
        let vectors = |seed: usize| -> Vec<Vector> {
            (0..900).map(|i| Vector::from_fn(|k, _| number(3 * i + k + seed))).collect()
        };
        let (x, v, masses, weights) =
            (vectors(5), vectors(11), vec![0.3; 900], vec![Vector::new(3.0, 0.0, 2.0); 900]);
        let [one, each] = [true, false].map(|alike| {
            let mut census = Census::of(groups(&[0..700, 700..900], &[]), &[300, 550]);
            let mut ends = [vec![Vector::zeros(); 900], vec![Vector::zeros(); 900]];
            let [x_end, v_end] = &mut ends;
            let moving = Moving {
                h: 0.25,
                masses: &masses,
                inverse_masses: &weights,
                alike,
                forces: &mut vectors(7),
                clears: true,
                from: [&x, &v],
                to: [x_end, v_end],
            };
            census.advance::<SymplecticEuler>(&Crew::of(vec![0..300, 300..900]), moving);
            (census.moments.clone(), ends)
        });
        assert_eq!(one, each);
    }

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
            let mut ends = [vec![Vector::zeros(); 900], vec![Vector::zeros(); 900]];
            let weights = vec![Vector::repeat(1.0); 900];
            let mut advance = |v: &[Vector], clears: bool| {
                let [x_end, v_end] = &mut ends;
                let mut forces: Vec<Vector> = start_x.iter().map(|x| -x).collect();
                let moving = Moving {
                    h,
                    masses: &masses,
                    inverse_masses: &weights,
                    alike: false,
                    forces: &mut forces,
                    clears,
                    from: [&start_x, v],
                    to: [x_end, v_end],
                };
                census.advance::<SymplecticEuler>(&crew, moving);
                assert_eq!(forces.iter().all(|f| *f == Vector::zeros()), clears);
                (census.moments.clone(), census.fastest, census.is_lost(1e7))
            };
            for clears in [false, true] {
                let found = advance(&start_v, clears);
                assert_eq!(found, (wanted.moments.clone(), wanted.fastest, false));
            }
            // a NaN in the share of one of several threads is seen
            let mut odd = start_v.clone();
            odd[899].z = f64::NAN;
            assert!(advance(&odd, false).2);
            advance(&start_v, true);
            assert_eq!([&ends[0], &ends[1]], [&x, &v], "{:?}", crew.ranges());
        }
    }
}
