//! This program's own laws: every row of the table of friction laws, under one of its own methods.
//!
//! The creep of a law is its own closed form, v = ε f⁻¹(ρ) for laws that grow with u = s/ε. n
//! contacts share N and T, so each bears N/n. The step follows from the region of stability of the
//! method: λ is n times the law's largest damping over m, ω² = n k/m for laws with a stretch of
//! stiffness k.

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::limit::of_method;
use super::{Engine, Load, Standing};
use stiction_core::contact::friction::{FRICTION_LAWS, FrictionForm, FrictionLaw, Slip, threshold};
use stiction_core::integrators::{Capabilities, INTEGRATORS, rk4};
use stiction_core::math::{Vector, at_most, larger, number, smaller, sqrt};
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Problem, Values};

/// The step used if none is given and a larger one would be stable \[s\].
const STEP: f64 = 1e-3;

/// Largest sensible damping of a capped damper \[N·s/m\].
const STIFFEST: f64 = 1e12;

/// A friction law under a method.
pub(crate) struct Stiction {
    row: &'static Entry<dyn FrictionLaw>,
    law: Box<dyn FrictionLaw>,
    integrator: &'static str,
    method: Capabilities,
}

/// Row of the engine. The keys of the law are added by `law_keys`.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "stiction",
    about: "this program: a friction law of its own, exact in closed form, under one of its methods",
    keys: &[
        Key {
            name: "law",
            kind: Kind::Text,
            default: Fallback::Text(threshold::ENTRY.name),
            about: "friction law, a row of `stiction list friction`; its own keys count too",
        },
        Key {
            name: "integrator",
            kind: Kind::Text,
            default: Fallback::Text(rk4::ENTRY.name),
            about: "method, a row of `stiction list integrators`; it decides the step alone",
        },
    ],
    page: Page {
        formula: "v = ε f⁻¹(ρ) for laws that grow with s/ε; 0 for laws with a stretch",
        creep: "That of the law, the same under every method and step below the limit.",
        stiffness: "h ≤ limit of the method/λ, λ = n max|∂F/∂v|/m.",
        when: "To compare laws before a run.",
        source: "David Baraff 1991 [baraff1991]; each law has its own source",
    },
    make: |values| Ok(Box::new(Stiction::of(values)?)),
};

/// The keys of a friction law.
///
/// # Errors
/// No law has this name.
pub(crate) fn law_keys(name: &str) -> Result<&'static [Key], Problem> {
    Ok(law(name)?.keys)
}

fn law(name: &str) -> Result<&'static Entry<dyn FrictionLaw>, Problem> {
    FRICTION_LAWS.find(name).ok_or_else(|| {
        let message = format!("there is no friction law `{name}`");
        Problem::of("law", message, format!("known are {}", FRICTION_LAWS.names().join(", ")))
    })
}

impl Stiction {
    fn of(values: &Values) -> Result<Self, Problem> {
        let row = law(values.text("law"))?;
        let name = values.text("integrator");
        let method = INTEGRATORS.find(name).ok_or_else(|| {
            let message = format!("there is no integrator `{name}`");
            let known = format!("known are {}", INTEGRATORS.names().join(", "));
            Problem::of("integrator", message, known)
        })?;
        let mut inner = Values::defaults(row.keys);
        inner.0.extend(values.0.iter().map(|(key, value)| (*key, value.clone())));
        Ok(Stiction {
            row,
            law: (row.make)(&inner)?,
            integrator: method.name,
            method: method.from_defaults()?.capabilities(),
        })
    }

    /// F of one contact at a slip speed \[N\].
    fn force(&self, load: &Load, speed: f64) -> f64 {
        self.law.force(&self.slip(load, speed), &load.pair).norm()
    }

    fn slip(&self, load: &Load, speed: f64) -> Slip {
        let normal_force = load.normal_force / load.contacts;
        Slip { velocity: Vector::x() * speed, normal_force, ..Slip::default() }
    }

    /// The elastic offset \[m\] of all contacts side by side; zero without a stretch.
    fn offset(&self, load: &Load) -> f64 {
        let springs = load.contacts * self.law.stiffness();
        let cone = load.pair.kinetic_friction * load.normal_force;
        if springs <= 0.0 {
            return 0.0;
        }
        self.law.offset_under(load.tangential_force, springs, cone)
    }

    fn motion(&self, load: &Load) -> Motion {
        let ratio = load.ratio();
        // the force of any law in sliding is that at high speed
        let fast = larger(1e3 * self.law.threshold(), 1.0);
        let held = load.contacts * self.force(load, fast);
        let slides = Motion::Slides((load.tangential_force - held) / load.mass);
        if ratio >= 1.0 {
            return slides;
        }
        match self.law.creep(ratio, load.normal_force / load.contacts, &load.pair) {
            Some(0.0) => Motion::Rests(self.offset(load)),
            Some(speed) => Motion::Creeps(speed),
            None if load.tangential_force > held => slides,
            None => Motion::Chatters,
        }
    }

