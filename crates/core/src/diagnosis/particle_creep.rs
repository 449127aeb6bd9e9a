//! Creep of single particles: only those in contact take memory.

use serde::{Deserialize, Serialize};

/// Number of parts of a drift.
pub const PARTS: usize = 5;

/// Stands for the creep of a particle that has no sticking contact, or an unknown creep.
const UNKNOWN: [f64; PARTS] = [f64::NAN; PARTS];

/// Creep of particles over a frame: law, stretch, sliding, lag, integrator \[m/s\].
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct ParticleCreep {
    /// number of particles of the model; zero before the first frame
    particles: usize,
    /// ascending by particle
    known: Vec<(u32, [f64; PARTS])>,
    /// per end of each contact, in the order of contacts: particle, weight w, creep c
    terms: Vec<(u32, f64, [f64; PARTS])>,
}

impl ParticleCreep {
    /// Whether it can be of a model of so many particles.
    pub(super) fn fits(&self, particles: usize) -> bool {
        self.particles == 0 || self.particles == particles
    }

    /// Begins the sums of a frame.
    pub(super) fn begin(&mut self, particles: usize) {
        self.particles = particles;
        self.terms.clear();
    }

    /// Adds the creep at a contact of a particle.
    pub(super) fn add(&mut self, particle: usize, weight: f64, creep: [f64; PARTS]) {
        self.terms.push((particle as u32, weight, creep));
    }

    /// Ends the frame: Σ w c / Σ w of each particle, summed in the order of its contacts.
    pub(super) fn end(&mut self) {
        self.terms.sort_by_key(|(particle, ..)| *particle);
        self.known.clear();
        for terms in self.terms.chunk_by(|a, b| a.0 == b.0) {
            let (mut weight, mut sums) = (0.0, [0.0; PARTS]);
            for (_, w, creep) in terms {
                weight += w;
                (0..PARTS).for_each(|k| sums[k] += w * creep[k]);
            }
            if weight > 0.0 {
                self.known.push((terms[0].0, sums.map(|sum| sum / weight)));
            }
        }
    }

    /// Creep of all particles, in their order: NaN if unknown or not sticking; empty before the first
    /// frame.
    pub fn iter(&self) -> impl Iterator<Item = [f64; PARTS]> {
        let mut known = self.known.iter().peekable();
        (0..self.particles).map(move |i| {
            known.next_if(|(particle, _)| *particle as usize == i).map_or(UNKNOWN, |(_, c)| *c)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_particle_has_the_weighted_mean_of_its_contacts() {
        let mut creep = ParticleCreep::default();
        creep.begin(3);
        creep.add(2, 1.0, [4.0, 5.0, 6.0, 0.0, 1.0]);
        creep.add(0, 3.0, [1.0, 2.0, 3.0, 4.0, 5.0]);
        creep.add(2, 3.0, [8.0, 1.0, -2.0, 4.0, 1.0]);
        creep.end();
        let found: Vec<[f64; PARTS]> = creep.iter().collect();
        assert_eq!([found[0], found[2]], [[1.0, 2.0, 3.0, 4.0, 5.0], [7.0, 2.0, 0.0, 3.0, 1.0]]);
        assert!(found[1].iter().all(|part| part.is_nan()), "{found:?}");
    }
}
