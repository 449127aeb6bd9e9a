//! The angle between the floor and the level: of a tilted plane, or of gravity against it.

use super::Scenery;
use super::contacts::flat_arrow;
use super::ground::main_plane;
use super::places::Places;
use crate::camera::Projected;
use crate::canvas::{Canvas, CanvasPoint};
use stiction_core::contact::collider::ColliderForm;
use stiction_core::math::{Vector, acos, degrees, tangential};

/// Angles below this and above the second count as level and as upright \[degrees\].
const TILTED: (f64, f64) = (0.05, 89.5);

/// Length of the two lines of the angle \[pixels of the design\].
const LENGTH: f64 = 64.0;

/// A plane or a board: unit normal, a point of it \[m\], and half the sides of a board \[m\].
type Face = (Vector, Vector, Option<[Vector; 3]>);

/// The upper faces of solid boxes.
fn boards<'a>(scenery: &'a Scenery, down: Vector) -> impl Iterator<Item = Face> + 'a {
    scenery.model.surfaces.colliders.iter().filter_map(move |collider| {
        let ColliderForm::Cuboid(solid) = collider.shape.form() else { return None };
        let pose = collider.motion.pose(scenery.state.time);
        let axis = |k: usize| pose.direction_to_world(solid.rotation.column(k).into());
        let axes: [Vector; 3] = [axis(0), axis(1), axis(2)];
        let upright = |k: &usize| axes[*k].dot(&down).abs();
        let k = (0..3).max_by(|a, b| upright(a).total_cmp(&upright(b)))?;
        let normal = if axes[k].dot(&down) > 0.0 { -axes[k] } else { axes[k] };
        let middle = pose.to_world(solid.center) + normal * solid.half[k];
        let sides = [0, 1, 2].map(|side| axes[side] * solid.half[side]);
        (!solid.inside).then_some((normal, middle, Some(sides)))
    })
}

/// The angle as a mark.
pub(super) struct Slope {
    /// Ends of the lines: the foot, along the floor, level.
    corners: [Projected; 3],
    /// points of the arc
    arc: Vec<CanvasPoint>,
    /// tip of an arrow along gravity, where it does not point down
    down: Option<CanvasPoint>,
    /// "18.3°"
    pub(super) text: String,
}

impl Slope {
    /// The angle of the floor, with its foot downhill of the bodies; `None` of a level one.
    pub(super) fn of(scenery: &Scenery, places: &Places) -> Option<Slope> {
        let down = scenery.model.gravity.try_normalize(0.0)?;
        let plane = main_plane(scenery).map(|(normal, middle)| (normal, middle, None));
        let all = plane.into_iter().chain(boards(scenery, down));
        let tilt = |normal: &Vector| degrees(acos((-normal.dot(&down)).clamp(-1.0, 1.0)));
        let (normal, middle, board) = all
            .into_iter()
            .find(|(normal, ..)| TILTED.0 < tilt(normal) && tilt(normal) < TILTED.1)?;
        let angle = tilt(&normal);
        let along = tangential(-down, normal).try_normalize(0.0)?;
        let level = tangential(along, down).try_normalize(0.0)?;
        let half = (scenery.bounds.max - scenery.bounds.min) * 0.5;
        let bodies = half.component_mul(&along.abs()).sum() + 0.25 * scenery.size;
        let back = board.map_or(bodies, |sides: [Vector; 3]| {
            sides.iter().map(|side| side.dot(&along).abs()).sum()
        });
        let foot = [1.0, 0.7, 0.4, 0.1, -0.5].into_iter().find_map(|share| {
            let seen = scenery.view.see(middle - along * (share * back))?;
            let ends = places.holds((seen.at.0, seen.at.1 + scenery.pixels(0.3 * LENGTH)));
            (ends && places.holds(seen.at)).then_some(middle - along * (share * back))
        })?;
        let seen = scenery.view.see(foot)?;
        let length = scenery.pixels(LENGTH) / seen.scale;
        let end =
            |direction: Vector, share: f64| scenery.view.see(foot + direction * (share * length));
        let arc = (0..=8).filter_map(|k| {
            let share = f64::from(k) / 8.0;
            let direction = (along * share + level * (1.0 - share)).try_normalize(0.0)?;
            end(direction, 0.62).map(|seen| seen.at)
        });
        let askew = down.x.abs() + down.y.abs() > 1e-6;
        Some(Slope {
            corners: [seen, end(along, 1.0)?, end(level, 1.0)?],
            arc: arc.collect(),
            down: if askew { end(down, 0.7).map(|seen| seen.at) } else { None },
            text: format!("{angle:.1}°"),
        })
    }

    /// The point beside which its text stands, and the direction away from the foot.
    pub(super) fn beside(&self) -> (CanvasPoint, CanvasPoint) {
        let foot = self.corners[0].at;
        let at = self.arc.get(self.arc.len() / 2).copied().unwrap_or(foot);
        (at, (at.0 - foot.0, at.1 - foot.1))
    }

    /// Draws the lines, the arc between them, and gravity where it does not point down.
    pub(super) fn draw(&self, canvas: &mut Canvas, scenery: &Scenery) {
        let ink = scenery.look.theme.ink;
        let [foot, along, level] = self.corners.map(|seen| seen.at);
        let width = scenery.pixels(1.5);
        canvas.line(foot, along, width, ink, 220);
        canvas.line(foot, level, width, ink, 150);
        self.arc.windows(2).for_each(|pair| canvas.line(pair[0], pair[1], width, ink, 220));
        if let Some(tip) = self.down {
            flat_arrow(canvas, foot, tip, scenery.pixels(2.0), ink, 255);
        }
    }
}
