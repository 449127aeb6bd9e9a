//! One contact at a trial point: what the laws are shown, and where their forces go. Written once
//! for everything that can touch.

use super::anisotropy::Grain;
use super::collider::Pose;
use super::friction::{Coefficients, FrictionLaw, Slip, SlipJacobian};
use super::{Contact, Ends, Key};
use crate::forces::BlockSink;
use crate::math::{Matrix, Vector, tangent_projector, tangential};
use crate::state::Configuration;

/// Who meets whom.
#[derive(Clone, Copy)]
pub(super) enum Meeting<'a> {
    /// A particle and a collider.
    Collider { collider: usize, particle: usize, pose: &'a Pose },
}

/// One active contact at a trial point.
pub(super) struct Touch<'a> {
    pub(super) meeting: Meeting<'a>,
    pub(super) normal: Vector,
    /// negative across a gap, where only adhesion acts
    pub(super) depth: f64,
    pub(super) depth_rate: f64,
    pub(super) surface_velocity: Vector,
    /// the normal law's damping of this contact
    pub(super) damping: f64,
    pub(super) normal_force: f64,
    /// normal of the plane in which friction acts: the committed one when the basis is lagged
    pub(super) basis: Vector,
    pub(super) slip: Slip,
    /// its number among the contacts of the last commit, so that displacement and lagged values
    /// are its own
    pub(super) known: Option<usize>,
    pub(super) pair: Coefficients,
    pub(super) grain: Option<Grain>,
}

impl Meeting<'_> {
    /// Its key.
    pub(super) fn key(&self) -> Key {
        match self {
            Meeting::Collider { collider, particle, .. } => {
                Key { kind: 0, a: *collider as u32, b: *particle as u32 }
            }
        }
    }

    /// Its particles with their weights.
    pub(super) fn ends(&self) -> Ends {
        match self {
            Meeting::Collider { particle, .. } => Ends::one(*particle),
        }
    }

    /// A direction in the world, from the frame that turns with what is touched.
    pub(super) fn to_world(self, v: Vector) -> Vector {
        match self {
            Meeting::Collider { pose, .. } => pose.direction_to_world(v),
        }
    }

    /// A world direction in the frame that turns with what is touched.
    pub(super) fn to_frame(self, v: Vector) -> Vector {
        match self {
            Meeting::Collider { pose, .. } => pose.direction_to_shape(v),
        }
    }

    /// What later displacements count from.
    pub(super) fn anchor(&self, positions: &[Vector]) -> Vector {
        match self {
            Meeting::Collider { particle, pose, .. } => pose.to_material(positions[*particle]),
        }
    }

    /// Displacement relative to what is touched since the commit of `contact` \[m\].
    fn displacement(&self, contact: &Contact, positions: &[Vector]) -> Vector {
        match self {
            Meeting::Collider { particle, pose, .. } => {
                positions[*particle] - pose.material_to_world(contact.anchor)
            }
        }
    }

    /// Adds the force `along` the normal and the `tangential` one to the particles.
    pub(super) fn spread(&self, along: Vector, tangential: Vector, f: &mut [Vector]) {
        match self {
            Meeting::Collider { particle, .. } => f[*particle] += along + tangential,
        }
    }

    /// Adds the derivative blocks of a force along the normal and a tangential one, given their
    /// derivatives by the relative position and velocity.
    fn spread_blocks(&self, by_position: &Matrix, by_velocity: &Matrix, into: &mut dyn BlockSink) {
        match self {
            Meeting::Collider { particle, .. } => {
                into.add(*particle, *particle, by_position, by_velocity);
            }
        }
    }

    /// Where it is \[m\].
    pub(super) fn point(&self, positions: &[Vector], radii: &[f64], normal: Vector) -> Vector {
        match self {
            Meeting::Collider { particle, .. } => positions[*particle] - normal * radii[*particle],
        }
    }

    /// Σ c_k²/m_k along the normal \[1/kg\].
    pub(super) fn mobility(&self, masses: &[f64]) -> f64 {
        match self {
            Meeting::Collider { particle, .. } => 1.0 / masses[*particle],
        }
    }
}

