//! One contact at a trial point: the input of the laws, and the distribution of their forces to
//! particles. All kinds of contact share it.

use super::anisotropy::Grain;
use super::collider::Pose;
use super::detect::Proximity;
use super::friction::{FrictionLaw, Slip, SlipJacobian};
use super::pair::Pair;
use crate::forces::BlockSink;
use crate::math::{Matrix, Vector, tangent_projector, tangential};
use crate::state::Configuration;
use crate::state::memory::Coefficients;
use crate::state::memory::{Anchor, Contact, ContactKey, ContactKind, Ends};

/// The two sides of a contact.
#[derive(Clone, Copy)]
pub(super) enum Sides<'a> {
    /// A particle and a collider.
    Collider { collider: usize, particle: usize, pose: &'a Pose },
    /// Parts of bodies.
    Bodies(&'a Proximity),
}

/// Geometry of a contact: normal, depth and its rate, velocity of the surface.
pub(super) struct Approach {
    pub(super) normal: Vector,
    /// negative across a gap, where only adhesion acts
    pub(super) depth: f64,
    pub(super) depth_rate: f64,
    /// velocity of a collider's surface; zero between bodies
    pub(super) surface_velocity: Vector,
}

/// One contact at a trial point.
pub(super) struct Touch<'a> {
    pub(super) meeting: Sides<'a>,
    pub(super) normal: Vector,
    /// negative across a gap, where only adhesion acts
    pub(super) depth: f64,
    pub(super) depth_rate: f64,
    pub(super) surface_velocity: Vector,
    /// damping of this contact by the normal law; zero before the laws are evaluated
    pub(super) damping: f64,
    /// N; zero before the laws are evaluated
    pub(super) normal_force: f64,
    /// normal of the plane of friction: the committed one when the basis is lagged
    pub(super) basis: Vector,
    pub(super) slip: Slip,
    /// the law's stretch at the last commit
    pub(super) committed: Vector,
    /// number of the same contact in the last commit; displacement and lagged values refer to that
    pub(super) known: Option<usize>,
    pub(super) pair: Pair,
    pub(super) grain: Option<Grain>,
}

impl Sides<'_> {
    /// Its key.
    pub(super) fn key(&self) -> ContactKey {
        match self {
            Sides::Collider { collider, particle, .. } => {
                ContactKey { kind: ContactKind::Collider, a: *collider as u32, b: *particle as u32 }
            }
            Sides::Bodies(proximity) => proximity.key,
        }
    }

    /// Its first particle.
    pub(super) fn first(&self) -> usize {
        match self {
            Sides::Collider { particle, .. } => *particle,
            Sides::Bodies(proximity) => proximity.particles[0] as usize,
        }
    }

    /// Its particles with their weights.
    pub(super) fn ends(&self) -> Ends {
        match self {
            Sides::Collider { particle, .. } => Ends::one(*particle),
            Sides::Bodies(p) => Ends { particles: p.particles, weights: p.weights, count: p.count },
        }
    }

    /// Reference point of later displacements.
    pub(super) fn anchor(&self, positions: &[Vector]) -> Anchor {
        match self {
            Sides::Collider { particle, pose, .. } => {
                Anchor::Surface(pose.to_material(positions[*particle]))
            }
            Sides::Bodies(proximity) => Anchor::Bodies(proximity.anchor()),
        }
    }

    /// Displacement relative to the touched surface since the commit of `anchor` \[m\].
    fn displacement(&self, anchor: &Anchor, positions: &[Vector]) -> Vector {
        match (self, anchor) {
            (Sides::Collider { particle, pose, .. }, Anchor::Surface(origin)) => {
                positions[*particle] - pose.material_to_world(*origin)
            }
            (_, Anchor::Bodies(anchor)) => anchor.displacement(positions),
            (Sides::Bodies(_), Anchor::Surface(_)) => {
                unreachable!("contacts are found again by their keys, which tell kinds apart")
            }
        }
    }

    /// A world direction, from the turning frame of `anchor`.
    pub(super) fn to_world(self, anchor: &Anchor, v: Vector, positions: &[Vector]) -> Vector {
        match (self, anchor) {
            (_, Anchor::Bodies(anchor)) => anchor.frame(positions).map_or(v, |frame| frame * v),
            (Sides::Collider { pose, .. }, _) => pose.direction_to_world(v),
            _ => v,
        }
    }

    /// A world direction, in the turning frame of `anchor`.
    pub(super) fn to_frame(self, anchor: &Anchor, v: Vector, positions: &[Vector]) -> Vector {
        match (self, anchor) {
            (_, Anchor::Bodies(anchor)) => {
                anchor.frame(positions).map_or(v, |frame| frame.tr_mul(&v))
            }
            (Sides::Collider { pose, .. }, _) => pose.direction_to_shape(v),
            _ => v,
        }
    }

    /// Adds the force `along` the normal and the `tangential` force to the particles.
    pub(super) fn spread(&self, along: Vector, tangential: Vector, f: &mut [Vector]) {
        match self {
            Sides::Collider { particle, .. } => f[*particle] += along + tangential,
            Sides::Bodies(proximity) => {
                proximity.add_normal_force(along.dot(&proximity.normal), f);
                proximity.add_force(tangential, f);
            }
        }
    }

    /// Adds derivative blocks by position and by velocity: `along` of the force along the normal,
    /// `across` of the friction force.
    fn spread_blocks(&self, along: [Matrix; 2], across: [Matrix; 2], into: &mut dyn BlockSink) {
        match self {
            Sides::Collider { particle, .. } => {
                let [by_position, by_velocity] = [along[0] + across[0], along[1] + across[1]];
                into.add(*particle, *particle, &by_position, &by_velocity);
            }
            Sides::Bodies(p) => {
                let blocks = [0, 1, 2, 3].map(|k| p.slip.block(k));
                for i in 0..p.count {
                    for j in 0..p.count {
                        let weight = p.weights[i] * p.weights[j];
                        let term =
                            |k: usize| along[k] * weight + blocks[i].tr_mul(&across[k]) * blocks[j];
                        let (i, j) = (p.particles[i] as usize, p.particles[j] as usize);
                        into.add(i, j, &term(0), &term(1));
                    }
                }
            }
        }
    }

    /// Adds the derivative blocks of friction by N, by position and by velocity, beside symmetric ones.
    fn spread_beside(&self, across: [Matrix; 2], into: &mut dyn BlockSink) {
        match self {
            Sides::Collider { particle, .. } => {
                into.add_beside(*particle, *particle, &across[0], &across[1]);
            }
            Sides::Bodies(p) => {
                let blocks = [0, 1, 2, 3].map(|k| p.slip.block(k));
                for i in 0..p.count {
                    for j in 0..p.count {
                        let term = |k: usize| blocks[i].tr_mul(&across[k]) * blocks[j];
                        let (i, j) = (p.particles[i] as usize, p.particles[j] as usize);
                        into.add_beside(i, j, &term(0), &term(1));
                    }
                }
            }
        }
    }

    /// Contact point \[m\].
    pub(super) fn point(&self, positions: &[Vector], radii: &[f64], normal: Vector) -> Vector {
        match self {
            Sides::Collider { particle, .. } => positions[*particle] - normal * radii[*particle],
            Sides::Bodies(p) => {
                // halfway between the two sides
                let ends =
                    (0..p.count).map(|k| positions[p.particles[k] as usize] * p.weights[k].abs());
                ends.sum::<Vector>() * 0.5
            }
        }
    }

    /// Σ c_k²/m_k \[1/kg\].
    pub(super) fn inverse_mass(&self, inverse_masses: &[f64]) -> f64 {
        match self {
            Sides::Collider { particle, .. } => inverse_masses[*particle],
            Sides::Bodies(p) => (0..p.count)
                .map(|k| p.weights[k] * p.weights[k] * inverse_masses[p.particles[k] as usize])
                .sum(),
        }
    }
}

