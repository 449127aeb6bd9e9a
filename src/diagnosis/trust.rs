//! The trust verdict: every run ends trusted, or with a list of what is wrong, in numbers.

use super::audit::Audit;
use super::friction_limit::{AboveLimit, FrictionLimit};
use super::impact::Unresolved;
use super::offset::OffItsPath;
use super::penetration::{Penetration, TooDeep};
use crate::model::Model;

/// Share of the energy turnover that a method may create.
const CREATED: f64 = 0.05;

/// Share of the energy turnover that a method may lose: numerical damping changes how a scene gets
/// to rest, not where, so more of it is let pass.
const LOST: f64 = 0.08;

/// Share of the energy turnover that may be in doubt because powers change faster than the steps.
const IN_DOUBT: f64 = 0.15;

/// Something that makes a run's numbers untrustworthy.
#[derive(Debug, Clone, PartialEq)]
pub enum Reason {
    /// The step does not resolve the friction of some particle.
    StepAboveFrictionLimit(AboveLimit),
    /// The law has neither threshold nor stretch, and a held contact flips with every step.
    Chatter(AboveLimit),
    /// A contact so deep that its sides may be mistaken.
    TooDeep(TooDeep),
    /// An impact that matters falls between two steps.
    ImpactUnresolved(Unresolved),
    /// A body is not where its velocities would have taken it.
    OffItsPath(OffItsPath),
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
    /// The run ended early.
    Failed {
        /// Why.
        message: String,
    },
}

/// The names of all reasons, and what they mean, for `explain`.
pub const REASONS: [(&str, &str); 8] = [
    (
        "step-above-friction-limit",
        "In stick, friction is a damper of rate λ = μ_s N/(m ε) on one particle (and a law with stretch a spring of frequency ω = √(k/m)). An explicit method is stable for it only below its limit of h λ. Above, friction does not explode, since it is bounded by μN: the velocity chatters, or settles on a wrong constant. The contact named was within reach of sticking, and one step made more than a thousandth of ε of its slip.",
    ),
    (
        "chatter",
        "The friction law has neither threshold nor stretch, so a contact that should hold has nothing to rest on and reverses with every step, at any step.",
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
        "The mass centre of a body is not where its velocities would have taken it, by more than a twentieth of its path. Methods of order one are off by h Δv/2, so that a block slides to rest v h/2 too early or too late; above its friction limit a Runge-Kutta method reports one speed and moves with another.",
    ),
    (
        "energy-residual",
        "Kinetic + stored + dissipated energy − work should stay what it was at t = 0. It did not, by more than the tolerance and by more than the quadrature of the powers over the commit intervals can explain: the method created energy (5 % of what went through the scene is let pass) or lost it (8 %).",
    ),
    (
        "energy-unaudited",
        "The audit integrates powers between accepted states. Where they change within a step, at unresolved impacts above all, it can only bound its own error, and the bound has become more than 15 % of the energy that went through the scene: neither energies nor what follows from them can be trusted.",
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
            Reason::Chatter(_) => "chatter",
            Reason::TooDeep(_) => "too-deep",
            Reason::ImpactUnresolved(_) => "impact-unresolved",
            Reason::OffItsPath(_) => "off-its-path",
            Reason::EnergyResidual { .. } => "energy-residual",
            Reason::EnergyUnaudited { .. } => "energy-unaudited",
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
            Reason::Failed { message } => message.clone(),
        }
    }
}

/// The verdict on a run so far; `can_rest` is the friction law's own.
pub fn verdict(
    audit: &Audit,
    limit: &FrictionLimit,
    penetration: &Penetration,
    can_rest: bool,
) -> Verdict {
    let mut reasons = Vec::new();
    if let Some(worst) = limit.worst {
        reasons.push(if can_rest {
            Reason::StepAboveFrictionLimit(worst)
        } else {
            Reason::Chatter(worst)
        });
    }
    reasons.extend(penetration.worst.map(Reason::TooDeep));
    let turnover = audit.turnover();
    let (created, lost) = audit.extremes();
    // below a nanojoule there is only rounding of the potentials
    let rounding = 1e-9 + 1e-12 * audit.energies.gravity.abs();
    if created > CREATED * turnover + rounding {
        reasons.push(Reason::EnergyResidual { residual: created, turnover });
    } else if -lost > LOST * turnover + rounding {
        reasons.push(Reason::EnergyResidual { residual: lost, turnover });
    } else if audit.doubt() > IN_DOUBT * turnover + rounding {
        reasons.push(Reason::EnergyUnaudited { doubt: audit.doubt(), turnover });
    }
    Verdict { reasons }
}
