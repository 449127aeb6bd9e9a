//! Numbers of the scene: those that the running world takes between two steps, and those of its
//! start, with which it starts again.

use super::super::changes::Changes;
use super::super::slider::{self, NumberSlider};
use super::{Loaded, Measuring, Pane};
use crate::display::Setting;
use crate::keys::{Direction, Knob};
use std::sync::Arc;
use stiction_scene::build::Built;
use stiction_scene::numbers::{SceneNumber, numbers};
use stiction_scene::record::Resolved;

/// Relative change of a number by which its effect on the start is found.
const NUDGE: f64 = 0.01;

/// The numbers of a scene that have an effect on its run.
pub(super) fn numbers_of(resolved: &Resolved) -> Arc<Vec<SceneNumber>> {
    let mut all = numbers(resolved);
    all.retain(|number| slider::has_effect(&number.path));
    Arc::new(all)
}

impl Pane {
    /// Number of times the run was started again.
    pub(crate) fn starts(&self) -> u64 {
        self.starts
    }

    /// A slider of the number with this path.
    pub(crate) fn slider(&self, path: &str) -> Option<NumberSlider> {
        let number = self.number(path)?;
        Some(NumberSlider::of(number, self.restarts_with(number)))
    }

    /// The settings of sliders; without those whose number this scene does not have.
    pub(crate) fn number_settings<'a>(
        &'a self,
        sliders: &'a [NumberSlider],
    ) -> impl Iterator<Item = Setting> + 'a {
        let setting = |(place, slider): (usize, &NumberSlider)| {
            let value = self.number(&slider.number.path)?.value;
            Some(Setting {
                knob: Knob::Number(place),
                name: slider.number.path.clone(),
                restarts: slider.restarts,
                value: slider.words(value),
                dial: Some(slider.dial(value)),
            })
        };
        sliders.iter().enumerate().filter_map(setting)
    }

    /// Turns the slider of a number.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub(crate) fn turn_number(
        &mut self,
        slider: &NumberSlider,
        direction: Direction,
    ) -> Result<String, String> {
        let number = self.number(&slider.number.path);
        let value = number.ok_or("the scene no longer has this number")?.value;
        self.set_number(slider, slider.turned(value, direction), false)
    }

    /// Sets a number of the scene; `again` continues the last change.
    ///
    /// # Errors
    /// The reason why nothing was changed.
    pub(crate) fn set_number(
        &mut self,
        slider: &NumberSlider,
        value: f64,
        again: bool,
    ) -> Result<String, String> {
        let path = &slider.number.path;
        if !value.is_finite() {
            return Err(format!("{path} cannot be {value}"));
        }
        let value = if slider.number.integer { value.round() } else { value };
        let words = slider.words(value);
        if self.number(path).is_some_and(|number| number.value == value) {
            return Ok(format!("{path} is {words}"));
        }
        let before = Arc::clone(&self.changes);
        self.set(self.changes.with_number(&slider.number, value, slider.restarts))
            .map_err(|why| format!("{path} stays: {why}"))?;
        if !again || self.done.is_empty() {
            self.done.push(before);
        }
        let again = if slider.restarts { ": the run starts again" } else { "" };
        Ok(format!("{path} is now {words}{again}"))
    }

    /// Starts again with other changes of the start; nothing is changed if the scene refuses them.
    pub(super) fn start_with(&mut self, changes: Changes) -> Result<(), String> {
        let mut base = self.base.clone();
        base.set.truncate(self.given);
        base.set.extend(changes.start());
        let Loaded { scene, resolved, .. } = base.load(&[]).map_err(|e| e.brief())?;
        let set = changes.set(&scene);
        if !set.is_empty() {
            let all = base.load(&set).map_err(|e| e.brief())?.scene;
            base.build(&all).map_err(|e| e.brief())?;
        }
        let built = base.build(&scene).map_err(|e| e.brief())?;
        let timeline = super::Timeline::start(&scene, built);
        let measuring = Measuring::of(&scene, &timeline.simulation).map_err(|e| e.to_string())?;
        (self.base, self.original, self.measuring) = (base, scene, measuring);
        self.numbers = numbers_of(&resolved);
        self.chosen = self.chosen.filter(|i| *i < timeline.simulation.model.particles());
        self.changes = Arc::new(changes);
        self.restart()
    }

    fn number(&self, path: &str) -> Option<&SceneNumber> {
        self.numbers.iter().find(|number| number.path == path)
    }

    /// Whether a number says where the run starts, or its world can take it only there.
    fn restarts_with(&self, number: &SceneNumber) -> bool {
        if !slider::is_live(&number.path) {
            return true;
        }
        if !slider::is_of_body(&number.path) {
            return false;
        }
        let nudged = match (number.integer, number.value) {
            (true, value) => value + 1.0,
            (_, 0.0) => NUDGE,
            (_, value) => value * (1.0 + NUDGE),
        };
        let mut set = self.changes.set(&self.original);
        let now = self.built(&set);
        set.push(number.set_to(nudged));
        match (now, self.built(&set)) {
            (Some(now), Some(other)) => start_of(&now) != start_of(&other),
            _ => true,
        }
    }

    fn built(&self, set: &[String]) -> Option<Built> {
        let scene = self.base.load(set).ok()?.scene;
        self.base.build(&scene).ok()
    }
}

type Vectors<'a> = &'a [stiction_core::math::Vector];

/// All that says where particles are at first, and where they touch.
fn start_of(built: &Built) -> (Vectors<'_>, Vectors<'_>, &[f64]) {
    (&built.state.positions, &built.state.velocities, &built.model.surfaces.radii)
}