impl<'a> Touch<'a> {
    /// A contact without memory, before the laws are evaluated.
    #[inline(always)]
    pub(super) fn new(meeting: Sides<'a>, approach: Approach, pair: Pair) -> Self {
        let Approach { normal, depth, depth_rate, surface_velocity } = approach;
        Touch {
            meeting,
            normal,
            depth,
            depth_rate,
            surface_velocity,
            damping: 0.0,
            normal_force: 0.0,
            basis: normal,
            slip: Slip::default(),
            committed: Vector::zeros(),
            known: None,
            pair,
            grain: None,
        }
    }

    /// Sets the slip velocity from the velocity `relative` to the touched surface.
    pub(super) fn see(&mut self, relative: Vector) {
        self.slip.velocity = tangential(relative, self.basis);
    }
}

impl Touch<'_> {
    /// Takes stretch, displacement and lagged quantities from the committed contact, number `number`.
    pub(super) fn recall(&mut self, number: usize, contact: &Contact, at: &Configuration) {
        self.known = Some(number);
        if at.lag.basis {
            self.basis = contact.normal;
        }
        if at.lag.normal_contact {
            (self.depth, self.normal) = (contact.depth, contact.normal);
        }
        let here = |stretch: Vector| {
            tangential(self.meeting.to_world(&contact.anchor, stretch, at.positions), self.basis)
        };
        self.committed = here(contact.stretch);
        match at.stretch {
            // the stretch is part of the trial point: no displacement since
            Some(stretch) => self.slip.stretch = here(stretch[number]),
            None => {
                self.slip.stretch = self.committed;
                let moved = self.meeting.displacement(&contact.anchor, at.positions);
                self.slip.displacement = tangential(moved, self.basis);
            }
        }
        self.slip.sliding = !contact.sticking;
    }

    /// Calls `ask` with the slip and the coefficients in the law's variables.
    #[inline]
    pub(super) fn in_axes_of_law<R>(&self, ask: impl FnOnce(&Slip, &Coefficients) -> R) -> R {
        match &self.grain {
            None => ask(&self.slip, &self.pair.friction),
            Some(grain) => ask(&grain.slip(&self.slip), &grain.coefficients(&self.pair.friction)),
        }
    }

    /// The friction force on the first end \[N\].
    pub(super) fn friction(&self, law: &dyn FrictionLaw) -> Vector {
        let force = self.in_axes_of_law(|slip, pair| law.force(slip, pair));
        self.grain.as_ref().map_or(force, |grain| grain.force(force))
    }

    fn friction_jacobian(&self, law: &dyn FrictionLaw) -> SlipJacobian {
        let jacobian = self.in_axes_of_law(|slip, pair| law.derivative(slip, pair));
        self.grain.as_ref().map_or(jacobian, |grain| grain.jacobian(&jacobian))
    }

    /// Energy of a stretch in the law's variables \[J\].
    pub(super) fn stored(&self, law: &dyn FrictionLaw, stretch: Vector) -> f64 {
        self.grain.as_ref().map_or_else(|| law.energy(stretch), |grain| grain.energy(law, stretch))
    }

    /// Power dissipated by the friction force \[W\]: −F·v − k z·ż, where k z·ż is stored in the
    /// stretch.
    pub(super) fn dissipated(&self, law: &dyn FrictionLaw, friction: Vector) -> f64 {
        let taken = -friction.dot(&self.slip.velocity);
        if !law.has_memory() {
            return taken;
        }
        self.in_axes_of_law(|slip, pair| {
            let rate = law.rate(slip, pair);
            let rate = self.grain.as_ref().map_or(rate, |grain| grain.weighted(rate));
            taken - law.stiffness() * law.relax(slip, pair).dot(&rate)
        })
    }

    /// Energy that left the stretch without slip, because the contact bears less than at the last commit
    /// \[J\]. Counted from the committed stretch: growth of an integrated stretch beyond its bound has
    /// cost no energy.
    pub(super) fn released(&self, law: &dyn FrictionLaw) -> f64 {
        if !law.has_memory() {
            return 0.0;
        }
        let (stretch, displacement) = (self.committed, Vector::zeros());
        let unmoved = Slip { stretch, displacement, ..self.slip };
        let (slip, pair) = match &self.grain {
            None => (unmoved, self.pair.friction),
            Some(grain) => (grain.slip(&unmoved), grain.coefficients(&self.pair.friction)),
        };
        self.stored(law, slip.stretch) - self.stored(law, law.relax(&slip, &pair))
    }

    /// Adds the derivative blocks: ∂N/∂d = `by_depth`, ∂N/∂ḋ = `by_rate`, and `pull_slope` of adhesion.
    pub(super) fn add_blocks(
        &self,
        law: &dyn FrictionLaw,
        (by_depth, by_rate): (f64, f64),
        pull_slope: f64,
        lag_normal: bool,
        into: &mut dyn BlockSink,
    ) {
        let n = self.normal;
        let law = self.friction_jacobian(law);
        let tangent = tangent_projector(self.basis);
        // a new contact has no displacement in this step
        let by_displacement =
            if self.known.is_some() { law.by_displacement } else { Matrix::zeros() };
        // ∇d = −n and ∂ḋ/∂v = −n
        // a lagged N counts while the contact bears more
        let lagged =
            lag_normal && self.known.is_some() && self.slip.normal_force < self.normal_force;
        let friction_by_n = if lagged { Vector::zeros() } else { law.by_normal_force };
        let by_n = friction_by_n * n.transpose();
        let beside = into.symmetric();
        let coupled = if beside { Matrix::zeros() } else { by_n };
        let normals = n * n.transpose();
        let along = [normals * (pull_slope - by_depth), normals * -by_rate];
        let across = [
            coupled * -by_depth + by_displacement * tangent,
            coupled * -by_rate + law.by_velocity * tangent,
        ];
        self.meeting.spread_blocks(along, across, into);
        if beside && friction_by_n != Vector::zeros() && (by_depth, by_rate) != (0.0, 0.0) {
            self.meeting.spread_beside([by_n * -by_depth, by_n * -by_rate], into);
        }
    }

    /// Adds the derivative by position that is due to the turning of the normal in the force
    /// N c_i n between bodies: N H_ij − ∂N/∂ḋ c_i n (Σ_k H_jk v_k)ᵀ with H the second derivatives
    /// of the distance and ḋ = −Σ c_k n·v_k.
    pub(super) fn add_turning(&self, by_rate: f64, at: &Configuration, into: &mut dyn BlockSink) {
        let Sides::Bodies(p) = self.meeting else { return };
        let Some(curvature) = p.curvature(at.positions) else { return };
        let places = || (0..p.count).filter(|k| p.weights[*k] != 0.0);
        let velocity = |k: usize| at.velocities[p.particles[k] as usize];
        for j in places() {
            let turning: Vector = places().map(|k| curvature(j, k) * velocity(k)).sum();
            for i in places() {
                let damped = self.normal * turning.transpose() * (by_rate * p.weights[i]);
                let block = curvature(i, j) * self.normal_force - damped;
                let (i, j) = (p.particles[i] as usize, p.particles[j] as usize);
                into.add(i, j, &block, &Matrix::zeros());
            }
        }
    }
}
