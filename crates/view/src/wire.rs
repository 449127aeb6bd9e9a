//! The lines φ = 0, followed from each particle, step by step, along their tangent with Newton's
//! method.

use stiction_core::constraints::curve::{Curve, Local};
use stiction_core::math::{Vector, cos, radians};

/// Largest number of steps along one line.
const MOST: usize = 2000;

/// Largest number of particles from which lines are followed; further ones lie on known lines.
const STARTS: usize = 32;

/// Turning angle above which a line that is not closed is taken to turn for ever \[degrees\].
const TURNS: f64 = 420.0;

/// One line of φ = 0: the intersection of two surfaces, or of one with a plane normal to an axis.
struct Trail<'a> {
    curve: &'a Curve,
    /// the axis normal to the line
    across: Option<usize>,
    /// largest length in one direction \[m\]
    reach: f64,
}

/// Segments of the lines φ = 0 through the particles' positions `at` \[m\], at most `reach` \[m\]
/// long on either side. A surface in space is shown by its sections with three planes through each
/// particle.
pub fn lines(curve: &Curve, at: &[Vector], reach: f64) -> Vec<[Vector; 2]> {
    let across: &[Option<usize>] = match (curve.formulas.len(), curve.locked_axis) {
        (1, None) => &[Some(0), Some(1), Some(2)],
        (1, Some(0)) => &[Some(0)],
        (1, Some(1)) => &[Some(1)],
        (1, Some(_)) => &[Some(2)],
        _ => &[None],
    };
    let mut segments: Vec<[Vector; 2]> = Vec::new();
    let starts = curve.particles.iter().filter_map(|&i| at.get(i)).take(STARTS);
    for start in starts.filter(|p| p.iter().all(|x| x.is_finite())) {
        let known = |[a, b]: &[Vector; 2]| (start - a).norm() <= (b - a).norm();
        if segments.iter().any(known) {
            continue;
        }
        for &across in across {
            let points = Trail { curve, across, reach }.follow(start);
            segments.extend(points.windows(2).map(|pair| [pair[0], pair[1]]));
        }
    }
    segments
}

