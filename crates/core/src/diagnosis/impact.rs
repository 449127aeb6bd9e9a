//! Impacts that the step does not resolve. A contact that begins or ends inside a step is seen by the
//! method only at the step's ends. So the impulse, and with it the rebound, is wrong by up to h/2 times
//! the jump of the force, whatever the order of the method.

use super::error_bar::MOST_ORDER;
use super::jumped_ramps::{JumpedRamps, Slide};
use super::rigid_blows::Blows;
use super::thresholds::SETTLING;
use super::watch::{Fault, FaultKind, Observation, Reason, RunSoFar, Start, Watch};
use crate::integrators::Capabilities;
use crate::integrators::region::Region;
use crate::math::{Vector, exp, larger, log, number, smaller, sqrt};
use crate::model::Model;
use crate::state::State;
use crate::state::memory::{Contact, ContactKey};
use serde::{Deserialize, Serialize};

/// Tolerated error of a rebound, as a share of the approach speed.
const TOLERANCE: f64 = 0.1;

/// Tolerated error of all impacts together, as a share of the largest kinetic energy so far.
const SPOILT: f64 = 0.05;

/// Accepted steps of a contact below which it is not resolved, by a method of order one (backward Euler
/// loses about π h ω/2 of the rebound) and by others.
const FEW: [u64; 2] = [40, 4];

/// Logarithm of the factor by which a method may change the amplitude of a contact's oscillation during
/// one impact. Beyond it, an error of the rebound counts that is above half this share of the approach
/// speed: a strongly damped contact returns next to nothing.
const GROWTH: f64 = 0.05;

/// An impact the step does not resolve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Unresolved {
    /// The first particle of the contact.
    pub particle: usize,
    /// Approach speed \[m/s\].
    pub speed: f64,
    /// Possible error of the speed after it \[m/s\].
    pub error: f64,
    /// When \[s\].
    pub time: f64,
    /// Number of unresolved impacts.
    pub count: u64,
}

/// Memory of one contact.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct ImpactTouch {
    key: ContactKey,
    sticking: bool,
    /// \[m/s\]
    slip: Vector,
    /// what it did in the last step
    slides: Slide,
    /// accepted steps since it began
    age: u64,
    /// the impact and its energy \[J\]; none for contacts of the start, or slow ones
    impact: Option<(Unresolved, f64)>,
    /// change of velocity along its normal by normal forces so far \[m/s\]
    turned: f64,
    /// logarithm of (amplitude of its oscillation under the method)/(exact amplitude)
    growth: f64,
    /// logarithm of (exact amplitude)/(first amplitude)
    decay: f64,
}

impl ImpactTouch {
    /// Lasts one more step; returns 1 if it turned from stick to slip or back, else 0.
    fn last(&mut self, contact: &Contact) -> u64 {
        self.age += u64::from(self.impact.is_some());
        u64::from(self.sticking != contact.sticking)
    }

    /// Slip, stick, and the last step, before this one.
    fn slip(&self) -> (Vector, bool, Slide) {
        (self.slip, self.sticking, self.slides)
    }

    /// Is this contact at the end of the step.
    fn become_contact(&mut self, contact: &Contact) {
        (self.key, self.sticking, self.slip) = (contact.key, contact.sticking, contact.slip);
    }

    /// Adds a step with the acceleration `along` by normal forces \[m/s²\].
    fn turn(
        &mut self,
        model: &Model,
        contact: &Contact,
        along: f64,
        h: f64,
        method: &Capabilities,
    ) {
        self.turned += h * along;
        if let Some((impact, _)) = self.impact
            && self.turned <= 2.0 * impact.speed
        {
            let (growth, decay) = growth(model, contact, along, h, method);
            self.growth += growth;
            self.decay += decay;
        }
    }
}

/// Watches contacts that begin between accepted states.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Impacts {
    /// The worst so far, by its error over the approach speed.
    pub worst: Option<Unresolved>,
    /// Contacts that began, ended, or changed between stick and slip inside a step.
    pub events: Events,
    /// Ramps of friction that steps jumped over.
    pub ramps: JumpedRamps,
    before: Vec<ImpactTouch>,
    now: Vec<ImpactTouch>,
    largest_kinetic: f64,
    spoilt: f64,
    /// of all contacts, and of those that began in the step
    blows: [Blows; 2],
}

/// Events inside steps so far. Across each a method without event location is of order one or two,
/// whatever its own order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Events {
    /// Contacts that began.
    pub closed: u64,
    /// Contacts that ended.
    pub opened: u64,
    /// Contacts that went from stick to slip or back.
    pub turned: u64,
}

impl Events {
    /// Number of all events.
    pub fn total(&self) -> u64 {
        self.closed + self.opened + self.turned
    }

