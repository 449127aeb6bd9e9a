//! Energy dissipated by friction at each particle since t = 0, and the distance it has slid.

use super::watch::{Observation, Start, Watch};
use crate::model::Model;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// Sums over the contacts of each particle,
///
/// ```text
/// W = ∫ P dt  [J]     P = −F·v − k z·ż, as in the energy audit
/// s = ∫ |v| dt  [m]   of contacts that share a particle the mean, weighted by N
/// ```
///
/// by the trapezoidal rule; a method that jumps velocities gives the mean power of each step. Each side
/// of a contact takes half of W; a particle on a collider takes all. This watch has no reasons.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FrictionWork {
    /// W of each particle \[J\].
    pub dissipated: Vec<f64>,
    /// s of each particle \[m\].
    pub slid: Vec<f64>,
    /// of the last state: particle, P \[W\], Σ N |v| \[W\], Σ N \[N\]; ascending by particle
    last: Vec<(u32, [f64; 3])>,
    /// the same of this state
    now: Vec<(u32, [f64; 3])>,
}

impl Watch for FrictionWork {
    const SEES_CONTACTS_ALONE: bool = true;

    fn start(start: &Start) -> Self {
        let n = start.model.particles();
        let mut work = FrictionWork {
            dissipated: vec![0.0; n],
            slid: vec![0.0; n],
            ..FrictionWork::default()
        };
        work.see(&start.state.memory.contacts);
        std::mem::swap(&mut work.last, &mut work.now);
        work
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let n = model.particles();
        let mut terms = record.last.iter().chain(&record.now);
        [&record.dissipated, &record.slid].iter().all(|sums| sums.len() == n)
            && terms.all(|(particle, _)| (*particle as usize) < n)
    }

    fn observe(&mut self, step: &Observation) {
        self.see(&step.state.memory.contacts);
        let h = step.taken.h;
        // jumps give means over the step, not values at its ends
        let jumps = step.model.laws.is_none();
        let shares = if jumps { [0.0, h] } else { [0.5 * h, 0.5 * h] };
        for (terms, share) in [&self.last, &self.now].into_iter().zip(shares) {
            for (particle, [power, speed, normal]) in terms {
                let i = *particle as usize;
                self.dissipated[i] += share * power;
                self.slid[i] += if *normal > 0.0 { share * speed / normal } else { 0.0 };
            }
        }
        std::mem::swap(&mut self.last, &mut self.now);
        // a record holds no trace of earlier contacts
        self.now.clear();
    }
}

impl FrictionWork {
    fn see(&mut self, contacts: &[Contact]) {
        let terms = &mut self.now;
        terms.clear();
        for contact in contacts {
            let (normal, speed) = (contact.normal_force, contact.slip.norm());
            if contact.ends.count == 1 {
                let terms_of_one = [contact.dissipated, normal * speed, normal];
                terms.push((contact.particle() as u32, terms_of_one));
                continue;
            }
            let whole: f64 = contact.ends.iter().map(|(_, weight)| weight.abs()).sum();
            for (particle, weight) in contact.ends.iter().filter(|(_, weight)| *weight != 0.0) {
                let load = weight.abs() * normal;
                let power = contact.dissipated * weight.abs() / whole;
                terms.push((particle as u32, [power, load * speed, load]));
            }
        }
        // contacts of one collider are sorted by particle, and its particles have one each
        if terms.is_sorted_by(|a, b| a.0 < b.0) {
            return;
        }
        if !terms.is_sorted_by_key(|(particle, _)| *particle) {
            terms.sort_by_key(|(particle, _)| *particle);
        }
        terms.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                (0..3).for_each(|k| first.1[k] += next.1[k]);
            }
            same
        });
    }
}
