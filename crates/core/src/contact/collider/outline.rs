//! Colliders as triangles: simple forms directly, all others by marching tetrahedra.

use super::capsule::Capsule;
use super::cuboid::Cuboid;
use super::cylinder::Cylinder;
use super::march;
use super::plane::Plane;
use super::sphere::{SphereSurface, across};
use super::{Bounds, ColliderForm, Shape};
use crate::math::{PI, Vector, cos, sin, tangential};

/// Triangles of a shape for pictures \[m\]; `around` is the region of the picture.
pub fn triangles(shape: &dyn Shape, around: &Bounds) -> Vec<[Vector; 3]> {
    match shape.form() {
        ColliderForm::Plane(of) => plane(of, around),
        ColliderForm::Sphere(of) => sphere(of),
        ColliderForm::Cuboid(of) => cuboid(of),
        ColliderForm::Cylinder(of) => cylinder(of, around),
        ColliderForm::Capsule(of) => capsule(of),
        ColliderForm::Triangles(triangles) => triangles,
        ColliderForm::Level => march::surface(&march::roomy(around), |p| shape.level(p)),
    }
}

/// A square under the middle of the view, large enough to cover it.
fn plane(of: &Plane, around: &Bounds) -> Vec<[Vector; 3]> {
    let middle = (around.min + around.max) * 0.5;
    let middle = middle - of.normal * (middle - of.point).dot(&of.normal);
    let half = (around.max - around.min).norm() * 0.75;
    let lean = if of.normal.x.abs() < 0.9 { Vector::x() } else { Vector::y() };
    let a = tangential(lean, of.normal).normalize() * half;
    let b = of.normal.cross(&a);
    let corner = |s: f64, t: f64| middle + a * s + b * t;
    let (p, q, r, s) = (corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0));
    vec![[p, q, r], [p, r, s]]
}

/// Circles of latitude and longitude.
fn sphere(of: &SphereSurface) -> Vec<[Vector; 3]> {
    let (rings, sectors) = (16, 32);
    let point = |i: usize, j: usize| {
        let polar = PI * i as f64 / rings as f64;
        let angle = 2.0 * PI * j as f64 / sectors as f64;
        let r = sin(polar);
        let direction = Vector::new(r * cos(angle), r * sin(angle), cos(polar));
        of.center + direction * of.radius
    };
    let mut triangles = Vec::with_capacity(2 * rings * sectors);
    for i in 0..rings {
        for j in 0..sectors {
            let (a, b, c, d) = (point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1));
            triangles.push([a, b, c]);
            triangles.push([a, c, d]);
        }
    }
    triangles
}

/// Two triangles a face.
fn cuboid(of: &Cuboid) -> Vec<[Vector; 3]> {
    let corner = |i: usize| {
        let side = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
        of.place(Vector::new(side(0), side(1), side(2)).component_mul(&of.half))
    };
    const FACES: [[usize; 4]; 6] =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    FACES
        .iter()
        .flat_map(|[a, b, c, d]| {
            let (a, b, c, d) = (corner(*a), corner(*b), corner(*c), corner(*d));
            [[a, b, c], [a, c, d]]
        })
        .collect()
}

/// The side, and the caps if it has any; an infinite cylinder is as long as the view.
fn cylinder(of: &Cylinder, around: &Bounds) -> Vec<[Vector; 3]> {
    let sectors = 48;
    let half = of.length.unwrap_or_else(|| (around.max - around.min).norm()) * 0.5;
    let a = across(of.axis) * of.radius;
    let b = of.axis.cross(&a);
    let rim = |j: usize, end: f64| {
        let angle = 2.0 * PI * j as f64 / sectors as f64;
        of.center + a * cos(angle) + b * sin(angle) + of.axis * (half * end)
    };
    let mut triangles = Vec::with_capacity(4 * sectors);
    for j in 0..sectors {
        let (p, q, r, s) = (rim(j, -1.0), rim(j + 1, -1.0), rim(j + 1, 1.0), rim(j, 1.0));
        triangles.push([p, q, r]);
        triangles.push([p, r, s]);
        if of.length.is_some() && !of.inside {
            triangles.push([of.center + of.axis * half, s, r]);
            triangles.push([of.center - of.axis * half, q, p]);
        }
    }
    triangles
}

