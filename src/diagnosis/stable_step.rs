//! The largest stable step of a method, from the modes of the linearised motion, and what limits it.

use super::spectrum::{Mode, Spectrum};
use crate::forces::{BlockSink, Force};
use crate::integrators::region::Region;
use crate::math::{Matrix, Vector, bisect, exp, larger, sqrt, tangent_projector};
use crate::model::Model;
use crate::state::State;
use std::collections::BTreeMap;

/// Growth per step beyond the motion's own that still counts as none.
const ROUNDING: f64 = 1e-9;

/// Where the search for a limit begins and ends, in h |μ|; beyond the end a method has no limit.
const SEARCH: (f64, f64) = (1e-3, 40.0);

/// The largest step at which no mode grows faster than it does by itself \[s\], and the mode that
/// limits it. `None`: no limit; a step of zero: unstable at any step.
pub fn largest_stable_step<'a>(region: &Region, spectrum: &'a Spectrum) -> Option<(f64, &'a Mode)> {
    let limits = spectrum.modes.iter().filter_map(|mode| Some((limit(region, mode)?, mode)));
    limits.reduce(|a, b| if b.0 < a.0 { b } else { a })
}

fn limit(region: &Region, mode: &Mode) -> Option<f64> {
    let in_turn = matches!(region, Region::InTurn(_));
    let rate = sqrt(mode.value.norm_sqr());
    // of two real modes of one shape the slower one says nothing that the faster does not
    let slower = mode.value.im == 0.0 && rate < 0.5 * mode.damping_rate;
    let holds = |h: f64| {
        let growth = match region {
            _ if in_turn => region.growth(h * mode.damping_rate, h * mode.frequency),
            _ => region.growth_at(mode.value * h),
        };
        growth <= larger(1.0, exp(h * mode.value.re)) + ROUNDING
    };
    if rate == 0.0 || matches!(region, Region::Everywhere) || (in_turn && slower) {
        return None;
    }
    let mut size = SEARCH.0;
    if !holds(size / rate) {
        return Some(0.0);
    }
    while size < SEARCH.1 {
        let next = size * 1.02;
        if !holds(next / rate) {
            return Some(bisect(size / rate, next / rate, holds));
        }
        size = next;
    }
    None
}

/// What a mode's motion works against most.
#[derive(Debug, Clone, PartialEq)]
pub enum Culprit {
    /// Friction at a contact of this particle.
    Friction(usize),
    /// The normal force of a contact of this particle.
    NormalContact(usize),
    /// Contact between bodies, at these particles.
    Bodies(usize, usize),
    /// The spring between two particles.
    Spring(usize, usize),
    /// A load that depends on position or velocity, drag for one, at this particle.
    Load(usize),
}

impl Culprit {
    /// "friction at particle 3 of `box`": for people.
    pub fn describe(&self, model: &Model) -> String {
        let name = |i: &usize| model.particle_name(*i);
        match self {
            Culprit::Friction(i) => format!("friction at {}", name(i)),
            Culprit::NormalContact(i) => format!("normal contact at {}", name(i)),
            Culprit::Bodies(i, j) => format!("contact of {} with {}", name(i), name(j)),
            Culprit::Spring(i, j) => match model.bodies.iter().find(|b| b.particles.contains(i)) {
                Some(body) if body.particles.contains(j) => {
                    let start = body.particles.start;
                    format!(
                        "spring from particle {} to {} of `{}`",
                        i - start,
                        j - start,
                        body.name
                    )
                }
                _ => format!("spring from {} to {}", name(i), name(j)),
            },
            Culprit::Load(i) => format!("drag on {}", name(i)),
        }
    }

    /// One word, for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Culprit::Friction(_) => "friction",
            Culprit::NormalContact(_) => "normal-contact",
            Culprit::Bodies(..) => "body-contact",
            Culprit::Spring(..) => "spring",
            Culprit::Load(_) => "load",
        }
    }
}

