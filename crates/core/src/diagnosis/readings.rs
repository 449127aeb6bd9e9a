//! Whether the ends of steps show the oscillations that the start sets going. A method that chooses its own steps
//! follows those between them; a swing, a period or an extreme of a measure does not.

use super::spectrum::{Linearised, Mode};
use super::watch::{Cure, Fault, FaultKind};
use crate::math::{PI, exp, larger, number};
use crate::model::Model;
use crate::state::State;

/// Largest number of unknowns, positions and velocities, for which modes are computed, so that it takes no noticeable
/// time.
const MOST: usize = 120;

/// Share of the energy of all oscillating modes at the start above which a mode is counted.
const SET_GOING: f64 = 0.01;

/// Least share of its amplitude that an oscillation keeps over a cycle.
const LASTING: f64 = 0.5;

/// Fewest ends of steps in a cycle.
const FEWEST: f64 = 6.0;

/// Whether the modes of a model are computed: there are some, and few, and no particle is tied to others.
pub fn has_few_modes(model: &Model) -> bool {
    let free = |i: usize| (0..3).filter(|axis| model.inverse_masses[i][*axis] > 0.0).count();
    let unknowns: usize = (0..model.particles()).map(free).sum();
    (1..=MOST / 2).contains(&unknowns) && model.rigid.is_empty() && model.others.is_empty()
}

/// The oscillations that velocities and forces of the start set going, those with Im μ > 0; none of large models.
pub fn set_going(model: &Model, state: &State) -> Vec<Mode> {
    if !has_few_modes(model) {
        return Vec::new();
    }
    let modes = Linearised::at(model, state).spectrum().modes.into_iter();
    let modes: Vec<Mode> = modes.filter(|mode| mode.value.im > 0.0).collect();
    let going: Vec<f64> = modes.iter().map(|mode| energy(mode, model, state)).collect();
    let all: f64 = going.iter().sum();
    let going = modes.into_iter().zip(going);
    going.filter(|(_, energy)| *energy > SET_GOING * all).map(|(mode, _)| mode).collect()
}

/// Twice the energy \[J\] that velocities and forces of the start give to a mode of shape s and
/// eigenvalue μ: (Σ m s·v)² + (Σ s·F)²/|μ|², summed over the real and the imaginary part of s.
pub fn energy(mode: &Mode, model: &Model, state: &State) -> f64 {
    let mut energy = 0.0;
    for part in [0, 1usize] {
        let (mut moving, mut driven) = (0.0, 0.0);
        for (i, shape) in mode.shape.iter().enumerate() {
            moving += model.masses[i] * shape[part].dot(&state.velocities[i]);
            driven += shape[part].dot(&state.forces[i]);
        }
        energy += moving * moving + driven * driven / mode.value.norm_sqr();
    }
    energy
}

/// An oscillation has few ends of steps in a cycle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoarseReadings {
    /// Its frequency \[rad/s\].
    pub frequency: f64,
    /// The step \[s\].
    pub step: f64,
}

impl CoarseReadings {
    /// The fastest oscillation that the start sets going and that keeps half its amplitude over a cycle, if steps of a
    /// size \[s\] are too few for it.
    pub fn at(model: &Model, state: &State, step: f64) -> Option<CoarseReadings> {
        let going = set_going(model, state);
        let lasting = going
            .iter()
            .map(|mode| mode.value)
            .filter(|value| exp(2.0 * PI * value.re / value.im) > LASTING);
        let fastest = lasting.map(|value| value.im).fold(0.0, larger);
        let coarse = FEWEST * fastest * step > 2.0 * PI;
        coarse.then_some(CoarseReadings { frequency: fastest, step })
    }
}

/// See [`CoarseReadings`].
pub(crate) static COARSE_READINGS: FaultKind = FaultKind::shared(
    "coarse-readings",
    "Swings, periods and extremes of measures are read at the ends of steps. A method that chooses its own steps within them follows an oscillation that has fewer than six ends of steps in a cycle, but those numbers do not: a cycle of .101 s read every .1 s looks like one of 10 s, at half the step as well. Use a smaller time.step.",
);

impl Fault for CoarseReadings {
    fn kind(&self) -> &'static FaultKind {
        &COARSE_READINGS
    }

    fn describe(&self, _: &Model) -> String {
        let cycle = 2.0 * PI / self.frequency;
        let most = number(cycle / FEWEST);
        format!(
            "the start sets an oscillation of {} s going, and swings, periods and extremes are read every {} s: what looks like a slower one need not be one. Use a time.step of at most {most} s",
            number(cycle),
            number(self.step),
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::Step(2.0 * PI / (FEWEST * self.frequency))
    }
}
