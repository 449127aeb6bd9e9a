//! Threads that share the particles: each owns a contiguous range of them.

use super::pool::Pool;
use std::ops::Range;

/// Particles of a chunk. Threads own whole chunks and sums run chunk by chunk, so no sum depends on the
/// number of threads.
pub const CHUNK: usize = 4096;

/// Threads, and the particles each owns.
#[derive(Debug, Default)]
pub struct Crew {
    pool: Option<Pool>,
    ranges: Vec<Range<usize>>,
}

impl Crew {
    /// One thread that owns all particles.
    pub fn alone(particles: usize) -> Self {
        Crew { pool: None, ranges: std::iter::once(0..particles).collect() }
    }

    /// Threads for these consecutive ranges, where the system grants them.
    pub fn of(ranges: Vec<Range<usize>>) -> Self {
        let particles = ranges.last().map_or(0, |range| range.end);
        match (ranges.len() > 1).then(|| Pool::new(ranges.len())).flatten() {
            Some(pool) => Crew { pool: Some(pool), ranges },
            None => Crew::alone(particles),
        }
    }

    /// The range of each thread.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Whether there is only one thread.
    pub(crate) fn is_alone(&self) -> bool {
        self.pool.is_none()
    }

    /// Does `work` on one of the threads, so that what it gives to the others costs no change of thread.
    pub fn enter<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            Some(pool) => pool.enter(work),
            None => work(),
        }
    }

    /// Calls `work` for the items of each thread's particles, one per particle, in any order.
    pub fn share<T: Send>(
        &self,
        items: &mut [T],
        work: impl Fn(Range<usize>, &mut [T]) + Send + Sync,
    ) {
        if self.is_alone() {
            return work(0..items.len(), items);
        }
        let own = split(items, &self.ranges, 1);
        let mut shares: Vec<_> = self.ranges.iter().cloned().zip(own).collect();
        self.for_each(&mut shares, |(range, items)| work(range.clone(), items));
    }

    /// Calls `work` once for each share, in any order.
    pub fn for_each<T: Send>(&self, shares: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
        match &self.pool {
            Some(pool) => pool.for_each(shares, work),
            None => shares.iter_mut().for_each(work),
        }
    }
}

/// Splits a slice of `per` items per particle at the ends of the ranges, which are consecutive.
pub fn split<'a, T>(
    mut rest: &'a mut [T],
    ranges: &[Range<usize>],
    per: usize,
) -> impl Iterator<Item = &'a mut [T]> {
    ranges.iter().map(move |range| {
        let (own, after) = std::mem::take(&mut rest).split_at_mut(range.len() * per);
        rest = after;
        own
    })
}
