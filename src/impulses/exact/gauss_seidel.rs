//! Projected Gauss–Seidel: contacts one after the other, each solved exactly under what the others
//! give it, over and over. Where the sweeps only crawl to their fixed point they are mixed by
//! Anderson's method, a secant method for fixed points.

use super::cone::Cone;
use super::{Settings, Unsettled};
use crate::impulses::Unsolved;
use crate::impulses::problem::Problem;
use crate::math::{Vector, larger, sqrt};

/// Sweeps between two looks at whether impulses grow without bound.
const LOOK: u64 = 32;

/// Sweeps before the first mixing: warm starts mostly need fewer.
const PLAIN: u64 = 2;

/// Steps that are mixed.
const DEPTH: usize = 10;

/// Growth of the step from which a mixing was for the worse.
const WORSE: f64 = 2.0;

/// Share of a direction's length below which it says nothing new.
const DEPENDENT: f64 = 1e-7;

/// Share of the velocities that impulses make, below which all of them together make none.
const NOTHING: f64 = 1e-6;

/// Solves the contacts of an island, from the impulses they have; returns the sweeps it took.
pub(super) fn solve(
    problem: &mut Problem,
    cones: &[Cone],
    island: &[usize],
    settings: &Settings,
) -> Result<u64, Unsettled> {
    let mut mixing = Mixing::default();
    let mut before = impulses(problem, island);
    for sweep in 1..=settings.max_iterations {
        let change = once(problem, cones, island);
        // a contact alone is solved at once
        if island.len() == 1 {
            return Ok(sweep);
        }
        if change <= settings.tolerance && worst(problem, cones, island).1 <= settings.tolerance {
            return Ok(sweep);
        }
        let after = impulses(problem, island);
        if sweep % LOOK == 0 && is_crushed(problem, cones, island, &before, &after) {
            return Err(unsettled(problem, cones, island, Unsolved::Infeasible, sweep));
        }
        let weights = island.iter().map(|k| cones[*k].scale());
        before = match mixing.mix(before, &after, weights) {
            Some(mixed) if sweep > PLAIN => {
                set(problem, island, &mixed);
                mixed
            }
            _ => after,
        };
    }
    // the last mixing may have left the cones
    once(problem, cones, island);
    let (_, residual) = worst(problem, cones, island);
    if residual <= settings.tolerance {
        return Ok(settings.max_iterations);
    }
    Err(unsettled(problem, cones, island, Unsolved::NotConverged, settings.max_iterations))
}

fn unsettled(
    problem: &Problem,
    cones: &[Cone],
    island: &[usize],
    cause: Unsolved,
    iterations: u64,
) -> Unsettled {
    let (row, residual) = worst(problem, cones, island);
    Unsettled { cause, row, residual, iterations }
}

/// One sweep; returns the largest change \[m/s\].
fn once(problem: &mut Problem, cones: &[Cone], island: &[usize]) -> f64 {
    let mut largest: f64 = 0.0;
    for k in island {
        let row = &problem.rows[*k];
        let q = problem.velocity(row) - row.mobility * row.impulse;
        let change = cones[*k].solve(&q) - row.impulse;
        if change != Vector::zeros() {
            problem.kick(*k, change);
            largest = larger(largest, change.norm() * cones[*k].scale());
        }
    }
    largest
}

/// The contact that is worst off, and by how much \[m/s\].
pub(super) fn worst(problem: &Problem, cones: &[Cone], island: &[usize]) -> (usize, f64) {
    let residual = |k: usize| {
        let row = &problem.rows[k];
        cones[k].residual(&row.impulse, &problem.velocity(row))
    };
    island.iter().fold((island[0], 0.0), |worst, k| {
        let residual = residual(*k);
        if residual > worst.1 { (*k, residual) } else { worst }
    })
}

fn impulses(problem: &Problem, island: &[usize]) -> Vec<Vector> {
    island.iter().map(|k| problem.rows[*k].impulse).collect()
}

fn set(problem: &mut Problem, island: &[usize], impulses: &[Vector]) {
    for (k, p) in island.iter().zip(impulses) {
        let change = p - problem.rows[*k].impulse;
        problem.kick(*k, change);
    }
}

