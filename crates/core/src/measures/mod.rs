//! Measures: what a scene may ask for by name, recorded at every frame.

pub mod columns;
pub mod contact_fields;
pub mod cycles;
pub mod kinds;
pub mod other;
pub mod rotation;
mod solid;
pub mod vertex;

pub use cycles::Reduction;
pub use kinds::{MEASURES, MeasureKind};
pub use other::Other;

use crate::diagnosis::audit::Energies;
use crate::diagnosis::error_bar::Zero;
use crate::diagnosis::friction_work::FrictionWork;
use crate::math::Vector;
use crate::model::Model;
use crate::simulation::Simulation;
use crate::state::State;
use cycles::Cycles;
use serde::{Deserialize, Serialize};

/// The input of a measure.
pub struct Scope<'a> {
    /// The model.
    pub model: &'a Model,
    /// An accepted state.
    pub state: &'a State,
    /// Energies at that state.
    pub energies: &'a Energies,
    /// Work of friction at particles since t = 0.
    pub friction_work: &'a FrictionWork,
    /// The selected particles, ascending.
    pub particles: &'a [usize],
    /// The other side, of a measure between two things.
    pub other: Option<&'a Other>,
    /// Time and centre of mass of the selection at the previous frame.
    pub previous: Option<(f64, Vector)>,
}

impl Scope<'_> {
    /// Centre of mass of the selection if `of` are positions; its mean velocity if velocities.
    pub fn mean(&self, of: &[Vector]) -> Vector {
        mean(self.model, self.particles.iter().copied(), of)
    }
}

/// Centre of mass of particles if `of` are positions; their mean velocity if velocities.
pub fn mean(model: &Model, particles: impl Iterator<Item = usize>, of: &[Vector]) -> Vector {
    let (mut sum, mut mass) = (Vector::zeros(), 0.0);
    for i in particles {
        sum += of[i] * model.masses[i];
        mass += model.masses[i];
    }
    if mass > 0.0 { sum / mass } else { sum }
}

/// Memory of a measure, on which its next reading depends.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ProbeMemory {
    /// time and centre of mass of its selection at its last reading
    previous: Option<(f64, Vector)>,
    /// of each column, if it is reduced
    cycles: Vec<Cycles>,
}

/// A measure of a scene, ready to read.
pub struct Probe {
    kind: &'static MeasureKind,
    particles: Vec<usize>,
    direction: Option<Vector>,
    other: Option<Other>,
    reduction: Option<(Reduction, f64)>,
    memory: ProbeMemory,
    /// Unit of what it reads.
    pub unit: &'static str,
    /// Its columns: one, or three ending in `_x`, `_y`, `_z`.
    pub columns: Vec<String>,
}

/// The columns of the measure `name` of the kind `kind`; only one if `directed`.
pub fn columns_of(name: &str, kind: &MeasureKind, directed: bool) -> Vec<String> {
    if kind.vector && !directed {
        ["x", "y", "z"].iter().map(|axis| format!("{name}_{axis}")).collect()
    } else {
        vec![name.to_string()]
    }
}

impl Probe {
    /// The measure `name` of the kind `kind`, on some particles (ascending).
    pub fn new(
        name: &str,
        kind: &'static MeasureKind,
        particles: Vec<usize>,
        direction: Option<Vector>,
    ) -> Self {
        let columns = columns_of(name, kind, direction.is_some());
        let direction = direction.map(|d| d.normalize());
        Probe {
            kind,
            particles,
            direction,
            other: None,
            reduction: None,
            memory: ProbeMemory::default(),
            unit: kind.unit,
            columns,
        }
    }

    /// The same against another body or a collider.
    #[must_use]
    pub fn against(mut self, other: Option<Other>) -> Self {
        self.other = other;
        self
    }

    /// The same, reduced to one number over the states from a time on \[s\].
    #[must_use]
    pub fn reduced(mut self, by: Reduction, from: f64) -> Self {
        self.unit = by.unit(self.kind.unit);
        self.memory.cycles = vec![Cycles::default(); self.columns.len()];
        self.reduction = Some((by, from));
        self
    }

    /// Whether it covers the time since the frame before, or more frames.
    pub fn is_of_frames(&self) -> bool {
        self.kind.of_frames || self.reduction.is_some()
    }

