//! The contact force: gap → normal force → friction force, for everything that touches.

use super::Pair;
use super::adhesion::Adhesion;
use super::between::BetweenBodies;
use super::collider::Collider;
use super::friction::FrictionLaw;
use super::material_frame::MaterialGrain;
use super::normal::NormalLaw;
use super::touch::{Meeting, Touch};
use crate::forces::account::Account;
use crate::forces::regime::{Regime, Touching};
use crate::forces::{BlockSink, Force};
use crate::math::{Vector, larger};
use crate::state::memory::{Contact, Memory};
use crate::state::{Configuration, Lag};

/// Share of |F||v| that rounding may leave of a friction power that is next to nothing.
const POWER_ROUNDING: f64 = 1e-12;

/// Penalty contact of all particles with all colliders, and of bodies with each other.
///
/// For depth d = radius − gap > 0 the force on the particle, or on the first of two sides, is
/// `(N − P) n + F_t`, with N from the normal law, P the pull of adhesion, if there is any, and F_t
/// from the friction law at the slip relative to the moving surface.
pub struct ContactForce {
    /// The surfaces.
    pub colliders: Vec<Collider>,
    /// The normal law.
    pub normal: Box<dyn NormalLaw>,
    /// The friction law.
    pub friction: Box<dyn FrictionLaw>,
    /// Adhesion, of every contact.
    pub adhesion: Option<Adhesion>,
    /// Gap up to which contact is looked for \[m\]: the range of adhesion, or as far ahead as a method
    /// asks that jumps velocities.
    pub reach: f64,
    /// Where the law's stretch lives.
    pub stretch: StretchIn,
    /// Contact radius of each particle \[m\].
    pub radii: Vec<f64>,
    /// 1/m_i \[1/kg\]; zero for particles held on all axes.
    pub mobilities: Vec<f64>,
    /// `pairs[collider][body]`: what the materials of the two make of each other.
    pub pairs: Vec<Vec<Pair>>,
    /// Anisotropy fixed to the material of each body; empty for none.
    pub grains: Vec<Option<MaterialGrain>>,
    /// How near a particle must be to a costly collider to be asked for at every evaluation \[m\];
    /// no result depends on it.
    pub slack: f64,
    /// Contact between bodies, if there is any.
    pub between: Option<BetweenBodies>,
    /// First particle of each body, ascending, closed by the number of particles.
    pub starts: Vec<usize>,
}

/// Where the stretch of a friction law with memory lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StretchIn {
    /// Moved once per accepted step, by the displacement over it. Any method can be used; the
    /// stretch is exact in stick, of order two in the commit interval where the slip turns, and of
    /// order one where N changes.
    #[default]
    Commit,
    /// Part of the integrator's state, ż = rate(slip): multi-stage and adaptive methods keep their
    /// order, but for the kink where a falling N draws a saturated stretch back.
    State,
}

impl ContactForce {
    /// Whether committed contacts are needed at a trial point.
    pub(super) fn remembers(&self, at: &Configuration) -> bool {
        self.friction.has_memory() || at.lag != Lag::NONE
    }

    /// Whether stretch is part of the integrator's state.
    pub fn carries_stretch(&self) -> bool {
        self.stretch == StretchIn::State && self.friction.has_memory()
    }

    /// The body of a particle.
    pub(super) fn body_of(&self, particle: usize) -> usize {
        self.starts.partition_point(|start| *start <= particle) - 1
    }

    /// Calls `visit` for everything that touches, in the order of the contacts' keys.
    pub(super) fn for_each_touch(&self, at: &Configuration, mut visit: impl FnMut(&Touch)) {
        self.for_each_on_colliders(at, &mut visit);
        if at.lag.normal_contact {
            self.for_each_committed_between(at, &mut visit);
        } else if self.between.is_some() {
            self.for_each_between(at, &self.candidates(at), &mut visit);
        }
    }

    /// Adds the force of a contact to its particles; returns (N − P) n and F_t \[N\].
    fn act(&self, touch: &Touch, f: &mut [Vector]) -> (Vector, Vector) {
        let friction = touch.friction(self.friction.as_ref());
        let pull = self.adhesion.map_or(0.0, |adhesion| adhesion.pull(touch.depth));
        let along = touch.normal * (touch.normal_force - pull);
        touch.meeting.spread(along, friction, f);
        (along, friction)
    }
}

