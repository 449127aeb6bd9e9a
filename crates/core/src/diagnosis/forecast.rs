//! Notes on a run before it begins: particles that start deep inside a collider or another body, springs
//! far from their rest lengths, bodies that fall freely or are pressed too deep by their loads,
//! coordinates so large that rounding hides depth or creep.

use crate::contact::friction::Slip;
use crate::math::{Vector, larger, number, smaller, sqrt};
use crate::model::{Body, Model};
use crate::state::memory::Coefficients;
use crate::state::{Configuration, State};

/// Share of a body's size beyond which a start or a load is too deep.
pub const DEEP: f64 = 0.1;

/// Tolerated rounding as a share of a resting depth, or of one step of creep at ε.
pub(crate) const ROUNDED: f64 = 0.02;

/// Kinds of notes, for `explain`: word and meaning.
pub const FORECASTS: [(&str, &str); 7] = [
    (
        "deep-start",
        "A particle starts inside a collider, deeper than a tenth of its body's size. Penalty contact stores ½ Σ N d there and throws the body out with it, at up to √(k/m) d for one linear contact. Move the body out, or make it start at its resting depth m g/k.",
    ),
    (
        "overlapping-start",
        "Two bodies start inside each other, deeper than a tenth of the smaller one's size. Contact throws them apart with the energy that it stores there. Move them apart.",
    ),
    (
        "torn-start",
        "A spring starts at less than half or more than twice its rest length. The body begins with the energy ½ Σ k (ℓ − ℓ0)² and is thrown apart or together by it. Give it the shape in which its springs rest, or make its rest lengths those of the start.",
    ),
    (
        "free-fall",
        "Gravity acts on a body that nothing can hold or stop: no collider, no other body in contact, no pin, curve or push. It falls to the end of the run. Add a collider such as a plane, or `world.gravity = [0, 0, 0]`.",
    ),
    (
        "heavy-load",
        "Gravity, pushes and drag on a body are more than its particles bear when it has sunk by a tenth of its size. It will sink further, or through. Make the normal law stiffer, or the load smaller; a stiffer contact asks for a smaller step, as `stiffness` says.",
    ),
    (
        "far-out",
        "The body is so far from the origin that the rounding of its coordinates, 2.2e-16 of them, is more than a fiftieth of its resting depth or of the way that creep at ε makes in a step. Move the scene to its origin.",
    ),
    (
        "phase-error",
        "Steps × the method's error in one step is more than 5 % of the amplitude of an oscillation of springs that the start sets going, and that is not damped out before the end. Such an error keeps the energy, and nothing in the run shows it. Use a smaller step or a method of higher order.",
    ),
];

/// A reason to doubt a run before it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// One word, for machines.
    pub kind: &'static str,
    /// A sentence, for people.
    pub text: String,
}

/// All notes on a run from its committed start, its step and its end \[s\].
pub fn forecast(model: &Model, state: &State, step: f64, end: f64) -> Vec<Forecast> {
    let mut found = Vec::new();
    let loads = [0.0, end].map(|time| loads(model, state, time));
    for body in &model.bodies {
        let deep = deep_start(model, state, body);
        // a deep start is thrown out: its resting depth is a separate question
        found.extend(deep.or_else(|| heavy_load(model, state, body, &loads)));
        found.extend(far_out(model, state, body, step));
        found.extend(free_fall(model, state, body));
    }
    found.extend(torn_starts(model, state));
    found.extend(overlapping_start(model, state));
    found
}

/// The largest extent of a body \[m\]: longest side of its box plus the diameter of its particles; zero
/// for a point.
fn size(model: &Model, state: &State, body: &Body) -> f64 {
    let radius = body.particles.clone().map(|i| model.surfaces.radii[i]).fold(0.0, larger);
    let extent = (0..3).map(|axis| {
        let along = body.particles.clone().map(|i| state.positions[i][axis]);
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (smaller(low, x), larger(high, x))
        });
        high - low
    });
    extent.fold(0.0, larger) + 2.0 * radius
}