impl Touch<'_> {
    /// Takes from the committed contact, the `number`th, what the law remembers and what is lagged.
    pub(super) fn recall(&mut self, number: usize, contact: &Contact, at: &Configuration) {
        self.known = Some(number);
        if at.lag.basis {
            self.basis = contact.normal;
        }
        if at.lag.normal_force {
            self.slip.normal_force = contact.normal_force;
        }
        let stretch = match at.stretch {
            // the stretch is part of the trial point, and nothing has moved since
            Some(stretch) => stretch[number],
            None => {
                let moved = self.meeting.displacement(contact, at.positions);
                self.slip.displacement = tangential(moved, self.basis);
                contact.stretch
            }
        };
        self.slip.stretch = tangential(self.meeting.to_world(stretch), self.basis);
        self.slip.sliding = !contact.sticking;
    }

    /// The slip and the coefficients as the friction law is shown them.
    pub(super) fn seen(&self) -> (Slip, Coefficients) {
        match &self.grain {
            None => (self.slip, self.pair),
            Some(grain) => (grain.slip(&self.slip), grain.coefficients(&self.pair)),
        }
    }

    /// The friction force on the first end \[N\].
    pub(super) fn friction(&self, law: &dyn FrictionLaw) -> Vector {
        let (slip, pair) = self.seen();
        let force = law.force(&slip, &pair);
        self.grain.as_ref().map_or(force, |grain| grain.force(force))
    }

    fn friction_jacobian(&self, law: &dyn FrictionLaw) -> SlipJacobian {
        let (slip, pair) = self.seen();
        let jacobian = law.derivative(&slip, &pair);
        self.grain.as_ref().map_or(jacobian, |grain| grain.jacobian(&jacobian))
    }

    /// Energy in a stretch as the law sees it \[J\].
    pub(super) fn stored(&self, law: &dyn FrictionLaw, stretch: Vector) -> f64 {
        self.grain.as_ref().map_or_else(|| law.energy(stretch), |grain| grain.energy(law, stretch))
    }

    /// Power dissipated by the friction force \[W\]: −F·v less k z·ż, what goes into the stretch z.
    pub(super) fn dissipated(&self, law: &dyn FrictionLaw, friction: Vector) -> f64 {
        let taken = -friction.dot(&self.slip.velocity);
        if !law.has_memory() {
            return taken;
        }
        let (slip, pair) = self.seen();
        let rate = law.rate(&slip, &pair);
        let rate = self.grain.as_ref().map_or(rate, |grain| grain.weighted(rate));
        taken - law.stiffness() * law.relax(&slip, &pair).dot(&rate)
    }

    /// Energy that left the stretch without slip, because the contact bears less now than it did
    /// \[J\].
    pub(super) fn released(&self, law: &dyn FrictionLaw) -> f64 {
        if !law.has_memory() {
            return 0.0;
        }
        let (slip, pair) = self.seen();
        let drawn_back = law.relax(&Slip { displacement: Vector::zeros(), ..slip }, &pair);
        self.stored(law, slip.stretch) - self.stored(law, drawn_back)
    }

    /// Adds the derivative blocks. `by_depth` and `by_rate` are those of the force along the
    /// normal, `pull_slope` that of adhesion.
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
        // a contact that begins in this step has no displacement yet, wherever it is
        let by_displacement =
            if self.known.is_some() { law.by_displacement } else { Matrix::zeros() };
        // d = r − gap(x) and ḋ = −v·n: each falls along n
        let lagged = lag_normal && self.known.is_some();
        let force_by_n = if lagged { n } else { n + law.by_normal_force };
        let by_position: Matrix = force_by_n * n.transpose() * -by_depth
            + n * n.transpose() * pull_slope
            + by_displacement * tangent;
        let by_velocity: Matrix = force_by_n * n.transpose() * -by_rate + law.by_velocity * tangent;
        self.meeting.spread_blocks(&by_position, &by_velocity, into);
    }
}
