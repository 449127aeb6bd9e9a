//! Bodies that their loads press too deep, and coordinates so large that rounding hides depth or creep.

use super::{DEEP, Forecast, is_held, size};
use crate::contact::friction::Slip;
use crate::math::{Vector, larger, number, smaller};
use crate::model::{Body, Model};
use crate::state::memory::Coefficients;
use crate::state::{Configuration, State};

/// Tolerated rounding as a share of a resting depth, or of one step of creep at ε.
pub(crate) const ROUNDED: f64 = 0.02;

/// Gravity, pushes and drag on every particle at a time \[N\].
pub(super) fn loads(model: &Model, state: &State, time: f64) -> Vec<Vector> {
    loads_at(model, state, time, &state.velocities)
}

/// The same at given velocities \[m/s\].
pub(super) fn loads_at(
    model: &Model,
    state: &State,
    time: f64,
    velocities: &[Vector],
) -> Vec<Vector> {
    let mut forces = vec![Vector::zeros(); model.particles()];
    let at = Configuration { time, within_step: true, velocities, ..state.configuration() };
    for force in &model.loads {
        force.add_force(&at, &mut forces);
    }
    forces
}

/// Whether a body's own load, at the start or the end, presses it into a flat surface across the load by
/// more than a tenth of its size s: Σ N(s/10 − z) over all particles, at the height z above the lowest,
/// is less than the load. Other surfaces are ignored; a body held by a pin is skipped.
pub(super) fn heavy_load(
    model: &Model,
    state: &State,
    body: &Body,
    loads: &[Vec<Vector>; 2],
) -> Option<Forecast> {
    let laws = model.laws.as_ref()?;
    let touched = !model.surfaces.colliders.is_empty();
    if !touched || body.particles.clone().any(|i| is_held(model, i)) || body.particles.len() < 2 {
        return None;
    }
    let loads: [Vector; 2] = [0, 1].map(|k: usize| loads[k][body.particles.clone()].iter().sum());
    let load = if loads[1].norm() > loads[0].norm() { loads[1] } else { loads[0] };
    let down = load.try_normalize(0.0)?;
    let along = |i: usize| state.positions[i].dot(&down) + model.surfaces.radii[i];
    let lowest = body.particles.clone().map(along).fold(f64::NEG_INFINITY, larger);
    let highest = body.particles.clone().map(along).fold(f64::INFINITY, smaller);
    // a flat body, such as a cloth, has no height to sink by
    let size = size(model, state, body);
    let limit = DEEP * size;
    let heights = body.particles.clone().map(|i| lowest - along(i));
    let borne: f64 = heights.map(|z| laws.normal.elastic(larger(limit - z, 0.0))).sum();
    (borne < load.norm() && highest < lowest).then(|| Forecast {
        kind: "heavy-load",
        text: format!(
            "the load of {} N on `{}` presses it into what it lies on by more than a tenth of its size of {size:.4} m, where its particles bear {} N: a stiffer normal law or a smaller load is wanted",
            number(load.norm()),
            body.name,
            number(borne)
        ),
    })
}

/// A body so far from the origin that the rounding of a position exceeds a share of the depth at which it
/// rests, or of its creep at ε in one step. The depth follows from its weight, shared equally by its
/// contacts, or by all its particles where it has none.
pub(super) fn far_out(
    model: &Model,
    state: &State,
    body: &Body,
    contacts: usize,
    step: f64,
) -> Option<Forecast> {
    let laws = model.laws.as_ref()?;
    if model.surfaces.colliders.is_empty() {
        return None;
    }
    let furthest = body.particles.clone().map(|i| state.positions[i].amax()).fold(0.0, larger);
    let rounding = furthest * f64::EPSILON;
    let weight: f64 =
        model.gravity.norm() * model.masses[body.particles.clone()].iter().sum::<f64>();
    let bearing = if contacts > 0 { contacts } else { body.particles.len() };
    let each = weight / bearing as f64;
    let depth = depth_under(&|d| laws.normal.elastic(d), each);
    let one = Coefficients { static_friction: 1.0, kinetic_friction: 1.0 };
    let slope = laws.friction.damping(&Slip { normal_force: 1.0, ..Slip::default() }, &one);
    // a law without a threshold, or with a stretch, has no creep
    let way = if slope > 0.0 && !laws.friction.has_memory() { step / slope } else { f64::INFINITY };
    let spoilt = |what: &str, length: f64| Forecast {
        kind: "far-out",
        text: format!(
            "`{}` lies {furthest} m from the origin, where positions are rounded to {rounding} m: {what} is {length} m; move the scene to its origin",
            body.name,
            furthest = number(furthest),
            rounding = number(rounding),
            length = number(length)
        ),
    };
    if depth > 0.0 && rounding > ROUNDED * depth {
        return Some(spoilt("the depth at which it rests", depth));
    }
    (rounding > ROUNDED * way).then(|| spoilt("what creep at ε makes in a step", way))
}

/// The depth \[m\] at which a normal law bears a force.
pub(super) fn depth_under(elastic: &dyn Fn(f64) -> f64, force: f64) -> f64 {
    if force <= 0.0 {
        return 0.0;
    }
    let mut high = 1e-9;
    while elastic(high) < force && high < 1e6 {
        high *= 2.0;
    }
    crate::math::bisect(0.0, high, |d| elastic(d) < force)
}
