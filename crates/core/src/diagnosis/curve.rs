//! The watch over particles on curves: distance from the curve, lag of the multiplier in friction, and
//! rest where friction can hold.

use super::friction_limit::CHATTER;
use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::math::{Vector, larger, number, smaller};
use crate::model::Model;
use crate::state::memory::OnCurve;
use serde::{Deserialize, Serialize};

/// Tolerated distance from the curve, as a share of the diagonal of the box the particle moved in.
const OFF: f64 = 0.01;

/// Tolerated mean change of the constraint force |Gᵀλ| in a step, as a share of its mean.
const LAG: f64 = 0.05;

/// Tolerated time to stop, as a share of the time so far, once friction could stop the particle in a
/// step.
const LATE: f64 = 0.05;

/// Number of reversals from which a slow particle that friction could hold chatters. A particle that stops in
/// time reverses once at most; to and fro twice is no accident of the last step.
const MANY: u32 = 4;

/// Speeds below which a particle counts as slow, and as standing, in units of the largest change of
/// velocity by friction in one step.
const SLOW: f64 = 4.0;
const STANDING: f64 = 1e-6;

/// A particle that has left its curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct OffTheCurve {
    /// The particle.
    pub particle: usize,
    /// Distance from the curve \[m\].
    pub distance: f64,
    /// The diagonal of the box it moved in \[m\].
    pub room: f64,
}

/// See [`OffTheCurve`].
pub(crate) static OFF_THE_CURVE: FaultKind = FaultKind::of_finest(
    "off-the-curve",
    "A particle on a curve was further from it than a hundredth of the room it moved in. Without `stabilisation` it drifts by about κ (h v)²/2 per step, with κ the curvature; with it the distance settles near κ (h v)²/(2 stabilisation). Use a smaller step, or `projection = true`.",
);

impl Fault for OffTheCurve {
    fn kind(&self) -> &'static FaultKind {
        &OFF_THE_CURVE
    }

    fn describe(&self, model: &Model) -> String {
        let OffTheCurve { particle, distance, room } = self;
        format!(
            "{} left its curve by {distance} m, {:.1} % of the {room} m it moved in (at most {:.0} %). Use a smaller step, `stabilisation`, or `projection = true`",
            model.particle_name(*particle),
            100.0 * distance / room,
            100.0 * OFF,
            distance = number(*distance),
            room = number(*room)
        )
    }
}

/// A multiplier that changes too fast: friction is taken from the step before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ConstraintLag {
    /// The particle.
    pub particle: usize,
    /// Mean ||Gᵀλ| − |Gᵀλ_k|| over mean |Gᵀλ|, with λ_k of the step before.
    pub share: f64,
}

/// See [`ConstraintLag`].
pub(crate) static CONSTRAINT_LAG: FaultKind = FaultKind::symptom(
    "constraint-lag",
    "Friction on a curve is taken from the constraint force of the step before (coupling `velocity-linear` or `lagged`), and over the run that was off by more than a twentieth. Use a smaller step, or coupling `multiplier-linear`, which does not lag in size.",
);

impl Fault for ConstraintLag {
    fn kind(&self) -> &'static FaultKind {
        &CONSTRAINT_LAG
    }

    fn describe(&self, model: &Model) -> String {
        let ConstraintLag { particle, share } = self;
        format!(
            "friction of {} was taken from constraint forces that were off by {:.1} % on the average (at most {:.0} %). Use a smaller step or coupling = \"multiplier-linear\"",
            model.particle_name(*particle),
            100.0 * share,
            100.0 * LAG
        )
    }
}

/// A particle that keeps moving long after friction could have stopped it within a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LateStop {
    /// The particle.
    pub particle: usize,
    /// When it should have stopped \[s\].
    pub time: f64,
    /// Time it kept moving after that \[s\].
    pub late: f64,
}

/// See [`LateStop`].
pub(crate) static LATE_STOP: FaultKind = FaultKind::symptom(
    "late-stop",
    "A particle on a curve crept on where friction could have stopped it within a step, for more than a twentieth of the time so far. Friction that is linear in the velocity (coupling `velocity-linear`) only ever shrinks it: by the ratio of what drives it to what friction could bear, step by step. Use `rest = true` or a smaller step.",
);

