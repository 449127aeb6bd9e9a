//! The friction limit of a step. Above it friction does not explode, since it is bounded by μN: the
//! velocity chatters, or settles on a wrong constant, and the body creeps. So the step is compared with
//! each particle's own friction rate λ = |∂F/∂v|/m = μ_s N/(m ε), and with the frequency ω = √(k/m) of a
//! law with stretch. For rigid bodies as a whole see `rigid_rates.rs`.

use super::passing_impacts::PassingImpacts;
use super::rigid_rates::RigidRates;
use super::watch::{Cure, Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::contact::friction::{FrictionLaw, Slip};
use crate::integrators::Capabilities;
use crate::math::{
    Matrix, Vector, at_most, bisect, larger, number, smaller, sqrt, tangent_projector,
};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Coefficients, Contact, ContactKey};
use serde::{Deserialize, Serialize};

/// Slip after one step, as a share of the threshold ε, that counts; a smaller one changes creep by less
/// than this.
const NEGLIGIBLE: f64 = 1e-3;

/// This many contacts above the limit do no harm where μ_s = μ_k: a start may pass through them.
const FEWEST: u64 = 16;

/// A particle whose friction the step cannot resolve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AboveLimit {
    /// The particle.
    pub particle: usize,
    /// h λ.
    pub hlambda: f64,
    /// h ω of the law's stretch; zero for laws without.
    pub homega: f64,
    /// The method's limit of h λ at ω = 0, if it has one.
    pub limit: Option<f64>,
    /// The largest step its friction allows \[s\].
    pub largest_step: f64,
    /// When it began \[s\].
    pub time: f64,
    /// Number of accepted contacts above the limit.
    pub particle_steps: u64,
}

/// Watches h λ of every contact at accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct FrictionLimit {
    /// Largest h λ since [`Self::take_largest`] was last called.
    largest: f64,
    latest: f64,
    /// The worst violation so far.
    pub worst: Option<AboveLimit>,
    /// whether one violation decides over stick or slip
    decisive: bool,
    passing: PassingImpacts<AboveLimit>,
    /// contacts above the limit at the last observed state
    above: Vec<ContactKey>,
    rates: Rates,
    /// the law's threshold \[m/s\] and whether it can rest, once asked: some laws must search
    #[serde(skip)]
    rest: Option<(f64, bool)>,
}

/// Friction rate λ of each particle through all its contacts together.
///
/// If the particles of a contact have no other contact, λ = damping × inverse mass is exact. Otherwise
/// the row sums of the damping matrix bound λ: each contact adds |c_i| Σ_j |c_j| (1 − n nᵀ) times its
/// damping to the row of particle i, and λ is the largest eigenvalue of this sum over m_i. Particles of
/// rigid bodies are not in `loads`; `rigid` has the rates of their bodies.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Rates {
    /// place of each particle in `loads`; [`FREE`] without contact
    slots: Vec<u32>,
    loads: Vec<ParticleLoad>,
    stiffness: f64,
    rigid: RigidRates,
    /// every contact of the last state is the only one of its particles, and none is of a rigid body
    #[serde(skip)]
    alone: bool,
}

/// The contacts of one particle.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ParticleLoad {
    particle: usize,
    contacts: u32,
    damping: Matrix,
    planes: Matrix,
    /// λ \[1/s\] and k/m \[1/s²\]
    rate: f64,
    stiffness: f64,
}

const FREE: u32 = u32::MAX;

impl Rates {
    fn gather(&mut self, model: &Model, state: &State) {
        let (inverse_masses, contacts) = (&model.surfaces.inverse_masses, &state.memory.contacts);
        for load in self.loads.drain(..) {
            self.slots[load.particle] = FREE;
        }
        self.slots.resize(inverse_masses.len(), FREE);
        self.stiffness = model.friction().stiffness();
        self.rigid.gather(model, state, self.stiffness);
        let mut shared = false;
        let ends = contacts.iter().flat_map(|contact| contact.ends.iter());
        for (particle, _) in ends.filter(|(i, _)| model.rigid_of(*i).is_none()) {
            if self.slots[particle] == FREE {
                self.slots[particle] = self.loads.len() as u32;
                self.loads.push(ParticleLoad {
                    particle,
                    contacts: 0,
                    damping: Matrix::zeros(),
                    planes: Matrix::zeros(),
                    rate: 0.0,
                    stiffness: 0.0,
                });
            }
            let load = &mut self.loads[self.slots[particle] as usize];
            load.contacts += 1;
            shared |= load.contacts > 1;
        }
        if shared {
            self.add_up(contacts, inverse_masses);
        }
        self.alone = !shared && model.rigid.is_empty();
    }

