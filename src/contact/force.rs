//! The contact force: gap → normal force → friction force, for every particle and collider.

use super::collider::{Collider, Pose};
use super::friction::{Coefficients, FrictionLaw, Slip};
use super::normal::NormalLaw;
use super::{Contact, Memory, Pair};
use crate::forces::{Account, BlockSink, Force};
use crate::math::{Matrix, Vector, tangent_projector, tangential};
use crate::state::Configuration;

/// Penalty contact of all particles with all colliders.
///
/// For depth d = radius − gap > 0 the force on the particle is `N n + F_t`, with N from the normal
/// law and F_t from the friction law at the slip relative to the moving surface.
pub struct ContactForce {
    /// The surfaces.
    pub colliders: Vec<Collider>,
    /// The normal law.
    pub normal: Box<dyn NormalLaw>,
    /// The friction law.
    pub friction: Box<dyn FrictionLaw>,
    /// Contact radius of each particle \[m\].
    pub radii: Vec<f64>,
    /// m_i \[kg\].
    pub masses: Vec<f64>,
    /// `pairs[collider][body]`: what the materials of the two make of each other.
    pub pairs: Vec<Vec<Pair>>,
    /// First particle of each body, ascending, closed by the number of particles.
    pub starts: Vec<usize>,
}

/// One active contact at a trial point.
struct Touch<'a> {
    particle: usize,
    collider: usize,
    pose: &'a Pose,
    normal: Vector,
    depth: f64,
    depth_rate: f64,
    surface_velocity: Vector,
    normal_force: f64,
    /// normal of the plane in which friction acts: the committed one when the basis is lagged
    basis: Vector,
    slip: Slip,
    /// known since the last commit, so that displacement and lagged values are its own
    known: bool,
    pair: &'a Coefficients,
    /// the normal law's damping of this contact
    damping: f64,
}

impl ContactForce {
    /// The coefficients of a collider and a particle's body.
    pub fn pair(&self, collider: usize, particle: usize) -> &Coefficients {
        let body = self.starts.partition_point(|start| *start <= particle) - 1;
        &self.pairs[collider][body].friction
    }

    /// Calls `visit` for every active contact in the order (collider, particle).
    fn for_each_touch(&self, at: &Configuration, mut visit: impl FnMut(Touch)) {
        let remembers = self.friction.has_memory() || at.lag.normal_force || at.lag.basis;
        for (c, collider) in self.colliders.iter().enumerate() {
            let pose = collider.motion.pose(at.time);
            let rest = collider.motion.is_rest();
            let mut known = if remembers { at.memory.of_collider(c) } else { &[] };
            for (b, pair) in self.pairs[c].iter().enumerate() {
                for i in self.starts[b]..self.starts[b + 1] {
                    let x = at.positions[i];
                    let gap = collider.shape.gap(if rest { x } else { pose.to_shape(x) });
                    let depth = self.radii[i] - gap.distance;
                    if depth <= 0.0 {
                        continue;
                    }
                    let normal = pose.direction_to_world(gap.normal);
                    let surface_velocity =
                        if rest { Vector::zeros() } else { pose.surface_velocity(x, normal) };
                    let velocity = at.velocities[i] - surface_velocity;
                    let depth_rate = -velocity.dot(&normal);
                    let damping = self.normal.damping(pair.bounce, self.masses[i]);
                    let mut touch = Touch {
                        particle: i,
                        collider: c,
                        pose: &pose,
                        normal,
                        depth,
                        depth_rate,
                        surface_velocity,
                        normal_force: self.normal.force(depth, depth_rate, damping),
                        basis: normal,
                        slip: Slip::default(),
                        known: false,
                        pair: &pair.friction,
                        damping,
                    };
                    touch.slip.normal_force = touch.normal_force;
                    if let Some(contact) = advance_to(&mut known, i) {
                        touch.recall(contact, at, x);
                    }
                    touch.slip.velocity = tangential(velocity, touch.basis);
                    visit(touch);
                }
            }
        }
    }
}

