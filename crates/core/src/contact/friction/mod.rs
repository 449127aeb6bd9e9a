//! Friction laws. A law sees the slip of one contact and knows no particle, no state vector and
//! no integrator, so every integrator runs on the same friction.
//!
//! Notation: N normal force \[N\], v slip velocity \[m/s\] (tangential), s = |v|, u = s/ε,
//! μ_s and μ_k the static and kinetic coefficients of the pair, ρ = |T|/(μ_s N) the load ratio.

mod bristle;
pub mod coulomb;
pub mod cubic;
pub mod cundall_strack;
pub mod dahl;
pub mod formula;
pub mod hyperbolic;
pub mod kinetic;
pub mod lugre;
pub mod none;
pub mod quadratic;
pub mod quintic;
pub mod ramp;
mod steady;
pub mod stribeck;
pub mod tanh;
pub mod threshold;
pub mod viscous_cap;

use super::regularisation::Regularisation;
use crate::math::{Matrix, Vector};
use crate::registry::{Entry, Problem, Table};
use crate::state::memory::Coefficients;
pub use steady::{steady_slip, stick_speed};

/// The input of a friction law from one contact. All vectors are tangential to the contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slip {
    /// Displacement relative to the surface since the last commit \[m\], from positions.
    pub displacement: Vector,
    /// Velocity relative to the surface \[m/s\].
    pub velocity: Vector,
    /// N ≥ 0 \[N\].
    pub normal_force: f64,
    /// The law's stretch at the last commit \[m\]; zero for laws without memory.
    pub stretch: Vector,
    /// Whether the contact slid at the last commit: this bit decides which of two coefficients bounds a
    /// law with memory.
    pub sliding: bool,
}

/// Derivatives of the friction force of one contact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SlipJacobian {
    /// ∂F/∂displacement \[N/m\].
    pub by_displacement: Matrix,
    /// ∂F/∂velocity \[N·s/m\].
    pub by_velocity: Matrix,
    /// ∂F/∂N.
    pub by_normal_force: Vector,
}

/// The formula of a friction law in the terms that other programs have for it, for a pair with one
/// coefficient μ = μ_s = μ_k.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FrictionForm {
    /// F = 0.
    Frictionless,
    /// |F| = μ N against the slip velocity, reached at a threshold ε or approached as s/ε grows.
    /// The law has no other speed than ε; near s = 0 it is regularised, or jumps.
    Coulomb,
    /// |F| = min(c s, μ N).
    CappedDamper {
        /// c \[N·s/m\].
        damping: f64,
    },
    /// |F| = min(|k ξ + c v|, μ N), ξ the stretch since contact began.
    CappedSpring {
        /// k \[N/m\].
        stiffness: f64,
        /// c \[N·s/m\].
        damping: f64,
    },
    /// A formula of its own.
    Own,
}

/// A friction law.
pub trait FrictionLaw: Send + Sync {
    /// The friction force on the particle \[N\], tangential, never outside the cone
    /// |F| ≤ max(μ_s, μ_k) N, and zero at N = 0.
    fn force(&self, slip: &Slip, pair: &Coefficients) -> Vector;

    /// Derivatives of [`Self::force`]. Central differences unless overridden, so that a new law
    /// works with implicit methods at once.
    fn derivative(&self, slip: &Slip, pair: &Coefficients) -> SlipJacobian {
        central_differences(self, slip, pair)
    }

    /// The stretch after a step that ended at `slip` \[m\]; called once per accepted step.
    fn relax(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let _ = (slip, pair);
        Vector::zeros()
    }

    /// Energy stored in the stretch, ½ k |z|² with the law's [`Self::stiffness`] k \[J\].
    fn energy(&self, stretch: Vector) -> f64 {
        0.5 * self.stiffness() * stretch.norm_squared()
    }

    /// The rate of stretch ż \[m/s\] at the slip, by which the stretch can be part of the
    /// integrator's state instead of moving once per step. The dissipated power is −F·v − k z·ż
    /// with the law's [`Self::stiffness`] k.
    fn rate(&self, slip: &Slip, pair: &Coefficients) -> Vector {
        let _ = (slip, pair);
        Vector::zeros()
    }

    /// Whether the contact sticks: slip below the threshold, or load inside the cone.
    fn sticks(&self, slip: &Slip, pair: &Coefficients) -> bool;

    /// Largest damping |∂F/∂v| \[N·s/m\] of the law between this slip and stick, at this N; λ =
    /// damping/m is the friction rate an explicit step must resolve.
    fn damping(&self, slip: &Slip, pair: &Coefficients) -> f64;

    /// Tangential stiffness |∂F/∂x| in stick \[N/m\]; zero for laws without stretch.
    fn stiffness(&self) -> f64 {
        0.0
    }

