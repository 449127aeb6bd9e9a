//! Coulomb's law as a set, exactly. Once per step the impulses of all contacts are found together, so
//! that at the step's end there is no penetration, sticking contacts do not move, and sliding contacts
//! are braked by μ p_n against their slip.
//!
//! Time stepping after Moreau and Jean: forces and contacts are not resolved within a step, only
//! impulses over the step \[moreau1988\] \[jean1999\].

mod cone;
#[cfg_attr(not(feature = "conic"), path = "no_conic.rs")]
mod conic;
mod gauss_seidel;
mod hold;
mod mixing;
mod newton;
mod proximal;
mod residuals;
#[cfg(test)]
mod tests;

use super::depth::push_out;
use super::entry::{self, enter};
use super::even::spread;
use super::holding::{record, slip_if_sliding};
use super::islands::islands;
use super::problem::{ContactProblem, ContactRow};
use super::rebound::{in_pieces, is_coupled};
use super::{ContactMethod, Impulse};
use crate::contact::near::Near;
use crate::forces::account::{Jump, Missed};
use crate::halt::Halt;
use crate::math::{Matrix, Vector, larger, smaller, sqrt};
use crate::model::Model;
use crate::registry::{Entry, Fallback, Key, Kind, Page, Range};
use crate::state::memory::Memory;
use crate::state::{Configuration, FASTEST, LastStep, State};
use crate::step_error::ContactsUnsolved;
use crate::step_error::StepError;
use cone::Cone;
use residuals::{impulses, set, worst};

/// Approach speed up to which contacts are found ahead \[m/s\]; faster ones penetrate and are pushed
/// out.
const FAST: f64 = 10.0;

/// Gap that counts as none \[m\]. Otherwise rounding and second-order terms would decide how the points
/// of one body, or the balls of a heap, share a load. It is 1e4 times [`GAP_ROUNDING`].
const TOUCHING: f64 = 1e-9;

/// Rounding error of gaps \[m\], per metre of (1 m + distance from the origin). The gaps of a rigid
/// body's points that close at once differ by as much.
const GAP_ROUNDING: f64 = 1e-13;

/// Slip that counts as none without a record of the last step \[m/s\].
const AT_REST: f64 = 1e-9;

/// Slip that counts as some in units of the residual, and the least one \[m/s\].
const OF_RESIDUAL: f64 = 100.0;
const LEAST_SLIP: f64 = 1e-14;

/// Rounding of a contact's velocity, as a share of the largest speed in its island.
const ROUNDING: f64 = 1e-13;

/// Approach speed, as a share of the slip, up to which a contact cannot stop within the step unless
/// a larger normal impulse drives it in.
const SLOWLY: f64 = 0.1;

/// Cone complementarity. With b = −gap/h, or −e u_n⁻ in an impact, for each contact
///
/// ```text
/// u = u_free + W p
/// 0 ≤ u_n − b ⟂ p_n ≥ 0,   |p_t| ≤ μ p_n,   p_t = −μ p_n u_t/|u_t| where u_t ≠ 0
/// ```
///
/// μ is decided once per step, before the solution: μ_s for contacts that stuck in the last step, are at
/// rest, or would be stopped by μ_k in this step; μ_k for sliding contacts.
#[derive(Debug, Clone)]
pub struct Exact {
    solver: Solver,
    settings: SolverSettings,
    /// Contacts with a slower approach do not bounce \[m/s\].
    velocity_limit: f64,
    near: Vec<Near>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Solver {
    GaussSeidel,
    Conic,
}

/// Limits of a solver.
#[derive(Debug, Clone)]
struct SolverSettings {
    /// Tolerated violation of a contact's conditions \[m/s\].
    tolerance: f64,
    max_iterations: u64,
    /// The request on which a solver leaves, whatever it has reached.
    halt: Halt,
}

/// Contacts without a converged solution.
#[derive(Debug, Clone, Copy)]
struct Unsettled {
    cause: ContactsUnsolved,
    row: usize,
    residual: f64,
    iterations: u64,
}

impl Unsettled {
    /// The iterations of a result that is taken as it is, if it leaves little of what the contacts `made`
    /// \[m/s\].
    fn taken(self, made: f64) -> Result<u64, Unsettled> {
        let little =
            self.cause == ContactsUnsolved::NotConverged && self.residual <= Missed::LITTLE * made;
        if little { Ok(self.iterations) } else { Err(self) }
    }

