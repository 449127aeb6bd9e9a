//! A surface given by a formula: solid where φ(x, y, z) < 0.

use super::sphere::CENTER;
use super::{Gap, Shape};
use crate::expression::{Bundle, CONSTANTS_KEY, Expression, check_constants};
use crate::math::{Vector, sqrt};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Values};

/// The variables of φ \[m\].
const VARIABLES: &[&str] = &["x", "y", "z"];

/// The distance \[m\] where φ has no finite value or no gradient: a particle there has no contact.
pub(crate) const NOWHERE: f64 = 1e9;

/// Largest number of steps of the projection.
const STEPS: usize = 60;
/// The last change of q, in units of 1 + |p|, at which the projection ends.
const STILL: f64 = 4e-16;
/// The last change of q, in units of 1 + |p|, up to which its result is accepted.
const SETTLED: f64 = 1e-9;

/// Solid where φ < 0; φ need not be a distance.
///
/// The nearest point q of the surface is found by projection, from q = p,
///
/// ```text
/// q ← p − (φ(q) + ∇φ(q)·(p − q)) ∇φ(q)/|∇φ(q)|²
/// ```
///
/// The fixed points have φ(q) = 0 and p − q along the normal. The distance is (p − q)·n with n =
/// ∇φ(q)/|∇φ(q)|. It is exact to rounding while |p − q| is well below the radius of curvature at q:
/// each step multiplies the error by about the ratio of the two. Where the iteration does not
/// converge, or ends on the other side of the surface, the first-order value φ/|∇φ| at p is used:
/// far away the distance is an estimate with the right sign and a rough size. For points without a
/// gradient see [`NOWHERE`].
pub(crate) struct ImplicitSurface {
    phi: Bundle<3>,
    center: Vector,
}

/// Its row.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "implicit",
    about: "solid where a formula phi(x, y, z) is negative; for the inside of a thing write -(phi)",
    keys: &[
        Key {
            name: "phi",
            kind: Kind::Text,
            default: Fallback::Required,
            about: "formula in x, y and z (m), negative in the solid, with a gradient on the surface",
        },
        CONSTANTS_KEY,
        CENTER,
    ],
    page: Page {
        formula: "solid where phi(x, y, z) < 0\n\
            gap = (p − q)·n [m], q the nearest point with phi(q) = 0, n = ∇phi/|∇phi| at q",
        creep: "",
        stiffness: "",
        when: "Waves, bowls, tori and whatever else has a formula. phi need not be a distance; the gap is exact to rounding where it is well below the radius of curvature, and an estimate far away. An edge of phi (abs, two sheets) is felt as one contact with one normal. `center` is only where it turns by default.",
        source: "",
    },
    make: |values| make(values).map(|shape| Box::new(shape) as Box<dyn Shape>),
};

fn make(values: &Values) -> Result<ImplicitSurface, Problem> {
    let constants = values.constants("constants");
    check_constants(VARIABLES, &constants)
        .map_err(|fault| Problem::of("constants", fault.message, fault.help))?;
    let expression = Expression::parse(values.text("phi"), VARIABLES, &constants)
        .map_err(|fault| Problem::of("phi", fault.message, fault.help))?;
    if (0..3).all(|axis| !expression.depends_on(axis)) {
        let message = "`phi` depends on none of x, y and z, so it has no surface";
        return Err(Problem::of("phi", message, "write a formula such as \"z - 0.1*sin(5*x)\""));
    }
    let center = values.vector("center");
    let phi = expression.with_partials([0, 1, 2]);
    for p in samples(center) {
        if !phi.value(&[p.x, p.y, p.z]).is_finite() {
            let message = format!("`phi` has no finite value at [{}, {}, {}]", p.x, p.y, p.z);
            let help = "it is needed around `center`; put `center` where the surface is";
            return Err(Problem::of("phi", message, help));
        }
    }
    Ok(ImplicitSurface { phi, center })
}

/// Points in the cube of 2 m about the centre, none on a plane of symmetry.
fn samples(center: Vector) -> impl Iterator<Item = Vector> {
    let place = |k: usize| (k as f64 - 3.5) / 4.0;
    (0..512).map(move |k| center + Vector::new(place(k % 8), place(k / 8 % 8), place(k / 64)))
}