/// Whether impulses grow by what moves nothing, and yet ever more would be needed: normal impulses
/// d ≥ 0 with W d = 0 and Σ d (u − b) < 0 for the velocities u without any. No velocities then keep
/// all contacts apart.
fn is_crushed(
    problem: &mut Problem,
    cones: &[Cone],
    island: &[usize],
    before: &[Vector],
    after: &[Vector],
) -> bool {
    let growth: Vec<f64> = after.iter().zip(before).map(|(b, a)| b.x - a.x).collect();
    let most = growth.iter().fold(0.0, |most, d| larger(most, d.abs()));
    if most == 0.0 || growth.iter().any(|d| *d < -NOTHING * most) {
        return false;
    }
    let push = |problem: &mut Problem, sign: f64| {
        for (k, d) in island.iter().zip(&growth) {
            problem.kick(*k, Vector::new(sign * d, 0.0, 0.0));
        }
    };
    let velocities = |problem: &Problem| -> Vec<Vector> {
        island.iter().map(|k| problem.velocity(&problem.rows[*k])).collect()
    };
    let still = velocities(problem);
    push(problem, 1.0);
    let pushed = velocities(problem);
    push(problem, -1.0);
    let moves = still.iter().zip(&pushed).zip(island);
    let moved = moves.fold(0.0, |m, ((a, b), k)| larger(m, (b - a).norm() / cones[*k].scale()));
    let missing = |(k, d): (&usize, &f64)| d * (cones[*k].target - problem.rows[*k].free.x);
    let missing: f64 = island.iter().zip(&growth).map(missing).sum();
    moved <= NOTHING * most && missing > 0.0
}

/// Anderson's mixing: of the last steps x → g(x) the combination in which the changes g − x nearly
/// cancel. Source: \[walker2011\].
#[derive(Debug, Default)]
struct Mixing {
    last: Option<(Vec<Vector>, Vec<f64>)>,
    size: f64,
    /// differences of successive g, and of successive weighted g − x
    results: Vec<Vec<Vector>>,
    changes: Vec<Vec<f64>>,
}

impl Mixing {
    /// Where to go on from, after the step from `x` to `g`; nothing where mixing was for the worse or
    /// nothing is known yet.
    fn mix(
        &mut self,
        x: Vec<Vector>,
        g: &[Vector],
        weights: impl Iterator<Item = f64>,
    ) -> Option<Vec<Vector>> {
        let steps = g.iter().zip(&x).zip(weights);
        let change: Vec<f64> =
            steps.flat_map(|((g, x), w)| <[f64; 3]>::from((g - x) * w)).collect();
        let size = sqrt(dot(&change, &change));
        let worse = self.last.is_some() && size > WORSE * self.size;
        self.size = size;
        if worse {
            self.results.clear();
            self.changes.clear();
        } else if let Some((last_g, last_change)) = &self.last {
            if self.changes.len() == DEPTH {
                self.results.remove(0);
                self.changes.remove(0);
            }
            self.results.push(g.iter().zip(last_g).map(|(a, b)| a - b).collect());
            self.changes.push(change.iter().zip(last_change).map(|(a, b)| a - b).collect());
        }
        let mixed = (!self.changes.is_empty()).then(|| self.combine(g, &change));
        self.last = Some((g.to_vec(), change));
        mixed
    }

    /// g − Σ γ_j Δg_j with the γ of the least |f − Σ γ_j Δf_j|, f = g − x.
    fn combine(&self, g: &[Vector], change: &[f64]) -> Vec<Vector> {
        let mut mixed = g.to_vec();
        let mut left = change.to_vec();
        // the newest first; each new direction is freed of those before it, and so is what it makes
        let mut basis: Vec<(Vec<f64>, Vec<Vector>)> = Vec::new();
        for (f, r) in self.changes.iter().zip(&self.results).rev() {
            let (mut f, mut r) = (f.clone(), r.clone());
            let whole = sqrt(dot(&f, &f));
            for (direction, result) in &basis {
                let share = dot(direction, &f);
                f.iter_mut().zip(direction).for_each(|(f, d)| *f -= share * d);
                r.iter_mut().zip(result).for_each(|(r, d)| *r -= d * share);
            }
            let size = sqrt(dot(&f, &f));
            if size <= DEPENDENT * whole {
                continue;
            }
            f.iter_mut().for_each(|f| *f /= size);
            r.iter_mut().for_each(|r| *r /= size);
            let share = dot(&f, &left);
            left.iter_mut().zip(&f).for_each(|(l, f)| *l -= share * f);
            mixed.iter_mut().zip(&r).for_each(|(m, r)| *m -= r * share);
            basis.push((f, r));
        }
        mixed
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