    fn error(self, problem: &ContactProblem, time: f64) -> StepError {
        let Unsettled { cause, row, residual, iterations } = self;
        let particle = problem.rows[row].particle();
        // a blow-up before the solution is not the contacts' fault
        let lost = cause == ContactsUnsolved::NotConverged && residual >= FASTEST;
        match lost || !residual.is_finite() {
            true => StepError::BlownUp { time, particle },
            false => StepError::ContactsUnsolved { cause, time, particle, iterations, residual },
        }
    }
}

/// The row of the method.
pub const ENTRY: Entry<ContactMethod> = Entry {
    name: "exact",
    about: "cone complementarity: all contacts together, so that nothing enters and what holds does not creep",
    keys: &[
        Key {
            name: "solver",
            kind: Kind::Word(&["gauss-seidel", "conic"]),
            default: Fallback::Text("gauss-seidel"),
            about: "gauss-seidel: contact by contact, to the tolerance; conic: cone programmes, to about 1e-6 of the velocities, a reference for few contacts",
        },
        Key {
            name: "tolerance",
            kind: Kind::Number { unit: "m/s", range: Range::Positive },
            default: Fallback::Number(5e-13),
            about: "by how much a contact may break its conditions at the end of a step, beyond the rounding of the velocities; what max_iterations leave is taken up to a thousandth of what the contacts made of velocities, and told",
        },
        Key {
            name: "max_iterations",
            kind: Kind::Integer { min: 1, max: 10_000_000 },
            default: Fallback::Integer(2_000),
            about: "sweeps over contacts that feel each other, in one step",
        },
        Key {
            name: "velocity_limit",
            kind: Kind::Number { unit: "m/s", range: Range::NonNegative },
            default: Fallback::Number(0.01),
            about: "contacts that close more slowly do not bounce, so that what comes to rest rests",
        },
    ],
    page: Page {
        formula: "u = u_free + W p,   0 ≤ u_n − b ⟂ p_n ≥ 0,   b = −gap/h, or −e u_n⁻ in an impact\n\
            Σ ∫ u_n dp_n = e² of what the compression took     in place of e where friction couples contacts\n\
            −û ∈ N(p),   û = u − b n + μ|u_t| n      N: normal cone of |p_t| ≤ μ p_n",
        creep: "None: below the cone u_t = 0 at every step, to the solver's tolerance.",
        stiffness: "Nothing is stiff, but for springs. Contacts that bear each other, of one rigid body or in a pile, are solved together; single particles on colliders at once.",
        when: "Where what holds must hold, and as the limit of every penalty law. Of order one in the step. The impulse of a rigid contact need not be unique where there are more contacts than motions; sliding with much friction it may not exist (Painlevé), and the run ends with an error.",
        source: "Jean Jacques Moreau 1988, Unilateral contact and dry friction in finite freedom dynamics [moreau1988]; Michel Jean 1999, The non-smooth contact dynamics method [jean1999]; Géry de Saxcé and Zhi-Qiang Feng 1998, The bipotential method [desaxce1998]; Vincent Acary and Bernard Brogliato 2008, Numerical Methods for Nonsmooth Dynamical Systems [acary2008]",
    },
    make: |values| {
        let method = Exact {
            solver: match values.text("solver") {
                "conic" => conic::available().map(|()| Solver::Conic)?,
                _ => Solver::GaussSeidel,
            },
            settings: SolverSettings {
                tolerance: values.number("tolerance"),
                max_iterations: values.integer("max_iterations") as u64,
                halt: Halt::default(),
            },
            velocity_limit: values.number("velocity_limit"),
            near: Vec::new(),
        };
        Ok(Box::new(ContactMethod::Impulse(Box::new(method))))
    },
};

impl Impulse for Exact {
    fn range(&self, dt: f64) -> f64 {
        FAST * dt
    }

