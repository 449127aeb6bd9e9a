//! The watch that compares positions with integrated velocities, Σ h v − Δx. Methods of order one err by
//! h Δv/2: a block that slides to rest stops that much too early or too late.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::census::{Census, Moments};
use crate::math::{Vector, number};
use crate::model::Model;
use serde::{Deserialize, Serialize};

/// Tolerated offset of a body, as a share of its path.
const TOLERANCE: f64 = 0.05;

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
    /// M (∫ V dt − (X − X₀)) and M ∫ |V| dt \[kg·m\]
    offset: Vector,
    path: f64,
    /// M \[kg\]
    mass: f64,
    sums: Moments,
}

/// Watches the centres of mass of all bodies at accepted states of a method of order one.
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

    /// Only methods of order one have such an offset.
    fn observe(&mut self, step: &Observation) {
        if step.method.order != 1 {
            return;
        }
        self.see(step.census, |track, first, momentum| {
            let path = (track.momentum + momentum) * (0.5 * step.taken.h);
            track.offset += path - (first - track.first);
            track.path += path.norm();
            (track.first, track.momentum) = (first, momentum);
        });
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let fall = run.model.gravity.norm() * run.dt;
        reasons.extend(self.worst(0.5 * fall * run.dt).map(Reason::from));
    }
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
