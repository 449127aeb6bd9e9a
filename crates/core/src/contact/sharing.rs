//! Share of a rigid body's mass that each of several simultaneous contacts bears. A rigid body lands on
//! all its contacts together: if each were damped for the whole mass, n of them would return e(√n ζ)
//! instead of e(ζ).

use super::surfaces::Surfaces;
use super::touch::{Sides, Touch};
use crate::math::Matrix;

/// Stands for any collider in place of the number of a body.
const COLLIDERS: usize = usize::MAX;

/// The contacts between two bodies, or of one body with colliders, at a trial point.
#[derive(Debug, Clone, Copy)]
struct Group {
    sides: [usize; 2],
    count: usize,
    /// Σ n nᵀ
    normals: Matrix,
}

/// All contacts of rigid bodies at a trial point, grouped by the two sides; empty where no damping
/// depends on them.
///
/// n equal contacts with the same normal, stiffness k and damping c act as n k and n c: the damping
/// ratio is that of one contact with the mass M/n. A contact j takes part in a motion along n_i with
/// (n_i·n_j)², so contact i has the share 1/S of the mass with
///
/// ```text
/// S = Σ_j (n_i·n_j)² = n_i · (Σ_j n_j n_jᵀ) n_i.
/// ```
///
/// The impact is assumed to pass through the centre of mass: a body that starts to turn returns
/// less.
#[derive(Debug, Clone, Default)]
pub(super) struct Sharing {
    groups: Vec<Group>,
}

impl Sharing {
    /// Counts one contact.
    pub(super) fn add(&mut self, surfaces: &Surfaces, touch: &Touch) {
        let sides = sides(surfaces, &touch.meeting);
        if !sides.iter().any(|body| surfaces.is_shared(*body)) {
            return;
        }
        let normals = touch.normal * touch.normal.transpose();
        match self.groups.binary_search_by(|group| group.sides.cmp(&sides)) {
            Ok(place) => {
                self.groups[place].count += 1;
                self.groups[place].normals += normals;
            }
            Err(place) => self.groups.insert(place, Group { sides, count: 1, normals }),
        }
    }

    /// The inverse mass of one contact \[1/kg\]: Σ c_k²/m_k of particles, and S/M of a rigid body.
    pub(super) fn inverse_mass(&self, surfaces: &Surfaces, touch: &Touch) -> f64 {
        let alone = || touch.meeting.inverse_mass(&surfaces.inverse_masses);
        if self.groups.is_empty() {
            return alone();
        }
        let bodies = sides(surfaces, &touch.meeting);
        let Ok(place) = self.groups.binary_search_by(|group| group.sides.cmp(&bodies)) else {
            return alone();
        };
        let group = &self.groups[place];
        let share = match group.count {
            1 => 1.0,
            _ => touch.normal.dot(&(group.normals * touch.normal)),
        };
        let ends = touch.meeting.ends();
        let mut inverse_mass = 0.0;
        for body in bodies.into_iter().filter(|body| *body != COLLIDERS) {
            let of_body = || ends.iter().filter(|(i, _)| surfaces.body_of(*i) == body);
            if surfaces.is_shared(body) {
                let weight: f64 = of_body().map(|(_, weight)| weight).sum();
                let whole = of_body().next().map_or(0.0, |(i, _)| surfaces.inverse_masses[i]);
                inverse_mass += share * weight * weight * whole;
            } else {
                let own = |(i, weight): (usize, f64)| weight * weight * surfaces.inverse_masses[i];
                inverse_mass += of_body().map(own).sum::<f64>();
            }
        }
        inverse_mass
    }
}

/// The two bodies in contact, the smaller number first.
fn sides(surfaces: &Surfaces, meeting: &Sides) -> [usize; 2] {
    match meeting {
        Sides::Collider { particle, .. } => [surfaces.body_of(*particle), COLLIDERS],
        Sides::Bodies(proximity) => {
            let first = surfaces.body_of(proximity.particles[0] as usize);
            let last = surfaces.body_of(proximity.particles[proximity.count - 1] as usize);
            if first < last { [first, last] } else { [last, first] }
        }
    }
}
