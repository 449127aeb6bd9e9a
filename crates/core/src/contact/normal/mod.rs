//! Normal laws: the force with which a surface pushes a particle out.

pub mod hertz;
pub mod hunt_crossley;
pub mod linear;

use super::regularisation::Regularisation;
use crate::registry::{Entry, Table};

/// A normal law.
///
/// The damping of a contact is the law's own parameter, or follows from the pair's coefficient of
/// restitution e and the mass at the contact. So it is computed in two steps: [`Self::bounce`] once per
/// pair, [`Self::damping`] per contact. [`Self::force`] then uses the damping.
pub trait NormalLaw: Send + Sync {
    /// N \[N\] ≥ 0 at depth `d` \[m\] > 0 and depth rate `rate` = ḋ = −v·n \[m/s\] with the
    /// contact's `damping`. Clamped: a contact never pulls.
    fn force(&self, d: f64, rate: f64, damping: f64) -> f64;

    /// (∂N/∂d \[N/m\], ∂N/∂ḋ \[N·s/m\]); zero where N is clamped. Central differences unless
    /// overridden.
    fn derivative(&self, d: f64, rate: f64, damping: f64) -> (f64, f64) {
        let (hd, hr) = (1e-6 * d.abs() + 1e-12, 1e-6 * rate.abs() + 1e-9);
        let force = |d, rate| self.force(d, rate, damping);
        (
            (force(d + hd, rate) - force(d - hd, rate)) / (2.0 * hd),
            (force(d, rate + hr) - force(d, rate - hr)) / (2.0 * hr),
        )
    }

    /// Energy stored at depth `d` \[J\].
    fn energy(&self, d: f64) -> f64;

    /// The elastic part of N at depth `d` \[N\]: dE/dd.
    fn elastic(&self, d: f64) -> f64;

    /// The law's damping parameter for a pair with this coefficient of `restitution`; `None`: the
    /// pair states none. The mass is not known yet: [`Self::damping`] takes it into account.
    fn bounce(&self, restitution: Option<f64>) -> f64;

    /// The damping of a contact, in the law's own unit, from [`Self::bounce`] and the effective
    /// mass \[kg\]: that of the particle, or 1/Σ(c²/m) of both sides; of a rigid body, the share
    /// that this contact bears.
    fn damping(&self, bounce: f64, mass: f64) -> f64;

    /// Whether the damping depends on the mass.
    fn weighs(&self, bounce: f64) -> bool {
        self.damping(bounce, 1.0) != self.damping(bounce, 4.0)
    }

    /// The coefficient of restitution of an impact with `share` times the damping ratio of `bounce`;
    /// `None` if the law has no formula for it.
    fn returned(&self, bounce: f64, share: f64) -> Option<f64> {
        let _ = (bounce, share);
        None
    }

    /// Whether N = k d + c ḋ while that is positive, with k \[N/m\] and c \[N·s/m\] the same at every depth.
    fn is_linear(&self) -> bool {
        false
    }

    /// The keys that lead to a rigid surface with the same restitution: `--verify=model` runs a scene at other values
    /// of them. Unless overridden, not known.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Unknown
    }

    /// Whether the restitution of the materials decides the damping, instead of a key of the law.
    fn heeds_restitution(&self) -> bool;
}

/// All normal laws.
pub static NORMAL_LAWS: Table<Entry<dyn NormalLaw>> =
    Table::new("normal law", &[linear::ENTRY, hunt_crossley::ENTRY, hertz::ENTRY]);
