//! A ball, or the inside of one.

use super::{ColliderForm, Gap, Shape};
use crate::math::{Vector, tangential};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// Solid ball; with `inside` everything around the ball is solid instead.
#[derive(Debug, Clone, Copy)]
pub struct SphereSurface {
    /// Centre \[m\].
    pub center: Vector,
    /// Radius \[m\].
    pub radius: f64,
    /// Contact on the inside.
    pub inside: bool,
}

/// The key that turns a solid into a hollow.
pub(super) const INSIDE: Key = Key {
    name: "inside",
    kind: Kind::Flag,
    default: Fallback::Flag(false),
    about: "contact on the inside: the surface is a container",
};

/// The key of a centre.
pub(super) const CENTER: Key = Key {
    name: "center",
    kind: Kind::Vector { unit: "m", nonzero: false },
    default: Fallback::Vector([0.0, 0.0, 0.0]),
    about: "centre",
};

/// The key of a radius.
pub(super) const RADIUS: Key = Key {
    name: "radius",
    kind: Kind::Number { unit: "m", range: Range::Positive },
    default: Fallback::Required,
    about: "radius",
};

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "sphere",
    about: "ball, or the inside of one",
    keys: &[CENTER, RADIUS, INSIDE],
    page: Page {
        formula: "gap = |p − center| − radius [m]; with `inside`, radius − |p − center|",
        creep: "",
        stiffness: "",
        when: "Balls and bowls.",
        source: "",
    },
    make: |values| {
        Ok(Box::new(SphereSurface {
            center: values.vector("center"),
            radius: values.number("radius"),
            inside: values.flag("inside"),
        }))
    },
};

/// The gap of a round surface from `distance` and `outward` normal, both reversed with `inside`.
pub(super) fn round_gap(distance: f64, outward: Vector, inside: bool) -> Gap {
    if inside {
        Gap { distance: -distance, normal: -outward }
    } else {
        Gap { distance, normal: outward }
    }
}

/// A unit vector across a unit `axis`.
pub(super) fn across(axis: Vector) -> Vector {
    let lean = if axis.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
    tangential(lean, axis).normalize()
}

impl Shape for SphereSurface {
    fn gap(&self, p: Vector) -> Gap {
        let from_center = p - self.center;
        let distance = from_center.norm();
        // at the centre any direction will do
        let outward = if distance > 0.0 { from_center / distance } else { Vector::z() };
        round_gap(distance - self.radius, outward, self.inside)
    }

    fn center(&self) -> Vector {
        self.center
    }

    fn half_thickness(&self) -> f64 {
        if self.inside { f64::INFINITY } else { self.radius }
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Sphere(self)
    }
}