impl Force for ContactForce {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.for_each_touch(at, |touch| {
            self.act(touch, f);
        });
    }

    /// Exact for flat surfaces that do not turn; left out are the turning of the normal with position
    /// on curved ones (of relative size depth/radius), the change of a turning surface's velocity
    /// with position (of relative size h × rate), the turning of a material's direction, and between
    /// bodies how the points of contact move over triangles and edges (of the size N/edge).
    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.for_each_touch(at, |touch| {
            let slopes = if touch.depth > 0.0 && !at.lag.normal_contact {
                self.normal.derivative(touch.depth, touch.depth_rate, touch.damping)
            } else {
                (0.0, 0.0)
            };
            let adhesion = self.adhesion.filter(|_| !at.lag.normal_contact);
            let pull_slope = adhesion.map_or(0.0, |adhesion| adhesion.slope(touch.depth));
            let law = self.friction.as_ref();
            touch.add_blocks(law, slopes, pull_slope, at.lag.normal_force, into);
        });
    }

    fn add_stretch_rate(&self, at: &Configuration, rate: &mut [Vector]) {
        self.for_each_touch(at, |touch| {
            if let Some(number) = touch.known {
                let (slip, pair) = touch.seen();
                let turning = self.friction.rate(&slip, &pair);
                let contact = &at.memory.contacts[number];
                rate[number] += touch.meeting.to_frame(&contact.anchor, turning, at.positions);
            }
        });
    }

    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        let law = self.friction.as_ref();
        let kinked = law.is_kinked();
        self.for_each_touch(at, |touch| {
            let sticks = || {
                let (slip, pair) = touch.seen();
                kinked && law.sticks(&slip, &pair)
            };
            let touching = if touch.depth <= 0.0 {
                Touching::Reaches
            } else if touch.normal_force <= 0.0 {
                Touching::Parts
            } else if sticks() {
                Touching::Sticks
            } else {
                Touching::Slips
            };
            into.push(Regime::Contact(touch.meeting.key(), touching));
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
        if self.between.is_some() {
            next.candidates = self.candidates(at);
        }
        next.clearances = self.clearances(at);
        let mut forgotten: f64 = at.memory.contacts.iter().map(|contact| contact.stored).sum();
        let mut enter = |touch: &Touch| {
            let (along, friction) = self.act(touch, f);
            account.contact += self.adhesion.map_or(0.0, |a| a.energy(touch.depth));
            account.work += (along + friction).dot(&touch.surface_velocity);
            if touch.depth > 0.0 {
                if let Some(number) = touch.known {
                    forgotten -= at.memory.contacts[number].stored;
                }
                next.contacts.push(self.entered(touch, friction, at, account));
            }
        };
        self.for_each_on_colliders(at, &mut enter);
        self.for_each_between(at, &next.candidates, &mut enter);
        account.released += larger(forgotten, 0.0);
    }
}

impl ContactForce {
    /// The depth from which the side something came from may be mistaken \[m\].
    pub(super) fn deepest(&self, meeting: &Meeting) -> f64 {
        match (meeting, &self.between) {
            (Meeting::Bodies(proximity), Some(between)) => between.detector.deepest(proximity),
            (Meeting::Collider { collider, particle, .. }, _) => {
                0.9 * (self.colliders[*collider].shape.half_thickness() + self.radii[*particle])
            }
            (Meeting::Bodies(_), None) => unreachable!("bodies only meet where they are looked at"),
        }
    }

    /// Enters the energies and powers of an accepted contact, and what it will remember.
    fn entered(
        &self,
        touch: &Touch,
        friction: Vector,
        at: &Configuration,
        account: &mut Account,
    ) -> Contact {
        let law = self.friction.as_ref();
        let (slip, pair) = touch.seen();
        let (sticking, stretch) = (law.sticks(&slip, &pair), law.relax(&slip, &pair));
        let stored = touch.stored(law, stretch);
        account.released += touch.released(law);
        account.contact += self.normal.energy(touch.depth) + stored;
        let elastic = self.normal.elastic(touch.depth);
        account.dissipated_normal += (touch.normal_force - elastic) * touch.depth_rate;
        let dissipated = touch.dissipated(law, friction);
        let rounding = POWER_ROUNDING * friction.norm() * touch.slip.velocity.norm();
        account.friction_driven += larger(-dissipated - rounding, 0.0);
        if sticking {
            account.dissipated_friction_stick += dissipated;
        } else {
            account.dissipated_friction_slip += dissipated;
        }
        let anchor = touch.meeting.anchor(at.positions);
        let surface_velocity = match touch.meeting {
            Meeting::Bodies(proximity) => proximity.second_velocity(at.velocities),
            Meeting::Collider { .. } => touch.surface_velocity,
        };
        Contact {
            key: touch.meeting.key(),
            ends: touch.meeting.ends(),
            point: touch.meeting.point(at.positions, &self.radii, touch.normal),
            normal: touch.normal,
            depth: touch.depth,
            deepest: self.deepest(&touch.meeting),
            slip: touch.slip.velocity,
            surface_velocity,
            normal_force: touch.normal_force,
            friction,
            pair: touch.pair,
            sticking,
            stretch: touch.meeting.to_frame(&anchor, stretch, at.positions),
            stored,
            anchor,
            damping: law.damping(&slip, &pair) * touch.grain.as_ref().map_or(1.0, |g| g.gain()),
            mobility: touch.meeting.mobility(&self.mobilities),
        }
    }
}
