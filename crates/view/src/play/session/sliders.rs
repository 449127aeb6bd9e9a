//! Sliders made for numbers of the scene: any key that `--set` knows.

use super::super::pane::Pane;
use super::super::slider::{MOST, NumberSlider};
use super::Session;

impl Session {
    /// Makes a slider of the number with this path.
    pub(super) fn make_slider(&mut self, path: &str) -> Result<(), String> {
        if self.sliders.iter().any(|slider| slider.number.path == path) {
            self.notice = Some(format!("{path} is a slider already"));
            return Ok(());
        }
        let slider = self.panes[self.active].slider(path);
        let slider = slider.ok_or_else(|| format!("the scene has no number {path}"))?;
        let mut said = format!("{path} is a slider now");
        if slider.restarts {
            said += "; when it moves the run starts again";
        }
        if self.sliders.len() == MOST {
            let oldest = self.sliders.remove(0);
            said += &format!("; it takes the place of {}, which stays as set", oldest.number.path);
        }
        self.sliders.push(slider);
        self.notice = Some(said);
        Ok(())
    }

    /// Changes a number by its slider.
    pub(super) fn with_slider(
        &mut self,
        place: usize,
        change: impl Fn(&mut Pane, &NumberSlider) -> Result<String, String>,
    ) -> Result<(), String> {
        let slider = self.sliders.get(place).ok_or("there is no such slider")?.clone();
        self.starting(|pane| change(pane, &slider))
    }

    /// Changes the active run; if that starts it again, all runs start again with it.
    pub(super) fn starting(
        &mut self,
        change: impl FnOnce(&mut Pane) -> Result<String, String>,
    ) -> Result<(), String> {
        let starts = self.panes[self.active].starts();
        let done = change(&mut self.panes[self.active])?;
        let changed = self.changed(done);
        if self.panes[self.active].starts() != starts {
            let said = self.notice.take();
            self.restart()?;
            self.notice = said;
        }
        changed
    }
}
