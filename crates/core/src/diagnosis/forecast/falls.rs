//! Bodies that fall for ever.

use super::loads::loads_at;
use super::{Forecast, is_held};
use crate::contact::collider::{Bounds, Collider, ColliderForm, Shape};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::model::{Body, Model};
use crate::state::State;

/// Parts of a path: as its clearance grows, so do they.
const PARTS: usize = 2000;

/// Share of a coordinate below which a clearance is none.
const ROUNDING: f64 = 1e-12;

/// A time after which a path leads nowhere new \[s\].
const FOR_EVER: f64 = 1e4;

/// The bodies on which gravity alone acts, that nothing holds, and in whose way nothing lies.
pub(super) fn free_falls(model: &Model, state: &State) -> Vec<Forecast> {
    let guided = !model.others.is_empty() || !state.memory.on_curves.is_empty();
    let sticks = model.laws.as_ref().is_some_and(|laws| laws.adhesion.is_some());
    let falls = model.locked_axis.map_or(model.gravity, |axis| {
        let mut falls = model.gravity;
        falls[axis] = 0.0;
        falls
    });
    if falls == Vector::zeros() || guided || sticks || model.unsteady {
        return Vec::new();
    }
    let clearances = model.surfaces.colliders.iter().map(Clearance::of);
    let Some(clearances) = clearances.collect::<Option<Vec<_>>>() else { return Vec::new() };
    let alone = bear_weight_alone(model, state);
    let bodies = model.bodies.iter();
    let mut free: Vec<bool> = bodies.map(|body| body.particles.clone().all(|i| alone[i])).collect();
    model.springs.for_each(|spring| {
        let ends = [spring.i, spring.j].map(|i| model.body_of(i));
        if ends[0] != ends[1] {
            ends.into_iter().flatten().for_each(|body| free[body] = false);
        }
    });
    let balls: Vec<(Vector, f64)> =
        model.bodies.iter().map(|body| ball(model, state, body)).collect();
    let falls = (0..model.bodies.len()).filter(|body| free[*body]);
    let falls = falls.filter(|body| meets_nothing(model, state, *body, &balls, &clearances));
    falls
        .map(|body| Forecast {
            kind: "free-fall",
            text: format!(
                "`{}` falls for ever: nothing holds it, and its path meets no collider and no start of another body",
                model.bodies[body].name
            ),
        })
        .collect()
}

/// Of each particle, whether weight is the only load on it, whenever and however it moves.
fn bear_weight_alone(model: &Model, state: &State) -> Vec<bool> {
    let mut alone: Vec<bool> = (0..model.particles()).map(|i| !is_held(model, i)).collect();
    for (particles, _) in model.loads.iter().filter_map(|load| load.pushed(&state.configuration()))
    {
        particles.iter().for_each(|i| alone[*i] = false);
    }
    // drag acts on what moves, from some time on
    let moving = vec![Vector::repeat(1.0); model.particles()];
    let mut times = vec![0.0];
    model.loads.iter().for_each(|load| load.add_switches(&mut times));
    // a load that begins at a time acts just after it
    let after = times.iter().map(|time| time + 1e-9 * (1.0 + time.abs()));
    for time in after.filter(|time| time.is_finite()) {
        for (i, force) in loads_at(model, state, time, &moving).iter().enumerate() {
            let weight = model.gravity * model.masses[i];
            alone[i] &= (force - weight).norm() <= 1e-9 * weight.norm();
        }
    }
    alone
}

/// A ball around a body: centre and radius \[m\].
fn ball(model: &Model, state: &State, body: &Body) -> (Vector, f64) {
    let places = || body.particles.clone().map(|i| state.positions[i]);
    let center = places().sum::<Vector>() / body.particles.len() as f64;
    let radius = body
        .particles
        .clone()
        .map(|i| (state.positions[i] - center).norm() + model.surfaces.radii[i]);
    (center, radius.fold(0.0, larger))
}

