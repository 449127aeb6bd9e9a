//! Proximity: one place where two bodies, or two parts of one, are near each other.

use super::kinematics::SlipMap;
use crate::math::{Matrix, Vector};
use crate::state::memory::{BodyAnchor, ContactKey};

/// Two points near each other, each on a particle, an edge or a triangle.
///
/// The vector from the second to the first is Σ c_k x_k. Places beyond [`Proximity::count`] repeat
/// the first particle with weight zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Proximity {
    /// Identity.
    pub key: ContactKey,
    /// Number of particles, 2 to 4.
    pub count: usize,
    /// The particles.
    pub particles: [u32; 4],
    /// c_k, of sum 0: the first side (positive) is pushed along the normal, the second opposite to it.
    pub weights: [f64; 4],
    /// Distance \[m\]; negative inside a closed surface. Its gradient is c_k n.
    pub distance: f64,
    /// Unit normal n, from the second side to the first.
    pub normal: Vector,
    /// Sum of the radii at the two points \[m\]. If the radii within a body differ, the sum varies
    /// with the weights; the normal force c_k N n leaves out that part of the depth's gradient.
    pub contact_distance: f64,
    /// Motion of the touched material.
    pub slip: SlipMap,
}

impl Proximity {
    /// Depth \[m\], > 0 in contact: contact distance − distance.
    pub fn depth(&self) -> f64 {
        self.contact_distance - self.distance
    }

    /// Rate of depth \[m/s\], > 0 while approaching: −Σ c_k n·v_k.
    pub(crate) fn depth_rate(&self, velocities: &[Vector]) -> f64 {
        let first = velocities[self.particles[0] as usize];
        let mut rate = 0.0;
        for k in 1..self.count {
            let v = velocities[self.particles[k] as usize] - first;
            rate -= self.weights[k] * self.normal.dot(&v);
        }
        rate
    }

    /// v_rel \[m/s\]: velocity of the first side relative to the second side's material, taken as rigid
    /// near the contact. Its tangential part is the slip velocity.
    pub(crate) fn relative_velocity(&self, velocities: &[Vector]) -> Vector {
        self.slip.velocity(velocities)
    }

    /// Velocity of the second side at the contact \[m/s\].
    pub(crate) fn second_velocity(&self, velocities: &[Vector]) -> Vector {
        let negative = |k: &usize| self.weights[*k] < 0.0;
        let side = (0..self.count).filter(negative);
        side.map(|k| velocities[self.particles[k] as usize] * -self.weights[k]).sum()
    }

    /// f += c_k N n, the forces of a normal force N \[N\] on both sides.
    pub(crate) fn add_normal_force(&self, normal_force: f64, f: &mut [Vector]) {
        for k in 0..self.count {
            f[self.particles[k] as usize] += self.normal * (self.weights[k] * normal_force);
        }
    }

    /// f += b_k F + m (a_k·F), for a force F \[N\] of the second side on the first. The resultant
    /// of these forces is zero, and so is their torque as far as the material's rotation is known.
    pub fn add_force(&self, force: Vector, f: &mut [Vector]) {
        let shares = self.slip.shares(force);
        for k in 0..self.count {
            f[self.particles[k] as usize] += shares[k];
        }
    }

    /// The contact point, in terms of the particles of both sides.
    pub fn anchor(&self) -> BodyAnchor {
        self.slip.anchor
    }

    /// Axes that turn with the touched material: [`BodyAnchor::frame`].
    pub fn frame(&self, positions: &[Vector]) -> Option<Matrix> {
        self.slip.anchor.frame(positions)
    }
}
