//! Reasons against a run that its start shows, before a step is made.

use super::phase;
use stiction_core::diagnosis::load_samples::LoadUnresolved;
use stiction_core::diagnosis::readings::CoarseReadings;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::simulation::Simulation;
use stiction_scene::{Expectation, Moment, Scene};

/// Readings, formulas of loads, and oscillations that the steps of a run do not resolve.
pub(super) fn find(scene: &Scene, at: &Simulation) -> Vec<Reason> {
    let (method, time) = (at.integrator().capabilities(), &scene.time);
    let load = LoadUnresolved::at(&at.model, &method, time.end(), time.step);
    let lost = phase::lost(scene, at).map(Reason::from);
    let readings = coarse_readings(scene, at).map(Reason::from);
    readings.into_iter().chain(load.map(Reason::from)).chain(lost).collect()
}

/// The fault of numbers that are read at the ends of steps, if a method that chooses its own steps within them follows
/// oscillations that these do not show, and the scene has swings, periods or extremes.
fn coarse_readings(scene: &Scene, at: &Simulation) -> Option<CoarseReadings> {
    let extreme = |e: &Expectation| matches!(e.at, Moment::Maximum | Moment::Minimum);
    let reads = scene.measures.iter().any(|measure| measure.reduce.is_some())
        || scene.expectations.iter().any(extreme);
    let adaptive = at.integrator().capabilities().adaptive;
    let of = || CoarseReadings::at(&at.model, &at.state, scene.time.step);
    if reads && adaptive { of() } else { None }
}
