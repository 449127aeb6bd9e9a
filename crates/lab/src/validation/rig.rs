//! A simulation of a scene given as text, ready to be advanced.

use std::ops::{Deref, DerefMut};
use std::path::Path;
use stiction_core::forces::account::Account;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Memory;
use stiction_core::world::World;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load_text};

/// Setting of trials.
#[derive(Clone, Copy)]
pub struct RigSetting<'a> {
    /// Whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl Default for RigSetting<'_> {
    fn default() -> Self {
        RigSetting { stop: &|| false }
    }
}

/// Reason why there is no measurement.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// The scene is invalid, a step failed, or the result cannot be evaluated.
    #[error("{0}")]
    Failed(String),
    /// The user stopped it.
    #[error("stopped")]
    Stopped,
}

/// Number of steps between two calls of `stop`.
const LOOK_STEPS: u64 = 256;

impl<'a> RigSetting<'a> {
    /// Builds a scene; the simulation is at t = 0.
    pub fn stand(&self, text: &str) -> Result<Rig<'a>, Trouble> {
        let loaded = load_text("case.toml", text, Path::new("."), &LoadOptions::default())
            .map_err(|errors| Trouble::Failed(errors.render(false)))?;
        let built = build(&loaded.scene, &BuildOptions::default())
            .map_err(|error| Trouble::Failed(error.to_string()))?;
        let step = loaded.scene.time.step;
        let simulation =
            Simulation::with_method(built.model, built.state, built.integrator, built.method, step);
        Ok(Rig { simulation, setting: *self })
    }

    /// A world at t = 0.
    pub fn of(&self, world: &World) -> Result<Rig<'a>, Trouble> {
        let simulation = world.simulate().map_err(|error| Trouble::Failed(error.to_string()))?;
        Ok(Rig { simulation, setting: *self })
    }

    /// As [`Self::stand`], under an integrator (`"rk4"`, or `"dopri5", rtol = 1e-9`) at a step h
    /// \[s\]; `rest` is the text without `[time]` and `[integrator]`.
    pub fn stand_under(&self, method: &str, h: f64, rest: &str) -> Result<Rig<'a>, Trouble> {
        self.stand(&format!(
            "format = 1
            time = {{ end = {h:e}, step = {h:e}, output = {h:e} }}
            integrator = {{ method = {method} }}
            {rest}"
        ))
    }
}

/// A simulation whose steps may fail or be stopped.
pub struct Rig<'a> {
    simulation: Simulation,
    setting: RigSetting<'a>,
}

impl Deref for Rig<'_> {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        &self.simulation
    }
}

impl DerefMut for Rig<'_> {
    fn deref_mut(&mut self) -> &mut Simulation {
        &mut self.simulation
    }
}

impl Rig<'_> {
    /// Takes one step.
    pub fn advance(&mut self) -> Result<(), Trouble> {
        if self.simulation.state.step_count.is_multiple_of(LOOK_STEPS) && (self.setting.stop)() {
            return Err(Trouble::Stopped);
        }
        let taken = self.simulation.advance();
        taken.map_err(|error| Trouble::Failed(error.describe(&self.simulation.model)))
    }

    /// Takes a number of steps.
    pub fn steps(&mut self, steps: u64) -> Result<(), Trouble> {
        (0..steps).try_for_each(|_| self.advance())
    }

    /// Advances to the step nearest to `time` \[s\].
    pub fn until(&mut self, time: f64) -> Result<(), Trouble> {
        let last = (time / self.time_step()).round() as u64;
        self.steps(last.saturating_sub(self.state.step_count))
    }

    /// Commits a state that was changed by hand.
    pub(crate) fn recommit(&mut self) {
        let Simulation { model, state, .. } = &mut self.simulation;
        model.commit(state, &mut Memory::default());
    }

    /// Energies and powers of the present state.
    pub(crate) fn account(&self) -> Account {
        self.simulation.model.commit(&mut self.simulation.state.clone(), &mut Memory::default())
    }

    /// An error if the verdict of the run is not faultless.
    pub fn trusted(&self) -> Result<(), Trouble> {
        let verdict = self.verdict();
        if verdict.faultless() {
            return Ok(());
        }
        Err(Trouble::Failed(format!("the run is not to be trusted: {}", verdict.marks())))
    }
}

/// The name of an integrator without the quotation marks of its scene.
pub fn label(method: &str) -> String {
    method.replace('"', "")
}

/// The point between `low` and `high` at which `grows` becomes true, to 2⁻¹³ of their distance.
pub fn limit(
    mut low: f64,
    mut high: f64,
    mut grows: impl FnMut(f64) -> Result<bool, Trouble>,
) -> Result<f64, Trouble> {
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if grows(middle)? { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

impl From<Rig<'_>> for Simulation {
    fn from(rig: Rig) -> Simulation {
        rig.simulation
    }
}
