//! The other side of a measure between two things.

use super::{Scope, mean};
use crate::math::{Vector, larger, smaller};
use crate::state::memory::{Candidates, Contact};
use std::ops::Range;

/// A body or a collider that a measure is taken against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Other {
    /// The particles of a body.
    Body(Range<usize>),
    /// The pieces of a collider.
    Collider(Vec<usize>),
}

impl Other {
    /// Whether a contact has it on one of its sides.
    pub fn touches(&self, contact: &Contact) -> bool {
        match self {
            Other::Body(particles) => contact.ends.iter().any(|(i, _)| particles.contains(&i)),
            Other::Collider(pieces) => contact.key.collider().is_some_and(|c| pieces.contains(&c)),
        }
    }
}

/// Displacement since t = 0 of the selection's centre of mass \[m\], less that of the other side: of
/// a body's centre of mass, or of the point of a collider's surface where the selection's centre was.
pub(crate) fn relative_displacement(scope: &Scope) -> Vector {
    let (model, state) = (scope.model, scope.state);
    let start = scope.mean(&model.reference);
    let own = scope.mean(&state.positions) - start;
    own - match scope.other {
        None => Vector::zeros(),
        Some(Other::Body(particles)) => {
            let of = |positions: &[Vector]| mean(model, particles.clone(), positions);
            of(&state.positions) - of(&model.reference)
        }
        Some(Other::Collider(pieces)) => {
            let motion = &model.surfaces.colliders[pieces[0]].motion;
            let material = motion.pose(0.0).to_material(start);
            motion.pose(state.time).material_to_world(material) - start
        }
    }
}

/// Velocity of the selection's centre of mass \[m/s\], less that of the other body's centre of mass or
/// of the collider at that place.
pub(crate) fn relative_velocity(scope: &Scope) -> Vector {
    let (model, state) = (scope.model, scope.state);
    let own = scope.mean(&state.velocities);
    own - match scope.other {
        None => Vector::zeros(),
        Some(Other::Body(particles)) => mean(model, particles.clone(), &state.velocities),
        Some(Other::Collider(pieces)) => {
            let pose = model.surfaces.colliders[pieces[0]].motion.pose(state.time);
            pose.velocity_at(scope.mean(&state.positions))
        }
    }
}

/// Distance, in edge lengths, within which the distance of bodies is that of their surfaces.
const NEAR: f64 = 2.0;

/// The least distance of the selection's particles from the other side \[m\], radii taken off;
/// negative where they overlap. Between bodies that touch each other it is that of their surfaces up to
/// two edges, further away that of their particles.
pub fn separation(scope: &Scope) -> f64 {
    let (model, positions) = (scope.model, &scope.state.positions);
    let radius = |i: usize| model.surfaces.radii[i];
    let from = |i: usize| match scope.other {
        None => f64::INFINITY,
        Some(Other::Body(particles)) => particles
            .clone()
            .map(|j| (positions[i] - positions[j]).norm() - radius(j))
            .fold(f64::INFINITY, smaller),
        Some(Other::Collider(pieces)) => pieces
            .iter()
            .map(|piece| {
                let collider = &model.surfaces.colliders[*piece];
                let pose = collider.motion.pose(scope.state.time);
                collider.shape.gap(pose.to_shape(positions[i])).distance
            })
            .fold(f64::INFINITY, smaller),
    };
    let apart = scope.particles.iter().map(|&i| from(i) - radius(i)).fold(f64::INFINITY, smaller);
    match scope.other {
        Some(Other::Body(particles)) => {
            of_surfaces(scope, particles).map_or(apart, |gap| smaller(gap, apart))
        }
        _ => apart,
    }
}

/// The least gap between surfaces, ropes and loose particles of two bodies, where there is one up to
/// [`NEAR`] edges.
fn of_surfaces(scope: &Scope, other: &Range<usize>) -> Option<f64> {
    let (model, positions) = (scope.model, &scope.state.positions);
    let detector = &model.surfaces.between.as_ref()?.detector;
    let own = |i: &u32| scope.particles.binary_search(&(*i as usize)).is_ok();
    let mut candidates = Candidates::default();
    let mut range = detector.skin();
    let furthest = larger(NEAR * detector.edge(), range);
    while range < 2.0 * furthest {
        let mut least = f64::INFINITY;
        detector.refresh(&mut candidates, positions, range);
        detector.for_each(&candidates, positions, range, |found| {
            let parts = &found.particles[..found.count];
            if parts.iter().any(own) && parts.iter().any(|i| other.contains(&(*i as usize))) {
                least = smaller(least, -found.depth());
            }
        });
        if least <= range {
            return Some(least);
        }
        range *= 2.0;
    }
    None
}
