//! Micro-collisions: a resting contact is a series of small collisions, one per step. Contacts are
//! treated one at a time, the fastest first; each gets the velocity after its collision.

use super::depth::push_out;
use super::entry::{AT_REST, enter};
use super::even::spread;
use super::holding::slip_if_sliding;
use super::islands::islands;
use super::problem::{ContactProblem, ContactRow};
use super::rebound::{in_pieces, is_coupled};
use super::{ContactMethod, Impulse};
use crate::contact::near::Near;
use crate::forces::account::{Jump, Missed};
use crate::halt::Halt;
use crate::math::{Vector, larger, smaller};
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::{Coefficients, Memory};
use crate::state::{Configuration, LastStep, State};
use crate::step_error::ContactsUnsolved;
use crate::step_error::StepError;

/// Velocity resolution in the contact basis. For each closing contact, with u the relative velocity and
/// a its part from the last step's acceleration:
///
/// ```text
/// Δu_n = −u_n − e (u_n − min(a_n, 0))      e = 0 below the velocity limit
/// p = K⁻¹ (Δu_n, −u_t)                     static, if |p_t| ≤ μ_s p_n; else
/// p_n = Δu_n/(n·K (n + μ_k t)),  p_t = μ_k p_n t,  t against the slip
/// ```
///
/// Contacts that were at rest slip where they cannot hold together. Where friction couples contacts in an impact,
/// restitution is by energy: see [`in_pieces`].
///
/// Source: \[millington2010\].
#[derive(Debug, Clone)]
pub(crate) struct MicroCollisions {
    /// Whether restitution excludes the velocity from the last step's acceleration.
    removes_acceleration: bool,
    /// Contacts slower than this do not bounce \[m/s\].
    velocity_limit: f64,
    /// Largest number of collisions in one step, per contact.
    iterations: u64,
    /// Tolerance of the relative velocity \[m/s\].
    tolerance: f64,
    near: Vec<Near>,
}

/// Its row.
pub const ENTRY: Entry<ContactMethod> = Entry {
    name: "impulse",
    about: "micro-collisions: contacts one at a time, the fastest first, each made what a collision would leave",
    keys: &[
        Key {
            name: "remove_acceleration",
            kind: Kind::Flag,
            default: Fallback::Flag(true),
            about: "what the acceleration of the last step built up is taken away where something rests: velocity does not bounce, displacement is undone. The first remedy against jitter at rest",
        },
        Key {
            name: "velocity_limit",
            kind: Kind::Number { unit: "m/s", range: Range::NonNegative },
            default: Fallback::Number(0.25),
            about: "contacts that close more slowly do not bounce: the second remedy; 0 switches it off",
        },
        Key {
            name: "iterations",
            kind: Kind::Integer { min: 1, max: 1_000_000 },
            default: Fallback::Integer(1000),
            about: "collisions in one step, per contact there is",
        },
        Key {
            name: "tolerance",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Number(1e-9),
            about: "tolerance of the relative velocity of a contact: smaller ones get no collision",
        },
    ],
    page: Page {
        formula: "Δu_n = −u_n − e (u_n − a_n)       a_n: what the last step's acceleration built up\n\
            p = K⁻¹ (Δu_n, −u_t)               K: velocity per unit impulse; static if |p_t| ≤ μ_s p_n\n\
            p_n = Δu_n/(n·K (n + μ_k t))       else dynamic, p_t = μ_k p_n t, t against the slip\n\
            μ_s is that of what holds or stops within the step; where it slides on, μ_k\n\
            Σ ∫ u_n dp_n = e² of what the compression took     in place of e where friction couples contacts",
        creep: "None: what is at rest is at rest to the tolerance at every step.",
        stiffness: "Nothing is stiff, but for springs. Contacts are solved one after the other: n that bear each other take many iterations, each of which looks at all n.",
        when: "Rigid bodies and games. To see what restitution does at rest: with position-first stepping (explicit-euler) and both remedies off it jitters by up to 3.33 e g h².",
        source: "Ian Millington 2010, Game Physics Engine Development [millington2010]",
    },
    make: |values| {
        let method = MicroCollisions {
            removes_acceleration: values.flag("remove_acceleration"),
            velocity_limit: values.number("velocity_limit"),
            iterations: values.integer("iterations") as u64,
            tolerance: values.number("tolerance"),
            near: Vec::new(),
        };
        Ok(Box::new(ContactMethod::Impulse(Box::new(method))))
    },
};

