//! The hand's grip on a body, and the height of its push.

use stiction_core::math::{Vector, larger, smaller, sqrt};
use stiction_core::model::{Body, Model};
use stiction_core::state::State;
use stiction_core::state::memory::{Grip, Shove};

/// Reach of the hand around the picked particle, in sizes of the body.
const REACH: f64 = 0.12;

/// Largest number of held particles.
const MOST: usize = 400;

/// Elongation of a spring that bears the body's weight, in sizes of the body.
const GIVE: f64 = 0.1;

/// Largest k h²/m and c h/m of the hand's springs: small shares of the limits of an explicit
/// method.
const SOFT: (f64, f64) = (0.02, 0.1);

/// Rounding of heights, in sizes of the body.
const LAYER: f64 = 1e-3;

/// The body of a particle.
pub fn body_of(model: &Model, particle: usize) -> Option<&Body> {
    model.bodies.iter().find(|body| body.particles.contains(&particle))
}

/// A body's mass \[kg\], and the diagonal of its bounds at rest \[m\].
fn measure(model: &Model, body: &Body) -> (f64, f64) {
    let range = body.particles.clone();
    let mass = range.clone().map(|i| model.masses[i]).sum();
    let points = &model.reference[range];
    let first = points.first().copied().unwrap_or_default();
    let (min, max) = points.iter().fold((first, first), |(a, b), p| (a.inf(p), b.sup(p)));
    (mass, (max - min).norm())
}

/// Takes hold of a particle and of those of its body near it, at their positions.
///
/// The springs bear the body's weight at an elongation of a tenth of its size and are damped half
/// critically for the whole body; a step of `h` \[s\] limits both.
pub(crate) fn take_hold(model: &Model, state: &State, particle: usize, h: f64) -> Option<Grip> {
    let body = body_of(model, particle)?;
    let (mass, size) = measure(model, body);
    let at = model.reference[particle];
    let near = |i: &usize| *i == particle || (model.reference[*i] - at).norm() <= REACH * size;
    let mut held: Vec<usize> = body.particles.clone().filter(near).collect();
    if held.len() > MOST {
        let away = |i: &usize| (model.reference[*i] - at).norm_squared();
        held.sort_by(|a, b| away(a).total_cmp(&away(b)).then(a.cmp(b)));
        held.truncate(MOST);
        held.sort_unstable();
    }
    let share = 1.0 / held.len() as f64;
    let middle = held.iter().map(|i| state.positions[*i]).sum::<Vector>() * share;
    let lightest = held.iter().map(|i| model.masses[*i]).fold(f64::INFINITY, smaller);
    let weight = mass * larger(model.gravity.norm(), 1.0);
    let wanted = weight / (GIVE * larger(size, 0.02));
    let stiffness = smaller(wanted * share, SOFT.0 * lightest / (h * h));
    let damping = smaller(sqrt(stiffness / share * mass) * share, SOFT.1 * lightest / h);
    Some(Grip {
        offsets: held.iter().map(|i| state.positions[*i] - middle).collect(),
        particles: held,
        target: middle,
        stiffness,
        damping,
    })
}

/// Range of heights at which a body can be pushed: its lowest and highest particle \[m\].
pub fn heights(state: &State, body: &Body) -> (f64, f64) {
    let heights = body.particles.clone().map(|i| state.positions[i].z);
    heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), z| {
        (smaller(low, z), larger(high, z))
    })
}

/// The weight of a body \[N\], at 9.81 m/s² without gravity.
pub fn weight(model: &Model, body: &Body) -> f64 {
    let gravity = model.gravity.norm();
    measure(model, body).0 * if gravity > 0.0 { gravity } else { 9.81 }
}

/// Pushes a body with `force` \[N\] along x (along y if x is locked) at the layer nearest to
/// `height` \[m\], on the side facing the push.
pub fn push(model: &Model, state: &State, body: &Body, force: f64, height: f64) -> Option<Shove> {
    let along = if model.locked_axis == Some(0) { Vector::y() } else { Vector::x() };
    let direction = if force < 0.0 { -along } else { along };
    let size = larger(measure(model, body).1, 1e-6);
    let height_of = |i: usize| (state.positions[i].z - height).abs();
    let nearest = body.particles.clone().min_by(|a, b| height_of(*a).total_cmp(&height_of(*b)))?;
    let level = model.reference[nearest].z;
    let layer = body.particles.clone().filter(|i| {
        let off = (model.reference[*i].z - level).abs();
        off <= LAYER * size
    });
    let depth = |i: usize| model.reference[i].dot(&direction);
    let hindmost = layer.clone().map(depth).fold(f64::INFINITY, smaller);
    let particles: Vec<usize> = layer.filter(|i| depth(*i) <= hindmost + LAYER * size).collect();
    let share = 1.0 / particles.len() as f64;
    Some(Shove { force: along * (force * share), particles })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;
    use stiction_scene::build::{BuildOptions, build};
    use stiction_scene::{LoadOptions, load_text};

    /// A body of thousands of particles is held by the nearest of them.
    #[test]
    fn the_hand_holds_the_nearest_and_not_too_many() {
        let text = "format = 1
            time = { end = 1.0, step = 1e-3, output = 1.0 }
            integrator.method = \"rk4\"
            materials.wood.static_friction = 0.5
            contact.normal = { stiffness = 1e4 }
            contact.friction = { law = \"threshold\" }
            [[body]]
            name = \"cloth\"
            mass = 1.0
            shape.lattice = { counts = [120, 1, 120], spacing = 0.01 }
            springs.edge.stiffness = 100.0
            ";
        let options = LoadOptions::default();
        let loaded = load_text("cloth.toml", text, Path::new("."), &options).expect("a scene");
        let built = build(&loaded.scene, &BuildOptions::default()).expect("a model");
        let middle = 120 * 60 + 60;
        let grip = take_hold(&built.model, &built.state, middle, 1e-3).expect("a grip");
        assert_eq!(grip.particles.len(), MOST);
        assert!(grip.particles.is_sorted());
        let at = built.model.reference[middle];
        let farthest = |among: &dyn Fn(usize) -> bool| {
            let away = |i: usize| (built.model.reference[i] - at).norm();
            (0..built.model.particles()).filter(|i| among(*i)).map(away).fold(0.0, larger)
        };
        let held = farthest(&|i| grip.particles.binary_search(&i).is_ok());
        // π r² of a disc of so many squares
        let disc = sqrt(MOST as f64 / stiction_core::math::PI) * 0.01;
        assert!((held / disc - 1.0).abs() < 0.05, "{held} m, {disc} m");
    }
}
