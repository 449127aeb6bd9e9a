//! Ramps of friction that a step jumps over. Friction grows from zero to μN while the slip speed grows to ε, or a
//! contact with a stretch yields at x = |F|/k; a method sees the ends of the step alone, and runs at other steps may see
//! the same. With s₀ and s₁ the slip speeds before and after a step, Δs = |s₁ − s₀| \[m/s\] its change, and m the mass of
//! the body \[kg\], a speed may be wrong by
//!
//! - min(ε/Δs · h |F|/m, Δs) where a contact breaks loose: the share of the step that the ramp takes, x/(s h) with a
//!   stretch, whatever the step;
//! - min(2 h |F|/m · max(s₀, s₁)/Δs, Δs) where the slip reverses: all of the step has one direction of friction, and so
//!   have longer steps that begin or end there, and shorter ones where it reverses early or late;
//! - s₀ − Δs a step after a reversal, if that is above Δs and ε: a stage stopped it, and it was thrown back;
//! - s₁ where a contact that came to stick at the end of one step slides again in the next, as it should have done in a
//!   part of the first.
//!
//! A collider whose speed jumps turns the slip between two parts of a step, and adds nothing. All other errors of ends
//! and reversals of slip are of first order by a factor that is chance.

use crate::math::{Vector, larger, smaller};
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

/// By how much the speed of a body may be wrong after one step \[m/s\].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
struct SpeedError {
    /// Σ of the impulses of its contacts over its mass
    by_impulse: f64,
    /// most that these can make, Δs
    most: f64,
    /// the largest error of a slip itself
    by_slip: f64,
}

impl SpeedError {
    fn size(&self) -> f64 {
        larger(smaller(self.by_impulse, self.most), self.by_slip)
    }

    /// With that of another contact of the body.
    fn and(&self, other: &SpeedError) -> SpeedError {
        SpeedError {
            by_impulse: self.by_impulse + other.by_impulse,
            most: larger(self.most, other.most),
            by_slip: larger(self.by_slip, other.by_slip),
        }
    }
}

/// Time in which the speed of a body may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Spell {
    /// \[s\]
    from: f64,
    /// when a contact of the body sticks again, or another spell begins \[s\]
    until: Option<f64>,
    /// what earlier spells left in its place and in its speed \[m/s\]
    before: f64,
    before_turns: f64,
    own: SpeedError,
    /// whether it began with a reversal: the next one ends what it adds to the place
    turns: bool,
}

impl Spell {
    /// Possible error of the speed \[m/s\].
    fn speed(&self) -> f64 {
        self.before + self.before_turns + self.own.size()
    }

    /// Possible error of the place that it adds in a second \[m/s\].
    fn rate(&self) -> f64 {
        self.before + self.own.size()
    }
}

/// The effects of jumped ramps on one body.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct JumpedRamp {
    /// in order of time
    spells: Vec<Spell>,
}

/// The effects on all bodies.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct JumpedRamps {
    /// Whether any ramp was jumped, also where slip ends or reverses.
    pub any: bool,
    /// by the numbers of bodies
    bodies: Vec<JumpedRamp>,
}

/// Largest number of spells of a body; of more, neighbours become one with the larger speed.
const MOST: usize = 32;

impl JumpedRamp {
    /// Possible error of the speed between two times \[m/s\]: the largest of the spells that meet them.
    pub fn speed(&self, after: f64, until: f64) -> f64 {
        let within =
            |spell: &&Spell| spell.from < until && spell.until.is_none_or(|ended| ended > after);
        self.spells.iter().filter(within).map(Spell::speed).fold(0.0, larger)
    }

    /// Possible error of the place at a time t \[m\]: Σ Δv (min(t_end, t) − t_begin) over the spells, where that of a
    /// reversal counts until the next one: about a place such errors swing.
    pub fn place(&self, time: f64) -> f64 {
        let end = |spell: &Spell| spell.until.filter(|until| *until < time).unwrap_or(time);
        self.spells.iter().map(|spell| spell.rate() * larger(end(spell) - spell.from, 0.0)).sum()
    }

