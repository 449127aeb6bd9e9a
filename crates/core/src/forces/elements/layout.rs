//! Layout of the elements of a kind: eight side by side, all of one material.

use super::element::{Element, LANES};
use crate::forces::components::Components;
use crate::forces::cuts::Cut;
use std::collections::HashMap;
use std::ops::Range;

/// Up to eight elements of one part. Lanes beyond the last one repeat it without a force.
#[derive(Debug, Clone)]
pub(super) struct Octet<const N: usize> {
    /// Their corners.
    pub corners: [[u32; LANES]; N],
    /// The highest corner.
    pub highest: u32,
    /// Their numbers at rest, in [`Layout::rests`].
    pub rest: u32,
    /// Their material.
    pub material: u16,
    /// Their number.
    pub used: u8,
}

impl<const N: usize> Octet<N> {
    /// The corners of a lane.
    pub fn corners_of(&self, lane: usize) -> [usize; N] {
        self.corners.map(|ends| ends[lane] as usize)
    }
}

/// Elements of one connected component with lowest corners in one chunk.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The first particle of its chunk, and the lowest of its component: parts ascend by them.
    pub chunk: (usize, u32),
    pub cut: Cut,
    /// The highest of all corners.
    pub highest: u32,
    pub octets: Range<u32>,
}

/// All elements of a kind.
pub(super) struct Layout<E: Element<N>, const N: usize> {
    /// Number of elements.
    pub count: usize,
    /// Ascending by chunk.
    pub parts: Vec<Part>,
    /// Of all parts, one after the other.
    pub octets: Vec<Octet<N>>,
    /// Each set once: a lattice repeats them.
    pub rests: Vec<E::Rest>,
}

impl<E: Element<N>, const N: usize> Default for Layout<E, N> {
    fn default() -> Self {
        Layout { count: 0, parts: Vec::new(), octets: Vec::new(), rests: Vec::new() }
    }
}

fn lowest<E: Element<N>, const N: usize>(element: &E) -> u32 {
    element.corners().into_iter().fold(u32::MAX, u32::min)
}

impl<E: Element<N>, const N: usize> Layout<E, N> {
    /// The layout of elements of these components. The order of sums is that of chunks, in each of kinds, in each
    /// of lowest corners.
    pub fn of(mut all: Vec<E>, components: &Components) -> Self {
        let part = |e: &E| components.part(lowest(e) as usize);
        all.sort_by_cached_key(|e| (part(e), e.material(), e.kind(), lowest(e), e.corners()));
        let mut layout = Layout { count: all.len(), ..Layout::default() };
        let mut sets = HashMap::new();
        for of_part in all.chunk_by(|a, b| part(a) == part(b)) {
            let start = layout.octets.len() as u32;
            for of_material in of_part.chunk_by(|a, b| a.material() == b.material()) {
                of_material.chunks(LANES).for_each(|eight| layout.add(eight, &mut sets));
            }
            let firsts = of_part.iter().map(lowest);
            layout.parts.push(Part {
                chunk: part(&of_part[0]),
                cut: Cut {
                    particle: firsts.clone().fold(u32::MAX, u32::min),
                    last: firsts.fold(0, u32::max),
                    work: E::WORK * of_part.len(),
                },
                highest: of_part.iter().flat_map(E::corners).fold(0, u32::max),
                octets: start..layout.octets.len() as u32,
            });
        }
        layout.octets.shrink_to_fit();
        layout.rests.shrink_to_fit();
        layout
    }

    /// Adds up to eight elements of one material.
    fn add(&mut self, eight: &[E], sets: &mut HashMap<Vec<E::Kind>, u32>) {
        let mut corners = [[0; LANES]; N];
        for (c, ends) in corners.iter_mut().enumerate() {
            let last = eight.len() - 1;
            ends.iter_mut().enumerate().for_each(|(k, end)| *end = eight[k.min(last)].corners()[c]);
        }
        let rest = *sets.entry(eight.iter().map(E::kind).collect()).or_insert_with(|| {
            self.rests.push(E::rest(eight));
            self.rests.len() as u32 - 1
        });
        self.octets.push(Octet {
            corners,
            highest: eight.iter().flat_map(E::corners).fold(0, u32::max),
            rest,
            material: eight[0].material(),
            used: eight.len() as u8,
        });
    }

    /// Calls `visit` for every element in the order of sums: its octet and its lane.
    pub fn for_each(&self, mut visit: impl FnMut(&Octet<N>, usize)) {
        for octet in &self.octets {
            (0..octet.used as usize).for_each(|lane| visit(octet, lane));
        }
    }
}
