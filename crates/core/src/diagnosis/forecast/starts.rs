//! Starts that throw bodies: deep inside a collider or another body, or with springs far from rest.

use super::loads::depth_under;
use super::touching::Touching;
use super::{DEEP, Forecast, across};
use crate::math::{Vector, larger, number, smaller, sqrt};
use crate::model::{Body, Model};
use crate::state::State;
use crate::state::memory::Contact;

/// Multiple of the depth at which its load presses a body from which a start can be too deep, whatever the
/// body's size. A body laid on a surface without a gap reaches twice that depth; at ten times linear contact
/// stores a hundred times the energy, and throws the body up by forty depths.
const MANY: f64 = 10.0;

/// Share of a length that counts as its rounding.
const ROUNDING: f64 = 1e-9;

/// The contacts of a body with colliders at the start: the deepest one, and what all of them do.
struct Buried {
    deepest: Contact,
    /// energy that they store \[J\]
    energy: f64,
    /// |Σ N n| over Σ N: opposite forces hold a body
    balance: f64,
    contacts: usize,
}

fn buried(model: &Model, contacts: &[&Contact]) -> Option<Buried> {
    let held = |i: usize| model.inverse_masses[i].amax() == 0.0;
    let contacts = || {
        let all = contacts.iter().copied();
        all.filter(|contact| contact.key.collider().is_some() && !held(contact.particle()))
    };
    let deepest = *contacts().reduce(|a, b| if b.depth > a.depth { b } else { a })?;
    let laws = model.laws.as_ref()?;
    let (mut energy, mut force, mut forces) = (0.0, Vector::zeros(), 0.0);
    for contact in contacts() {
        energy += laws.normal.energy(contact.depth);
        force += contact.normal * contact.normal_force;
        forces += contact.normal_force;
    }
    let balance = if forces > 0.0 { force.norm() / forces } else { 0.0 };
    Some(Buried { deepest, energy, balance, contacts: contacts().count() })
}

/// A body that starts so deep in colliders that contact throws it, by its deepest contact d. Of s, the extent of
/// the body across the surface, d is more than a tenth; or it is more than ten times the depth at which the load F
/// of the body presses it, at the start or the end, and the energy E of its contacts would throw it further than
/// s/10: by b E/F − d, or with b √(2E/m) for the whole run where nothing presses, b = |Σ N n|/Σ N. For one linear
/// spring that speed is √(k/m) d.
pub(super) fn deep_start(
    model: &Model,
    state: &State,
    of: usize,
    touching: &Touching,
    loads: &[Vec<Vector>; 2],
    end: f64,
) -> Option<Forecast> {
    let (laws, body) = (model.laws.as_ref()?, &model.bodies[of]);
    let Buried { deepest, energy, balance, contacts } = buried(model, touching.contacts_of(of))?;
    let depth = deepest.depth;
    let size = across(model, state, body, deepest.normal);
    let mass: f64 = model.masses[body.particles.clone()].iter().sum();
    // a load may come later
    let presses = |loads: &Vec<Vector>| {
        -loads[body.particles.clone()].iter().sum::<Vector>().dot(&deepest.normal)
    };
    let pressed = loads.iter().map(presses).fold(0.0, larger);
    let resting = depth_under(&|d| laws.normal.elastic(d), pressed / contacts as f64);
    let speed = sqrt(2.0 * energy / mass);
    let thrown = match pressed > 0.0 {
        true => balance * energy / pressed - depth,
        false => balance * speed * end,
    };
    let rounding = ROUNDING * (1.0 + deepest.point.amax());
    let too_deep = size > 0.0 && depth > DEEP * size * (1.0 + ROUNDING);
    // what else presses it in does not show in its load
    let flies = laws.adhesion.is_none()
        && !touching.is_borne(of)
        && depth > larger(MANY * resting, rounding)
        && thrown > DEEP * size;
    let why = match size > 0.0 {
        true if too_deep => {
            format!("more than a tenth of its body's size across the surface, {} m", number(size))
        }
        _ if flies && pressed > 0.0 => {
            format!("where its load presses it in by {} m", number(resting))
        }
        _ if flies => "where no load presses it".into(),
        _ => return None,
    };
    let then = match balance > DEEP {
        true => format!("contact would throw it out at up to {} m/s", number(speed)),
        false => "contacts hold it between them".into(),
    };
    Some(Forecast {
        kind: "deep-start",
        text: format!(
            "{} starts {} m inside a collider, {why}: {then}",
            model.particle_name(deepest.particle()),
            number(depth)
        ),
    })
}

