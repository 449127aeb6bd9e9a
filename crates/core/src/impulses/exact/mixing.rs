//! Anderson's mixing of fixed-point iterations: a secant method in many dimensions.

use crate::math::{Vector, sqrt};

/// Largest number of steps used in a mixing.
const DEPTH: usize = 10;

/// Growth of the step above which a mixing counts as worse.
const WORSE: f64 = 2.0;

/// Share of a direction's length below which it counts as dependent on the others.
const DEPENDENT: f64 = 1e-7;

/// Takes that combination of the last steps x → g(x) which nearly cancels the changes f = g − x,
///
/// ```text
/// x' = g − Σ γ_j Δg_j,   γ = argmin |f − Σ γ_j Δf_j|
/// ```
///
/// Source: \[walker2011\].
#[derive(Debug, Default)]
pub(super) struct Mixing {
    last: Option<(Vec<Vector>, Vec<f64>)>,
    size: f64,
    /// differences of successive g, and of successive weighted f
    results: Vec<Vec<Vector>>,
    changes: Vec<Vec<f64>>,
}

impl Mixing {
    /// The next point after the step from `x` to `g`; changes are weighted, one weight per vector. None
    /// if the last mixing was worse, or after a single step.
    pub(super) fn mix(
        &mut self,
        x: &[Vector],
        g: &[Vector],
        weights: impl Iterator<Item = f64>,
    ) -> Option<Vec<Vector>> {
        let steps = g.iter().zip(x).zip(weights);
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

    fn combine(&self, g: &[Vector], change: &[f64]) -> Vec<Vector> {
        let mut mixed = g.to_vec();
        let mut left = change.to_vec();
        // the newest first; each direction is orthogonalised to those before, its result alike
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
