//! A surface filled with tetrahedra: those of a body-centred cubic lattice, cut at the surface.
//!
//! Before cutting, lattice points near the surface are moved onto it, so that no tetrahedron
//! becomes thin: isosurface stuffing \[labelle2007\]. Edges and corners of the surface that the
//! lattice does not resolve are rounded off.

use super::grid::Grid;
use super::stencils::{Corner, Side, pieces};
use super::tree::Tree;
use super::{Bounds, columns, enough, few, matched};
use crate::mesh::{SurfaceMesh, TetMesh};
use crate::shape_error::ShapeError;
use std::collections::BTreeMap;
use stiction_core::math::{Vector, acos, degrees, smaller};
use stiction_core::registry::Problem;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses};

/// Distance of a lattice point from a cut, over the length of the edge that is cut, below which the
/// point is moved onto the cut: for long and for short edges \[labelle2007\].
const NEAR: [f64; 2] = [0.24999, 0.41189];

/// Least accepted share of the volume: only details below the spacing are lost.
const LEAST: f64 = 0.75;

/// Edges of the lattice per cube of one spacing: 6 long ones and 8 short ones.
const EDGES: f64 = 14.0;

/// Largest number of cuts, each of which ends up to six edges.
const MOST_CUTS: usize = 1_000_000;

/// Particles at the corners of tetrahedra, springs along their edges.
pub(super) fn fill(
    surface: &SurfaceMesh,
    box_of: &Bounds,
    spacing: f64,
) -> Result<Geometry, ShapeError> {
    let mut lattice = Lattice::new(surface, box_of, spacing)?;
    let cuts = lattice.cuts(&Tree::new(surface)).ok_or_else(|| too_rough(spacing))?;
    lattice.warp(&cuts);
    let (points, tets) = lattice.tetrahedra(&cuts);
    if tets.is_empty() {
        return Err(too_coarse(box_of, spacing).into());
    }
    let mesh = TetMesh::of(points, tets).map_err(|fault| {
        Problem::of(
            "spacing",
            format!("a spacing of {spacing:.4e} m does not resolve the surface: {}", fault.message),
            "choose another `spacing`, smaller than the thinnest part",
        )
    })?;
    let (volumes, share) = matched(mesh.point_volumes(), surface);
    enough(share, LEAST, spacing)?;
    let mut remarks = vec![format!(
        "{} tetrahedra of {} particles at a spacing of {spacing:.4e} m, dihedral angles from {:.1}°; they fill {:.1} % of the surface's volume, whose mass they have",
        mesh.tets.len(),
        mesh.points.len(),
        smallest_angle(&mesh),
        100.0 * share
    )];
    remarks.extend(surface.remarks.iter().chain(&mesh.remarks).cloned());
    let links = mesh.edges().into_iter().map(|[i, j]| Link::new(i, j, Family::Edge)).collect();
    Ok(Geometry {
        masses: Masses::ByVolume(volumes),
        links,
        positions: mesh.points,
        triangles: mesh.surface,
        tetrahedra: mesh.tets,
        remarks,
        ..Geometry::default()
    })
}

fn too_coarse(box_of: &Bounds, spacing: f64) -> Problem {
    let size = box_of.size();
    Problem::of(
        "spacing",
        format!(
            "no lattice point at a spacing of {spacing:.4e} m lies inside the surface, whose box is {:.4} × {:.4} × {:.4} m",
            size.x, size.y, size.z
        ),
        "make `spacing` smaller, at most the thickness of the thinnest part",
    )
}

fn too_rough(spacing: f64) -> ShapeError {
    ShapeError::TooLarge(Problem::of(
        "spacing",
        format!(
            "at a spacing of {spacing:.4e} m the surface cuts more than {MOST_CUTS} edges of the lattice, the most that are tried"
        ),
        "make `spacing` larger, or the surface simpler",
    ))
}

