//! Normal laws: the force with which a surface pushes a particle out.

pub mod linear;

use crate::registry::Entry;

/// The force along the stored normal.
pub trait NormalLaw: Send + Sync {
    /// N \[N\] ≥ 0 at depth `d` \[m\] > 0 and depth rate `rate` = ḋ = −v·n \[m/s\]. Clamped: a
    /// contact never pulls.
    fn force(&self, d: f64, rate: f64) -> f64;

    /// (∂N/∂d \[N/m\], ∂N/∂ḋ \[N·s/m\]); zero where N is clamped. Central differences unless
    /// overridden.
    fn derivative(&self, d: f64, rate: f64) -> (f64, f64) {
        let (hd, hr) = (1e-6 * d.abs() + 1e-12, 1e-6 * rate.abs() + 1e-9);
        (
            (self.force(d + hd, rate) - self.force(d - hd, rate)) / (2.0 * hd),
            (self.force(d, rate + hr) - self.force(d, rate - hr)) / (2.0 * hr),
        )
    }

    /// Energy stored at depth `d` \[J\].
    fn energy(&self, d: f64) -> f64;

    /// The elastic part of N at depth `d` \[N\]: dE/dd.
    fn elastic(&self, d: f64) -> f64;
}

/// All normal laws.
pub const NORMAL_LAWS: &[Entry<dyn NormalLaw>] = &[linear::ENTRY];
