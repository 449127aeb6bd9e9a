//! The trust verdict: every run ends trusted, or with a list of what is wrong, in numbers.

use super::audit::Audit;
use super::curve::{Curves, Fault};
use super::friction_limit::{AboveLimit, FrictionLimit};
use super::impact::{Impacts, Unresolved};
use super::offset::{OffItsPath, Offset};
use super::passivity::{Created, Passivity};
use super::penetration::{Penetration, TooDeep};
use super::stick::Stick;
use super::wrongs::Found;
use crate::model::Model;
use crate::state::State;

/// Share of the energy turnover that a method may create.
const CREATED: f64 = 0.05;

/// Share of the energy turnover that a method may lose: numerical damping changes how a scene gets
/// to rest, not where, so more of it is let pass.
const LOST: f64 = 0.25;

/// Share of the energy turnover that may be in doubt because powers change faster than the steps.
const IN_DOUBT: f64 = 0.3;

/// Steps below which a run of a fixed-step method is not judged.
pub const FEWEST: u64 = 32;

/// Something that makes a run's numbers untrustworthy.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The step does not resolve the friction of some particle.
    StepAboveFrictionLimit(AboveLimit),
    /// The law has neither threshold nor stretch, and a held contact flips with every step.
    Chatter(AboveLimit),
    /// The slip of a contact flips with every step and goes on so.
    Flipping(Found),
    /// The slip of a contact alternates about its mean with every step and dies slowly.
    Ringing(Found),
    /// Something creeps at another speed than its law does under its load.
    CreepOffTheLaw(Found),
    /// A steady state contradicts its own velocities or forces.
    SpuriousSteadyState(Found),
    /// Friction gave energy.
    FrictionCreatesEnergy(Created),
    /// A contact so deep that its sides may be mistaken.
    TooDeep(TooDeep),
    /// An impact that matters falls between two steps.
    ImpactUnresolved(Unresolved),
    /// A body is not where its velocities would have taken it.
    OffItsPath(OffItsPath),
    /// Something is wrong with a particle on a curve.
    OnCurve(Fault),
    /// The energy audit does not close.
    EnergyResidual {
        /// The worst residual \[J\], positive when energy was created.
        residual: f64,
        /// Energy that went through the scene \[J\].
        turnover: f64,
    },
    /// Powers change too fast for the commit intervals: the energy audit cannot tell.
    EnergyUnaudited {
        /// How wrong the integrals of the powers may be \[J\].
        doubt: f64,
        /// Energy that went through the scene \[J\].
        turnover: f64,
    },
    /// The run took too few steps to be judged.
    TooFewSteps {
        /// Steps taken.
        steps: u64,
    },
    /// The run ended early.
    Failed {
        /// Why.
        message: String,
    },
}

