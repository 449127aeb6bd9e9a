//! The effects of jumped ramps on one body (jumped_ramps.rs): in which times its speed may be wrong, and by how much,
//! and where it stopped.

use crate::math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// By how much the speed of a body may be wrong after one step \[m/s\].
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct SpeedError {
    /// Σ of the impulses of its contacts over its mass
    pub by_impulse: f64,
    /// most that these can make, Δs
    pub most: f64,
    /// the largest error of a slip itself
    pub by_slip: f64,
}

impl SpeedError {
    /// An impulse over a mass, and the most that it can make.
    pub fn of_impulse(by_impulse: f64, most: f64) -> SpeedError {
        SpeedError { by_impulse, most, by_slip: 0.0 }
    }

    /// An error of a slip itself \[m/s\].
    pub fn of_slip(speed: f64) -> SpeedError {
        SpeedError { by_slip: speed, ..SpeedError::default() }
    }

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
    stops: Vec<Stop>,
}

/// A slip that ended within a step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Stop {
    /// \[s\]
    from: f64,
    /// when the body slides again \[s\]
    until: Option<f64>,
    /// possible error of the place in between \[m\]: the sum of the displacements that friction of its contacts can
    /// make, up to the largest way of a slip
    by_friction: f64,
    most: f64,
}

impl Stop {
    fn size(&self) -> f64 {
        smaller(self.by_friction, self.most)
    }
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
    /// reversal counts until the next one: about a place such errors swing. To this comes that of a stop.
    pub fn place(&self, time: f64) -> f64 {
        let end = |spell: &Spell| spell.until.filter(|until| *until < time).unwrap_or(time);
        let spells = self.spells.iter();
        let slid: f64 = spells.map(|s| s.rate() * larger(end(s) - s.from, 0.0)).sum();
        let lasts = |stop: &&Stop| stop.from <= time && stop.until.is_none_or(|end| end > time);
        slid + self.stops.iter().filter(lasts).map(Stop::size).fold(0.0, larger)
    }

    /// A slip ended in the step until a time, and the place may be off: by so much by its friction, and at most.
    pub(super) fn stop(&mut self, time: f64, by_friction: f64, most: f64) {
        let last = self.stops.last_mut().filter(|stop| stop.until.is_none());
        if let Some(stop) = last {
            // another contact
            stop.by_friction += by_friction;
            stop.most = larger(stop.most, most);
            return;
        }
        if self.stops.len() == MOST {
            let joined = self.stops.chunks(2).map(|pair| Stop {
                from: pair[0].from,
                until: pair[pair.len() - 1].until,
                by_friction: f64::INFINITY,
                most: pair.iter().map(Stop::size).fold(0.0, larger),
            });
            self.stops = joined.collect();
        }
        self.stops.push(Stop { from: time, until: None, by_friction, most });
    }

    /// The body slides from a time on.
    pub(super) fn slide(&mut self, time: f64) {
        let last = self.stops.last_mut().filter(|stop| stop.until.is_none());
        last.into_iter().for_each(|stop| stop.until = Some(time));
    }

    pub(super) fn counts(&self) -> bool {
        !self.spells.is_empty() || !self.stops.is_empty()
    }

    /// The speed may be wrong by so much more from a time on, at which the slip reverses if it `turns`.
    pub(super) fn slip(&mut self, time: f64, own: SpeedError, turns: bool) {
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
    pub(super) fn stick(&mut self, time: f64) {
        let open = self.spells.last_mut().filter(|spell| spell.until.is_none());
        open.into_iter().for_each(|spell| spell.until = Some(time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn impulse(speed: f64) -> SpeedError {
        SpeedError::of_impulse(speed, 1.5)
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
        (0..100).for_each(|_| thrown.slip(1.0, SpeedError::of_slip(0.3), true));
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
    fn a_stop_is_off_until_the_body_slides() {
        let mut ramp = JumpedRamp::default();
        ramp.stop(1.0, 0.125, 0.5);
        ramp.stop(1.0, 0.25, 0.5);
        ramp.slide(2.0);
        for (time, place) in [(0.5, 0.0), (1.0, 0.375), (1.9, 0.375), (2.1, 0.0)] {
            assert_eq!(ramp.place(time), place, "{time}");
        }
        for k in 0..1000 {
            ramp.stop(3.0 + f64::from(k), 1.0, 0.2);
            ramp.slide(3.5 + f64::from(k));
        }
        assert!(ramp.stops.len() <= MOST && ramp.place(500.2) >= 0.2);
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
