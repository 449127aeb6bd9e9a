//! The conditions of all contacts of an island at once, in the momenta of their impulses: a rigid body
//! has six, for any number of contacts. Impulses need not be unique, which slows sweeps and equations in
//! the impulses, but their momenta are.
//!
//! With momenta q scaled to unit masses, u = u_free + G q, and the impulses p⁰ of the previous
//! round,
//!
//! ```text
//! p(q) = P(p⁰ − ρ û(u_free + G q)),   û = u − b n + μ|u_t| n        P: projection onto the cones
//! q − Gᵀ p(q) = 0                                                   by Newton's method
//! ```
//!
//! and p(q) replaces p⁰: the method of multipliers. An impulse that changes by Δp in a round violates
//! its conditions by at most |Δp|/ρ. With μ|u_t| given, q − Gᵀ p is the gradient of a convex function:
//! where the round with the present slip does not converge, it does so with the slip of the round
//! before.
//! Source: \[alart1991\], \[desaxce1998\].

use super::SolverSettings;
use super::cone::Cone;
use super::newton::slope;
use crate::impulses::problem::ContactProblem;
use crate::math::{Matrix, Vector, larger, sqrt};

/// ρ of each round, as a multiple of 3/tr K. A small ρ shows which contacts bear. At a medium ρ slip and
/// impulse converge together. A large ρ moves load between contacts whose gaps differ by 1e-9 m; the
/// smaller ρ after it remove its rounding errors.
const HARDNESS: [f64; 43] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e4, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e7, 1e5, 1e4, 1e4, 1e4, 1e4, 1e3,
    1e3, 1e3, 1e2, 1e1, 1e0, 1e1, 1e2, 1e4, 1e6, 1e8, 1e10, 1e8, 1e6, 1e4, 1e4, 1e4, 1e4, 1e4, 1e3,
    1e3, 1e3, 1e3, 1e2, 1e1,
];

/// Largest number of Newton steps of a round.
const STEPS: usize = 30;

/// Largest number of halvings of a Newton step.
const BACKTRACKS: usize = 12;

/// Largest number of points of a line search.
const SEARCHES: usize = 20;

/// Slope along a step at which a line search ends, as a share of that at its start.
const FLAT: f64 = 0.1;

/// Number of momenta above which the matrix is too large.
const LARGEST: usize = 600;

/// Rounding error of momenta, as a share of them and for ρ of 3/tr K.
const ROUNDING: f64 = 1e-15;

/// Residual that ends a round, as a share of that at its start.
const SETTLED: f64 = 1e-12;

/// Improved impulses have a residual below this share of the former.
const GAIN: f64 = 0.5;

/// One island.
struct Equations<'a> {
    cones: Vec<&'a Cone>,
    /// G by contacts: number of the first of three momenta, and their effect on the contact
    reach: Vec<Vec<(usize, Matrix)>>,
    /// u_free \[m/s\]
    free: Vec<Vector>,
    /// number of momenta
    size: usize,
    /// the largest momentum of a contact at u_free \[√kg m/s\]
    unit: f64,
}

/// A round: p⁰, ρ as a share of 3/tr K, and μ|u_t| \[m/s\] if given.
struct Round<'a> {
    known: &'a [Vector],
    hardness: f64,
    slips: Option<Vec<f64>>,
}

/// A point of the iteration.
struct Trial {
    momenta: Vec<f64>,
    /// p(q)
    impulses: Vec<Vector>,
    /// q − Gᵀ p(q)
    left: Vec<f64>,
    /// −∂p/∂u of each contact
    slopes: Vec<Matrix>,
}

/// Improves the impulses of an island; true if they improved.
pub(super) fn improve(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
) -> bool {
    let rows: Vec<usize> = island.iter().copied().filter(|k| cones[*k].is_mobile()).collect();
    let Some(equations) = Equations::new(problem, cones, &rows) else { return false };
    let start: Vec<Vector> = rows.iter().map(|k| problem.rows[*k].impulse).collect();
    let first = equations.residual(&start);
    let nothing = vec![Vector::zeros(); start.len()];
    let mut best = (first, start.clone());
    for start in [start, nothing] {
        if best.0 > settings.tolerance {
            equations.solve(start, settings, &mut best);
        }
    }
    // impulses on a crushed body grow without bound and hardly reduce the residual
    let better = best.0 < GAIN * first;
    if better {
        for (k, p) in rows.iter().zip(&best.1) {
            let change = p - problem.rows[*k].impulse;
            problem.kick(*k, change);
        }
    }
    better
}

