//! The timeline of a run, headless or watched: a simulation, its present scene, and the results
//! from before changes of the scene.

use stiction_core::diagnosis::trust::Verdict;
use stiction_core::diagnosis::watch::Reason;
use stiction_core::forces::account::Flows;
use stiction_core::integrators::StepReport;
use stiction_core::simulation::{Checkpoint, Simulation};
use stiction_scene::Scene;
use stiction_scene::build::Built;

/// A simulation that may resume under another scene.
pub struct Timeline {
    /// The simulation.
    pub simulation: Simulation,
    /// The present scene.
    pub scene: Scene,
    earlier: Earlier,
}

/// Sums and reasons from t = 0 to the last change of the scene, where all observations restart.
#[derive(Debug, Clone, Default)]
pub struct Earlier {
    /// The step of the last change.
    pub step: u64,
    flows: Flows,
    work: StepReport,
    reasons: Vec<Reason>,
}

/// Changes a run between its steps.
pub trait Intervene {
    /// Called before every step.
    fn before_step(&mut self, timeline: &mut Timeline) -> Result<(), String>;
}

impl Timeline {
    /// The timeline of a scene at t = 0.
    pub fn start(scene: &Scene, built: Built) -> Self {
        let Built { model, state, integrator, method, .. } = built;
        let dt = scene.time.step;
        let simulation = Simulation::with_method(model, state, integrator, method, dt);
        Timeline { simulation, scene: scene.clone(), earlier: Earlier::default() }
    }

    /// Resumes from the present state under another scene; returns the verdict since the previous
    /// change.
    pub fn change(&mut self, scene: Scene, built: Built) -> Verdict {
        let simulation = &mut self.simulation;
        let verdict = simulation.verdict();
        let earlier = &mut self.earlier;
        earlier.flows = earlier.flows.plus(&simulation.watches.audit.flows);
        earlier.work.add(&simulation.work);
        add_new(&mut earlier.reasons, &verdict.reasons);
        earlier.step = simulation.state.step_count;
        self.continue_under(scene, built);
        verdict
    }

    fn continue_under(&mut self, scene: Scene, built: Built) {
        let Built { model, integrator, method, .. } = built;
        self.simulation.switch_to(model, integrator, method, scene.time.step);
        self.scene = scene;
    }

    /// Restores a checkpoint; `under` is its scene, if it is not the present one.
    pub fn restore(
        &mut self,
        checkpoint: &Checkpoint,
        earlier: &Earlier,
        under: Option<(Scene, Built)>,
    ) {
        if let Some((scene, built)) = under {
            self.continue_under(scene, built);
        }
        self.simulation.restore(checkpoint);
        self.earlier.clone_from(earlier);
    }

    /// The observations before the last change.
    pub fn earlier(&self) -> &Earlier {
        &self.earlier
    }

    /// Energies dissipated and put in since t = 0 \[J\].
    pub fn flows(&self) -> Flows {
        self.earlier.flows.plus(&self.simulation.watches.audit.flows)
    }

    /// Work done since t = 0.
    pub fn work(&self) -> StepReport {
        let mut work = self.earlier.work;
        work.add(&self.simulation.work);
        work
    }

    /// The verdict since t = 0: each kind of reason once, the present ones first.
    pub fn verdict(&self) -> Verdict {
        let mut verdict = self.simulation.verdict();
        add_new(&mut verdict.reasons, &self.earlier.reasons);
        verdict
    }
}

fn add_new(reasons: &mut Vec<Reason>, others: &[Reason]) {
    for reason in others {
        if !reasons.iter().any(|known| known.name() == reason.name()) {
            reasons.push(reason.clone());
        }
    }
}
