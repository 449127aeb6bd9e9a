//! A ring, with or without a hub.

use super::disc::{AXIS, across};
use super::{BodyShape, Family, Geometry, Link, Masses, too_large};
use crate::math::{PI, Vector, cos, sin};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// `count` particles evenly spaced on a circle about the origin, normal to an axis.
///
/// Particle i lies at the angle 2π i/n; the hub, if any, is the last. Springs: neighbours (edge), second
/// neighbours (bend), spokes to the hub (edge). A ring has no volume, so its body needs a mass, spread
/// evenly over all particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RingShape {
    /// Radius \[m\], > 0.
    pub radius: f64,
    /// Particles on the circle, ≥ 3.
    pub count: u64,
    /// Whether a particle at the centre is joined to all others.
    pub hub: bool,
    /// Unit axis.
    pub axis: Vector,
}

/// The key of a particle at the centre.
pub(super) const HUB: Key = Key {
    name: "hub",
    kind: Kind::Flag,
    default: Fallback::Flag(false),
    about: "one particle more, at the centre, joined to all others; it is the last",
};

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "ring",
    about: "particles on a circle about the origin, springs between neighbours (edge) and second neighbours (bend), perhaps with spokes to a hub (edge)",
    keys: &[
        Key {
            name: "radius",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "radius",
        },
        Key {
            name: "count",
            kind: Kind::Integer { min: 3, max: i64::MAX },
            default: Fallback::Required,
            about: "particles on the circle",
        },
        HUB,
        AXIS,
    ],
    page: Page::NONE,
    make: |values| {
        Ok(Box::new(RingShape {
            radius: values.number("radius"),
            count: values.integer("count").unsigned_abs(),
            hub: values.flag("hub"),
            axis: values.vector("axis").normalize(),
        }))
    },
};

impl RingShape {
    /// Springs between second neighbours: none in a triangle, the two diagonals of a square.
    fn bends(&self) -> u64 {
        match self.count {
            ..=3 => 0,
            4 => 2,
            n => n,
        }
    }
}

impl BodyShape for RingShape {
    fn size(&self) -> (u128, u128) {
        let (n, bends) = (u128::from(self.count), u128::from(self.bends()));
        if self.hub { (n + 1, 2 * n + bends) } else { (n, n + bends) }
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        let bends = u128::from(self.bends());
        let of = |family: Family, count| if families[family as usize] { count } else { 0 };
        of(Family::Edge, self.size().1 - bends) + of(Family::Bend, bends)
    }

    fn surface(&self) -> u128 {
        if self.hub { 12 * u128::from(self.count) } else { 0 }
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let (particles, springs) = self.size();
        let count = u32::try_from(self.count).ok().filter(|&n| n < u32::MAX);
        let count = count.ok_or_else(|| too_large("count", particles))?;
        let [a, b] = across(self.axis);
        let mut positions: Vec<Vector> = (0..count)
            .map(|i| {
                let angle = 2.0 * PI * f64::from(i) / f64::from(count);
                (a * cos(angle) + b * sin(angle)) * self.radius
            })
            .collect();
        let sorted = |i: u32, j: u32, family| Link::new(i.min(j), i.max(j), family);
        let mut links = Vec::with_capacity(springs as usize);
        for i in 0..count {
            links.push(sorted(i, (i + 1) % count, Family::Edge));
            if u64::from(i) < self.bends() {
                links.push(sorted(i, (i + 2) % count, Family::Bend));
            }
        }
        let mut triangles = Vec::new();
        if self.hub {
            positions.push(Vector::zeros());
            links.extend((0..count).map(|i| Link::new(i, count, Family::Edge)));
            triangles.extend((0..count).map(|i| [i, (i + 1) % count, count]));
        }
        links.sort_unstable_by_key(|link| (link.i, link.j));
        Ok(Geometry {
            positions,
            links,
            triangles,
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
