//! The explicit midpoint rule.

use super::Integrator;
use super::runge_kutta::{RungeKutta, Tableau};
use crate::registry::{Entry, Page};

/// y' = y + h k(t + h/2, y + h/2 k(t, y)).
///
/// Order 2. Friction decays for h λ < 2; the amplitude of undamped springs grows by (h ω)⁴/8 a step.
/// Source: \[hairer1993\].
pub(crate) const TABLEAU: Tableau<2> = Tableau {
    nodes: [0.0, 0.5],
    rows: [[0.0, 0.0], [0.5, 0.0]],
    weights: [0.0, 1.0],
    divisor: 1.0,
    order: 2,
};

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "midpoint",
    about: "explicit midpoint rule: order 2, two evaluations a step",
    keys: &[],
    page: Page {
        formula: "An Euler step to the middle, whose rates then take the whole step",
        creep: "",
        stiffness: "Decay: h λ < 2. Undamped oscillation: unstable at any step, by (h ω)⁴/8 a step.",
        when: "Smooth motion with some damping, at two evaluations a step. velocity-verlet is the better choice for undamped springs.",
        source: "Ernst Hairer and others 1993, Solving Ordinary Differential Equations I [hairer1993]",
    },
    make: |_| Ok(Box::new(RungeKutta::new(&TABLEAU))),
};
