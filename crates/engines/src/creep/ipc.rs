//! Incremental potential contact: friction from a potential of the tangential displacement of a
//! step.
//!
//! The displacement in a step is compared with ε_v h, so the speed with ε_v, at any step: friction
//! over μ N is 2u − u² (order 1) or 1 − (1 − u)³ (order 2), u = v/ε_v. N and the tangent frame are
//! lagged, without effect under a steady load. Creep is ε_v (1 − √(1 − ρ)), or ε_v (1 − ∛(1 − ρ));
//! the step is implicit, without a stability limit \[li2020ipc\].

use super::answer::{Answer, Detail, Knob, Motion, StepLimit, Toward};
use super::{Engine, Load, Standing};
use stiction_core::contact::friction::cubic::Cubic;
use stiction_core::contact::friction::quadratic::Quadratic;
use stiction_core::contact::friction::ramp::Ramp;
use stiction_core::math::number;
use stiction_core::registry::{Entry, Fallback, Key, Kind, Page, Range};

/// A usual time step \[s\].
const STEP: f64 = 1e-2;

/// Friction of incremental potential contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ipc {
    /// ε_v \[m/s\].
    pub epsilon: f64,
    /// 1 or 2.
    pub order: i64,
}

/// Row of the engine.
pub const ENTRY: Entry<dyn Engine> = Entry {
    name: "ipc",
    about: "incremental potential contact: creeps at ε_v (1 − √(1 − ρ)), the same at every step",
    keys: &[
        Key {
            name: "epsilon_v",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Number(1e-3),
            about: "slip speed ε_v from which friction is μ N",
        },
        Key {
            name: "order",
            kind: Kind::Integer { min: 1, max: 2 },
            default: Fallback::Integer(1),
            about: "smoothness of friction at ε_v: 1, 2u − u², the usual one; 2, 1 − (1 − u)³",
        },
    ],
    page: Page {
        formula: "v = ε_v (1 − √(1 − ρ)) for order 1, ε_v (1 − ∛(1 − ρ)) for order 2",
        creep: "About half and a third of the threshold law's.",
        stiffness: "Implicit: no limit of stability.",
        when: "For soft bodies that must not intersect.",
        source: "Minchen Li and others 2020 [li2020ipc]",
    },
    make: |values| {
        Ok(Box::new(Ipc { epsilon: values.number("epsilon_v"), order: values.integer("order") }))
    },
};

impl Engine for Ipc {
    fn answer(&self, load: &Load) -> Answer {
        let (step, epsilon) = (load.step.unwrap_or(STEP), self.epsilon);
        let found = match self.order {
            1 => Ramp::creep(&Quadratic { epsilon }, load.ratio(), &load.pair),
            _ => Ramp::creep(&Cubic { epsilon }, load.ratio(), &load.pair),
        };
        let speed = found.filter(|_| load.ratio() < 1.0).map(|u| epsilon * u);
        let root = if self.order == 1 { "√" } else { "∛" };
        let mut advice = Vec::new();
        if let Some(speed) = speed {
            advice.push(format!(
                "Creep is in proportion to ε_v, here {} m/s, and the same at every step: a smaller one costs iterations of Newton's method.",
                number(epsilon)
            ));
            advice.push(format!(
                "The solver's tolerance must be below this creep: {} m in a step of {} s.",
                number(speed * step),
                number(step)
            ));
        }
        let motion = speed.map_or(Motion::Slides(load.sliding()), Motion::Creeps);
        Answer {
            motion,
            standing: Standing::Estimate(
                "the equations of the paper in closed form; no program that has them was run here"
                    .into(),
            ),
            formula: format!("v = ε_v (1 − {root}(1 − ρ))"),
            sources: vec!["li2020ipc".into()],
            step,
            limit: StepLimit::none("implicit: no limit of stability"),
            advice,
            details: vec![Detail {
                name: "ε_v h, slip of a step at the cone",
                value: epsilon * step,
                unit: "m",
            }],
        }
    }

    fn knobs(&self, _load: &Load) -> Vec<Knob> {
        vec![Knob {
            start: self.epsilon,
            toward: Toward::Zero,
            end: 1e-15,
            set: Box::new(|x| vec![("epsilon_v", x)]),
            price: "More iterations of Newton's method in each step.",
        }]
    }
}