/// The names of all reasons, and what they mean, for `explain`.
pub const REASONS: [(&str, &str); 13] = [
    (
        "step-above-friction-limit",
        "In stick, friction is a damper of rate λ = μ_s N/(m ε) on one particle (and a law with stretch a spring of frequency ω = √(k/m)). An explicit method is stable for it only below its limit of h λ. Above, friction does not explode, since it is bounded by μN: the velocity chatters, or settles on a wrong constant. The contact named was within reach of sticking, and one step made more than a thousandth of ε of its slip.",
    ),
    (
        "chatter",
        "The slip of a contact that should hold reverses with every step and does not calm down. Either the friction law has neither threshold nor stretch, so that there is nothing to rest on at any step; or the step is too large for its friction. Use a law that can rest, or a smaller step.",
    ),
    (
        "ringing",
        "The slip of a contact alternates about its mean with every step, dies slowly, and is still so large that the reported velocity is off by more than 2.5 % of the creep: at the end of the run, or for more than three quarters of it. The trapezoidal rule and the implicit midpoint rule turn a decay of rate λ into (1 − hλ/2)/(1 + hλ/2) per step, which is −0.96 at hλ = 100. The mean drift may well be right. Use a smaller step, or a method that damps what it does not resolve: implicit-euler.",
    ),
    (
        "creep-off-the-law",
        "Over a window in which N and friction were steady a contact, or a body, moved at a speed at which its friction law does not bear the load it had to bear: the momentum says what friction must have been, displacement says how fast it went, and the law says what belongs together. More than 2.5 % are not let pass (for a law that holds by a stretch, 2.5 % of the creep of a damper as stiff). The law's own creep is not a fault. Use a smaller step or an implicit method.",
    ),
    (
        "spurious-steady-state",
        "A contact slips at a perfectly steady velocity, but either its positions advance at another speed than the one reported, or the forces at accepted states do not add up to the change of its momentum. A Runge–Kutta method above its friction limit settles on such a state: rk4 at 1.5 times 2/λ reports 1.000 ε and moves at 0.652 ε where 0.536 ε is right. Use a smaller step or an implicit method.",
    ),
    (
        "friction-creates-energy",
        "At accepted states the power of friction was positive: it drove what it should brake. No law does so in truth, but for LuGre's with a large σ1 and for a law of one's own. Lower σ1, or look at the formula.",
    ),
    (
        "too-deep",
        "What passes the middle of a ball, box, capsule or round bar is pushed out on the other side. Ropes, cloth, loose particles and a body's own surface have no inside at all: distance to them has no sign. A contact came within a tenth of the middle, or half as deep into a closed body as it can be followed. What follows may be a passage through. Use a stiffer normal law, a larger radius, a thicker collider or a smaller step, and see that nothing overlaps at t = 0. Meshes and formulas as colliders are not watched.",
    ),
    (
        "impact-unresolved",
        "A contact that begins inside a step is known to the method only at the step's ends, whatever its order: the impulse may be wrong by half of h N. Where that is more than a tenth of the approach speed, and all such impacts together spoil more than a twentieth of the largest kinetic energy, what happens from then on cannot be trusted. So it is for a contact that turns a particle back within a few steps. Resting contacts and weak impacts do not count.",
    ),
    (
        "off-its-path",
        "The mass centre of a body is not where its velocities would have taken it, by more than a twentieth of its path. Methods of order one are off by h Δv/2, so that a block slides to rest v h/2 too early or too late. Only they are watched, and not for less than one step of free fall.",
    ),
    (
        "energy-residual",
        "Kinetic + stored + dissipated energy − work should stay what it was at t = 0. It did not, by more than the tolerance and by more than the quadrature of the powers over the commit intervals can explain: the method created energy (5 % of what went through the scene is let pass) or lost it (25 %).",
    ),
    (
        "energy-unaudited",
        "The audit integrates powers between accepted states. Where they change within a step, at unresolved impacts above all, it can only bound its own error, and the bound has become more than 30 % of the energy that went through the scene: neither energies nor what follows from them can be trusted.",
    ),
    (
        "too-few-steps",
        "What looks for chatter, ringing, spurious states and creep off the law compares windows of at least sixteen steps with each other. A run of fewer than 32 steps of a fixed-step method with something in contact shows nothing of that.",
    ),
    (
        "failed",
        "A step could not be taken: the simulation blew up, or the method's equations could not be solved. The run ends at the last good state.",
    ),
];

/// The verdict: trusted when there are no reasons against it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// What is wrong.
    pub reasons: Vec<Reason>,
}

impl Verdict {
    /// Whether nothing was found wrong.
    pub fn trusted(&self) -> bool {
        self.reasons.is_empty()
    }

    /// One short word per reason, for tables.
    pub fn marks(&self) -> String {
        let marks: Vec<&str> = self.reasons.iter().map(Reason::name).collect();
        if marks.is_empty() { "trusted".into() } else { marks.join(", ") }
    }
}

