//! Each body at the end of a run: its fate, and its creep.

use super::steady::Steadiness;
use super::{Creep, Fate, Run, Split};
use std::ops::Range;
use stiction_core::diagnosis::audit::Energies;
use stiction_core::diagnosis::drift::Drift;
use stiction_core::diagnosis::load::{Load, Loads, contacts};
use stiction_core::math::{Vector, acos, degrees, larger, smaller};
use stiction_core::measures::rotation::{rotation_of, spin};
use stiction_core::measures::{Scope, mean};
use stiction_core::model::{Body, Model};
use stiction_core::state::State;

impl Run {
    /// The fate of each body.
    pub fn fates(&self) -> Vec<Fate> {
        let (model, state) = (&self.timeline.simulation.model, &self.timeline.simulation.state);
        let turning = model.surfaces.colliders.iter().any(|c| c.motion.turns());
        let (of, folds) = (contacts(model, state), with_themselves(model, state));
        let bodies = model.bodies.iter().enumerate();
        bodies
            .map(|(b, body)| {
                let particles = body.particles.clone();
                let heights = model.reference[particles.clone()].iter().map(|x| x.z);
                let flat = heights.clone().fold(f64::INFINITY, smaller)
                    == heights.fold(f64::NEG_INFINITY, larger);
                let round = model.is_round(particles.clone());
                let up = rotation_of(model, state, particles.clone()) * Vector::z();
                let tilt = degrees(acos(up.z.clamp(-1.0, 1.0)));
                Fate {
                    body: body.name.clone(),
                    travel: self.tally.travel(b),
                    speed: mean(model, particles, &state.velocities).norm(),
                    tilt: (!flat && !turning && !round).then_some(tilt),
                    contacts: [of[b].iter().filter(|(_, c)| c.sticking).count(), of[b].len()],
                    placed_turned: self.timeline.scene.bodies[b].rotation != Vector::zeros(),
                    with_itself: folds[b],
                    spin: round.then(|| self.rate_of_turn(&body.particles)),
                }
            })
            .collect()
    }

    /// |ω| of particles about their centre of mass \[rad/s\].
    fn rate_of_turn(&self, particles: &Range<usize>) -> f64 {
        let simulation = &self.timeline.simulation;
        let particles: Vec<usize> = particles.clone().collect();
        spin(&Scope {
            model: &simulation.model,
            state: &simulation.state,
            energies: &Energies::default(),
            friction_work: &simulation.watches.friction_work,
            particles: &particles,
            other: None,
            previous: None,
        })
        .norm()
    }

    /// The drift of each body in contact over its window at the end of the run.
    pub(super) fn creep(&self) -> Vec<Creep> {
        let (model, state) = (&self.timeline.simulation.model, &self.timeline.simulation.state);
        let (mut creep, loads) = (Vec::new(), Loads::of(model, state));
        let window = [self.extremes.quarter_from(), state.time];
        for (number, drift) in self.extremes.quarter().iter().enumerate() {
            let Some(measured) = drift.measured() else { continue };
            creep.push(Creep {
                body: model.bodies[number].name.clone(),
                measured,
                load_ratio: loads.load(number).map(|load| load.ratio),
                carried: loads.carried(number),
                window,
                sliding: drift.share_of_sliding(),
                slip: self.extremes.slips().get(number).copied().unwrap_or_default(),
                steadiness: self.steadiness(number, loads.load(number)),
                parts: drift.parts(),
                split: Split::Balance,
            });
        }
        creep
    }

    /// The steadiness of the drift of a body under its load at the end.
    fn steadiness(&self, body: usize, load: Option<Load>) -> Steadiness {
        let model = &self.timeline.simulation.model;
        // a load ratio is defined for one coefficient only
        let load = load.filter(|_| model.laws.is_some() && !model.surfaces.anisotropic);
        // what accelerates, rides along or still settles creeps by another
        let load =
            load.filter(|load| (load.borne - load.ratio).abs() <= BALANCED * load.ratio + UNLOADED);
        let closed_form =
            load.and_then(|load| model.friction().creep(load.ratio, load.normal_force, &load.pair));
        let none = Drift::default();
        let halves = self.extremes.halves().map(|half| half.get(body).unwrap_or(&none));
        let until = self.timeline.simulation.state.time;
        let window = [self.extremes.quarter_from(), until];
        let share = self.timeline.scene.time.drift_steps.is_none();
        let share = share.then(|| (window[1] - window[0]) / until);
        Steadiness::of(halves, closed_form, window, share)
    }
}

/// Difference of the load on a body and what friction bears of it, as a share, up to which it is in equilibrium.
const BALANCED: f64 = 0.1;

/// Load ratio below which there is no load but rounding.
const UNLOADED: f64 = 1e-9;

/// Of each body, the number of its contacts with itself that stick, and of all.
fn with_themselves(model: &Model, state: &State) -> Vec<[usize; 2]> {
    let mut counts = vec![[0, 0]; model.bodies.len()];
    for contact in &state.memory.contacts {
        let mut bodies = contact.ends.iter().map(|(i, _)| model.body_of(i));
        let Some(Some(body)) = bodies.next() else { continue };
        if contact.ends.iter().count() > 1 && bodies.all(|other| other == Some(body)) {
            counts[body][0] += usize::from(contact.sticking);
            counts[body][1] += 1;
        }
    }
    counts
}

/// The centre of mass \[m\].
pub(super) fn center(model: &Model, state: &State, body: &Body) -> Vector {
    let (mut center, mut mass) = (Vector::zeros(), 0.0);
    for i in body.particles.clone() {
        center += state.positions[i] * model.masses[i];
        mass += model.masses[i];
    }
    center / mass
}
