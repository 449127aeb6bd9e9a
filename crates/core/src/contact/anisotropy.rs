//! Anisotropic friction: the coefficient differs along, across and against a direction. Every
//! friction law can be made anisotropic: the slip is transformed before the law, the force after
//! it.

use super::friction::{FrictionLaw, Slip, SlipJacobian};
use crate::math::{Matrix, Vector, sqrt, tangential};
use crate::state::memory::Coefficients;
use serde::{Deserialize, Serialize};

/// How the force follows from two coefficients: μ_a = μ of the pair along the direction (a) and
/// μ_b = ratio · μ across it (b).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// F_i = −μ_i N v_i/|v|: each component has its own coefficient. Dissipation is not maximal.
    Component,
    /// F_i = −N μ_i² v_i/√(Σ μ_j² v_j²): F lies on the ellipse with the half axes μ_i N, and no
    /// force inside the ellipse dissipates more.
    Ellipse,
}

/// Anisotropy fixed to a surface or to a material.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anisotropy {
    /// Direction along which the pair's own coefficients hold: a unit vector in the frame of the
    /// surface or material.
    pub direction: Vector,
    /// μ across / μ along.
    pub ratio: f64,
    /// μ against the direction / μ along it, not 1 for scales and fur; 1 for laws with memory,
    /// whose stretch has no sense of motion.
    pub backward: f64,
    /// The rule of the force.
    pub rule: Rule,
}

/// The scene's words for [`Rule`].
pub const RULES: &[&str] = &["component", "ellipse"];

impl Rule {
    /// The rule of a word of [`RULES`].
    pub fn named(word: &str) -> Rule {
        if word == "component" { Rule::Component } else { Rule::Ellipse }
    }
}

/// Anisotropy at one contact. An isotropic law with coefficients `factor` μ gets the slip `into · v`;
/// the force on the particle is `out` times the law's force. With r = `ratio`, along and across:
///
/// | | into | out | factor |
/// |---|---|---|---|
/// | component | 1 | diag(1, r) | 1 |
/// | ellipse | diag(1/√r, √r) | the same | √r |
///
/// With S = into = out the ellipse follows: −√r μ N S·S v/|S v| = −N μ_i² v_i/√(Σ μ_j² v_j²), and
/// |S v| < ε is √(Σ μ_j² v_j²) < ε √(μ_a μ_b). Stretch is stored in the law's variables. While the
/// contact slips against the direction, the first entry of `out` (of the ellipse, of both matrices)
/// is multiplied by the backward ratio. F stays continuous, since the slip along the direction is
/// zero where its sign changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain {
    into: Matrix,
    out: Matrix,
    /// W, the weight of stretch in the stored energy ½ k z·W z, and its root
    weight: Matrix,
    root: Matrix,
    factor: f64,
}

/// Transformation between an anisotropic contact and its isotropic law: the law's slip is `slip` times
/// the contact's, the law's force is `force` times that on the particle, its coefficients are `factor`
/// times the pair's. In these variables the law is isotropic and creeps as usual.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct LawFrame {
    /// From the contact's slip to the law's.
    pub slip: Matrix,
    /// From the force on the particle to the law's.
    pub force: Matrix,
    /// Coefficients of the law over those of the pair.
    pub factor: f64,
    /// Damping of the contact over that of the law.
    pub gain: f64,
}

impl Anisotropy {
    /// The anisotropy at a contact with unit normal `n` and slip `slip` \[m/s\]; `direction` is the
    /// present direction in the world. None where the direction is normal to the surface.
    pub(super) fn at(&self, direction: Vector, n: Vector, slip: Vector) -> Option<Grain> {
        let along = tangential(direction, n);
        let size = along.norm();
        if size < 1e-9 {
            return None;
        }
        let along = along / size;
        let across = n.cross(&along);
        let diagonal = |a: f64, b: f64| {
            along * along.transpose() * a + across * across.transpose() * b + n * n.transpose()
        };
        let (r, root) = (self.ratio, sqrt(self.ratio));
        let sense = if slip.dot(&along) < 0.0 { self.backward } else { 1.0 };
        Some(match self.rule {
            Rule::Component => Grain {
                into: Matrix::identity(),
                out: diagonal(sense, r),
                weight: diagonal(1.0, r),
                root: diagonal(1.0, root),
                factor: 1.0,
            },
            Rule::Ellipse => Grain {
                into: diagonal(sense / root, root),
                out: diagonal(sense / root, root),
                weight: Matrix::identity(),
                root: Matrix::identity(),
                factor: root,
            },
        })
    }
}