impl Fault for LateStop {
    fn kind(&self) -> &'static FaultKind {
        &LATE_STOP
    }

    fn describe(&self, model: &Model) -> String {
        let LateStop { particle, time, late } = self;
        format!(
            "{} should have stopped on its curve at t = {time:.4} s, and crept on for {late:.3} s more. Use `rest = true` or a smaller step",
            model.particle_name(*particle)
        )
    }
}

/// A particle that reverses again and again where it should rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TurnsBack {
    /// The particle.
    pub particle: usize,
    /// First time \[s\].
    pub time: f64,
    /// Speed \[m/s\].
    pub speed: f64,
}

impl Fault for TurnsBack {
    fn kind(&self) -> &'static FaultKind {
        &CHATTER
    }

    fn describe(&self, model: &Model) -> String {
        let TurnsBack { particle, time, speed } = self;
        format!(
            "friction on the curve chatters: {} turns back again and again within a few steps, at up to {speed} m/s, where friction could hold it, first at t = {time:.4} s. Use `rest = true`",
            model.particle_name(*particle),
            speed = number(*speed)
        )
    }
}

/// The record of one particle.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct CurveTrack {
    particle: usize,
    low: Vector,
    high: Vector,
    distance: f64,
    /// ∫ ||Gᵀλ| − |Gᵀλ_k|| dt, ∫ |Gᵀλ| dt
    lag: f64,
    load: f64,
    slip: Vector,
    /// reversals, and the largest speed at one, since it became slow enough to be held
    turns: u32,
    fastest: f64,
    /// time from which friction could have stopped it \[s\]
    since: Option<f64>,
    chatter: Option<(f64, f64)>,
    late: Option<(f64, f64)>,
}

impl CurveTrack {
    fn start(on: &OnCurve, x: Vector) -> Self {
        CurveTrack {
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
        // the largest change of velocity by friction in one step
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

    /// Counts reversals while the particle should stop.
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

    fn reasons(&self) -> impl Iterator<Item = Reason> {
        let particle = self.particle;
        let (distance, room) = (self.distance, (self.high - self.low).norm());
        // a particle that never moved has no box to compare with
        let floor = 1e-9 * (1.0 + self.high.amax());
        let off = distance > OFF * room + floor;
        let share = if self.load > 0.0 { self.lag / self.load } else { 0.0 };
        let chatter = self.chatter.map(|(time, speed)| TurnsBack { particle, time, speed });
        let late = self.late.map(|(time, late)| LateStop { particle, time, late });
        [
            off.then_some(OffTheCurve { particle, distance, room }).map(Reason::from),
            (share > LAG).then_some(ConstraintLag { particle, share }).map(Reason::from),
            // chatter implies a late stop
            late.filter(|_| chatter.is_none()).map(Reason::from),
            chatter.map(Reason::from),
        ]
        .into_iter()
        .flatten()
    }
}

/// Watches all particles on curves at accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Curves {
    tracks: Vec<CurveTrack>,
}

impl Watch for Curves {
    fn start(start: &Start) -> Self {
        let state = start.state;
        let track = |on: &OnCurve| CurveTrack::start(on, state.positions[on.particle]);
        Curves { tracks: state.memory.on_curves.iter().map(track).collect() }
    }

    fn fits(&self, record: &Self, _model: &Model) -> bool {
        let [own, others] = [self, record].map(|it| it.tracks.iter().map(|track| track.particle));
        own.eq(others)
    }

    fn observe(&mut self, step: &Observation) {
        let state = step.state;
        for (track, on) in self.tracks.iter_mut().zip(&state.memory.on_curves) {
            track.observe(on, &state.positions[on.particle], state.time, step.taken.h);
        }
    }

    /// The first fault of each kind.
    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let first = reasons.len();
        for reason in self.tracks.iter().flat_map(CurveTrack::reasons) {
            if reasons[first..].iter().all(|known| known.name() != reason.name()) {
                reasons.push(reason);
            }
        }
    }
}