impl ImplicitSurface {
    /// φ and ∇φ.
    fn at(&self, p: Vector) -> (f64, Vector) {
        let (value, slopes) = self.phi.eval(&[p.x, p.y, p.z]);
        (value, Vector::from(slopes))
    }

    /// Distance and normal; beyond `reach` the distance is rough.
    fn search(&self, p: Vector, reach: f64) -> Gap {
        let first = self.at(p);
        if let Some(gap) = self.projected(p, first, reach) {
            return gap;
        }
        let (value, slope) = first;
        let length = slope.norm();
        if length > 0.0 && length.is_finite() && (value / length).is_finite() {
            Gap { distance: value / length, normal: slope / length }
        } else {
            Gap { distance: NOWHERE, normal: Vector::z() }
        }
    }

    /// Distance and normal by projection, if it converges; rough where the distance is certain to exceed
    /// `reach`.
    fn projected(&self, p: Vector, first: (f64, Vector), reach: f64) -> Option<Gap> {
        let scale = 1.0 + p.norm();
        let (mut q, mut change) = (p, f64::INFINITY);
        let (mut value, mut slope) = first;
        let mut gap = None;
        for _ in 0..STEPS {
            let square = slope.norm_squared();
            if !(square > 0.0 && square.is_finite() && value.is_finite()) {
                return None;
            }
            let share = (value + slope.dot(&(p - q))) / square;
            let next = p - slope * share;
            let length = sqrt(square);
            let before = change;
            change = (next - q).norm();
            let found = Gap { distance: share * length, normal: slope / length };
            gap = Some(found);
            // the remaining error is less than the last change
            if change < 0.5 * before && found.distance - reach > 4.0 * change && first.0 > 0.0 {
                return gap;
            }
            // converged, or down to the noise of φ
            if change <= STILL * scale || (change <= 1e-12 * scale && change >= before) {
                break;
            }
            q = next;
            (value, slope) = self.at(q);
        }
        let same_side = |gap: &Gap| gap.distance * first.0 >= 0.0 || gap.distance.abs() <= SETTLED;
        gap.filter(|gap| change <= SETTLED * scale && same_side(gap))
    }
}

impl Shape for ImplicitSurface {
    fn gap(&self, p: Vector) -> Gap {
        self.search(p, f64::INFINITY)
    }

    fn gap_within(&self, p: Vector, reach: f64) -> Option<Gap> {
        let gap = self.search(p, reach);
        (gap.distance < reach).then_some(gap)
    }

