//! The largest stable step of a small scene at its start, asked once a run is at fault, and before it is compared with
//! a larger step.

use super::Run;
use stiction_core::diagnosis::readings::has_few_modes;
use stiction_core::diagnosis::stable_step::StepAboveStableStep;
use stiction_core::model::Model;
use stiction_core::state::State;
use stiction_scene::Scene;

/// The state at t = 0 of a scene whose modes can be computed: few free particles, none rigid or on curves, with
/// contact by penalty.
pub(super) fn start(scene: &Scene, model: &Model, state: &State) -> Option<State> {
    (has_few_modes(model) && !scene.contact.jumps()).then(|| state.clone())
}

/// Whether a step \[s\] of a run is above that limit.
pub(super) fn above(run: &Run, step: f64) -> Option<StepAboveStableStep> {
    let method = run.simulation().integrator().capabilities();
    // imex is limited by the normal contact of single particles
    if method.adaptive || method.implicit || method.explicit_normal() {
        return None;
    }
    let (model, start) = (&run.simulation().model, run.at_start.as_ref()?);
    StepAboveStableStep::find(&method, model, start, step)
}
