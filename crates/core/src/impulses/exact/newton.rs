//! The conditions of all contacts of an island at once, as equations. Gauss–Seidel converges slowly
//! where loads wander from contact to contact, as under a box about to tip.
//!
//! With ρ = 3/tr K of each contact and û(p) = W p + q − b n + μ|u_t| n,
//!
//! ```text
//! F(p) = (p − P(p − ρ û(p)))/ρ = 0        P: projection onto the cones
//! (Jᵀ J + λ) d = −Jᵀ F
//! ```
//!
//! Impulses need not be unique, so J may be singular: Levenberg–Marquardt steps, with λ falling with F,
//! converge fast nevertheless. Source: \[alart1991\], \[yamashita2001\].

use super::SolverSettings;
use super::cone::Cone;
use crate::impulses::problem::ContactProblem;
use crate::math::{Matrix, Vector, larger, sqrt};

/// Largest number of steps.
const STEPS: usize = 40;

/// Number of contacts above which the matrix is too large.
const LARGEST: usize = 300;

/// The least λ.
const LEAST: f64 = 1e-14;

/// Rejected steps in a row, each with a larger λ, that end the iteration.
const FAILURES: u32 = 8;

/// ρ as shares of 3/tr K, tried in this order.
const SHARES: [f64; 3] = [1.0, 0.2, 5.0];

/// The equations of one island; all in m/s, impulses as ρ⁻¹ p.
struct Equations<'a> {
    cones: Vec<&'a Cone>,
    /// W with impulses in m/s, by columns of blocks
    coupling: Vec<Matrix>,
    /// q
    free: Vec<Vector>,
}

/// Improves the impulses of an island; true if they improved.
pub(super) fn improve(
    problem: &mut ContactProblem,
    cones: &[Cone],
    island: &[usize],
    settings: &SolverSettings,
) -> bool {
    let rows: Vec<usize> = island.iter().copied().filter(|k| cones[*k].is_mobile()).collect();
    if rows.len() > LARGEST {
        return false;
    }
    let equations = Equations::new(problem, cones, &rows);
    let scales: Vec<f64> = rows.iter().map(|k| cones[*k].scale()).collect();
    let start: Vec<Vector> =
        rows.iter().zip(&scales).map(|(k, scale)| problem.rows[*k].impulse * *scale).collect();
    let (found, better) = equations.solve(start, settings);
    if better {
        for ((k, y), scale) in rows.iter().zip(&found).zip(&scales) {
            let change = y / *scale - problem.rows[*k].impulse;
            problem.kick(*k, change);
        }
    }
    better
}

impl<'a> Equations<'a> {
    fn new(problem: &ContactProblem, cones: &'a [Cone], rows: &[usize]) -> Self {
        let columns = rows.iter().flat_map(|j| rows.iter().map(move |i| (*i, *j)));
        let coupling: Vec<Matrix> =
            columns.map(|(i, j)| problem.coupling(i, j) / cones[j].scale()).collect();
        let free = rows.iter().map(|k| problem.rows[*k].free).collect();
        Equations { cones: rows.iter().map(|k| &cones[*k]).collect(), coupling, free }
    }

    fn block(&self, i: usize, j: usize) -> &Matrix {
        &self.coupling[j * self.cones.len() + i]
    }

    /// Descends from a start with one ρ after the other, until the residual is within the
    /// tolerance.
    fn solve(&self, start: Vec<Vector>, settings: &SolverSettings) -> (Vec<Vector>, bool) {
        let first = largest(&self.evaluate(&start, 1.0).0);
        let mut best = (start, first);
        for share in SHARES {
            let found = self.descend(best.0.clone(), share, settings);
            let error = largest(&self.evaluate(&found, 1.0).0);
            if error < best.1 {
                best = (found, error);
            }
            if best.1 <= settings.tolerance {
                break;
            }
        }
        let better = best.1 < first;
        (best.0, better)
    }

    /// Steps that reduce |F|, for ρ as a share of 3/tr K.
    fn descend(&self, mut y: Vec<Vector>, share: f64, settings: &SolverSettings) -> Vec<Vector> {
        let (mut value, mut slopes) = self.evaluate(&y, share);
        let unit = self.free.iter().fold(f64::MIN_POSITIVE, |most, q| larger(most, q.norm()));
        let (mut caution, mut failed) = (1.0, 0);
        for _ in 0..STEPS {
            let size = norm(&value);
            let done = failed == FAILURES || largest(&value) <= 0.1 * settings.tolerance;
            if done || settings.halt.is_asked() {
                break;
            }
            let damping = larger(caution * size / unit, LEAST);
            let Some(step) = self.step(&value, &slopes, damping) else { break };
            let next: Vec<Vector> = y.iter().zip(&step).map(|(y, d)| y + d).collect();
            let (next_value, next_slopes) = self.evaluate(&next, share);
            if norm(&next_value) < size {
                (y, value, slopes) = (next, next_value, next_slopes);
                (caution, failed) = (larger(0.1 * caution, LEAST), 0);
            } else {
                (caution, failed) = (10.0 * caution, failed + 1);
            }
        }
        y
    }

