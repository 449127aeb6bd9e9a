//! The classical Runge–Kutta method.

use super::Integrator;
use super::runge_kutta::{RungeKutta, Tableau};
use crate::registry::{Entry, Page};

/// Four stages at t, t + h/2, t + h/2, t + h with weights 1/6, 1/3, 1/3, 1/6.
///
/// Order 4. Friction decays for h λ < 2.785294; above, it settles on a spurious constant velocity
/// instead of exploding. Undamped springs are stable for h ω < 2√2. Source: \[kutta1901\].
pub(crate) const TABLEAU: Tableau<4> = Tableau {
    nodes: [0.0, 0.5, 0.5, 1.0],
    rows: [[0.0; 4], [0.5, 0.0, 0.0, 0.0], [0.0, 0.5, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
    weights: [1.0, 2.0, 2.0, 1.0],
    divisor: 6.0,
    order: 4,
};

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "rk4",
    about: "classical Runge–Kutta: order 4, four evaluations a step",
    keys: &[],
    page: Page {
        formula: "The classical four stages of order 4, weighted 1/6, 1/3, 1/3, 1/6",
        creep: "",
        stiffness: "Decay: h λ < 2.7853. Oscillation: h ω < 2.8284.",
        when: "Smooth motion to a few digits more, at four evaluations a step. Above its limit friction settles on a wrong steady speed, which the verdict reports.",
        source: "Wilhelm Kutta 1901 [kutta1901]",
    },
    make: |_| Ok(Box::new(RungeKutta::new(&TABLEAU).for_search())),
};
