//! The mouse, or a finger, on the picture: it holds a particle, or moves the camera.

use super::canvas::CanvasPoint;
use super::display::Display;
use super::picking::{moved, pick};
use super::play::PlayerCommand;
use super::stage::Stage;
use stiction_core::math::Vector;

/// Largest movement of a press that counts as a click \[pixels of the design\].
pub const STILL: f64 = 3.0;

/// A press on the picture, until its release.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Pointer {
    /// Nothing is pressed.
    #[default]
    Nothing,
    /// Rotates the camera, from the previous point.
    Turn(CanvasPoint),
    /// Shifts the camera, from the previous point.
    Shift(CanvasPoint),
    /// Pressed on a particle of a pane, at a point.
    Pressed {
        /// The pane.
        pane: usize,
        /// The particle.
        particle: usize,
        /// The point.
        at: CanvasPoint,
    },
    /// Holds a particle.
    Holds {
        /// The pane.
        pane: usize,
        /// Initial position of the particle \[m\].
        from: Vector,
        /// The point at which it was pressed.
        at: CanvasPoint,
    },
}

impl Pointer {
    /// A press at a point of the picture; `shifts`: the camera is shifted instead of rotated.
    pub fn press(&mut self, stage: &Stage, displays: &[Display], at: CanvasPoint, shifts: bool) {
        let pane = stage.pane_at(at.0, at.1).unwrap_or(0);
        let picked = displays.get(pane).filter(|_| !shifts).and_then(|display| {
            let place = stage.place_of(pane, displays.len());
            let view = stage.camera.view(&place.focus);
            pick(&display.snapshot, &view, at, place.scale)
        });
        *self = match picked {
            Some(particle) => Pointer::Pressed { pane, particle, at },
            None if shifts => Pointer::Shift(at),
            None => Pointer::Turn(at),
        };
    }

    /// A movement while pressed: returns commands for the runs, in order. May move the camera.
    pub fn motion(
        &mut self,
        stage: &mut Stage,
        displays: &[Display],
        now: CanvasPoint,
    ) -> Vec<PlayerCommand> {
        let turned = |before: CanvasPoint| (now.0 - before.0, now.1 - before.1);
        match *self {
            Pointer::Nothing => Vec::new(),
            Pointer::Turn(before) => {
                let (dx, dy) = turned(before);
                stage.camera.orbit(-0.006 * dx, 0.006 * dy);
                *self = Pointer::Turn(now);
                Vec::new()
            }
            Pointer::Shift(before) => {
                let (dx, dy) = turned(before);
                let focus = stage.place_of(0, displays.len()).focus;
                let height = f64::from(focus.height().max(1));
                stage.camera.pan(-dx / height, dy / height);
                *self = Pointer::Shift(now);
                Vec::new()
            }
            Pointer::Pressed { pane, particle, at } => {
                let (dx, dy) = turned(at);
                if dx.abs() + dy.abs() <= STILL * stage.scale {
                    return Vec::new();
                }
                let display = displays.get(pane).or(displays.last());
                let state = display.map(|display| &display.snapshot.state);
                let Some(from) = state.and_then(|state| state.positions.get(particle)) else {
                    return Vec::new();
                };
                *self = Pointer::Holds { pane, from: *from, at };
                let mut commands = vec![PlayerCommand::Grab(pane, particle)];
                commands.extend(self.motion(stage, displays, now));
                commands
            }
            Pointer::Holds { pane, from, at } => {
                let view = stage.camera.view(&stage.place_of(pane, displays.len()).focus);
                vec![PlayerCommand::Pull(moved(&view, from, at, now))]
            }
        }
    }

    /// The release: a click chooses the particle, a hold releases it.
    pub fn release(&mut self) -> Option<PlayerCommand> {
        match std::mem::take(self) {
            Pointer::Pressed { particle, .. } => Some(PlayerCommand::Choose(Some(particle))),
            Pointer::Holds { .. } => Some(PlayerCommand::Release),
            _ => None,
        }
    }
}
