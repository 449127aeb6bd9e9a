//! The watch over passages: a particle whose straight path between two accepted states crosses a
//! collider or a body. The forces at either end do not show it.

use super::thresholds::SETTLING;
use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::contact::tunnelling::Paths;
use crate::math::{Vector, larger, number, smaller};
use crate::model::Model;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Share of the model's size that a particle must move in a step to count as passing through a collider
/// of unknown thickness.
const UNKNOWN: f64 = 1e-3;

/// A particle that passed through something between two accepted states.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassedThrough {
    /// The particle.
    pub particle: usize,
    /// Name of the collider or the body.
    pub through: String,
    /// Depth in a collider beyond that of both ends, or length of path within a body \[m\].
    pub depth: f64,
    /// Length of the path \[m\].
    pub way: f64,
    /// When \[s\].
    pub time: f64,
    /// Number of such passages.
    pub count: u64,
}

/// A box about a body's particles, their radii included \[m\].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Extent {
    min: Vector,
    max: Vector,
}

impl Extent {
    fn of(model: &Model, positions: &[Vector], particles: &Range<usize>) -> Extent {
        let mut extent =
            Extent { min: positions[particles.start], max: positions[particles.start] };
        for i in particles.clone() {
            let radius = Vector::repeat(model.surfaces.radii[i]);
            extent.min = extent.min.inf(&(positions[i] - radius));
            extent.max = extent.max.sup(&(positions[i] + radius));
        }
        extent
    }

    /// The length of a straight path within the box widened by `radius`, if its ends are outside.
    fn crossed(&self, from: Vector, to: Vector, radius: f64) -> Option<f64> {
        let (mut enters, mut leaves) = (0.0, 1.0);
        let way = to - from;
        for axis in 0..3 {
            let (low, high) = (self.min[axis] - radius, self.max[axis] + radius);
            if way[axis] == 0.0 {
                if from[axis] <= low || from[axis] >= high {
                    return None;
                }
                continue;
            }
            let (a, b) = ((low - from[axis]) / way[axis], (high - from[axis]) / way[axis]);
            enters = larger(enters, smaller(a, b));
            leaves = smaller(leaves, larger(a, b));
        }
        (enters > 0.0 && leaves < 1.0 && enters < leaves).then(|| (leaves - enters) * way.norm())
    }
}

/// Watches the paths between accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Tunnelling {
    /// The first passage.
    pub found: Option<PassedThrough>,
    /// least path that is checked where no thickness is known \[m\]
    least: f64,
    /// half of the least thickness of any body \[m\], if bodies touch each other
    thinnest: Option<f64>,
}

impl Tunnelling {
    fn note(&mut self, found: PassedThrough) {
        let first = self.found.get_or_insert(found);
        first.count += 1;
    }

    /// Finds particles that passed through another body, in the frame of that body, which moves by its
    /// mean displacement.
    fn between(&mut self, step: &Observation, thinnest: f64) {
        let (model, before, after) = (step.model, step.taken.positions, &step.state.positions);
        let fast = |i: usize| (after[i] - before[i]).norm_squared() > thinnest * thinnest;
        let shifts = |body: &Range<usize>| {
            body.clone().fold(Vector::zeros(), |sum, i| sum + after[i] - before[i])
                / body.len() as f64
        };
        if !(0..model.particles()).any(fast) {
            return;
        }
        for other in &model.bodies {
            let (extent, shift) =
                (Extent::of(model, before, &other.particles), shifts(&other.particles));
            for body in model.bodies.iter().filter(|body| body.particles != other.particles) {
                for i in body.particles.clone() {
                    let to = after[i] - shift;
                    let way = (to - before[i]).norm();
                    if way <= 2.0 * thinnest {
                        continue;
                    }
                    let radius = model.surfaces.radii[i];
                    if let Some(depth) = extent.crossed(before[i], to, radius) {
                        self.note(PassedThrough {
                            particle: i,
                            through: other.name.clone(),
                            depth,
                            way,
                            time: step.state.time,
                            count: 0,
                        });
                    }
                }
            }
        }
    }
}

impl Watch for Tunnelling {
    fn start(start: &Start) -> Self {
        let (model, positions) = (start.model, &start.state.positions);
        let mut watch = Tunnelling::default();
        if model.particles() == 0 {
            return watch;
        }
        let all = Extent::of(model, positions, &(0..model.particles()));
        let fall = SETTLING * model.gravity.norm() * start.dt * start.dt;
        watch.least = larger(UNKNOWN * (all.max - all.min).norm(), fall);
        if model.surfaces.between.is_some() {
            let bodies = model.bodies.iter().filter(|body| !body.particles.is_empty());
            let thickness = bodies.map(|body| {
                let extent = Extent::of(model, positions, &body.particles);
                (extent.max - extent.min).amin()
            });
            watch.thinnest = thickness.reduce(smaller).map(|least| 0.5 * least);
        }
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        record.found.as_ref().is_none_or(|found| found.particle < model.particles())
    }