/// The deepest particle of a body in a collider at the start, if beyond a tenth of the body's size, and
/// the speed at which contact throws the body out by the energy stored in all its contacts: √(k/m) d
/// for one linear spring.
fn deep_start(model: &Model, state: &State, body: &Body) -> Option<Forecast> {
    let size = size(model, state, body);
    let held = |i: usize| model.inverse_masses[i].amax() == 0.0;
    let contacts = state.memory.contacts.iter().filter(|contact| {
        let i = contact.particle();
        contact.key.collider().is_some() && body.particles.contains(&i) && !held(i)
    });
    let (mut deepest, mut energy) = (None, 0.0);
    for contact in contacts {
        if deepest.is_none_or(|(depth, _)| contact.depth > depth) {
            deepest = Some((contact.depth, contact.particle()));
        }
        energy += match &model.laws {
            Some(laws) => laws.normal.energy(contact.depth),
            None => 0.0,
        };
    }
    let (depth, particle) = deepest.filter(|(depth, _)| size > 0.0 && *depth > DEEP * size)?;
    let mass: f64 = model.masses[body.particles.clone()].iter().sum();
    let thrown = match model.laws {
        Some(_) => {
            format!("contact would throw it out at up to {:.4} m/s", sqrt(2.0 * energy / mass))
        }
        None => "contact will move it out at once".into(),
    };
    Some(Forecast {
        kind: "deep-start",
        text: format!(
            "{} starts {depth:.4} m inside a collider, more than a tenth of its body's size of {size:.4} m: {thrown}",
            model.particle_name(particle)
        ),
    })
}

/// The deepest contact between two bodies at the start, if beyond a tenth of the smaller one's size.
fn overlapping_start(model: &Model, state: &State) -> Option<Forecast> {
    let body_of = |i: usize| model.bodies.iter().find(|body| body.particles.contains(&i));
    let mut worst: Option<(f64, f64, [&Body; 2])> = None;
    for contact in &state.memory.contacts {
        let Some(first) = body_of(contact.particle()) else { continue };
        let others = contact.ends.iter().filter_map(|(i, _)| body_of(i));
        let Some(second) = others.into_iter().find(|body| body.name != first.name) else {
            continue;
        };
        let least = smaller(size(model, state, first), size(model, state, second));
        let share = contact.depth / least;
        if least > 0.0 && share > DEEP && worst.is_none_or(|(most, ..)| share > most) {
            worst = Some((share, contact.depth, [first, second]));
        }
    }
    worst.map(|(share, depth, [first, second])| Forecast {
        kind: "overlapping-start",
        text: format!(
            "`{}` and `{}` start {} m inside each other, {:.0} % of the smaller one's size: contact throws them apart",
            first.name,
            second.name,
            number(depth),
            100.0 * share
        ),
    })
}

/// Ratio of a spring's length at the start to its rest length, or its inverse, beyond which a body is torn.
const TORN: f64 = 2.0;

/// The spring of each body that is farthest from its rest length at the start, if beyond a factor
/// [`TORN`].
fn torn_starts(model: &Model, state: &State) -> Vec<Forecast> {
    // ratio, length and rest length
    let mut worst = vec![(TORN, 0.0, 0.0); model.bodies.len()];
    model.springs.for_each(|spring| {
        let rest = spring.rest_length;
        let length = (state.positions[spring.j] - state.positions[spring.i]).norm();
        let ratio = larger(length / rest, rest / larger(length, f64::MIN_POSITIVE));
        let after = model.bodies.partition_point(|body| body.particles.start <= spring.i);
        if let Some(worst) = after.checked_sub(1).map(|body| &mut worst[body])
            && rest > 0.0
            && ratio > worst.0
        {
            *worst = (ratio, length, rest);
        }
    });
    let torn = model.bodies.iter().zip(worst).filter(|(_, (ratio, ..))| *ratio > TORN);
    torn.map(|(body, (_, length, rest))| Forecast {
        kind: "torn-start",
        text: format!(
            "a spring of `{}` starts {} m long, and rests at {} m: its energy throws the body",
            body.name,
            number(length),
            number(rest)
        ),
    })
    .collect()
}

