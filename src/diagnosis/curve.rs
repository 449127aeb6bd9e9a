//! Particles on curves: whether they stay there, whether the multiplier that friction is taken from is
//! near the one that acts, and whether what should rest does.

use crate::math::{Vector, larger, smaller};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::OnCurve;

/// Share of the room a particle moves in that it may be off its curve.
const OFF: f64 = 0.01;

/// Share of the constraint force, meant over time, by which that of the step before may differ.
const LAG: f64 = 0.05;

/// Share of the time so far that a particle may take to stop, once friction could stop it in a step.
const LATE: f64 = 0.05;

/// Turns back that make chatter, of a particle that is slow enough for a few steps to turn it and that
/// friction could hold. One that stops in time turns once at most.
const MANY: u32 = 4;

/// How fast that is, and what counts as standing, in shares of what friction can take from a velocity
/// in one step.
const SLOW: f64 = 4.0;
const STANDING: f64 = 1e-6;

/// What is wrong with a particle on a curve.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It has left its curve.
    Off {
        /// The particle.
        particle: usize,
        /// How far \[m\].
        distance: f64,
        /// The diagonal of the box it moved in \[m\].
        room: f64,
    },
    /// The multiplier changes too fast for friction to be taken from the step before.
    Lag {
        /// The particle.
        particle: usize,
        /// Mean |Gᵀλ − Gᵀλ_k| over mean |Gᵀλ|.
        share: f64,
    },
    /// It turns back and forth where it should rest.
    Chatter {
        /// The particle.
        particle: usize,
        /// First time \[s\].
        time: f64,
        /// Speed \[m/s\].
        speed: f64,
    },
    /// It goes on for long where friction should have stopped it within a step.
    Late {
        /// The particle.
        particle: usize,
        /// When it should have stopped \[s\].
        time: f64,
        /// How long it went on \[s\].
        late: f64,
    },
}

/// The names of the reasons and what they mean, for `explain`.
pub const REASONS: [(&str, &str); 3] = [
    (
        "off-the-curve",
        "A particle on a curve was further from it than a hundredth of the room it moved in. Without `stabilisation` it drifts by about κ (h v)²/2 per step, with κ the curvature; with it the distance settles near κ (h v)²/(2 stabilisation). Use a smaller step, or `projection = true`.",
    ),
    (
        "constraint-lag",
        "Friction on a curve is taken from the constraint force of the step before (coupling `velocity-linear` or `lagged`), and over the run that was off by more than a twentieth. Use a smaller step, or coupling `multiplier-linear`, which does not lag in size.",
    ),
    (
        "late-stop",
        "A particle on a curve crept on where friction could have stopped it within a step, for more than a twentieth of the time so far. Friction that is linear in the velocity (coupling `velocity-linear`) only ever shrinks it: by the ratio of what drives it to what friction could bear, step by step. Use `rest = true` or a smaller step.",
    ),
];

impl Fault {
    /// Its short name.
    pub fn name(&self) -> &'static str {
        match self {
            Fault::Off { .. } => REASONS[0].0,
            Fault::Lag { .. } => REASONS[1].0,
            Fault::Late { .. } => REASONS[2].0,
            Fault::Chatter { .. } => "chatter",
        }
    }

    /// One sentence with numbers and the remedy.
    pub fn describe(&self, model: &Model) -> String {
        match self {
            Fault::Off { particle, distance, room } => format!(
                "{} left its curve by {distance:.3e} m, {:.1} % of the {room:.3e} m it moved in (at most {:.0} %). Use a smaller step, `stabilisation`, or `projection = true`",
                model.particle_name(*particle),
                100.0 * distance / room,
                100.0 * OFF
            ),
            Fault::Lag { particle, share } => format!(
                "friction of {} was taken from constraint forces that were off by {:.1} % on the average (at most {:.0} %). Use a smaller step or coupling = \"multiplier-linear\"",
                model.particle_name(*particle),
                100.0 * share,
                100.0 * LAG
            ),
            Fault::Chatter { particle, time, speed } => format!(
                "friction on the curve chatters: {} turns back again and again within a few steps, at up to {speed:.3e} m/s, where friction could hold it, first at t = {time:.4} s. Use `rest = true`",
                model.particle_name(*particle)
            ),
            Fault::Late { particle, time, late } => format!(
                "{} should have stopped on its curve at t = {time:.4} s, and crept on for {late:.3} s more. Use `rest = true` or a smaller step",
                model.particle_name(*particle)
            ),
        }
    }
}

