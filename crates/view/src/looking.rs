//! Actions that change the display of runs, but not the runs.

use super::camera::Projection;
use super::display::Display;
use super::keys::{Action, Layer};
use super::stage::{FollowedBody, Stage};
use super::viewpoint;
use stiction_scene::description::View;

/// The effect of an action on the look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookChange {
    /// None: the action concerns something else.
    Other,
    /// The look changed.
    Done,
    /// The look changed, with a notice.
    Noticed(String),
}

/// Performs an action on camera, colours and layers; `view` is that of the scene.
pub fn act(stage: &mut Stage, action: Action, view: &View, displays: &[Display]) -> LookChange {
    let Some(first) = displays.first() else { return LookChange::Other };
    match action {
        Action::Toggle(layer) => return toggle(stage, layer, displays),
        Action::MorePlots => return more_plots(stage),
        Action::Map => {
            let look = &mut stage.look;
            let solids = !first.snapshot.model.elements.is_empty();
            look.map = if look.heat { look.map.next(solids) } else { look.map };
            look.heat = true;
        }
        Action::Theme => stage.look.theme = stage.look.theme.other(),
        Action::Camera => viewpoint::apply_camera(view, stage, &first.snapshot),
        Action::Projection => {
            stage.camera.projection = match stage.camera.projection {
                Projection::Perspective => Projection::Orthographic,
                Projection::Orthographic => Projection::Perspective,
            }
        }
        Action::Follow => return follow_next(stage, first),
        _ => return LookChange::Other,
    }
    LookChange::Done
}

fn toggle(stage: &mut Stage, layer: Layer, displays: &[Display]) -> LookChange {
    let look = &mut stage.look;
    if layer == Layer::Names {
        let bodies = displays.first().map_or(0, |display| display.snapshot.model.bodies.len());
        look.names = Some(!look.names_shown(bodies));
        return LookChange::Done;
    }
    let shown = match layer {
        Layer::Normals => &mut look.normals,
        Layer::Friction => &mut look.friction,
        Layer::Surfaces => &mut look.surfaces,
        Layer::Springs => &mut look.springs,
        Layer::Particles => &mut look.particles,
        Layer::Heat => &mut look.heat,
        Layer::Ghost => &mut look.ghost,
        Layer::Panel => &mut stage.panel,
        Layer::Plots => &mut stage.plots,
        Layer::Help => &mut stage.help,
        Layer::Energies => &mut stage.energies,
        Layer::Browser | Layer::Names => return LookChange::Other,
    };
    *shown = !*shown;
    if layer == Layer::Ghost && displays.iter().all(|display| display.ghost.is_none()) {
        return LookChange::Noticed("there is no reference: start with --reference".into());
    }
    LookChange::Done
}

fn more_plots(stage: &mut Stage) -> LookChange {
    match stage.next_plots() {
        true => LookChange::Done,
        false => LookChange::Noticed("all plots are shown, or none has room".into()),
    }
}

fn follow_next(stage: &mut Stage, first: &Display) -> LookChange {
    let model = &first.snapshot.model;
    let count = model.bodies.len();
    stage.follow = match stage.follow {
        FollowedBody::All if count > 1 => FollowedBody::Body(0),
        FollowedBody::Body(b) if b + 1 < count => FollowedBody::Body(b + 1),
        FollowedBody::All | FollowedBody::Body(_) => FollowedBody::Nothing,
        FollowedBody::Nothing => FollowedBody::All,
    };
    let whom = match stage.follow {
        FollowedBody::All => "all bodies".to_string(),
        FollowedBody::Nothing => "nothing".to_string(),
        FollowedBody::Body(b) => format!("`{}`", model.bodies[b].name),
    };
    stage.fit(&first.snapshot);
    LookChange::Noticed(format!("the camera follows {whom}"))
}