/// Circles about the axis, those of the lower half-ball first.
fn capsule(of: &Capsule) -> Vec<[Vector; 3]> {
    let (rings, sectors) = (8, 32);
    let a = across(of.axis);
    let b = of.axis.cross(&a);
    // 2 (rings + 1) circles: those of the lower half-ball, then those of the upper one
    let point = |i: usize, j: usize| {
        let upper = i > rings;
        let quarter = if upper { i - 1 - rings } else { i } as f64 / rings as f64;
        let polar = 0.5 * PI * if upper { quarter } else { quarter - 1.0 };
        let angle = 2.0 * PI * j as f64 / sectors as f64;
        let end = if upper { 0.5 * of.length } else { -0.5 * of.length };
        let direction = (a * cos(angle) + b * sin(angle)) * cos(polar) + of.axis * sin(polar);
        of.center + of.axis * end + direction * of.radius
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::collider::{Gap, cylinder, plane};
    use crate::registry::{Entry, Value, Values};

    /// The ball x² + y² + z² < ¼, without a simple form.
    struct Ball;

    impl Shape for Ball {
        fn gap(&self, p: Vector) -> Gap {
            Gap { distance: p.norm() - 0.5, normal: p.normalize() }
        }

        fn level(&self, p: Vector) -> f64 {
            p.norm_squared() - 0.25
        }

        fn center(&self) -> Vector {
            Vector::zeros()
        }

        fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
            vec![self]
        }
    }

    #[test]
    fn marched_triangles_lie_on_the_surface_and_close_around_it() {
        let bounds = Bounds { min: Vector::repeat(-0.5), max: Vector::repeat(0.5) };
        let outline = triangles(&Ball, &bounds);
        let mut area = 0.0;
        for [a, b, c] in &outline {
            for p in [a, b, c] {
                assert!((p.norm() - 0.5).abs() < 5e-3, "{}", p.norm());
            }
            area += 0.5 * (b - a).cross(&(c - a)).norm();
        }
        assert!((area / crate::math::PI - 1.0).abs() < 0.02, "{area}");
    }

    /// Corners lie on the surface, and the area is exact (of the cylinder, that of a 48-sided
    /// prism).
    #[test]
    fn simple_forms_have_their_area_and_corners_on_the_surface() {
        let values = |entry: &Entry<dyn Shape>, pairs: &[(&'static str, Value)]| {
            let pairs = pairs.iter().cloned();
            (entry.make)(&Values(pairs.collect())).unwrap_or_else(|_| panic!("{}", entry.name))
        };
        let at = Vector::new(0.3, -0.2, 0.5);
        let axis = Vector::new(1.0, 2.0, 2.0) / 3.0;
        let round = 48.0 * sin(PI / 48.0);
        let cylinder = values(
            &cylinder::ENTRY,
            &[
                ("center", Value::Vector(at)),
                ("axis", Value::Vector(axis)),
                ("radius", Value::Number(0.4)),
                ("length", Value::Number(1.5)),
                ("inside", Value::Flag(false)),
            ],
        );
        let side = 2.0 * round * 0.4 * 1.5;
        let caps = 2.0 * 0.4 * 0.4 * 48.0 * sin(PI / 48.0) * cos(PI / 48.0);
        let plane =
            values(&plane::ENTRY, &[("normal", Value::Vector(axis)), ("point", Value::Vector(at))]);
        let bounds = Bounds { min: Vector::repeat(-1.0), max: Vector::repeat(1.0) };
        let square = 4.0 * 0.75 * 0.75 * 12.0;
        for (shape, exact) in [(cylinder, side + caps), (plane, square)] {
            let mut area = 0.0;
            for [a, b, c] in triangles(&*shape, &bounds) {
                area += 0.5 * (b - a).cross(&(c - a)).norm();
                for p in [a, b, c] {
                    let distance = shape.gap(p).distance;
                    // the middle of a cap lies on the surface too
                    assert!(distance.abs() < 1e-9, "{p}: {distance}");
                }
            }
            assert!((area / exact - 1.0).abs() < 1e-9, "{area}, not {exact}");
        }
    }
}
