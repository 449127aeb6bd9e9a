//! A round bar, or the inside of a pipe.

use super::sphere::{CENTER, INSIDE, RADIUS, across, round_gap};
use super::{ColliderForm, Gap, Shape};
use crate::math::{Vector, smaller};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// Solid cylinder, infinite or with flat caps; with `inside` the wall of a pipe without caps.
#[derive(Debug, Clone, Copy)]
pub struct Cylinder {
    /// Middle of the axis \[m\].
    pub center: Vector,
    /// Unit axis.
    pub axis: Vector,
    /// Radius \[m\].
    pub radius: f64,
    /// Length \[m\]; infinite when absent.
    pub length: Option<f64>,
    /// Contact on the inside.
    pub inside: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "cylinder",
    about: "round bar (infinite, or of a length with caps), or the inside of a pipe",
    keys: &[
        CENTER,
        Key {
            name: "axis",
            kind: Kind::Vector { unit: "", nonzero: true },
            default: Fallback::Vector([0.0, 1.0, 0.0]),
            about: "direction of the axis (normalised)",
        },
        RADIUS,
        Key {
            name: "length",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Optional("infinite"),
            about: "length between the caps; the caps collide unless `inside`",
        },
        INSIDE,
    ],
    page: Page {
        formula: "gap = distance from the axis − radius [m]; with `inside` the opposite; caps where a `length` is given",
        creep: "",
        stiffness: "",
        when: "Posts, rollers and pulleys; with `inside` drums and pipes.",
        source: "",
    },
    make: |values| {
        Ok(Box::new(Cylinder {
            center: values.vector("center"),
            axis: values.vector("axis").normalize(),
            radius: values.number("radius"),
            length: values.get_number("length"),
            inside: values.flag("inside"),
        }))
    },
};

impl Shape for Cylinder {
    fn gap(&self, p: Vector) -> Gap {
        let from_center = p - self.center;
        let along = from_center.dot(&self.axis);
        let radial = from_center - self.axis * along;
        let distance = radial.norm();
        let outward = if distance > 0.0 { radial / distance } else { across(self.axis) };
        let beyond_side = distance - self.radius;
        let Some(length) = self.length else {
            return round_gap(beyond_side, outward, self.inside);
        };
        let beyond_cap = along.abs() - 0.5 * length;
        let cap = if along < 0.0 { -self.axis } else { self.axis };
        if self.inside {
            // beyond the ends of the pipe: no contact
            let distance = if beyond_cap > 0.0 { f64::MAX } else { -beyond_side };
            return Gap { distance, normal: -outward };
        }
        if beyond_side > 0.0 && beyond_cap > 0.0 {
            let corner = outward * beyond_side + cap * beyond_cap;
            let distance = corner.norm();
            Gap { distance, normal: corner / distance }
        } else if beyond_cap > beyond_side {
            Gap { distance: beyond_cap, normal: cap }
        } else {
            Gap { distance: beyond_side, normal: outward }
        }
    }

    fn center(&self) -> Vector {
        self.center
    }

    fn half_thickness(&self) -> f64 {
        if self.inside {
            f64::INFINITY
        } else {
            self.length.map_or(self.radius, |length| smaller(self.radius, 0.5 * length))
        }
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Cylinder(self)
    }
}
