//! A bounding volume tree over triangles, to find the first crossing of a segment with a surface.

use super::Bounds;
use crate::mesh::SurfaceMesh;
use stiction_core::math::{Vector, larger, smaller};

/// A binary tree of boxes over triangles, halved at the median along the longest side.
pub(super) struct Tree<'a> {
    surface: &'a SurfaceMesh,
    /// triangles in the order of the leaves
    order: Vec<u32>,
    /// box of each node; node n over order[from..to] has the children 2 n + 1, over the first half,
    /// and 2 n + 2, over the second
    boxes: Vec<Bounds>,
}

/// Largest number of triangles in a leaf.
const LEAF: usize = 4;

impl<'a> Tree<'a> {
    pub fn new(surface: &'a SurfaceMesh) -> Self {
        let order = (0..surface.triangles.len() as u32).collect();
        let mut tree = Tree { surface, order, boxes: Vec::new() };
        let all = tree.order.len();
        tree.grow(0, 0, all);
        tree
    }

    fn corners(&self, triangle: u32) -> [Vector; 3] {
        self.surface.triangles[triangle as usize].map(|i| self.surface.vertices[i as usize])
    }

    fn grow(&mut self, node: usize, from: usize, to: usize) {
        let corners = self.order[from..to].iter().flat_map(|t| self.corners(*t));
        let bounds = Bounds::of(&corners.collect::<Vec<_>>());
        if self.boxes.len() <= node {
            self.boxes.resize(node + 1, Bounds { min: Vector::zeros(), max: Vector::zeros() });
        }
        self.boxes[node] = bounds;
        if to - from <= LEAF {
            return;
        }
        let axis = bounds.size().imax();
        let surface = self.surface;
        let middle_of = |t: &u32| {
            let [a, b, c] = surface.triangles[*t as usize].map(|i| surface.vertices[i as usize]);
            a[axis] + b[axis] + c[axis]
        };
        self.order[from..to].sort_by(|a, b| middle_of(a).total_cmp(&middle_of(b)).then(a.cmp(b)));
        let middle = from + (to - from) / 2;
        self.grow(2 * node + 1, from, middle);
        self.grow(2 * node + 2, middle, to);
    }

    /// The share (0 to 1) of the segment at which it first meets the surface.
    pub fn first_crossing(&self, from: Vector, to: Vector) -> Option<f64> {
        let mut first = None;
        self.search(0, 0, self.order.len(), from, to - from, &mut first);
        first
    }

    fn search(
        &self,
        node: usize,
        from: usize,
        to: usize,
        start: Vector,
        way: Vector,
        first: &mut Option<f64>,
    ) {
        if !reaches(&self.boxes[node], start, way, first.unwrap_or(1.0)) {
            return;
        }
        if to - from > LEAF {
            let middle = from + (to - from) / 2;
            self.search(2 * node + 1, from, middle, start, way, first);
            self.search(2 * node + 2, middle, to, start, way, first);
            return;
        }
        for triangle in &self.order[from..to] {
            if let Some(share) = crossing(self.corners(*triangle), start, way)
                && first.is_none_or(|found| share < found)
            {
                *first = Some(share);
            }
        }
    }
}

/// Whether a segment enters a box before its share `end`.
fn reaches(of: &Bounds, start: Vector, way: Vector, end: f64) -> bool {
    let (mut enter, mut leave) = (0.0, end);
    for axis in 0..3 {
        // margin for boxes of flat parts, which rounding would miss
        let room = 1e-12 * (way[axis].abs() + start[axis].abs());
        let (low, high) = (of.min[axis] - room - start[axis], of.max[axis] + room - start[axis]);
        if way[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (one, other) = (low / way[axis], high / way[axis]);
        enter = larger(enter, smaller(one, other));
        leave = smaller(leave, larger(one, other));
    }
    enter <= leave
}

/// Relative margin at the edges of a triangle, so that a segment through an edge meets at least one
/// of the triangles at it.
const ROOM: f64 = 1e-9;

/// The share (0 to 1) of a segment at which it meets a triangle.
fn crossing([a, b, c]: [Vector; 3], start: Vector, way: Vector) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let across = way.cross(&v);
    let volume = u.dot(&across);
    if volume == 0.0 {
        return None;
    }
    let s = start - a;
    let first = s.dot(&across) / volume;
    let turned = s.cross(&u);
    let second = way.dot(&turned) / volume;
    let share = v.dot(&turned) / volume;
    let within = first >= -ROOM && second >= -ROOM && first + second <= 1.0 + ROOM;
    (within && (0.0..=1.0).contains(&share)).then_some(share)
}
