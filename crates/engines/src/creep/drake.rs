//! Drake: regularised friction, one form for each model of contact.
//!
//! | model | friction of a contact | creep |
//! | --- | --- | --- |
//! | `lagged`, `similar` | μ_k N v/√(ε² + v²) | ε r/√(1 − r²), r = T/(μ_k N) |
//! | `tamsi` | μ_k N u (2 − u), u = v/ε | ε (1 − √(1 − r)) |
//! | `continuous` | the smooth step 10u³ − 15u⁴ + 6u⁵ to μ_s N | by bisection, ε ∛(ρ/10) for small loads |
//! | `sap` | impulse v/R_t inside the cone, R_t = σ w | σ w T h/n |
//!
//! ε is `stiction_tolerance`, ρ = T/(μ_s N). N is lagged, without effect under a steady load. With
//! SAP, w is the root mean square of a contact's inverse inertia W, ‖W‖/3 \[drake2019\],
//! \[castro2022\].

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::load::{Geometry, SLOPES};
use super::{Engine, Load, Standing};
use stiction_core::contact::friction::hyperbolic::Hyperbolic;
use stiction_core::contact::friction::quadratic::Quadratic;
use stiction_core::contact::friction::quintic::Quintic;
use stiction_core::contact::friction::ramp::Ramp;
use stiction_core::math::number;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Range};
use stiction_core::state::memory::Coefficients;

/// The largest step of runs that were compared \[s\].
const LONGEST: f64 = 0.01;

/// `MultibodyPlantConfig`'s time step \[s\].
const STEP: f64 = 1e-3;

/// Limit of h λ of the Runge–Kutta method of order 3.
const RK3: f64 = 2.512745;

/// Drake's models of contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// Convex, N lagged; the default.
    Lagged,
    /// Convex, with a cone close to Coulomb's.
    Similar,
    /// Semi-analytic primal.
    Sap,
    /// Transition-aware modified semi-implicit.
    Tamsi,
    /// Forces in continuous time, with error control.
    Continuous,
}

/// Drake's contacts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drake {
    /// The model of contact.
    pub model: Model,
    /// ε \[m/s\].
    pub epsilon: f64,
    /// σ of SAP.
    pub sigma: f64,
}

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "drake",
    about: "Drake 1.51: regularised friction below the stiction tolerance; sap: creeps with the step",
    keys: &[
        Key {
            name: "model",
            kind: Kind::Word(&["lagged", "similar", "sap", "tamsi", "continuous"]),
            default: Fallback::Text("lagged"),
            about: "discrete_contact_approximation, or continuous for time_step = 0",
        },
        Key {
            name: "stiction_tolerance",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Number(1e-4),
            about: "slip speed ε of regularised friction; sap has none",
        },
        Key {
            name: "sigma",
            kind: Kind::Number { unit: "", range: Range::Positive },
            default: Fallback::Number(1e-3),
            about: "sap: relative regularisation σ of friction",
        },
    ],
    page: Page {
        formula: "lagged: v = ε r/√(1 − r²)\ntamsi: v = ε (1 − √(1 − r))\ncontinuous: smooth step to μ_s N at ε\nsap: v = σ w T h/n",
        creep: "In proportion to ε, the same at every step; sap: in proportion to the step, whatever μ.",
        stiffness: "Discrete models are implicit; the continuous one chooses its steps.",
        when: "sap creeps least at small steps; lagged is the default.",
        source: "Russ Tedrake and the Drake Development Team 2019 [drake2019]; Alejandro Castro and others 2022 [castro2022]",
    },
    make: |values| {
        let model = match values.text("model") {
            "similar" => Model::Similar,
            "sap" => Model::Sap,
            "tamsi" => Model::Tamsi,
            "continuous" => Model::Continuous,
            _ => Model::Lagged,
        };
        let (epsilon, sigma) = (values.number("stiction_tolerance"), values.number("sigma"));
        Ok(Box::new(Drake { model, epsilon, sigma }))
    },
};

impl Drake {
    /// Speed of creep \[m/s\]; `None` if friction cannot hold the load.
    fn creep(&self, load: &Load, step: f64) -> Option<f64> {
        let kinetic = load.pair.kinetic_friction;
        // discrete models have one coefficient, the kinetic
        let one = Coefficients { static_friction: kinetic, kinetic_friction: kinetic };
        let ratio = Load { pair: one, ..load.clone() }.ratio();
        let epsilon = self.epsilon;
        let held = match self.model {
            Model::Lagged | Model::Similar => Ramp::creep(&Hyperbolic { epsilon }, ratio, &one),
            Model::Tamsi => Ramp::creep(&Quadratic { epsilon }, ratio, &one),
            Model::Continuous => Ramp::creep(&Quintic { epsilon }, load.ratio(), &load.pair),
            Model::Sap => {
                let size = load.corner_size() / load.mass;
                let speed = self.sigma * size * load.tangential_force * step / load.contacts;
                return (ratio < 1.0).then_some(speed);
            }
        };
        held.map(|u| epsilon * u)
    }

