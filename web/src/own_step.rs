//! The step of methods that choose their own.

use stiction_core::simulation::Simulation;

/// The step of a method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum MethodStep {
    /// The scene's.
    Fixed,
    /// Its own, with the mean length of the latest ones \[s\], if there were any.
    Own(Option<f64>),
}

impl MethodStep {
    /// Mean length of the latest steps that the method chose \[s\].
    pub fn length(self) -> Option<f64> {
        match self {
            MethodStep::Fixed => None,
            MethodStep::Own(length) => length,
        }
    }
}

/// Counts the substeps between two reports.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnStep {
    time: f64,
    substeps: u64,
    length: Option<f64>,
}

impl OwnStep {
    /// The step since the last call; that of before where time stood still.
    pub fn since(&mut self, simulation: &Simulation) -> MethodStep {
        let (time, substeps) = (simulation.state.time, simulation.work.substeps);
        if !simulation.integrator().capabilities().adaptive {
            *self = OwnStep { time, substeps, length: None };
            return MethodStep::Fixed;
        }
        // after a restart both count from the start again
        let again = time < self.time || substeps < self.substeps;
        let (from, counted) = if again { (0.0, 0) } else { (self.time, self.substeps) };
        if substeps > counted && time > from {
            self.length = Some((time - from) / (substeps - counted) as f64);
        }
        (self.time, self.substeps) = (time, substeps);
        MethodStep::Own(self.length)
    }
}