    fn center(&self) -> Vector {
        self.center
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    /// φ itself, since far away the gap is an estimate.
    fn level(&self, p: Vector) -> f64 {
        self.phi.value(&[p.x, p.y, p.z])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::collider::sphere::SphereSurface;
    use crate::math::{cos, sin};
    use crate::registry::Value;
    use std::collections::BTreeMap;

    fn given(phi: &str) -> Result<ImplicitSurface, Problem> {
        let constants = BTreeMap::from([("R".to_string(), 0.5)]);
        let values = Values::defaults(ENTRY.keys)
            .set("phi", Value::Text(phi.into()))
            .set("constants", Value::Constants(constants));
        make(&values)
    }

    /// Points at the distance `radius` from the origin, all around.
    fn around(radius: f64) -> impl Iterator<Item = Vector> {
        (0..40).map(move |k| {
            let (a, b) = (0.37 * f64::from(k), 0.11 + 2.4 * f64::from(k));
            Vector::new(sin(a) * cos(b), sin(a) * sin(b), cos(a)) * radius
        })
    }

    #[test]
    fn a_ball_is_the_ball_however_it_is_written() {
        let ball = SphereSurface { center: Vector::zeros(), radius: 0.5, inside: false };
        for phi in [
            "x^2 + y^2 + z^2 - R^2",
            "sqrt(x^2 + y^2 + z^2) - R",
            "exp(x^2 + y^2 + z^2) - exp(R^2)",
            "10*(x^2 + y^2 + z^2)^2 - 10*R^4",
        ] {
            let shape = given(phi).expect(phi);
            for (depth, close) in [(0.0, 2e-15), (1e-6, 2e-15), (0.05, 4e-15), (-0.05, 4e-15)] {
                for p in around(0.5 - depth) {
                    let (own, other) = (shape.gap(p), ball.gap(p));
                    let off = (own.distance - other.distance).abs();
                    assert!(off < close, "{phi} {depth}: {off}");
                    assert!((own.normal - other.normal).norm() < 1e-13, "{phi} {depth}");
                }
            }
            // far away the sign is right and every value is defined
            for p in around(7.0).chain(around(0.01)) {
                let (own, other) = (shape.gap(p), ball.gap(p));
                assert!(own.distance * other.distance > 0.0, "{phi}: {}", own.distance);
                assert!((own.normal.norm() - 1.0).abs() < 1e-12);
            }
        }
        let nowhere = given("x^2 + y^2 + z^2 - R^2").expect("a ball").gap(Vector::zeros());
        assert_eq!(nowhere, Gap { distance: NOWHERE, normal: Vector::z() });
    }

    /// On a wavy floor: the foot lies on the surface, the line to it along the normal, and no
    /// nearby point of the surface is nearer.
    #[test]
    fn the_foot_on_a_wave_is_the_nearest_point() {
        let shape = given("z - 0.1*sin(5*x)*cos(3*y)").expect("a wave");
        let height = |x: f64, y: f64| 0.1 * sin(5.0 * x) * cos(3.0 * y);
        for k in 0..60 {
            let (x, y) = (0.13 * f64::from(k) - 4.0, 0.29 * f64::from(k));
            let p = Vector::new(x, y, height(x, y) - 0.02 + 0.03 * f64::from(k % 3));
            let gap = shape.gap(p);
            let q = p - gap.normal * gap.distance;
            assert!((q.z - height(q.x, q.y)).abs() < 4e-15, "{p}");
            for (dx, dy) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3)] {
                let near = Vector::new(q.x + dx, q.y + dy, height(q.x + dx, q.y + dy));
                assert!((near - p).norm() >= gap.distance.abs(), "{p}");
            }
        }
    }

    /// A search that may stop beyond the reach finds the gaps of the full search that are below it,
    /// and no others.
    #[test]
    fn a_search_within_reach_agrees_with_the_whole() {
        for phi in ["x^2 + y^2 + z^2 - R^2", "z - 0.1*sin(5*x)*cos(3*y)"] {
            let shape = given(phi).expect(phi);
            for k in 0..500 {
                let k = f64::from(k);
                let p = Vector::new(1.1 * sin(k), 1.1 * sin(1.7 * k), 0.9 * cos(2.3 * k));
                for reach in [0.0, 0.02, 0.2] {
                    let gap = shape.gap(p);
                    let expected = (gap.distance < reach).then_some(gap);
                    assert_eq!(shape.gap_within(p, reach), expected, "{phi} {p} {reach}");
                }
            }
        }
    }

    #[test]
    fn a_gap_always_has_a_number_and_a_unit_normal() {
        for phi in [
            "x*y*z",
            "abs(x) + abs(y) - 0.3",
            "(sqrt(x^2 + y^2) - 1)^2 + z^2 - 0.04",
            "x^2",
            "exp(20*z) - 1",
        ] {
            let shape = given(phi).expect(phi);
            for x in [-50.0, -1.0, -1e-9, 0.0, 0.3, 1.0, 1e6] {
                for y in [-1.0, 0.0, 0.2, 30.0] {
                    for z in [-40.0, -0.1, 0.0, 0.2, 1e3] {
                        let gap = shape.gap(Vector::new(x, y, z));
                        assert!(gap.distance.is_finite(), "{phi} {x} {y} {z}");
                        assert!((gap.normal.norm() - 1.0).abs() < 1e-9, "{phi} {x} {y} {z}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_phi_without_a_surface_is_refused() {
        for (phi, message) in [
            ("R", "none of x, y and z"),
            ("z - q", "`q`"),
            ("log(x)", "no finite value at [-0.875,"),
            ("z - ", "ends"),
        ] {
            let Err(problem) = given(phi) else { panic!("{phi}") };
            assert_eq!(problem.key, Some("phi"));
            assert!(problem.message.contains(message), "{phi}: {}", problem.message);
        }
    }
}
