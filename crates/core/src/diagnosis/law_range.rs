//! The watch over the ranges of laws: matter that is turned inside out, and laws without rotations that are turned.

use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::forces::range::{Beyond, OutOfRange};
use crate::math::{cos, degrees, number};
use crate::model::Model;
use crate::state::State;
use serde::{Deserialize, Serialize};

/// Steps of an explicit method from one look to the next: a look costs about as much as forces do. Others are looked at
/// step by step.
const EVERY: u64 = 16;

/// Largest 1 − cos θ by which a law without rotations may be turned by θ: it takes that for strain. A body that turns so
/// far freely is too large by 3 % in volume, 1/cos² θ, and spins too slowly by as much.
const TURNED: f64 = 0.015;

/// Elements that are turned inside out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Inverted {
    /// A particle of the worst.
    pub particle: usize,
    /// Its volume by that at rest.
    pub volume: f64,
    /// The most at one look.
    pub count: u64,
    /// When one was seen first \[s\].
    pub time: f64,
}

/// An element that is turned under a law without rotations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Turned {
    /// A particle of it.
    pub particle: usize,
    /// The largest angle \[rad\].
    pub angle: f64,
    /// When \[s\].
    pub time: f64,
}

/// Watches the ranges of laws: at the start, at every 16th step of an explicit method of fixed step, and at every step of
/// others.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Ranges {
    inverted: Option<Inverted>,
    turned: Option<Turned>,
}

impl Ranges {
    fn look(&mut self, model: &Model, state: &State) {
        let (time, mut count) = (state.time, 0);
        model.out_of_range(&state.configuration(), |OutOfRange { particle, how }| match how {
            Beyond::Inverted(volume) => {
                count += 1;
                let found = Inverted { particle, volume, count, time };
                let worst = self.inverted.get_or_insert(found);
                worst.count = worst.count.max(count);
                if volume < worst.volume {
                    (worst.particle, worst.volume) = (particle, volume);
                }
            }
            Beyond::Turned(angle) => {
                let found = Turned { particle, angle, time };
                let worst = self.turned.get_or_insert(found);
                if angle > worst.angle {
                    *worst = found;
                }
            }
        });
    }
}

impl Watch for Ranges {
    fn start(start: &Start) -> Self {
        let mut watch = Ranges::default();
        watch.look(start.model, start.state);
        watch
    }

    fn observe(&mut self, step: &Observation) {
        let every = if step.method.implicit || step.method.adaptive { 1 } else { EVERY };
        if step.state.step_count.is_multiple_of(every) {
            self.look(step.model, step.state);
        }
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let inverted = record.inverted.map(|found| found.particle);
        let particles = inverted.into_iter().chain(record.turned.map(|found| found.particle));
        particles.into_iter().all(|particle| particle < model.particles())
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.inverted.map(Reason::from));
        let beyond = |found: &Turned| 1.0 - cos(found.angle) > TURNED;
        reasons.extend(self.turned.filter(beyond).map(Reason::from));
    }
}

/// See [`Inverted`].
pub(crate) static INVERTED: FaultKind = FaultKind::shared(
    "inverted-element",
    "An elastic element was turned inside out: its volume was below zero, which no matter has. Laws of solids give a force that opens it again, but what happens meanwhile is none of the material. A load too large for the material, a mesh too coarse for what presses into it, or a step too large for an impact do that. Use a stiffer or denser material, a finer mesh, a softer contact or a smaller step. It is looked for at every 16th step of an explicit method, and at every step of others.",
)
.lasting();

impl Fault for Inverted {
    fn kind(&self) -> &'static FaultKind {
        &INVERTED
    }

    fn describe(&self, model: &Model) -> String {
        let Inverted { particle, volume, count, time } = self;
        let elements = if *count == 1 { "an element was" } else { "elements were" };
        let count = if *count == 1 { String::new() } else { format!("{count} ") };
        format!(
            "{count}{elements} turned inside out, first seen at t = {time:.4} s; the worst, at {}, to {} of its volume. Use a finer mesh, a softer contact or a smaller step",
            model.particle_name(*particle),
            number(*volume)
        )
    }
}

/// See [`Turned`].
pub(crate) static TURNED_TOO_FAR: FaultKind = FaultKind::shared(
    "rotation-too-large",
    "An element under the law `linear`, which knows no rotations, was turned by more than 10 degrees: the law takes 1 − cos θ, 1.5 % there, for strain, so that a body that turns freely becomes 3 % larger and spins 3 % more slowly. No error bar has that in it, at smaller angles neither. Use model = \"corotational\", the same law in a frame that turns with the material, or \"neo-hookean\".",
)
.lasting();

impl Fault for Turned {
    fn kind(&self) -> &'static FaultKind {
        &TURNED_TOO_FAR
    }

    fn describe(&self, model: &Model) -> String {
        let Turned { particle, angle, time } = self;
        format!(
            "the law `linear` knows no rotations, and an element at {} was turned by {:.0} degrees at t = {time:.4} s: it takes {:.1} % of every length there for strain (at most {:.1} %). Use model = \"corotational\" or \"neo-hookean\"",
            model.particle_name(*particle),
            degrees(*angle),
            100.0 * (1.0 - cos(*angle)),
            100.0 * TURNED
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::NoStep
    }
}