    fn apply(
        &mut self,
        model: &Model,
        state: &mut State,
        taken: &LastStep,
        next: &mut Memory,
        jump: &mut Jump,
    ) -> Result<(), StepError> {
        self.settings.halt.clone_from(&model.halt);
        let at_end = Configuration { time: taken.end, ..state.configuration() };
        let range = model.surfaces.look_ahead(self.range(taken.h));
        model.surfaces.keep_candidates(&at_end, range, next);
        let at_start = Configuration {
            positions: taken.positions,
            velocities: taken.velocities,
            ..state.configuration()
        };
        model.surfaces.near(&at_start, range, &mut self.near);
        if taken.kick_share < 1.0 {
            self.near.retain(|near| closes(near, state, taken));
        }
        let mut problem =
            ContactProblem::new(model, state, taken.velocities, &self.near, taken.positions);
        let mut cones = self.cones(&mut problem, &state.memory, taken);
        let mut missed = Missed::default();
        let (iterations, residual) =
            self.solve(&mut problem, &mut cones, state, taken, &mut missed)?;
        jump.iterations += iterations;
        jump.missed = missed;
        refuse_paradox(&problem, &cones, taken)?;
        problem.finish(model, state, taken.kick_share * taken.h, |_| true);
        move_by_velocities(&problem, model, state, taken);
        hold::hold(&problem, model, state, taken);
        // what slips faster than the solution is exact does slip
        let slack = cones.iter().map(|cone| cone.slack).fold(0.0, larger);
        let exact_to = OF_RESIDUAL * (residual + slack);
        let at_rest = larger(smaller(exact_to, entry::AT_REST), LEAST_SLIP);
        enter(&problem, (taken.h, at_rest), next, jump);
        push_out(model, state, taken.end, range, &mut self.near);
        Ok(())
    }
}

impl Exact {
    /// The conditions of all contacts. The static coefficient of a row stays μ_s if its contact
    /// holds or stops in this step, and becomes μ_k otherwise; after the solution it separates
    /// sticking from sliding contacts.
    fn cones(&self, problem: &mut ContactProblem, memory: &Memory, taken: &LastStep) -> Vec<Cone> {
        let condition = |row: &mut ContactRow| {
            let target = self.target(row, taken);
            slip_if_sliding(row, memory, target, AT_REST);
            let mut cone = Cone::new(row, row.friction.static_friction, target);
            if target < 0.0 {
                cone.slack = GAP_ROUNDING * (1.0 + row.near.point.norm()) / taken.h;
            }
            cone
        };
        problem.rows.iter_mut().map(condition).collect()
    }

    /// The least separating velocity b \[m/s\].
    fn target(&self, row: &ContactRow, taken: &LastStep) -> f64 {
        let gap = larger(-row.near.depth - TOUCHING, 0.0);
        let velocity_first = taken.kick_share >= 1.0;
        let hits = !velocity_first || gap + taken.h * row.free.x < 0.0;
        if hits && row.before.x < -self.velocity_limit && row.near.restitution > 0.0 {
            return -row.near.restitution * row.before.x;
        }
        // positions at the step's end follow from the velocities: the gap may just close
        if velocity_first { -gap / taken.h } else { 0.0 }
    }

