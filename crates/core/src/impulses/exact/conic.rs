//! The contacts of an island by cone programmes, as a reference. For a given correction μ|u_t| (De
//! Saxcé's), the conditions are those of the minimum of ½ pᵀ W p + p·(q − b n + μ|u_t| n) over the
//! cones. The correction is then set to that of the solution, until a fixed point is reached. The
//! first programme alone, without correction, is associated friction: it opens as it slides, which
//! is wrong.

use super::cone::Cone;
use super::mixing::Mixing;
use super::residuals::{set, worst};
use super::{SolverSettings, Unsettled};
use crate::impulses::problem::ContactProblem;
use crate::math::{Matrix, Vector, larger, sqrt};
use crate::registry::Problem as Fault;
use crate::step_error::ContactsUnsolved;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolution, DefaultSolver, IPSolver, SolverStatus, SupportedConeT,
    SupportedConeT::*,
};

/// Tolerance of the interior point method, as a share of the impulses that stop the closing velocity.
const INTERIOR: f64 = 1e-12;

/// Least unit of velocity in a programme, as a share of the velocities.
const SMALL: f64 = 1e-6;

/// Residual aimed at, as a share of the velocities.
const AIM: f64 = 1e-10;

/// Number of first programmes whose slips are not mixed.
const PLAIN: u64 = 15;

/// Programmes without gain after which the best result is taken.
const IDLE: usize = 30;

/// Residual of an acceptable solution, as a share of the velocities.
const ACCURACY: f64 = 1e-6;

/// Largest number of programmes for the correction to converge.
const PROGRAMMES: u64 = 500;

/// Whether this build has cone programmes: yes.
pub(super) fn available() -> Result<(), Fault> {
    Ok(())
}

/// Solves the contacts of an island; returns the number of programmes.
pub(super) fn solve(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
) -> Result<u64, Unsettled> {
    let rows: Vec<usize> = island.iter().copied().filter(|k| cones[*k].is_mobile()).collect();
    if rows.is_empty() {
        return Ok(0);
    }
    let programme = Programme::new(problem, cones, &rows);
    let most =
        if settings.max_iterations < PROGRAMMES { settings.max_iterations } else { PROGRAMMES };
    let fail = |problem: &ContactProblem, cause: ContactsUnsolved, iterations: u64| {
        let (row, residual) = worst(problem, cones, &rows);
        Unsettled { cause, row, residual, iterations }
    };
    if is_crushed(problem, cones, &rows) {
        return Err(fail(problem, ContactsUnsolved::Infeasible, 0));
    }
    let [aim, accuracy] =
        [AIM, ACCURACY].map(|share| larger(settings.tolerance, share * programme.speed));
    let mut mixing = Mixing::default();
    let mut slips = vec![0.0; rows.len()];
    let mut best = (worst(problem, cones, &rows).1, vec![Vector::zeros(); rows.len()]);
    let (mut idle, mut count) = (0, 0);
    while best.0 > aim && idle < IDLE && count < most && !settings.halt.is_asked() {
        count += 1;
        // no minimum, since friction that opens would jam: a larger correction has one
        let Ok(impulses) = programme.solve(&slips) else {
            slips.iter_mut().for_each(|slip| *slip += programme.speed);
            mixing = Mixing::default();
            idle += 1;
            continue;
        };
        set(problem, &rows, &impulses);
        let residual = worst(problem, cones, &rows).1;
        idle = if residual < 0.9 * best.0 { 0 } else { idle + 1 };
        if residual < best.0 {
            best = (residual, impulses);
        }
        let seen: Vec<Vector> = rows.iter().map(|k| slip(problem, cones, *k)).collect();
        let given: Vec<Vector> = slips.iter().map(|s| Vector::x() * *s).collect();
        let mixed = match mixing.mix(&given, &seen, rows.iter().map(|_| 1.0)) {
            Some(mixed) if count > PLAIN => mixed,
            _ => seen,
        };
        slips = mixed.iter().map(|s| larger(s.x, 0.0)).collect();
    }
    set(problem, &rows, &best.1);
    if best.0 <= accuracy {
        Ok(count)
    } else {
        Err(fail(problem, ContactsUnsolved::NotConverged, count))
    }
}

/// μ|u_t| of a contact, along its normal \[m/s\].
fn slip(problem: &ContactProblem, cones: &[Cone], k: usize) -> Vector {
    let u = problem.velocity(&problem.rows[k]);
    Vector::x() * (cones[k].friction * sqrt(u.y * u.y + u.z * u.z))
}

/// Whether no velocities keep all contacts apart, with or without friction: then unbounded normal
/// impulses move nothing, and the minimum has no bound.
pub(super) fn is_crushed(problem: &ContactProblem, cones: &[Cone], rows: &[usize]) -> bool {
    let smooth: Vec<Cone> = cones.iter().map(Cone::without_friction).collect();
    let rows: Vec<usize> = rows.iter().copied().filter(|k| cones[*k].is_mobile()).collect();
    if rows.is_empty() {
        return false;
    }
    let programme = Programme::new(problem, &smooth, &rows);
    matches!(programme.solve(&vec![0.0; rows.len()]), Err(ContactsUnsolved::Infeasible))
}

/// The first programme alone: associated friction, whose impulses are Coulomb's only where nothing
/// slips.
#[cfg(test)]
pub(super) fn associated(problem: &mut ContactProblem, cones: &[Cone], island: &[usize]) {
    let programme = Programme::new(problem, cones, island);
    let impulses = programme.solve(&vec![0.0; island.len()]).expect("a solution");
    for (k, p) in island.iter().zip(impulses) {
        problem.kick(*k, p);
    }
}

