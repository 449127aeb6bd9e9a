//! Tetrahedra, triangles and segments: elements with one deformation gradient each.

use super::corotational::Corotational;
use super::damping::{self, Damping};
use super::element::{Corners, Eight, Element, LANES, Single, Sums, add_to, number, pairs};
use super::line::Line;
use super::linear::Linear;
use super::membrane::Membrane;
use super::neo_hookean::NeoHookean;
use super::solid::Solid;
use super::{SolidLaw, SolidMaterial};
use crate::forces::Edge;
use crate::math::lanes::{Lanes, Simd};
use crate::math::square::{Real, Square, square};
use crate::math::{Matrix, Vector};

/// A tetrahedron (N = 4), a triangle of a sheet (3) or a segment of a rope (2).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simplex<const N: usize> {
    /// Its corners; the last three of a tetrahedron are anticlockwise as seen from the first one.
    pub corners: [u32; N],
    /// The edges from the first corner to the others at rest \[m\]; zero beyond them.
    pub edges: [Vector; 3],
    /// By which its measure becomes a volume: 1, the thickness h \[m\], or the area of the section \[m²\].
    pub section: f64,
    /// Its material, by number.
    pub material: u16,
}

/// Eight of them at rest.
#[derive(Debug, Clone)]
pub(in crate::forces) struct Rest {
    /// The gradients g_1 … of the hat functions of all corners but the first \[1/m\], in the element's own axes: F = Σ
    /// (x_k − x_0) g_kᵀ has a column for each of these.
    gradients: [[[f64; LANES]; 3]; 3],
    /// V \[m³\].
    volumes: [f64; LANES],
}

impl Rest {
    /// g_1, g_2 and g_3 of a lane.
    pub fn gradients_of(&self, lane: usize) -> [Vector; 3] {
        [0, 1, 2].map(|k| Vector::from_fn(|axis, _| self.gradients[k][axis][lane]))
    }

    /// V of a lane \[m³\].
    pub fn volume_of(&self, lane: usize) -> f64 {
        self.volumes[lane]
    }
}

impl<const N: usize> Simplex<N> {
    /// The gradients g_1, g_2, g_3 of its hat functions, in rows \[1/m\], and its volume \[m³\].
    fn at_rest(&self) -> (Matrix, f64) {
        let [a, b, c] = self.edges;
        if N == 4 {
            let edges = Matrix::from_columns(&[a, b, c]);
            let inverse = edges.try_inverse().unwrap_or_else(Matrix::zeros);
            return (inverse, edges.determinant() / 6.0);
        }
        let (length, twice_area) = (a.norm(), a.cross(&b).norm());
        let mut gradients = Matrix::zeros();
        if N == 2 {
            gradients[(0, 0)] = 1.0 / length;
            return (gradients, length * self.section);
        }
        // axes along the first edge and across it: a = (l, 0), b = (a·b/l, 2A/l)
        gradients[(0, 0)] = 1.0 / length;
        gradients[(0, 1)] = -a.dot(&b) / (length * twice_area);
        gradients[(1, 1)] = length / twice_area;
        (gradients, 0.5 * twice_area * self.section)
    }
}

/// The edges from the first corner to the others, in columns.
#[inline(always)]
fn edges<S: Simd, V: Lanes<S> + Real, const N: usize>(
    simd: S,
    corners: &Corners<N>,
    lane: usize,
) -> Square<V> {
    let first = &corners[0];
    square!(A, K => if K + 1 < N {
        number::<S, V>(simd, &corners[(K + 1) % N][A], lane) - number::<S, V>(simd, &first[A], lane)
    } else {
        V::splat(simd, 0.0)
    })
}

/// Adds the forces f_k = −V P g_k of the corners k > 0, and f_0 = −Σ f_k.
#[inline(always)]
fn pull<S: Simd, V: Lanes<S> + Real, L: Solid, const N: usize, const BOOKS: bool>(
    simd: S,
    eight: &Eight<Rest, N>,
    lane: usize,
    forces: &mut Corners<N>,
    sums: &mut Sums,
) {
    let Eight { rest, material, x, v } = eight;
    let end = lane + V::LEN;
    let g = square!(K, A => number::<S, V>(simd, &rest.gradients[K][A], lane));
    let volume = number::<S, V>(simd, &rest.volumes, lane);
    let f = edges::<S, V, N>(simd, x, lane).times(&g);
    let mut stress = L::stress(&material.moduli, &f);
    if BOOKS {
        add_to(simd, &mut sums[0], lane, L::energy(&material.moduli, &f) * volume);
    }
    if material.damping > 0.0 {
        let rate = edges::<S, V, N>(simd, v, lane).times(&g);
        let damped = damping::stress::<L, V>(&material.moduli, &f, &rate);
        stress = square!(R, C => stress.0[R][C] + damped.0[R][C] * material.damping);
        if BOOKS {
            add_to(simd, &mut sums[1], lane, damped.dot(&rate) * material.damping * volume);
        }
    }
    let mut first = [V::splat(simd, 0.0); 3];
    let mut k = 1;
    while k < N {
        let force = stress.on(g.0[k - 1]);
        let mut axis = 0;
        while axis < 3 {
            let own = force[axis] * volume;
            (-own).store_slice(&mut forces[k][axis][lane..end]);
            first[axis] = if k == 1 { own } else { first[axis] + own };
            axis += 1;
        }
        k += 1;
    }
    let mut axis = 0;
    while axis < 3 {
        first[axis].store_slice(&mut forces[0][axis][lane..end]);
        axis += 1;
    }
}

