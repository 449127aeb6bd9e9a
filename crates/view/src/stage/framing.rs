//! The camera of a stage: it frames the bodies, and goes along with them.

use super::super::camera::{Camera, bounds_of, scope};
use super::super::display::Display;
use super::super::outlines::Outlines;
use super::super::painter::{is_flat, wires};
use super::super::snapshot::Snapshot;
use super::strays::{leading, strays};
use super::{FollowedBody, Stage};
use stiction_core::contact::collider::{Bounds, Collider, ColliderForm};
use stiction_core::math::{Vector, acos, larger, radians, smaller};
use stiction_core::registry::words::listed;

/// Size of a picture below which the camera does not move back \[pixels\].
const SMALLEST: i32 = 80;

/// Largest distance to which the camera moves back by itself, in distances of the framing.
const FARTHEST: f64 = 3.0;

/// Room beside the outermost particles for the mark of a pin and the arrow of its motion \[pixels of the
/// design\].
const RIM: f64 = 24.0;

/// Angle by which a bowl is seen from higher up than other scenes \[degrees\].
const STEEPER: f64 = 20.0;

/// Angle by which an open wire may turn, on either side of the bead, within the framed part
/// \[rad\]: the sides of a trough or of a crest.
const BEND: f64 = 1.4;

impl Stage {
    /// Frames the present state from the default direction.
    pub fn frame(&mut self, snapshot: &Snapshot) {
        self.locked_axis = snapshot.model.locked_axis;
        let bodies = all_bodies(snapshot);
        self.start_at(&bodies);
        self.strain = 0.0;
        self.home = middle(&bodies);
        self.known = self.home;
        self.slack = 0.18 * (bodies.max - bodies.min).norm();
        let (all, wired) = surroundings(&self.painter.outlines, bodies, snapshot);
        if wired {
            self.slack = (all.max - all.min).norm();
        }
        let aspect = self.aspect();
        self.camera = Camera::framing(&all, aspect, self.locked_axis);
        if self.locked_axis != Some(2) && wired && holds_bowl(snapshot) {
            // its open side is seen
            self.camera.orbit(0.0, radians(STEEPER));
            self.camera.fit(&all, aspect);
        }
        self.fits = (self.camera.distance, self.camera.distance);
        self.framed = (all, aspect);
    }

    /// Frames the present state from the present direction, and follows [`Stage::follow`] from its
    /// present position.
    pub fn fit(&mut self, snapshot: &Snapshot) {
        let bodies = all_bodies(snapshot);
        let followed = match self.follow {
            FollowedBody::Body(b) => snapshot
                .model
                .bodies
                .get(b)
                .and_then(|body| extent(snapshot, body.particles.clone())),
            FollowedBody::All | FollowedBody::Nothing => None,
        };
        self.home = middle(&followed.unwrap_or(bodies));
        self.known = self.home;
        let (all, _) = surroundings(&self.painter.outlines, bodies, snapshot);
        let aspect = self.aspect();
        self.camera.fit(&all, aspect);
        self.fits = (self.camera.distance, self.camera.distance);
    }

    /// Takes back the camera's own moves since the framing; the user's direction and zoom stay.
    pub fn go_home(&mut self) {
        self.camera.target += self.home - self.known;
        self.known = self.home;
        self.camera.distance *= self.fits.0 / self.fits.1;
        self.fits.1 = self.fits.0;
    }

    /// Leaves the camera where it is for other bodies that are in the picture as it is: they are not
    /// followed until they move.
    pub(crate) fn keep_view(&mut self, snapshot: &Snapshot) {
        let bounds = all_bodies(snapshot);
        self.start_at(&bounds);
        let focus = self.place_of(0, self.shown.0).focus;
        let view = self.camera.view(&focus);
        let corner = |k: usize| {
            let of = |axis: usize| {
                if k >> axis & 1 == 1 { bounds.max[axis] } else { bounds.min[axis] }
            };
            Vector::new(of(0), of(1), of(2))
        };
        let inside = |k: usize| {
            view.see(corner(k)).is_some_and(|seen| {
                let (x, y) = (seen.at.0 as i32, seen.at.1 as i32);
                focus.x0 <= x && x < focus.x1 && focus.y0 <= y && y < focus.y1
            })
        };
        if self.follow != FollowedBody::All || !(0..8).all(inside) {
            return;
        }
        let fitting = self.camera.fitting(&bounds, self.aspect());
        let ratio = larger(fitting / self.fits.1, 1.0);
        self.fits = (self.fits.0 * ratio, self.fits.1 * ratio);
        let away = middle(&bounds) - self.known;
        (self.home, self.known) = (self.home + away, self.known + away);
    }