impl Reason {
    /// A short name, the same in tables, JSON and documentation.
    pub fn name(&self) -> &'static str {
        match self {
            Reason::StepAboveFrictionLimit(_) => "step-above-friction-limit",
            Reason::Chatter(_) | Reason::Flipping(_) => "chatter",
            Reason::Ringing(_) => "ringing",
            Reason::CreepOffTheLaw(_) => "creep-off-the-law",
            Reason::SpuriousSteadyState(_) => "spurious-steady-state",
            Reason::FrictionCreatesEnergy(_) => "friction-creates-energy",
            Reason::TooDeep(_) => "too-deep",
            Reason::ImpactUnresolved(_) => "impact-unresolved",
            Reason::OffItsPath(_) => "off-its-path",
            Reason::OnCurve(fault) => fault.name(),
            Reason::EnergyResidual { .. } => "energy-residual",
            Reason::EnergyUnaudited { .. } => "energy-unaudited",
            Reason::TooFewSteps { .. } => "too-few-steps",
            Reason::Failed { .. } => "failed",
        }
    }

    /// One sentence with numbers and, where there is one, the remedy. `model` names the particle.
    pub fn describe(&self, model: &Model) -> String {
        match self {
            Reason::StepAboveFrictionLimit(a) => format!(
                "the step is above the friction limit: h λ = {:.3}{} at {}, limit {:.3}, first at t = {:.4} s ({} contacts in all); friction then chatters or settles on a wrong speed without exploding. Use a step of at most {:.2e} s, a softer law (larger epsilon, smaller stiffness), or an implicit or adaptive method",
                a.hlambda,
                if a.homega > 0.0 { format!(", h ω = {:.3}", a.homega) } else { String::new() },
                model.particle_name(a.particle),
                a.limit,
                a.time,
                a.particle_steps,
                a.largest_step
            ),
            Reason::Chatter(a) => format!(
                "friction chatters: this law has no threshold and no stretch, so a contact that should hold reverses with every step, whatever the step: {} at t = {:.4} s, {} times in all. Use threshold, quadratic or cundall-strack",
                model.particle_name(a.particle),
                a.time,
                a.particle_steps
            ),
            Reason::Flipping(f) => format!(
                "friction chatters: the slip of {} reverses with every step, with an amplitude of {:.3e} m/s about a drift of {:.3e} m/s{}, until t = {:.4} s ({} windows in all). Use a smaller step or implicit-euler",
                f.subject.name(model),
                f.findings.amplitude,
                f.findings.drift,
                lawful(f),
                f.time,
                f.windows
            ),
            Reason::Ringing(f) => format!(
                "the reported velocity rings: the slip of {} alternates with every step by ±{:.3e} m/s about its mean{}, at t = {:.4} s ({} contacts in all); the drift may be right, the velocities are not. Use a smaller step or implicit-euler",
                f.subject.name(model),
                f.findings.amplitude,
                lawful(f),
                f.time,
                f.windows
            ),
            Reason::CreepOffTheLaw(f) => format!(
                "creep is not the law's: {} drifts at {:.4e} m/s{} under a load of {:.3} of what friction holds, so {:.4e} m/s are the integrator's, first over {:.0} steps until t = {:.4} s ({} windows in all). Use a smaller step or another integrator",
                f.subject.name(model),
                f.findings.drift,
                lawful(f),
                f.findings.load_ratio,
                f.findings.drift - f.findings.law.unwrap_or(0.0),
                f.findings.steps,
                f.time,
                f.windows
            ),
            Reason::SpuriousSteadyState(f) => format!(
                "a spurious steady state: {} reports a slip of {:.4e} m/s and moves at {:.4e} m/s{}, with a force of {:.2} of the load that no momentum explains, first at t = {:.4} s ({} windows in all). Use a smaller step or implicit-euler",
                f.subject.name(model),
                f.findings.reported,
                f.findings.drift,
                lawful(f),
                f.findings.imbalance,
                f.time,
                f.windows
            ),
            Reason::FrictionCreatesEnergy(c) if !model.contact_is_force => format!(
                "contacts gave back {:.3e} J, from t = {:.4} s on, of {:.3e} J that went through them: what rests bounces, or is moved by what it should hold. Use a smaller step or symplectic-euler, and under `impulse` remove_acceleration or velocity_limit",
                c.energy, c.time, c.dissipated
            ),
            Reason::FrictionCreatesEnergy(c) => format!(
                "friction created {:.3e} J, from t = {:.4} s on, while it dissipated {:.3e} J. Use a smaller step, or a law that only takes",
                c.energy, c.time, c.dissipated
            ),
            Reason::TooDeep(t) => format!(
                "a contact is too deep: {} went in by {:.3e} m, {:.3e} m is where its sides may be mistaken, first at t = {:.4} s ({} contacts in all); it may pass through. Use a stiffer normal law, a larger radius or a smaller step, and see that nothing overlaps at t = 0",
                model.particle_name(t.particle),
                t.depth,
                t.limit,
                t.time,
                t.particle_steps
            ),
            Reason::ImpactUnresolved(u) => format!(
                "an impact is not resolved by the step: {} met what it hit at {:.3e} m/s at t = {:.4} s, and the speed after it may be wrong by {:.3e} m/s ({:.0} %; {} such impacts). Use a smaller step, a softer contact, or an adaptive method",
                model.particle_name(u.particle),
                u.speed,
                u.time,
                u.error,
                100.0 * u.error / u.speed,
                u.count
            ),
            Reason::OffItsPath(o) => format!(
                "positions do not follow from velocities: `{}` is off by {:.3e} m on a path of {:.3e} m ({:.0} %), as methods of order one are by h Δv/2. Use a smaller step or a method of higher order",
                model.bodies[o.body].name,
                o.offset,
                o.path,
                100.0 * o.offset / o.path
            ),
            Reason::OnCurve(fault) => fault.describe(model),
            Reason::EnergyResidual { residual, turnover } => format!(
                "the energy audit does not close: the method {} {:.3e} J while {turnover:.3e} J went through the scene ({:.1} %, at most {:.1} %). Use a smaller step",
                if *residual > 0.0 { "created" } else { "lost" },
                residual.abs(),
                100.0 * residual.abs() / turnover,
                100.0 * if *residual > 0.0 { CREATED } else { LOST }
            ),
            Reason::EnergyUnaudited { doubt, turnover } => format!(
                "the energy audit cannot tell: powers change so fast between steps that {doubt:.3e} J of the {turnover:.3e} J that went through the scene are in doubt ({:.0} %, at most {:.0} %). Use a smaller step",
                100.0 * doubt / turnover,
                100.0 * IN_DOUBT
            ),
            Reason::TooFewSteps { steps } => format!(
                "{steps} steps are too few to judge a run by, at least {FEWEST} are needed. Use a smaller step"
            ),
            Reason::Failed { message } => message.clone(),
        }
    }
}

