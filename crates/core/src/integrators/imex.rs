//! Springs and friction implicit, normal contact explicit: the step of [`super::implicit_euler`] with lagged
//! normal forces.
//!
//! M (v' − v) = h (N n + F_rest(t + h, x + h v', v')), x' = x + h v'. The force N n along the normal of
//! each contact, and the N of friction, are those of the step's start; springs, friction and all other
//! forces those of its end.
//!
//! Order 1. The matrix is symmetric, and positive definite unless springs are strongly compressed.
//! Springs and friction do not limit the step. The contact does: h ω < 2 (√(1 + ζ²) − ζ) with ω =
//! √(k/m), ζ = c/(2 √(k m)). Source: \[ascher1995\].

use super::Integrator;
use super::implicit::Implicit;
use super::implicit_euler::ImplicitEuler;
use super::stage::{LINEAR_SOLVER, MAX_ITERATIONS, NEWTON_TOLERANCE, Newton};
use crate::registry::{Entry, Key, Page};
use crate::state::Lag;

/// N and the basis are always lagged.
const KEYS: &[Key] = &[NEWTON_TOLERANCE, MAX_ITERATIONS, LINEAR_SOLVER];

/// Its row.
pub const ENTRY: Entry<dyn Integrator> = Entry {
    name: "imex",
    about: "normal contact explicit, springs and friction implicit: order 1, symmetric; h ω < 2 of contacts",
    keys: KEYS,
    page: Page {
        formula: "M (v' − v) = h (N n + F_rest(x + h v', v'))\n\
            x' = x + h v', N n the force along the normals at the start of the step",
        creep: "",
        stiffness: "None from springs and friction. From the contact: h ω < 2 (√(1 + ζ²) − ζ), ω = √(k/m), ζ = c/(2 √(k m)); with restitution given instead of damping ζ follows from it.",
        when: "Small ε and stiff springs on soft ground: friction converges in a few iterations, since N is known. Not with stiff contacts at large steps, nor with adhesion.",
        source: "Uri Ascher, Steven Ruuth and Brian Wetton 1995, Implicit-explicit methods for time-dependent partial differential equations [ascher1995]",
    },
    make: |values| {
        let mut newton = Newton::new(values);
        newton.lag = Lag { normal_force: true, basis: true, normal_contact: true, ..Lag::NONE };
        Ok(Box::new(Implicit::new(ImplicitEuler, newton)))
    },
};