    fn add_up(&mut self, contacts: &[Contact], inverse_masses: &[f64]) {
        for (number, contact) in contacts.iter().enumerate() {
            let moving = |(i, _): &(usize, f64)| inverse_masses[*i] > 0.0 && self.slots[*i] != FREE;
            let whole: f64 = contact.ends.iter().filter(moving).map(|(_, c)| c.abs()).sum();
            let whole = whole * self.rigid.soft_factor(number);
            let plane = tangent_projector(contact.normal);
            for (i, c) in contact.ends.iter().filter(|(i, _)| self.slots[*i] != FREE) {
                let load = &mut self.loads[self.slots[i] as usize];
                load.damping += plane * (c.abs() * whole * contact.damping);
                load.planes += plane * (c.abs() * whole);
            }
        }
        let largest = |m: &Matrix| m.symmetric_eigenvalues().amax();
        for load in self.loads.iter_mut().filter(|load| load.contacts > 1) {
            let inverse_mass = inverse_masses[load.particle];
            load.rate = inverse_mass * largest(&load.damping);
            if self.stiffness > 0.0 {
                load.stiffness = inverse_mass * self.stiffness * largest(&load.planes);
            }
        }
    }

    /// The worst end of a contact, with its λ \[1/s\] and k/m \[1/s²\].
    fn of(&self, model: &Model, contact: &Contact) -> (usize, f64, f64) {
        let inverse_mass = contact.inverse_mass;
        if self.alone {
            let stiffness = self.stiffness * inverse_mass;
            return (contact.particle(), contact.damping * inverse_mass, stiffness);
        }
        let (rate, stiffness) = self
            .rigid
            .of(model, contact)
            .unwrap_or((contact.damping * inverse_mass, self.stiffness * inverse_mass));
        let alone = (contact.particle(), rate, stiffness);
        let slots = contact.ends.iter().map(|(i, _)| self.slots[i]).filter(|slot| *slot != FREE);
        let loads = slots.map(|slot| &self.loads[slot as usize]);
        loads.filter(|load| load.contacts > 1).fold(alone, |(i, rate, stiffness), load| {
            let stiffness = larger(stiffness, load.stiffness);
            if load.rate > rate {
                (load.particle, load.rate, stiffness)
            } else {
                (i, rate, stiffness)
            }
        })
    }
}

impl AboveLimit {
    /// Both together: the worse of the two, with the steps of both.
    pub(super) fn add(&mut self, other: &AboveLimit) {
        let worse = other.hlambda + other.homega > self.hlambda + self.homega;
        let time = smaller(self.time, other.time);
        let particle_steps = self.particle_steps + other.particle_steps;
        *self = AboveLimit { time, particle_steps, ..if worse { *other } else { *self } };
    }
}

fn add(worst: &mut Option<AboveLimit>, found: &AboveLimit) {
    match worst {
        Some(worst) => worst.add(found),
        None => *worst = Some(*found),
    }
}

