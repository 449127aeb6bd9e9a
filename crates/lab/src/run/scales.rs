//! Sizes with which measures of a run are compared.

use super::Run;
use stiction_core::forces::account::Missed;
use stiction_core::math::{larger, smaller, sqrt};

/// Sizes of a scene; measures far below them are rounding or residuals of a solver.
pub(super) struct Scales {
    /// extent of its particles \[m\]
    extent: f64,
    /// speed of its total mass at the energy throughput, at least g h \[m/s\]
    speed: f64,
    /// weight, or the force that produces that speed during the run \[N\]
    force: f64,
    /// energy throughput \[J\]
    energy: f64,
    /// velocity that a solver of contacts may leave in a step, and its way over the run \[m/s\], \[m\]
    left: (f64, f64),
}

/// Shares of these sizes above which a number is not attributed to rounding: positions, and solved
/// quantities.
const LEAST: (f64, f64) = (1e-9, 1e-6);

/// Multiple of the tolerance of contacts, over a whole run, that is none of their motion.
const LEFT: f64 = 100.0;

/// Share of the speed of a run below which a drift is rest.
const REST: f64 = 1e-8;

impl Scales {
    pub(super) fn of(run: &Run) -> Self {
        let simulation = run.simulation();
        let model = &simulation.model;
        let axis = |k: usize| {
            let places = model.reference.iter().map(|x| x[k]);
            places.clone().fold(0.0, larger) - places.fold(0.0, smaller)
        };
        let mass: f64 = model.masses.iter().sum();
        let energy = simulation.watches.audit.throughput();
        let fall = model.gravity.norm() * simulation.time_step();
        let speed = larger(sqrt(2.0 * energy / mass), fall);
        let pull = larger(model.gravity.norm(), speed / run.timeline.scene.time.end());
        let extent = (0..3).map(axis).fold(0.0, larger);
        let contact = &run.timeline.scene.contact;
        let tolerance = contact.method.values.get_number("tolerance").filter(|_| contact.jumps());
        let left = LEFT * smaller(tolerance.unwrap_or(0.0), Missed::NOTHING);
        let left = (left, left * run.timeline.scene.time.end());
        Scales { extent, speed, force: mass * pull, energy, left }
    }

    /// The least scale of a measure with a unit.
    pub(super) fn least(&self, unit: &str) -> f64 {
        let Scales { extent, speed, force, energy, left } = *self;
        match unit {
            "m" => larger(LEAST.0 * extent, left.1),
            "m/s" => larger(LEAST.1 * speed, left.0),
            "N" => LEAST.1 * force,
            "Pa" if extent > 0.0 => LEAST.1 * force / (extent * extent),
            "1" => LEAST.0,
            // the sum of all energies is constant without dissipation
            "J" => energy,
            "degrees" => LEAST.1 * 180.0,
            "rad/s" if extent > 0.0 => LEAST.1 * speed / extent,
            _ => 0.0,
        }
    }

    /// The speed of its total mass at the energy throughput \[m/s\].
    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// The speed below which a drift is rest \[m/s\].
    pub(super) fn rest(&self) -> f64 {
        REST * self.speed
    }
}
