//! The half-space below a plane.

use super::{Bounds, Gap, Shape};
use crate::math::Vector;
use crate::registry::{Entry, Fallback, Key, Kind, Page};

/// Everything below the plane through `point` with unit `normal` is solid.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vector,
    /// A point on it \[m\].
    pub point: Vector,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "plane",
    about: "half-space below a plane",
    keys: &[
        Key {
            name: "normal",
            kind: Kind::Vector { unit: "", nonzero: true },
            default: Fallback::Vector([0.0, 0.0, 1.0]),
            about: "outward normal (normalised)",
        },
        Key {
            name: "point",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Vector([0.0, 0.0, 0.0]),
            about: "a point on the plane",
        },
    ],
    page: Page {
        formula: "gap = (p − point)·normal [m]",
        crawl: "",
        stiffness: "",
        when: "Floors, walls and inclines: solid on the side away from the normal, without end.",
        source: "",
    },
    make: |values| {
        Ok(Box::new(Plane {
            normal: values.vector("normal").normalize(),
            point: values.vector("point"),
        }))
    },
};

impl Shape for Plane {
    fn gap(&self, p: Vector) -> Gap {
        Gap { distance: (p - self.point).dot(&self.normal), normal: self.normal }
    }

    fn center(&self) -> Vector {
        self.point
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn outline(&self, around: &Bounds) -> Vec<[Vector; 3]> {
        // a square under the middle of the view, large enough to cover it
        let middle = (around.min + around.max) * 0.5;
        let middle = middle - self.normal * (middle - self.point).dot(&self.normal);
        let half = (around.max - around.min).norm() * 0.75;
        let lean = if self.normal.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
        let a = crate::math::tangential(lean, self.normal).normalize() * half;
        let b = self.normal.cross(&a);
        let corner = |s: f64, t: f64| middle + a * s + b * t;
        let (p, q, r, s) =
            (corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0));
        vec![[p, q, r], [p, r, s]]
    }
}