impl FrictionLimit {
    /// Checks the contacts of an accepted state for steps of `h` \[s\].
    ///
    /// A contact counts if the method is unstable for its λ and ω and all of these hold:
    ///
    /// * Its slip is within reach of stick: at most ε plus the change 2 h F/m in one step by friction F
    ///   and an equal load.
    /// * Its slip s is more than a thousandth of ε after one step, by the leading term s (hλ)ᵖ/p! of
    ///   the method; for a law without ε any slip counts.
    /// * A particle of it can move.
    /// * It is no impact that has settled before it opens: see `passing_impacts.rs`.
    ///
    /// A large step does not harm a fast slide, only its stop. Where μ_s > μ_k one such step is enough:
    /// it decides whether the body holds. A slip on a part of the ramp flat enough for the step does not
    /// count; if it leaves that part, it counts there, or [`super::stick`] finds it.
    fn look(
        &mut self,
        model: &Model,
        state: &State,
        method: &Capabilities,
        h: f64,
        same_contacts: bool,
    ) {
        let law = model.friction();
        let ask = || (law.threshold(), law.can_rest());
        let (epsilon, can_rest) = *self.rest.get_or_insert_with(ask);
        // the rates of single contacts are their own
        if !(same_contacts && self.rates.alone) {
            self.rates.gather(model, state);
        }
        self.latest = 0.0;
        self.above.clear();
        let worst = &mut self.worst;
        self.passing.advance(&state.memory.contacts, h, |found| add(worst, found));
        for contact in &state.memory.contacts {
            let (i, rate, stiffness) = self.rates.of(model, contact);
            let hlambda = h * rate;
            self.latest = larger(self.latest, hlambda);
            let homega = if stiffness > 0.0 { h * sqrt(stiffness) } else { 0.0 };
            // a law without threshold or stretch cannot rest: a slip that one step can reverse keeps
            // reversing
            if method.holds(hlambda, homega) && can_rest {
                continue;
            }
            let slip = contact.slip.norm();
            // below ε only the slope at this slip counts
            if slip < epsilon && method.holds(hlambda * flatness(contact, law), homega) {
                continue;
            }
            // slip on a rigid body changes by all its contacts: the inverse mass is λ/damping
            let rigid = self.rates.rigid.of(model, contact).filter(|_| contact.damping > 0.0);
            let inverse_mass =
                rigid.map_or(contact.inverse_mass, |(rate, _)| rate / contact.damping);
            let reach = epsilon + 2.0 * h * contact.friction.norm() * inverse_mass;
            let held = contact.ends.iter().all(|(i, _)| model.inverse_masses[i] == Vector::zeros());
            // a law without threshold has no scale of slip: any slip counts
            let matters = match epsilon {
                0.0 => slip > 0.0,
                _ => slip * method.leading_term(hlambda) > NEGLIGIBLE * epsilon,
            };
            if slip <= reach && matters && !held {
                let found = AboveLimit {
                    particle: i,
                    hlambda,
                    homega,
                    limit: method.decay_limit,
                    largest_step: h * largest_share(method, hlambda, homega),
                    time: state.time,
                    particle_steps: 1,
                };
                self.enter(contact, (model, state), found);
            }
        }
        self.largest = larger(self.largest, self.latest);
    }

    /// Enters a contact above the limit. Where μ_s = μ_k it may turn out to be a passing impact.
    fn enter(&mut self, contact: &Contact, at: (&Model, &State), found: AboveLimit) {
        self.above.push(contact.key);
        let Coefficients { static_friction, kinetic_friction } = contact.pair;
        if static_friction > kinetic_friction {
            self.decisive = true;
            add(&mut self.worst, &found);
        } else {
            self.passing.add(contact, at, found, AboveLimit::add);
        }
    }

    /// The contacts above the limit at the last observed state, ascending.
    pub fn above(&self) -> &[ContactKey] {
        &self.above
    }

    /// The largest h λ at the last observed state.
    pub fn latest(&self) -> f64 {
        self.latest
    }

    /// The worst violation, if it matters: where μ_s > μ_k a single one can end stick for good,
    /// otherwise more than `FEWEST` are needed.
    fn found(&self) -> Option<AboveLimit> {
        let mut worst = self.worst;
        self.passing.unended().for_each(|found| add(&mut worst, found));
        worst.filter(|worst| self.decisive || worst.particle_steps > FEWEST)
    }

    /// The largest h λ since the last call.
    pub fn take_largest(&mut self) -> f64 {
        std::mem::take(&mut self.largest)
    }
}

/// The law's slope at this slip over its steepest; 1 for a law with stretch.
fn flatness(contact: &Contact, law: &dyn FrictionLaw) -> f64 {
    let slip = contact.slip.norm();
    if law.has_memory() || slip == 0.0 || contact.damping <= 0.0 {
        return 1.0;
    }
    // away from the kinks of anisotropy: the law's own slope at this speed
    let along = Vector::new(slip, 0.0, 0.0);
    let normal_force = contact.normal_force;
    let seen = Slip { velocity: along, normal_force, ..Slip::default() };
    let slope = law.derivative(&seen, &contact.pair).by_velocity[(0, 0)].abs();
    slope / larger(law.damping(&seen, &contact.pair), f64::MIN_POSITIVE)
}

