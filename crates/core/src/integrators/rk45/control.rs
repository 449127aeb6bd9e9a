//! The estimated error of a substep, and the length of the next.

use super::{ESTIMATE, Rk45, Rk45Settings};
use crate::math::{Vector, larger, pow, smaller, sqrt};

/// Exponents of the PI control: β of the previous error, α of the error.
const BETA: f64 = 0.04;
const ALPHA: f64 = 0.2 - 0.75 * BETA;

/// Safety factor on the substep that the control finds.
const SAFETY: f64 = 0.9;

/// Largest and smallest factor from one substep to the next.
const GROWTH: f64 = 10.0;
const SHRINKING: f64 = 0.2;

/// Factor to the next substep after one accepted with this error.
pub(super) fn after_success(error: f64, last_error: f64) -> f64 {
    bounded(SAFETY * pow(last_error, BETA) / pow(error, ALPHA))
}

/// Factor to the next attempt after one rejected with this error.
pub(super) fn after_failure(error: f64) -> f64 {
    smaller(bounded(SAFETY / pow(error, ALPHA)), SAFETY)
}

fn bounded(factor: f64) -> f64 {
    // an error of zero would give an infinite step
    if factor < GROWTH { larger(factor, SHRINKING) } else { GROWTH }
}

/// The norm of a list of vectors, each component in units of its tolerance.
#[derive(Debug, Default, Clone, Copy)]
struct Norm {
    most: f64,
    squares: f64,
    count: usize,
}

impl Norm {
    fn add(&mut self, settings: &Rk45Settings, (error, size): (&Vector, &Vector)) {
        for axis in 0..3 {
            let e = error[axis].abs() / (settings.atol + settings.rtol * size[axis]);
            self.most = larger(e, self.most);
            self.squares += e * e;
        }
        self.count += 3;
    }

    fn value(&self, settings: &Rk45Settings) -> f64 {
        match settings.rms {
            true if self.count > 0 => sqrt(self.squares / self.count as f64),
            _ => self.most,
        }
    }
}

/// |a| or |b|, component by component, whichever is larger.
fn size(a: &Vector, b: &Vector) -> Vector {
    a.zip_map(b, |a, b| larger(a.abs(), b.abs()))
}

impl Rk45 {
    /// The estimated error of the substep of `h` \[s\], in tolerances; its stages are known.
    pub(super) fn error(&self, h: f64) -> f64 {
        let (stages, settings) = (&self.stages, &self.settings);
        let mut norm = Norm::default();
        let mut add = |start: &[Vector], end: &[Vector], rates: &[Vec<Vector>; 7]| {
            for p in 0..start.len() {
                let mut error = rates[0][p] * ESTIMATE[0];
                for j in 2..7 {
                    error += rates[j][p] * ESTIMATE[j];
                }
                norm.add(settings, (&(error * h), &size(&start[p], &end[p])));
            }
        };
        add(&self.x, &stages.x, &stages.v);
        add(&stages.v[0], &stages.v[6], &stages.a);
        add(&self.z, &stages.z, &stages.rates);
        norm.value(settings)
    }

    /// A first substep \[s\] if none is known: one that changes the state by a hundredth of its size,
    /// both in tolerances.
    pub(super) fn first_substep(&self, h: f64) -> f64 {
        let (mut sizes, mut rates) = (Norm::default(), Norm::default());
        let stages = &self.stages;
        let mut add = |y: &[Vector], rate: &[Vector]| {
            for (y, rate) in y.iter().zip(rate) {
                let own = y.abs();
                sizes.add(&self.settings, (y, &own));
                rates.add(&self.settings, (rate, &own));
            }
        };
        add(&self.x, &stages.v[0]);
        add(&stages.v[0], &stages.a[0]);
        add(&self.z, &stages.rates[0]);
        let (sizes, rates) = (sizes.value(&self.settings), rates.value(&self.settings));
        if sizes > 1e-5 && rates > 1e-5 { smaller(0.01 * sizes / rates, h) } else { 1e-6 * h }
    }
}