/// Whether the ball around a body on its path x + v t + ½ g t² stays clear of all colliders and of the `balls` in
/// which other bodies start. Each part of the path is as long as the clearance at its start, so that nothing is
/// stepped over.
fn meets_nothing(
    model: &Model,
    state: &State,
    body: usize,
    balls: &[(Vector, f64)],
    clearances: &[Clearance],
) -> bool {
    let particles = model.bodies[body].particles.clone();
    let count = particles.len() as f64;
    let velocity = particles.map(|i| state.velocities[i]).sum::<Vector>() / count;
    let ((start, radius), g) = (balls[body], model.gravity);
    let touch = model.bodies_touch();
    let others = || balls.iter().enumerate().filter(|(other, _)| touch && *other != body);
    // what moves may come into its path
    let moves = |other: usize| {
        let mut particles = model.bodies[other].particles.clone();
        particles.any(|i| state.velocities[i] != Vector::zeros())
    };
    if others().any(|(other, _)| moves(other)) {
        return false;
    }
    // a wall from which the path does not come back needs a look only at the start
    let (left, ahead): (Vec<&Clearance>, Vec<&Clearance>) =
        clearances.iter().partition(|clearance| clearance.is_left_by(start, velocity, g));
    if left.iter().any(|clearance| clearance.at(start) <= radius) {
        return false;
    }
    let mut time = 0.0;
    for _ in 0..PARTS {
        let at = start + velocity * time + g * (0.5 * time * time);
        let colliders = ahead.iter().map(|clearance| clearance.at(at));
        let bodies = others().map(|(_, (center, radius))| (at - center).norm() - radius);
        let clear = colliders.chain(bodies).fold(FOR_EVER * FOR_EVER, smaller) - radius;
        if clear.is_nan() || clear <= ROUNDING * (1.0 + at.amax()) {
            return false;
        }
        // speed u: u t + ½ g t² is no more than the clearance
        let speed = (velocity + g * time).norm();
        time += 2.0 * clear / (speed + sqrt(speed * speed + 2.0 * g.norm() * clear));
        if time > FOR_EVER {
            return true;
        }
    }
    false
}

/// Distance from a collider that stays in place \[m\].
enum Clearance<'a> {
    Exact(&'a dyn Shape),
    /// From the box around a height field and all below it: it has no distance beside it.
    Box(Bounds),
}

impl<'a> Clearance<'a> {
    /// None where the collider moves, or its gap far off is an estimate, as that of a formula.
    fn of(collider: &'a Collider) -> Option<Self> {
        let shape = &*collider.shape;
        let clearance = match shape.form() {
            ColliderForm::Level => return None,
            ColliderForm::Triangles(triangles) if !shape.is_costly() => {
                let mut bounds = Bounds::around(triangles.into_iter().flatten())?;
                bounds.min.z = f64::NEG_INFINITY;
                Clearance::Box(bounds)
            }
            _ => Clearance::Exact(shape),
        };
        collider.motion.stays().then_some(clearance)
    }

    /// Whether no path from `start` \[m\] with this velocity \[m/s\] and acceleration \[m/s²\] comes closer.
    fn is_left_by(&self, start: Vector, velocity: Vector, acceleration: Vector) -> bool {
        let leaves = |n: Vector| n.dot(&velocity) >= 0.0 && n.dot(&acceleration) >= 0.0;
        match self {
            Clearance::Exact(shape) => {
                shape.is_half_space() && leaves(shape.gap(Vector::zeros()).normal)
            }
            // beside it, from one of its four sides
            Clearance::Box(bounds) => (0..2).any(|axis| {
                let side = Vector::ith(axis, 1.0);
                (start[axis] > bounds.max[axis] && leaves(side))
                    || (start[axis] < bounds.min[axis] && leaves(-side))
            }),
        }
    }

    fn at(&self, p: Vector) -> f64 {
        match self {
            Clearance::Exact(shape) => shape.gap(p).distance,
            Clearance::Box(bounds) => bounds.distance(p),
        }
    }
}
