//! Bodies that fall for ever.

use super::loads::loads_at;
use super::{Forecast, is_held};
use crate::contact::collider::{ColliderForm, Shape};
use crate::math::{Vector, larger, smaller, sqrt};
use crate::model::{Body, Model};
use crate::state::State;

/// Parts of a path: as its clearance grows, so do they.
const PARTS: usize = 200;

/// A time after which a path leads nowhere new \[s\].
const FOR_EVER: f64 = 1e4;

/// Whether gravity acts on a body that nothing holds or pushes and in whose way nothing lies.
pub(super) fn free_fall(model: &Model, state: &State, body: &Body) -> Option<Forecast> {
    let own = |i: usize| body.particles.contains(&i);
    let pushes = model.loads.iter().filter_map(|load| load.pushed(&state.configuration()));
    let pushed = pushes.into_iter().any(|(particles, _)| particles.iter().any(|i| own(*i)));
    // drag acts on what moves
    let moving = vec![Vector::repeat(1.0); model.particles()];
    let forces = loads_at(model, state, 0.0, &moving);
    let is_weight = |i: usize| {
        let weight = model.gravity * model.masses[i];
        (forces[i] - weight).norm() <= 1e-9 * weight.norm()
    };
    let guided = !model.others.is_empty() || !state.memory.on_curves.is_empty();
    let held = body.particles.clone().any(|i| is_held(model, i));
    let free = !pushed && !guided && !held && body.particles.clone().all(is_weight);
    if model.gravity == Vector::zeros() || !free {
        return None;
    }
    let mut joined = false;
    model.springs.for_each(|spring| joined |= own(spring.i) != own(spring.j));
    (!joined && meets_nothing(model, state, body)).then(|| Forecast {
        kind: "free-fall",
        text: format!(
            "`{}` falls for ever: nothing holds it, and its path meets no collider and no start of another body",
            body.name
        ),
    })
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

/// Whether a ball around a body on its path x + v t + ½ g t² stays clear of all colliders, which are at rest, and
/// of where other bodies start. Each part of the path is as long as the clearance at its start, so that nothing
/// is stepped over.
fn meets_nothing(model: &Model, state: &State, body: &Body) -> bool {
    let surfaces = &model.surfaces;
    let mut shapes = surfaces.colliders.iter().map(|collider| &collider.shape);
    let stay = surfaces.colliders.iter().all(|collider| collider.motion.stays());
    if !stay || !shapes.all(|shape| has_distance(shape.as_ref())) {
        return false;
    }
    let (center, radius) = ball(model, state, body);
    let others = || model.bodies.iter().filter(|other| other.name != body.name);
    let balls: Vec<(Vector, f64)> = match surfaces.between {
        Some(_) => others().map(|other| ball(model, state, other)).collect(),
        None => Vec::new(),
    };
    let start = center;
    let velocity = body.particles.clone().map(|i| state.velocities[i]).sum::<Vector>()
        / body.particles.len() as f64;
    let g = model.gravity;
    let mut time = 0.0;
    for _ in 0..PARTS {
        let at = start + velocity * time + g * (0.5 * time * time);
        let colliders = surfaces.colliders.iter().map(|collider| collider.shape.gap(at).distance);
        let bodies = balls.iter().map(|(center, radius)| (at - center).norm() - radius);
        let nearest = colliders.chain(bodies).fold(FOR_EVER * FOR_EVER, smaller);
        let clear = nearest - radius;
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

/// Whether the gap of a shape is a distance everywhere: that of a formula is an estimate far off, and a height
/// field has none beside it.
fn has_distance(shape: &dyn Shape) -> bool {
    match shape.form() {
        ColliderForm::Level => false,
        ColliderForm::Triangles(_) => shape.is_costly(),
        _ => true,
    }
}