/// The largest share of the step at which the method is stable.
fn largest_share(method: &Capabilities, hlambda: f64, homega: f64) -> f64 {
    bisect(0.0, 1.0, |share| method.holds(share * hlambda, share * homega))
}

impl Watch for FrictionLimit {
    const SEES_CONTACTS_ALONE: bool = true;

    fn start(start: &Start) -> Self {
        let mut watch = FrictionLimit::default();
        // an adaptive method has not chosen its substep yet
        if !start.method.adaptive {
            watch.look(start.model, start.state, start.method, start.dt, false);
        }
        watch
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let Rates { slots, loads, .. } = &record.rates;
        let placed = |(i, slot): (usize, &u32)| {
            *slot == FREE || loads.get(*slot as usize).is_some_and(|load| load.particle == i)
        };
        record
            .worst
            .iter()
            .chain(record.passing.unended())
            .all(|found| found.particle < model.particles())
            && loads.iter().all(|load| load.particle < slots.len())
            && slots.iter().enumerate().all(placed)
    }

    fn observe(&mut self, step: &Observation) {
        let substep = step.taken.h / step.report.substeps as f64;
        self.look(step.model, step.state, step.method, substep, step.same_contacts);
    }

    fn add_reasons(&self, run: &RunSoFar, reasons: &mut Vec<Reason>) {
        let can_rest = run.model.friction().can_rest();
        reasons.extend(self.found().map(|worst| match can_rest {
            true => Reason::from(worst),
            false => Reason::from(NothingToRestOn(worst)),
        }));
    }
}

/// The law has neither threshold nor stretch, and a contact that should hold reverses with every step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NothingToRestOn(pub AboveLimit);

/// Whether friction without a state of rest was found, against which no step helps.
pub fn chatters(reasons: &[Reason]) -> bool {
    reasons.iter().any(|reason| reason.numbers::<NothingToRestOn>().is_some())
}

/// See [`AboveLimit`].
pub(crate) static STEP_ABOVE_FRICTION_LIMIT: FaultKind = FaultKind::forecast(
    "step-above-friction-limit",
    "In stick, friction is a damper of rate λ = μ_s N/(m ε) on one particle (and a law with stretch a spring of frequency ω = √(k/m)). An explicit method is stable for it only below its limit of h λ. Above, friction does not explode, since it is bounded by μN: the velocity chatters, or settles on a wrong constant. The contact named was within reach of sticking, and one step made more than a thousandth of ε of its slip.",
);

impl Fault for AboveLimit {
    fn kind(&self) -> &'static FaultKind {
        &STEP_ABOVE_FRICTION_LIMIT
    }

    fn describe(&self, model: &Model) -> String {
        let a = self;
        format!(
            "the step is above the friction limit: h λ = {}{} at {}{}, first at t = {:.4} s ({} contacts in all); friction then chatters or settles on a wrong speed without exploding. Use a step of at most {} s, a softer law (larger epsilon, smaller stiffness), or an implicit or adaptive method",
            number(a.hlambda),
            if a.homega > 0.0 { format!(", h ω = {}", number(a.homega)) } else { String::new() },
            model.particle_name(a.particle),
            a.limit.map_or(String::new(), |limit| format!(", limit {limit:.3}")),
            a.time,
            a.particle_steps,
            at_most(a.largest_step)
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::Step(self.largest_step)
    }
}

/// See [`NothingToRestOn`].
pub static CHATTER: FaultKind = FaultKind::symptom(
    "chatter",
    "The slip of a contact that should hold reverses with every step and does not calm down. Either the friction law has neither threshold nor stretch, so that there is nothing to rest on at any step; or the step is too large for its friction. Use a law that can rest, or a smaller step.",
);

impl Fault for NothingToRestOn {
    fn kind(&self) -> &'static FaultKind {
        &CHATTER
    }

    fn describe(&self, model: &Model) -> String {
        let a = &self.0;
        format!(
            "friction chatters: this law has no threshold and no stretch, so a contact that should hold reverses with every step, whatever the step: {} at t = {:.4} s, {} times in all. Use threshold, quadratic or cundall-strack",
            model.particle_name(a.particle),
            a.time,
            a.particle_steps
        )
    }

    fn cure(&self, _: f64) -> Cure {
        Cure::NoStep
    }
}
