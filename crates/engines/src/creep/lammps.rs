//! LAMMPS, granular pair styles and walls: a tangential damper without history, or a tangential
//! spring with it, both limited by the cone.
//!
//! `linear_nohistory`: min(γ v, μ N_i), with γ = x_γt times the normal damping: v = T/(n γ).
//! `linear_history`: a spring of stiffness k_t that slides at the cone: no creep, an offset T/(n
//! k_t). `fix nve` evaluates forces with half-step velocities: h ≤ (√(λ² + 4ω²) − λ)/ω² with λ = n
//! γ/m and ω² = n k_t/m, which is 2m/(n γ) without a spring \[lammps2022\].

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::limit::velocity_first;
use super::{Engine, Load, Standing};
use stiction_core::math::{at_most, number, sqrt};
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// The time step of `units si` \[s\].
const STEP: f64 = 1e-8;

/// Granular friction of LAMMPS.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lammps {
    /// Whether contacts have memory.
    pub history: bool,
    /// γ \[N·s/m\].
    pub damping: f64,
    /// k_t \[N/m\].
    pub stiffness: f64,
}

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "lammps",
    about: "LAMMPS granular: with history no creep and an offset T/(n k); without, creeps at T/(n γ)",
    keys: &[
        Key {
            name: "tangential",
            kind: Kind::Word(&["linear_history", "linear_nohistory"]),
            default: Fallback::Text("linear_history"),
            about: "tangential model",
        },
        Key {
            name: "damping",
            kind: Kind::Number { unit: "N·s/m", range: Range::Positive },
            default: Fallback::Number(50.0),
            about: "tangential damping γ of a contact, x_γt times the normal one",
        },
        Key {
            name: "stiffness",
            kind: Kind::Number { unit: "N/m", range: Range::Positive },
            default: Fallback::Number(1e5),
            about: "linear_history: tangential stiffness k_t of a contact",
        },
    ],
    page: Page {
        formula: "linear_nohistory: v = T/(n γ)\nlinear_history: v = 0, offset T/(n k_t)",
        creep: "None with history.",
        stiffness: "2m/(n γ) without history.",
        when: "With history where a pile must stand.",
        source: "Aidan Thompson and others 2022 [lammps2022]; Peter Cundall and Otto Strack 1979 [cundall1979]",
    },
    make: |values| {
        Ok(Box::new(Lammps {
            history: values.text("tangential") == "linear_history",
            damping: values.number("damping"),
            stiffness: values.number("stiffness"),
        }))
    },
};

impl Lammps {
    fn limit(&self, load: &Load) -> StepLimit {
        let per_mass = load.contacts / load.mass;
        let omega = if self.history { sqrt(per_mass * self.stiffness) } else { 0.0 };
        let largest = velocity_first(per_mass * self.damping, omega).unwrap_or(f64::INFINITY);
        let formula = match self.history {
            true => "(√(λ² + 4ω²) − λ)/ω², λ = n γ/m, ω² = n k_t/m",
            false => "2m/(n γ)",
        };
        StepLimit::at(largest, formula)
    }
}

impl Engine for Lammps {
    fn answer(&self, load: &Load) -> Answer {
        let (step, limit) = (load.step.unwrap_or(STEP), self.limit(load));
        let per_contact = load.tangential_force / load.contacts;
        let motion = match self.history {
            _ if load.ratio() >= 1.0 => Motion::Slides(load.sliding()),
            true => Motion::Rests(per_contact / self.stiffness),
            false => Motion::Creeps(per_contact / self.damping),
        };
        let above = limit.largest.filter(|most| step > *most && motion.creep().is_some());
        let mut advice = Vec::new();
        if let Motion::Creeps(speed) = motion {
            advice.push(format!(
                "tangential=linear_history with stiffness={} holds without creep, at an offset of {} m.",
                number(per_contact / speed),
                number(speed)
            ));
        }
        let standing = Standing::Estimate(match above {
            Some(most) => format!(
                "the step {} s is above {} s, where contacts chatter",
                number(step),
                at_most(most)
            ),
            None => "the equations of its manual in closed form; no body that creeps in LAMMPS was run here".into(),
        });
        let formula = if self.history { "v = 0, offset T/(n k_t)" } else { "v = T/(n γ)" };
        let mut sources = vec!["lammps2022".to_string()];
        if self.history {
            sources.push("cundall1979".into());
        }
        let (name, value) = ("N of a contact", load.normal_force / load.contacts);
        let details = vec![Detail { name, value, unit: "N" }];
        Answer { motion, standing, formula: formula.into(), sources, step, limit, advice, details }
    }

    fn knobs(&self, _load: &Load) -> Vec<Knob> {
        if self.history {
            return Vec::new();
        }
        vec![Knob {
            start: self.damping,
            toward: Toward::Infinity,
            end: 1e12,
            set: Box::new(|x| vec![("damping", x)]),
            price: "The largest step shrinks in proportion.",
        }]
    }
}
