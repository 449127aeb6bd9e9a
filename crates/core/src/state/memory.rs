//! Memory between steps: plain data, changed by commit alone (and by the user's hand). The rooms that
//! fill it (contact, constraints, forces) add their methods in `impl` blocks of their own.

use crate::math::Vector;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::sync::Arc;

/// Memory between steps: the active contacts of the last commit, sorted by key, particles on curves, the
/// user's hand, and two caches.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The active contacts.
    pub contacts: Vec<Contact>,
    /// The particles on curves, curve by curve.
    pub on_curves: Vec<OnCurve>,
    /// The action of the user's hand.
    pub hand: Hand,
    /// Candidates of contact between bodies: a cache, no result depends on it.
    #[serde(skip)]
    pub candidates: Arc<Candidates>,
    /// Clearances of particles from each costly collider: a cache too.
    #[serde(skip)]
    pub clearances: Clearances,
}

impl Memory {
    /// The index of the first contact of a collider, and its contacts sorted by particle.
    pub fn of_collider(&self, collider: usize) -> (usize, &[Contact]) {
        let key = (ContactKind::Collider, collider as u32);
        let start = self.contacts.partition_point(|c| (c.key.kind, c.key.a) < key);
        let end = self.contacts.partition_point(|c| (c.key.kind, c.key.a) <= key);
        (start, &self.contacts[start..end])
    }

    /// The index of the first contact between bodies, and all of them sorted by key.
    pub(crate) fn of_bodies(&self) -> (usize, &[Contact]) {
        let start = self.contacts.partition_point(|c| c.key.kind == ContactKind::Collider);
        (start, &self.contacts[start..])
    }
}

/// Kind of a contact.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum ContactKind {
    /// Particle b and collider a.
    #[default]
    Collider,
    /// Loose particles a < b.
    Points,
    /// Particle a and the surface of body b.
    Surface,
    /// Edges a < b, in the detector's numbering.
    Edges,
    /// Loose particle a and the rope of body b.
    Line,
}

/// Identity of a contact: the same from step to step while the same particle touches the same surface,
/// on any of its triangles. Contacts are found, summed and stored in the order of their keys.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct ContactKey {
    /// Its kind.
    pub kind: ContactKind,
    /// First side: see [`ContactKind`].
    pub a: u32,
    /// Second side: see [`ContactKind`].
    pub b: u32,
}

impl ContactKey {
    /// The collider, if one is touched.
    pub fn collider(&self) -> Option<usize> {
        (self.kind == ContactKind::Collider).then_some(self.a as usize)
    }
}

/// Coefficients of friction of a pair of materials.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Coefficients {
    /// μ_s.
    pub static_friction: f64,
    /// μ_k.
    pub kinetic_friction: f64,
}

/// The particles of a contact. A force F at it acts on particle k as c_k F: +1 for the particle on a
/// collider; between bodies the weights of one side add up to +1, those of the other to −1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// Particles; only the first `count` are used.
    pub particles: [u32; 4],
    /// c_k.
    pub weights: [f64; 4],
    /// Number of particles.
    pub count: usize,
}

