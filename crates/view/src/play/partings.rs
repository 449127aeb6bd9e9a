//! The moments at which a body loses contact with another body or a collider.

use crate::display::Parting;
use crate::text::quantity;
use std::collections::BTreeMap;
use stiction_core::math::{Vector, larger};
use stiction_core::model::Model;
use stiction_core::simulation::Simulation;
use stiction_core::state::State;

/// Looks at the contacts in the time of a scene: their distance in time is the error of a moment.
const LOOKS: f64 = 2000.0;

/// Shares of the time of a scene for which two things touch, and then do not, before they count as parted:
/// a bounce is none.
const FIRM: f64 = 0.05;
const APART: f64 = 0.01;

/// Most bodies of a scene whose partings are noted.
const BODIES: usize = 12;

/// Most partings of a run.
const MOST: usize = 24;

/// One of two things that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Party {
    Body(usize),
    Collider(usize),
}

/// Times of the first and the last look at which two things touched \[s\].
#[derive(Debug, Clone, Copy)]
struct Touch {
    since: f64,
    until: f64,
}

/// The partings of a run so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Partings {
    touching: BTreeMap<(Party, Party), Touch>,
    /// Ascending in time.
    pub found: Vec<Parting>,
    /// number of those that have been announced
    announced: usize,
}

impl Partings {
    /// Looks at the contacts after a step, if it is due; the scene ends at `end` \[s\].
    pub fn look(&mut self, simulation: &Simulation, end: f64) {
        let Simulation { model, state, .. } = simulation;
        let stride = (end / simulation.time_step() / LOOKS).floor();
        let stride = if stride >= 1.0 { stride as u64 } else { 1 };
        if model.bodies.len() > BODIES || !state.step_count.is_multiple_of(stride) {
            return;
        }
        let looks = 2.0 * stride as f64 * simulation.time_step();
        let (firm, apart) = (larger(FIRM * end, looks), larger(APART * end, looks));
        self.touch(model, state, apart);
        let parted: Vec<((Party, Party), Touch)> = self
            .touching
            .iter()
            .filter(|(_, touch)| state.time - touch.until >= apart)
            .map(|(pair, touch)| (*pair, *touch))
            .collect();
        for (pair, Touch { since, until }) in parted {
            self.touching.remove(&pair);
            if until - since >= firm && self.found.len() < MOST {
                let text = words(model, state, pair, until);
                self.found.push(Parting { time: until, text });
            }
        }
        self.found.sort_by(|a, b| a.time.total_cmp(&b.time));
    }

    fn touch(&mut self, model: &Model, state: &State, apart: f64) {
        let now = state.time;
        for contact in &state.memory.contacts {
            let sides = contact
                .ends
                .iter()
                .filter_map(|(i, weight)| model.body_of(i).map(|body| (body, weight < 0.0)));
            let (mut first, mut second) = (None, contact.key.collider().map(Party::Collider));
            for (body, opposite) in sides {
                let side = if opposite { &mut second } else { &mut first };
                *side = side.or(Some(Party::Body(body)));
            }
            let (Some(a), Some(b)) = (first, second) else { continue };
            if a == b {
                continue;
            }
            let pair = if b < a { (b, a) } else { (a, b) };
            let fresh = Touch { since: now, until: now };
            let touch = self.touching.entry(pair).or_insert(fresh);
            // touches of bounces do not add up
            if now - touch.until > apart {
                *touch = fresh;
            }
            touch.until = now;
        }
    }

    /// The first parting that has not been announced yet.
    pub fn take_new(&mut self) -> Option<String> {
        let parting = self.found.get(self.announced)?;
        self.announced += 1;
        Some(parting.text.clone())
    }
}

/// "`box` leaves `left`, 14.7 s": the faster of two bodies first.
fn words(model: &Model, state: &State, (a, b): (Party, Party), time: f64) -> String {
    let speed = |party: Party| match party {
        Party::Body(body) => mean_speed(model, state, body),
        Party::Collider(_) => 0.0,
    };
    let (mover, other) = match (a, b) {
        (Party::Body(_), Party::Body(_)) if speed(b) > speed(a) => (b, a),
        _ => (a, b),
    };
    let name = |party: Party| match party {
        Party::Body(body) => &model.bodies[body].name,
        Party::Collider(collider) => &model.surfaces.colliders[collider].name,
    };
    format!("`{}` leaves `{}`, {}", name(mover), name(other), quantity(time, "s"))
}

/// |Σ m v|/Σ m of a body \[m/s\].
fn mean_speed(model: &Model, state: &State, body: usize) -> f64 {
    let particles = model.bodies[body].particles.clone();
    let (mut momentum, mut mass) = (Vector::zeros(), 0.0);
    for i in particles {
        momentum += state.velocities[i] * model.masses[i];
        mass += model.masses[i];
    }
    if mass > 0.0 { momentum.norm() / mass } else { 0.0 }
}
