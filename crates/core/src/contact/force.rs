//! The contact force: gap → normal force → friction force, for all contacts.

use super::laws::Laws;
use super::sharing::Sharing;
use super::surfaces::{Search, Surfaces};
use super::touch::{Sides, Touch};
use crate::forces::account::{Account, Ledger};
use crate::forces::regime::{Regime, Touching};
use crate::forces::{BlockSink, Force};
use crate::math::{Vector, larger, tangential};
use crate::state::Configuration;
use crate::state::memory::{Contact, Memory};
use std::sync::Arc;

/// Share of |F||v| by which rounding may change a friction power near zero.
const POWER_ROUNDING: f64 = 1e-12;

/// Penalty contact of all particles with all colliders, and of bodies with each other.
///
/// For depth d = radius − gap > 0 the force on the particle, or on the first of two sides, is
/// `(N − P) n + F_t`, with N from the normal law, P the pull of adhesion, if any, and F_t from the
/// friction law at the slip relative to the moving surface.
#[derive(Clone, Copy)]
pub struct ContactForce<'a> {
    /// The surfaces, which find the contacts.
    pub surfaces: &'a Surfaces,
    /// The laws of every contact.
    pub laws: &'a Laws,
}

impl ContactForce<'_> {
    /// Calls `visit` for every contact, in the order of keys.
    fn for_each(&self, at: &Configuration, mut visit: impl FnMut(&Touch)) {
        let sharing = self.sharing(at);
        self.surfaces.for_each_touch(at, self.laws.search(at), |touch| {
            self.press(touch, &sharing, at);
            visit(touch);
        });
    }

    /// Finds every contact and computes no force, to measure the cost of the search alone.
    pub(crate) fn search(&self, at: &Configuration) {
        self.surfaces.for_each_touch(at, self.laws.search(at), |touch| {
            std::hint::black_box(&touch);
        });
    }

    /// The contacts that share the mass of rigid bodies. Found in a pass of their own, since the force
    /// of the first contact depends on all others.
    fn sharing(&self, at: &Configuration) -> Sharing {
        let mut sharing = Sharing::default();
        if !self.surfaces.shared.is_empty() {
            self.surfaces.for_each_touch(at, Search::default(), |touch| {
                if touch.depth > 0.0 && self.laws.normal.weighs(touch.pair.bounce) {
                    sharing.add(self.surfaces, touch);
                }
            });
        }
        sharing
    }

    /// Sets the normal force of a contact.
    fn press(&self, touch: &mut Touch, sharing: &Sharing, at: &Configuration) {
        let inverse_mass = sharing.inverse_mass(self.surfaces, touch);
        self.laws.press(touch, inverse_mass, at);
    }

    /// Adds the particles on colliders whose slip leaps across the stick zone |v| < ε between the
    /// velocities `before` and `at`, each with the change of velocity \[m/s\] to the point between
    /// that is nearest to no slip. Nothing for laws with memory, whose zone moves with the stretch.
    pub(crate) fn add_stops(
        &self,
        before: &[Vector],
        at: &Configuration,
        into: &mut Vec<(usize, Vector)>,
    ) {
        let law = self.laws.friction.as_ref();
        if law.has_memory() {
            return;
        }
        let mut threshold = None;
        self.surfaces.for_each_touch(at, self.laws.search(at), |touch| {
            let Sides::Collider { particle, .. } = touch.meeting else { return };
            let after = touch.slip.velocity;
            let before = tangential(before[particle] - touch.surface_velocity, touch.basis);
            let turn = after - before;
            let share = -before.dot(&turn) / turn.norm_squared();
            if touch.depth > 0.0 && share > 0.0 && share < 1.0 {
                let epsilon = *threshold.get_or_insert_with(|| law.threshold());
                let nearest = before + turn * share;
                let leaps = before.norm() >= epsilon && after.norm() >= epsilon;
                if leaps && nearest.norm() < epsilon {
                    into.push((particle, nearest - after));
                }
            }
        });
    }

    /// Adds the force of a contact to its particles; returns (N − P) n and F_t \[N\].
    fn act(&self, touch: &Touch, f: &mut [Vector]) -> (Vector, Vector) {
        let friction = touch.friction(self.laws.friction.as_ref());
        let pull = self.laws.adhesion.map_or(0.0, |adhesion| adhesion.pull(touch.depth));
        let along = touch.normal * (touch.normal_force - pull);
        touch.meeting.spread(along, friction, f);
        (along, friction)
    }

    /// Writes the next memory of an accepted contact, and enters its energies and powers in `account`.
    fn enter(
        &self,
        touch: &Touch,
        friction: Vector,
        at: &Configuration,
        account: &mut Account,
        into: &mut Contact,
    ) {
        // field by field: a contact is large, and lies where it stays
        let Contact {
            key,
            ends,
            point,
            normal,
            depth,
            deepest,
            slip,
            surface_velocity,
            normal_force,
            friction: its_friction,
            dissipated,
            pair,
            sticking,
            stretch,
            stored,
            anchor,
            normal_damping,
            damping,
            inverse_mass,
        } = into;
        let law = self.laws.friction.as_ref();
        (*key, *ends) = (touch.meeting.key(), touch.meeting.ends());
        *point = touch.meeting.point(at.positions, &self.surfaces.radii, touch.normal);
        (*normal, *depth) = (touch.normal, touch.depth);
        *deepest = self.surfaces.deepest(&touch.meeting);
        (*slip, *pair) = (touch.slip.velocity, touch.pair.friction);
        *surface_velocity = match touch.meeting {
            Sides::Bodies(proximity) => proximity.second_velocity(at.velocities),
            Sides::Collider { .. } => touch.surface_velocity,
        };
        (*normal_force, *its_friction) = (touch.normal_force, friction);
        (*sticking, *damping) =
            touch.in_axes_of_law(|slip, pair| (law.sticks(slip, pair), law.damping(slip, pair)));
        *damping *= touch.grain.as_ref().map_or(1.0, |grain| grain.gain());
        *anchor = touch.meeting.anchor(at.positions);
        (*stretch, *stored) = (Vector::zeros(), 0.0);
        if law.has_memory() {
            let relaxed = touch.in_axes_of_law(|slip, pair| law.relax(slip, pair));
            *stored = touch.stored(law, relaxed);
            account.released += touch.released(law);
            *stretch = touch.meeting.to_frame(anchor, relaxed, at.positions);
        }
        *inverse_mass = touch.meeting.inverse_mass(&self.surfaces.inverse_masses);
        (*normal_damping, *dissipated) = (touch.damping, touch.dissipated(law, friction));
        account.contact += self.laws.normal.energy(touch.depth) + *stored;
        account.dissipated_normal += self.laws.damped(touch);
        account.enter_friction(*dissipated, *sticking, || {
            POWER_ROUNDING * friction.norm() * touch.slip.velocity.norm()
        });
    }
}

