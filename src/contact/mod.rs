//! Contact by penalty: gap → normal force → friction force.

pub mod adhesion;
pub mod anisotropy;
pub mod between;
pub mod clearance;
pub mod collider;
mod colliding;
pub mod detect;
pub mod force;
pub mod friction;
pub mod material;
pub mod material_frame;
pub mod near;
pub mod normal;
mod touch;

use crate::constraints::curve::OnCurve;
use crate::forces::hand::Hand;
use crate::math::Vector;
use friction::Coefficients;
use std::ops::Range;
use std::sync::Arc;

/// What the materials of a collider and a body, or of two bodies, make of each other.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pair {
    /// Coefficients of friction.
    pub friction: Coefficients,
    /// What restitution means to the normal law: [`normal::NormalLaw::bounce`].
    pub bounce: f64,
    /// The coefficient of restitution e, zero where none is stated.
    pub restitution: f64,
}

/// What a contact is between; the order in which contacts are summed and remembered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// 0: a collider and a particle; above: kinds of contact between bodies.
    pub kind: u32,
    /// The collider, or the first of two bodies' parts.
    pub a: u32,
    /// The particle, or the second part.
    pub b: u32,
}

/// The particles of a contact. A force F on it acts on particle k as c_k F: +1 for the particle
/// that touches a collider; between bodies the weights of one side add up to +1 and those of the
/// other to −1.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Ends {
    /// Particles; the first `count` count.
    pub particles: [u32; 4],
    /// c_k.
    pub weights: [f64; 4],
    /// How many.
    pub count: usize,
}

impl Ends {
    /// A single particle.
    pub fn one(particle: usize) -> Self {
        Ends { particles: [particle as u32, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// The share of a force that acts on the selected particles; exactly zero where all ends of a
    /// contact between bodies are selected.
    pub fn share(&self, selected: impl Fn(usize) -> bool) -> f64 {
        if self.count > 1 && self.iter().all(|(i, c)| selected(i) || c == 0.0) {
            return 0.0;
        }
        self.iter().filter(|(i, _)| selected(*i)).map(|(_, c)| c).sum()
    }

    /// Particles with their weights.
    pub fn iter(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        (0..self.count).map(|k| (self.particles[k] as usize, self.weights[k]))
    }
}

/// One active contact, as stored at the last commit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Contact {
    /// What it is between.
    pub key: Key,
    /// Who bears it.
    pub ends: Ends,
    /// Where it is \[m\].
    pub point: Vector,
    /// Unit normal, towards the first end: out of the collider.
    pub normal: Vector,
    /// Penetration depth \[m\], > 0.
    pub depth: f64,
    /// The depth from which the side it came from may be mistaken \[m\]; infinite against what has
    /// no other side.
    pub deepest: f64,
    /// Slip velocity: tangential velocity relative to the surface \[m/s\].
    pub slip: Vector,
    /// Velocity of what is touched, the collider's surface or the second side \[m/s\].
    pub surface_velocity: Vector,
    /// N \[N\] ≥ 0.
    pub normal_force: f64,
    /// Friction force on the first end \[N\].
    pub friction: Vector,
    /// Coefficients of the pair.
    pub pair: Coefficients,
    /// Whether it sticks by the law's own rule.
    pub sticking: bool,
    /// The law's stretch \[m\], in the frame of what is touched.
    pub stretch: Vector,
    /// Energy in the stretch \[J\].
    pub stored: f64,
    /// What displacement since the commit counts from.
    pub anchor: Anchor,
    /// Largest friction damping before sticking, |∂F/∂v| \[N·s/m\].
    pub damping: f64,
    /// Σ c_k²/m_k \[1/kg\]: damping × mobility is the friction rate λ.
    pub mobility: f64,
}

impl Contact {
    /// The first particle.
    pub fn particle(&self) -> usize {
        self.ends.particles[0] as usize
    }

    /// The share of the contact's force that acts on a range of particles: 1, −1, or 0 for a
    /// contact within.
    pub fn share(&self, particles: &Range<usize>) -> f64 {
        self.ends.share(|i| particles.contains(&i))
    }

    /// The tangential velocity of what a body touches that bears the `share` of the force \[m/s\].
    pub fn opposite_velocity(&self, share: f64) -> Vector {
        if share > 0.0 { self.surface_velocity } else { self.surface_velocity + self.slip }
    }
}

/// Where a contact was at a commit, on what it touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// A point in the material frame of a collider's surface \[m\].
    Surface(Vector),
    /// In terms of the particles of bodies.
    Bodies(detect::Anchor),
}

impl Default for Anchor {
    fn default() -> Self {
        Anchor::Surface(Vector::zeros())
    }
}

/// What contacts remember between steps: the active contacts of the last commit, sorted by key.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Memory {
    /// The active contacts.
    pub contacts: Vec<Contact>,
    /// The particles on curves, curve by curve.
    pub on_curves: Vec<OnCurve>,
    /// What the user's hand does.
    pub hand: Hand,
    /// What bodies may come near each other; a saving, of which no result depends.
    pub candidates: Arc<detect::Candidates>,
    /// What is known to be far from each costly collider; another saving.
    pub clearances: Vec<Arc<Vec<clearance::Clearance>>>,
}

impl Memory {
    /// The contacts of one collider, sorted by particle, and the number of the first.
    pub fn of_collider(&self, collider: usize) -> (usize, &[Contact]) {
        let key = (0, collider as u32);
        let start = self.contacts.partition_point(|c| (c.key.kind, c.key.a) < key);
        let end = self.contacts.partition_point(|c| (c.key.kind, c.key.a) <= key);
        (start, &self.contacts[start..end])
    }

    /// The contacts between bodies, sorted by key, and the number of the first.
    pub fn of_bodies(&self) -> (usize, &[Contact]) {
        let start = self.contacts.partition_point(|c| c.key.kind == 0);
        (start, &self.contacts[start..])
    }
}