impl Trail<'_> {
    fn at(&self, x: &Vector) -> Option<Local> {
        let mut inverse_mass = Vector::repeat(1.0);
        if let Some(axis) = self.across {
            inverse_mass[axis] = 0.0;
        }
        let local = Local::new(&self.curve.formulas, x, inverse_mass, self.across);
        local.is_regular().then_some(local)
    }

    /// The unit tangent along g₁ × g₂, the product of the gradients: its sense does not change on a
    /// line.
    fn tangent(&self, x: &Vector) -> Option<Vector> {
        let local = self.at(x)?;
        let other = match self.across {
            Some(axis) => Vector::ith(axis, 1.0),
            None => local.gradients[1],
        };
        local.gradients[0].cross(&other).try_normalize(0.0)
    }

    /// The points of the line in both directions from `start`, or in one if the line is closed.
    fn follow(&self, start: &Vector) -> Vec<Vector> {
        let (forth, closed) = self.one_way(start, 1.0);
        if closed {
            return forth;
        }
        let (mut points, _) = self.one_way(start, -1.0);
        points.reverse();
        points.extend(forth.into_iter().skip(1));
        points
    }

    /// Points from `start` on, and whether the line returns to `start`. Steps adapt so that the
    /// line turns by 1 to 4 degrees in each.
    fn one_way(&self, start: &Vector, way: f64) -> (Vec<Vector>, bool) {
        let (fine, coarse) = (cos(radians(1.0)), cos(radians(4.0)));
        let mut points = vec![*start];
        let Some(mut along) = self.tangent(start).map(|t| t * way) else { return (points, false) };
        let (mut step, least) = (1e-3 * self.reach, 1e-6 * self.reach);
        let (mut x, mut length, mut turned) = (*start, 0.0, 0.0);
        let first = along;
        for _ in 0..MOST {
            let Some((next, ahead)) = self.step(&x, along * step, way) else { break };
            let straight = along.dot(&ahead);
            if straight < coarse && step > least {
                step *= 0.5;
                continue;
            }
            length += (next - x).norm();
            turned +=
                stiction_core::math::degrees(stiction_core::math::acos(straight.clamp(-1.0, 1.0)));
            // the line passes its start in the same direction
            let back = start - x;
            let past = back.dot(&along) > 0.0 && (next - start).dot(&along) >= 0.0;
            if points.len() > 3 && past && back.norm() <= 1.5 * step && first.dot(&ahead) > 0.9 {
                points.push(*start);
                return (points, true);
            }
            (x, along) = (next, ahead);
            points.push(x);
            if length > self.reach || turned > TURNS {
                break;
            }
            if straight > fine {
                step = (1.5 * step).min(0.02 * self.reach);
            }
        }
        (points, false)
    }

    /// One step along the tangent and back onto φ = 0, and the tangent there.
    fn step(&self, x: &Vector, by: Vector, way: f64) -> Option<(Vector, Vector)> {
        let mut next = x + by;
        for _ in 0..4 {
            let local = self.at(&next)?;
            next -= local.shift(local.values);
        }
        let near = (next - x).norm() <= 2.0 * by.norm();
        let ahead = self.tangent(&next)? * way;
        near.then_some((next, ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::lines;
    use stiction_core::constraints::curve::{Curve, CurveFormula, Friction};
    use stiction_core::expression::Expression;
    use stiction_core::math::{PI, Vector};

    fn curve(phi: &[&str], locked_axis: Option<usize>) -> Curve {
        let formula = |text: &&str| {
            CurveFormula::new(
                &Expression::parse(text, &["x", "y", "z"], &Default::default()).unwrap(),
            )
        };
        Curve {
            formulas: phi.iter().map(formula).collect(),
            particles: vec![0],
            inverse_masses: vec![Vector::repeat(1.0)],
            locked_axis,
            friction: Friction::default(),
            stabilisation: 0.0,
            projection: true,
            first: 0,
        }
    }

    fn length(segments: &[[Vector; 2]]) -> f64 {
        segments.iter().map(|[a, b]| (b - a).norm()).sum()
    }

    #[test]
    fn a_ring_is_closed_and_as_long_as_it_is() {
        for (phi, locked) in
            [(&["x^2 + y^2 + z^2 - 1", "y"][..], None), (&["x^2 + z^2 - 1"][..], Some(1))]
        {
            let segments = lines(&curve(phi, locked), &[Vector::x()], 10.0);
            assert!((length(&segments) / (2.0 * PI) - 1.0).abs() < 2e-3, "{}", length(&segments));
            assert_eq!(segments[segments.len() - 1][1], segments[0][0]);
            let off = |p: &Vector| (p.norm() - 1.0).abs() + p.y.abs();
            assert!(segments.iter().flatten().all(|p| off(p) < 1e-9));
        }
    }

    #[test]
    fn an_open_line_goes_both_ways_to_its_reach() {
        let segments = lines(&curve(&["sin(x) + z"], Some(1)), &[Vector::zeros()], 5.0);
        let (left, right) = (segments[0][0], segments[segments.len() - 1][1]);
        assert!(left.x.abs() > 3.0 && right.x.abs() > 3.0 && left.x * right.x < 0.0);
    }

    #[test]
    fn a_surface_is_shown_by_three_sections_and_nonsense_by_nothing() {
        let sphere = curve(&["x^2 + y^2 + z^2 - 1"], None);
        let start = Vector::new(0.6, 0.64, 0.48);
        let segments = lines(&sphere, &[start], 10.0);
        let circles = [0.6, 0.64, 0.48].map(|c: f64| 2.0 * PI * (1.0 - c * c).sqrt());
        assert!((length(&segments) / circles.iter().sum::<f64>() - 1.0).abs() < 2e-3);
        assert!(lines(&sphere, &[Vector::repeat(f64::NAN)], 10.0).is_empty());
        assert!(lines(&sphere, &[], 10.0).is_empty());
        assert!(lines(&curve(&["x^2 + z^2"], Some(1)), &[Vector::zeros()], 1.0).is_empty());
    }
}
