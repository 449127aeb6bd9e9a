//! A flat disc.

use super::triangles::Triangles;
use super::{BodyShape, Family, Geometry, Link, Masses, too_large};
use crate::math::{PI, Vector, cos, sin, sqrt, tangential};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// `count` particles spread evenly over a disc about the origin, normal to an axis.
///
/// Particle i lies at the distance R √((i + ½)/n) and the angle i·π(3 − √5) \[vogel1979\]: each
/// represents the same area. Springs: the edges of their Delaunay triangulation (edge). One sheet of
/// triangles with normals along the axis. A disc has no volume, so its body needs a mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Disc {
    /// Radius \[m\], > 0.
    pub radius: f64,
    /// Particles, ≥ 3.
    pub count: u64,
    /// Unit axis.
    pub axis: Vector,
}

/// The key of the axis of a flat round shape.
pub(super) const AXIS: Key = Key {
    name: "axis",
    kind: Kind::Vector { unit: "", nonzero: true },
    default: Fallback::Vector([0.0, 0.0, 1.0]),
    about: "direction the flat side faces (normalised)",
};

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "disc",
    about: "flat disc of evenly spread particles about the origin, springs between neighbours (edge)",
    keys: &[
        Key {
            name: "radius",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "radius; the outermost particles lie a little within",
        },
        Key {
            name: "count",
            kind: Kind::Integer { min: 3, max: i64::MAX },
            default: Fallback::Required,
            about: "particles",
        },
        AXIS,
    ],
    page: Page::NONE,
    make: |values| {
        Ok(Box::new(Disc {
            radius: values.number("radius"),
            count: values.integer("count").unsigned_abs(),
            axis: values.vector("axis").normalize(),
        }))
    },
};

/// Two unit vectors across a unit axis, right-handed with it; x and y for the z axis.
pub(super) fn across(axis: Vector) -> [Vector; 2] {
    let lean = if axis.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
    let a = tangential(lean, axis).normalize();
    [a, axis.cross(&a)]
}

impl BodyShape for Disc {
    /// The number of springs is an upper bound.
    fn size(&self) -> (u128, u128) {
        (u128::from(self.count), 3 * u128::from(self.count))
    }

    fn surface(&self) -> u128 {
        24 * u128::from(self.count)
    }

    fn round_area(&self) -> Option<f64> {
        Some(PI * self.radius * self.radius)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let count = u32::try_from(self.count);
        let count = count.map_err(|_| too_large("count", u128::from(self.count)))?;
        // on the unit disc: the triangulation does not depend on the radius
        let golden = PI * (3.0 - sqrt(5.0));
        let points: Vec<[f64; 2]> = (0..count)
            .map(|i| {
                let r = sqrt((f64::from(i) + 0.5) / f64::from(count));
                let angle = f64::from(i) * golden;
                [r * cos(angle), r * sin(angle)]
            })
            .collect();
        let [a, b] = across(self.axis);
        let positions = points.iter().map(|[x, y]| (a * *x + b * *y) * self.radius).collect();
        let Triangles { mut edges, mut triangles, .. } = Triangles::of(&points)?;
        edges.sort_unstable();
        triangles.sort_unstable();
        Ok(Geometry {
            positions,
            links: edges.into_iter().map(|[i, j]| Link::new(i, j, Family::Edge)).collect(),
            triangles,
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