/// Shift of a body at the start without a word \[m\], unless it is a share [`DEEP`] of the body.
const UNSPOKEN: f64 = 1e-3;

/// Bodies that a contact method has moved out of what they touch, by the largest shift of their particles, body
/// by body \[m\].
pub(super) fn moved_starts(model: &Model, state: &State, moved: &[Vector]) -> Vec<Forecast> {
    let told = |(body, shift): (&Body, &Vector)| {
        let direction = shift.try_normalize(0.0)?;
        let least = smaller(UNSPOKEN, DEEP * across(model, state, body, direction));
        let rounding = ROUNDING * (1.0 + state.positions[body.particles.start].amax());
        (shift.norm() > larger(least, rounding)).then(|| Forecast {
            kind: "moved-start",
            text: format!(
                "`{}` overlapped what it touches and has been moved, by up to {} m",
                body.name,
                number(shift.norm())
            ),
        })
    };
    model.bodies.iter().zip(moved).filter_map(told).collect()
}

/// The deepest contact between two bodies at the start, or of one with itself, if beyond a tenth of the thinner
/// one's extent across it, and the numbers of the two in ascending order.
pub(super) fn overlapping_start(model: &Model, state: &State) -> Option<([usize; 2], Forecast)> {
    let mut worst: Option<(f64, &Contact, [usize; 2])> = None;
    for contact in state.memory.contacts.iter().filter(|c| c.key.collider().is_none()) {
        let bodies = contact.ends.iter().filter_map(|(i, _)| model.body_of(i));
        let Some(first) = model.body_of(contact.particle()) else { continue };
        let second = bodies.into_iter().find(|body| *body != first).unwrap_or(first);
        let pair = [first, second];
        let least = match first == second {
            true => {
                let radii = contact.ends.iter().map(|(i, _)| model.surfaces.radii[i]);
                2.0 * radii.fold(0.0, larger)
            }
            false => {
                let extents =
                    pair.map(|body| across(model, state, &model.bodies[body], contact.normal));
                extents.into_iter().filter(|s| *s > 0.0).fold(f64::INFINITY, smaller)
            }
        };
        let share = contact.depth / least;
        if least > 0.0 && share > DEEP && worst.is_none_or(|(most, ..)| share > most) {
            worst = Some((share, contact, pair));
        }
    }
    worst.map(|(share, contact, pair)| {
        let [first, second] = pair.map(|body| &model.bodies[body]);
        let depth = number(contact.depth);
        let part = match share > 1.0 {
            true => format!("{} times", number(share)),
            false => format!("{:.0} % of", 100.0 * share),
        };
        let text = match first.name == second.name {
            true => format!("`{}` starts {depth} m inside itself, {part} its thickness: contact throws it apart", first.name),
            false => format!("`{}` and `{}` start {depth} m inside each other, {part} the thinner one's size across the contact: contact throws them apart", first.name, second.name),
        };
        let [a, b] = pair;
        ([a.min(b), a.max(b)], Forecast { kind: "overlapping-start", text })
    })
}

/// Ratio of a spring's length at the start to its rest length, or its inverse, beyond which a body is torn.
const TORN: f64 = 2.0;

/// The spring of each body that is farthest from its rest length at the start, if beyond a factor
/// [`TORN`].
pub(super) fn torn_starts(model: &Model, state: &State) -> Vec<Forecast> {
    // ratio, length and rest length
    let mut worst = vec![(TORN, 0.0, 0.0); model.bodies.len()];
    model.springs.for_each(|spring| {
        let rest = spring.rest_length;
        let length = (state.positions[spring.j] - state.positions[spring.i]).norm();
        let ratio = larger(length / rest, rest / larger(length, f64::MIN_POSITIVE));
        if let Some(worst) = model.body_of(spring.i).map(|body| &mut worst[body])
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