    /// The law's own steady creep speed \[m/s\] under the tangential load ratio ρ = |T|/(μ_s N) on one
    /// contact with normal force N \[N\]; `None` if there is none (the load exceeds the cone, or the law
    /// chatters).
    ///
    /// Most laws need ρ alone. A law with a given viscosity needs N too, and one that falls from μ_s to
    /// μ_k needs both coefficients. Unless overridden, the smallest slip speed at which
    /// [`Self::force`] bears the load, by a search to the last bit; zero for a law with memory
    /// that sticks on the stretch T/k.
    fn creep(&self, load_ratio: f64, normal_force: f64, pair: &Coefficients) -> Option<f64> {
        steady_slip(self, load_ratio, normal_force, pair)
    }

    /// The threshold ε \[m/s\]; zero for laws without. Unless overridden, the slip speed at which
    /// [`Self::sticks`] ends, by a search to the last bit, if it is the same for every N.
    fn threshold(&self) -> f64 {
        stick_speed(self)
    }

    /// Whether a held contact can reach a steady state: the law has a threshold, a stretch, or a creep, be
    /// it zero, under half of the load that friction can bear.
    fn can_rest(&self) -> bool {
        self.threshold() > 0.0
            || self.has_memory()
            || self.creep(0.5, steady::NORMAL_FORCE, &steady::PAIR).is_some()
    }

    /// Whether the force has a kink or a jump where [`Self::sticks`] changes. Methods that locate kinks
    /// skip smooth laws.
    fn is_kinked(&self) -> bool {
        true
    }

    /// Checks that the law stays within a pair's coefficients; called before a run for every pair of
    /// materials that can meet.
    fn fits(&self, pair: &Coefficients) -> Result<(), Problem> {
        let _ = pair;
        Ok(())
    }

    /// Whether the law has a stretch: memory between steps.
    fn has_memory(&self) -> bool {
        false
    }

    /// Offset \[m\] at which the law comes to rest under the tangential force T \[N\]: T/k, unless the
    /// stretch saturates. All three arguments are sums over contacts side by side: T, the
    /// [`Self::stiffness`] k \[N/m\], and the kinetic cone μ_k N \[N\].
    fn offset_under(&self, tangential_force: f64, stiffness: f64, kinetic_cone: f64) -> f64 {
        let _ = kinetic_cone;
        tangential_force / stiffness
    }

    /// The formula in the terms of other programs, for exports, which refuse a law of the form
    /// [`FrictionForm::Own`].
    fn form(&self) -> FrictionForm {
        FrictionForm::Own
    }

    /// The keys that lead to Coulomb's law, set-valued at rest and μ_k N in slip: `--verify=model` runs a scene at
    /// other values of them. Unless overridden, not known.
    fn regularisation(&self) -> Regularisation {
        Regularisation::Unknown
    }

    /// Whether the search over laws, `tune`, tries the law unasked. The search then gives an
    /// `epsilon`, and a `stiffness` and a `damping` that suit the scene's contacts; all other keys
    /// need a default.
    fn suits_search(&self) -> bool {
        false
    }
}

/// All friction laws.
pub static FRICTION_LAWS: Table<Entry<dyn FrictionLaw>> = Table::new(
    "friction law",
    &[
        none::ENTRY,
        kinetic::ENTRY,
        threshold::ENTRY,
        quadratic::ENTRY,
        cubic::ENTRY,
        quintic::ENTRY,
        hyperbolic::ENTRY,
        tanh::ENTRY,
        stribeck::ENTRY,
        viscous_cap::ENTRY,
        cundall_strack::ENTRY,
        dahl::ENTRY,
        lugre::ENTRY,
        formula::ENTRY,
    ],
);

/// Central differences of a law in displacement, velocity and N.
pub fn central_differences<L: FrictionLaw + ?Sized>(
    law: &L,
    slip: &Slip,
    pair: &Coefficients,
) -> SlipJacobian {
    let mut jacobian = SlipJacobian::default();
    let step = |x: f64, floor: f64| 1e-6 * x.abs() + floor;
    for axis in 0..3 {
        let h = step(slip.displacement.norm(), 1e-10);
        let (mut a, mut b) = (*slip, *slip);
        a.displacement[axis] -= h;
        b.displacement[axis] += h;
        let column = (law.force(&b, pair) - law.force(&a, pair)) / (2.0 * h);
        jacobian.by_displacement.set_column(axis, &column);

        let h = step(slip.velocity.norm(), 1e-9);
        let (mut a, mut b) = (*slip, *slip);
        a.velocity[axis] -= h;
        b.velocity[axis] += h;
        let column = (law.force(&b, pair) - law.force(&a, pair)) / (2.0 * h);
        jacobian.by_velocity.set_column(axis, &column);
    }
    let h = 1e-6 * slip.normal_force;
    if h > 0.0 {
        let (mut a, mut b) = (*slip, *slip);
        a.normal_force -= h;
        b.normal_force += h;
        jacobian.by_normal_force = (law.force(&b, pair) - law.force(&a, pair)) / (2.0 * h);
    }
    jacobian
}
