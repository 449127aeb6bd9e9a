//! The scene's measures, read at every picture.

use crate::display::Measured;
use std::sync::Arc;
use stiction_core::measures::Probe;
use stiction_core::simulation::Simulation;
use stiction_lab::run::probes::probes;
use stiction_scene::build::BuildError;
use stiction_scene::{Expectation, Moment, Scene};

/// The measures of a scene, with what is expected of them.
#[derive(Default)]
pub(crate) struct Measuring {
    probes: Vec<Probe>,
    measured: Arc<Vec<Measured>>,
}

impl Measuring {
    /// The measures of a scene at t = 0.
    pub fn of(scene: &Scene, simulation: &Simulation) -> Result<Measuring, BuildError> {
        let probes = probes(scene, &simulation.model, &simulation.state)?;
        let expected = |column: &String| {
            let of = |e: &&Expectation| e.column == *column && !matches!(e.at, Moment::Time(_));
            let found = scene.expectations.iter().find(of);
            found.map(|e| (e.value - e.tolerance, e.value + e.tolerance))
        };
        let mut first = 0;
        let measured = scene.measures.iter().zip(&probes).map(|(measure, probe)| {
            let columns = first..first + probe.columns.len();
            first = columns.end;
            Measured {
                name: measure.name.clone(),
                unit: if probe.unit == "1" { "" } else { probe.unit },
                columns,
                expected: probe.columns.iter().find_map(expected),
            }
        });
        let measured = Arc::new(measured.collect());
        Ok(Measuring { probes, measured })
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

    /// Forgets earlier readings: the run went back.
    pub fn forget(&mut self) {
        self.probes = self.probes.iter().map(Probe::anew).collect();
    }
}
