//! The derivatives of the elements, summed over those that share an edge.

use super::SolidMaterial;
use super::element::{Element, Single, pair_count, pairs};
use super::layout::Layout;
use crate::forces::{BlockSink, Edge};
use crate::state::Configuration;
use std::sync::{Mutex, PoisonError};

/// All edges, sorted by (i, j), each once.
#[derive(Debug, Default)]
pub(super) struct Joins {
    edges: Vec<[u32; 2]>,
    blocks: Mutex<Vec<Edge>>,
}

/// The edges of the elements of a layout, as numbers: [`pair_count`] of each, in the order of sums.
pub(super) type Numbers = Vec<u32>;

/// An edge that joins a particle with itself.
const NONE: u32 = u32::MAX;

impl Joins {
    /// Adds the edges of a layout; [`Self::finish`] makes each stand once.
    pub fn extend<E: Element<N>, const N: usize>(&mut self, layout: &Layout<E, N>) {
        self.edges.reserve(pair_count(N) * layout.count);
        layout.for_each(|octet, lane| {
            let all = joined(octet.corners_of(lane));
            self.edges.extend(all.filter(|[i, j]| i != j));
        });
    }

    pub fn finish(&mut self) {
        self.edges.sort_unstable();
        self.edges.dedup();
        self.edges.shrink_to_fit();
    }

    /// The numbers of the edges of a layout.
    pub fn numbers<E: Element<N>, const N: usize>(&self, layout: &Layout<E, N>) -> Numbers {
        let mut numbers = Numbers::with_capacity(pair_count(N) * layout.count);
        layout.for_each(|octet, lane| {
            numbers.extend(joined(octet.corners_of(lane)).map(|pair| match pair {
                [i, j] if i == j => NONE,
                _ => self.edges.partition_point(|edge| *edge < pair) as u32,
            }));
        });
        numbers
    }

    /// All edges.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Calls `fill` to add the blocks of all elements, and adds their sums, edge by edge.
    pub fn add_jacobian(&self, into: &mut dyn BlockSink, fill: impl FnOnce(&mut [Edge])) {
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.clear();
        blocks.resize(self.edges.len(), Edge::default());
        fill(&mut blocks);
        for ([i, j], edge) in self.edges.iter().zip(blocks.iter()) {
            into.add_edge(*i as usize, *j as usize, edge);
        }
    }
}

/// Adds the blocks of a layout to its edges.
pub(super) fn fill<E: Element<N>, const N: usize>(
    (layout, numbers, table): (&Layout<E, N>, &Numbers, &[SolidMaterial]),
    at: &Configuration,
    convex: bool,
    edges: &mut [Edge],
) {
    let mut numbers = numbers.chunks_exact(pair_count(N));
    layout.for_each(|octet, lane| {
        let of = Single {
            rest: &layout.rests[octet.rest as usize],
            lane,
            material: &table[octet.material as usize],
            corners: octet.corners_of(lane),
            at,
            convex,
        };
        let own = numbers.next().unwrap_or_default();
        E::blocks(&of, |pair, block| {
            if let Some(edge) = edges.get_mut(own[pair] as usize) {
                edge.there += block.there;
                edge.back += block.back;
                edge.by_velocity += block.by_velocity;
            }
        });
    });
}

/// The pairs of corners as particles, the lower one first.
fn joined<const N: usize>(corners: [usize; N]) -> impl Iterator<Item = [u32; 2]> {
    pairs::<N>().map(move |[a, b]| {
        let (a, b) = (corners[a] as u32, corners[b] as u32);
        [a.min(b), a.max(b)]
    })
}