impl Impulse for MicroCollisions {
    /// Only touching contacts collide.
    fn range(&self, _dt: f64) -> f64 {
        TOUCHING
    }

    fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        taken: &LastStep,
        next: &mut Memory,
        jump: &mut Jump,
    ) -> Result<(), StepError> {
        let at = Configuration { time: taken.end, ..state.configuration() };
        let range = model.surfaces.look_ahead(self.range(taken.h));
        model.surfaces.keep_candidates(&at, range, next);
        model.surfaces.near(&at, range, &mut self.near);
        self.near.retain(|near| near.depth >= -TOUCHING);
        let mut problem =
            ContactProblem::new(model, state, taken.velocities, &self.near, &state.positions);
        let targets: Vec<f64> = problem.rows.iter().map(|row| self.rebound(row)).collect();
        for (row, target) in problem.rows.iter_mut().zip(&targets) {
            slip_if_sliding(row, &state.memory, *target, STILL * self.tolerance);
        }
        for rows in islands(&problem) {
            let task = Task { rows: &rows, targets: &targets, taken, halt: &model.halt };
            jump.iterations += if is_coupled(&problem, &rows, &targets) {
                in_pieces(&mut problem, &rows, &targets, |problem, targets| {
                    let task = Task { targets, ..task };
                    let found = self.resolve_evenly(problem, task);
                    let found = self.or_slip(found, problem, task);
                    self.taken(found, problem, task, jump)
                })?
            } else {
                let found = self.settle(&mut problem, task, jump);
                self.taken(found, &problem, task, jump)?
            };
        }
        let held = self.held(&problem, &targets);
        problem.finish(model, state, taken.kick_share * taken.h, |mover| held[mover]);
        enter(&problem, (taken.h, AT_REST), next, jump);
        push_out(model, state, taken.end, range, &mut self.near);
        Ok(())
    }
}

/// Largest gap of a touching contact \[m\]: far more than the rounding of zero, and a hundredth of the 1e-5 m
/// that a body falls in a step of 1e-3 s.
const TOUCHING: f64 = 1e-7;

/// Slip that counts as none, as multiples of the tolerance: before a step, and after one that is to hold.
const STILL: f64 = 10.0;
const HELD: f64 = 2.0;

/// Tolerance with which contacts are asked whether they hold, as a share of that of a step.
const CLOSELY: f64 = 0.01;

/// Contacts of one island, and the step after which they collide.
#[derive(Clone, Copy)]
struct Task<'a> {
    rows: &'a [usize],
    /// separating velocities after the collisions, of all rows of the problem \[m/s\]
    targets: &'a [f64],
    taken: &'a LastStep<'a>,
    halt: &'a Halt,
}

impl MicroCollisions {
    /// The iterations of a result, whose residual is noted; one that did not converge is taken if it leaves
    /// little.
    fn taken(
        &self,
        found: Result<u64, StepError>,
        problem: &ContactProblem,
        task: Task,
        jump: &mut Jump,
    ) -> Result<u64, StepError> {
        let unsettled = match &found {
            Err(StepError::ContactsUnsolved {
                cause: ContactsUnsolved::NotConverged,
                iterations,
                ..
            }) => Some(*iterations),
            _ => None,
        };
        if unsettled.is_none() && (found.is_err() || self.tolerance <= Missed::NOTHING) {
            return found;
        }
        let missed = missed(problem, task)?;
        match unsettled {
            Some(iterations) if missed.residual <= Missed::LITTLE * missed.made => {
                jump.missed.note(Missed { unsettled: missed.residual, ..missed });
                Ok(iterations)
            }
            Some(_) => found,
            None => {
                jump.missed.note(missed);
                found
            }
        }
    }