impl Ends {
    /// A single particle.
    pub fn one(particle: usize) -> Self {
        Ends { particles: [particle as u32, 0, 0, 0], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    /// Σ c_k over the selected particles, their share of the contact's force; exactly zero if all ends
    /// of a contact between bodies are selected.
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Contact {
    /// The two sides.
    pub key: ContactKey,
    /// Its particles.
    pub ends: Ends,
    /// Position \[m\].
    pub point: Vector,
    /// Unit normal, towards the first end: out of the collider.
    pub normal: Vector,
    /// Penetration depth \[m\], > 0.
    pub depth: f64,
    /// The depth beyond which the side of entry may be mistaken \[m\]; infinite against a surface
    /// without another side.
    pub deepest: f64,
    /// Slip velocity: tangential velocity relative to the surface \[m/s\].
    pub slip: Vector,
    /// Velocity of the touched surface, the collider's or the second side's \[m/s\].
    pub surface_velocity: Vector,
    /// N \[N\] ≥ 0.
    pub normal_force: f64,
    /// Friction force on the first end \[N\].
    pub friction: Vector,
    /// Power dissipated by friction \[W\]; for a method that jumps velocities its mean over the last
    /// step.
    pub dissipated: f64,
    /// Coefficients of the pair.
    pub pair: Coefficients,
    /// Whether it sticks by the law's own rule.
    pub sticking: bool,
    /// The law's stretch \[m\], in the frame of the touched surface.
    pub stretch: Vector,
    /// Energy in the stretch \[J\].
    pub stored: f64,
    /// Reference point of the displacement since the commit.
    pub anchor: Anchor,
    /// Damping of this contact by the normal law, in the law's own unit.
    pub normal_damping: f64,
    /// Largest damping |∂F/∂v| of the friction law between the slip and stick \[N·s/m\].
    pub damping: f64,
    /// Σ c_k²/m_k \[1/kg\]: damping × inverse mass is the friction rate λ.
    pub inverse_mass: f64,
}

impl Contact {
    /// The first particle.
    pub fn particle(&self) -> usize {
        self.ends.particles[0] as usize
    }

    /// The speed at which its sides approach each other along the normal, −n·(Σ c_k v_k − v_collider) \[m/s\].
    pub fn closing(&self, velocities: &[Vector]) -> f64 {
        let collider =
            if self.key.collider().is_some() { self.surface_velocity } else { Vector::zeros() };
        let velocity = self.ends.iter().map(|(i, c)| velocities[i] * c).sum::<Vector>();
        (collider - velocity).dot(&self.normal)
    }

    /// Friction over its limit in stick, |F|/(μ_s N); infinite if only the limit is zero.
    pub fn load_ratio(&self) -> f64 {
        let (load, most) = (self.friction.norm(), self.pair.static_friction * self.normal_force);
        if load == 0.0 { 0.0 } else { load / most }
    }

    /// The share of the contact's force on a range of particles: on a whole body 1, −1, or 0 for a
    /// contact of the body with itself.
    pub fn share(&self, particles: &Range<usize>) -> f64 {
        self.ends.share(|i| particles.contains(&i))
    }
}

/// Place of a contact on the touched surface at a commit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Anchor {
    /// A point in the material frame of a collider's surface \[m\].
    Surface(Vector),
    /// In terms of the particles of bodies.
    Bodies(BodyAnchor),
}

impl Default for Anchor {
    fn default() -> Self {
        Anchor::Surface(Vector::zeros())
    }
}

/// The particles that define the rotation of the touched material.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Turning {
    /// None.
    #[default]
    Unknown,
    /// One line of particles: no rotation about the line itself.
    Line,
    /// The triangle of the particles 1, 2, 3 of the proximity.
    Triangle,
    /// The edges 0–1 and 2–3 of the proximity.
    Edges,
}

/// The place where two materials touched, in terms of their particles, as the reference of later slip.
/// Plain data, stored from commit to commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyAnchor {
    /// The particles that define the rotation of the material.
    pub turning: Turning,
    /// The particles; unused places repeat the first.
    pub particles: [u32; 4],
    /// b_k, of sum 0, zero at unused places: tangential displacement is the change of Σ b_k x_k
    /// relative to the material.
    pub weights: [f64; 4],
    /// Height of the first side above the triangle's plane, or distance of the two edges along
    /// their common normal \[m\].
    pub height: f64,
    /// The particles of the line, for [`Turning::Line`].
    pub line: [u32; 2],
    /// Unit direction of the line at the commit.
    pub axis: Vector,
    /// Vector between the two points at the commit \[m\]; perpendicular to the line, if any.
    pub offset: Vector,
}

