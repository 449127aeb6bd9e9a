//! The watch that compares positions with integrated velocities, Σ h v − Δx. Methods of order one err by
//! h Δv/2: a block that slides to rest stops that much too early or too late. A body that comes to rest inside a step
//! has lost the path that its velocity promised, under any method, and at every such step. What a block promises
//! while it settles into the stretch of its friction, from rest at the start or while its contacts stick, is no path.

use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::census::{Census, Moments};
use crate::math::{Vector, larger, number};
use crate::model::Model;
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Tolerated offset of a body, as a share of its path.
const TOLERANCE: f64 = 0.05;

/// The share of its path that a body may lose within a step.
const LOST: f64 = 0.25;

/// Path below which nothing is lost \[m\], relative beyond 1 m: residuals of solvers.
const REST: f64 = 1e-9;

/// A body that came to rest, or was held, inside a step.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StopUnresolved {
    /// The body's number.
    pub body: usize,
    /// The largest |h v| − |Δx| of a step, v the mean of its velocities before and after it \[m\].
    pub lost: f64,
    /// Σ |h v| \[m\].
    pub path: f64,
}

/// A body whose positions do not follow from its velocities.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OffItsPath {
    /// The body's number.
    pub body: usize,
    /// |Σ h v − Δx| of its centre of mass \[m\].
    pub offset: f64,
    /// The length of the path of its centre of mass \[m\].
    pub path: f64,
}

/// One body's centre of mass.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Track {
    /// M X \[kg·m\] and M V \[kg·m/s\]
    first: Vector,
    momentum: Vector,
    /// M (∫ V dt − (X − X₀)), of methods of order one, and M ∫ |V| dt \[kg·m\]
    offset: Vector,
    path: f64,
    /// the largest M (|h v| − |Δx|) of a step \[kg·m\]
    lost: f64,
    /// whether it settles: one of its contacts stuck at the last state, which is asked where the next step may lose too
    /// much, or it was at rest a step before, at the start
    held: bool,
    /// M \[kg\]
    mass: f64,
    sums: Moments,
}

/// Watches the centres of mass of all bodies at accepted states of methods that do not choose their steps.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Offset {
    tracks: Vec<Track>,
}

impl Offset {
    /// The body with the largest offset over path among those whose offset exceeds the tolerance plus
    /// `fall` \[m\], the offset below resolution.
    fn worst(&self, fall: f64) -> Option<OffItsPath> {
        let share = |track: &Track| track.offset.norm() / track.path;
        let tracks = self.tracks.iter().enumerate();
        let off = tracks.filter(|(_, track)| {
            // rounding of the positions
            let rounding = 1e-12 * (1.0 + track.first.amax() / track.mass);
            let over = track.offset.norm() - TOLERANCE * track.path;
            over > track.mass * (fall + rounding)
        });
        let worst = off.reduce(|a, b| if share(b.1) > share(a.1) { b } else { a })?;
        let (body, Track { offset, path, mass, .. }) = worst;
        Some(OffItsPath { body, offset: offset.norm() / mass, path: path / mass })
    }

    /// The body that has lost the largest share of its path within a step, if that is too much.
    fn stopped(&self) -> Option<StopUnresolved> {
        let share = |track: &Track| track.lost / track.path;
        let lost = self.tracks.iter().enumerate().filter(|(_, track)| {
            let least = REST * (track.mass + track.first.amax());
            track.lost > LOST * track.path && track.lost > least
        });
        let (body, track) = lost.reduce(|a, b| if share(b.1) > share(a.1) { b } else { a })?;
        let Track { lost, path, mass, .. } = track;
        Some(StopUnresolved { body, lost: lost / mass, path: path / mass })
    }
}

impl Offset {
    /// Calls `see` with M X and M V of the centre of mass of every body.
    fn see(&mut self, census: &Census, see: impl Fn(&mut Track, Vector, Vector)) {
        if let ([track], Some(moments)) = (&mut self.tracks[..], census.only()) {
            return see(track, moments.first, moments.momentum);
        }
        self.tracks.iter_mut().for_each(|track| track.sums = Moments::default());
        for (group, moments) in census.iter() {
            self.tracks[group.body].sums.add(moments);
        }
        for track in &mut self.tracks {
            see(track, track.sums.first, track.sums.momentum);
        }
    }
}