    /// Runs of boxes on a slope confirmed all models but SAP.
    fn standing(&self, load: &Load, creeps: bool, step: f64) -> Standing {
        if !creeps {
            return Standing::Estimate("Coulomb's law; no body that slides was run here".into());
        }
        if load.geometry != Geometry::Slope {
            return Standing::Estimate("runs of boxes on a slope alone were compared".into());
        }
        if load.contacts != 4.0 || !SLOPES.contains(&load.inclination()) {
            return Standing::Estimate(
                "runs of boxes with four contacts on slopes of 5° to 20° alone were compared"
                    .into(),
            );
        }
        if self.model != Model::Continuous && step > LONGEST {
            return Standing::Estimate(format!(
                "runs with steps up to {} s alone were compared",
                number(LONGEST)
            ));
        }
        let within = match self.model {
            Model::Sap => {
                return Standing::Estimate(
                    "w is that of a solid box with contacts at its corners; measured within 1 % with small spheres there, in the near-rigid regime".into(),
                );
            }
            Model::Tamsi => "1.2e-4",
            Model::Lagged | Model::Similar => "2e-7",
            Model::Continuous => "4e-7",
        };
        Standing::Exact(format!(
            "Drake 1.51: boxes with small spheres at their corners on slopes of 5° to 20°; within {within}"
        ))
    }

    fn limit(&self, load: &Load) -> StepLimit {
        if self.model != Model::Continuous {
            return StepLimit::none("implicit in the velocity: no limit of stability");
        }
        let lambda = 3.0 * 1.875 * load.pair.static_friction * load.normal_force
            / (load.mass * self.epsilon);
        if lambda <= 0.0 {
            return StepLimit::none("without friction nothing limits it");
        }
        StepLimit::at(
            RK3 / lambda,
            "2.513/λ of runge_kutta3, λ = 3 · 1.875 μ_s N/(m ε) where a box turns on its base; error control finds its steps by itself",
        )
    }

    fn formula(&self) -> &'static str {
        match self.model {
            Model::Lagged | Model::Similar => "v = ε r/√(1 − r²), r = T/(μ_k N)",
            Model::Tamsi => "v = ε (1 − √(1 − r)), r = T/(μ_k N)",
            Model::Continuous => "ρ = 10u³ − 15u⁴ + 6u⁵, v = ε u",
            Model::Sap => "v = σ w T h/n, w = ‖W‖/3 of a contact's inverse inertia W",
        }
    }

    fn advice(&self, step: f64) -> Vec<String> {
        match self.model {
            Model::Sap => vec![format!(
                "Creep is in proportion to σ and to the step: {} s instead of {} s halves it.",
                number(0.5 * step),
                number(step)
            )],
            Model::Continuous => vec![format!(
                "Creep is in proportion to stiction_tolerance, here {} m/s, and so are the steps; small loads creep by the cube root.",
                number(self.epsilon)
            )],
            _ => vec![
                format!(
                    "Creep is in proportion to stiction_tolerance, here {} m/s: a smaller one has no limit of stability, but needs more iterations.",
                    number(self.epsilon)
                ),
                "model=sap creeps in proportion to the step instead, far less at small steps."
                    .into(),
            ],
        }
    }
}

impl Engine for Drake {
    fn answer(&self, load: &Load) -> Answer {
        let step = load.step.unwrap_or(STEP);
        let creep = self.creep(load, step);
        let motion = match creep {
            _ if load.ratio() < 1.0 && load.ends()[1] <= 0.0 => Motion::Tips,
            Some(speed) => Motion::Creeps(speed),
            None => Motion::Slides(load.sliding()),
        };
        let sap = self.model == Model::Sap && creep.is_some();
        let mut details = Vec::new();
        if sap {
            let value = load.corner_size() / load.mass;
            details.push(Detail { name: "w of a corner contact", value, unit: "1/kg" });
        }
        let mut sources = vec!["drake2019".to_string()];
        if self.model != Model::Continuous {
            sources.push("castro2022".into());
        }
        Answer {
            motion,
            standing: self.standing(load, creep.is_some(), step),
            formula: self.formula().into(),
            sources,
            step,
            advice: if creep.is_some() { self.advice(step) } else { Vec::new() },
            limit: self.limit(load),
            details,
        }
    }

    fn knobs(&self, load: &Load) -> Vec<Knob> {
        let step = load.step.unwrap_or(STEP);
        if self.model != Model::Sap {
            return vec![Knob {
                start: self.epsilon,
                toward: Toward::Zero,
                end: 1e-15,
                set: Box::new(|x| vec![("stiction_tolerance", x)]),
                price: "More iterations, or smaller steps of error control.",
            }];
        }
        vec![
            Knob {
                start: step,
                toward: Toward::Zero,
                end: 1e-9,
                set: Box::new(|x| vec![("step", x)]),
                price: "The number of steps grows in proportion.",
            },
            Knob {
                start: self.sigma,
                toward: Toward::Zero,
                end: 1e-9,
                set: Box::new(|x| vec![("sigma", x)]),
                price: "The problem of a step is worse conditioned.",
            },
        ]
    }
}