    /// The bounds of the bodies at the start of a scene.
    fn start_at(&mut self, bodies: &Bounds) {
        self.extent = (bodies.max - bodies.min).norm();
        self.strays.clear();
    }

    fn aspect(&self) -> f64 {
        let focus = self.place_of(0, self.shown.0).focus;
        f64::from(focus.width()) / f64::from(focus.height().max(1))
    }

    /// Keeps the framed bounds in the picture when its shape changes: other panes, cards or sizes.
    pub(super) fn refit(&mut self) {
        let (bounds, before) = self.framed;
        let aspect = self.aspect();
        if aspect != before {
            let ratio = self.camera.fitting(&bounds, aspect) / self.camera.fitting(&bounds, before);
            self.camera.distance *= ratio;
            self.fits = (self.fits.0 * ratio, self.fits.1 * ratio);
            self.framed.1 = aspect;
        }
    }

    /// The bounds of what the camera follows. Of all bodies without those that fly off, by the run of
    /// several that stays with the others.
    fn followed(&mut self, displays: &[Display]) -> Option<Bounds> {
        let first = &displays.first()?.snapshot;
        match self.follow {
            FollowedBody::Nothing => None,
            FollowedBody::Body(b) => extent(first, first.model.bodies.get(b)?.particles.clone()),
            FollowedBody::All => {
                let of = |display: &Display| {
                    let away = strays(&display.snapshot, self.extent);
                    let bounds = extent_without(&display.snapshot, &away);
                    (away, bounds)
                };
                let mut all: Vec<_> = displays.iter().map(of).collect();
                let nowhere = Vector::repeat(f64::NAN);
                let middles: Vec<Vector> =
                    all.iter().map(|(_, bounds)| bounds.as_ref().map_or(nowhere, middle)).collect();
                let lead = leading(&middles, self.extent, self.home);
                let (away, bounds) = all.swap_remove(lead);
                let model = &displays[lead].snapshot.model;
                let gone: Vec<&str> = away
                    .iter()
                    .filter(|b| !self.strays.contains(b))
                    .filter_map(|b| model.bodies.get(*b).map(|body| body.name.as_str()))
                    .collect();
                if !gone.is_empty() {
                    let have = if gone.len() == 1 { "has" } else { "have" };
                    self.left = Some(format!("{} {have} left the picture", listed(&gone)));
                }
                self.strays = away;
                bounds
            }
        }
    }

    /// The bodies that the camera has left since the last call, in words.
    pub fn take_left(&mut self) -> Option<String> {
        self.left.take()
    }

    /// Follows when the middle of the bodies has moved by more than the slack, and moves back when
    /// the bodies outgrow the picture.
    pub(super) fn go_along(&mut self, displays: &[Display]) {
        let Some(bounds) = self.followed(displays) else { return };
        let focus = self.place_of(0, self.shown.0).focus;
        let mut slack = self.slack;
        if focus.width() >= SMALLEST && focus.height() >= SMALLEST {
            let aspect = self.aspect();
            let fitting = self.camera.fitting(&bounds, aspect).min(FARTHEST * self.fits.0);
            if fitting > self.fits.1 {
                self.camera.distance *= fitting / self.fits.1;
                self.fits.1 = fitting;
            }
            // bodies that fill the picture are kept nearer to its middle
            let half = 0.5 * f64::from(focus.width().min(focus.height()));
            let rim = RIM * self.unit() / half;
            slack = smaller(slack, self.camera.room(fitting, self.fits.1, aspect, rim));
        }
        let away = middle(&bounds) - self.known;
        let distance = away.norm();
        if distance.is_finite() && distance > slack {
            let step = away * (1.0 - slack / distance);
            self.camera.target += step;
            self.known += step;
        }
    }
}

/// The bounds of particles with their radii; as wide as for a framing if all coincide.
fn extent(snapshot: &Snapshot, particles: std::ops::Range<usize>) -> Option<Bounds> {
    let positions = snapshot.state.positions.get(particles.clone())?;
    bounds_of(positions)?;
    let radii = snapshot.model.surfaces.radii.get(particles).unwrap_or_default();
    let widest = radii.iter().copied().filter(|r| r.is_finite()).fold(0.0, larger);
    let (Bounds { min, max }, rim) = (scope(positions), Vector::repeat(widest));
    Some(Bounds { min: min - rim, max: max + rim })
}

/// The bounds of all particles but those of some bodies, as of `extent`.
fn extent_without(snapshot: &Snapshot, away: &[usize]) -> Option<Bounds> {
    if away.is_empty() {
        return extent(snapshot, 0..snapshot.state.positions.len());
    }
    let bodies = snapshot.model.bodies.iter().enumerate().filter(|(b, _)| !away.contains(b));
    bodies.filter_map(|(_, body)| extent(snapshot, body.particles.clone())).reduce(joined)
}