    /// The speed may be wrong by so much more from a time on, at which the slip reverses if it `turns`.
    fn slip(&mut self, time: f64, own: SpeedError, turns: bool) {
        let open = self.spells.last_mut().filter(|spell| spell.until.is_none());
        let (mut before, mut before_turns) = (0.0, 0.0);
        if let Some(open) = open {
            // several contacts of one step
            if open.from == time {
                open.own = open.own.and(&own);
                open.turns |= turns;
                return;
            }
            (before, before_turns) = match open.turns {
                true => (open.before, open.before_turns + open.own.size()),
                false => (open.rate(), open.before_turns),
            };
        }
        self.stick(time);
        if self.spells.len() == MOST {
            let joined = self.spells.chunks(2).map(|pair| {
                let rate = pair.iter().map(Spell::rate).fold(0.0, larger);
                let speed = pair.iter().map(Spell::speed).fold(0.0, larger);
                Spell {
                    until: pair[pair.len() - 1].until,
                    before: rate,
                    before_turns: speed - rate,
                    own: SpeedError::default(),
                    ..pair[0]
                }
            });
            self.spells = joined.collect();
        }
        self.spells.push(Spell { from: time, until: None, before, before_turns, own, turns });
    }

    /// The body sticks from a time on.
    fn stick(&mut self, time: f64) {
        let open = self.spells.last_mut().filter(|spell| spell.until.is_none());
        open.into_iter().for_each(|spell| spell.until = Some(time));
    }
}

impl JumpedRamps {
    /// The effects on a body; none if it jumped no ramp.
    pub fn of(&self, body: usize) -> Option<&JumpedRamp> {
        self.bodies.get(body).filter(|ramp| !ramp.spells.is_empty())
    }

    /// The effects on all bodies that jumped one.
    pub fn all(&self) -> impl Iterator<Item = &JumpedRamp> {
        self.bodies.iter().filter(|ramp| !ramp.spells.is_empty())
    }

    /// Looks at a contact that lasts, at the end of a step of `h` \[s\], at whose beginning it had a slip, did or did not
    /// stick, and had done in the step before what `slides` says: one that turns with every step rings, and another
    /// watch looks at it. Returns what it did in the step.
    pub(super) fn look(
        &mut self,
        world: (&Model, &State),
        contact: &Contact,
        (slip, stuck, slides): (Vector, bool, Slide),
        h: f64,
    ) -> Slide {
        let (model, time) = (world.0, world.1.time);
        let (before, after) = (slip.norm(), contact.slip.norm());
        let change = (contact.slip - slip).norm();
        let turned = stuck != contact.sticking;
        if !turned && (contact.sticking || slip.dot(&contact.slip) >= 0.0) {
            let thrown = before - change;
            if slides == Slide::Reversed && thrown > change && thrown > ramp(model, contact, h) {
                self.may_be_wrong(world, contact, (time - h, true), |_| by_slip(thrown));
            }
            return Slide::Steadily;
        }
        if contact.sticking {
            self.hold(model, contact, time);
        }
        if surface_jumps(model, contact, (time - h, time)) {
            return Slide::Turned;
        }
        let share = share(model, contact, slip, h);
        if slides == Slide::Stopped && share < 1.0 {
            self.may_be_wrong(world, contact, (time, true), |_| by_slip(after));
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
        let wrong = |share: f64| {
            move |body| SpeedError {
                by_impulse: share * impulse / mass(model, body),
                most: change,
                by_slip: 0.0,
            }
        };
        if stuck {
            self.may_be_wrong(world, contact, (time, false), wrong(share));
        } else if !contact.sticking {
            let share = 2.0 * larger(before, after) / change;
            self.may_be_wrong(world, contact, (time, true), wrong(share));
        }
        now
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
            if self.bodies.len() <= body {
                self.bodies.resize(body + 1, JumpedRamp::default());
            }
            self.bodies[body].slip(from, error(body), turns);
        }
    }

