//! One place where two bodies, or two parts of one, come near each other.

use super::kinematics::SlipMap;
use crate::math::{Matrix, Vector};
use crate::state::memory::{BodyAnchor, ContactKey};

/// Two points near each other, each on a particle, an edge or a triangle.
///
/// The vector between them is Σ c_k x_k. Places beyond [`Proximity::count`] repeat the first particle
/// with weight zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Proximity {
    /// Identity.
    pub key: ContactKey,
    /// Number of particles, 2 to 4.
    pub count: usize,
    /// The particles.
    pub particles: [u32; 4],
    /// c_k, of sum 0: the first side (positive) is pushed along the normal, the second against it.
    pub weights: [f64; 4],
    /// Distance \[m\]; negative inside a closed surface. Its gradient is c_k n.
    pub distance: f64,
    /// Unit normal n, from the second side to the first.
    pub normal: Vector,
    /// Sum of the radii at the two points \[m\]. Where the radii of one body differ it varies with
    /// the weights; depth then has a gradient of its own, which c_k n leaves out.
    pub contact_distance: f64,
    /// Motion of the touched material.
    pub slip: SlipMap,
}

impl Proximity {
    /// Depth \[m\], > 0 in contact: the sum of the radii less the distance.
    pub fn depth(&self) -> f64 {
        self.contact_distance - self.distance
    }

    /// Rate of depth \[m/s\], > 0 while approaching: −Σ c_k n·v_k.
    pub fn depth_rate(&self, velocities: &[Vector]) -> f64 {
        let first = velocities[self.particles[0] as usize];
        let mut rate = 0.0;
        for k in 1..self.count {
            let v = velocities[self.particles[k] as usize] - first;
            rate -= self.weights[k] * self.normal.dot(&v);
        }
        rate
    }

    /// v_rel \[m/s\]: velocity of the first side relative to the second one's material, which is
    /// taken to be rigid near the contact. Its part tangential to the normal is the slip velocity.
    pub fn relative_velocity(&self, velocities: &[Vector]) -> Vector {
        self.slip.velocity(velocities)
    }

    /// Velocity of the second side at the contact \[m/s\].
    pub fn second_velocity(&self, velocities: &[Vector]) -> Vector {
        let negative = |k: &usize| self.weights[*k] < 0.0;
        let side = (0..self.count).filter(negative);
        side.map(|k| velocities[self.particles[k] as usize] * -self.weights[k]).sum()
    }

    /// f += forces of a normal force N \[N\] that pushes the two sides apart: f_k = c_k N n.
    pub fn add_normal_force(&self, normal_force: f64, f: &mut [Vector]) {
        for k in 0..self.count {
            f[self.particles[k] as usize] += self.normal * (self.weights[k] * normal_force);
        }
    }

    /// f += forces of a force F \[N\] of the second material on the first side, without resultant
    /// force or torque as far as the material's turning is known: f_k = b_k F + m (a_k·F).
    pub fn add_force(&self, force: Vector, f: &mut [Vector]) {
        let shares = self.slip.shares(force);
        for k in 0..self.count {
            f[self.particles[k] as usize] += shares[k];
        }
    }

    /// The place of touch, in terms of the particles of both sides.
    pub fn anchor(&self) -> BodyAnchor {
        self.slip.anchor
    }

    /// Axes that turn with the touched material: [`BodyAnchor::frame`].
    pub fn frame(&self, positions: &[Vector]) -> Option<Matrix> {
        self.slip.anchor.frame(positions)
    }
}