impl Watch for Offset {
    fn start(start: &Start) -> Self {
        let masses = &start.model.masses;
        let bodies = start.model.bodies.iter();
        let masses = bodies.map(|body| masses[body.particles.clone()].iter().sum());
        let track = |mass| Track { mass, ..Track::default() };
        let mut watch = Offset { tracks: masses.map(track).collect() };
        watch.see(start.census, |track, first, p| (track.first, track.momentum) = (first, p));
        watch
    }

    fn fits(&self, record: &Self, _model: &Model) -> bool {
        record.tracks.len() == self.tracks.len()
    }

    fn observe(&mut self, step: &Observation) {
        if step.method.adaptive {
            return;
        }
        let is_of_order_one = step.method.order == 1;
        let is_first = step.taken.end < 1.5 * step.taken.h;
        self.see(step.census, |track, first, momentum| {
            let path = (track.momentum + momentum) * (0.5 * step.taken.h);
            let moved = first - track.first;
            // other methods have no such offset
            if is_of_order_one {
                track.offset += path - moved;
            }
            track.path += path.norm();
            if !track.held {
                track.lost = larger(track.lost, path.norm() - moved.norm());
            }
            // from rest at the start it settles, whatever its contacts do
            track.held = is_first && track.momentum == Vector::zeros();
            (track.first, track.momentum) = (first, momentum);
        });
        for (body, track) in self.tracks.iter_mut().enumerate() {
            let promised = 0.5 * step.taken.h * track.momentum.norm();
            track.held |= promised > LOST * track.path && is_held(step.model, step.state, body);
        }
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let fall = run.model.gravity.norm() * run.dt;
        reasons.extend(self.worst(0.5 * fall * run.dt).map(Reason::from));
        reasons.extend(self.stopped().map(Reason::from));
    }
}

/// Whether a contact of a body sticks.
fn is_held(model: &Model, state: &State, body: usize) -> bool {
    let sticking = state.memory.contacts.iter().filter(|contact| contact.sticking);
    let is_of = |(particle, _): &(usize, f64)| model.body_of(*particle) == Some(body);
    sticking.into_iter().any(|contact| contact.ends.iter().any(|end| is_of(&end)))
}

/// See [`OffItsPath`].
pub(crate) static OFF_ITS_PATH: FaultKind = FaultKind::symptom(
    "off-its-path",
    "The centre of mass of a body is not where its velocities would have taken it, by more than a twentieth of its path. Methods of order one are off by h Δv/2, so that a block slides to rest v h/2 too early or too late. Only they are watched, and not for less than one step of free fall.",
);

impl Fault for OffItsPath {
    fn kind(&self) -> &'static FaultKind {
        &OFF_ITS_PATH
    }

    fn describe(&self, model: &Model) -> String {
        let o = self;
        format!(
            "positions do not follow from velocities: `{}` is off by {} m on a path of {} m ({:.0} %), as methods of order one are by h Δv/2. Use a smaller step or a method of higher order",
            model.bodies[o.body].name,
            number(o.offset),
            number(o.path),
            100.0 * o.offset / o.path
        )
    }
}

/// See [`StopUnresolved`].
pub(crate) static STOP_UNRESOLVED: FaultKind = FaultKind::shared(
    "stop-unresolved",
    "A body lost more than a quarter of the path that its velocities promised within one step: it moved at the beginning of a step, none of its contacts stuck there, and it came to rest within it, as by friction or drag. Where it stopped is then anywhere, and runs at other such steps agree on it. Use steps of which several pass until it rests, or an adaptive method.",
);

impl Fault for StopUnresolved {
    fn kind(&self) -> &'static FaultKind {
        &STOP_UNRESOLVED
    }

    fn describe(&self, model: &Model) -> String {
        let s = self;
        format!(
            "a stop is not resolved by the step: by its velocities `{}` moves {} m, and {} m of that are lost within one step ({:.0} %). Use a smaller step, or an adaptive method",
            model.bodies[s.body].name,
            number(s.path),
            number(s.lost),
            100.0 * s.lost / s.path
        )
    }

    /// Where nearly all is lost the stop takes a small part of a step.
    fn cure(&self, step: f64) -> Cure {
        Cure::Step(if self.lost > 0.5 * self.path { step / 8.0 } else { step / 2.0 })
    }
}