/// What a mode's motion works against, block by block: |μ| uᴴ D u + uᴴ K u of every pair and of every
/// particle alone.
struct Work<'a> {
    mode: &'a Mode,
    rate: f64,
    pairs: BTreeMap<(usize, usize), f64>,
    alone: BTreeMap<usize, Matrix>,
}

impl<'a> Work<'a> {
    fn of(mode: &'a Mode) -> Self {
        let rate = sqrt(mode.value.norm_sqr());
        Work { mode, rate, pairs: BTreeMap::new(), alone: BTreeMap::new() }
    }

    fn pair(&self) -> (f64, Option<(usize, usize)>) {
        let most = self.pairs.iter().fold((0.0, None), |most, (pair, work)| {
            if *work > most.0 { (*work, Some(*pair)) } else { most }
        });
        // every pair was entered from both sides
        (0.5 * self.pairs.values().sum::<f64>(), most.1)
    }

    /// Sum and largest over particles alone, of the part of their motion that `keep` leaves.
    fn single(&self, keep: impl Fn(usize) -> Matrix) -> (f64, Option<usize>) {
        let mut sum = 0.0;
        let mut most = (0.0, None);
        for (i, block) in &self.alone {
            let plane = keep(*i);
            let work: f64 = self.mode.shape[*i]
                .iter()
                .map(|u| (plane * u).dot(&(block * (plane * u))).abs())
                .sum();
            sum += work;
            if work > most.0 {
                most = (work, Some(*i));
            }
        }
        (sum, most.1)
    }
}

impl BlockSink for Work<'_> {
    fn add(&mut self, i: usize, j: usize, by_position: &Matrix, by_velocity: &Matrix) {
        let block = by_position + by_velocity * self.rate;
        if i == j {
            *self.alone.entry(i).or_insert_with(Matrix::zeros) += block;
        } else {
            // what stretches a pair is its difference
            let (a, b) = (&self.mode.shape[i], &self.mode.shape[j]);
            let work: f64 =
                a.iter().zip(b).map(|(a, b)| (a - b).dot(&(block * (a - b))).abs()).sum();
            *self.pairs.entry((i.min(j), i.max(j))).or_insert(0.0) += work;
        }
    }
}

/// The normal of the collider a particle presses on most.
pub fn normal(state: &State, particle: usize) -> Option<Vector> {
    let contacts = state.memory.contacts.iter();
    let own = contacts.filter(|c| c.key.kind == 0 && c.particle() == particle);
    let most = own.reduce(|a, b| if b.normal_force > a.normal_force { b } else { a });
    most.map(|contact| contact.normal)
}

/// What limits a mode: the force its motion works against most, and where.
pub fn culprit(model: &Model, state: &State, mode: &Mode) -> Option<Culprit> {
    let at = state.configuration();
    let mut found: Vec<(f64, Option<Culprit>)> = Vec::new();
    let mut springs = Work::of(mode);
    model.springs.add_jacobian(&at, &mut springs);
    let (work, pair) = springs.pair();
    found.push((work, pair.map(|(i, j)| Culprit::Spring(i, j))));
    let mut contact = Work::of(mode);
    model.contact.add_jacobian(&at, &mut contact);
    let (work, particle) =
        contact.single(|i| normal(state, i).map_or_else(Matrix::zeros, tangent_projector));
    found.push((work, particle.map(Culprit::Friction)));
    let (work, particle) =
        contact.single(|i| normal(state, i).map_or_else(Matrix::zeros, |n| n * n.transpose()));
    found.push((work, particle.map(Culprit::NormalContact)));
    let (work, pair) = contact.pair();
    found.push((work, pair.map(|(i, j)| Culprit::Bodies(i, j))));
    let mut loads = Work::of(mode);
    for load in &model.loads {
        load.add_jacobian(&at, &mut loads);
    }
    let (work, particle) = loads.single(|_| Matrix::identity());
    found.push((work, particle.map(Culprit::Load)));
    found.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a })?.1
}
