//! Elements outside the range of their law: turned inside out, or turned where a law knows no rotations.

use super::rotation::rotation;
use super::simplex::gradient;
use super::{Elements, SolidLaw};
use crate::forces::range::{Beyond, OutOfRange};
use crate::math::{Vector, acos};

impl Elements {
    /// Calls `found` with every tetrahedron of det F ≤ 0, and with those of a law without rotations by their angle
    /// θ: cos θ = ½ (tr R − 1), R the rotation of F. Sheets and ropes have no inside, and their laws turn.
    pub(super) fn find_out_of_range(
        &self,
        positions: &[Vector],
        found: &mut dyn FnMut(OutOfRange),
    ) {
        self.tetrahedra.for_each(|corners, gradients, _, material| {
            let f = gradient(corners, &gradients, positions);
            let (volume, particle) = (f.determinant(&f.cofactor()), corners[0]);
            if volume <= 0.0 {
                found(OutOfRange { particle, how: Beyond::Inverted(volume) });
            } else if material.law == SolidLaw::Linear {
                let turned = rotation(&f).0;
                let cosine = 0.5 * (turned[0][0] + turned[1][1] + turned[2][2] - 1.0);
                let angle = acos(cosine.clamp(-1.0, 1.0));
                found(OutOfRange { particle, how: Beyond::Turned(angle) });
            }
        });
    }
}
