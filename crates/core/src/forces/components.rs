//! Connected components of particles that forces join.

use super::crew::CHUNK;

/// The connected components of particles and joins.
#[derive(Default)]
pub(super) struct Components {
    /// The lowest particle of each particle's component.
    lowest: Vec<u32>,
    /// The end of each component, by its lowest particle.
    ends: Vec<u32>,
}

impl Components {
    /// Those of the joined pairs.
    pub fn of(pairs: impl Iterator<Item = [usize; 2]>, particles: usize) -> Self {
        let mut parents: Vec<u32> = (0..particles as u32).collect();
        let root = |parents: &mut [u32], mut i: u32| {
            while parents[i as usize] != i {
                parents[i as usize] = parents[parents[i as usize] as usize];
                i = parents[i as usize];
            }
            i
        };
        for [i, j] in pairs {
            let (a, b) = (root(&mut parents, i as u32), root(&mut parents, j as u32));
            parents[a.max(b) as usize] = a.min(b);
        }
        let lowest: Vec<u32> = (0..particles as u32).map(|i| root(&mut parents, i)).collect();
        let mut ends = vec![0; particles];
        lowest.iter().zip(1..).for_each(|(low, end)| ends[*low as usize] = end);
        Components { lowest, ends }
    }

    /// The lowest particle of a particle's component.
    pub fn lowest(&self, i: usize) -> u32 {
        self.lowest[i]
    }

    /// The end of a particle's component.
    pub fn end(&self, i: usize) -> u32 {
        self.ends[self.lowest[i] as usize]
    }

    /// The part of terms whose lowest particle is `i`; parts are sorted by this key.
    pub fn part(&self, i: usize) -> (usize, u32) {
        (self.chunk(i), self.lowest[i])
    }

    /// The first particle of the chunk of particle `i`; chunks are counted from the lowest of the
    /// component.
    fn chunk(&self, i: usize) -> usize {
        let lowest = self.lowest[i] as usize;
        lowest + (i - lowest) / CHUNK * CHUNK
    }
}
