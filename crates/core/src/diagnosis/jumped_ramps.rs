//! Ramps of friction that a step jumps over. Friction grows from zero to μN while the slip speed grows to ε, or a
//! contact with a stretch yields at x = |F|/k; a method sees the ends of the step alone, and runs at other steps may see
//! the same. With s₀ and s₁ the slip speeds before and after a step, Δs = |s₁ − s₀| \[m/s\] its change, and m the mass of
//! the body \[kg\], a speed may be wrong by
//!
//! - min(ε/Δs · h |F|/m, Δs) where a contact breaks loose: the share of the step that the ramp takes, x/(s h) with a
//!   stretch, whatever the step; of a law without a stretch no more than is gained on the ramp under a load that is
//!   constant, with the acceleration a = Δs/h behind it, ∫ f |1 − φ|/(a + f (1 − φ)) ds from 0 to s₁, f = |F|/m,
//!   φ = F(s)/F(s₁), which is ε or less where F grows to ε and is constant then;
//! - min(2 h |F|/m · max(s₀, s₁)/Δs, Δs) where the slip reverses: all of the step has one direction of friction, and so
//!   have longer steps that begin or end there, and shorter ones where it reverses early or late;
//! - s₀ − Δs a step after a reversal, if that is above Δs and ε: a stage stopped it, and it was thrown back;
//! - s₁ where a contact that came to stick at the end of one step slides again in the next, as it should have done in a
//!   part of the first.
//!
//! A slip that ends within a step of a method that does not choose it goes up to h s₀/2 too far or not far enough, and no
//! farther than μN moves the body, h² μN/(2m), until it breaks loose again: by less than a step it is not known when
//! friction fell on its ramp, and from the same start all large steps agree on it.
//!
//! A collider whose speed jumps turns the slip between two parts of a step, and adds nothing. All other errors of ends
//! and reversals of slip are of first order by a factor that is chance.

use super::jumped_ramp::{JumpedRamp, SpeedError};
use crate::contact::friction::Slip;
use crate::math::{Vector, larger, pow, smaller};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use serde::{Deserialize, Serialize};

/// The last step of a contact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slide {
    /// it began
    #[default]
    Began,
    /// it stuck, or slid, as in the step before
    Steadily,
    /// it began to stick or to slide
    Turned,
    /// it began to stick after a step of steady slip
    Stopped,
    /// its slip reversed
    Reversed,
}

/// The effects on all bodies.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct JumpedRamps {
    /// Whether any ramp was jumped, also where slip ends or reverses.
    pub any: bool,
    /// by the numbers of bodies
    bodies: Vec<JumpedRamp>,
}

impl JumpedRamps {
    /// The effects on a body; none if it jumped no ramp.
    pub fn of(&self, body: usize) -> Option<&JumpedRamp> {
        self.bodies.get(body).filter(|ramp| ramp.counts())
    }

    /// The effects on all bodies that jumped one.
    pub fn all(&self) -> impl Iterator<Item = &JumpedRamp> {
        self.bodies.iter().filter(|ramp| ramp.counts())
    }