    /// λ and ω \[1/s\].
    fn rates(&self, load: &Load) -> (f64, f64) {
        let contacts = load.contacts;
        let lambda = contacts * self.law.damping(&self.slip(load, 0.0), &load.pair) / load.mass;
        (lambda, sqrt(contacts * self.law.stiffness() / load.mass))
    }

    fn limit(&self, load: &Load) -> StepLimit {
        let (lambda, omega) = self.rates(load);
        let name = self.integrator;
        if !lambda.is_finite() {
            return StepLimit::none("the law jumps at rest: it chatters at every step");
        }
        let Some(largest) = of_method(&self.method, lambda, omega) else {
            let reason = match (self.method.adaptive, lambda + omega > 0.0) {
                (true, _) => format!("{name} chooses its own substeps, about λ T/3.3 of them"),
                (_, true) => format!("{name} has no limit"),
                (_, false) => "the law has neither damping nor stiffness".into(),
            };
            return StepLimit::none(reason);
        };
        let formula = match (omega > 0.0, self.method.decay_limit) {
            (false, Some(limit)) => {
                format!("{}/λ of {name}, λ = n max|∂F/∂v|/m", number(limit))
            }
            _ => format!("region of stability of {name} at λ and ω = √(n k/m)"),
        };
        StepLimit::at(largest, formula)
    }

    fn advice(&self, load: &Load, motion: Motion, limit: &StepLimit, step: f64) -> Vec<String> {
        let mut advice = Vec::new();
        if let Motion::Creeps(speed) = motion {
            if self.law.threshold() > 0.0 {
                advice.push(format!(
                    "Creep and the largest explicit step both are in proportion to ε, here {} m/s: a tenth of ε is a tenth of creep, and ten times the steps.",
                    number(self.law.threshold())
                ));
            }
            // an offset equal to the displacement of this creep in one second
            advice.push(format!(
                "law=cundall-strack with stiffness={} holds without creep, at an elastic offset of {} m.",
                number(load.tangential_force / (load.contacts * larger(speed, 1e-9))),
                number(larger(speed, 1e-9))
            ));
        }
        if matches!(motion, Motion::Chatters) {
            advice.push("The law has no slope at rest to hold with: take threshold, or cundall-strack to hold without creep.".into());
        }
        if limit.largest.is_some_and(|most| step > most) {
            advice.push(format!(
                "The step {} s is too large: friction chatters or settles on a wrong speed, without a sign of it. Take h ≤ {} s, or integrator=tr-bdf2.",
                number(step), at_most(limit.largest.unwrap_or(step))
            ));
        }
        advice.push("A soft body needs the step of its most loaded particle: give that one's mass and N. A rigid box that may turn on its base needs a third of it.".into());
        advice
    }
}

/// Keys of references.bib in a text.
fn sources(text: &str) -> Vec<String> {
    let starts = text.match_indices('[').map(|(at, _)| &text[at + 1..]);
    starts.filter_map(|rest| Some(rest[..rest.find(']')?].to_string())).collect()
}

impl Engine for Stiction {
    fn answer(&self, load: &Load) -> Answer {
        let (motion, limit) = (self.motion(load), self.limit(load));
        let most = limit.largest.unwrap_or(STEP);
        let step = load.step.unwrap_or(smaller(STEP, most));
        let (lambda, omega) = self.rates(load);
        let mut details = Vec::new();
        for (name, value) in [("friction rate λ", lambda), ("frequency ω", omega)] {
            if value > 0.0 && value.is_finite() {
                details.push(Detail { name, value, unit: "1/s" });
            }
        }
        let above = limit.largest.filter(|most| step > *most && motion.creep().is_some());
        let standing = match (motion, above) {
            (Motion::Chatters, _) => Standing::Estimate("the law has no steady creep".into()),
            (_, Some(most)) => Standing::Estimate(format!(
                "the step {} s is above {} s, where the method adds creep of its own to the law's",
                number(step),
                at_most(most)
            )),
            _ => Standing::Exact(
                "blocks of this program on slopes of 10° to 30°, by tests/truth/engines.rs; within 1e-3".into(),
            ),
        };
        Answer {
            motion,
            standing,
            formula: self.row.page.creep.into(),
            sources: sources(self.row.page.source),
            step,
            advice: self.advice(load, motion, &limit, step),
            limit,
            details,
        }
    }

    fn knobs(&self, _load: &Load) -> Vec<Knob> {
        let has = |name: &str| self.row.keys.iter().any(|key| key.name == name);
        if self.law.threshold() > 0.0 && has("epsilon") {
            return vec![Knob {
                start: self.law.threshold(),
                toward: Toward::Zero,
                end: 1e-15,
                set: Box::new(|x| vec![("epsilon", x)]),
                price: "An explicit step shrinks in proportion.",
            }];
        }
        if let (FrictionForm::CappedDamper { damping: start }, true) =
            (self.law.form(), has("damping"))
        {
            return vec![Knob {
                start,
                toward: Toward::Infinity,
                end: STIFFEST,
                set: Box::new(|x| vec![("damping", x)]),
                price: "An explicit step shrinks in proportion.",
            }];
        }
        Vec::new()
    }
}