/// Whether gravity acts on a body that nothing can hold or stop, in a scene with contact as a force.
fn free_fall(model: &Model, state: &State, body: &Body) -> Option<Forecast> {
    let held = |i: usize| {
        (0..3).any(|axis| model.inverse_masses[i][axis] == 0.0 && model.locked_axis != Some(axis))
    };
    let surfaces = &model.surfaces;
    let nothing = surfaces.colliders.is_empty()
        && surfaces.between.is_none()
        && model.others.is_empty()
        && state.memory.on_curves.is_empty()
        && model.gravity != Vector::zeros();
    let own = |i: usize| body.particles.contains(&i);
    let now = state.configuration();
    let pushes = model.loads.iter().filter_map(|load| load.pushed(&now));
    let pushed = pushes.into_iter().any(|(particles, _)| particles.iter().any(|i| own(*i)));
    if !nothing || pushed || body.particles.clone().any(held) {
        return None;
    }
    let mut joined = false;
    model.springs.for_each(|spring| joined |= own(spring.i) != own(spring.j));
    (!joined).then(|| Forecast {
        kind: "free-fall",
        text: format!(
            "`{}` falls to the end of the run: there is nothing to rest on or to hold it",
            body.name
        ),
    })
}

/// Gravity, pushes and drag on every particle at a time \[N\].
fn loads(model: &Model, state: &State, time: f64) -> Vec<Vector> {
    let mut forces = vec![Vector::zeros(); model.particles()];
    let at = Configuration { time, within_step: true, ..state.configuration() };
    for force in &model.loads {
        force.add_force(&at, &mut forces);
    }
    forces
}

/// Whether a body's own load, at the start or the end, presses it into a flat surface across the load by
/// more than a tenth of its size s: Σ N(s/10 − z) over all particles, at the height z above the lowest,
/// is less than the load. Other surfaces are ignored; a body held by a pin is skipped.
fn heavy_load(
    model: &Model,
    state: &State,
    body: &Body,
    loads: &[Vec<Vector>; 2],
) -> Option<Forecast> {
    let laws = model.laws.as_ref()?;
    let held = |i: usize| {
        (0..3).any(|axis| model.inverse_masses[i][axis] == 0.0 && model.locked_axis != Some(axis))
    };
    let touched = !model.surfaces.colliders.is_empty();
    if !touched || body.particles.clone().any(held) || body.particles.len() < 2 {
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
            "the load of {} N on `{}` presses it into what it lies on by more than a tenth of its size of {size:.4} m, where its particles bear {borne} N: a stiffer normal law or a smaller load is wanted", 
            number(load.norm()),
            body.name
        , borne = number(borne)),
    })
}

/// A body so far from the origin that the rounding of a position exceeds a share of the depth at which it
/// rests, or of its creep at ε in one step. The depth follows from its weight, shared equally by its
/// contacts, or by all its particles where it has none.
fn far_out(model: &Model, state: &State, body: &Body, step: f64) -> Option<Forecast> {
    let laws = model.laws.as_ref()?;
    if model.surfaces.colliders.is_empty() {
        return None;
    }
    let furthest = body.particles.clone().map(|i| state.positions[i].amax()).fold(0.0, larger);
    let rounding = furthest * f64::EPSILON;
    let weight: f64 =
        model.gravity.norm() * model.masses[body.particles.clone()].iter().sum::<f64>();
    let on = |i: usize| body.particles.contains(&i);
    let contacts = state.memory.contacts.iter().filter(|c| on(c.particle())).count();
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
fn depth_under(elastic: &dyn Fn(f64) -> f64, force: f64) -> f64 {
    if force <= 0.0 {
        return 0.0;
    }
    let mut high = 1e-9;
    while elastic(high) < force && high < 1e6 {
        high *= 2.0;
    }
    crate::math::bisect(0.0, high, |d| elastic(d) < force)
}
