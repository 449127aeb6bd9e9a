//! Bodies that fall for ever.

use super::loads::loads_at;
use super::{Forecast, is_held};
use crate::contact::collider::{Collider, ColliderForm, Shape};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::model::{Body, Model};
use crate::state::State;

/// Parts of a path: as its clearance grows, so do they.
const PARTS: usize = 20_000;

/// A time after which a path leads nowhere new \[s\].
const FOR_EVER: f64 = 1e4;

/// The bodies on which gravity alone acts, that nothing holds, and in whose way nothing lies.
pub(super) fn free_falls(model: &Model, state: &State) -> Vec<Forecast> {
    let guided = !model.others.is_empty() || !state.memory.on_curves.is_empty();
    if model.gravity == Vector::zeros() || guided {
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
    for time in times.into_iter().filter(|time| time.is_finite()) {
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
    let touch = model.surfaces.between.is_some();
    let others = || balls.iter().enumerate().filter(|(other, _)| touch && *other != body);
    let mut time = 0.0;
    for _ in 0..PARTS {
        let at = start + velocity * time + g * (0.5 * time * time);
        // a wall from which the path does not come back needs a look only at the start
        let ahead = clearances.iter().filter(|c| time == 0.0 || !c.is_left_by(velocity, g));
        let colliders = ahead.map(|clearance| clearance.at(at));
        let bodies = others().map(|(_, (center, radius))| (at - center).norm() - radius);
        let clear = colliders.chain(bodies).fold(FOR_EVER * FOR_EVER, smaller) - radius;
        if clear.is_nan() || clear <= 0.0 {
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
    /// From the box around a height field, which has no distance beside it.
    Box([Vector; 2]),
}

impl<'a> Clearance<'a> {
    /// None where the collider moves, or its gap far off is an estimate, as that of a formula.
    fn of(collider: &'a Collider) -> Option<Self> {
        let shape = &*collider.shape;
        let clearance = match shape.form() {
            ColliderForm::Level => return None,
            ColliderForm::Triangles(triangles) if !shape.is_costly() => {
                let corners = || triangles.iter().flatten().copied();
                let bound = |of: fn(f64, f64) -> f64| corners().reduce(|a, b| a.zip_map(&b, of));
                Clearance::Box([bound(smaller)?, bound(larger)?])
            }
            _ => Clearance::Exact(shape),
        };
        collider.motion.stays().then_some(clearance)
    }

    /// Whether no path with this velocity \[m/s\] and acceleration \[m/s²\] comes closer.
    fn is_left_by(&self, velocity: Vector, acceleration: Vector) -> bool {
        matches!(self, Clearance::Exact(shape) if shape.is_half_space() && {
            let normal = shape.gap(Vector::zeros()).normal;
            normal.dot(&velocity) >= 0.0 && normal.dot(&acceleration) >= 0.0
        })
    }

    fn at(&self, p: Vector) -> f64 {
        match self {
            Clearance::Exact(shape) => shape.gap(p).distance,
            Clearance::Box([low, high]) => {
                let beyond = (low - p).zip_map(&(p - high), larger);
                beyond.map(|apart| larger(apart, 0.0)).norm()
            }
        }
    }
}
