//! A round bar with round ends, or the inside of one.

use super::sphere::{CENTER, INSIDE, RADIUS, round_gap};
use super::{Bounds, Gap, Shape};
use crate::math::{PI, Vector, cos, sin, tangential};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// All points within `radius` of a straight piece; with `inside` everything else is solid instead.
#[derive(Debug, Clone, Copy)]
pub struct Capsule {
    /// Middle of the straight piece \[m\].
    pub center: Vector,
    /// Unit axis.
    pub axis: Vector,
    /// Radius \[m\].
    pub radius: f64,
    /// Length of the straight piece, without the round ends \[m\].
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
        crawl: "",
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

impl Capsule {
    /// A unit vector across the axis.
    fn across(&self) -> Vector {
        let lean = if self.axis.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
        tangential(lean, self.axis).normalize()
    }
}

impl Shape for Capsule {
    /// |p − q| − radius, q the nearest point of the straight piece.
    fn gap(&self, p: Vector) -> Gap {
        let from_center = p - self.center;
        let half = 0.5 * self.length;
        let along = from_center.dot(&self.axis).clamp(-half, half);
        let radial = from_center - self.axis * along;
        let distance = radial.norm();
        // on the straight piece every direction across it is as good
        let outward = if distance > 0.0 { radial / distance } else { self.across() };
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

    fn outline(&self, _around: &Bounds) -> Vec<[Vector; 3]> {
        let (rings, sectors) = (8, 32);
        let a = self.across();
        let b = self.axis.cross(&a);
        // 2 (rings + 1) circles: those of the lower half-ball, then those of the upper one
        let point = |i: usize, j: usize| {
            let upper = i > rings;
            let quarter = if upper { i - 1 - rings } else { i } as f64 / rings as f64;
            let polar = 0.5 * PI * if upper { quarter } else { quarter - 1.0 };
            let angle = 2.0 * PI * j as f64 / sectors as f64;
            let end = if upper { 0.5 * self.length } else { -0.5 * self.length };
            let direction = (a * cos(angle) + b * sin(angle)) * cos(polar) + self.axis * sin(polar);
            self.center + self.axis * end + direction * self.radius
        };
        let mut triangles = Vec::with_capacity(2 * (2 * rings + 1) * sectors);
        for i in 0..2 * rings + 1 {
            for j in 0..sectors {
                let (p, q) = (point(i, j), point(i, j + 1));
                let (r, s) = (point(i + 1, j + 1), point(i + 1, j));
                triangles.push([p, q, r]);
                triangles.push([p, r, s]);
            }
        }
        triangles
    }
}