    /// Looks at a contact that lasts, at the end of a step of `h` \[s\], at whose beginning it had a slip, did or did not
    /// stick, and had done in the step before what `slides` says: one that turns with every step rings, and another
    /// watch looks at it. Returns what it did in the step.
    pub(super) fn look(
        &mut self,
        world: (&Model, &State),
        contact: &Contact,
        (slip, stuck, slides): (Vector, bool, Slide),
        (h, adaptive): (f64, bool),
    ) -> Slide {
        let (model, time) = (world.0, world.1.time);
        let (before, after) = (slip.norm(), contact.slip.norm());
        let change = (contact.slip - slip).norm();
        let turned = stuck != contact.sticking;
        if !turned && (contact.sticking || slip.dot(&contact.slip) >= 0.0) {
            let thrown = before - change;
            let error = |_| SpeedError::of_slip(thrown);
            if slides == Slide::Reversed && thrown > change && thrown > ramp(model, contact, h) {
                self.may_be_wrong(world, contact, (time - h, true), error);
            }
            return Slide::Steadily;
        }
        if contact.sticking {
            self.hold(model, contact, time);
        }
        if surface_jumps(model, contact, (time - h, time)) {
            return Slide::Turned;
        }
        if turned && !adaptive {
            self.stop_or_slide(world, contact, (slides, before), h);
        }
        let share = share(model, contact, slip, h);
        if slides == Slide::Stopped && share < 1.0 {
            self.may_be_wrong(world, contact, (time, true), |_| SpeedError::of_slip(after));
        }
        let now = match (turned, contact.sticking) {
            (true, true) if slides == Slide::Steadily => Slide::Stopped,
            (true, _) => Slide::Turned,
            (false, _) => Slide::Reversed,
        };
        let impulse = h * contact.friction.norm();
        // a law without a ramp has one direction of friction or the other
        let jumped = share < 1.0 || (impulse > 0.0 && !model.friction().can_rest());
        if slides != Slide::Steadily || !jumped {
            return now;
        }
        self.any = true;
        // where load and friction nearly balance, the slip itself is what may be wrong
        let wrong =
            |body, share| SpeedError::of_impulse(share * impulse / mass(model, body), change);
        if stuck {
            self.may_be_wrong(world, contact, (time, false), |body| {
                let gained = gained_on_ramp(model, contact, change / h, mass(model, body));
                let loose = wrong(body, share);
                SpeedError { by_impulse: smaller(loose.by_impulse, gained), ..loose }
            });
        } else if !contact.sticking {
            let share = 2.0 * larger(before, after) / change;
            self.may_be_wrong(world, contact, (time, true), |body| wrong(body, share));
        }
        now
    }

    /// A contact began to stick after a steady slip of so many m/s, and the place of its bodies may be off, or to slide.
    fn stop_or_slide(
        &mut self,
        (model, state): (&Model, &State),
        contact: &Contact,
        (slides, before): (Slide, f64),
        h: f64,
    ) {
        let ends = contact.sticking && matches!(slides, Slide::Steadily | Slide::Began);
        let pair = &contact.pair;
        let friction = larger(pair.static_friction, pair.kinetic_friction) * contact.normal_force;
        for body in bodies(model, contact).into_iter().flatten() {
            let by_friction = 0.5 * h * h * friction / mass(model, body);
            let ramp = self.of_body(body);
            match ends {
                true => ramp.stop(state.time, by_friction, 0.5 * h * before),
                false if !contact.sticking => ramp.slide(state.time),
                false => {}
            }
        }
    }

    fn of_body(&mut self, body: usize) -> &mut JumpedRamp {
        if self.bodies.len() <= body {
            self.bodies.resize(body + 1, JumpedRamp::default());
        }
        &mut self.bodies[body]
    }

    /// The speeds of the bodies of a contact that no contact holds may be wrong from a time on.
    fn may_be_wrong(
        &mut self,
        (model, state): (&Model, &State),
        contact: &Contact,
        (from, turns): (f64, bool),
        error: impl Fn(usize) -> SpeedError,
    ) {
        let free = bodies(model, contact).into_iter().flatten();
        for body in free.filter(|body| !sticks(model, state, *body)) {
            self.of_body(body).slip(from, error(body), turns);
        }
    }

    /// A contact sticks from `time` \[s\] on, and its bodies with it.
    pub(super) fn hold(&mut self, model: &Model, contact: &Contact, time: f64) {
        for body in bodies(model, contact).into_iter().flatten() {
            self.bodies.iter_mut().skip(body).take(1).for_each(|ramp| ramp.stick(time));
        }
    }
}

/// The bodies of a contact that can move: one, or two.
fn bodies(model: &Model, contact: &Contact) -> [Option<usize>; 2] {
    let moving = |(particle, _): (usize, f64)| {
        model.body_of(particle).filter(|_| model.inverse_masses[particle] != Vector::zeros())
    };
    let mut all = contact.ends.iter().filter_map(moving);
    let first = all.next();
    [first, all.find(|body| Some(*body) != first)]
}

