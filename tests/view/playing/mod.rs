//! Playing runs without a window: against the clock, side by side, changed, handled, taken back and
//! done again.

mod again;
mod changes;
mod clock;
mod friction;
mod measures;
mod pushes;
mod sliders;
mod timeline;
mod values;

use std::path::Path;
use std::time::Duration;
use stiction_core::math::Vector;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::recording::{Recording, Replay};
use stiction_lab::run::{Run, Status, Unobserved};
use stiction_scene::build::BuildOptions;
use stiction_view::display::StableStep;
use stiction_view::keys::{Action, Direction, Knob};
use stiction_view::play::PlayerCommand;
use stiction_view::play::player::Player;
use stiction_view::play::session::{Session, SessionPlan};

const SECOND: Duration = Duration::from_secs(1);
const PLENTY: Duration = Duration::from_secs(600);

pub fn base(text: &str) -> Base {
    Base::bytes("test.toml", text.as_bytes(), Path::new("."))
}

fn library(name: &str) -> Base {
    Base::file(Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name))
}

pub fn with(mut base: Base, set: &[&str]) -> Base {
    base.set.extend(set.iter().map(|text| text.to_string()));
    base
}

pub fn alone(base: Base) -> SessionPlan {
    SessionPlan {
        path: "scenes/test.toml".into(),
        panes: vec![base],
        reference: None,
        recording: None,
    }
}

/// A soft box of 3 × 7 particles on a floor, quick to step.
pub const BOX: &str = r#"
format = 1
title = "a box"
[world]
gravity = [0, 0, -9.81]
planar = "xz"
[time]
end = 0.2
step = 2e-4
output = 0.01
[integrator]
method = "symplectic-euler"
[materials.rubber]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 2e4, damping = 20 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "box"
mass = 2.0
shape = { lattice = { counts = [3, 1, 7], spacing = 0.1 } }
springs = { edge = { stiffness = 5e3, damping = 3 }, face_diagonal = { stiffness = 5e3, damping = 3 } }
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

fn step(session: &Session) -> u64 {
    session.panes()[0].simulation().state.step_count
}

fn hash(session: &Session) -> u64 {
    session.panes()[0].simulation().state.hash()
}

fn act(session: &mut Session, action: Action) {
    session.obey(PlayerCommand::Act(action));
}

fn setting(session: &mut Session, knob: Knob) -> String {
    let displays = session.displays();
    let settings = displays[session.active()].settings.clone();
    settings.into_iter().find(|setting| setting.knob == knob).expect("every knob is shown").value
}
