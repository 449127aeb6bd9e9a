//! Ramps of friction that a step jumps over. Friction grows from zero to μN while the slip speed grows to ε, or a
//! contact with a stretch yields at x = |F|/k; a method sees the ends of the step alone. Where stick ends, the ramp
//! takes the share ε/Δs of a step in which the slip speed grows by Δs > ε, or x/(s h), and the impulse of friction may
//! be wrong by up to that share of h |F|, at whatever step: runs at steps that are all longer than the ramp agree on
//! it. Where slip ends or reverses so, the error is of first order by a factor that is chance. Where it reverses early
//! or late in a step runs whose steps begin or end together agree on it: a step that takes one direction of friction is
//! off by 2 h |F| times the share before or after, and one that ends in stick, from which it slides back, by a share of
//! the slip of the next step, of which more than half would show at half the step. They agree too where it slides back
//! faster than a whole step of its acceleration would make it, as after a stage that stopped it.

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
    /// it began to stick after it slid for some steps
    Stopped,
    /// its slip reversed
    Reversed,
}

/// Time in which the speed of a body may be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Spell {
    /// \[s\]
    from: f64,
    /// when a contact of the body sticks again \[s\]
    until: Option<f64>,
    /// possible error of the speed of its centre of mass \[m/s\]
    speed: f64,
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
    /// Possible error of the speed between two times \[m/s\]: the largest Δv of the spells that meet them.
    pub fn speed(&self, after: f64, until: f64) -> f64 {
        let within =
            |spell: &&Spell| spell.from < until && spell.until.is_none_or(|ended| ended > after);
        self.spells.iter().filter(within).map(|spell| spell.speed).fold(0.0, larger)
    }

    /// Possible error of the place at a time t \[m\]: Σ Δv (min(t_end, t) − t_begin) over the spells.
    pub fn place(&self, time: f64) -> f64 {
        let end = |spell: &Spell| spell.until.filter(|until| *until < time).unwrap_or(time);
        self.spells.iter().map(|spell| spell.speed * larger(end(spell) - spell.from, 0.0)).sum()
    }

    /// The speed may be wrong by so much more from a time on.
    fn slip(&mut self, time: f64, speed: f64) {
        let open = self.spells.last_mut().filter(|spell| spell.until.is_none());
        let before = open.as_ref().map_or(0.0, |spell| spell.speed);
        // several contacts of one step
        if let Some(open) = open.filter(|spell| spell.from == time) {
            open.speed += speed;
            return;
        }
        let speed = speed + before;
        self.stick(time);
        if self.spells.len() == MOST {
            let joined = self.spells.chunks(2).map(|pair| Spell {
                until: pair[pair.len() - 1].until,
                speed: pair.iter().map(|spell| spell.speed).fold(0.0, larger),
                ..pair[0]
            });
            self.spells = joined.collect();
        }
        self.spells.push(Spell { from: time, until: None, speed });
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

    /// Looks at a contact that lasts: Δv = share · h |F|/m, at most Δs, where it breaks loose; 2 h |F|/m times the
    /// lesser of s₀/Δs and s₁/Δs where its slip reverses; what that has more than Δs a step later; half of it where it
    /// stuck in between. It is at the end of a step of `h` \[s\], at whose beginning it had a slip, did or did not
    /// stick, and came to that so: what turns with every step rings, and another watch looks at it. Returns what it did
    /// in the step.
    pub(super) fn look(
        &mut self,
        (model, state): (&Model, &State),
        contact: &Contact,
        (slip, stuck, slides): (Vector, bool, Slide),
        h: f64,
    ) -> Slide {
        let turned = stuck != contact.sticking;
        if !turned && (contact.sticking || slip.dot(&contact.slip) >= 0.0) {
            let change = (contact.slip - slip).norm();
            let thrown = larger(slip.norm() - change, 0.0);
            if slides == Slide::Reversed && thrown > change && thrown > ramp(model, contact, h) {
                self.may_be_wrong((model, state), contact, state.time - h, |_| thrown);
            }
            return Slide::Steadily;
        }
        if contact.sticking {
            self.hold(model, contact, state.time);
        }
        let gained = contact.slip.norm();
        if slides == Slide::Stopped && gained > ramp(model, contact, h) {
            self.may_be_wrong((model, state), contact, state.time, |_| 0.5 * gained);
        }
        let now = match (turned, contact.sticking) {
            (true, true) if slides == Slide::Steadily => Slide::Stopped,
            (true, _) => Slide::Turned,
            (false, _) => Slide::Reversed,
        };
        if slides != Slide::Steadily {
            return now;
        }
        let share = share(model, contact, slip, h);
        if share < 1.0 {
            self.any = true;
            let change = (contact.slip - slip).norm();
            let shared = match (stuck, contact.sticking) {
                (true, _) => share,
                (false, true) => 0.0,
                (false, false) => 2.0 * smaller(slip.norm(), contact.slip.norm()) / change,
            };
            if shared > 0.0 {
                self.may_be_wrong((model, state), contact, state.time, |body| {
                    let speed = shared * h * contact.friction.norm() / mass(model, body);
                    // where load and friction nearly balance, the slip itself is what may be wrong
                    smaller(speed, change)
                });
            }
        }
        now
    }

    /// The speeds of the bodies of a contact that no contact holds may be wrong from a time on, by `speed` \[m/s\].
    fn may_be_wrong(
        &mut self,
        (model, state): (&Model, &State),
        contact: &Contact,
        from: f64,
        speed: impl Fn(usize) -> f64,
    ) {
        let free = bodies(model, contact).into_iter().flatten();
        for body in free.filter(|body| !sticks(model, state, *body)) {
            if self.bodies.len() <= body {
                self.bodies.resize(body + 1, JumpedRamp::default());
            }
            self.bodies[body].slip(from, speed(body));
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

    #[test]
    fn what_a_spell_leaves_stays_in_the_place_and_not_in_the_speed() {
        let mut ramp = JumpedRamp::default();
        ramp.slip(1.0, 0.2);
        ramp.slip(2.0, 0.1);
        ramp.stick(4.0);
        for (time, speed, place) in
            [(0.5, 0.0, 0.0), (1.5, 0.2, 0.1), (3.0, 0.3, 0.5), (9.0, 0.0, 0.8)]
        {
            assert!((ramp.speed(time - 0.1, time) - speed).abs() < 1e-15, "{time}");
            assert!((ramp.place(time) - place).abs() < 1e-15, "{time}: {}", ramp.place(time));
        }
    }

    #[test]
    fn contacts_that_break_loose_in_one_step_add_up_in_one_spell() {
        let mut ramp = JumpedRamp::default();
        (0..100).for_each(|_| ramp.slip(1.0, 0.01));
        assert!(ramp.spells.len() == 1 && (ramp.speed(1.0, 2.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn many_spells_become_fewer_and_no_smaller() {
        let mut ramp = JumpedRamp::default();
        for k in 0..1000 {
            ramp.slip(f64::from(k), 0.1);
            ramp.stick(f64::from(k) + 0.5);
        }
        assert!(ramp.spells.len() <= MOST);
        assert!(ramp.place(1000.0) >= 50.0 && ramp.speed(998.9, 1000.0) == 0.1);
    }
}