/// What the law itself would creep, in words.
fn lawful(found: &Found) -> String {
    match found.findings.law {
        Some(speed) => format!(" where the law creeps at {speed:.4e} m/s"),
        None => String::new(),
    }
}

/// Everything that watches a run; each answers for its own reasons.
#[derive(Clone, Copy)]
pub struct Watches<'a> {
    /// The energy audit.
    pub audit: &'a Audit,
    /// Friction rates against the method's limit.
    pub friction_limit: &'a FrictionLimit,
    /// Contacts that hold.
    pub stick: &'a Stick,
    /// The sign of friction's power.
    pub passivity: &'a Passivity,
    /// Depths.
    pub penetration: &'a Penetration,
    /// Impacts and other events inside steps.
    pub impacts: &'a Impacts,
    /// Positions against velocities.
    pub offset: &'a Offset,
    /// Particles on curves.
    pub curves: &'a Curves,
}

impl Watches<'_> {
    /// The verdict on a run so far, in steps of `h` \[s\].
    pub fn verdict(&self, model: &Model, state: &State, h: f64) -> Verdict {
        let mut reasons = Vec::new();
        let can_rest = model.contact.friction.can_rest();
        reasons.extend(self.friction_limit.found().map(|worst| match can_rest {
            true => Reason::StepAboveFrictionLimit(worst),
            false => Reason::Chatter(worst),
        }));
        let wrongs = self.stick.wrongs(model, state, h);
        reasons.extend(wrongs.spurious.map(Reason::SpuriousSteadyState));
        reasons.extend(wrongs.chatter.map(Reason::Flipping));
        reasons.extend(wrongs.off_law.map(Reason::CreepOffTheLaw));
        reasons.extend(wrongs.ringing.map(Reason::Ringing));
        reasons.extend(
            self.passivity.created(self.audit.turnover()).map(Reason::FrictionCreatesEnergy),
        );
        reasons.extend(self.penetration.worst.map(Reason::TooDeep));
        reasons.extend(self.curves.faults().into_iter().map(Reason::OnCurve));
        reasons.extend(self.impacts.verdict().map(Reason::ImpactUnresolved));

        // what one step of free fall makes no step can resolve, on what a body rests for one
        let fall = model.gravity.norm() * h;
        let touching = if state.memory.contacts.is_empty() { 0.0 } else { 1.0 };
        let unresolved = touching * 0.5 * model.masses.iter().sum::<f64>() * fall * fall;
        reasons.extend(self.offset.worst(0.5 * fall * h).map(Reason::OffItsPath));
        reasons.extend(energy_residual(self.audit, unresolved));
        Verdict { reasons }
    }
}

fn energy_residual(audit: &Audit, unresolved: f64) -> Option<Reason> {
    let turnover = audit.turnover();
    let (created, lost) = audit.extremes();
    // below a nanojoule there is only rounding of the potentials
    let floor = 1e-9 + 1e-12 * audit.energies.gravity.abs() + unresolved;
    if created > CREATED * turnover + floor {
        Some(Reason::EnergyResidual { residual: created, turnover })
    } else if -lost > LOST * turnover + floor {
        Some(Reason::EnergyResidual { residual: lost, turnover })
    } else if audit.doubt() > IN_DOUBT * turnover + floor {
        Some(Reason::EnergyUnaudited { doubt: audit.doubt(), turnover })
    } else {
        None
    }
}