    /// Resolves the contacts of an island. One after the other they may slip where together they would hold:
    /// those that slip though they were at rest are tried once more without kinetic friction. Where that trial does
    /// not converge, and they slip in the end, it is undecided whether they hold.
    fn settle(
        &self,
        problem: &mut ContactProblem,
        task: Task,
        jump: &mut Jump,
    ) -> Result<u64, StepError> {
        let rows = task.rows;
        let found = self.resolve_evenly(problem, task);
        let at_rest = |u: &Vector, times: f64| u.yz().norm() <= times * self.tolerance;
        let may_hold = |problem: &ContactProblem, k: usize| {
            let row = &problem.rows[k];
            let pair = row.friction;
            pair.static_friction > pair.kinetic_friction && at_rest(&row.before, STILL)
        };
        let slips = |problem: &ContactProblem, k: usize| {
            let row = &problem.rows[k];
            row.impulse.x > 0.0 && !at_rest(&problem.velocity(row), HELD)
        };
        let fails = matches!(found, Err(StepError::ContactsUnsolved { .. }));
        let asks = |k: &&usize| may_hold(problem, **k) && (fails || slips(problem, **k));
        if rows.len() < 2 || rows.iter().filter(asks).count() == 0 {
            return self.or_slip(found, problem, task);
        }
        let before: Vec<Vector> = rows.iter().map(|k| problem.rows[*k].impulse).collect();
        let holding: Vec<usize> = rows.iter().copied().filter(|k| may_hold(problem, *k)).collect();
        let frictions = with_friction(problem, &holding, |pair| pair.static_friction);
        if fails {
            // nothing to begin with
            rows.iter().for_each(|k| problem.kick(*k, -problem.rows[*k].impulse));
        }
        // contacts at the edge of the cone slip until all agree
        let closely =
            MicroCollisions { tolerance: self.tolerance * CLOSELY, near: Vec::new(), ..*self };
        let held = closely.resolve_evenly(problem, task);
        let holds = held.is_ok() && !holding.iter().any(|k| slips(problem, *k));
        for (k, pair) in holding.iter().zip(frictions) {
            problem.rows[*k].friction = pair;
        }
        if holds {
            return held;
        }
        restore(problem, rows, &before);
        let found = self.or_slip(found, problem, task)?;
        let undecided = held.is_err() && holding.iter().any(|k| slips(problem, *k));
        jump.missed.note(Missed { undecided, ..Missed::default() });
        Ok(found)
    }

    /// A result, or where the contacts do not agree on which of them slip, one without static friction: what holds
    /// by μ_k < μ_s holds by μ_s, and what slips bears μ_k, so that it solves the original problem.
    fn or_slip(
        &self,
        found: Result<u64, StepError>,
        problem: &mut ContactProblem,
        task: Task,
    ) -> Result<u64, StepError> {
        let Err(StepError::ContactsUnsolved {
            cause: ContactsUnsolved::NotConverged,
            iterations,
            ..
        }) = found
        else {
            return found;
        };
        let falls = |k: &&usize| {
            let pair = problem.rows[**k].friction;
            pair.kinetic_friction < pair.static_friction
        };
        let falling: Vec<usize> = task.rows.iter().filter(falls).copied().collect();
        if falling.is_empty() {
            return found;
        }
        let before: Vec<Vector> = task.rows.iter().map(|k| problem.rows[*k].impulse).collect();
        let frictions = with_friction(problem, &falling, |pair| pair.kinetic_friction);
        let slipped = self.resolve_evenly(problem, task);
        for (k, pair) in falling.iter().zip(frictions) {
            problem.rows[*k].friction = pair;
        }
        match slipped {
            Ok(more) => Ok(iterations + more),
            Err(StepError::Stopped) => slipped,
            Err(_) => {
                restore(problem, task.rows, &before);
                found
            }
        }
    }

