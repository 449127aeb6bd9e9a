//! Explicit (forward) Euler.

use super::Integrator;
use super::runge_kutta::{RungeKutta, Tableau};
use crate::registry::{Entry, Page};

/// x' = x + h v, v' = v + h M⁻¹ F(t, x, v), and z' = z + h ż for carried stretch.
///
/// Order 1. Friction decays for h λ < 2; an undamped spring gains energy at every step. Source:
/// \[hairer1993\].
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
    make: |_| Ok(Box::new(RungeKutta::new(&TABLEAU))),
};
