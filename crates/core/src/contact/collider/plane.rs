//! The half-space below a plane.

use super::{ColliderForm, Gap, Shape};
use crate::math::weighted::near_plane;
use crate::math::{Vector, flat};
use crate::registry::{Entry, Fallback, Key, Kind, Page};

/// Everything below the plane through `point` with unit `normal` is solid.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vector,
    /// A point on the plane \[m\].
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
        creep: "",
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

    fn may_reach(&self, points: &[Vector], reach: &[f64], range: f64) -> u64 {
        near_plane(flat(points), reach, range, [&self.point, &self.normal])
    }

    fn center(&self) -> Vector {
        self.point
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn is_half_space(&self) -> bool {
        true
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Plane(self)
    }
}
