//! A round bar with round ends, or the inside of one.

use super::sphere::{CENTER, INSIDE, RADIUS, across, round_gap};
use super::{ColliderForm, Gap, Shape};
use crate::math::Vector;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// All points within `radius` of a segment; with `inside` everything else is solid instead.
#[derive(Debug, Clone, Copy)]
pub struct Capsule {
    /// Middle of the segment \[m\].
    pub center: Vector,
    /// Unit axis.
    pub axis: Vector,
    /// Radius \[m\].
    pub radius: f64,
    /// Length of the segment, without the round ends \[m\].
    pub length: f64,
    /// Contact on the inside.
    pub inside: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "capsule",
    about: "round bar with half-balls at its ends, or the inside of one",
    keys: &[
        CENTER,
        Key {
            name: "axis",
            kind: Kind::Vector { unit: "", nonzero: true },
            default: Fallback::Vector([0.0, 0.0, 1.0]),
            about: "direction of the axis (normalised)",
        },
        RADIUS,
        Key {
            name: "length",
            kind: Kind::Number { unit: "m", range: Range::NonNegative },
            default: Fallback::Required,
            about: "length of the straight part; from end to end it is longer by two radii",
        },
        INSIDE,
    ],
    page: Page {
        formula: "gap = distance from the straight piece of the axis − radius [m]; with `inside` the opposite",
        creep: "",
        stiffness: "",
        when: "Rods, fingers and pins: like a cylinder, but without the edges of caps, so the normal never jumps outside.",
        source: "",
    },
    make: |values| {
        Ok(Box::new(Capsule {
            center: values.vector("center"),
            axis: values.vector("axis").normalize(),
            radius: values.number("radius"),
            length: values.number("length"),
            inside: values.flag("inside"),
        }))
    },
};

impl Shape for Capsule {
    /// |p − q| − radius, q the nearest point of the segment.
    fn gap(&self, p: Vector) -> Gap {
        let from_center = p - self.center;
        let half = 0.5 * self.length;
        let along = from_center.dot(&self.axis).clamp(-half, half);
        let radial = from_center - self.axis * along;
        let distance = radial.norm();
        // on the segment any direction across it will do
        let outward = if distance > 0.0 { radial / distance } else { across(self.axis) };
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
        ColliderForm::Capsule(self)
    }
}
