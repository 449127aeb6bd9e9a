//! The verification of the present run, computed in parallel: the scene with its settings, from t =
//! 0 to its end, again at other steps.

use super::beside;
use crate::display::Verified;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError};
use stiction_core::math::with_error;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::{Means, Outcome, Status, Unobserved};
use stiction_lab::session::Session;
use stiction_scene::Scene;
use stiction_scene::build::{BuildOptions, build};

/// Number of measures shown with their error bars.
const SHOWN: usize = 4;

/// A pending or finished verification.
#[derive(Default)]
pub(crate) struct Verifying {
    coming: Option<(Receiver<Verified>, StopOnDrop)>,
    found: Option<Verified>,
}

/// Stops a run whose result is no longer needed.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Verifying {
    /// After a change: drops the result, which belongs to another run.
    pub fn forget(&mut self) {
        *self = Verifying::default();
    }

    /// Verifies a scene.
    pub fn begin(&mut self, scene: &Scene, options: &BuildOptions) {
        let stop = Arc::new(AtomicBool::new(false));
        let (heard, scene, options) = (stop.clone(), scene.clone(), options.clone());
        self.found = None;
        let verified = move || verify(&scene, &options, &|| heard.load(Ordering::Relaxed));
        self.coming = Some((beside::compute(verified), StopOnDrop(stop)));
    }

    /// The present result.
    pub fn look(&mut self) -> Option<Verified> {
        if let Some((receiver, _)) = &self.coming {
            self.found = match receiver.try_recv() {
                Ok(found) => Some(found),
                Err(TryRecvError::Empty) => {
                    let text = "verifying: the scene again from t = 0, at other steps".into();
                    return Some(Verified { text, good: None });
                }
                Err(TryRecvError::Disconnected) => {
                    let text = "verifying stopped on a bug".into();
                    Some(Verified { text, good: Some(false) })
                }
            };
            self.coming = None;
        }
        self.found.clone()
    }
}

fn verify(scene: &Scene, options: &BuildOptions, stop: &dyn Fn() -> bool) -> Verified {
    let refused = |text: String| Verified { text, good: Some(false) };
    let settings = Settings { verify: Some(Means::STEP), ..Settings::default() };
    let mut session = match Session::open(scene, settings, options, Arc::new(build)) {
        Ok(session) => session,
        Err(error) => return refused(format!("cannot be verified: {error}")),
    };
    let outcome = session.finish(&mut Unobserved, stop).expect("nothing is written").outcome;
    let model = &session.run.simulation().model;
    if let Status::Failed(error) = &outcome.status {
        return refused(format!("verified: {}", error.describe(model)));
    }
    let verdict = &outcome.verdict;
    let found = match verdict.reasons.first() {
        Some(reason) => reason.describe(model),
        None => verdict.level().to_string(),
    };
    let text = format!("verified from t = 0 to {} s: {found}{}", scene.time.end(), bars(&outcome));
    Verified { text, good: Some(verdict.trusted()) }
}

/// The first measures with their error bars.
fn bars(outcome: &Outcome) -> String {
    let measures = outcome.verification.iter().flat_map(|v| v.judged());
    let columns = measures.flat_map(|measure| {
        let value = |k: usize| with_error(measure.ends[k][0], measure.error_at_end(k));
        let unit = if measure.unit == "1" { "" } else { measure.unit };
        let names = measure.columns.iter().enumerate();
        names.map(move |(k, name)| format!("; {name} {} {unit}", value(k)))
    });
    columns.take(SHOWN).collect()
}