    /// Solves island by island; returns the sum of iterations and the largest residual \[m/s\], and writes one
    /// that is too large to `missed`.
    fn solve(
        &self,
        problem: &mut ContactProblem,
        cones: &mut [Cone],
        state: &State,
        taken: &LastStep,
        missed: &mut Missed,
    ) -> Result<(u64, f64), StepError> {
        let (mut iterations, mut largest) = (0, 0.0);
        let targets: Vec<f64> = cones.iter().map(|cone| cone.target).collect();
        for island in islands(problem) {
            let fastest =
                island.iter().fold(0.0, |most, k| larger(most, speed(&problem.rows[*k], state)));
            let tolerance = larger(self.settings.tolerance, ROUNDING * fastest);
            let settings = SolverSettings { tolerance, ..self.settings.clone() };
            if self.solver == Solver::GaussSeidel && island.len() > 1 {
                warm_start(problem, &island, &state.memory, taken);
            }
            let (mut residual, mut unsettled) = (0.0, 0.0);
            let mut solve = |problem: &mut ContactProblem, cones: &[Cone]| {
                let solved = match self.solver {
                    Solver::GaussSeidel => solve_evenly(problem, cones, &island, &settings),
                    Solver::Conic => conic::solve(problem, cones, &island, &settings),
                };
                let left = worst(problem, cones, &island).1;
                residual = larger(residual, left);
                solved.or_else(|failed| {
                    unsettled = larger(unsettled, left);
                    failed.taken(problem.made(&island))
                })
            };
            let solved = if is_coupled(problem, &island, &targets) {
                let solved = in_pieces(problem, &island, &targets, |problem, targets| {
                    island.iter().for_each(|k| cones[*k].target = targets[*k]);
                    solve(problem, cones)
                });
                island.iter().for_each(|k| cones[*k].target = targets[*k]);
                solved
            } else {
                solve(problem, cones)
            };
            iterations += solved.map_err(|unsettled| unsettled.error(problem, taken.end))?;
            largest = larger(largest, residual);
            if self.settings.tolerance > Missed::NOTHING || residual > tolerance || unsettled > 0.0
            {
                let made = problem.made(&island);
                missed.note(Missed { residual, made, unsettled, ..Missed::default() });
            }
        }
        Ok((iterations, largest))
    }
}

/// Gauss–Seidel sweeps, then more of them after the load is spread evenly. Of several solutions the even
/// one is preferred; if it does not converge, the first one stands.
fn solve_evenly(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
) -> Result<u64, Unsettled> {
    let sweeps = gauss_seidel::solve(problem, cones, island, settings)?;
    let found = impulses(problem, island);
    if spread(problem, island.iter().copied()) <= settings.tolerance {
        return Ok(sweeps);
    }
    match gauss_seidel::solve(problem, cones, island, settings) {
        Ok(more) => Ok(sweeps + more),
        Err(unsettled) => {
            set(problem, island, &found);
            Ok(sweeps + unsettled.iterations)
        }
    }
}

/// The largest speed of a contact's particles and of the collider's surface \[m/s\].
fn speed(row: &ContactRow, state: &State) -> f64 {
    let ends = row.near.ends.iter().map(|(i, _)| state.velocities[i].norm());
    ends.fold(row.near.surface_velocity.norm(), larger)
}

/// Whether a contact touches, at the start or after the method has moved its particles.
fn closes(near: &Near, state: &State, taken: &LastStep) -> bool {
    let mut moved = near.surface_velocity * -taken.h;
    for (end, (i, _)) in near.ends.iter().enumerate() {
        moved += near.blocks[end] * (state.positions[i] - taken.positions[i]);
    }
    let gap = -near.depth;
    gap <= TOUCHING || gap + near.normal.dot(&moved) <= TOUCHING
}

/// Moves particles with a contact impulse by their velocities. A method that moves them under the forces
/// within the step ignores the contacts: the difference is of order h⁴ and higher, and sticking contacts
/// would creep by it.
fn move_by_velocities(
    problem: &ContactProblem,
    model: &Model,
    state: &mut State,
    taken: &LastStep,
) {
    for row in problem.rows.iter().filter(|row| row.impulse.x > 0.0) {
        for (i, weight) in row.near.ends.iter() {
            if weight != 0.0 && model.rigid_of(i).is_none() {
                let (before, after) = (taken.velocities[i], state.velocities[i]);
                let mean = before + (after - before) * taken.kick_share;
                state.positions[i] = taken.positions[i] + mean * taken.h;
            }
        }
    }
}

/// Starts the contacts of an island from their impulses of the last step.
fn warm_start(problem: &mut ContactProblem, island: &[usize], memory: &Memory, taken: &LastStep) {
    for k in island {
        let row = &problem.rows[*k];
        let Some(contact) = record(&row.near, memory) else { continue };
        // p_t in the frame, whose tangents need be neither unit nor orthogonal
        let components = row.frame.tr_mul(&contact.friction);
        let mut metric: Matrix = row.frame.tr_mul(&row.frame);
        metric[(0, 0)] = 1.0;
        for tangent in 1..3 {
            metric[(0, tangent)] = 0.0;
            metric[(tangent, 0)] = 0.0;
        }
        let inverse = metric.try_inverse().unwrap_or_else(Matrix::zeros);
        let along = inverse * Vector::new(0.0, components.y, components.z);
        let p = Vector::new(contact.normal_force, along.y, along.z) * taken.h;
        problem.kick(*k, p);
    }
}

/// Painlevé's paradox: where a contact slides along t with n·K(n − μ t) ≤ 0, a larger normal impulse
/// drives the contact deeper. Only a jolt that stops the slip at once satisfies the conditions of the
/// step, although the surfaces hardly approach: rigid bodies with dry friction have no other motion.
fn refuse_paradox(
    problem: &ContactProblem,
    cones: &[Cone],
    taken: &LastStep,
) -> Result<(), StepError> {
    for (row, cone) in problem.rows.iter().zip(cones) {
        let slip = sqrt(row.before.y * row.before.y + row.before.z * row.before.z);
        let closing = larger(-row.free.x, -row.before.x);
        if row.impulse.x <= 0.0 || slip <= AT_REST || closing > SLOWLY * slip {
            continue;
        }
        let direction = [row.before.y / slip, row.before.z / slip];
        let inverse_mass = cone.inverse_mass_in_slip(direction);
        let after = problem.velocity(row);
        let left = after.y * direction[0] + after.z * direction[1];
        if inverse_mass <= 0.0 && left <= 0.5 * slip {
            return Err(StepError::Painleve {
                time: taken.end,
                particle: row.particle(),
                friction: cone.friction,
                inverse_mass,
            });
        }
    }
    Ok(())
}