impl Force for ContactForce<'_> {
    fn add_force(&self, at: &Configuration, f: &mut [Vector]) {
        self.for_each(at, |touch| {
            self.act(touch, f);
        });
    }

    /// Exact for flat surfaces that do not turn. Left out: the turning of the normal with position
    /// on curved surfaces (relative size depth/radius), the change of a turning surface's velocity
    /// with position (relative size h × rate), the turning of a material's direction, and the
    /// motion of the contact points over bodies (a stiffness of friction force/edge length). For
    /// symmetric solvers the turning of the normal force between bodies is left out too.
    fn add_jacobian(&self, at: &Configuration, into: &mut dyn BlockSink) {
        self.for_each(at, |touch| {
            let slopes = self.laws.slopes(touch, at);
            let adhesion = self.laws.adhesion.filter(|_| !at.lag.normal_contact);
            let pull_slope = adhesion.map_or(0.0, |adhesion| adhesion.slope(touch.depth));
            let law = self.laws.friction.as_ref();
            touch.add_blocks(law, slopes, pull_slope, at.lag.normal_force, into);
            // the turning may exceed the terms of springs and masses: a symmetric solver would fail
            if touch.normal_force > 0.0 && !at.lag.normal_contact && !into.symmetric() {
                touch.add_turning(slopes.1, at, into);
            }
        });
    }

    fn add_stretch_rate(&self, at: &Configuration, rate: &mut [Vector]) {
        self.for_each(at, |touch| {
            if let Some(number) = touch.known {
                let law = self.laws.friction.as_ref();
                let turning = touch.in_axes_of_law(|slip, pair| law.rate(slip, pair));
                let contact = &at.memory.contacts[number];
                rate[number] += touch.meeting.to_frame(&contact.anchor, turning, at.positions);
            }
        });
    }

    fn add_regimes(&self, at: &Configuration, into: &mut Vec<Regime>) {
        let law = self.laws.friction.as_ref();
        let kinked = law.is_kinked();
        self.for_each(at, |touch| {
            let sticks = || kinked && touch.in_axes_of_law(|slip, pair| law.sticks(slip, pair));
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

    fn commit(&self, at: &Configuration, f: &mut [Vector], ledger: &mut Ledger, next: &mut Memory) {
        // contacts are written over those that were there, since they are large
        let mut filled = 0;
        let search = self.laws.search(at);
        self.surfaces.keep_candidates(at, search.range, next);
        // without memory nothing is stored
        let stores = self.laws.friction.has_memory();
        let remembered = if stores { &at.memory.contacts[..] } else { &[] };
        let mut forgotten = 0.0;
        for contact in remembered {
            forgotten += contact.stored;
            if let Some(share) = ledger.share(contact.particle()) {
                share.released += contact.stored;
            }
        }
        let sharing = self.sharing(at);
        let mut enter = |touch: &mut Touch| {
            self.press(touch, &sharing, at);
            let (along, friction) = self.act(touch, f);
            let first = touch.meeting.first();
            let adhered = self.laws.adhesion.map_or(0.0, |a| a.energy(touch.depth));
            let work = (along + friction).dot(&touch.surface_velocity);
            ledger.enter(first, |account| {
                account.contact += adhered;
                account.work += work;
            });
            if touch.depth > 0.0 {
                if let Some(contact) = touch.known.and_then(|number| remembered.get(number)) {
                    forgotten -= contact.stored;
                    if let Some(share) = ledger.share(contact.particle()) {
                        share.released -= contact.stored;
                    }
                }
                let mut own = Account::default();
                if next.contacts.len() == filled {
                    next.contacts.push(Contact::default());
                }
                self.enter(touch, friction, at, &mut own, &mut next.contacts[filled]);
                filled += 1;
                ledger.enter(first, |account| account.add(&own));
            }
        };
        self.surfaces.for_each_on_colliders(at, search, &mut enter);
        if self.surfaces.between.is_some() {
            let candidates = Arc::clone(&next.candidates);
            self.surfaces.for_each_between(at, search, &candidates, &mut enter);
        }
        next.contacts.truncate(filled);
        ledger.total.released += larger(forgotten, 0.0);
    }
}