impl Grain {
    /// The slip in the law's variables.
    pub(super) fn slip(&self, slip: &Slip) -> Slip {
        Slip {
            displacement: self.into * slip.displacement,
            velocity: self.into * slip.velocity,
            ..*slip
        }
    }

    /// The coefficients of the law.
    pub(super) fn coefficients(&self, pair: &Coefficients) -> Coefficients {
        Coefficients {
            static_friction: pair.static_friction * self.factor,
            kinetic_friction: pair.kinetic_friction * self.factor,
        }
    }

    /// The force on the particle for the law's force \[N\].
    pub(super) fn force(&self, force: Vector) -> Vector {
        self.out * force
    }

    /// The derivatives of the force on the particle, from the law's.
    pub(super) fn jacobian(&self, law: &SlipJacobian) -> SlipJacobian {
        SlipJacobian {
            by_displacement: self.out * law.by_displacement * self.into,
            by_velocity: self.out * law.by_velocity * self.into,
            by_normal_force: self.out * law.by_normal_force,
        }
    }

    /// Energy of a stretch in the law's variables \[J\].
    pub(super) fn energy(&self, law: &dyn FrictionLaw, stretch: Vector) -> f64 {
        law.energy(self.root * stretch)
    }

    /// The transformation between contact and law.
    pub(super) fn frame(&self) -> Option<LawFrame> {
        let force = self.out.try_inverse()?;
        Some(LawFrame { slip: self.into, force, factor: self.factor, gain: self.gain() })
    }

    /// The largest ratio of the contact's |∂F/∂v| to the law's.
    pub(super) fn gain(&self) -> f64 {
        (self.out * self.into).symmetric_eigenvalues().amax()
    }

    /// W ż, in the stored power k z·W ż.
    pub(super) fn weighted(&self, rate: Vector) -> Vector {
        self.weight * rate
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::friction::threshold::Threshold;

    /// both rules against their formulas, above and below the threshold, at any angle
    #[test]
    fn the_force_is_the_formula() {
        let (mu, normal_force, epsilon, ratio) = (0.4, 3.0, 1e-2, 2.5);
        let pair = Coefficients { static_friction: mu, kinetic_friction: mu };
        let law = Threshold { epsilon };
        let n = Vector::new(0.3, -0.2, 0.9).normalize();
        let direction = Vector::new(1.0, 2.0, 0.5);
        let along = tangential(direction, n).normalize();
        let across = n.cross(&along);
        for rule in [Rule::Component, Rule::Ellipse] {
            let anisotropy = Anisotropy { direction, ratio, backward: 3.0, rule };
            for (a, b) in [(0.3, 0.1), (-0.02, 0.5), (1e-3, -2e-3), (-4e-3, 1e-4), (0.0, 0.0)] {
                let velocity = along * a + across * b;
                let grain = anisotropy.at(direction, n, velocity).expect("not along the normal");
                let slip = Slip { velocity, normal_force, ..Slip::default() };
                let force = grain.force(law.force(&grain.slip(&slip), &grain.coefficients(&pair)));
                let (mu_a, mu_b) = (if a < 0.0 { 3.0 * mu } else { mu }, ratio * mu);
                let expected = match rule {
                    Rule::Component => {
                        let s = crate::math::larger(sqrt(a * a + b * b), epsilon);
                        along * (-mu_a * normal_force * a / s)
                            + across * (-mu_b * normal_force * b / s)
                    }
                    Rule::Ellipse => {
                        let s = sqrt(mu_a * mu_a * a * a + mu_b * mu_b * b * b);
                        // the threshold is that of the forward sense
                        let s = crate::math::larger(s, epsilon * sqrt(mu * mu_b));
                        along * (-normal_force * mu_a * mu_a * a / s)
                            + across * (-normal_force * mu_b * mu_b * b / s)
                    }
                };
                assert!((force - expected).norm() < 1e-13, "{rule:?} {a} {b}: {force} {expected}");
            }
        }
        let along_the_normal = Anisotropy { direction, ratio, backward: 1.0, rule: Rule::Ellipse };
        assert!(along_the_normal.at(n, n, direction).is_none());
    }
}