impl<const N: usize> Element<N> for Simplex<N> {
    type Rest = Rest;
    type Kind = ([[u64; 3]; 3], u64);

    const WORK: usize = 6;

    fn corners(&self) -> [u32; N] {
        self.corners
    }

    fn material(&self) -> u16 {
        self.material
    }

    fn kind(&self) -> Self::Kind {
        let bits = |edge: Vector| [edge.x.to_bits(), edge.y.to_bits(), edge.z.to_bits()];
        (self.edges.map(bits), self.section.to_bits())
    }

    fn rest(eight: &[Self]) -> Rest {
        let mut rest = Rest { gradients: [[[0.0; LANES]; 3]; 3], volumes: [0.0; LANES] };
        for lane in 0..LANES {
            let (gradients, volume) = eight[lane.min(eight.len() - 1)].at_rest();
            for (k, axis) in (0..9).map(|n| (n / 3, n % 3)) {
                rest.gradients[k][axis][lane] = gradients[(k, axis)];
            }
            rest.volumes[lane] = if lane < eight.len() { volume } else { 0.0 };
        }
        rest
    }

    #[inline(always)]
    fn pull<S: Simd, V: Lanes<S> + Real, const BOOKS: bool>(
        simd: S,
        eight: &Eight<Rest, N>,
        lane: usize,
        forces: &mut Corners<N>,
        sums: &mut Sums,
    ) {
        match (N, eight.material.law) {
            (2, _) => pull::<S, V, Line, N, BOOKS>(simd, eight, lane, forces, sums),
            (3, _) => pull::<S, V, Membrane, N, BOOKS>(simd, eight, lane, forces, sums),
            (_, SolidLaw::Linear) => {
                pull::<S, V, Linear, N, BOOKS>(simd, eight, lane, forces, sums)
            }
            (_, SolidLaw::Corotational) => {
                pull::<S, V, Corotational, N, BOOKS>(simd, eight, lane, forces, sums)
            }
            (_, SolidLaw::NeoHookean) => {
                pull::<S, V, NeoHookean, N, BOOKS>(simd, eight, lane, forces, sums)
            }
        }
    }

    fn blocks(of: &Single<Rest, N>, add: impl FnMut(usize, Edge)) {
        match (N, of.material.law) {
            (2, _) => blocks::<Line, N>(of, add),
            (3, _) => blocks::<Membrane, N>(of, add),
            (_, SolidLaw::Linear) => blocks::<Linear, N>(of, add),
            (_, SolidLaw::Corotational) => blocks::<Corotational, N>(of, add),
            (_, SolidLaw::NeoHookean) => blocks::<NeoHookean, N>(of, add),
        }
    }
}

/// F = Σ (x_k − x_0) g_kᵀ.
pub(super) fn gradient<const N: usize>(
    corners: [usize; N],
    gradients: &[Vector; 3],
    of: &[Vector],
) -> Square<f64> {
    let mut sum = Matrix::zeros();
    for (end, g) in corners[1..].iter().zip(gradients) {
        sum += (of[*end] - of[corners[0]]) * g.transpose();
    }
    sum.into()
}

/// −V ∂(P g_a)/∂x_b of all pairs.
fn blocks<L: Solid, const N: usize>(of: &Single<Rest, N>, mut add: impl FnMut(usize, Edge)) {
    let Single { rest, lane, material, corners, at, convex } = *of;
    let (SolidMaterial { moduli, damping: tau, .. }, volume) = (material, rest.volume_of(lane));
    let own = rest.gradients_of(lane);
    let f = gradient(corners, &own, at.positions);
    let tangent = L::tangent(moduli, &f, convex);
    let damping =
        (*tau > 0.0).then(|| Damping::of::<L>(moduli, &f, &gradient(corners, &own, at.velocities)));
    let [g1, g2, g3] = own;
    let gradients = [-(g1 + g2 + g3), g1, g2, g3];
    for (number, [a, b]) in pairs::<N>().enumerate() {
        let (a, b) = if corners[a] < corners[b] { (a, b) } else { (b, a) };
        let (ga, gb) = (gradients[a], gradients[b]);
        let there = tangent.block(ga, gb) * -volume;
        let mut edge = Edge { there, back: there.transpose(), ..Edge::default() };
        if let Some(damping) = &damping {
            edge.by_velocity -= damping.by_rate(ga, gb) * (tau * volume);
            // it is not convex
            if !convex {
                edge.there -= damping.by_position(ga, gb) * (tau * volume);
                edge.back -= damping.by_position(gb, ga) * (tau * volume);
            }
        }
        add(number, edge);
    }
}
