//! Velocity-first time stepping with multipliers: one small linear system per particle for the new
//! velocity v⁺ and the new multiplier λ⁺, from the velocity under the applied forces alone.
//!
//! ```text
//! v⁺ = v_free + h W (Gᵀλ⁺ + friction),   G v⁺ = −stabilisation φ/h,   x⁺ = x + h v⁺
//! ```
//!
//! G is that of the step's start. Source of the right-hand side of G v⁺: \[baumgarte1972\]. With
//! projection it is −½ h vᵀ(∂²φ/∂x²)v instead, so that x⁺ is on the curve to second order, and the
//! remaining φ(x⁺) is corrected along the same G: SHAKE \[ryckaert1977\].

use super::local::{CurveRows, Local, solve, turning, unit};
use super::{Coupling, Curve, PROJECTIONS};
use crate::forces::account::Jump;
use crate::math::Vector;
use crate::state::memory::OnCurve;
use crate::state::{LastStep, State};

/// The system of one particle over one step.
struct CurveProblem {
    local: Local,
    h: f64,
    /// The wanted value of G v⁺.
    wanted: CurveRows,
    /// Velocity at the start \[m/s\].
    start: Vector,
    /// Velocity under the applied forces \[m/s\].
    free: Vector,
    /// Gᵀλ_k of the step before, with the present G \[N\].
    lagged: Vector,
    /// The unit vector opposite to friction.
    direction: Vector,
    /// Speed along `direction` at the start \[m/s\]; from rest, the speed given by the applied
    /// forces.
    speed: f64,
    from_rest: bool,
}

/// Its solution.
struct CurveSolved {
    velocity: Vector,
    multipliers: CurveRows,
    /// Gᵀλ⁺ \[N\].
    constraint: Vector,
    /// Friction \[N\].
    friction: Vector,
    resting: bool,
}

impl Curve {
    /// Settles a step of its particle number `k`.
    pub(super) fn settle_stepped(
        &self,
        k: usize,
        state: &mut State,
        taken: &LastStep,
        jump: &mut Jump,
    ) -> OnCurve {
        let i = self.particles[k];
        let problem = self.problem(k, state, taken);
        let mut solved = self.solved(&problem);
        let CurveProblem { local, h, .. } = problem;
        // velocity first: positions follow the new velocity
        let gained = solved.velocity - problem.free;
        state.positions[i] += gained * (h * taken.kick_share);
        if self.projection && solved.resting {
            self.project(k, &mut state.positions[i]);
        } else if self.projection {
            self.shake(k, &problem, &mut solved, &mut state.positions[i]);
        }
        state.velocities[i] = solved.velocity;
        book(i, &problem, &solved, jump);
        let end = self.at(k, &state.positions[i]);
        let slip = end.tangential(&solved.velocity);
        let drive = local.tangential(&(problem.free - problem.start)) / (h * local.inverse_mass());
        let load = solved.constraint.norm();
        OnCurve {
            particle: i,
            multipliers: solved.multipliers,
            constraint_force: solved.constraint,
            friction: solved.friction,
            direction: unit(slip),
            resting: solved.resting,
            slip,
            normal_speed: (solved.velocity - slip).norm(),
            distance: end.distance(),
            drive: drive.norm(),
            most_friction: self.friction.kinetic * load,
            inverse_mass: local.inverse_mass(),
            lag: match self.friction.coupling {
                _ if solved.resting => 0.0,
                Coupling::VelocityLinear | Coupling::Lagged => (load - problem.lagged.norm()).abs(),
                _ => 0.0,
            },
        }
    }

    /// Moves the new position onto the curve by an impulse along the G of the step's start, which
    /// changes the velocity too. Source: \[ryckaert1977\].
    fn shake(&self, k: usize, problem: &CurveProblem, solved: &mut CurveSolved, x: &mut Vector) {
        let CurveProblem { local, h, .. } = problem;
        for _ in 0..PROJECTIONS {
            let end = self.at(k, x);
            let columns = local.gradients.map(|g| end.across(&local.yielding(&g)));
            let matrix = [[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]];
            let multipliers = solve(matrix, end.values.map(|phi| -phi), local.count);
            let push = local.yielding(&local.force(multipliers));
            *x += push;
            solved.velocity += push / *h;
            for (all, more) in solved.multipliers.iter_mut().zip(multipliers) {
                *all += more / (h * h);
            }
        }
        solved.constraint = local.force(solved.multipliers);
    }

    fn problem(&self, k: usize, state: &State, taken: &LastStep) -> CurveProblem {
        let i = self.particles[k];
        let local = self.at(k, &taken.positions[i]);
        let (start, free) = (taken.velocities[i], state.velocities[i]);
        // G v⁺ that undoes the change of φ of second order in h if the position is then projected,
        // else a share of φ
        let wanted = if self.projection {
            turning(&self.formulas, &taken.positions[i], &start).map(|row| -0.5 * taken.h * row)
        } else {
            local.values.map(|phi| -self.stabilisation * phi / taken.h)
        };
        let before = self.remembered(k, &state.memory);
        let slip = local.tangential(&start);
        let from_rest = slip == Vector::zeros() || before.is_some_and(|before| before.resting);
        let along = if from_rest { local.tangential(&free) } else { slip };
        CurveProblem {
            h: taken.h,
            wanted,
            start,
            free,
            lagged: before.map_or(Vector::zeros(), |before| local.force(before.multipliers)),
            direction: unit(along),
            speed: along.norm(),
            from_rest,
            local,
        }
    }

