//! Kutta's method of order 3.

use super::Integrator;
use super::runge_kutta::{RungeKutta, Tableau};
use crate::registry::{Entry, Page};

/// Three stages at t, t + h/2, t + h with weights 1/6, 2/3, 1/6; the third starts from −k₁ + 2 k₂.
///
/// Order 3. Friction decays for h λ < 2.512745; undamped springs are stable for h ω < √3. Source:
/// \[kutta1901\].
pub(crate) const TABLEAU: Tableau<3> = Tableau {
    nodes: [0.0, 0.5, 1.0],
    rows: [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [-1.0, 2.0, 0.0]],
    weights: [1.0, 4.0, 1.0],
    divisor: 6.0,
    order: 3,
};

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "rk3",
    about: "Kutta's third order: three evaluations a step",
    keys: &[],
    page: Page {
        formula: "Three stages of order 3, weighted 1/6, 2/3, 1/6",
        creep: "",
        stiffness: "Decay: h λ < 2.5127. Oscillation: h ω < 1.7321.",
        when: "Between heun and rk4, in cost and in error; the lowest order that is stable for undamped springs among the classical methods.",
        source: "Wilhelm Kutta 1901 [kutta1901]",
    },
    make: |_| Ok(Box::new(RungeKutta::new(&TABLEAU))),
};