    /// The highest order by which an error may be extrapolated to smaller steps: 1 once a contact began inside a
    /// step. A damped one begins with a jump of its force, at a place in the step that is chance; whether it is
    /// damped is not asked.
    pub fn most_order(&self) -> f64 {
        if self.closed > 0 { 1.0 } else { MOST_ORDER }
    }
}

impl Impacts {
    /// Checks the next accepted state, `h` \[s\] later, under this method, with the kinetic energy
    /// `kinetic` \[J\]. Impacts slower than a few steps of free fall do not count.
    fn look(&mut self, model: &Model, state: &State, h: f64, method: &Capabilities, kinetic: f64) {
        let order = method.order;
        self.largest_kinetic = larger(self.largest_kinetic, kinetic);
        let contacts = &state.memory.contacts;
        if contacts.is_empty() && self.before.is_empty() {
            return;
        }
        let is_same = |(before, contact): (&ImpactTouch, &Contact)| before.key == contact.key;
        if self.before.len() == contacts.len() && self.before.iter().zip(contacts).all(is_same) {
            return self.look_at_the_same(model, state, h, method);
        }
        let (slow, step) = (SETTLING * model.gravity.norm() * h, (h, method.adaptive));
        let known = |contact: &Contact| {
            self.before.binary_search_by(|before| before.key.cmp(&contact.key)).is_ok()
        };
        let [all, new] = &mut self.blows;
        all.gather(model, state, |_| true);
        new.gather(model, state, |contact| !known(contact));
        let mut before = std::mem::take(&mut self.before);
        let mut old = before.iter_mut().peekable();
        for contact in contacts {
            while let Some(gone) = old.next_if(|before| before.key < contact.key) {
                self.opens(gone, order);
            }
            let mut touching = match old.next_if(|before| before.key == contact.key) {
                Some(touching) => {
                    self.events.turned += touching.last(contact);
                    touching.slides =
                        self.ramps.look((model, state), contact, touching.slip(), step);
                    *touching
                }
                None => {
                    self.events.closed += 1;
                    if contact.sticking {
                        self.ramps.hold(model, contact, state.time);
                    }
                    let jump = h * self.blows[1].along(model, state, contact);
                    let impact = impact(contact, state, larger(jump, 0.0), h);
                    let matters = impact.0.speed > slow;
                    ImpactTouch { impact: matters.then_some(impact), ..ImpactTouch::default() }
                }
            };
            touching.become_contact(contact);
            touching.turn(model, contact, self.blows[0].along(model, state, contact), h, method);
            self.now.push(touching);
        }
        for gone in old {
            self.opens(gone, order);
        }
        std::mem::swap(&mut self.before, &mut self.now);
        before.clear();
        self.now = before;
        for k in 0..self.before.len() {
            if let ImpactTouch { age: 0, impact: Some((impact, energy)), .. } = self.before[k]
                && impact.error > TOLERANCE * impact.speed
            {
                self.note(impact, energy);
            }
        }
    }

    /// The same where no contact began or ended.
    fn look_at_the_same(&mut self, model: &Model, state: &State, h: f64, method: &Capabilities) {
        let [blows, _] = &mut self.blows;
        blows.gather(model, state, |_| true);
        for (touching, contact) in self.before.iter_mut().zip(&state.memory.contacts) {
            self.events.turned += touching.last(contact);
            let step = (h, method.adaptive);
            touching.slides = self.ramps.look((model, state), contact, touching.slip(), step);
            touching.become_contact(contact);
            touching.turn(model, contact, blows.along(model, state, contact), h, method);
        }
    }

    /// Ends a contact. One that reversed the velocity was not resolved if it took only a few steps, or
    /// if the method changed the amplitude of its oscillation too much.
    fn opens(&mut self, gone: &ImpactTouch, order: u32) {
        self.events.opened += 1;
        // the speed of a rebound is an amplitude of the contact's oscillation
        if let Some((impact, energy)) = gone.impact
            && gone.turned > impact.speed
            && gone.growth.abs() > GROWTH
        {
            let error = (1.0 - exp(-gone.growth.abs())) * exp(gone.decay) * impact.speed;
            if error > 0.5 * GROWTH * impact.speed {
                let found = Unresolved { error: larger(error, impact.error), ..impact };
                self.note(found, energy);
                return;
            }
        }
        if let Some((impact, energy)) = gone.impact
            && gone.age < FEW[usize::from(order > 1)]
            && gone.turned > impact.speed
            && impact.error <= TOLERANCE * impact.speed
        {
            let error = gone.turned / gone.age.max(1) as f64;
            self.note(Unresolved { error, ..impact }, energy);
        }
    }

    fn note(&mut self, impact: Unresolved, energy: f64) {
        // the relative error of an energy is twice that of its speed
        self.spoilt += energy * smaller(2.0 * impact.error / impact.speed, 1.0);
        let worst = self.worst.get_or_insert(impact);
        let count = worst.count + 1;
        if impact.error / impact.speed > worst.error / worst.speed {
            *worst = impact;
        }
        worst.count = count;
    }

