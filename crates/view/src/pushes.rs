//! The pushes that act: those of the scene and of the user's hand, body by body, as one list that adds
//! up.

use super::snapshot::Snapshot;
use super::text::quantity;
use stiction_core::math::Vector;
use stiction_core::model::Model;

/// Forces whose cross product is below this share of the product of their sizes are parallel.
const PARALLEL: f64 = 1e-9;

/// Name of a drag with the mouse.
pub const HOLD: &str = "hold";

/// A push at one instant.
#[derive(Debug, Clone, PartialEq)]
pub struct ActingPush {
    /// As `--set` has it, `push.0`; "hand"; [`HOLD`].
    pub name: String,
    /// The number of its body.
    pub body: Option<usize>,
    /// The pushed particles.
    pub particles: Vec<usize>,
    /// The total force \[N\]; zero outside its span of time.
    pub force: Vector,
}

/// Pushes of the scene, in its order, then those of the hand.
pub fn acting(snapshot: &Snapshot) -> Vec<ActingPush> {
    let Snapshot { model, state, .. } = snapshot;
    let at = state.configuration();
    let own: Vec<_> = model.loads.iter().filter_map(|load| load.pushed(&at)).collect();
    let name = |k: usize| format!("push.{k}");
    let mut all: Vec<ActingPush> = own
        .iter()
        .enumerate()
        .map(|(k, (particles, force))| of(model, name(k), particles, *force))
        .collect();
    let hand = &state.memory.hand;
    if let Some(push) = &hand.push {
        all.push(of(model, "hand".into(), &push.particles, push.force));
    }
    if let Some(grip) = &hand.grip
        && grip.particles.iter().all(|i| *i < state.positions.len())
    {
        let forces = grip.forces(&state.positions, &state.velocities);
        let force = forces.map(|(_, force)| force).sum();
        all.push(ActingPush { force, ..of(model, HOLD.into(), &grip.particles, force) });
    }
    all
}

/// A push with the same force \[N\] on each particle.
fn of(model: &Model, name: String, particles: &[usize], each: Vector) -> ActingPush {
    ActingPush {
        name,
        body: particles.first().and_then(|i| model.body_of(*i)),
        particles: particles.to_vec(),
        force: each * particles.len() as f64,
    }
}

/// The sum of pushes \[N\].
pub fn sum<'a>(pushes: impl IntoIterator<Item = &'a ActingPush>) -> Vector {
    pushes.into_iter().map(|push| push.force).sum()
}

/// The line that forces are parallel to: towards positive x or y, or up or down as the first of them;
/// `None` if they are not parallel.
pub fn common_line(forces: &[Vector]) -> Option<Vector> {
    let first = forces.iter().find_map(|force| force.try_normalize(0.0))?;
    let parallel = |force: &Vector| force.cross(&first).norm() <= PARALLEL * force.norm();
    let back = first.xy().iter().copied().find(|x| x.abs() > 1e-6).is_some_and(|x| x < 0.0);
    forces.iter().all(parallel).then_some(if back { -first } else { first })
}

/// The axis that a line is parallel to.
pub fn axis_of(line: &Vector) -> Option<&'static str> {
    let axes = ["x", "y", "z"].into_iter().zip(line.iter());
    axes.filter(|(_, part)| part.abs() >= 1.0 - PARALLEL).map(|(axis, _)| axis).next()
}

/// A force \[N\] in words: along a common line with its sign, else by its components.
pub fn amount(force: &Vector, line: Option<&Vector>) -> String {
    if let Some(line) = line {
        return quantity(force.dot(line), "N");
    }
    let parts = ["x", "y", "z"].into_iter().zip(force.iter());
    let parts = parts.filter(|(_, x)| x.abs() > 1e-9 * force.norm());
    let texts: Vec<String> =
        parts.map(|(axis, x)| format!("{axis} {}", quantity(*x, "N"))).collect();
    if texts.is_empty() { "0 N".into() } else { texts.join(" · ") }
}
