//! The least speed worth reading, and the step of methods that choose their own.

use stiction_core::math::{larger, sqrt};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_view::display::Display;
use stiction_view::keys::Knob;

/// Least speed that is shown, in speed scales: below it a drift is rounding.
const SHARE: f64 = 1e-9;

/// The largest side of the box around a body's particles \[m\].
fn extent(model: &Model) -> f64 {
    let sides = model.bodies.iter().flat_map(|body| {
        let of = |along: usize| {
            let places = body.particles.clone().map(move |i| model.reference[i][along]);
            let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (if x < low { x } else { low }, larger(high, x))
            });
            high - low
        };
        [of(0), of(1), of(2)]
    });
    sides.fold(0.0, larger)
}

/// The scene's speed scale \[m/s\]: ε of the friction law; without ε √(g L), the speed after a fall of half
/// the length L of the largest body, with g = 9.81 m/s² where there is no gravity and L = 1 m for particles.
fn speed_scale(display: &Display) -> f64 {
    let epsilon = display.settings.iter().find(|setting| setting.knob == Knob::Epsilon);
    if let Some(dial) = epsilon.and_then(|setting| setting.dial.as_ref()) {
        return dial.value;
    }
    let model = &display.snapshot.model;
    let (gravity, length) = (model.gravity.norm(), extent(model));
    let of = |value: f64, usual: f64| if value > 0.0 { value } else { usual };
    sqrt(of(gravity, 9.81) * of(length, 1.0))
}

/// The speed below which a drift reads 0 \[m/s\].
pub fn least_speed(display: &Display) -> f64 {
    SHARE * speed_scale(display)
}

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