impl<'a> Equations<'a> {
    fn new(problem: &ContactProblem, cones: &'a [Cone], rows: &[usize]) -> Option<Self> {
        // first momentum of each mover
        let mut places = vec![usize::MAX; problem.movers()];
        let (mut size, mut unit) = (0, 0.0);
        let mut reach = Vec::with_capacity(rows.len());
        for k in rows {
            let mut blocks = Vec::new();
            for (mover, parts) in problem.reach(&problem.rows[*k]) {
                if places[mover] == usize::MAX {
                    places[mover] = size;
                    size += 3 * parts.len();
                }
                let first = places[mover];
                blocks.extend(parts.into_iter().enumerate().map(|(n, part)| (first + 3 * n, part)));
            }
            reach.push(blocks);
            unit = larger(unit, problem.rows[*k].free.norm() / sqrt(cones[*k].scale()));
        }
        let cones = rows.iter().map(|k| &cones[*k]).collect();
        let free = rows.iter().map(|k| problem.rows[*k].free).collect();
        let fits = size <= LARGEST && !rows.is_empty();
        fits.then_some(Equations { cones, reach, free, size, unit })
    }

    /// Rounds from a start; a better result replaces the best so far.
    fn solve(&self, mut p: Vec<Vector>, settings: &SolverSettings, best: &mut (f64, Vec<Vector>)) {
        for hardness in HARDNESS {
            if settings.halt.is_asked() {
                break;
            }
            p = self.round(&p, hardness);
            let residual = self.residual(&p);
            if residual < best.0 {
                *best = (residual, p.clone());
            }
            if residual <= settings.tolerance || !residual.is_finite() {
                break;
            }
        }
    }

    /// The impulses after one round, from `known`.
    fn round(&self, known: &[Vector], hardness: f64) -> Vec<Vector> {
        let start = self.momenta(known);
        let slip = |i: usize| self.cones[i].friction * planar(&self.velocity(i, &start));
        let slips: Vec<f64> = (0..known.len()).map(slip).collect();
        let free = Round { known, hardness, slips: None };
        let (trial, settled) = self.newton(&free, start.clone());
        if settled {
            return trial.impulses;
        }
        let given = Round { slips: Some(slips), ..free };
        self.newton(&given, start).0.impulses
    }

    /// Newton's method from a start, and whether it converged.
    fn newton(&self, round: &Round, start: Vec<f64>) -> (Trial, bool) {
        let mut trial = self.attempt(round, start);
        let first = norm(&trial.left);
        for _ in 0..STEPS {
            let rounding = ROUNDING * round.hardness * (norm(&trial.momenta) + self.unit);
            if norm(&trial.left) <= larger(rounding, SETTLED * first) {
                return (trial, true);
            }
            let Some(step) = self.step(&trial) else { break };
            trial = match self.follow(round, &trial, &step) {
                Some(better) => better,
                None => break,
            };
        }
        (trial, false)
    }

    /// Line search along a step: halves it until the residual falls; with given slips, finds the
    /// approximate minimum of the convex function.
    fn follow(&self, round: &Round, from: &Trial, step: &[f64]) -> Option<Trial> {
        let moved =
            |share: f64| from.momenta.iter().zip(step).map(|(q, d)| q - d * share).collect();
        if round.slips.is_none() {
            let size = norm(&from.left);
            let shares = std::iter::successors(Some(1.0), |share| Some(0.5 * share));
            let mut tried = shares.take(BACKTRACKS).map(|share| self.attempt(round, moved(share)));
            return tried.find(|trial| norm(&trial.left) < size);
        }
        let fall = |trial: &Trial| trial.left.iter().zip(step).map(|(l, d)| l * d).sum::<f64>();
        let first = fall(from);
        let (mut low, mut high) = ((0.0, first), (1.0, 0.0));
        let mut share = 1.0;
        let mut found = None;
        for _ in 0..SEARCHES {
            let trial = self.attempt(round, moved(share));
            let left = fall(&trial);
            let done = left.abs() <= FLAT * first.abs() || share == 1.0 && left > 0.0;
            found = Some(trial);
            if done {
                break;
            }
            *if left > 0.0 { &mut low } else { &mut high } = (share, left);
            let straight = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            share = 0.5 * (straight + 0.5 * (low.0 + high.0));
        }
        found
    }

