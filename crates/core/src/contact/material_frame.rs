//! A direction fixed to the material of a soft body: it turns and shears with the springs around each
//! particle.

use super::anisotropy::Anisotropy;
use crate::math::{Matrix, Vector};

/// Anisotropy fixed to the material of a body.
///
/// At each particle i the direction is Σ α_j (x_j − x_i) over its neighbours j, where the α_j are
/// the weights of least norm that give the direction at t = 0. So it follows every affine
/// deformation exactly. A part outside the span of the neighbours stays fixed in space.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialGrain {
    /// The anisotropy; its direction is that at t = 0.
    pub anisotropy: Anisotropy,
    first: usize,
    stencils: Vec<Stencil>,
}

#[derive(Debug, Clone, PartialEq)]
struct Stencil {
    weights: Vec<(u32, f64)>,
    rest: Vector,
}

impl MaterialGrain {
    /// For the body whose particles begin at `first`: `neighbours` of each, `positions` at
    /// t = 0 \[m\].
    pub fn new(
        anisotropy: Anisotropy,
        first: usize,
        neighbours: &[Vec<u32>],
        positions: &[Vector],
    ) -> Self {
        let stencil = |(k, around): (usize, &Vec<u32>)| {
            Stencil::new(anisotropy.direction, first + k, around, positions)
        };
        let stencils = neighbours.iter().enumerate().map(stencil).collect();
        MaterialGrain { anisotropy, first, stencils }
    }

    /// The present direction at a particle, not of unit length.
    pub fn direction(&self, particle: usize, positions: &[Vector]) -> Vector {
        let stencil = &self.stencils[particle - self.first];
        let x = positions[particle];
        stencil
            .weights
            .iter()
            .fold(stencil.rest, |sum, (j, weight)| sum + (positions[*j as usize] - x) * *weight)
    }
}

impl Stencil {
    /// α_j = e_j·(Σ e eᵀ)⁺ d, the weights of least norm with Σ α_j e_j = d, e_j = x_j − x_i.
    fn new(direction: Vector, i: usize, around: &[u32], positions: &[Vector]) -> Self {
        let edges: Vec<Vector> =
            around.iter().map(|j| positions[*j as usize] - positions[i]).collect();
        let moment: Matrix = edges.iter().map(|e| e * e.transpose()).sum();
        let scale = moment.trace();
        let solved = moment
            .pseudo_inverse(1e-9 * scale)
            .map_or(Vector::zeros(), |inverse| inverse * direction);
        let weights: Vec<(u32, f64)> =
            around.iter().zip(&edges).map(|(j, e)| (*j, e.dot(&solved))).collect();
        let spanned: Vector = weights.iter().zip(&edges).map(|((_, w), e)| e * *w).sum();
        Stencil { weights, rest: direction - spanned }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::anisotropy::Rule;
    use crate::math::rotation;

    #[test]
    fn the_direction_turns_and_shears_with_the_material() {
        let points = [
            Vector::zeros(),
            Vector::new(0.1, 0.02, 0.0),
            Vector::new(-0.03, 0.12, 0.01),
            Vector::new(0.02, 0.0, 0.09),
        ];
        let direction = Vector::new(1.0, 0.5, -0.2).normalize();
        let anisotropy = Anisotropy { direction, ratio: 2.0, backward: 1.0, rule: Rule::Ellipse };
        let all = [vec![1, 2, 3], vec![0], vec![], vec![0, 1]];
        let grain = MaterialGrain::new(anisotropy, 0, &all, &points);
        let turn = rotation(Vector::new(0.3, -0.4, 0.8).normalize(), 1.1)
            * Matrix::new(1.0, 0.2, 0.0, 0.0, 1.1, 0.0, 0.1, 0.0, 0.9);
        let moved: Vec<Vector> =
            points.iter().map(|p| turn * p + Vector::new(3.0, 2.0, 1.0)).collect();
        for (i, exact) in [(0, turn * direction), (2, direction)] {
            let found = grain.direction(i, &moved);
            assert!((found - exact).norm() < 1e-12, "{i}: {found} {exact}");
            assert!((grain.direction(i, &points) - direction).norm() < 1e-14);
        }
    }
}
