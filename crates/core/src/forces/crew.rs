//! Threads that share the particles: each owns a contiguous range of them.

use super::pool::{self, Pool};
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

/// A time in which the threads of a crew are awake.
pub(crate) struct Awake {
    _threads: Option<pool::Awake>,
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

    /// Threads that own equal numbers of particles, where the system grants them.
    pub(crate) fn even(particles: usize, threads: usize) -> Self {
        let cut = |n: usize| particles * n / threads;
        Crew::of((0..threads).map(|n| cut(n)..cut(n + 1)).collect())
    }

    /// The range of each thread.
    pub fn ranges(&self) -> &[Range<usize>] {
        &self.ranges
    }

    /// Whether there is only one thread.
    pub(crate) fn is_alone(&self) -> bool {
        self.pool.is_none()
    }

    /// Keeps the threads awake until the result is dropped, so that they begin at once with what they are
    /// given.
    pub(crate) fn wake(&self) -> Awake {
        Awake { _threads: self.pool.as_ref().map(Pool::wake) }
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

    /// Calls `work` for as many pieces of `items` as there are threads, each with the number of its first
    /// item, in any order.
    pub fn divide<T: Send>(&self, items: &mut [T], work: impl Fn(usize, &mut [T]) + Send + Sync) {
        if self.is_alone() || items.len() < 2 {
            return work(0, items);
        }
        let each = items.len().div_ceil(self.ranges.len());
        let mut pieces: Vec<_> =
            items.chunks_mut(each).enumerate().map(|(k, piece)| (k * each, piece)).collect();
        self.for_each(&mut pieces, |(first, piece)| work(*first, piece));
    }

    /// Calls `work` once for each share, in any order; there are at most as many as threads.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is met once, with its own number, by every way of sharing.
    #[test]
    fn every_item_is_in_one_share() {
        let cuts = [vec![0..17, 17..40], vec![0..1, 1..2, 2..39, 39..40]];
        for crew in cuts.map(Crew::of).into_iter().chain([Crew::alone(40), Crew::even(40, 3)]) {
            let _awake = crew.wake();
            let mut own = vec![0; 40];
            crew.share(&mut own, |range, items| {
                range.zip(items).for_each(|(i, item)| *item += i);
            });
            assert!(own.iter().copied().eq(0..40), "{:?}", crew.ranges());
            for n in [0, 1, 3, 41] {
                let mut pieces = vec![0; n];
                crew.divide(&mut pieces, |first, items| {
                    items.iter_mut().enumerate().for_each(|(i, item)| *item += first + i);
                });
                assert!(pieces.iter().copied().eq(0..n), "{:?}", crew.ranges());
            }
        }
    }

    /// Threads that have gone to sleep do what they are given as well.
    #[test]
    fn nobody_has_to_be_awake() {
        let crew = Crew::of(vec![0..1, 1..2, 2..3]);
        for round in 0..1000 {
            let mut items = [round; 3];
            crew.share(&mut items, |range, items| items[0] += range.start);
            assert_eq!(items, [round, round + 1, round + 2]);
        }
    }
}