    fn observe(&mut self, step: &Observation) {
        let surfaces = &step.model.surfaces;
        let (taken, state) = (step.taken, step.state);
        if surfaces.can_be_passed() {
            let ways = Paths {
                from: (taken.end - taken.h, taken.positions),
                to: (taken.end, &state.positions),
            };
            surfaces.for_each_tunnelling(&ways, self.least, |collider, particle, depth| {
                self.note(PassedThrough {
                    particle,
                    through: collider.name.clone(),
                    depth,
                    way: (state.positions[particle] - taken.positions[particle]).norm(),
                    time: state.time,
                    count: 0,
                });
            });
        }
        if let Some(thinnest) = self.thinnest {
            self.between(step, thinnest);
        }
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.found.clone().map(Reason::from));
    }
}

/// See [`PassedThrough`].
pub(crate) static PASSED_THROUGH: FaultKind = FaultKind::shared(
    "passed-through",
    "Between two accepted states the straight way of a particle, as seen from a collider, went deeper into it than at both of them; or it went across all of another body. The forces there act on nothing, since they are asked for at single instants. Use a step shorter than the thickness over the speed, or a thicker collider. Adaptive methods cut their substeps so that they see every collider; half-spaces cannot be passed through.",
)
.lasting();

impl Fault for PassedThrough {
    fn kind(&self) -> &'static FaultKind {
        &PASSED_THROUGH
    }

    fn describe(&self, model: &Model) -> String {
        let p = self;
        format!(
            "what is between two accepted states is not resolved: {} went {} m through `{}` on a way of {} m, first at t = {:.4} s ({} such passages). Use a smaller step",
            model.particle_name(p.particle),
            number(p.depth),
            p.through,
            number(p.way),
            p.time,
            p.count
        )
    }

    /// A quarter of the time in which it went that deep.
    fn cure(&self, h: f64) -> Cure {
        match self.way > 0.0 {
            true => Cure::Step(0.25 * h * self.depth / self.way),
            false => Cure::SmallerStep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::sqrt;

    /// The length of a path within the unit cube, for a particle of a radius.
    fn within(from: [f64; 3], to: [f64; 3], radius: f64) -> Option<f64> {
        let cube = Extent { min: Vector::zeros(), max: Vector::repeat(1.0) };
        cube.crossed(from.into(), to.into(), radius)
    }

    fn is(found: Option<f64>, length: f64) -> bool {
        found.is_some_and(|found| (found - length).abs() < 1e-12)
    }

    #[test]
    fn a_way_through_a_cube_is_as_long_as_what_lies_in_it() {
        let (left, right) = ([-1.0, 0.5, 0.5], [2.0, 0.5, 0.5]);
        assert!(is(within(left, right, 0.0), 1.0) && is(within(right, left, 0.0), 1.0));
        // a ball of radius ¼ meets a cube that is ¼ larger on every side
        assert!(is(within(left, right, 0.25), 1.5));
        // from corner to corner, and across the corner at the origin, where x + y = .4
        assert!(is(within([-1.0; 3], [2.0; 3], 0.0), sqrt(3.0)));
        assert!(is(within([-1.0, 1.4, 0.5], [1.4, -1.0, 0.5], 0.0), 0.4 * sqrt(2.0)));
        assert!(is(within([1.4, 0.5, -1.0], [-1.0, 0.5, 1.4], 0.0), 0.4 * sqrt(2.0)));
    }

    #[test]
    fn what_ends_within_or_passes_beside_has_not_gone_through() {
        let (left, right) = ([-1.0, 0.5, 0.5], [2.0, 0.5, 0.5]);
        let inside = [0.5, 0.5, 0.5];
        assert_eq!(within(left, inside, 0.0), None);
        assert_eq!(within(inside, right, 0.0), None);
        assert_eq!(within(left, [-0.5, 0.5, 0.5], 0.0), None);
        assert_eq!(within([-1.0, 1.5, 0.5], [2.0, 1.5, 0.5], 0.0), None);
        assert!(is(within([-1.0, 1.5, 0.5], [2.0, 1.5, 0.5], 0.6), 2.2));
        // past the corner at the origin, where x + y = −.2
        assert_eq!(within([-1.0, 0.8, 0.5], [0.8, -1.0, 0.5], 0.0), None);
    }
}
