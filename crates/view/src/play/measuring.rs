//! The scene's measures, read at every picture.

use crate::display::{ExpectedValue, Measured};
use std::sync::Arc;
use stiction_core::measures::{Probe, ProbeMemory};
use stiction_core::simulation::Simulation;
use stiction_lab::run::probes::probes;
use stiction_scene::build::BuildError;
use stiction_scene::{Expectation, Scene};

/// The measures of a scene, with what is expected of them.
#[derive(Default)]
pub(crate) struct Measuring {
    probes: Vec<Probe>,
    measured: Arc<Vec<Measured>>,
    since: Option<f64>,
}

/// The readings of measures until an instant.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeasuringPoint {
    memories: Vec<ProbeMemory>,
    since: Option<f64>,
}

impl Measuring {
    /// The measures of a scene at t = 0.
    pub fn of(scene: &Scene, simulation: &Simulation) -> Result<Measuring, BuildError> {
        let probes = probes(scene, &simulation.model, &simulation.state)?;
        let expected = |columns: &[String]| {
            let value = |e: &Expectation| {
                let column = columns.iter().position(|column| *column == e.column)?;
                let range = (e.value - e.tolerance, e.value + e.tolerance);
                Some(ExpectedValue { column, at: e.at, range })
            };
            scene.expectations.iter().filter_map(value).collect()
        };
        let mut first = 0;
        let measured = scene.measures.iter().zip(&probes).map(|(measure, probe)| {
            let columns = first..first + probe.columns.len();
            first = columns.end;
            Measured {
                name: measure.name.clone(),
                unit: if probe.unit == "1" { "" } else { probe.unit },
                columns,
                expected: expected(&probe.columns),
                reduced: measure.reduce.map(|kind| (kind, measure.from.unwrap_or_default())),
            }
        });
        let measured = Arc::new(measured.collect());
        Ok(Measuring { probes, measured, since: None })
    }

    /// Names, units and expectations.
    pub fn measured(&self) -> Arc<Vec<Measured>> {
        self.measured.clone()
    }

    /// One number per column.
    pub fn read(&mut self, simulation: &Simulation) -> Vec<f64> {
        let mut values = Vec::new();
        self.probes.iter_mut().for_each(|probe| probe.read(simulation, &mut values));
        values
    }

    /// Counts the cycles of reduced measures at a state between two pictures.
    pub fn pass(&mut self, simulation: &Simulation) {
        self.probes.iter_mut().for_each(|probe| probe.pass(simulation));
    }

    /// One number per column, as if it were not read.
    pub fn peek(&mut self, simulation: &Simulation) -> Vec<f64> {
        let before = self.point();
        let values = self.read(simulation);
        self.back_to(&before);
        values
    }

    /// Forgets earlier readings: the run starts again.
    pub fn forget(&mut self) {
        self.probes = self.probes.iter().map(Probe::anew).collect();
        self.since = None;
    }

    /// Reduced measures begin anew at a time \[s\]: a period across a change belongs to no scene.
    pub fn begin_anew(&mut self, time: f64) {
        for (probe, measured) in self.probes.iter_mut().zip(self.measured.iter()) {
            if measured.reduced.is_some() {
                *probe = probe.anew();
            }
        }
        self.since = Some(time).filter(|time| *time > 0.0);
    }

    /// Start of the readings from which reduced measures are computed \[s\], if it is not t = 0.
    pub fn since(&self) -> Option<f64> {
        self.since
    }

    /// All readings so far.
    pub fn point(&self) -> MeasuringPoint {
        let memories = self.probes.iter().map(|probe| probe.memory().clone()).collect();
        MeasuringPoint { memories, since: self.since }
    }

    /// Forgets all readings since a point.
    pub fn back_to(&mut self, point: &MeasuringPoint) {
        for (probe, memory) in self.probes.iter_mut().zip(&point.memories) {
            if probe.fits(memory) {
                probe.restore(memory.clone());
            }
        }
        self.since = point.since;
    }
}
