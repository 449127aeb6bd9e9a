//! A hollow ball.

use super::disc::across;
use super::ring::HUB;
use super::triangles::Triangles;
use super::{BodyShape, Family, Geometry, Link, Masses, too_large};
use crate::math::{PI, Vector, cos, sin, sqrt};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// `count` particles spread evenly over the surface of a ball about the origin.
///
/// Particle i lies at the height R (1 − (2i + 1)/n) and the angle i·π(3 − √5) about z (the sunflower of
/// \[vogel1979\] wound round a ball); the hub, if any, is the last. Springs: the edges of the convex
/// hull (edge), which is rigid by itself, and spokes to the hub (edge). Triangles face outward. The ball
/// is hollow, so its body needs a mass, spread evenly over all particles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// Radius \[m\], > 0.
    pub radius: f64,
    /// Particles on the surface, ≥ 4.
    pub count: u64,
    /// Whether a particle at the centre is joined to all others.
    pub hub: bool,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "sphere",
    about: "hollow ball of evenly spread particles about the origin, springs between neighbours (edge), perhaps with spokes to a hub (edge)",
    keys: &[
        Key {
            name: "radius",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "radius",
        },
        Key {
            name: "count",
            kind: Kind::Integer { min: 4, max: i64::MAX },
            default: Fallback::Required,
            about: "particles on the surface",
        },
        HUB,
    ],
    page: Page::NONE,
    make: |values| {
        Ok(Box::new(Sphere {
            radius: values.number("radius"),
            count: values.integer("count").unsigned_abs(),
            hub: values.flag("hub"),
        }))
    },
};

/// The outward hull of points on the unit ball. In stereographic projection from the first point,
/// circles become circles: the Delaunay triangles of the other points are the faces without the first
/// point, and their outline is joined to it.
fn hull(points: &[Vector]) -> Result<Vec<[u32; 3]>, Problem> {
    let pole = points[0];
    let [a, b] = across(pole);
    let seen = points[1..].iter().map(|p| {
        let scale = 1.0 / (1.0 - p.dot(&pole));
        [p.dot(&a) * scale, p.dot(&b) * scale]
    });
    let mesh = Triangles::of(&seen.collect::<Vec<_>>())?;
    let mut triangles: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|i| i + 1)).collect();
    triangles.extend(mesh.rim.iter().map(|[i, j]| [0, i + 1, j + 1]));
    let outward = |[i, j, k]: [u32; 3]| {
        let [p, q, r] = [i, j, k].map(|n| points[n as usize]);
        if (q - p).cross(&(r - p)).dot(&p) < 0.0 { [i, k, j] } else { [i, j, k] }
    };
    let mut triangles: Vec<[u32; 3]> = triangles.into_iter().map(outward).collect();
    triangles.sort_unstable();
    Ok(triangles)
}

impl BodyShape for Sphere {
    /// A closed surface of n vertices has 3 n − 6 edges.
    fn size(&self) -> (u128, u128) {
        let n = u128::from(self.count);
        if self.hub { (n + 1, 4 * n - 6) } else { (n, 3 * n - 6) }
    }

    fn surface(&self) -> u128 {
        24 * u128::from(self.count)
    }

    fn round_area(&self) -> Option<f64> {
        Some(4.0 * PI * self.radius * self.radius)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let (particles, _) = self.size();
        let count = u32::try_from(self.count).ok().filter(|&n| n < u32::MAX);
        let count = count.ok_or_else(|| too_large("count", particles))?;
        let golden = PI * (3.0 - sqrt(5.0));
        let unit: Vec<Vector> = (0..count)
            .map(|i| {
                let height = 1.0 - (2.0 * f64::from(i) + 1.0) / f64::from(count);
                let r = sqrt(1.0 - height * height);
                let angle = f64::from(i) * golden;
                Vector::new(r * cos(angle), r * sin(angle), height)
            })
            .collect();
        let triangles = hull(&unit)?;
        let mut edges: Vec<[u32; 2]> = triangles
            .iter()
            .flat_map(|[i, j, k]| [[*i, *j], [*j, *k], [*k, *i]])
            .map(|[i, j]| [i.min(j), i.max(j)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut positions: Vec<Vector> = unit.iter().map(|p| p * self.radius).collect();
        if self.hub {
            positions.push(Vector::zeros());
            edges.extend((0..count).map(|i| [i, count]));
            edges.sort_unstable();
        }
        Ok(Geometry {
            positions,
            links: edges.into_iter().map(|[i, j]| Link::new(i, j, Family::Edge)).collect(),
            triangles,
            masses: Masses::Even { volume: None },
            ..Geometry::default()
        })
    }
}
