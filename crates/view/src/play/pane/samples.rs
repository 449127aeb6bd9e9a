//! The quantities of a run over time: samples that plots keep, and those of a picture between two of them.

use super::Pane;
use crate::history::Sample;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::diagnosis::particle_creep::PARTS;
use stiction_core::math::{larger, sqrt};
use stiction_core::simulation::Simulation;

/// Two times are equal if they differ by less than this share of a step.
const SAME_TIME: f64 = 1e-3;

impl Pane {
    /// Adds the present quantities to the history, if a step was taken since.
    pub fn sample(&mut self, reference: Option<&Pane>) {
        let simulation = &mut self.timeline.simulation;
        if simulation.state.step_count == self.sampled {
            return;
        }
        self.sampled = simulation.state.step_count;
        let h = simulation.time_step();
        let creep = simulation.watches.stick.end_frame(&simulation.model, &simulation.state, h);
        let latest = simulation.watches.friction_limit.latest();
        let hlambda = larger(simulation.watches.friction_limit.take_largest(), latest);
        let measures = self.measuring.read(simulation);
        let creep = creep.iter().map(Drift::row).collect();
        let sample = self.present(creep, hlambda, measures, reference);
        self.history.add(sample);
    }

    /// The present quantities for a picture between two samples, from which nothing is counted: its
    /// creep is that of the last sample. The next sample takes its place.
    pub fn glance(&mut self, reference: Option<&Pane>) {
        let simulation = &self.timeline.simulation;
        if simulation.state.step_count == self.sampled {
            return;
        }
        let creep = self.history.samples().last().map(|last| last.creep.clone());
        let measures = self.measuring.peek(simulation);
        let hlambda = simulation.watches.friction_limit.latest();
        let sample = self.present(creep.unwrap_or_default(), hlambda, measures, reference);
        self.history.show(sample);
    }

    fn present(
        &self,
        creep: Vec<[f64; 1 + PARTS]>,
        hlambda: f64,
        measures: Vec<f64>,
        reference: Option<&Pane>,
    ) -> Sample {
        let simulation = &self.timeline.simulation;
        let from = |other: &Pane| difference(simulation, &other.timeline.simulation);
        Sample {
            time: simulation.state.time,
            energies: simulation.watches.audit.energies,
            flows: self.timeline.flows(),
            residual: simulation.watches.audit.residual(),
            hlambda,
            trusted: simulation.verdict().faultless() && self.failure.is_none(),
            creep,
            difference: reference.map_or(f64::NAN, from),
            measures,
        }
    }
}

/// The largest distance between the same particles of two runs \[m\]; NaN at different times.
fn difference(a: &Simulation, b: &Simulation) -> f64 {
    if (a.state.time - b.state.time).abs() > SAME_TIME * larger(a.time_step(), b.time_step()) {
        return f64::NAN;
    }
    let pairs = a.state.positions.iter().zip(&b.state.positions);
    sqrt(pairs.map(|(p, q)| (p - q).norm_squared()).fold(0.0, larger))
}
