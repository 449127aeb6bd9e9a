//! From the loads of a world to forces, and from guided pins to a constraint.

use super::check_finite;
use crate::constraints::guided::GuidedPins;
use crate::forces::Force;
use crate::forces::crew::Crew;
use crate::forces::drag::DragForce;
use crate::forces::gravity::Gravity;
use crate::forces::hand::Handling;
use crate::forces::muscle::{Fibre, MuscleForce};
use crate::forces::push::PushForce;
use crate::forces::span::Span;
use crate::forces::springs::Springs;
use crate::math::Vector;
use crate::model;
use crate::world::builder::World;
use crate::world::error::{Part, WorldError};
use std::sync::Arc;

/// A start at t = 0 becomes −∞: drag acts on the state of t = 0 too.
fn began(from: f64) -> f64 {
    if from > 0.0 { from } else { f64::NEG_INFINITY }
}

/// Whether a load or a motion follows a curve of time without end.
pub(super) fn is_unsteady(world: &World) -> bool {
    let pushes = world.pushes.iter().filter_map(|push| push.factor.as_ref());
    let pins = world.pins.iter().flat_map(|pin| &pin.guides).map(|(_, curve)| curve);
    let muscles = world.muscles.iter().map(|muscle| &muscle.factor);
    let guides = world.colliders.iter().flat_map(|collider| &collider.motion.guides);
    let mut all = pushes
        .chain(pins)
        .chain(muscles)
        .chain(guides.map(|guide| &guide.curve))
        .chain(&world.gravity_factor);
    all.any(|curve| curve.ends() == f64::INFINITY)
}

/// The pins that follow curves of time.
pub(super) fn guided_pins(
    world: &World,
    bodies: &[model::Body],
    (masses, positions): (&[f64], &[Vector]),
) -> Result<Vec<GuidedPins>, WorldError> {
    let mut all = Vec::new();
    for (number, pin) in world.pins.iter().enumerate().filter(|(_, pin)| !pin.guides.is_empty()) {
        let part = Part::Pin(number);
        let directions = pin.guides.iter().map(|(direction, _)| *direction);
        for direction in directions {
            check_finite(part, "direction", direction)?;
        }
        let particles = pin.selection.of(part, &bodies[pin.body.0], positions)?;
        let mut axes = pin.axes;
        if let Some(axis) = world.locked_axis {
            axes[axis] = false;
        }
        all.push(GuidedPins {
            start: particles.iter().map(|i| positions[*i]).collect(),
            masses: particles.iter().map(|i| masses[*i]).collect(),
            particles,
            axes,
            velocity: pin.velocity,
            guides: pin.guides.clone(),
        });
    }
    Ok(all)
}

/// The springs whose rest lengths follow time.
pub(super) fn muscles(
    world: &World,
    bodies: &[model::Body],
    positions: &[Vector],
    springs: &Springs,
) -> Result<Vec<MuscleForce>, WorldError> {
    let mut all = Vec::new();
    for (number, muscle) in world.muscles.iter().enumerate() {
        let part = Part::Muscle(number);
        let particles = muscle.selection.of(part, &bodies[muscle.body.0], positions)?;
        let selected = |i: usize| particles.binary_search(&i).is_ok();
        let mut fibres = Vec::new();
        springs.for_each(|spring| {
            if selected(spring.i) && selected(spring.j) {
                fibres.push(Fibre {
                    ends: [spring.i, spring.j],
                    stiffness: spring.material.stiffness,
                    rest_length: spring.rest_length,
                    middle: (positions[spring.i] + positions[spring.j]) * 0.5,
                });
            }
        });
        if fibres.is_empty() {
            let body = &bodies[muscle.body.0].name;
            let message = format!("no spring of `{body}` has both its ends in the selection");
            return Err(part.fault(message, "select more particles, or give the body springs"));
        }
        all.push(MuscleForce { fibres, factor: muscle.factor.clone() });
    }
    Ok(all)
}

/// The damping in proportion to mass of an elastic body, at a rate \[1/s\].
pub(super) fn mass_damping(body: &model::Body, rate: f64, masses: &[f64]) -> Box<dyn Force> {
    let particles = body.particles.clone();
    let masses = masses[particles.clone()].to_vec();
    Box::new(DragForce { particles, rate, span: Span { from: began(0.0), ..Span::ALWAYS }, masses })
}

/// Gravity, pushes, drags and the hand.
pub(super) fn loads(
    world: &World,
    bodies: &[model::Body],
    positions: &[Vector],
    masses: &[f64],
    crew: &Arc<Crew>,
) -> Result<Vec<Box<dyn Force>>, WorldError> {
    let mut loads: Vec<Box<dyn Force>> = vec![Box::new(Gravity {
        acceleration: world.gravity,
        masses: masses.to_vec(),
        factor: world.gravity_factor.clone(),
        crew: Arc::clone(crew),
    })];
    for (number, push) in world.pushes.iter().enumerate() {
        let part = Part::Push(number);
        let particles = push.selection.of(part, &bodies[push.body.0], positions)?;
        let share = match push.per_particle {
            // a refined mesh has the same force in all
            true => particles.iter().filter(|i| **i < bodies[push.body.0].unrefined().end).count(),
            false => 1,
        } as f64
            / particles.len() as f64;
        loads.push(Box::new(PushForce {
            particles,
            force: push.force * share,
            span: Span { from: push.from, until: push.until.unwrap_or(f64::INFINITY) },
            ramp: push.ramp,
            factor: push.factor.clone(),
        }));
    }
    for drag in &world.drags {
        let particles =
            drag.body.map_or(0..positions.len(), |body| bodies[body.0].particles.clone());
        loads.push(Box::new(DragForce {
            masses: masses[particles.clone()].to_vec(),
            particles,
            rate: drag.rate,
            span: Span { from: began(drag.from), until: drag.until.unwrap_or(f64::INFINITY) },
        }));
    }
    loads.push(Box::new(Handling));
    Ok(loads)
}
