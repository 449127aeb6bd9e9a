//! The camera: orbit, pan, zoom and framing.

use super::canvas::{CanvasPoint, Rect};
use stiction_core::contact::collider::Bounds;
use stiction_core::math::{PI, Vector, cos, larger, radians, sin, smaller, sqrt, tan};

/// Steepest pitch \[rad\]: just short of the pole.
const STEEPEST: f64 = 0.4999 * PI;

/// Share of the picture filled by the framed bounds.
const FILLED: f64 = 0.80;

/// Kind of projection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Distant objects are smaller.
    Perspective,
    /// All objects have the same scale.
    Orthographic,
}

/// The viewpoint. z is up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Camera {
    /// The point in the middle of the picture \[m\].
    pub target: Vector,
    /// Rotation about z \[rad\]; at 0 the view is along +y, with x to the right.
    pub yaw: f64,
    /// Elevation above the horizon \[rad\], positive from above.
    pub pitch: f64,
    /// Distance from the target \[m\].
    pub distance: f64,
    /// Kind of projection.
    pub projection: Projection,
    /// Vertical angle of view \[rad\].
    pub angle: f64,
}

impl Camera {
    /// A camera that fits `bounds`, with some margin, into a picture of the given width/height
    /// ratio. It looks obliquely down, or in a planar scene almost along the locked axis.
    pub fn framing(bounds: &Bounds, aspect: f64, locked_axis: Option<usize>) -> Camera {
        let (yaw, pitch) = match locked_axis {
            Some(0) => (90.0, 9.0),
            Some(1) => (0.0, 9.0),
            Some(_) => (0.0, 90.0),
            None => (-32.0, 20.0),
        };
        let mut camera = Camera {
            target: (bounds.min + bounds.max) * 0.5,
            yaw: radians(yaw),
            pitch: radians(pitch).min(STEEPEST),
            distance: 1.0,
            projection: Projection::Perspective,
            angle: radians(32.0),
        };
        camera.fit(bounds, aspect);
        camera
    }

    /// Aims at the middle of `bounds`, from the distance at which they fill the picture, in the
    /// same direction.
    pub fn fit(&mut self, bounds: &Bounds, aspect: f64) {
        self.target = (bounds.min + bounds.max) * 0.5;
        self.distance = self.fitting(bounds, aspect);
    }

    /// The distance at which `bounds` fills the picture when centred \[m\].
    pub fn fitting(&self, bounds: &Bounds, aspect: f64) -> f64 {
        let half = (bounds.max - bounds.min) * 0.5;
        let axes = self.axes();
        let vertical = tan(0.5 * self.angle) * FILLED;
        let horizontal = vertical * if aspect.is_finite() { aspect.clamp(0.05, 20.0) } else { 1.0 };
        let mut distance: f64 = 0.0;
        for corner in 0..8 {
            let side = |bit: usize| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let p = half.component_mul(&Vector::new(side(0), side(1), side(2)));
            let (r, u, f) = (p.dot(&axes.right), p.dot(&axes.up), p.dot(&axes.forward));
            distance = distance.max(r.abs() / horizontal - f).max(u.abs() / vertical - f);
        }
        if distance.is_finite() && distance > 1e-6 { distance } else { 1.0 }
    }

    /// How far \[m\] an object may move from the middle of the picture before it comes as near to the
    /// edge as `rim`, a share of half the picture, seen from `distance`; at the distance `fitting` it would just
    /// fill the picture.
    pub fn room(&self, fitting: f64, distance: f64, aspect: f64, rim: f64) -> f64 {
        let half = distance * tan(0.5 * self.angle) * smaller(aspect, 1.0);
        larger(half * (1.0 - rim - FILLED * fitting / distance), 0.0)
    }