    /// Gᵀ p.
    fn momenta(&self, p: &[Vector]) -> Vec<f64> {
        let mut q = vec![0.0; self.size];
        for (blocks, p) in self.reach.iter().zip(p) {
            for (first, block) in blocks {
                let part = block.tr_mul(p);
                (0..3).for_each(|axis| q[first + axis] += part[axis]);
            }
        }
        q
    }

    /// u_free + G q of a contact \[m/s\].
    fn velocity(&self, i: usize, q: &[f64]) -> Vector {
        self.reach[i].iter().fold(self.free[i], |u, (first, block)| {
            u + block * Vector::new(q[*first], q[first + 1], q[first + 2])
        })
    }

    /// The largest violation of a contact's conditions under these impulses \[m/s\].
    fn residual(&self, p: &[Vector]) -> f64 {
        let q = self.momenta(p);
        let residual = |i: usize| self.cones[i].residual(&p[i], &self.velocity(i, &q));
        (0..p.len()).fold(0.0, |most, i| larger(residual(i), most))
    }

    fn attempt(&self, round: &Round, momenta: Vec<f64>) -> Trial {
        let mut impulses = Vec::with_capacity(self.cones.len());
        let mut slopes = Vec::with_capacity(self.cones.len());
        for (i, cone) in self.cones.iter().enumerate() {
            let u = self.velocity(i, &momenta);
            let rho = round.hardness / cone.scale();
            let speed = planar(&u);
            let mut correction = Matrix::identity();
            if round.slips.is_none() && speed > 0.0 {
                let along = Vector::new(0.0, u.y, u.z) / speed;
                correction += Vector::x() * along.transpose() * cone.friction;
            }
            let slip = round.slips.as_ref().map_or(cone.friction * speed, |slips| slips[i]);
            let corrected = u + Vector::x() * (slip - cone.target);
            let x = round.known[i] - corrected * rho;
            impulses.push(cone.projected(&x));
            slopes.push(slope(cone, &x) * correction * rho);
        }
        let made = self.momenta(&impulses);
        let left = momenta.iter().zip(made).map(|(q, made)| q - made).collect();
        Trial { momenta, impulses, left, slopes }
    }

    /// Newton's step (1 + Gᵀ ρ P' û' G)⁻¹ (q − Gᵀ p).
    fn step(&self, trial: &Trial) -> Option<Vec<f64>> {
        let n = self.size;
        let mut matrix = vec![0.0; n * n];
        (0..n).for_each(|k| matrix[k * n + k] = 1.0);
        for (blocks, slope) in self.reach.iter().zip(&trial.slopes) {
            for (row, left) in blocks {
                let part = left.tr_mul(slope);
                for (column, right) in blocks {
                    let block = part * right;
                    for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
                        matrix[(row + a) * n + column + b] += block[(a, b)];
                    }
                }
            }
        }
        eliminate(matrix, trial.left.clone())
    }
}

/// Solves A x = b for an A given by rows, by elimination with the largest pivot of a column.
fn eliminate(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for k in 0..n {
        let size = |row: usize| a[row * n + k].abs();
        let pivot = (k..n).fold(k, |best, row| if size(row) > size(best) { row } else { best });
        if size(pivot) == 0.0 || !size(pivot).is_finite() {
            return None;
        }
        if pivot != k {
            (0..n).for_each(|column| a.swap(k * n + column, pivot * n + column));
            b.swap(k, pivot);
        }
        let (above, below) = a.split_at_mut((k + 1) * n);
        let top = &above[k * n..];
        for (row, entries) in below.chunks_exact_mut(n).enumerate() {
            let share = entries[k] / top[k];
            if share != 0.0 {
                entries[k..].iter_mut().zip(&top[k..]).for_each(|(x, y)| *x -= share * y);
                b[k + 1 + row] -= share * b[k];
            }
        }
    }
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k * n + k];
    }
    b.iter().all(|x| x.is_finite()).then_some(b)
}

/// |u_t|.
fn planar(u: &Vector) -> f64 {
    sqrt(u.y * u.y + u.z * u.z)
}

fn norm(numbers: &[f64]) -> f64 {
    sqrt(numbers.iter().map(|x| x * x).sum())
}
