//! The derivatives of the tetrahedra, summed over those that share an edge.

use super::corotational::Corotational;
use super::damping::Damping;
use super::layout::Layout;
use super::linear::Linear;
use super::neo_hookean::NeoHookean;
use super::solid::Solid;
use super::{SolidLaw, SolidMaterial};
use crate::forces::{BlockSink, Edge};
use crate::math::square::Square;
use crate::math::{Matrix, Vector};
use crate::state::Configuration;
use std::sync::{Mutex, PoisonError};

/// The pairs of corners of a tetrahedron.
const PAIRS: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];

/// All edges, sorted by (i, j), and those of each tetrahedron.
#[derive(Debug)]
pub(super) struct Joins {
    edges: Vec<[u32; 2]>,
    /// In the order of sums.
    of: Vec<[u32; 6]>,
    blocks: Mutex<Vec<Edge>>,
}

impl Joins {
    /// The edges of a layout.
    pub fn of(layout: &Layout) -> Self {
        let mut edges = Vec::with_capacity(2 * layout.count);
        let pairs = |corners: [usize; 4]| {
            PAIRS.map(|[a, b]| {
                let (a, b) = (corners[a] as u32, corners[b] as u32);
                [a.min(b), a.max(b)]
            })
        };
        layout.for_each(|octet, lane| edges.extend(pairs(octet.corners_of(lane))));
        edges.sort_unstable();
        edges.dedup();
        let mut of = Vec::with_capacity(layout.count);
        layout.for_each(|octet, lane| {
            let number = |pair: [u32; 2]| edges.partition_point(|edge| *edge < pair) as u32;
            of.push(pairs(octet.corners_of(lane)).map(number));
        });
        Joins { edges, of, blocks: Mutex::default() }
    }

    /// All edges.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Adds the blocks of all tetrahedra, edge by edge.
    pub fn add_jacobian(
        &self,
        layout: &Layout,
        table: &[SolidMaterial],
        at: &Configuration,
        into: &mut dyn BlockSink,
    ) {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.clear();
        blocks.resize(self.edges.len(), Edge::default());
        let positive = into.wants_convex();
        let mut numbers = self.of.iter();
        layout.for_each(|octet, lane| {
            let shapes = &layout.shapes[octet.shapes as usize];
            let material = &table[octet.material as usize];
            let element = Element {
                corners: octet.corners_of(lane),
                gradients: shapes.gradients_of(lane),
                volume: shapes.volumes[lane],
                material,
            };
            let numbers = numbers.next().into_iter().flatten();
            match material.law {
                SolidLaw::Linear => element.add::<Linear>(at, positive, &mut blocks, numbers),
                SolidLaw::Corotational => {
                    element.add::<Corotational>(at, positive, &mut blocks, numbers)
                }
                SolidLaw::NeoHookean => {
                    element.add::<NeoHookean>(at, positive, &mut blocks, numbers)
                }
            }
        });
        for ([i, j], edge) in self.edges.iter().zip(blocks.iter()) {
            into.add_edge(*i as usize, *j as usize, edge);
        }
    }
}

/// One tetrahedron.
struct Element<'a> {
    corners: [usize; 4],
    gradients: [Vector; 3],
    volume: f64,
    material: &'a SolidMaterial,
}

impl Element<'_> {
    /// F = Σ (x_k − x_0) g_kᵀ.
    fn gradient(&self, of: &[Vector]) -> Square<f64> {
        let [first, others @ ..] = self.corners;
        let mut sum = Matrix::zeros();
        for (end, g) in others.iter().zip(&self.gradients) {
            sum += (of[*end] - of[first]) * g.transpose();
        }
        sum.into()
    }

    /// Adds −V ∂(P g_a)/∂x_b of the six pairs to their edges, in the direction i < j.
    fn add<'b, L: Solid>(
        &self,
        at: &Configuration,
        positive: bool,
        blocks: &mut [Edge],
        numbers: impl Iterator<Item = &'b u32>,
    ) {
        let f = self.gradient(at.positions);
        let Self { volume, material, .. } = *self;
        let tangent = L::tangent(&material.moduli, &f, positive);
        let tau = material.damping;
        let damping = (tau > 0.0)
            .then(|| Damping::of::<L>(&material.moduli, &f, &self.gradient(at.velocities)));
        let [g1, g2, g3] = self.gradients;
        let gradients = [-(g1 + g2 + g3), g1, g2, g3];
        for ([a, b], number) in PAIRS.into_iter().zip(numbers) {
            let (a, b) = if self.corners[a] < self.corners[b] { (a, b) } else { (b, a) };
            let (ga, gb) = (gradients[a], gradients[b]);
            let edge = &mut blocks[*number as usize];
            let block = tangent.block(ga, gb) * -volume;
            edge.there += block;
            edge.back += block.transpose();
            if let Some(damping) = &damping {
                edge.by_velocity -= damping.by_rate(ga, gb) * (tau * volume);
                // it is not convex
                if !positive {
                    edge.there -= damping.by_position(ga, gb) * (tau * volume);
                    edge.back -= damping.by_position(gb, ga) * (tau * volume);
                }
            }
        }
    }
}
