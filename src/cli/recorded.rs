//! Recordings that `--replay` names.

use super::failures::failure;
use super::scene::SceneOptions;
use super::terminal::{Exit, Failure};
use std::path::Path;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::recording::{Recording, Replay};
use stiction_scene::Scene;

/// A recording, and the scene from which it starts.
pub fn recording(options: &SceneOptions, path: &Path) -> Result<(Base, Scene, Recording), Failure> {
    let fault = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Usage, format!("{}: {error}", path.display()))
    };
    let recording = Recording::read(path).map_err(|error| fault(&error))?;
    if let Some(other) = options.sets().iter().find(|set| !is_recorded(set, &recording.head.set)) {
        let message = format!(
            "--replay does what was recorded, and that did not begin with {other}: leave out --set, --integrator and --step"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    let mut base = options.base()?;
    base.options = options.build_options();
    base.set.clone_from(&recording.head.set);
    let scene = base.load(&[]).map_err(failure)?.scene;
    // every event is tried before anything runs
    Replay::new(base.clone(), &scene, recording.clone()).map_err(|error| fault(&error))?;
    Ok((base, scene, recording))
}

/// Whether a recording began with a setting `key=value`; numbers are compared by their values.
fn is_recorded(set: &str, began: &[String]) -> bool {
    let parts = |text: &str| {
        let (key, value) = text.split_once('=')?;
        Some((key.trim().to_string(), value.trim().to_string()))
    };
    let Some((key, value)) = parts(set) else { return false };
    let last = began.iter().filter_map(|text| parts(text)).rfind(|had| had.0 == key);
    last.is_some_and(|(_, had)| match (had.parse::<f64>(), value.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => had.trim_matches('"') == value.trim_matches('"'),
    })
}

#[cfg(test)]
mod tests {
    use super::is_recorded;

    #[test]
    fn a_replay_accepts_what_it_began_with() {
        let began = ["time.step=1e-4", "time.step=5e-5", "integrator.method=rk4"].map(String::from);
        for set in ["time.step=5e-5", "time.step=0.00005", "integrator.method=\"rk4\""] {
            assert!(is_recorded(set, &began), "{set}");
        }
        for set in ["time.step=1e-4", "integrator.method=heun", "time.end=1"] {
            assert!(!is_recorded(set, &began), "{set}");
        }
    }
}
