//! Heun's method.

use super::Integrator;
use super::runge_kutta::{RungeKutta, Tableau};
use crate::registry::{Entry, Page};

/// y' = y + h (k₁ + k₂)/2 with k₂ at the end of an Euler step.
///
/// Order 2. Friction decays for h λ < 2; the amplitude of undamped springs grows by (h ω)⁴/8 a step.
/// Source: \[heun1900\].
pub(crate) const TABLEAU: Tableau<2> = Tableau {
    nodes: [0.0, 1.0],
    rows: [[0.0, 0.0], [1.0, 0.0]],
    weights: [1.0, 1.0],
    divisor: 2.0,
    order: 2,
};

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "heun",
    about: "trapezoidal predictor and corrector: order 2, two evaluations a step",
    keys: &[],
    page: Page {
        formula: "An Euler step, then the mean of the rates at its two ends takes the whole step",
        creep: "",
        stiffness: "Decay: h λ < 2. Undamped oscillation: unstable at any step, by (h ω)⁴/8 a step.",
        when: "As midpoint; it looks at both ends of the step, so that it sees what begins inside it.",
        source: "Karl Heun 1900, Neue Methoden zur approximativen Integration der Differentialgleichungen einer unabhängigen Veränderlichen [heun1900]",
    },
    make: |_| Ok(Box::new(RungeKutta::new(&TABLEAU).for_search())),
};
