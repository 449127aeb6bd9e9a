//! The largest stable step of a method, from the modes of the linearised motion, and the force that
//! limits it.

use super::spectrum::{Linearised, Mode, Spectrum, steepen};
use super::watch::{Cure, Fault, FaultKind};
use crate::forces::{BlockSink, Force};
use crate::integrators::Capabilities;
use crate::integrators::region::Region;
use crate::math::{
    Matrix, Vector, at_most, bisect, exp, larger, number, smaller, sqrt, tangent_projector,
};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::Contact;
use std::collections::BTreeMap;

/// Growth per step beyond the motion's own that counts as none.
const ROUNDING: f64 = 1e-12;

/// A mode with |Re μ| below this share of |μ| counts as undamped; rounding is smaller.
const UNDAMPED: f64 = 1e-9;

/// A mode slower than this share of the spectral radius limits nothing.
const SLOW: f64 = 1e-6;

/// Range of the search for a limit, in h |μ|; a method that is stable up to its end has none.
const SEARCH: (f64, f64) = (1e-6, 40.0);

/// The step is larger than the largest stable one at the start.
#[derive(Debug, Clone, PartialEq)]
pub struct StepAboveStableStep {
    /// The step \[s\].
    pub step: f64,
    /// The largest step at which no spring, element or normal force makes the motion linearised at the start grow \[s\].
    pub limit: f64,
    /// The same with friction \[s\].
    pub with_friction: f64,
    /// The force that sets it.
    pub culprit: Culprit,
}

impl StepAboveStableStep {
    /// Compares a step with the largest stable one of a method at a state; `None` where it is smaller, where
    /// friction sets the limit, which has a watch of its own, and without a spectrum.
    pub fn find(
        method: &Capabilities,
        model: &Model,
        state: &State,
        step: f64,
    ) -> Option<StepAboveStableStep> {
        let spectrum = Linearised::at(model, state).spectrum();
        let above: Vec<(f64, &Mode)> =
            limits(method, &spectrum).filter(|(limit, _)| *limit < step).collect();
        let with_friction = above.iter().map(|(limit, _)| *limit).reduce(smaller)?;
        let others = above.iter().filter_map(|(limit, mode)| {
            let culprit = culprit(model, state, mode)?;
            (!matches!(culprit, Culprit::Friction(_))).then_some((*limit, culprit))
        });
        let (limit, culprit) = others.reduce(|a, b| if b.0 < a.0 { b } else { a })?;
        let known = with_friction > 0.0;
        known.then_some(StepAboveStableStep { step, limit, with_friction, culprit })
    }
}

/// See [`StepAboveStableStep`].
pub(crate) static STEP_ABOVE_STABLE_STEP: FaultKind = FaultKind::forecast(
    "step-above-stable-step",
    "Under the method a motion of the scene linearised at its start grows at this step, by a spring, an elastic element or the normal force of a contact, until slip, loss of contact or an explosion bounds it. It is asked of small scenes that are not trusted for another reason; `stiction stiffness SCENE` has the limits of all methods.",
);

impl Fault for StepAboveStableStep {
    fn kind(&self) -> &'static FaultKind {
        &STEP_ABOVE_STABLE_STEP
    }

    fn describe(&self, model: &Model) -> String {
        let soft = if matches!(self.culprit, Culprit::Element(..)) { "material" } else { "spring" };
        format!(
            "the step is above the largest stable one of the start: {} s is {} times {} s, which the {} sets. Use a step of at most {} s, a softer {soft} or contact, or an implicit or adaptive method",
            number(self.step),
            number(self.step / self.limit),
            at_most(self.limit),
            self.culprit.describe(model),
            at_most(self.with_friction)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::Step(0.5 * self.with_friction)
    }
}

/// The largest step at which no mode grows faster than it does by itself \[s\], and the limiting mode.
/// `None`: no limit; a step of zero: unstable at any step.
pub fn largest_stable_step<'a>(
    method: &Capabilities,
    spectrum: &'a Spectrum,
) -> Option<(f64, &'a Mode)> {
    limits(method, spectrum).reduce(|a, b| if b.0 < a.0 { b } else { a })
}

/// The limits of all modes that have one.
fn limits<'a>(
    method: &Capabilities,
    spectrum: &'a Spectrum,
) -> impl Iterator<Item = (f64, &'a Mode)> {
    // modes far slower than the fastest are rounding errors
    let slowest = SLOW * spectrum.radius();
    let modes = spectrum.modes.iter().filter(move |mode| mode.value.norm_sqr() > slowest * slowest);
    modes.filter_map(move |mode| Some((limit(method, mode)?, mode)))
}

