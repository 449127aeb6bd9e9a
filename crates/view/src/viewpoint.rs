//! Applies `[view]` to a stage: position of the camera, followed bodies, drawn layers.

use super::camera::Projection;
use super::snapshot::Snapshot;
use super::stage::{self, Stage};
use super::theme::{DARK, LIGHT};
use stiction_core::math::radians;
use stiction_scene::description::{Follow, Theme, View};

/// Shows the run with a view. The pitch is limited just short of the pole.
pub fn apply(view: &View, stage: &mut Stage, snapshot: &Snapshot) {
    look(view, stage);
    apply_camera(view, stage, snapshot);
}

/// Applies the camera only: colours and layers stay as the user set them.
pub(crate) fn apply_camera(view: &View, stage: &mut Stage, snapshot: &Snapshot) {
    stage.frame(snapshot);
    aim(view, stage, snapshot);
}

/// Applies colours and layers only: the camera stays as the user set it.
pub fn look(view: &View, stage: &mut Stage) {
    stage.look.theme = match view.theme {
        Theme::Light => &LIGHT,
        Theme::Dark => &DARK,
    };
    if let Some(map) = view.map {
        (stage.look.map, stage.look.heat) = (map, true);
    }
    for (name, shown) in &view.layers {
        if *name == "names" {
            stage.look.names = Some(*shown);
        }
        if let Some(layer) = layer(stage, name) {
            *layer = *shown;
        }
    }
}

fn aim(view: &View, stage: &mut Stage, snapshot: &Snapshot) {
    let camera = &mut stage.camera;
    let turn = |angle: Option<f64>, now: f64| angle.map_or(0.0, |angle| radians(angle) - now);
    camera.orbit(turn(view.yaw, camera.yaw), turn(view.pitch, camera.pitch));
    camera.projection = match view.orthographic {
        true => Projection::Orthographic,
        false => Projection::Perspective,
    };
    stage.follow = match view.follow {
        Follow::All => stage::FollowedBody::All,
        Follow::Nothing => stage::FollowedBody::Nothing,
        Follow::Body(body) => stage::FollowedBody::Body(body),
    };
    stage.fit(snapshot);
    stage.camera.zoom(view.zoom);
    if let Some(target) = view.target {
        stage.camera.target = target;
    }
}

/// The switch of a layer of [`stiction_scene::sections::LAYERS`] that is either shown or not.
fn layer<'a>(stage: &'a mut Stage, name: &str) -> Option<&'a mut bool> {
    let look = &mut stage.look;
    Some(match name {
        "normals" => &mut look.normals,
        "friction" => &mut look.friction,
        "surfaces" => &mut look.surfaces,
        "springs" => &mut look.springs,
        "particles" => &mut look.particles,
        "heat" => &mut look.heat,
        "ghost" => &mut look.ghost,
        "labels" => &mut look.labels,
        "panel" => &mut stage.panel,
        "plots" => &mut stage.plots,
        "energies" => &mut stage.energies,
        _ => return None,
    })
}
