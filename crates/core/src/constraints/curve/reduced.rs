//! The index-reduced form: the reaction as a force, for any explicit method.
//!
//! ```text
//! G W Gᵀ λ = −(G W F + Ġ v)
//! ```
//!
//! with F the applied force. Friction reverses with the velocity, and no method tolerates a force
//! that jumps within its step. So the direction of friction is kept over a step, and the error this
//! makes after a reversal of the velocity is corrected when the step is settled.

use super::Curve;
use super::local::{Local, turning, unit};
use crate::math::Vector;
use crate::state::memory::OnCurve;
use crate::state::{Configuration, LastStep, Past, State};

/// The reaction on one particle.
pub(crate) struct Reaction {
    /// λ.
    multipliers: [f64; 2],
    /// Gᵀλ \[N\].
    pub constraint: Vector,
    /// Friction \[N\].
    pub friction: Vector,
    /// Unit vector opposite to kinetic friction.
    direction: Vector,
    resting: bool,
    /// Load on static friction \[N\].
    drive: f64,
}

/// The end of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CurveEnd {
    Onward,
    Turned,
    Stopped,
}

impl Curve {
    /// The reaction on its particle number `k`, for the applied force on it \[N\].
    pub(super) fn reaction(&self, k: usize, at: &Configuration, applied: &Vector) -> Reaction {
        let i = self.particles[k];
        let (x, v) = (&at.positions[i], &at.velocities[i]);
        let local = self.at(k, x);
        let (pull, turn) = (local.across(&local.yielding(applied)), turning(&self.formulas, x, v));
        let multipliers = local.solve([-(pull[0] + turn[0]), -(pull[1] + turn[1])]);
        let constraint = local.force(multipliers);
        let hold = local.free(&-(applied + constraint));
        let mut reaction = Reaction {
            multipliers,
            constraint,
            friction: Vector::zeros(),
            direction: Vector::zeros(),
            resting: false,
            drive: hold.norm(),
        };
        let load = constraint.norm();
        let slip = local.tangential(v);
        // within a step the last commit decides: the force must not jump
        let decided = self.remembered(k, at.memory).filter(|_| at.within_step);
        let at_rest = slip == Vector::zeros() && self.friction.rest;
        reaction.resting = match decided {
            Some(before) => before.resting,
            None => at_rest && hold.norm() <= self.friction.static_ * load,
        };
        if reaction.resting {
            reaction.friction = hold;
            return reaction;
        }
        reaction.direction = match decided {
            Some(before) => continued(&local, &slip, &before.direction),
            None if slip != Vector::zeros() => unit(slip),
            None => unit(-hold),
        };
        reaction.friction = reaction.direction * (-self.friction.kinetic * load);
        reaction
    }

    /// The record of its particle number `k` at an accepted state.
    pub(super) fn enter_reduced(&self, k: usize, at: &Configuration, applied: &Vector) -> OnCurve {
        let reaction = self.reaction(k, at, applied);
        let i = self.particles[k];
        let (local, v) = (self.at(k, &at.positions[i]), &at.velocities[i]);
        let slip = local.tangential(v);
        OnCurve {
            particle: i,
            multipliers: reaction.multipliers,
            constraint_force: reaction.constraint,
            friction: reaction.friction,
            direction: reaction.direction,
            resting: reaction.resting,
            slip,
            normal_speed: (v - slip).norm(),
            distance: local.distance(),
            drive: reaction.drive,
            most_friction: self.friction.kinetic * reaction.constraint.norm(),
            inverse_mass: local.inverse_mass(),
            lag: 0.0,
        }
    }

    /// Settles a step of its particle number `k`: corrects or stops it where its velocity reversed, and
    /// moves it towards the curve. Its memory follows at the commit.
    pub(super) fn settle_reduced(&self, k: usize, state: &mut State, taken: &LastStep) -> OnCurve {
        let i = self.particles[k];
        let before = self.remembered(k, &state.memory).copied();
        let (mut x, mut v) = (state.positions[i], state.velocities[i]);
        match before {
            Some(before) if before.resting && v == taken.velocities[i] => {}
            Some(before) => {
                let end = self.turn(k, &before, taken, &mut x, &mut v);
                self.stabilise(k, &mut x, &mut v);
                if end == CurveEnd::Stopped {
                    v = self.at(k, &x).held(&v);
                }
                if end != CurveEnd::Onward {
                    // rates before the reversal must not be used after it
                    state.past = Past::default();
                }
            }
            None => self.stabilise(k, &mut x, &mut v),
        }
        (state.positions[i], state.velocities[i]) = (x, v);
        OnCurve::default()
    }

    /// Corrects the effect of friction in its kept direction after the velocity reversed, over the last
    /// part τ of the step:
    ///
    /// ```text
    /// τ = h |v⁺|/(|v| + |v⁺|),   v⁺ += 2 μ|Gᵀλ|/m τ,   x⁺ += μ|Gᵀλ|/m τ²
    /// ```
    ///
    /// If static friction bears the load there, the particle stops instead at the point of reversal.
    fn turn(
        &self,
        k: usize,
        before: &OnCurve,
        taken: &LastStep,
        x: &mut Vector,
        v: &mut Vector,
    ) -> CurveEnd {
        let local = self.at(k, x);
        let forward = unit(local.tangential(&before.direction));
        let (start, end) = (before.slip.dot(&before.direction), local.tangential(v).dot(&forward));
        if end >= 0.0 || self.friction.kinetic == 0.0 && !self.friction.rest {
            return CurveEnd::Onward;
        }
        let rest = taken.h * end / (end - start);
        let braked = before.most_friction * local.inverse_mass();
        // deceleration without friction
        let drive = -end / rest - braked;
        let bears = self.friction.static_ * before.constraint_force.norm() * local.inverse_mass();
        if self.friction.rest && drive.abs() <= bears {
            *x -= forward * (0.5 * end * rest);
            return CurveEnd::Stopped;
        }
        if drive > braked {
            *v += forward * (2.0 * braked * rest);
            *x += forward * (braked * rest * rest);
        }
        CurveEnd::Turned
    }

    /// Corrects the distance from the curve and the velocity across it: a share of each, or all
    /// with projection.
    fn stabilise(&self, k: usize, x: &mut Vector, v: &mut Vector) {
        if self.projection {
            self.project(k, x);
            *v = self.at(k, x).tangential(v);
        } else if self.stabilisation > 0.0 {
            let local = self.at(k, x);
            let off = local.shift(local.across(v));
            *x -= local.shift(local.values) * self.stabilisation;
            *v -= off * self.stabilisation;
        }
    }
}

/// The direction of friction until the step's end: that of the slip, on the side of the previous
/// direction.
fn continued(local: &Local, slip: &Vector, before: &Vector) -> Vector {
    let side = slip.dot(before);
    if side == 0.0 {
        return unit(local.tangential(before));
    }
    unit(*slip) * if side > 0.0 { 1.0 } else { -1.0 }
}