    /// The direction of each column \[1\], and the particles, of a measure that follows where they are; a distance
    /// has no direction.
    pub fn places(&self) -> Option<(Vec<Option<Vector>>, &[usize])> {
        let axes = [Vector::x(), Vector::y(), Vector::z()];
        let directions = match self.kind.vector {
            true => self.direction.map_or(axes.map(Some).to_vec(), |along| vec![Some(along)]),
            false => vec![None],
        };
        let follows = self.kind.of_place && self.reduction.is_none();
        follows.then_some((directions, &self.particles))
    }

    /// The same measure, with nothing read yet.
    pub fn anew(&self) -> Probe {
        Probe {
            particles: self.particles.clone(),
            columns: self.columns.clone(),
            other: self.other.clone(),
            memory: ProbeMemory {
                cycles: vec![Cycles::default(); self.memory.cycles.len()],
                previous: None,
            },
            ..*self
        }
    }

    /// Its memory, on which its next reading depends.
    pub fn memory(&self) -> &ProbeMemory {
        &self.memory
    }

    /// Whether a memory can be of this measure.
    pub fn fits(&self, memory: &ProbeMemory) -> bool {
        self.memory.cycles.len() == memory.cycles.len()
    }

    /// Restores what [`Self::memory`] gave.
    pub fn restore(&mut self, memory: ProbeMemory) {
        self.memory = memory;
    }

    /// The meaning of its zero, which decides the scale of its errors: a swing or a period of zero is none.
    pub fn zero(&self) -> Zero {
        match (self.kind.zero, self.reduction) {
            (Zero::Chosen | Zero::Start, Some(_)) => Zero::Natural,
            (zero, _) => zero,
        }
    }

    /// Reads it at a frame, one number per column.
    pub fn read(&mut self, simulation: &Simulation, into: &mut Vec<f64>) {
        let reading = self.reading(simulation);
        let center =
            mean(&simulation.model, self.particles.iter().copied(), &simulation.state.positions);
        self.memory.previous = Some((simulation.state.time, center));
        let Some((by, _)) = self.reduction else {
            into.extend(self.parts(reading));
            return;
        };
        self.count(simulation.state.time, reading);
        into.extend(self.memory.cycles.iter().map(|cycles| cycles.reduced(by)));
    }

    /// The error of what is reduced by the distance of its readings, one per column; none of what is not
    /// ([`cycles::Cycles::reading_error`]).
    pub fn reading_errors(&self) -> Vec<f64> {
        let of = |by| self.memory.cycles.iter().map(move |cycles| cycles.reading_error(by));
        self.reduction.map_or(Vec::new(), |(by, _)| of(by).collect())
    }

    /// Counts the cycles of a reduced measure at an accepted state between two frames, so that its swing and
    /// period do not depend on the frames. A measure over the time since the frame before has none there.
    pub fn pass(&mut self, simulation: &Simulation) {
        if self.reduction.is_some() && !self.kind.of_frames {
            let reading = self.reading(simulation);
            self.count(simulation.state.time, reading);
        }
    }

    /// The measured quantity at a state.
    fn reading(&self, simulation: &Simulation) -> Vector {
        let Simulation { model, state, watches, .. } = simulation;
        let scope = Scope {
            model,
            state,
            energies: &watches.audit.energies,
            friction_work: &watches.friction_work,
            particles: &self.particles,
            other: self.other.as_ref(),
            previous: self.memory.previous,
        };
        (self.kind.read)(&scope)
    }

    /// A reading as one number per column.
    fn parts(&self, reading: Vector) -> impl Iterator<Item = f64> + use<> {
        let parts = match (self.kind.vector, self.direction) {
            (true, None) => [Some(reading.x), Some(reading.y), Some(reading.z)],
            (true, Some(direction)) => [Some(reading.dot(&direction)), None, None],
            (false, _) => [Some(reading.x), None, None],
        };
        parts.into_iter().flatten()
    }

    /// Adds a reading at a time \[s\] to the cycles of its columns.
    fn count(&mut self, time: f64, reading: Vector) {
        if self.reduction.is_some_and(|(_, from)| time >= from) {
            let parts = self.parts(reading);
            self.memory.cycles.iter_mut().zip(parts).for_each(|(cycles, y)| cycles.add(time, y));
        }
    }
}