/// One particle so far.
#[derive(Debug, Clone, Copy)]
struct Track {
    particle: usize,
    low: Vector,
    high: Vector,
    distance: f64,
    /// ∫ |Gᵀλ − Gᵀλ_k| dt, ∫ |Gᵀλ| dt
    lag: f64,
    load: f64,
    slip: Vector,
    /// since it is slow and could be held: turns back, and the largest speed
    turns: u32,
    fastest: f64,
    /// since when friction could have stopped it \[s\]
    since: Option<f64>,
    chatter: Option<(f64, f64)>,
    late: Option<(f64, f64)>,
}

impl Track {
    fn start(on: &OnCurve, x: Vector) -> Self {
        Track {
            particle: on.particle,
            low: x,
            high: x,
            distance: 0.0,
            lag: 0.0,
            load: 0.0,
            slip: on.slip,
            turns: 0,
            fastest: 0.0,
            since: None,
            chatter: None,
            late: None,
        }
    }

    fn observe(&mut self, on: &OnCurve, x: &Vector, time: f64, h: f64) {
        for axis in 0..3 {
            self.low[axis] = smaller(self.low[axis], x[axis]);
            self.high[axis] = larger(self.high[axis], x[axis]);
        }
        self.distance = larger(self.distance, on.distance);
        self.lag += on.lag * h;
        self.load += on.constraint_force.norm() * h;
        let could_hold = !on.resting && on.drive < on.most_friction;
        // what friction takes in one step
        let taken = h * on.most_friction * on.inverse_mass;
        let speed = on.slip.norm();
        self.count_turns(on, could_hold && speed < SLOW * taken, time);
        if could_hold && speed < taken && speed > STANDING * taken {
            let since = *self.since.get_or_insert(time);
            let late = time - since;
            if late > LATE * time && self.late.is_none_or(|(_, most)| late > most) {
                self.late = Some((since, late));
            }
        } else {
            self.since = None;
        }
        self.slip = on.slip;
    }

    /// Counts turns back while it should stop.
    fn count_turns(&mut self, on: &OnCurve, should_stop: bool, time: f64) {
        if !should_stop {
            (self.turns, self.fastest) = (0, 0.0);
        } else if on.slip.dot(&self.slip) < 0.0 {
            self.turns += 1;
            self.fastest = larger(self.fastest, on.slip.norm());
            if self.turns >= MANY && self.chatter.is_none() {
                self.chatter = Some((time, self.fastest));
            }
        }
    }

    fn faults(&self) -> impl Iterator<Item = Fault> {
        let particle = self.particle;
        let (distance, room) = (self.distance, (self.high - self.low).norm());
        // what never moved has no room to compare with
        let floor = 1e-9 * (1.0 + self.high.amax());
        let off = distance > OFF * room + floor;
        let share = if self.load > 0.0 { self.lag / self.load } else { 0.0 };
        let chatter = self.chatter.map(|(time, speed)| Fault::Chatter { particle, time, speed });
        let late = self.late.map(|(time, late)| Fault::Late { particle, time, late });
        [
            off.then_some(Fault::Off { particle, distance, room }),
            (share > LAG).then_some(Fault::Lag { particle, share }),
            // what chatters does not stop either
            late.filter(|_| chatter.is_none()),
            chatter,
        ]
        .into_iter()
        .flatten()
    }
}

/// Watches all particles on curves at accepted states.
#[derive(Debug, Clone, Default)]
pub struct Curves {
    tracks: Vec<Track>,
}

impl Curves {
    /// Starts at a committed state.
    pub fn start(state: &State) -> Self {
        let track = |on: &OnCurve| Track::start(on, state.positions[on.particle]);
        Curves { tracks: state.memory.on_curves.iter().map(track).collect() }
    }

    /// Looks at the next accepted state, `h` \[s\] later.
    pub fn observe(&mut self, state: &State, h: f64) {
        for (track, on) in self.tracks.iter_mut().zip(&state.memory.on_curves) {
            track.observe(on, &state.positions[on.particle], state.time, h);
        }
    }

    /// The first fault of each kind.
    pub fn faults(&self) -> Vec<Fault> {
        let mut faults: Vec<Fault> = Vec::new();
        for fault in self.tracks.iter().flat_map(Track::faults) {
            if faults.iter().all(|known| known.name() != fault.name()) {
                faults.push(fault);
            }
        }
        faults
    }
}
