//! The block of the analytic references, for tests that go on whatever a step reports.

use stiction_core::math::Vector;
use stiction_core::simulation::Simulation;
use stiction_lab::validation::RigSetting;
pub use stiction_lab::validation::block::BlockScene;

/// Lets a block go.
pub trait Under {
    /// Its simulation under a method, written as a TOML text with further keys after it:
    /// `"rk4"` or `"dopri5", rtol = 1e-9`.
    fn under(&self, method: &str, step: f64) -> Slide;
}

impl Under for BlockScene {
    fn under(&self, method: &str, step: f64) -> Slide {
        let rig = RigSetting::default().stand_under(method, step, &self.text());
        let simulation = rig.unwrap_or_else(|trouble| panic!("{trouble}")).into();
        Slide { simulation, uphill: self.uphill() }
    }
}

/// A block under way.
pub struct Slide {
    pub simulation: Simulation,
    uphill: Vector,
}

impl Slide {
    /// Velocity uphill [m/s].
    pub fn speed(&self) -> f64 {
        self.simulation.state.velocities[0].dot(&self.uphill)
    }

    /// Distance travelled uphill since t = 0 \[m\].
    pub fn travel(&self) -> f64 {
        let from = self.simulation.model.reference[0];
        (self.simulation.state.positions[0] - from).dot(&self.uphill)
    }

    pub fn time(&self) -> f64 {
        self.simulation.state.time
    }

    pub fn advance(&mut self) {
        self.simulation.advance().expect("a step");
    }

    /// Goes on until the step nearest to `time`.
    pub fn until(&mut self, time: f64) {
        let last = (time / self.simulation.time_step()).round() as u64;
        while self.simulation.state.step_count < last {
            self.advance();
        }
    }
}
