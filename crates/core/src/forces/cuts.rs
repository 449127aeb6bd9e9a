//! Where sums over particles may be cut into shares of threads.

use super::crew::Crew;
use std::ops::Range;

/// Below this much work one thread does all: handing out costs more than it saves.
const SERIAL_BELOW: usize = 50_000;

/// Terms of one connected component whose lowest particles lie in one chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cut {
    /// The lowest of their particles.
    pub particle: u32,
    /// The highest of their lowest particles.
    pub last: u32,
    /// Their cost; that of a spring is one.
    pub work: usize,
}

/// The parts of the forces inside bodies. No component has both springs and elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cuts {
    boundaries: Vec<usize>,
    /// the lowest particle of each part and its work, ascending
    parts: Vec<(usize, usize)>,
}

impl Cuts {
    /// Those of one force, in the order of its sums.
    pub(super) fn of(parts: impl DoubleEndedIterator<Item = Cut> + Clone) -> Self {
        let mut lowest_later = u32::MAX;
        let begins = parts.clone().rev().map(|part| {
            let first = part.particle <= lowest_later;
            lowest_later = lowest_later.min(part.particle);
            first
        });
        let begins: Vec<bool> = begins.collect();
        let mut ended = 0;
        let boundary = |(part, first): (Cut, &bool)| {
            let boundary = *first && part.particle >= ended;
            ended = ended.max(part.last + 1);
            boundary.then_some(part.particle as usize)
        };
        let boundaries = parts.clone().zip(begins.iter().rev()).filter_map(boundary).collect();
        let mut parts: Vec<_> = parts.map(|part| (part.particle as usize, part.work)).collect();
        parts.sort_by_key(|(particle, _)| *particle);
        Cuts { boundaries, parts }
    }

    /// Those of this force and another.
    pub fn and(mut self, other: Cuts) -> Self {
        self.boundaries.extend(other.boundaries);
        self.boundaries.sort_unstable();
        self.parts.extend(other.parts);
        self.parts.sort_by_key(|(particle, _)| *particle);
        self
    }

    /// Particles at which sums may be cut for any number of threads, ascending: a part begins there, the
    /// lowest particles of all earlier parts lie below, and those of later parts do not.
    pub fn boundaries(&self) -> &[usize] {
        &self.boundaries
    }

    /// Threads that own particles between two boundaries, with about equal work.
    pub fn crew(&self, particles: usize, threads: usize) -> Crew {
        match threads {
            2.. if self.work() >= SERIAL_BELOW => Crew::of(self.share_out(particles, threads)),
            _ => Crew::alone(particles),
        }
    }

    fn work(&self) -> usize {
        self.parts.iter().map(|(_, work)| work).sum()
    }

    /// Cuts the particles at boundaries into at most `shares` ranges with about equal work.
    pub(super) fn share_out(&self, particles: usize, shares: usize) -> Vec<Range<usize>> {
        let (work, mut before) = (self.work(), 0);
        let starts = self.parts.iter().map(|(_, work)| {
            before += work;
            before - work
        });
        let starts: Vec<usize> = starts.collect();
        let mut cuts = vec![0];
        for share in 1..shares {
            let part = starts.partition_point(|start| *start < work * share / shares);
            let wanted = self.parts.get(part).map_or(particles, |(particle, _)| *particle);
            let next = self.boundaries.partition_point(|boundary| *boundary < wanted);
            cuts.extend(self.boundaries.get(next).filter(|cut| **cut > cuts[cuts.len() - 1]));
        }
        cuts.push(particles);
        cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
    }
}
