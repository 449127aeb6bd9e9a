//! The watch that compares positions with integrated velocities, Σ h v − Δx. Methods of order one are
//! off by h Δv/2: a block that slides to rest stops that much too early or too late.

use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;

/// Share of its path by which a body may be off.
const TOLERANCE: f64 = 0.05;

/// A body whose positions do not follow from its velocities.
#[derive(Debug, Clone, PartialEq)]
pub struct OffItsPath {
    /// The body's number.
    pub body: usize,
    /// By how much \[m\].
    pub offset: f64,
    /// The length of the path of its centre of mass \[m\].
    pub path: f64,
}

/// One body's centre of mass.
#[derive(Debug, Clone, Copy, Default)]
struct Track {
    position: Vector,
    velocity: Vector,
    /// ∫ V dt − (X − X₀)
    offset: Vector,
    path: f64,
}

/// Watches the centres of mass of all bodies at accepted states of a method of order one.
#[derive(Debug, Clone, Default)]
pub struct Offset {
    tracks: Vec<Track>,
}

impl Offset {
    /// The body that is off most, if one is off by more than the tolerance and by more than `fall`
    /// \[m\], what no step resolves.
    fn worst(&self, fall: f64) -> Option<OffItsPath> {
        let share = |track: &Track| track.offset.norm() / track.path;
        let tracks = self.tracks.iter().enumerate();
        let off = tracks.filter(|(_, track)| {
            // rounding of the positions
            let rounding = 1e-12 * (1.0 + track.position.amax());
            track.offset.norm() > TOLERANCE * track.path + fall + rounding
        });
        let worst = off.reduce(|a, b| if share(b.1) > share(a.1) { b } else { a })?;
        Some(OffItsPath { body: worst.0, offset: worst.1.offset.norm(), path: worst.1.path })
    }
}

/// Position \[m\] and velocity \[m/s\] of a body's centre of mass.
fn center(model: &Model, state: &State, body: usize) -> (Vector, Vector) {
    let (mut x, mut v, mut mass) = (Vector::zeros(), Vector::zeros(), 0.0);
    for i in model.bodies[body].particles.clone() {
        let m = model.masses[i];
        x += state.positions[i] * m;
        v += state.velocities[i] * m;
        mass += m;
    }
    (x / mass, v / mass)
}

impl Watch for Offset {
    fn start(start: &Start) -> Self {
        let track = |number: usize| {
            let (position, velocity) = center(start.model, start.state, number);
            Track { position, velocity, ..Track::default() }
        };
        Offset { tracks: (0..start.model.bodies.len()).map(track).collect() }
    }

    /// Only methods of order one are off by so much.
    fn observe(&mut self, step: &Observation) {
        if step.method.order != 1 {
            return;
        }
        for (number, track) in self.tracks.iter_mut().enumerate() {
            let (position, velocity) = center(step.model, step.state, number);
            let path = (track.velocity + velocity) * (0.5 * step.taken.h);
            track.offset += path - (position - track.position);
            track.path += path.norm();
            (track.position, track.velocity) = (position, velocity);
        }
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let fall = run.model.gravity.norm() * run.dt;
        reasons.extend(self.worst(0.5 * fall * run.dt).map(Reason::from));
    }
}

/// See [`OffItsPath`].
pub static OFF_ITS_PATH: FaultKind = FaultKind {
    name: "off-its-path",
    about: "The centre of mass of a body is not where its velocities would have taken it, by more than a twentieth of its path. Methods of order one are off by h Δv/2, so that a block slides to rest v h/2 too early or too late. Only they are watched, and not for less than one step of free fall.",
};

impl Fault for OffItsPath {
    fn kind(&self) -> &'static FaultKind {
        &OFF_ITS_PATH
    }

    fn describe(&self, model: &Model) -> String {
        let o = self;
        format!(
            "positions do not follow from velocities: `{}` is off by {:.3e} m on a path of {:.3e} m ({:.0} %), as methods of order one are by h Δv/2. Use a smaller step or a method of higher order",
            model.bodies[o.body].name,
            o.offset,
            o.path,
            100.0 * o.offset / o.path
        )
    }
}