    fn solved(&self, problem: &CurveProblem) -> CurveSolved {
        let mu = self.friction.kinetic;
        let sliding = match self.friction.coupling {
            _ if mu == 0.0 => problem.lagged(0.0),
            Coupling::VelocityLinear => problem.velocity_linear(mu),
            Coupling::MultiplierLinear | Coupling::Reduced => problem.multiplier_linear(mu),
            Coupling::Lagged => problem.lagged(mu),
        };
        if self.friction.rest && self.friction.static_ > 0.0 && problem.reverses(&sliding, mu) {
            let held = problem.held();
            if held.friction.norm() <= self.friction.static_ * held.constraint.norm() {
                return held;
            }
        }
        sliding
    }
}

impl CurveProblem {
    /// Residual of the condition on G v⁺ at the velocity `v`: wanted − present.
    fn missing(&self, v: &Vector) -> CurveRows {
        let has = self.local.across(v);
        [self.wanted[0] - has[0], self.wanted[1] - has[1]]
    }

    fn solution(&self, impulses: CurveRows, friction: Vector) -> CurveSolved {
        let constraint = self.local.force(impulses) / self.h;
        let velocity = self.free + self.local.yielding(&(constraint + friction)) * self.h;
        let multipliers = impulses.map(|p| p / self.h);
        CurveSolved { velocity, multipliers, constraint, friction, resting: false }
    }

    /// Friction −μ |Gᵀλ_k| t⁺/|v_k|, with t⁺ the part of v⁺ along the curve. It does not enter the
    /// condition on λ⁺, so t⁺ = t_free |v_k|/(|v_k| + h μ |Gᵀλ_k|/m).
    fn velocity_linear(&self, mu: f64) -> CurveSolved {
        let most = mu * self.lagged.norm();
        let resistance = self.speed + self.h * most * self.local.inverse_mass();
        if resistance == 0.0 {
            return self.lagged(0.0);
        }
        let friction = self.local.tangential(&self.free) * (-most / resistance);
        self.solution(self.local.solve(self.missing(&self.free)), friction)
    }

    /// Friction −μ (n_k·Gᵀλ⁺) t, with t the direction of v_k and n_k that of Gᵀλ_k:
    /// h G W (Gᵀ − μ t (G n_k)ᵀ) λ⁺ = wanted − G v_free.
    fn multiplier_linear(&self, mu: f64) -> CurveSolved {
        let local = &self.local;
        let normal = match self.lagged == Vector::zeros() {
            // without a past, that of the step without friction
            true => unit(local.force(local.solve(self.missing(&self.free)))),
            false => unit(self.lagged),
        };
        let share = local.across(&normal);
        let columns: [CurveRows; 2] = std::array::from_fn(|row| {
            let force = local.gradients[row] - self.direction * (mu * share[row]);
            local.across(&local.yielding(&force))
        });
        let matrix = [[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]];
        let impulses = solve(matrix, self.missing(&self.free), local.count);
        let load = normal.dot(&local.force(impulses)) / self.h;
        self.solution(impulses, self.direction * (-mu * load))
    }

    /// Friction −μ |Gᵀλ_k| t, with t the direction of v_k.
    fn lagged(&self, mu: f64) -> CurveSolved {
        let friction = self.direction * (-mu * self.lagged.norm());
        let rubbed = self.free + self.local.yielding(&friction) * self.h;
        self.solution(self.local.solve(self.missing(&rubbed)), friction)
    }

    /// Whether the particle would reverse within the step, or friction could stop it there.
    fn reverses(&self, sliding: &CurveSolved, mu: f64) -> bool {
        let forward = |v: &Vector| self.local.tangential(v).dot(&self.direction);
        let stopped = self.h * mu * sliding.constraint.norm() * self.local.inverse_mass();
        self.from_rest || forward(&sliding.velocity) <= 0.0 || forward(&self.free) <= stopped
    }

    /// The solution at rest along the curve; its impulse is split into the part across the curve and
    /// that of friction.
    fn held(&self) -> CurveSolved {
        let local = &self.local;
        let moving = local.held(&self.start);
        let velocity = local.shift(self.wanted) + moving;
        let change = local.free(&(velocity - self.free));
        let impulses = local.solve(local.across(&change));
        let constraint = local.force(impulses) / self.h;
        let tangential = change - local.yielding(&local.force(impulses));
        // an axis with a prescribed motion cannot be held at rest
        let out_of_reach = if moving == Vector::zeros() { 1.0 } else { f64::INFINITY };
        CurveSolved {
            velocity,
            multipliers: impulses.map(|p| p / self.h),
            constraint,
            friction: tangential * (out_of_reach / (self.h * local.inverse_mass())),
            resting: true,
        }
    }
}

/// Enters the work of friction, with the mean velocity over the step, and that of prescribed axes.
fn book(particle: usize, problem: &CurveProblem, solved: &CurveSolved, jump: &mut Jump) {
    let mean = (problem.start + solved.velocity) * 0.5;
    let reaction = solved.constraint + solved.friction;
    jump.enter(particle, |flows| {
        flows.friction_slip -= solved.friction.dot(&mean) * problem.h;
        flows.work -= problem.local.held(&reaction).dot(&mean) * problem.h;
    });
}
