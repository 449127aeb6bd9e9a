//! Impacts by impulses, which come at the ends of steps: half a step late on average, in runs at other steps perhaps at
//! the same multiple of the step.

use super::Run;
use super::course::Course;
use std::collections::BTreeSet;
use stiction_core::diagnosis::error_bar::LateImpacts;
use stiction_core::impulses::IMPACT_ERROR;
use stiction_core::math::Vector;
use stiction_core::measures::Probe;
use stiction_core::model::Model;
use stiction_core::state::memory::Contact;
use stiction_scene::build::restitution;

/// Directions closer than this to those that contacts hold are held themselves.
const HELD: f64 = 1e-6;

/// Late impacts of a run, and the directions in which contacts hold its bodies at its end.
pub(super) struct Late {
    pub impacts: LateImpacts,
    /// `held[body]`: orthonormal, at most three
    held: Vec<Vec<Vector>>,
}

impl Late {
    /// None where nothing rebounds or lands by impulses. With friction an impact may be in pieces.
    pub(super) fn of(run: &Run, own: &Course) -> Option<Self> {
        let scene = &run.timeline.scene;
        let all = || 0..scene.materials.len();
        let bounces = |a: usize| all().any(|b| restitution(scene, a, b).is_some_and(|e| e > 0.0));
        let comes = scene.contact.jumps() && (own.places.land() || all().any(bounces));
        let rough = scene.materials.iter().any(|material| material.static_friction > 0.0)
            || scene.pairs.iter().any(|pair| pair.static_friction.is_some_and(|mu| mu > 0.0));
        let off = if rough { IMPACT_ERROR } else { 0.0 };
        let simulation = run.simulation();
        let model = &simulation.model;
        let contacts = &simulation.state.memory.contacts;
        let held = held(model, contacts);
        let impacts = LateImpacts { late: 0.5 * simulation.time_step(), off };
        comes.then_some(Late { impacts, held })
    }

    /// The share of each column of a measure that contacts do not hold at the end; 0 where it is no place.
    pub(super) fn free_shares(&self, probe: &Probe, model: &Model) -> Vec<f64> {
        let Some((directions, particles)) = probe.places() else {
            return vec![0.0; probe.columns.len()];
        };
        let body = particles.first().and_then(|particle| model.body_of(*particle));
        let share = |along: Option<Vector>| match (along, body) {
            (Some(along), Some(body)) => self.free_share(body, along),
            _ => 1.0,
        };
        directions.into_iter().map(share).collect()
    }

    /// The same of the centre of mass of a body.
    pub(super) fn free_axes(&self, body: usize) -> Vec<f64> {
        [Vector::x(), Vector::y(), Vector::z()].map(|axis| self.free_share(body, axis)).to_vec()
    }

    /// The length of what is left of a unit vector at right angles to all normals of a body's contacts.
    fn free_share(&self, body: usize, along: Vector) -> f64 {
        beside(&self.held[body], along).norm()
    }
}

/// The directions in which each body is held: those of its contacts with colliders, and with bodies that are held in
/// them themselves.
fn held(model: &Model, contacts: &[Contact]) -> Vec<Vec<Vector>> {
    let mut held = vec![Vec::new(); model.bodies.len()];
    let bodies_of = |contact: &Contact| {
        let bodies = contact.ends.iter().filter_map(|(particle, _)| model.body_of(particle));
        bodies.collect::<BTreeSet<usize>>()
    };
    // once for each body that may stand on another one
    for _ in 0..=model.bodies.len() {
        let before = held.clone();
        for contact in contacts {
            let bodies = bodies_of(contact);
            let fixed = contact.key.collider().is_some()
                || bodies.iter().any(|body| beside(&before[*body], contact.normal).norm() <= HELD);
            if fixed {
                bodies.into_iter().for_each(|body| hold(&mut held[body], contact.normal));
            }
        }
        if held == before {
            break;
        }
    }
    held
}

/// Adds a unit normal to an orthonormal base of held directions.
fn hold(held: &mut Vec<Vector>, normal: Vector) {
    let new = beside(held, normal);
    if new.norm() > HELD {
        held.push(new.normalize());
    }
}

/// The part of a vector at right angles to all of an orthonormal base.
fn beside(base: &[Vector], vector: Vector) -> Vector {
    base.iter().fold(vector, |left, held| left - held * held.dot(&left))
}