    /// F, and for each contact the derivatives A, B of its F by its own y and u: dF = A dy + B du.
    fn evaluate(&self, y: &[Vector], share: f64) -> (Vec<Vector>, Vec<(Matrix, Matrix)>) {
        let n = self.cones.len();
        let mut values = Vec::with_capacity(n);
        let mut slopes = Vec::with_capacity(n);
        for (i, cone) in self.cones.iter().enumerate() {
            let u = (0..n).fold(self.free[i], |u, j| u + self.block(i, j) * y[j]);
            let slip = Vector::new(0.0, u.y, u.z);
            let speed = slip.norm();
            let corrected = u + Vector::x() * (cone.friction * speed - cone.target);
            let mut correction = Matrix::identity();
            if speed > 0.0 {
                correction += Vector::x() * (slip * (cone.friction / speed)).transpose();
            }
            let x = y[i] - corrected * share;
            let slope = slope(cone, &x);
            values.push((y[i] - cone.projected(&x)) / share);
            slopes.push(((Matrix::identity() - slope) / share, slope * correction));
        }
        (values, slopes)
    }

    fn step(
        &self,
        value: &[Vector],
        slopes: &[(Matrix, Matrix)],
        damping: f64,
    ) -> Option<Vec<Vector>> {
        let n = self.cones.len();
        let size = 3 * n;
        // J by rows, and −Jᵀ F
        let mut jacobian = vec![0.0; size * size];
        for i in 0..n {
            for j in 0..n {
                let mut block = slopes[i].1 * self.block(i, j);
                if i == j {
                    block += slopes[i].0;
                }
                for (a, b) in (0..9).map(|k| (k / 3, k % 3)) {
                    jacobian[(3 * i + a) * size + 3 * j + b] = block[(a, b)];
                }
            }
        }
        let mut normal = vec![0.0; size * size];
        let mut right = vec![0.0; size];
        for (row, f) in jacobian.chunks_exact(size).zip(value.iter().flat_map(|f| f.iter())) {
            for (a, x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                right[a] -= x * f;
                let into = &mut normal[a * size..a * size + a + 1];
                into.iter_mut().zip(row).for_each(|(into, y)| *into += x * y);
            }
        }
        (0..size).for_each(|a| normal[a * size + a] += damping);
        let solution = solve_symmetric(normal, right)?;
        Some(solution.chunks_exact(3).map(|d| Vector::new(d[0], d[1], d[2])).collect())
    }
}

/// ∂P/∂x of the projection onto a cone.
pub(super) fn slope(cone: &Cone, x: &Vector) -> Matrix {
    let (mu, planar) = (cone.friction, sqrt(x.y * x.y + x.z * x.z));
    if mu * planar <= -x.x {
        return Matrix::zeros();
    }
    if planar <= mu * x.x {
        return Matrix::identity();
    }
    let along = Vector::new(0.0, x.y, x.z) / planar;
    let ray = Vector::x() + along * mu;
    let share = 1.0 / (1.0 + mu * mu);
    let height = (x.x + mu * planar) * share;
    let tangents = Matrix::from_diagonal(&Vector::new(0.0, 1.0, 1.0));
    let turning = (tangents - along * along.transpose()) * (mu * height / planar);
    ray * ray.transpose() * share + turning
}

/// Solves A x = b for a positive definite A, given by the rows of its lower half (Cholesky).
fn solve_symmetric(mut a: Vec<f64>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for i in 0..n {
        let (above, row) = a.split_at_mut(i * n);
        for j in 0..=i {
            let other = if j < i { &above[j * n..j * n + j] } else { &[] };
            let known: f64 = if j < i {
                row[..j].iter().zip(other).map(|(x, y)| x * y).sum()
            } else {
                row[..i].iter().map(|x| x * x).sum()
            };
            let left = row[j] - known;
            row[j] = if j < i { left / above[j * n + j] } else { left };
        }
        if row[i] <= 0.0 || !row[i].is_finite() {
            return None;
        }
        row[i] = sqrt(row[i]);
        let known: f64 = row[..i].iter().zip(&b).map(|(l, x)| l * x).sum();
        b[i] = (b[i] - known) / row[i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| a[k * n + i] * b[k]).sum();
        b[i] = (b[i] - known) / a[i * n + i];
    }
    Some(b)
}

fn norm(vectors: &[Vector]) -> f64 {
    sqrt(vectors.iter().map(|v| v.norm_squared()).sum())
}

fn largest(vectors: &[Vector]) -> f64 {
    vectors.iter().fold(0.0, |most, v| larger(most, v.norm()))
}

#[cfg(test)]
pub(super) mod tests;