/// Pairs that may touch, valid until a particle has moved by half the skin against a translation of all. Plain data.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidates {
    /// Positions for which the lists were made \[m\].
    pub positions: Vec<Vector>,
    /// Skin with which the lists were made \[m\].
    pub skin: f64,
    /// The gap up to which contacts were sought \[m\].
    pub range: f64,
    /// Loose particles i < j, sorted.
    pub points: Vec<[u32; 2]>,
    /// (particle, triangle), sorted.
    pub surfaces: Vec<[u32; 2]>,
    /// Edges e < f, sorted.
    pub edges: Vec<[u32; 2]>,
    /// (loose particle, segment), sorted.
    pub lines: Vec<[u32; 2]>,
}

/// Clearances of all particles from all costly colliders.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Clearances {
    /// The gap up to which contacts are found \[m\].
    pub range: f64,
    /// One list per collider, with one clearance per particle; empty for cheap colliders.
    pub of_colliders: Vec<ClearanceList>,
}

/// Clearances in blocks of [`Self::BLOCK`] particles: a commit copies only changed blocks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClearanceList {
    /// The blocks, all but the last of the same length.
    pub blocks: Vec<Arc<Vec<Clearance>>>,
}

impl ClearanceList {
    /// Particles of a block.
    pub const BLOCK: usize = 1024;

    /// Whether the list is for so many particles.
    pub(crate) fn is_of(&self, particles: usize) -> bool {
        let last = self.blocks.last().map_or(0, |block| block.len());
        self.blocks.len().saturating_sub(1) * Self::BLOCK + last == particles
    }

    /// The clearance of a particle.
    #[inline]
    pub fn get(&self, particle: usize) -> &Clearance {
        &self.blocks[particle / Self::BLOCK][particle % Self::BLOCK]
    }
}

/// A particle's position, in the coordinates of the shape at rest, and the distance it can move from
/// there without contact; zero for a near particle.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Clearance {
    /// Position then \[m\].
    pub from: Vector,
    /// Distance it can move from there \[m\].
    pub free: f64,
}

/// One particle on a curve, as of the last commit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct OnCurve {
    /// The particle.
    pub particle: usize,
    /// Multipliers λ of the equations φ = 0; unused places are zero.
    pub multipliers: [f64; 2],
    /// Constraint force Gᵀλ, with G = ∂φ/∂x \[N\].
    pub constraint_force: Vector,
    /// The friction force on the particle \[N\].
    pub friction: Vector,
    /// Unit vector opposite to kinetic friction: the direction of motion, or at rest that of the driving
    /// force.
    pub direction: Vector,
    /// Whether static friction holds it.
    pub resting: bool,
    /// Velocity along the curve \[m/s\].
    pub slip: Vector,
    /// Velocity across the curve \[m/s\].
    pub normal_speed: f64,
    /// Distance from the curve, |φ|/|∇φ| \[m\].
    pub distance: f64,
    /// Size of the applied force along the curve: the load on static friction \[N\].
    pub drive: f64,
    /// Largest kinetic friction, μ_k |Gᵀλ| \[N\].
    pub most_friction: f64,
    /// 1/m \[1/kg\].
    pub inverse_mass: f64,
    /// ||Gᵀλ| − |Gᵀλ_k|| with λ_k of the step before \[N\]: the error of lagged friction over μ; zero
    /// without lag.
    pub lag: f64,
}

/// The present action of the hand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Hand {
    /// The grip, if any.
    pub grip: Option<Grip>,
    /// The push, if any.
    pub push: Option<Shove>,
}

/// Particles held by one spring each.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Grip {
    /// The particles.
    pub particles: Vec<usize>,
    /// Target point of each, relative to `target` \[m\].
    pub offsets: Vec<Vector>,
    /// Position of the hand \[m\].
    pub target: Vector,
    /// k of each spring \[N/m\].
    pub stiffness: f64,
    /// c of each, against the velocity in the world \[N·s/m\].
    pub damping: f64,
}

/// Particles pushed by the same force each.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shove {
    /// The particles.
    pub particles: Vec<usize>,
    /// The force on each \[N\].
    pub force: Vector,
}
