//! Sums over parts of bodies, shared out among the threads of a crew.
//!
//! Each thread owns a contiguous range of particles and evaluates, in the global order, every part that
//! touches it. The order of sums on a particle therefore does not depend on the number of threads.

use super::crew::{Crew, split};
use crate::math::{Vector, flat, flat_mut};
use crate::state::Configuration;
use std::ops::Range;
use std::sync::Arc;

/// Positions and velocities of all particles, and the forces on those of a window: three numbers each.
pub(super) struct Window<'a> {
    pub x: &'a [f64],
    pub v: &'a [f64],
    pub f: &'a mut [f64],
    pub particles: Range<usize>,
}

/// A force that is a sum over parts, ascending by their chunks.
pub(super) trait Parts: Sync {
    /// Energy and power of a part.
    type Books: Send;

    /// Number of parts.
    fn count(&self) -> usize;

    /// The lowest particle of a part and the highest one.
    fn span(&self, part: usize) -> [u32; 2];

    /// Adds the forces of a part to the particles of the window. Without `BOOKS`, the books are not used.
    fn add<const BOOKS: bool>(&self, part: usize, window: &mut Window) -> Self::Books;
}

/// A contiguous range of particles, its own parts, and the earlier ones, some of which touch it.
#[derive(Debug, Clone)]
struct Owner {
    particles: Range<usize>,
    foreign: Range<usize>,
    own: Range<usize>,
}

/// The owners of all particles.
#[derive(Debug, Default)]
pub(super) struct Owners {
    crew: Arc<Crew>,
    owners: Vec<Owner>,
}

impl Owners {
    /// The threads of a crew, whose ranges end where the sums may be cut.
    pub fn of(parts: &impl Parts, crew: &Arc<Crew>) -> Self {
        let lowest: Vec<usize> = (0..parts.count()).map(|p| parts.span(p)[0] as usize).collect();
        let first_of = |i: usize| lowest.partition_point(|particle| *particle < i);
        let owner = |particles: &Range<usize>| {
            let (start, end) = (first_of(particles.start), first_of(particles.end));
            Owner { particles: particles.clone(), foreign: 0..start, own: start..end }
        };
        Owners { crew: Arc::clone(crew), owners: crew.ranges().iter().map(owner).collect() }
    }

    /// Adds all forces to `f`, on the pool when there is one, and calls `enter` with the lowest particle and the
    /// books of each part, in order.
    pub fn sum<P: Parts, const BOOKS: bool>(
        &self,
        parts: &P,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(usize, P::Books),
    ) {
        if parts.count() == 0 {
            return;
        }
        let mut number = 0..parts.count();
        let mut next = |books: P::Books| {
            let part = number.next().unwrap_or_default();
            enter(parts.span(part)[0] as usize, books);
        };
        if self.crew.is_alone() {
            return self.owners[0].add::<P, BOOKS>(parts, at, f, next);
        }
        let owns = split(f, self.crew.ranges(), 1);
        let shares = self.owners.iter().zip(owns).map(|(owner, own)| (owner, own, Vec::new()));
        let mut shares: Vec<_> = shares.collect();
        self.crew.for_each(&mut shares, |(owner, own, books)| {
            owner.add::<P, BOOKS>(parts, at, own, |part| books.push(part));
        });
        shares.into_iter().flat_map(|(_, _, books)| books).for_each(&mut next);
    }
}

impl Owner {
    /// Adds the forces on its particles to `f`; calls `enter` with the books of each of its own parts.
    fn add<P: Parts, const BOOKS: bool>(
        &self,
        parts: &P,
        at: &Configuration,
        f: &mut [Vector],
        mut enter: impl FnMut(P::Books),
    ) {
        let mut window = Window {
            x: flat(at.positions),
            v: flat(at.velocities),
            f: flat_mut(f),
            particles: self.particles.clone(),
        };
        for part in self.foreign.clone() {
            if parts.span(part)[1] as usize >= self.particles.start {
                parts.add::<false>(part, &mut window);
            }
        }
        for part in self.own.clone() {
            let books = parts.add::<BOOKS>(part, &mut window);
            if BOOKS {
                enter(books);
            }
        }
    }
}