    /// The worst unresolved impact, if the energy error of all together is large enough.
    fn verdict(&self) -> Option<Unresolved> {
        self.worst.filter(|_| self.spoilt > SPOILT * self.largest_kinetic)
    }
}

/// The impact of a contact that began within the last step, and its energy \[J\].
///
/// The normal force N appeared somewhere in the step, so the impulse of the step may be anything up to h
/// N: the velocity is wrong by up to half of the `jump` h N/m.
fn impact(contact: &Contact, state: &State, jump: f64, h: f64) -> (Unresolved, f64) {
    let speed = contact.closing(&state.velocities).abs() + jump;
    let impact = Unresolved {
        particle: contact.particle(),
        speed,
        error: 0.5 * jump,
        time: state.time,
        count: 0,
    };
    // the mass that this force has moved is h N/jump
    let force = h * contact.normal_force;
    let energy = if jump > 0.0 { 0.5 * speed * speed * force / jump } else { 0.0 };
    (impact, energy)
}

/// Logarithm of the factor of one step on the amplitude of a contact's oscillation, less its exact value
/// −λ h/2; and that exact value. ẍ = −λ ẋ − ω² x with ω² = k/m, λ = c/m and 1/m = `along`/N, `along` the
/// acceleration by all contacts. Explicit Euler adds (h ω)²/2 a step. Zero where the contact does not
/// oscillate, and for methods stable at every step, which err in other ways.
fn growth(
    model: &Model,
    contact: &Contact,
    along: f64,
    h: f64,
    method: &Capabilities,
) -> (f64, f64) {
    let Some(laws) = &model.laws else { return (0.0, 0.0) };
    if contact.normal_force <= 0.0 || matches!(method.region, Region::Everywhere) {
        return (0.0, 0.0);
    }
    let inverse_mass = along / contact.normal_force;
    let (stiffness, damping) = laws.normal.derivative(contact.depth, 0.0, contact.normal_damping);
    let (squared, rate) = (stiffness * inverse_mass, damping * inverse_mass);
    if squared <= 0.25 * rate * rate {
        return (0.0, 0.0);
    }
    let decay = -0.5 * h * rate;
    (log(method.region.growth(h * rate, h * sqrt(squared))) - decay, decay)
}

impl Watch for Impacts {
    /// Contacts of the start have no impact.
    fn start(start: &Start) -> Self {
        let touching = |contact: &Contact| {
            let mut touching = ImpactTouch { slides: Slide::Steadily, ..ImpactTouch::default() };
            touching.become_contact(contact);
            touching
        };
        let before = start.state.memory.contacts.iter().map(touching).collect();
        Impacts { before, ..Impacts::default() }
    }

    fn fits(&self, record: &Self, model: &Model) -> bool {
        let touching = record.before.iter().chain(&record.now);
        let impacts = touching.filter_map(|touch| touch.impact.as_ref().map(|(found, _)| found));
        record.worst.iter().chain(impacts).all(|found| found.particle < model.particles())
    }

    /// Skips methods that end a substep where a contact begins, and contacts that jump velocities, which
    /// have no forces.
    fn observe(&mut self, step: &Observation) {
        let Observation { model, state, method, .. } = *step;
        if !method.adaptive && step.report.events == 0 && model.laws.is_some() {
            self.look(model, state, step.taken.h, method, step.kinetic);
        }
    }

    fn add_reasons(&self, _run: &RunSoFar, reasons: &mut Vec<Reason>) {
        reasons.extend(self.verdict().map(Reason::from));
    }
}

/// See [`Unresolved`].
pub(crate) static IMPACT_UNRESOLVED: FaultKind = FaultKind::forecast(
    "impact-unresolved",
    "A contact that begins inside a step is known to the method only at the step's ends, whatever its order: the impulse may be wrong by half of h N. Where that is more than a tenth of the approach speed, and all such impacts together spoil more than a twentieth of the largest kinetic energy, what happens from then on cannot be trusted. So it is for a contact that turns a particle back within a few steps, and for a method that makes the oscillation of the contact grow or fade by more than 5 % while it turns something back, as explicit Euler does by (h ω)²/2 a step. Resting contacts and weak impacts do not count.",
);

impl Fault for Unresolved {
    fn kind(&self) -> &'static FaultKind {
        &IMPACT_UNRESOLVED
    }

    fn describe(&self, model: &Model) -> String {
        let u = self;
        format!(
            "an impact is not resolved by the step: {} met what it hit at {} m/s at t = {:.4} s, and the speed after it may be wrong by {} m/s ({:.0} %; {} such impacts). Use a smaller step, a softer contact, or an adaptive method",
            model.particle_name(u.particle),
            number(u.speed),
            u.time,
            number(u.error),
            100.0 * u.error / u.speed,
            u.count
        )
    }
}