/// The bounds of all bodies as of `extent`; a box of one metre without any.
fn all_bodies(snapshot: &Snapshot) -> Bounds {
    extent(snapshot, 0..snapshot.state.positions.len()).unwrap_or_else(|| scope(&[]))
}

fn middle(bounds: &Bounds) -> Vector {
    (bounds.min + bounds.max) * 0.5
}

/// The bounds of bodies, of colliders that are not much larger, and of the wire or bowl of a single
/// particle; and whether there is such a wire or bowl, within which the camera need not move.
fn surroundings(outlines: &Outlines, bodies: Bounds, snapshot: &Snapshot) -> (Bounds, bool) {
    let size = (bodies.max - bodies.min).norm();
    let mut all = bodies;
    let lone = bounds_of(&snapshot.state.positions).is_some_and(|own| own.min == own.max);
    let wire = wire_of(snapshot).filter(|_| lone);
    if let Some(wire) = wire {
        all = joined(all, wire);
    }
    let mut held = false;
    for (number, collider) in snapshot.model.surfaces.colliders.iter().enumerate() {
        let pose = collider.motion.pose(snapshot.state.time);
        let outline = outlines.of(&snapshot.model, number, &bodies);
        let mut points: Vec<Vector> = outline.iter().flatten().map(|p| pose.to_world(*p)).collect();
        if let Some(own) = bounds_of(&points)
            && !is_flat(&outline)
        {
            // for a single particle in a bowl, the bowl is framed
            let holds = lone && wire.is_none() && contains(&own, &middle(&bodies));
            held |= holds;
            let own = lower_half(collider, &mut points, snapshot).unwrap_or(own);
            if holds || (own.max - own.min).norm() < 2.5 * size {
                all = joined(all, own);
            }
        }
    }
    (all, wire.is_some() || held)
}

/// Whether there is a hollow ball.
fn holds_bowl(snapshot: &Snapshot) -> bool {
    let hollow = |collider: &Collider| match collider.shape.form() {
        ColliderForm::Sphere(ball) => ball.inside,
        _ => false,
    };
    snapshot.model.surfaces.colliders.iter().any(hollow)
}

/// The bounds of the part of a hollow ball that is drawn: a bowl.
fn lower_half(
    collider: &Collider,
    points: &mut Vec<Vector>,
    snapshot: &Snapshot,
) -> Option<Bounds> {
    let ColliderForm::Sphere(ball) = collider.shape.form() else { return None };
    let middle = collider.motion.pose(snapshot.state.time).to_world(ball.center);
    points.retain(|p| (p - middle).dot(&snapshot.model.gravity) >= -0.05 * ball.radius);
    bounds_of(points).filter(|_| ball.inside)
}

/// Whether a point is in a box, or outside by at most a hundredth of its size: a bead at the lowest
/// point of a bowl has some depth.
fn contains(bounds: &Bounds, p: &Vector) -> bool {
    let rim = (bounds.max - bounds.min) * 0.01;
    let (least, most) = (bounds.min - rim, bounds.max + rim);
    (0..3).all(|axis| least[axis] <= p[axis] && p[axis] <= most[axis])
}

fn joined(a: Bounds, b: Bounds) -> Bounds {
    Bounds { min: a.min.inf(&b.min), max: a.max.sup(&b.max) }
}

/// The bounds of the wire through a single bead: all of a closed one, of an open one the part that
/// turns by [`BEND`] on either side.
fn wire_of(snapshot: &Snapshot) -> Option<Bounds> {
    let wire = wires(&snapshot.model);
    let (first, last) = (wire.first()?, wire.last()?);
    if first[0] == last[1] {
        return bounds_of(&wire.concat());
    }
    let bead = *snapshot.model.reference.first()?;
    let start = wire.iter().position(|[a, _]| *a == bead)?;
    let mut shown = vec![bead];
    shown.extend(bend(wire[start..].iter().map(|[_, b]| *b), bead));
    shown.extend(bend(wire[..start].iter().rev().map(|[a, _]| *a), bead));
    bounds_of(&shown)
}

/// Points along a line from `start` on until it has turned by [`BEND`].
fn bend(points: impl Iterator<Item = Vector>, start: Vector) -> Vec<Vector> {
    let (mut before, mut along, mut turned) = (start, None, 0.0);
    points
        .take_while(|p| {
            let ahead = (*p - before).normalize();
            let straight = ahead.dot(along.get_or_insert(ahead));
            turned += acos(straight.clamp(-1.0, 1.0));
            (before, along) = (*p, Some(ahead));
            turned < BEND
        })
        .collect()
}