    /// Resolves some contacts, once more after their load is spread evenly.
    fn resolve_evenly(&self, problem: &mut ContactProblem, task: Task) -> Result<u64, StepError> {
        if task.rows.is_empty() {
            return Ok(0);
        }
        let mut iterations = self.resolve(problem, task)?;
        if spread(problem, task.rows.iter().copied()) > self.tolerance {
            iterations += self.resolve(problem, task)?;
        }
        Ok(iterations)
    }

    /// Treats, one by one, the contact whose velocity is furthest from that after its collision,
    /// until all are within the tolerance. An impulse is reduced where another one separates the
    /// contact too fast.
    fn resolve(&self, problem: &mut ContactProblem, task: Task) -> Result<u64, StepError> {
        let Task { rows, targets, taken, halt } = task;
        let most = self.iterations * rows.len() as u64;
        let mut misses: Vec<f64> = vec![0.0; rows.len()];
        let mut wanted: Vec<Vector> = vec![Vector::zeros(); rows.len()];
        for iteration in 0..most {
            if halt.is_asked() {
                return Err(StepError::Stopped);
            }
            for (place, &number) in rows.iter().enumerate() {
                let row = &problem.rows[number];
                wanted[place] = impulse(row, targets[number], &problem.velocity(row))
                    .map_err(|inverse_mass| no_impulse(row, inverse_mass, taken))?;
                misses[place] = (row.inverse_mass * (wanted[place] - row.impulse)).norm();
            }
            let Some((place, _)) = worst(&misses).filter(|(_, miss)| *miss > self.tolerance) else {
                return Ok(iteration);
            };
            let change = wanted[place] - problem.rows[rows[place]].impulse;
            problem.kick(rows[place], change);
        }
        match worst(&misses) {
            None => Ok(0),
            Some((place, residual)) => Err(StepError::ContactsUnsolved {
                cause: ContactsUnsolved::NotConverged,
                time: taken.end,
                particle: problem.rows[rows[place]].particle(),
                iterations: most,
                residual,
            }),
        }
    }

    /// The separating velocity after a collision \[m/s\]: e times the closing velocity, without the
    /// part of it from the last step's acceleration.
    fn rebound(&self, row: &ContactRow) -> f64 {
        let closing = row.free.x;
        if closing >= 0.0 || -closing < self.velocity_limit {
            return 0.0;
        }
        let built_up =
            if self.removes_acceleration { smaller(closing - row.before.x, 0.0) } else { 0.0 };
        larger(-row.near.restitution * (closing - built_up), 0.0)
    }

    /// Movers at rest: their displacement by the step's acceleration is undone.
    fn held(&self, problem: &ContactProblem, targets: &[f64]) -> Vec<bool> {
        let mut held = vec![self.removes_acceleration; problem.movers()];
        for (row, target) in problem.rows.iter().zip(targets) {
            // a body on another one falls with it
            let gained = larger((row.free.x - row.before.x).abs(), STILL * self.tolerance);
            let resting = row.before.x.abs() <= gained;
            for mover in problem.movers_of(row) {
                held[mover] &= resting && *target == 0.0;
            }
        }
        held
    }
}

/// Gives these contacts back the impulses that they had.
fn restore(problem: &mut ContactProblem, rows: &[usize], before: &[Vector]) {
    for (k, before) in rows.iter().zip(before) {
        problem.kick(*k, before - problem.rows[*k].impulse);
    }
}

