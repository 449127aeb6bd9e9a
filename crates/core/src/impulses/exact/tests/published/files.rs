//! Files of published problems: M, q and μ of u = M r + q, and the conditions on r from these alone.

use crate::math::{Matrix, Vector, larger, sqrt};

/// A published problem.
pub(super) struct Published {
    /// μ of each contact.
    pub(super) friction: Vec<f64>,
    /// q \[m/s\].
    pub(super) free: Vec<Vector>,
    /// Blocks of M on and above the diagonal \[1/kg\].
    pub(super) blocks: Vec<(usize, usize, Matrix)>,
    /// ρ⁻¹ of each contact, the mean of its diagonal entries \[1/kg\].
    scales: Vec<f64>,
}

/// Violations of the conditions, the largest of a contact each. With û = u + μ|u_t| n, and K the cone
/// |r_t| ≤ μ r_n:
#[derive(Debug, Default)]
pub(super) struct Residuals {
    /// |r − P(r − ρ û)|/ρ with P the projection onto K \[m/s\].
    pub(super) natural: f64,
    /// |û·r| over |r| + 2 ρ|û| \[m/s\].
    pub(super) complementarity: f64,
    /// |u_t·r_t + μ r_n |u_t||, over the same \[m/s\].
    pub(super) dissipation: f64,
    /// Σ u_t·r_t of all contacts \[J\].
    pub(super) work: f64,
}

impl Published {
    pub(super) fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let count: usize = lines.next().expect("a line").parse().expect("number of contacts");
        let (mut friction, mut free, mut blocks) = (Vec::new(), Vec::new(), Vec::new());
        for (k, line) in lines.enumerate() {
            let words: Vec<f64> =
                line.split(' ').map(|word| word.parse().expect("a number")).collect();
            match words[..] {
                [mu, x, y, z] if k < count => {
                    friction.push(mu);
                    free.push(Vector::new(x, y, z));
                }
                [i, j, a, b, c, d, e, f] => {
                    blocks.push((i as usize, j as usize, Matrix::new(a, b, c, b, d, e, c, e, f)))
                }
                [i, j, ..] => {
                    blocks.push((i as usize, j as usize, Matrix::from_row_slice(&words[2..])))
                }
                _ => panic!("line {k}: {line}"),
            }
        }
        let own = |k: usize| blocks.iter().find(|(i, j, _)| (*i, *j) == (k, k)).expect("its own");
        let scales = (0..count).map(|k| own(k).2.trace() / 3.0).collect();
        Published { friction, free, blocks, scales }
    }

    /// The largest |q| \[m/s\].
    pub(super) fn speed(&self) -> f64 {
        self.free.iter().fold(0.0, |most, u| larger(most, u.norm()))
    }

    /// The largest diagonal entry of M \[1/kg\].
    pub(super) fn largest(&self) -> f64 {
        self.blocks.iter().fold(0.0, |most, (_, _, block)| larger(most, block.diagonal().max()))
    }

    /// M r.
    pub(super) fn product(&self, r: &[Vector]) -> Vec<Vector> {
        let mut u = vec![Vector::zeros(); r.len()];
        for (i, j, block) in &self.blocks {
            u[*i] += block * r[*j];
            if i != j {
                u[*j] += block.tr_mul(&r[*i]);
            }
        }
        u
    }

    /// u = M r + q.
    pub(super) fn velocities(&self, r: &[Vector]) -> Vec<Vector> {
        self.product(r).iter().zip(&self.free).map(|(u, q)| u + q).collect()
    }

    pub(super) fn residuals(&self, r: &[Vector]) -> Residuals {
        let mut most = Residuals::default();
        for (i, (r, u)) in r.iter().zip(self.velocities(r)).enumerate() {
            let (mu, rho) = (self.friction[i], 1.0 / self.scales[i]);
            let slip = planar(&u);
            let corrected = u + Vector::x() * (mu * slip);
            let natural = (r - projected(&(r - corrected * rho), mu)).norm() / rho;
            let unit = r.norm() + 2.0 * rho * corrected.norm();
            let work = u.y * r.y + u.z * r.z;
            let missing = (work + mu * r.x * slip).abs();
            most.natural = larger(most.natural, natural);
            if unit > 0.0 {
                most.complementarity = larger(most.complementarity, corrected.dot(r).abs() / unit);
                most.dissipation = larger(most.dissipation, missing / unit);
            }
            most.work += work;
        }
        most
    }
}

/// |u_t|.
pub(super) fn planar(u: &Vector) -> f64 {
    sqrt(u.y * u.y + u.z * u.z)
}

/// The point of the cone |r_t| ≤ μ r_n nearest to x.
fn projected(x: &Vector, mu: f64) -> Vector {
    let ray = Vector::new(planar(x), mu * x.y, mu * x.z);
    if planar(x) <= mu * x.x {
        return *x;
    }
    // x = a ray/|ray|² + what is perpendicular to it
    let along = ray.dot(x);
    if along > 0.0 { ray * (along / ray.norm_squared()) } else { Vector::zeros() }
}
