//! Layout of the tetrahedra: eight side by side, all of one material.

use super::Tetrahedron;
use crate::forces::components::Components;
use crate::forces::cuts::{Cut, Cuts};
use crate::math::{Matrix, Vector};
use std::collections::HashMap;
use std::ops::Range;

/// Tetrahedra of an octet.
pub(super) const LANES: usize = 8;

/// Cost of a tetrahedron; that of a spring is one.
const WORK: usize = 6;

/// Up to eight tetrahedra of one part. Lanes beyond the last one repeat it without a volume.
#[derive(Debug, Clone)]
pub(super) struct Octet {
    /// Their four corners.
    pub corners: [[u32; LANES]; 4],
    /// The highest corner.
    pub highest: u32,
    /// Their shapes at rest, in [`Layout::shapes`].
    pub shapes: u32,
    /// Their material.
    pub material: u16,
    /// Their number.
    pub used: u8,
}

/// Eight tetrahedra at rest.
#[derive(Debug, Clone)]
pub(super) struct Shapes {
    /// The gradients of the last three corners' hat functions \[1/m\]: F = Σ (x_k − x_0) g_kᵀ. Number 3 (k − 1) + axis
    /// of each tetrahedron.
    pub gradients: [[f64; LANES]; 9],
    /// V \[m³\].
    pub volumes: [f64; LANES],
}

impl Shapes {
    /// g_1, g_2 and g_3 of a lane.
    pub fn gradients_of(&self, lane: usize) -> [Vector; 3] {
        [0, 1, 2].map(|k| Vector::from_fn(|axis, _| self.gradients[3 * k + axis][lane]))
    }
}

/// Tetrahedra of one connected component with lowest corners in one chunk.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub cut: Cut,
    /// The highest of all corners.
    pub highest: u32,
    pub octets: Range<u32>,
}

/// All tetrahedra.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Number of tetrahedra.
    pub count: usize,
    /// Ascending by chunk.
    pub parts: Vec<Part>,
    /// Of all parts, one after the other.
    pub octets: Vec<Octet>,
    /// Each set once: a lattice repeats them.
    pub shapes: Vec<Shapes>,
}

/// Material and edges at rest: they make two tetrahedra alike.
fn kind(tetrahedron: &Tetrahedron) -> (u16, [[u64; 3]; 3]) {
    let bits = |edge: &Vector| [edge.x.to_bits(), edge.y.to_bits(), edge.z.to_bits()];
    (tetrahedron.material, [0, 1, 2].map(|k| bits(&tetrahedron.edges[k])))
}

fn lowest(tetrahedron: &Tetrahedron) -> u32 {
    tetrahedron.corners.into_iter().fold(u32::MAX, u32::min)
}

impl Layout {
    /// The layout of tetrahedra among `particles` particles. The order of sums is that of chunks, in each of
    /// kinds, in each of lowest corners.
    pub fn of(mut all: Vec<Tetrahedron>, particles: usize) -> Self {
        let joins = all.iter().flat_map(|t| {
            let [first, others @ ..] = t.corners.map(|i| i as usize);
            others.map(|other| [first, other])
        });
        let components = Components::of(joins, particles);
        let part = |t: &Tetrahedron| components.part(lowest(t) as usize);
        all.sort_by_cached_key(|t| (part(t), kind(t), lowest(t), t.corners));
        let mut layout = Layout { count: all.len(), ..Layout::default() };
        let mut sets = HashMap::new();
        for of_part in all.chunk_by(|a, b| part(a) == part(b)) {
            let start = layout.octets.len() as u32;
            for of_material in of_part.chunk_by(|a, b| a.material == b.material) {
                of_material.chunks(LANES).for_each(|eight| layout.add(eight, &mut sets));
            }
            let firsts = of_part.iter().map(lowest);
            layout.parts.push(Part {
                cut: Cut {
                    particle: firsts.clone().fold(u32::MAX, u32::min),
                    last: firsts.fold(0, u32::max),
                    work: WORK * of_part.len(),
                },
                highest: of_part.iter().flat_map(|t| t.corners).fold(0, u32::max),
                octets: start..layout.octets.len() as u32,
            });
        }
        layout.octets.shrink_to_fit();
        layout.shapes.shrink_to_fit();
        layout
    }

    /// Adds up to eight tetrahedra of one material.
    fn add(&mut self, eight: &[Tetrahedron], sets: &mut HashMap<Vec<[[u64; 3]; 3]>, u32>) {
        let lane = |k: usize| &eight[k.min(eight.len() - 1)];
        let mut corners = [[0; LANES]; 4];
        for (c, ends) in corners.iter_mut().enumerate() {
            ends.iter_mut().enumerate().for_each(|(k, end)| *end = lane(k).corners[c]);
        }
        let shapes = *sets.entry(eight.iter().map(|t| kind(t).1).collect()).or_insert_with(|| {
            let mut shapes = Shapes { gradients: [[0.0; LANES]; 9], volumes: [0.0; LANES] };
            for k in 0..LANES {
                let (gradients, volume) = lane(k).at_rest();
                for (number, into) in shapes.gradients.iter_mut().enumerate() {
                    into[k] = gradients[(number / 3, number % 3)];
                }
                shapes.volumes[k] = if k < eight.len() { volume } else { 0.0 };
            }
            self.shapes.push(shapes);
            self.shapes.len() as u32 - 1
        });
        self.octets.push(Octet {
            corners,
            highest: eight.iter().flat_map(|t| t.corners).fold(0, u32::max),
            shapes,
            material: eight[0].material,
            used: eight.len() as u8,
        });
    }

    /// Where the sums may be cut.
    pub fn cuts(&self) -> Cuts {
        Cuts::of(self.parts.iter().map(|part| part.cut))
    }

    /// Calls `visit` for every tetrahedron in the order of sums: its octet and its lane.
    pub fn for_each(&self, mut visit: impl FnMut(&Octet, usize)) {
        for octet in &self.octets {
            (0..octet.used as usize).for_each(|lane| visit(octet, lane));
        }
    }
}

impl Octet {
    /// The corners of a lane.
    pub fn corners_of(&self, lane: usize) -> [usize; 4] {
        self.corners.map(|ends| ends[lane] as usize)
    }
}

impl Tetrahedron {
    /// The gradients g_1, g_2, g_3 of its last three hat functions, in rows \[1/m\], and its volume \[m³\].
    pub(super) fn at_rest(&self) -> (Matrix, f64) {
        let edges = Matrix::from_columns(&self.edges);
        let inverse = edges.try_inverse().unwrap_or_else(Matrix::zeros);
        (inverse, edges.determinant() / 6.0)
    }
}