/// Gives both coefficients of these contacts the value `of` them; returns those that they had.
fn with_friction(
    problem: &mut ContactProblem,
    rows: &[usize],
    of: impl Fn(&Coefficients) -> f64,
) -> Vec<Coefficients> {
    let one = |k: &usize| {
        let pair = &mut problem.rows[*k].friction;
        let before = *pair;
        (pair.static_friction, pair.kinetic_friction) = (of(&before), of(&before));
        before
    };
    rows.iter().map(one).collect()
}

/// The largest distance of the velocity of one of these contacts from that after its collision; a contact that
/// could hold alone may slip with others by μ_k.
fn missed(problem: &ContactProblem, task: Task) -> Result<Missed, StepError> {
    let Task { rows, targets, taken, .. } = task;
    let mut residual = 0.0;
    for &number in rows {
        let row = &problem.rows[number];
        let u = problem.velocity(row);
        let off = |row: &ContactRow| {
            let wanted = impulse(row, targets[number], &u)?;
            Ok((row.inverse_mass * (wanted - row.impulse)).norm())
        };
        let kinetic_friction = row.friction.kinetic_friction;
        let mut slipping = *row;
        slipping.friction = Coefficients { static_friction: kinetic_friction, kinetic_friction };
        let alone = off(row).map_err(|mass| no_impulse(row, mass, taken))?;
        residual = larger(residual, off(&slipping).map_or(alone, |slips| smaller(alone, slips)));
    }
    Ok(Missed { residual, made: problem.made(rows), ..Missed::default() })
}

/// The contact with the largest distance, and that distance; of equal ones the first.
fn worst(misses: &[f64]) -> Option<(usize, f64)> {
    let misses = misses.iter().copied().enumerate();
    misses.reduce(|worst, other| if other.1 > worst.1 { other } else { worst })
}

/// The reason why no impulse increases the separating velocity.
fn no_impulse(row: &ContactRow, inverse_mass: f64, taken: &LastStep) -> StepError {
    let particle = row.particle();
    let along = row.inverse_mass[(0, 0)];
    if along <= 1e-14 * row.inverse_mass.trace() {
        let (cause, iterations, residual) = (ContactsUnsolved::Infeasible, 0, row.free.x.abs());
        return StepError::ContactsUnsolved {
            cause,
            time: taken.end,
            particle,
            iterations,
            residual,
        };
    }
    let friction = row.friction.kinetic_friction;
    StepError::Painleve { time: taken.end, particle, friction, inverse_mass }
}

/// The whole impulse of a contact, replacing its present one, for the separating velocity `target`
/// without slip, as far as the cone allows. The error is the inverse mass n·K(n + μ_k t), if that
/// is not positive.
fn impulse(row: &ContactRow, target: f64, u: &Vector) -> Result<Vector, f64> {
    let k = row.inverse_mass;
    let without = u - k * row.impulse;
    if without.x >= target {
        return Ok(Vector::zeros());
    }
    let p = row.impulse + row.inverse * Vector::new(target - u.x, -u.y, -u.z);
    let planar = Vector::new(0.0, p.y, p.z);
    let least = 1e-14 * k.trace();
    if k[(0, 0)] > least && p.x >= 0.0 && planar.norm() <= row.friction.static_friction * p.x {
        return Ok(p);
    }
    // on the cone, from call to call, the tangential impulse turns until it opposes the remaining
    // slip
    let slip = Vector::new(0.0, u.y, u.z) / larger(larger(k[(1, 1)], k[(2, 2)]), least);
    let direction = (Vector::new(0.0, row.impulse.y, row.impulse.z) - slip).try_normalize(0.0);
    let direction = direction.or_else(|| planar.try_normalize(0.0)).unwrap_or_default();
    let along = Vector::x() + direction * row.friction.kinetic_friction;
    let inverse_mass = (k * along).x;
    if inverse_mass <= least {
        Err(inverse_mass)
    } else {
        Ok(along * ((target - without.x) / inverse_mass))
    }
}