    /// A contact sticks from `time` \[s\] on, and its bodies with it.
    pub(super) fn hold(&mut self, model: &Model, contact: &Contact, time: f64) {
        for body in bodies(model, contact).into_iter().flatten() {
            self.bodies.iter_mut().skip(body).take(1).for_each(|ramp| ramp.stick(time));
        }
    }
}

/// An error of a slip itself \[m/s\].
fn by_slip(speed: f64) -> SpeedError {
    SpeedError { by_slip: speed, ..SpeedError::default() }
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

/// The slip speed at which a step passes over the ramp, ε, with a stretch |F|/(k h) \[m/s\].
fn ramp(model: &Model, contact: &Contact, h: f64) -> f64 {
    let law = model.friction();
    match law.has_memory() {
        true => contact.friction.norm() / law.stiffness() / h,
        false => law.threshold(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impulse(speed: f64) -> SpeedError {
        SpeedError { by_impulse: speed, most: 1.5, by_slip: 0.0 }
    }

    #[test]
    fn what_a_spell_leaves_stays_in_the_place_and_not_in_the_speed() {
        let mut ramp = JumpedRamp::default();
        ramp.slip(1.0, impulse(0.2), false);
        ramp.slip(2.0, impulse(0.1), false);
        ramp.stick(4.0);
        for (time, speed, place) in
            [(0.5, 0.0, 0.0), (1.5, 0.2, 0.1), (3.0, 0.3, 0.5), (9.0, 0.0, 0.8)]
        {
            assert!((ramp.speed(time - 0.1, time) - speed).abs() < 1e-15, "{time}");
            assert!((ramp.place(time) - place).abs() < 1e-15, "{time}: {}", ramp.place(time));
        }
    }

    /// Impulses of contacts add up to no more than the change of the slip; slips are those of one body.
    #[test]
    fn contacts_of_one_step_are_one_spell() {
        let mut ramp = JumpedRamp::default();
        (0..100).for_each(|_| ramp.slip(1.0, impulse(0.01), false));
        assert!(ramp.spells.len() == 1 && (ramp.speed(1.0, 2.0) - 1.0).abs() < 1e-12);
        (0..100).for_each(|_| ramp.slip(1.0, impulse(0.01), false));
        assert!((ramp.speed(1.0, 2.0) - 1.5).abs() < 1e-12);
        let mut thrown = JumpedRamp::default();
        (0..100).for_each(|_| thrown.slip(1.0, by_slip(0.3), true));
        assert!((thrown.speed(1.0, 2.0) - 0.3).abs() < 1e-15);
    }

    /// Of a hundred turns the speed has all, the place each until the next one.
    #[test]
    fn errors_of_turns_swing() {
        let mut ramp = JumpedRamp::default();
        ramp.slip(0.0, impulse(0.1), false);
        (1..=10).for_each(|k| ramp.slip(f64::from(k), impulse(0.01), true));
        assert!((ramp.speed(10.5, 11.0) - 0.2).abs() < 1e-12);
        assert!((ramp.place(11.0) - (1.1 + 0.1)).abs() < 1e-12, "{}", ramp.place(11.0));
    }

    #[test]
    fn many_spells_become_fewer_and_no_smaller() {
        let mut ramp = JumpedRamp::default();
        for k in 0..1000 {
            ramp.slip(f64::from(k), impulse(0.1), k % 2 == 0);
            ramp.stick(f64::from(k) + 0.5);
        }
        assert!(ramp.spells.len() <= MOST);
        assert!(ramp.place(1000.0) >= 50.0 - 1e-9 && ramp.speed(998.9, 1000.0) == 0.1);
    }
}