/// Moves the sorted list on to particle `i` and returns its contact, if there is one.
fn advance_to<'a>(known: &mut &'a [Contact], i: usize) -> Option<&'a Contact> {
    while let Some((first, rest)) = known.split_first() {
        if first.particle as usize > i {
            return None;
        }
        *known = rest;
        if first.particle as usize == i {
            return Some(first);
        }
    }
    None
}

impl Touch<'_> {
    /// Takes from the committed contact what the law remembers and what is lagged.
    fn recall(&mut self, contact: &Contact, at: &Configuration, x: Vector) {
        self.known = true;
        if at.lag.basis {
            self.basis = contact.normal;
        }
        if at.lag.normal_force {
            self.slip.normal_force = contact.normal_force;
        }
        let moved = x - self.pose.material_to_world(contact.origin);
        self.slip.displacement = tangential(moved, self.basis);
        self.slip.stretch = tangential(self.pose.direction_to_world(contact.stretch), self.basis);
        self.slip.sliding = !contact.sticking;
    }
}

impl Force for ContactForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.for_each_touch(at, |touch| {
            let friction = self.friction.force(&touch.slip, touch.pair);
            f[touch.particle] += touch.normal * touch.normal_force + friction;
        });
    }

    /// Exact for flat surfaces that do not turn; left out are the turning of the normal with position
    /// on curved ones (of relative size depth/radius) and the change of a turning surface's velocity
    /// with position (of relative size h × rate).
    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.for_each_touch(at, |touch| {
            let n = touch.normal;
            let (by_depth, by_rate) =
                self.normal.derivative(touch.depth, touch.depth_rate, touch.damping);
            let law = self.friction.derivative(&touch.slip, touch.pair);
            let tangent = tangent_projector(touch.basis);
            // a contact that begins in this step has no displacement yet, wherever it is
            let by_displacement = if touch.known { law.by_displacement } else { Matrix::zeros() };
            // d = r − gap(x) and ḋ = −v·n: each falls along n
            let lagged = at.lag.normal_force && touch.known;
            let force_by_n = if lagged { n } else { n + law.by_normal_force };
            let by_position: Matrix =
                force_by_n * n.transpose() * -by_depth + by_displacement * tangent;
            let by_velocity: Matrix =
                force_by_n * n.transpose() * -by_rate + law.by_velocity * tangent;
            into.add(touch.particle, touch.particle, &by_position, &by_velocity);
        });
    }

    fn commit(
        &self,
        at: &Configuration,
        f: &mut [Vector],
        account: &mut Account,
        next: &mut Memory,
    ) {
        next.contacts.clear();
        self.for_each_touch(at, |touch| {
            let friction = self.friction.force(&touch.slip, touch.pair);
            let sticking = self.friction.sticks(&touch.slip, touch.pair);
            let stretch = self.friction.relax(&touch.slip, touch.pair);
            let force = touch.normal * touch.normal_force + friction;
            f[touch.particle] += force;

            account.contact += self.normal.energy(touch.depth) + self.friction.energy(stretch);
            let elastic = self.normal.elastic(touch.depth);
            account.dissipated_normal += (touch.normal_force - elastic) * touch.depth_rate;
            let dissipated = self.friction.dissipation(&touch.slip, touch.pair, friction);
            if sticking {
                account.dissipated_friction_stick += dissipated;
            } else {
                account.dissipated_friction_slip += dissipated;
            }
            account.work += force.dot(&touch.surface_velocity);

            next.contacts.push(Contact {
                particle: touch.particle as u32,
                collider: touch.collider as u32,
                normal: touch.normal,
                depth: touch.depth,
                slip: touch.slip.velocity,
                normal_force: touch.normal_force,
                friction,
                sticking,
                stretch: touch.pose.direction_to_shape(stretch),
                origin: touch.pose.to_material(at.positions[touch.particle]),
                damping: self.friction.damping(&touch.slip, touch.pair),
            });
        });
    }
}