fn limit(method: &Capabilities, mode: &Mode) -> Option<f64> {
    let region = &method.region;
    let in_turn = matches!(region, Region::InTurn(_));
    let rate = sqrt(mode.value.norm_sqr());
    let (lambda, omega) = in_turn_rates(mode);
    // of two real modes of one shape only the faster limits the step
    let slower = mode.value.im == 0.0 && rate < 0.5 * lambda;
    let holds = |h: f64| {
        let growth = match region {
            _ if in_turn => region.growth(h * lambda, h * omega),
            _ => region.growth_at(mode.value * h),
        };
        growth <= larger(1.0, exp(h * mode.value.re)) + ROUNDING
    };
    if rate == 0.0 || matches!(region, Region::Everywhere) || (in_turn && slower) {
        return None;
    }
    let undamped = mode.value.im != 0.0 && mode.value.re.abs() < UNDAMPED * rate;
    let mut size = SEARCH.0;
    if (undamped && method.oscillation_limit == Some(0.0)) || !holds(size / rate) {
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

/// λ and ω of the oscillator ẍ = −λ ẋ − ω² x of a mode: exact for a complex pair; for a real mode the
/// rates of its shape if μ² + λ μ + ω² ≈ 0, as where K and D are symmetric, else λ = −μ.
fn in_turn_rates(mode: &Mode) -> (f64, f64) {
    let (mu, lambda, omega) = (mode.value.re, mode.damping_rate, mode.frequency);
    if mode.value.im != 0.0 {
        return (-2.0 * mu, sqrt(mode.value.norm_sqr()));
    }
    let left = mu * mu + lambda * mu + omega * omega;
    if left.abs() < 0.01 * mu * mu { (lambda, omega) } else { (-mu, 0.0) }
}

/// The force with the largest work in a mode's motion.
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
    /// Elastic elements with an edge between two particles.
    Element(usize, usize),
    /// A load that depends on position or velocity, such as drag, at this particle.
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
            Culprit::Spring(i, j) | Culprit::Element(i, j) => {
                let part =
                    if matches!(self, Culprit::Spring(..)) { "spring" } else { "elastic element" };
                match model.bodies.iter().find(|b| b.particles.contains(i)) {
                    Some(body) if body.particles.contains(j) => {
                        let [i, j] = [i, j].map(|end| end - body.particles.start);
                        format!("{part} from particle {i} to {j} of `{}`", body.name)
                    }
                    _ => format!("{part} from {} to {}", name(i), name(j)),
                }
            }
            Culprit::Load(i) => format!("a load on {}", name(i)),
        }
    }

    /// One word, for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Culprit::Friction(_) => "friction",
            Culprit::NormalContact(_) => "normal-contact",
            Culprit::Bodies(..) => "body-contact",
            Culprit::Spring(..) => "spring",
            Culprit::Element(..) => "element",
            Culprit::Load(_) => "load",
        }
    }
}

/// Work of a mode's motion, block by block: |μ| uᴴ D u + uᴴ K u of every pair and of every single
/// particle.
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

    /// Sum of the work of single particles, their motion projected by `keep`, and the particle with the
    /// largest.
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
            // the motion of a pair is the difference of its ends
            let (a, b) = (&self.mode.shape[i], &self.mode.shape[j]);
            let work: f64 =
                a.iter().zip(b).map(|(a, b)| (a - b).dot(&(block * (a - b))).abs()).sum();
            *self.pairs.entry((i.min(j), i.max(j))).or_insert(0.0) += work;
        }
    }
}

/// The contact with the largest normal force on a particle.
pub fn hardest(state: &State, particle: usize) -> Option<&Contact> {
    let on = |c: &&Contact| c.ends.iter().any(|(i, share)| i == particle && share != 0.0);
    let contacts = state.memory.contacts.iter().filter(on);
    contacts.reduce(|a, b| if b.normal_force > a.normal_force { b } else { a })
}

/// The normal of that contact, if it is with a collider.
fn normal(state: &State, particle: usize) -> Option<Vector> {
    hardest(state, particle)
        .filter(|contact| contact.key.collider().is_some())
        .map(|contact| contact.normal)
}

/// The force that limits a mode, the one with the largest work in its motion, and its place.
pub fn culprit(model: &Model, state: &State, mode: &Mode) -> Option<Culprit> {
    let at = state.configuration();
    let mut found: Vec<(f64, Option<Culprit>)> = Vec::new();
    let mut springs = Work::of(mode);
    model.springs.add_jacobian(&at, &mut springs);
    let (work, pair) = springs.pair();
    found.push((work, pair.map(|(i, j)| Culprit::Spring(i, j))));
    let mut elements = Work::of(mode);
    model.elements.add_jacobian(&at, &mut elements);
    let (work, pair) = elements.pair();
    found.push((work, pair.map(|(i, j)| Culprit::Element(i, j))));
    let mut contact = Work::of(mode);
    if let Some(force) = model.contact_force() {
        force.add_jacobian(&at, &mut contact);
    }
    for touching in &state.memory.contacts {
        steepen(model, touching, &mut contact);
    }
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
