//! Particles held on a surface or a curve φ(x, y, z) = 0 by Lagrange multipliers, with Coulomb friction
//! in proportion to them.
//!
//! ```text
//! m ẍ = F + Gᵀλ − μ |Gᵀλ| v/|v|,   φ(x) = 0,   G = ∂φ/∂x
//! ```
//!
//! One φ leaves a surface (in a planar scene a curve), two leave a curve in space. λ is unknown when
//! friction is evaluated; the [`Coupling`]s are the ways to deal with that.

mod local;
mod reduced;
mod stepped;

pub use local::{CurveFormula, Local};

use super::Constraint;
use crate::forces::account::Jump;
use crate::forces::account::Ledger;
use crate::math::Vector;
use crate::state::memory::{Memory, OnCurve};
use crate::state::{Configuration, LastStep, State};

/// Coupling of friction and the multiplier; the index k marks the step before, ⁺ the new values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coupling {
    /// −μ |Gᵀλ_k| v⁺/|v_k|: linear in the new velocity. Friction never reverses a particle, and stops it
    /// late.
    VelocityLinear,
    /// −μ (n_k·Gᵀλ⁺) v_k/|v_k| with n_k along Gᵀλ_k; for one φ, n_k·Gᵀλ⁺ = λ⁺ sign(λ_k) |∇φ|.
    /// Linear in the new multiplier.
    #[default]
    MultiplierLinear,
    /// −μ |Gᵀλ_k| v_k/|v_k|: known from the step before.
    Lagged,
    /// The index-reduced form: λ from the forces and velocities of the same instant, for any explicit
    /// method.
    Reduced,
}

/// The words of `coupling`.
pub const COUPLINGS: &[&str] = &["velocity-linear", "multiplier-linear", "lagged", "reduced"];

impl Coupling {
    /// The coupling with this word.
    pub fn named(word: &str) -> Option<Coupling> {
        Some(match word {
            "velocity-linear" => Coupling::VelocityLinear,
            "multiplier-linear" => Coupling::MultiplierLinear,
            "lagged" => Coupling::Lagged,
            "reduced" => Coupling::Reduced,
            _ => return None,
        })
    }

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            Coupling::VelocityLinear => "velocity-linear",
            Coupling::MultiplierLinear => "multiplier-linear",
            Coupling::Lagged => "lagged",
            Coupling::Reduced => "reduced",
        }
    }
}

/// Friction on a curve.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Friction {
    /// μ_k.
    pub kinetic: f64,
    /// μ_s ≥ μ_k: the limit of a particle at rest.
    pub static_: f64,
    /// Its coupling to the multiplier.
    pub coupling: Coupling,
    /// Whether a particle whose velocity would reverse is held by the condition v = 0, as long as the
    /// force is at most μ_s |Gᵀλ|.
    pub rest: bool,
}

/// Some particles on φ = 0.
#[derive(Debug, Clone)]
pub struct Curve {
    /// One φ or two.
    pub formulas: Vec<CurveFormula>,
    /// The particles, ascending.
    pub particles: Vec<usize>,
    /// 1/m of each, per axis \[1/kg\]; zero on held axes.
    pub inverse_masses: Vec<Vector>,
    /// The locked axis of a planar scene.
    pub locked_axis: Option<usize>,
    /// Friction.
    pub friction: Friction,
    /// Share of the distance from the curve corrected per step (Baumgarte).
    pub stabilisation: f64,
    /// Whether positions are projected onto the curve after every step.
    pub projection: bool,
    /// Place of its first particle in [`Memory::on_curves`].
    pub first: usize,
}

impl Curve {
    /// φ and its derivatives at a point, for its particle number `k`.
    fn at(&self, k: usize, x: &Vector) -> Local {
        Local::new(&self.formulas, x, self.inverse_masses[k], self.locked_axis)
    }

    /// Memory of its particle number `k`.
    fn remembered<'a>(&self, k: usize, memory: &'a Memory) -> Option<&'a OnCurve> {
        memory.on_curves.get(self.first + k)
    }
}

impl Constraint for Curve {
    fn add_reaction(&self, at: &Configuration, f: &mut [Vector]) {
        if self.friction.coupling != Coupling::Reduced {
            return;
        }
        for (k, &i) in self.particles.iter().enumerate() {
            let reaction = self.reaction(k, at, &f[i]);
            f[i] += reaction.constraint + reaction.friction;
        }
    }

    fn acts_in_steps(&self) -> bool {
        self.friction.coupling != Coupling::Reduced
    }

    fn enter(
        &self,
        at: &Configuration,
        applied: &[Vector],
        ledger: &mut Ledger,
        next: &mut Memory,
    ) {
        let reduced = self.friction.coupling == Coupling::Reduced;
        for (k, &i) in self.particles.iter().enumerate() {
            let place = self.first + k;
            // at t = 0 there is no earlier step, for any coupling
            let known = next.on_curves.len() > place;
            if known && !reduced {
                continue;
            }
            let now = self.enter_reduced(k, at, &applied[i]);
            if reduced {
                let power = now.friction.dot(&at.velocities[i]);
                ledger.enter(i, |account| account.dissipated_friction_slip -= power);
            }
            if known {
                next.on_curves[place] = now;
            } else {
                next.on_curves.push(now);
            }
        }
    }

    fn settle(&self, state: &mut State, taken: &LastStep, next: &mut Memory, jump: &mut Jump) {
        next.on_curves.truncate(self.first);
        for k in 0..self.particles.len() {
            let on = match self.friction.coupling {
                Coupling::Reduced => self.settle_reduced(k, state, taken),
                _ => self.settle_stepped(k, state, taken, jump),
            };
            next.on_curves.push(on);
        }
    }

    fn curve(&self) -> Option<&Curve> {
        Some(self)
    }
}

impl Curve {
    /// Projects a position onto the curve.
    fn project(&self, k: usize, x: &mut Vector) {
        for _ in 0..PROJECTIONS {
            let local = self.at(k, x);
            *x -= local.shift(local.values);
        }
    }
}

/// Newton steps of a projection; each squares a small distance.
const PROJECTIONS: usize = 3;