/// The smallest angle between two faces of a tetrahedron \[degrees\].
pub(super) fn smallest_angle(mesh: &TetMesh) -> f64 {
    const OPPOSITE: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
    let mut least = 180.0;
    for tet in &mesh.tets {
        let x = tet.map(|i| mesh.points[i as usize]);
        let outward = OPPOSITE.map(|[a, b, c]| (x[b] - x[a]).cross(&(x[c] - x[a])).normalize());
        for i in 0..4 {
            for j in i + 1..4 {
                let cosine = -outward[i].dot(&outward[j]);
                least = smaller(least, degrees(acos(cosine.clamp(-1.0, 1.0))));
            }
        }
    }
    least
}

/// Two cubic grids, one at the centres of the other's cells.
struct Lattice {
    /// corners of cells, and their centres
    grids: [Grid; 2],
    sides: Vec<Side>,
    /// lattice points moved onto the surface: new positions
    moved: BTreeMap<u32, Vector>,
}

/// Positions of cuts by inner and outer end.
type Cuts = BTreeMap<(u32, u32), Vector>;

/// Steps of index from a cell's centre, in the grid of centres, to its eight corners, in the grid
/// of corners. From a corner to the centres of its cells they are smaller by 1.
const CELL: [[isize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

impl Lattice {
    fn new(surface: &SurfaceMesh, box_of: &Bounds, spacing: f64) -> Result<Self, ShapeError> {
        // a margin of one cell on every side, so that all outermost points are outside
        let corners = Grid::centred(box_of, spacing, |cells| (cells * (1.0 - 1e-9)).ceil() + 2.0)?;
        few(surface, spacing, EDGES)?;
        let middles = Grid {
            origin: corners.origin + Vector::repeat(0.5 * spacing),
            counts: corners.counts.map(|n| n - 1),
            ..corners
        };
        let mut sides = Vec::with_capacity(corners.len() + middles.len());
        for grid in [&corners, &middles] {
            let inside = columns::inside(surface, grid)?;
            sides.extend(inside.iter().map(|inside| if *inside { Side::In } else { Side::Out }));
        }
        Ok(Lattice { grids: [corners, middles], sides, moved: BTreeMap::new() })
    }

    /// Grid and place of a lattice point.
    fn place(&self, point: u32) -> (usize, [usize; 3]) {
        let corners = self.grids[0].len() as u32;
        let (kind, index) = if point < corners { (0, point) } else { (1, point - corners) };
        (kind, self.grids[kind].place(index as usize))
    }

    /// The lattice point at a place of a grid, if it exists.
    fn number(&self, kind: usize, place: [usize; 3], step: [isize; 3]) -> Option<u32> {
        let grid = &self.grids[kind];
        let mut at = [0; 3];
        for axis in 0..3 {
            at[axis] = place[axis].checked_add_signed(step[axis])?;
            if at[axis] >= grid.counts[axis] {
                return None;
            }
        }
        Some((grid.index(at) + kind * self.grids[0].len()) as u32)
    }

    fn original(&self, point: u32) -> Vector {
        let (kind, place) = self.place(point);
        self.grids[kind].point(place)
    }

    /// Neighbours of a lattice point, and whether the edge to each is a short one.
    fn neighbours(&self, point: u32) -> impl Iterator<Item = (u32, bool)> + '_ {
        let (kind, place) = self.place(point);
        let long = (0..6).filter_map(move |k| {
            let mut step = [0; 3];
            step[k / 2] = if k % 2 == 0 { -1 } else { 1 };
            Some((self.number(kind, place, step)?, false))
        });
        let short = CELL.into_iter().filter_map(move |step| {
            let step = if kind == 1 { step } else { step.map(|k| k - 1) };
            Some((self.number(1 - kind, place, step)?, true))
        });
        long.chain(short)
    }

    /// Intersections of the surface with edges from inside to outside; none if there are too many.
    fn cuts(&self, tree: &Tree) -> Option<Cuts> {
        let mut cuts = Cuts::new();
        for (point, _) in self.sides.iter().enumerate().filter(|(_, side)| **side == Side::In) {
            let point = point as u32;
            for (other, _) in self.neighbours(point) {
                if self.sides[other as usize] == Side::Out {
                    let (from, to) = (self.original(point), self.original(other));
                    // rounding may hide a crossing at an end
                    let share = tree.first_crossing(from, to).unwrap_or(0.5);
                    cuts.insert((point, other), from.lerp(&to, share));
                }
            }
            if cuts.len() > MOST_CUTS {
                return None;
            }
        }
        Some(cuts)
    }

    /// Moves lattice points onto the nearest cut of their edges, if it is near enough.
    fn warp(&mut self, cuts: &Cuts) {
        let mut ends: Vec<u32> = cuts.keys().flat_map(|(a, b)| [*a, *b]).collect();
        ends.sort_unstable();
        ends.dedup();
        for point in ends {
            let here = self.original(point);
            let own = self.sides[point as usize];
            let mut nearest: Option<(f64, Vector)> = None;
            for (other, short) in self.neighbours(point) {
                let across = match (own, self.sides[other as usize]) {
                    (Side::In, Side::Out) => (point, other),
                    (Side::Out, Side::In) => (other, point),
                    _ => continue,
                };
                let Some(cut) = cuts.get(&across) else { continue };
                let length = (self.original(other) - here).norm();
                let distance = (cut - here).norm();
                if distance < NEAR[usize::from(short)] * length
                    && nearest.is_none_or(|(found, _)| distance < found)
                {
                    nearest = Some((distance, *cut));
                }
            }
            if let Some((_, cut)) = nearest {
                self.sides[point as usize] = Side::On;
                self.moved.insert(point, cut);
            }
        }
    }

    /// Points and tetrahedra inside.
    fn tetrahedra(&self, cuts: &Cuts) -> (Vec<Vector>, Vec<[u32; 4]>) {
        let mut found: Vec<[Corner; 4]> = Vec::new();
        self.for_each_cell(|corners| {
            found.extend(pieces(corners.map(|i| (i, self.sides[i as usize]))));
        });
        let mut used: Vec<Corner> = found.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let place = |corner: &Corner| match *corner {
            Corner::Own(i) => self.moved.get(&i).copied().unwrap_or_else(|| self.original(i)),
            Corner::Cut(a, b) => cuts[&(a, b)],
        };
        let number = |corner: Corner| used.binary_search(&corner).unwrap_or(0) as u32;
        let tets = found.iter().map(|tet| tet.map(number)).collect();
        (used.iter().map(place).collect(), tets)
    }

    /// Calls `visit` with the corners of each tetrahedron near a point inside: two neighbouring cell
    /// centres and an edge of the face between them, in an order that makes the volume positive.
    fn for_each_cell(&self, mut visit: impl FnMut([u32; 4])) {
        let middles = self.grids[1];
        let inside = |point: u32| self.sides[point as usize] == Side::In;
        for index in 0..middles.len() {
            let place = middles.place(index);
            for axis in 0..3 {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let step_to = |steps: [(usize, isize); 3]| {
                    let mut step = [0; 3];
                    steps.iter().for_each(|(axis, by)| step[*axis] += by);
                    step
                };
                let Some(next) = self.number(1, place, step_to([(axis, 1), (u, 0), (v, 0)])) else {
                    continue;
                };
                let here = (index + self.grids[0].len()) as u32;
                let around = [[0, 0], [1, 0], [1, 1], [0, 1]]
                    .map(|[a, b]| self.number(0, place, step_to([(axis, 1), (u, a), (v, b)])));
                if !(inside(here) || inside(next) || around.into_iter().flatten().any(inside)) {
                    continue;
                }
                for k in 0..4 {
                    if let (Some(one), Some(other)) = (around[k], around[(k + 1) % 4]) {
                        visit([here, next, one, other]);
                    }
                }
            }
        }
    }
}