    /// Rotates about the target \[rad\].
    pub fn orbit(&mut self, yaw: f64, pitch: f64) {
        self.yaw = (self.yaw + yaw) % (2.0 * PI);
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target in the plane of the picture; `right` and `up` are in heights of the
    /// picture.
    pub fn pan(&mut self, right: f64, up: f64) {
        let axes = self.axes();
        let height = 2.0 * self.distance * tan(0.5 * self.angle);
        self.target += axes.right * (right * height) + axes.up * (up * height);
    }

    /// Moves closer by `factor` > 1, or away by `factor` < 1.
    pub fn zoom(&mut self, factor: f64) {
        if factor.is_finite() && factor > 0.0 {
            self.distance = (self.distance / factor).clamp(1e-6, 1e9);
        }
    }

    /// View of the camera with the target in the middle of `focus`.
    pub fn view(&self, focus: &Rect) -> CameraView {
        let axes = self.axes();
        let height = f64::from(focus.height().max(1));
        CameraView {
            eye: self.target - axes.forward * self.distance,
            focal: 0.5 * height / tan(0.5 * self.angle),
            middle: (
                0.5 * (f64::from(focus.x0) + f64::from(focus.x1)),
                0.5 * (f64::from(focus.y0) + f64::from(focus.y1)),
            ),
            near: 0.02 * self.distance,
            distance: self.distance,
            projection: self.projection,
            axes,
        }
    }

    fn axes(&self) -> Axes {
        let (s, c) = (sin(self.yaw), cos(self.yaw));
        let (sp, cp) = (sin(self.pitch), cos(self.pitch));
        let forward = Vector::new(-s * cp, c * cp, -sp);
        let right = Vector::new(c, s, 0.0);
        Axes { right, up: right.cross(&forward), forward }
    }
}

/// Directions in space of the axes of a picture.
#[derive(Debug, Clone, Copy)]
struct Axes {
    right: Vector,
    up: Vector,
    forward: Vector,
}

/// A projected point of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projected {
    /// Position on the canvas.
    pub at: CanvasPoint,
    /// Distance along the line of sight \[m\].
    pub depth: f64,
    /// Pixels per metre at that distance.
    pub scale: f64,
}

/// A camera looking onto a canvas.
#[derive(Debug, Clone, Copy)]
pub struct CameraView {
    /// Position of the eye \[m\].
    pub eye: Vector,
    axes: Axes,
    focal: f64,
    middle: CanvasPoint,
    near: f64,
    distance: f64,
    projection: Projection,
}

impl CameraView {
    /// Projection of `p` \[m\]; `None` behind the eye.
    pub fn see(&self, p: Vector) -> Option<Projected> {
        let depth = self.depth(p);
        let in_front = depth >= self.near;
        if !in_front && self.projection == Projection::Perspective {
            return None;
        }
        Some(self.projected(p, depth))
    }

    fn projected(&self, p: Vector, depth: f64) -> Projected {
        let scale = match self.projection {
            Projection::Perspective => self.focal / depth,
            Projection::Orthographic => self.focal / self.distance,
        };
        let d = p - self.eye;
        let at = (
            self.middle.0 + d.dot(&self.axes.right) * scale,
            self.middle.1 - d.dot(&self.axes.up) * scale,
        );
        Projected { at, depth, scale }
    }

    /// The point of the scene seen at the point `at` of the canvas, at the distance `depth` along
    /// the line of sight \[m\].
    pub(crate) fn point_at(&self, at: CanvasPoint, depth: f64) -> Vector {
        let scale = match self.projection {
            Projection::Perspective => self.focal / depth,
            Projection::Orthographic => self.focal / self.distance,
        };
        let (right, up) = ((at.0 - self.middle.0) / scale, (self.middle.1 - at.1) / scale);
        self.eye + self.axes.forward * depth + self.axes.right * right + self.axes.up * up
    }

    /// Distance of `p` along the line of sight \[m\].
    pub fn depth(&self, p: Vector) -> f64 {
        (p - self.eye).dot(&self.axes.forward)
    }

    /// Unit vector from `p` to the eye.
    pub(crate) fn towards_eye(&self, p: Vector) -> Vector {
        if self.projection == Projection::Orthographic {
            return -self.axes.forward;
        }
        let d = self.eye - p;
        let length = d.norm();
        if length > 0.0 { d / length } else { -self.axes.forward }
    }

    /// The visible part of a segment.
    pub fn segment(&self, a: Vector, b: Vector) -> Option<[Projected; 2]> {
        if self.projection == Projection::Orthographic {
            return Some([self.projected(a, self.depth(a)), self.projected(b, self.depth(b))]);
        }
        let (da, db) = (self.depth(a) - self.near, self.depth(b) - self.near);
        let cut = || a + (b - a) * (da / (da - db));
        match (da >= 0.0, db >= 0.0) {
            (true, true) => Some([self.see(a)?, self.see(b)?]),
            (true, false) => Some([self.see(a)?, self.projected(cut(), self.near)]),
            (false, true) => Some([self.projected(cut(), self.near), self.see(b)?]),
            (false, false) => None,
        }
    }

