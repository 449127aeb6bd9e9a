//! Runs side by side, and recordings, for `watch` and `render`.

use super::accuracy;
use super::failures::failure;
use super::machine::StopSignal;
use super::recorded::recording;
use super::results;
use super::scene::SceneOptions;
use super::terminal::{Exit, Failure};
use std::path::{Path, PathBuf};
use std::time::Duration;
use stiction_core::contact::friction::FRICTION_LAWS;
use stiction_core::impulses::CONTACT_METHODS;
use stiction_core::integrators::INTEGRATORS;
use stiction_core::integrators::dormand_prince::DOPRI5;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::law;
use stiction_lab::experiment::list::{items, split};
use stiction_scene::Scene;
use stiction_view::play::session::SessionPlan;

/// Runs shown side by side, and recorded actions.
#[derive(clap::Args, Clone)]
pub struct PaneOptions {
    /// Up to four runs side by side, each by integrator, law and contact method joined by +, with a
    /// step after @: rk4,implicit-euler@1e-3,rk4+cundall-strack:stiffness=1e4,exact
    #[arg(long, value_name = "LIST", conflicts_with = "replay")]
    compare: Option<String>,
    /// Reference: an integrator, METHOD@STEP, or none (default with --compare: dopri5
    /// with tight tolerances)
    #[arg(long, value_name = "METHOD", conflicts_with = "replay")]
    reference: Option<String>,
    /// Do again what `watch --record` wrote to this file
    #[arg(long, value_name = "FILE")]
    pub replay: Option<PathBuf>,
    /// Find the step that gives this accuracy, and the method where the scene names none, before the run is
    /// shown: as in `run`
    #[arg(long, value_name = "A", conflicts_with_all = ["compare", "replay", "reference"])]
    accuracy: Option<String>,
    /// Most CPU time in which an accuracy is sought, as 90s, 10m or 2h; 1m unless the scene has another
    #[arg(long, value_name = "TIME", value_parser = results::duration, conflicts_with_all = ["compare", "replay", "reference"])]
    max_time: Option<Duration>,
}

/// Method and tolerances of the reference.
fn tolerances() -> [String; 3] {
    let method = format!("integrator.method={}", DOPRI5.name);
    [method, "integrator.rtol=1e-9".into(), "integrator.atol=1e-12".into()]
}

/// Divisor of the step for a reference by the scene's own method, if dopri5 cannot be used.
const FINER: f64 = 8.0;

/// A number greater than zero.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x > 0.0 => Ok(x),
        _ => Err("give a number greater than zero".into()),
    }
}

/// Arguments of `--set` for an item of `--compare`.
fn item(text: &str) -> Result<Vec<String>, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    let mut parts = split(text, '@', 2).into_iter();
    let (mut set, mut kinds) = (Vec::new(), Vec::new());
    for name in split(parts.next().unwrap_or(""), '+', usize::MAX) {
        let kind = if INTEGRATORS.find(name).is_some() {
            set.push(format!("integrator.method={name}"));
            "integrators"
        } else if CONTACT_METHODS.find(name).is_some() {
            set.push(format!("contact.method={name}"));
            "contact methods"
        } else if FRICTION_LAWS.find(law::name(name)).is_some() {
            set.extend(law::sets(name));
            "friction laws"
        } else {
            return Err(usage(format!(
                "`{name}` is no integrator, friction law or contact method; `stiction list` shows them"
            )));
        };
        if kinds.contains(&kind) {
            return Err(usage(format!("`{text}` has two {kind}; a run has one")));
        }
        kinds.push(kind);
    }
    if let Some(step) = parts.next() {
        positive(step).map_err(|_| {
            usage(format!("`{step}` is no step: in `{text}` a number of seconds follows @"))
        })?;
        set.push(format!("time.step={step}"));
    }
    Ok(set)
}

impl PaneOptions {
    /// All runs to be played; checks that they can be loaded.
    pub fn plan(
        &self,
        options: &SceneOptions,
        signal: &StopSignal,
    ) -> Result<(SessionPlan, Scene), Failure> {
        if let Some(path) = &self.replay {
            return self.again(options, path);
        }
        let base = options.base()?;
        let scene = base.load(&[]).map_err(failure)?.scene;
        let with = |set: &[String]| {
            let mut base = base.clone();
            base.set.extend(set.iter().cloned());
            base
        };
        let mut panes = Vec::new();
        for text in self.compare.as_deref().map(items).unwrap_or_default() {
            let pane = with(&item(&text)?);
            pane.load(&[]).map_err(failure)?;
            panes.push(pane);
        }
        if self.compare.is_some() && panes.is_empty() {
            return Err(Failure::new(Exit::Usage, "--compare names nothing to be compared"));
        }
        if panes.len() > stiction_view::stage::PANES {
            let message = format!("{} runs side by side; four are possible", panes.len());
            return Err(Failure::new(Exit::Usage, message));
        }
        let several = !panes.is_empty();
        if !several {
            let mut alone = base.clone();
            alone.options = options.build_options();
            alone.set.extend(self.found(options, &scene, signal)?);
            panes.push(alone);
        }
        let reference = match self.reference.as_deref() {
            Some("none") => None,
            Some(name) => Some((name.replace('@', ", h = "), with(&item(name)?))),
            None if several => Some(tight(&scene, &with)),
            None => None,
        };
        let path = options.scene.clone();
        Ok((SessionPlan { path, panes, reference, recording: None }, scene))
    }

    /// The settings that give the accuracy of the option, or that of a scene without a step; else none.
    fn found(
        &self,
        options: &SceneOptions,
        scene: &Scene,
        signal: &StopSignal,
    ) -> Result<Vec<String>, Failure> {
        let asked = (&self.accuracy, self.max_time);
        match accuracy::wanted_of(asked, scene, !scene.time.given)? {
            Some((text, limit)) => accuracy::settings((&text, limit), options, signal),
            None => Ok(Vec::new()),
        }
    }

    /// The runs of a recording.
    fn again(&self, options: &SceneOptions, path: &Path) -> Result<(SessionPlan, Scene), Failure> {
        let (base, scene, recording) = recording(options, path)?;
        let cast = SessionPlan {
            path: options.scene.clone(),
            panes: vec![base],
            reference: None,
            recording: Some(recording),
        };
        Ok((cast, scene))
    }
}

/// The reference: dopri5 with tight tolerances, or else the scene's own method at a finer step.
fn tight(scene: &Scene, with: &dyn Fn(&[String]) -> Base) -> (String, Base) {
    let dopri5 = with(&tolerances());
    let loaded = dopri5.load(&[]).and_then(|loaded| dopri5.build(&loaded.scene));
    if loaded.is_ok() {
        return ("dopri5, rtol 1e-9".into(), dopri5);
    }
    let step = scene.time.step / FINER;
    let name = format!("{}, h/{FINER}", scene.integrator.name);
    (name, with(&[format!("time.step={step:e}")]))
}
