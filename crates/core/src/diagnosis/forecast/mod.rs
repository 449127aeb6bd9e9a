//! Notes on a run before it begins: particles that start deep inside a collider or another body, springs
//! far from their rest lengths, bodies that fall freely or are pressed too deep by their loads,
//! coordinates so large that rounding hides depth or creep.

mod crossings;
mod falls;
mod loads;
mod starts;
mod touching;

use crate::math::{Vector, larger, smaller};
use crate::model::{Body, Model};
use crate::state::State;
use touching::Touching;

/// Share of a body's size beyond which a start or a load is too deep.
pub const DEEP: f64 = 0.1;

/// Kinds of notes, for `explain`: word and meaning.
pub const FORECASTS: [(&str, &str); 8] = [
    (
        "deep-start",
        "A particle starts inside a collider, deeper than a tenth of its body's size across the surface; or more than ten times as deep as its load presses it, where contact would throw the body by more than a tenth of its size. Penalty contact stores ½ Σ N d there and throws the body out with it, at up to √(k/m) d for one linear contact. Or a collider lies between the particles of a body, or inside it, where no contact shows it. Move the body out, or make it start at its resting depth m g/k.",
    ),
    (
        "moved-start",
        "A body overlapped what it touches, and a contact method without springs, `exact` or `impulse`, has moved it out before the first step. The run begins elsewhere than the scene says. Move the body out.",
    ),
    (
        "overlapping-start",
        "Two bodies start inside each other, or one inside itself, deeper than a tenth of the thinner one's size across the contact. Contact throws them apart with the energy that it stores there, or, where they lie farther inside each other than it looks, may hold them together. Move them apart.",
    ),
    (
        "torn-start",
        "A spring starts at less than half or more than twice its rest length. The body begins with the energy ½ Σ k (ℓ − ℓ0)² and is thrown apart or together by it. Give it the shape in which its springs rest, or make its rest lengths those of the start.",
    ),
    (
        "free-fall",
        "Gravity acts on a body that nothing holds or slows, no pin, curve, spring, push or drag, and no collider lies in its way, nor a body where that starts: it falls for ever. Add a collider such as a plane, move the body over what is to bear it, or say `world.gravity = [0, 0, 0]`.",
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

impl Forecast {
    /// Whether the start itself is at fault, so that it is wrong at every step.
    pub fn is_inside(&self) -> bool {
        matches!(self.kind, "deep-start" | "overlapping-start")
    }
}

/// All notes on a run from its committed start, the shifts by which bodies were moved there \[m\], its step and
/// its end \[s\].
pub fn forecast(
    model: &Model,
    state: &State,
    moved: &[Vector],
    step: f64,
    end: f64,
) -> Vec<Forecast> {
    let mut found = starts::moved_starts(model, state, moved);
    let loads = [0.0, end].map(|time| loads::loads(model, state, time));
    let solids = crossings::solids(model, state);
    let touching = Touching::of(model, state);
    for (number, body) in model.bodies.iter().enumerate() {
        let deep = starts::deep_start(model, state, number, &touching, &loads, end);
        // a deep start is thrown out: its resting depth is a separate question
        let pierced = || crossings::pierced_start(model, state, solids.get(number)?);
        let deep = deep.or_else(pierced);
        found.extend(deep.or_else(|| loads::heavy_load(model, state, body, &loads)));
        found.extend(loads::far_out(model, state, body, touching.contacts_of(number).len(), step));
    }
    found.extend(falls::free_falls(model, state));
    found.extend(starts::torn_starts(model, state));
    let (known, overlap) = starts::overlapping_start(model, state).unzip();
    found.extend(overlap);
    found.extend(crossings::crossed_starts(model, state, &solids, known));
    found
}

/// The largest extent of a body \[m\]: longest side of its box plus the diameter of its particles; zero
/// for a point.
fn size(model: &Model, state: &State, body: &Body) -> f64 {
    (0..3).map(|axis| across(model, state, body, Vector::ith(axis, 1.0))).fold(0.0, larger)
}

/// Extent along a line, as a share of that along an axis, below which a body is flat: normals are given with so many
/// digits.
const FLAT: f64 = 1e-6;

/// Extent of a body along a unit vector, zero where it is flat, with the diameter of its particles \[m\].
fn across(model: &Model, state: &State, body: &Body, n: Vector) -> f64 {
    let extent = |along: &dyn Fn(&Vector) -> f64| {
        let places = body.particles.clone().map(|i| along(&state.positions[i]));
        let (low, high) = places.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (smaller(low, x), larger(high, x))
        });
        high - low
    };
    let own = extent(&|x| x.dot(&n));
    let longest = (0..3).map(|axis| extent(&|x| x[axis])).fold(0.0, larger);
    let radius = body.particles.clone().map(|i| model.surfaces.radii[i]).fold(0.0, larger);
    if own > FLAT * longest { own + 2.0 * radius } else { 2.0 * radius }
}

/// Whether a particle is held along an axis, other than that which the scene locks.
fn is_held(model: &Model, i: usize) -> bool {
    (0..3).any(|axis| model.inverse_masses[i][axis] == 0.0 && model.locked_axis != Some(axis))
}
