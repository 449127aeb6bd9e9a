//! Contact between particles and colliders by penalty: gap → normal force → friction force.

pub mod collider;
pub mod detect;
pub mod force;
pub mod friction;
pub mod material;
pub mod normal;

use crate::math::Vector;
use friction::Coefficients;

/// What the materials of a collider and a body, or of two bodies, make of each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pair {
    /// Coefficients of friction.
    pub friction: Coefficients,
    /// What restitution means to the normal law: [`normal::NormalLaw::bounce`].
    pub bounce: f64,
}

/// One active contact, as stored at the last commit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contact {
    /// Particle.
    pub particle: u32,
    /// Collider.
    pub collider: u32,
    /// Unit normal, out of the collider.
    pub normal: Vector,
    /// Penetration depth \[m\], > 0.
    pub depth: f64,
    /// Slip velocity: tangential velocity relative to the surface \[m/s\].
    pub slip: Vector,
    /// N \[N\] ≥ 0.
    pub normal_force: f64,
    /// Friction force on the particle \[N\].
    pub friction: Vector,
    /// Whether it sticks by the law's own rule.
    pub sticking: bool,
    /// The law's stretch \[m\], in the collider's frame.
    pub stretch: Vector,
    /// The particle's position at the commit, in the collider's material frame \[m\].
    pub origin: Vector,
    /// Largest friction damping before sticking, |∂F/∂v| \[N·s/m\].
    pub damping: f64,
}

/// What contacts remember between steps: the active contacts of the last commit, sorted by
/// (collider, particle).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The active contacts.
    pub contacts: Vec<Contact>,
}

impl Memory {
    /// The contacts of one collider, sorted by particle.
    pub fn of_collider(&self, collider: usize) -> &[Contact] {
        let key = collider as u32;
        let start = self.contacts.partition_point(|c| c.collider < key);
        let end = self.contacts.partition_point(|c| c.collider <= key);
        &self.contacts[start..end]
    }
}
