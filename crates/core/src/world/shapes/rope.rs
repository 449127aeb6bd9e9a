//! A straight rope.

use super::{BodyShape, Family, Geometry, Link, Masses, too_large};
use crate::math::{Vector, larger};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem};

/// `segments + 1` particles evenly spaced on the line between two points.
///
/// Particle 0 lies at `from`, the last one at `to`. Springs: neighbours (edge), second
/// neighbours (bend). A rope has no volume, so its body needs a mass, not a density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rope {
    /// First end \[m\].
    pub from: Vector,
    /// Last end \[m\].
    pub to: Vector,
    /// Segments between neighbouring particles, ≥ 1.
    pub segments: u64,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "rope",
    about: "particles on a straight line, springs between neighbours (edge) and second neighbours (bend)",
    keys: &[
        Key {
            name: "from",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Required,
            about: "where the first particle lies",
        },
        Key {
            name: "to",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Required,
            about: "where the last particle lies",
        },
        Key {
            name: "segments",
            kind: Kind::Integer { min: 1, max: i64::MAX },
            default: Fallback::Required,
            about: "number of pieces; there is one particle more",
        },
    ],
    page: Page::NONE,
    make: |values| {
        let rope = Rope {
            from: values.vector("from"),
            to: values.vector("to"),
            segments: values.integer("segments").unsigned_abs(),
        };
        rope.check()?;
        Ok(Box::new(rope))
    },
};

impl Rope {
    /// The ends must be far enough apart for the particles to be distinct points.
    fn check(&self) -> Result<(), Problem> {
        let length = (self.to - self.from).norm();
        let piece = length / self.segments as f64;
        let largest = larger(self.from.amax(), self.to.amax());
        if length > 0.0 && piece > 4.0 * f64::EPSILON * largest {
            return Ok(());
        }
        Err(Problem::of(
            "to",
            format!(
                "a rope of {} segments over a length of {length} m leaves neighbouring particles on the same point",
                self.segments
            ),
            "place `from` and `to` apart, or use fewer segments",
        ))
    }
}

impl BodyShape for Rope {
    fn size(&self) -> (u128, u128) {
        let pieces = u128::from(self.segments);
        (pieces + 1, pieces + (pieces - 1))
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        let pieces = u128::from(self.segments);
        let of = |family: Family, count| if families[family as usize] { count } else { 0 };
        of(Family::Edge, pieces) + of(Family::Bend, pieces - 1)
    }

    fn surface(&self) -> u128 {
        8 * u128::from(self.segments)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let (particles, springs) = self.size();
        let last = u32::try_from(self.segments).ok().filter(|&n| n < u32::MAX);
        let Some(last) = last else {
            return Err(too_large("segments", particles));
        };
        let span = self.to - self.from;
        let mut positions: Vec<Vector> =
            (0..last).map(|i| self.from + span * (f64::from(i) / f64::from(last))).collect();
        positions.push(self.to);

        let mut links = Vec::with_capacity(springs as usize);
        for i in 0..last {
            links.push(Link::new(i, i + 1, Family::Edge));
            if i + 2 <= last {
                links.push(Link::new(i, i + 2, Family::Bend));
            }
        }
        Ok(Geometry {
            positions,
            links,
            masses: Masses::Even { volume: None },
            segments: (0..last).map(|i| [i, i + 1]).collect(),
            ..Geometry::default()
        })
    }
}