    /// The visible part of a triangle, as up to two triangles.
    pub fn triangle(&self, corners: [Vector; 3]) -> Vec<[Projected; 3]> {
        if let [Some(a), Some(b), Some(c)] = corners.map(|p| self.see(p)) {
            return vec![[a, b, c]];
        }
        // walk along the outline and keep the part in front of the near plane
        let mut outline: Vec<Projected> = Vec::with_capacity(4);
        for k in 0..3 {
            if let Some([a, b]) = self.segment(corners[k], corners[(k + 1) % 3]) {
                for point in [a, b] {
                    if outline.last() != Some(&point) {
                        outline.push(point);
                    }
                }
            }
        }
        (2..outline.len()).map(|k| [outline[0], outline[k - 1], outline[k]]).collect()
    }
}

/// The bounds of the finite points; `None` without any.
pub(crate) fn bounds_of(points: &[Vector]) -> Option<Bounds> {
    let mut finite = points.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let first = *finite.next()?;
    Some(finite.fold(Bounds { min: first, max: first }, |b, p| Bounds {
        min: b.min.inf(p),
        max: b.max.sup(p),
    }))
}

/// The box that a picture of these points must cover: their bounds, extended by 5 cm on every side
/// if they lie within 1 mm. Without points it is a box of one metre about the origin.
pub fn scope(points: &[Vector]) -> Bounds {
    let Some(Bounds { min, max }) = bounds_of(points) else {
        return Bounds { min: Vector::repeat(-0.5), max: Vector::repeat(0.5) };
    };
    let size = (max - min).norm_squared();
    if sqrt(size) > 1e-3 {
        return Bounds { min, max };
    }
    Bounds { min: min - Vector::repeat(0.05), max: max + Vector::repeat(0.05) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOCUS: Rect = Rect { x0: 0, y0: 0, x1: 800, y1: 600 };

    fn cube() -> Bounds {
        Bounds { min: Vector::zeros(), max: Vector::repeat(1.0) }
    }

    #[test]
    fn framing_keeps_every_corner_in_the_picture() {
        for locked in [None, Some(0), Some(1), Some(2)] {
            let view = Camera::framing(&cube(), 800.0 / 600.0, locked).view(&FOCUS);
            let mut widest: f64 = 0.0;
            for k in 0..8 {
                let corner = Vector::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
                let (x, y) = view.see(corner).unwrap().at;
                assert!((0.0..800.0).contains(&x) && (0.0..600.0).contains(&y), "{x} {y}");
                widest = widest.max((x - 400.0).abs() / 400.0).max((y - 300.0).abs() / 300.0);
            }
            assert!(widest > 0.6, "the cube is lost in the picture: {widest}");
        }
    }

    #[test]
    fn x_is_right_and_z_is_up() {
        let view = Camera::framing(&cube(), 1.0, Some(1)).view(&FOCUS);
        let see = |x, y, z| view.see(Vector::new(x, y, z)).unwrap().at;
        assert!(see(1.0, 0.5, 0.5).0 > see(0.0, 0.5, 0.5).0);
        assert!(see(0.5, 0.5, 1.0).1 < see(0.5, 0.5, 0.0).1);
    }

    #[test]
    fn what_is_seen_can_be_pointed_at() {
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let camera = Camera { projection, ..Camera::framing(&cube(), 1.3, None) };
            let (view, p) = (camera.view(&FOCUS), Vector::new(0.2, 0.9, 0.4));
            let seen = view.see(p).unwrap();
            assert!((view.point_at(seen.at, seen.depth) - p).norm() < 1e-12);
        }
    }

    #[test]
    fn panning_moves_the_picture_by_its_height() {
        let mut camera = Camera::framing(&cube(), 1.0, None);
        let before = camera.view(&FOCUS).see(camera.target).unwrap().at;
        let target = camera.target;
        camera.pan(0.25, 0.0);
        let after = camera.view(&FOCUS).see(target).unwrap().at;
        assert!((before.0 - after.0 - 150.0).abs() < 1e-6 && (before.1 - after.1).abs() < 1e-6);
    }
}
