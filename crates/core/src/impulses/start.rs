//! Overlaps at the start of a run, for contact of another stiffness: what rests at its depth at one stiffness would
//! jump or sink at another one.

use super::depth::ROUNDING;
use crate::contact::near::Near;
use crate::math::Vector;
use crate::model::Model;
use crate::state::State;

/// Sweeps over all contacts.
const SWEEPS: usize = 200;

/// Moves bodies, each as a whole, so that every depth at the start is `factor` times itself, as nearly as they can: two
/// walls that a body overlaps leave it where it is. Bodies that something holds along an axis do not move along it.
pub fn scale_depths(model: &mut Model, state: &mut State, factor: f64) {
    let mut near = Vec::new();
    model.surfaces.near(&state.configuration(), 0.0, &mut near);
    near.retain(|near| near.depth > ROUNDING);
    let free: Vec<Vector> = (0..model.bodies.len()).map(|body| free_axes(model, body)).collect();
    let rows: Vec<Row> = near.iter().map(|near| Row::of(near, model, &free, factor)).collect();
    let mut shifts = vec![Vector::zeros(); model.bodies.len()];
    for _ in 0..SWEEPS {
        rows.iter().for_each(|row| row.correct(&mut shifts));
    }
    for (body, shift) in model.bodies.iter().zip(&shifts) {
        state.positions[body.particles.clone()].iter_mut().for_each(|x| *x += shift);
    }
    model.reference.clone_from(&state.positions);
}

/// 1 for every axis along which all particles of a body can move.
fn free_axes(model: &Model, body: usize) -> Vector {
    let own = &model.inverse_masses[model.bodies[body].particles.clone()];
    Vector::from_fn(|axis, _| f64::from(u8::from(own.iter().all(|mass| mass[axis] > 0.0))))
}

/// One contact: Σ g_b·t_b = what its depth shall lose, over the shifts t_b of its bodies.
struct Row {
    gradients: Vec<(usize, Vector)>,
    wanted: f64,
}

impl Row {
    fn of(near: &Near, model: &Model, free: &[Vector], factor: f64) -> Row {
        let mut gradients: Vec<(usize, Vector)> = Vec::new();
        for (particle, weight) in near.ends.iter() {
            let Some(body) = model.body_of(particle) else { continue };
            let gradient = near.normal.component_mul(&free[body]) * weight;
            match gradients.iter_mut().find(|(of, _)| *of == body) {
                Some((_, sum)) => *sum += gradient,
                None => gradients.push((body, gradient)),
            }
        }
        Row { gradients, wanted: (1.0 - factor) * near.depth }
    }

    /// The least change of shifts by which the contact has what it wants.
    fn correct(&self, shifts: &mut [Vector]) {
        let size: f64 = self.gradients.iter().map(|(_, g)| g.norm_squared()).sum();
        let lost: f64 = self.gradients.iter().map(|(body, g)| g.dot(&shifts[*body])).sum();
        if size > 0.0 {
            let change = (self.wanted - lost) / size;
            self.gradients.iter().for_each(|(body, g)| shifts[*body] += g * change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Body, BuildOptions, Collider, World, named};

    /// A bead in a corner and one in a wall, and one that is held: depths fall to a quarter, but not what is held.
    #[test]
    fn every_depth_at_the_start_is_scaled() {
        let mut world = World::new();
        world.material(("m", 0.5, 0.5));
        world.normal(named("linear").with("stiffness", 1e4));
        let at = |name: &str, x: f64, z: f64| {
            Body::new(name, "particle").mass(1.0).position(Vector::new(x, 0.0, z))
        };
        world.body(at("corner", 1e-3, -2e-3));
        world.body(at("wall", 0.5, 1.0));
        let held = world.body(at("held", -1.0, -2e-3));
        world.pin(crate::world::Pin::new(held, crate::world::Selection::All));
        world.collider(Collider::new("floor", named("plane").with("normal", [0.0, 0.0, 1.0])));
        world.collider(Collider::new("wall", named("plane").with("normal", [-1.0, 0.0, 0.0])));
        let mut built = world.build(&BuildOptions::default()).expect("a world");
        scale_depths(&mut built.model, &mut built.state, 0.25);
        let wanted = [[0.25e-3, 0.0, -0.5e-3], [0.125, 0.0, 1.0], [-1.0, 0.0, -2e-3]];
        for (x, wanted) in built.state.positions.iter().zip(wanted) {
            assert!((x - Vector::from(wanted)).norm() < 1e-12, "{x:?} {wanted:?}");
        }
    }
}
