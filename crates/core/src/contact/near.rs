//! Contacts and near contacts for methods that jump velocities.

use super::anisotropy::Grain;
use super::friction::Slip;
use super::surfaces::{Search, Surfaces};
use super::touch::{Sides, Touch};
use crate::math::{Matrix, Vector, smaller};
use crate::state::Configuration;
use crate::state::memory::Coefficients;
use crate::state::memory::{Anchor, ContactKey, Ends};

/// Two parts near each other, in contact or not.
#[derive(Debug, Clone, Copy)]
pub struct Near {
    /// The two sides.
    pub key: ContactKey,
    /// The particles; the weights are those of the normal direction.
    pub ends: Ends,
    /// B_k: the relative velocity is Σ B_k v_k; an impulse p on the first side acts on particle k as
    /// B_kᵀ p. Tangentially the material of bodies is taken as rigid near the contact.
    pub blocks: [Matrix; 4],
    /// Position \[m\].
    pub point: Vector,
    /// Unit normal, towards the first end.
    pub normal: Vector,
    /// Depth \[m\]; negative across a gap.
    pub depth: f64,
    /// The depth beyond which the side may be mistaken \[m\].
    pub deepest: f64,
    /// Velocity of the collider's surface \[m/s\]; zero between bodies.
    pub surface_velocity: Vector,
    /// Coefficients of friction of the pair.
    pub pair: Coefficients,
    /// Coefficient of restitution of the pair.
    pub restitution: f64,
    grain: Option<Grain>,
    /// Place of the contact on the touched surface.
    pub anchor: Anchor,
}

impl Near {
    /// Whether friction depends on the direction of slip.
    pub fn is_anisotropic(&self) -> bool {
        self.grain.is_some()
    }

    /// A tangent in the variables of elliptic friction: there friction is isotropic with the
    /// coefficients [`Self::friction`].
    pub fn scaled(&self, tangent: Vector) -> Vector {
        let slip = Slip { velocity: tangent, ..Slip::default() };
        self.grain.as_ref().map_or(tangent, |grain| grain.slip(&slip).velocity)
    }

    /// The coefficients of friction for tangents that [`Self::scaled`] returns.
    pub fn friction(&self) -> Coefficients {
        self.grain.as_ref().map_or(self.pair, |grain| grain.coefficients(&self.pair))
    }
}

impl Surfaces {
    /// Lists every pair with a gap below `range` \[m\] at the trial point `at`, in the order of
    /// keys.
    pub fn near(&self, at: &Configuration, range: f64, into: &mut Vec<Near>) {
        into.clear();
        let search = Search { range, recall: false, by_impulses: true };
        self.for_each_touch(at, search, |touch| into.push(self.near_of(touch, at)));
    }

    /// Number of pairs that [`Self::near`] lists.
    pub(crate) fn count_near(&self, at: &Configuration, range: f64) -> usize {
        let (search, mut count) = (Search { range, recall: false, by_impulses: true }, 0);
        self.for_each_touch(at, search, |_| count += 1);
        count
    }

    /// Useful look-ahead \[m\]: `range`, but less than the spacing of particles.
    pub(crate) fn look_ahead(&self, range: f64) -> f64 {
        smaller(range, self.slack)
    }

    fn near_of(&self, touch: &Touch, at: &Configuration) -> Near {
        let normals = touch.normal * touch.normal.transpose();
        let across = Matrix::identity() - normals;
        let mut blocks = [Matrix::zeros(); 4];
        match touch.meeting {
            Sides::Collider { .. } => blocks[0] = Matrix::identity(),
            Sides::Bodies(proximity) => {
                for k in 0..proximity.count {
                    blocks[k] = normals * proximity.weights[k] + across * proximity.slip.block(k);
                }
            }
        }
        Near {
            key: touch.meeting.key(),
            ends: touch.meeting.ends(),
            blocks,
            point: touch.meeting.point(at.positions, &self.radii, touch.normal),
            normal: touch.normal,
            depth: touch.depth,
            deepest: self.deepest(&touch.meeting),
            surface_velocity: touch.surface_velocity,
            pair: touch.pair.friction,
            restitution: touch.pair.restitution,
            grain: touch.grain,
            anchor: touch.meeting.anchor(at.positions),
        }
    }
}
