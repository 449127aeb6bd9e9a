//! Explicit (forward) Euler.

use super::runge_kutta::{RungeKutta, Tableau};
use super::{Capabilities, Integrator, OneByOne, StepReport};
use crate::forces::census::Census;
use crate::math::pointwise::{Number, Pointwise};
use crate::model::Model;
use crate::registry::{Entry, Page};
use crate::state::State;
use crate::step_error::StepError;

/// x' = x + h v, v' = v + h M⁻¹ F(t, x, v), and z' = z + h ż for carried stretch.
///
/// Order 1. Friction decays for h λ < 2; an undamped spring gains energy at every step. Source:
/// \[hairer1993\].
pub(crate) struct ExplicitEuler(RungeKutta<1>);

/// Its tableau.
pub(crate) const TABLEAU: Tableau<1> =
    Tableau { nodes: [0.0], rows: [[0.0]], weights: [1.0], divisor: 1.0, order: 1 };

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "explicit-euler",
    about: "forward Euler: cheapest, order 1, gains energy on undamped springs",
    keys: &[],
    page: Page {
        formula: "x' = x + h v\n\
            v' = v + h a(x, v)",
        creep: "",
        stiffness: "Decay: h λ < 2. Undamped oscillation: unstable at any step.",
        when: "To show why not to use it. Undamped springs gain energy with every step.",
        source: "Ernst Hairer and others 1993, Solving Ordinary Differential Equations I [hairer1993]",
    },
    make: |_| Ok(Box::new(ExplicitEuler(RungeKutta::new(&TABLEAU)))),
};

impl Pointwise<1, 2, 2> for ExplicitEuler {
    #[inline(always)]
    fn at<T: Number>([h]: [T; 1], [f, w]: [T; 2], [x, v]: [T; 2]) -> [T; 2] {
        [x + v * h, v + w * f * h]
    }
}

impl Integrator for ExplicitEuler {
    fn step(&mut self, model: &Model, state: &mut State, h: f64) -> Result<StepReport, StepError> {
        self.0.step(model, state, h)
    }

    fn one_by_one(&self) -> Option<OneByOne> {
        Some(Census::advance::<Self>)
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities()
    }

    fn vectors_kept(&self) -> u32 {
        self.0.vectors_kept()
    }
}