/// The part common to all programmes of an island in one step, scaled by a speed and an inverse
/// mass.
struct Programme {
    quadratic: CscMatrix<f64>,
    constraints: CscMatrix<f64>,
    bounds: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
    /// q − b n \[m/s\]
    free: Vec<Vector>,
    /// the largest |q − b n| \[m/s\]
    speed: f64,
    /// unit of velocity \[m/s\]
    unit: f64,
    /// unit of impulse \[N·s\]
    impulse: f64,
}

impl Programme {
    fn new(problem: &ContactProblem, cones: &[Cone], rows: &[usize]) -> Self {
        let free: Vec<Vector> =
            rows.iter().map(|k| problem.rows[*k].free - Vector::x() * cones[*k].target).collect();
        let speed = free.iter().fold(f64::MIN_POSITIVE, |most, u| larger(most, u.norm()));
        // slips may be much larger than the closing velocities
        let closing = free.iter().fold(0.0, |most, u| larger(most, -u.x));
        let unit = larger(closing, SMALL * speed);
        let inverse_mass = rows.iter().map(|k| cones[*k].scale()).sum::<f64>() / rows.len() as f64;
        let mut entries: [Vec<usize>; 2] = Default::default();
        let mut values = Vec::new();
        for (j, second) in rows.iter().enumerate() {
            for (i, first) in rows[..=j].iter().enumerate() {
                let block = problem.coupling(*first, *second) / inverse_mass;
                enter_upper(i, j, &block, &mut entries, &mut values);
            }
        }
        let [down, across] = entries;
        let size = 3 * rows.len();
        let quadratic = CscMatrix::new_from_triplets(size, size, down, across, values);
        let frictions = rows.iter().map(|k| cones[*k].friction);
        let (constraints, cones) = constraints(frictions, size);
        let bounds = vec![0.0; constraints.m];
        Programme {
            quadratic,
            constraints,
            bounds,
            cones,
            free,
            speed,
            unit,
            impulse: unit / inverse_mass,
        }
    }

    /// The impulses for given corrections `slips` \[m/s\].
    fn solve(&self, slips: &[f64]) -> Result<Vec<Vector>, ContactsUnsolved> {
        let corrected = self.free.iter().zip(slips).map(|(u, slip)| u + Vector::x() * *slip);
        let linear: Vec<f64> = corrected.flat_map(|u| <[f64; 3]>::from(u / self.unit)).collect();
        // scaling may fail: try without
        let mut best = self.attempt(&linear, true)?;
        if !matches!(best.status, SolverStatus::Solved | SolverStatus::AlmostSolved) {
            let other = self.attempt(&linear, false)?;
            let gap = |s: &DefaultSolution<f64>| (s.obj_val - s.obj_val_dual).abs();
            if gap(&other) < gap(&best) {
                best = other;
            }
        }
        match best.status {
            SolverStatus::DualInfeasible | SolverStatus::AlmostDualInfeasible => {
                Err(ContactsUnsolved::Infeasible)
            }
            // the residual of the contacts decides whether it is good enough
            _ if best.x.iter().all(|p| p.is_finite()) => {
                let impulse = |p: &[f64]| Vector::new(p[0], p[1], p[2]) * self.impulse;
                Ok(best.x.chunks_exact(3).map(impulse).collect())
            }
            _ => Err(ContactsUnsolved::NotConverged),
        }
    }

    fn attempt(
        &self,
        linear: &[f64],
        scaled: bool,
    ) -> Result<DefaultSolution<f64>, ContactsUnsolved> {
        let settings = DefaultSettings::<f64> {
            verbose: false,
            equilibrate_enable: scaled,
            tol_gap_abs: INTERIOR,
            tol_gap_rel: INTERIOR,
            tol_feas: INTERIOR,
            tol_ktratio: INTERIOR,
            max_threads: 1,
            ..DefaultSettings::default()
        };
        let Programme { quadratic, constraints, bounds, cones, .. } = self;
        let mut solver =
            DefaultSolver::new(quadratic, linear, constraints, bounds, cones, settings)
                .map_err(|_| ContactsUnsolved::NotConverged)?;
        solver.solve();
        Ok(solver.solution)
    }
}

/// Enters a block of rows i ≤ j without the entries below the diagonal.
fn enter_upper(
    i: usize,
    j: usize,
    block: &Matrix,
    [down, across]: &mut [Vec<usize>; 2],
    values: &mut Vec<f64>,
) {
    for a in 0..3 {
        for b in 0..3 {
            let (row, column) = (3 * i + a, 3 * j + b);
            if row <= column && block[(a, b)] != 0.0 {
                down.push(row);
                across.push(column);
                values.push(block[(a, b)]);
            }
        }
    }
}

/// (μ p_n, p_t) in the cone |p_t| ≤ μ p_n; without friction p_n ≥ 0 and p_t = 0.
fn constraints(
    frictions: impl Iterator<Item = f64>,
    size: usize,
) -> (CscMatrix<f64>, Vec<SupportedConeT<f64>>) {
    let (mut cones, mut scales) = (Vec::new(), Vec::new());
    for mu in frictions {
        if mu > 0.0 {
            cones.push(SecondOrderConeT(3));
            scales.extend([-mu, -1.0, -1.0]);
        } else {
            cones.extend([NonnegativeConeT(1), ZeroConeT(2)]);
            scales.extend([-1.0; 3]);
        }
    }
    let numbers: Vec<usize> = (0..size).collect();
    (CscMatrix::new_from_triplets(size, size, numbers.clone(), numbers, scales), cones)
}