/// Whether any contact of a body sticks.
fn sticks(model: &Model, state: &State, body: usize) -> bool {
    let sticking = state.memory.contacts.iter().filter(|contact| contact.sticking);
    sticking.into_iter().any(|contact| bodies(model, contact).contains(&Some(body)))
}

/// Whether the speed of the touched collider jumps in a step, after `from` and until its end \[s\]: where a part of the
/// step ends, so that friction has one direction before and another one behind.
fn surface_jumps(model: &Model, contact: &Contact, (from, until): (f64, f64)) -> bool {
    let collider = contact.key.collider().and_then(|k| model.surfaces.colliders.get(k));
    let mut guides = collider.into_iter().flat_map(|collider| &collider.motion.guides);
    let near = 1e-6 * (until - from);
    guides.any(|guide| {
        let jumps = |t: &f64| guide.curve.at(*t, true)[1] != guide.curve.at(*t, false)[1];
        let within = |t: &f64| *t > from + near && *t < until + near;
        guide.curve.corners().iter().any(|t| within(t) && jumps(t))
    })
}

/// The mass of the particles of a body that can move \[kg\].
fn mass(model: &Model, body: usize) -> f64 {
    let inverse = &model.inverse_masses[model.bodies[body].particles.clone()];
    let moving = inverse.iter().map(|inverse| inverse.amax()).filter(|inverse| *inverse > 0.0);
    moving.map(|inverse| 1.0 / inverse).sum()
}

/// The share of the step that the ramp takes, ε/|Δs|, with a stretch |F|/(k h s); 1 where the step sees it, or there is
/// none.
fn share(model: &Model, contact: &Contact, before: Vector, h: f64) -> f64 {
    let gone = match model.friction().has_memory() {
        true => larger(contact.slip.norm(), before.norm()),
        false => (contact.slip - before).norm(),
    };
    let ramp = ramp(model, contact, h);
    if ramp > 0.0 && gone > ramp { ramp / gone } else { 1.0 }
}

/// Points of the integral over a ramp, and the decades below s₁ from which it begins.
const POINTS: i32 = 240;
const DECADES: f64 = 12.0;

/// The speed that a body of `mass` \[kg\] gains or loses on the ramp beside that under the friction behind it, if it
/// accelerates by `a` \[m/s²\] then \[m/s\]; infinite for laws with a stretch, and where friction on the ramp is larger
/// than the load.
fn gained_on_ramp(model: &Model, contact: &Contact, a: f64, mass: f64) -> f64 {
    let (law, last) = (model.friction(), contact.slip.norm());
    if law.has_memory() || last == 0.0 {
        return f64::INFINITY;
    }
    let direction = contact.slip / last;
    let friction = |speed: f64| {
        let slip = Slip {
            velocity: direction * speed,
            normal_force: contact.normal_force,
            sliding: true,
            ..Slip::default()
        };
        -law.force(&slip, &contact.pair).dot(&direction) / mass
    };
    let behind = friction(last);
    let of = |k: i32| last * pow(10.0, -DECADES * (1.0 - f64::from(k) / f64::from(POINTS)));
    let part = |k: i32| {
        let (from, until) = (of(k), of(k + 1));
        let lacks = [from, until].map(|speed| behind - friction(speed));
        let gains = a + smaller(lacks[0], lacks[1]);
        match gains > 0.0 {
            true => larger(lacks[0].abs(), lacks[1].abs()) / gains * (until - from),
            false => f64::INFINITY,
        }
    };
    (0..POINTS).map(part).sum::<f64>() + of(0)
}

/// The slip speed at which a step passes over the ramp, ε, with a stretch |F|/(k h) \[m/s\].
fn ramp(model: &Model, contact: &Contact, h: f64) -> f64 {
    let law = model.friction();
    match law.has_memory() {
        true => contact.friction.norm() / law.stiffness() / h,
        false => law.threshold(),
    }
}
