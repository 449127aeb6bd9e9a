//! A surface filled with cubic cells of a lattice.

use super::grid::Grid;
use super::{Bounds, columns, enough, few, matched};
use crate::mesh::{SurfaceMesh, pieces};
use crate::shape_error::ShapeError;
use std::collections::BTreeMap;
use stiction_core::math::Vector;
use stiction_core::registry::Problem;
use stiction_core::world::shapes::{Family, Geometry, Link, Masses, tetrahedra_of_cell};

/// Relative tolerance of lengths: a box of exactly n spacings takes n cells, and its faces count as
/// inside.
const WITHIN: f64 = 1e-9;

/// Least accepted share of the volume: cells stay inside, so a layer of about half a spacing is
/// lost.
const LEAST: f64 = 0.25;

/// Springs per cell in a large body: along edges 3, diagonals 6 + 4, to second neighbours 3.
const SPRINGS: f64 = 16.0;

/// Corners of a cell.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]];

/// Faces of a cell: step to the neighbour, and corners, counter-clockwise seen from outside.
const FACES: [([isize; 3], [usize; 4]); 6] = [
    ([-1, 0, 0], [0, 4, 6, 2]),
    ([1, 0, 0], [1, 3, 7, 5]),
    ([0, -1, 0], [0, 1, 5, 4]),
    ([0, 1, 0], [2, 6, 7, 3]),
    ([0, 0, -1], [0, 2, 3, 1]),
    ([0, 0, 1], [4, 5, 7, 6]),
];

/// Particles at the corners of all cells inside the surface, x fastest, then y, then z. Tetrahedra and springs as
/// in a lattice, but only within cells; second neighbours only where both cells between them exist.
pub(super) fn fill(
    surface: &SurfaceMesh,
    box_of: &Bounds,
    spacing: f64,
) -> Result<Geometry, ShapeError> {
    let grid = Grid::centred(box_of, spacing, |cells| (cells * (1.0 + WITHIN)).floor())?;
    few(surface, spacing, SPRINGS)?;
    let tried = shrunk(&grid, box_of.center());
    let cells = Cells { whole: cells(&columns::inside(surface, &tried)?, &grid), grid };
    if !cells.whole.contains(&true) {
        return Err(too_coarse(box_of, spacing).into());
    }
    let (numbers, positions, volumes) = cells.particles();
    let links = cells.links(&numbers);
    let (volumes, share) = matched(volumes, surface);
    enough(share, LEAST, spacing)?;
    let mut remarks = vec![format!(
        "{} particles at a spacing of {spacing:.4e} m; their cells fill {:.1} % of the surface's volume, whose mass they have",
        positions.len(),
        100.0 * share
    )];
    remarks.extend(surface.remarks.iter().cloned());
    let pieces = pieces(positions.len(), links.iter().map(|link| [link.i, link.j]));
    if pieces > 1 {
        remarks.push(format!("the cells fall into {pieces} pieces that no spring joins"));
    }
    Ok(Geometry {
        triangles: cells.triangles(&numbers),
        tetrahedra: cells.tetrahedra(&numbers, &positions),
        positions,
        links,
        masses: Masses::ByVolume(volumes),
        remarks,
        ..Geometry::default()
    })
}

fn shrunk(grid: &Grid, center: Vector) -> Grid {
    let factor = 1.0 - WITHIN;
    Grid {
        origin: center + (grid.origin - center) * factor,
        spacing: grid.spacing * factor,
        ..*grid
    }
}

/// For each cell, whether all its corners are inside; a cell has the number of its lowest corner.
fn cells(inside: &[bool], grid: &Grid) -> Vec<bool> {
    let is_whole = |index: usize| {
        let place = grid.place(index);
        (0..3).all(|axis| place[axis] + 1 < grid.counts[axis])
            && CORNERS.iter().all(|c| inside[grid.index([0, 1, 2].map(|k| place[k] + c[k]))])
    };
    (0..grid.len()).map(is_whole).collect()
}

fn too_coarse(box_of: &Bounds, spacing: f64) -> Problem {
    let size = box_of.size();
    Problem::of(
        "spacing",
        format!(
            "no cell of {spacing:.4e} m lies inside the surface, whose box is {:.4} × {:.4} × {:.4} m",
            size.x, size.y, size.z
        ),
        "make `spacing` smaller, at most half of the thinnest part; or fill = \"tets\", which follows the surface",
    )
}

struct Cells {
    grid: Grid,
    whole: Vec<bool>,
}

impl Cells {
    /// Places of the existing cells.
    fn places(&self) -> impl Iterator<Item = [usize; 3]> + '_ {
        let there = self.whole.iter().enumerate().filter(|(_, whole)| **whole);
        there.map(|(index, _)| self.grid.place(index))
    }

    fn corner(&self, place: [usize; 3], corner: usize) -> usize {
        self.grid.index([0, 1, 2].map(|k| place[k] + CORNERS[corner][k]))
    }

    /// The number of the particle at each grid point; the particles' positions, and their volumes:
    /// an eighth of every cell at the particle.
    fn particles(&self) -> (BTreeMap<usize, u32>, Vec<Vector>, Vec<f64>) {
        let mut shares: BTreeMap<usize, f64> = BTreeMap::new();
        for place in self.places() {
            (0..8).for_each(|c| *shares.entry(self.corner(place, c)).or_default() += 0.125);
        }
        let spacing = self.grid.spacing;
        let numbers = shares.keys().zip(0..).map(|(index, number)| (*index, number)).collect();
        let positions = shares.keys().map(|i| self.grid.point(self.grid.place(*i))).collect();
        let volumes = shares.values().map(|share| share * spacing * spacing * spacing).collect();
        (numbers, positions, volumes)
    }

    /// Springs, sorted by (i, j).
    fn links(&self, numbers: &BTreeMap<usize, u32>) -> Vec<Link> {
        let mut pairs: Vec<(u32, u32, Family)> = Vec::new();
        let mut add = |a: usize, b: usize, family: Family| {
            let (a, b) = (numbers[&a], numbers[&b]);
            pairs.push((a.min(b), a.max(b), family));
        };
        for place in self.places() {
            for a in 0..8usize {
                for b in a + 1..8 {
                    let family = [Family::Edge, Family::FaceDiagonal, Family::BodyDiagonal]
                        [(a ^ b).count_ones() as usize - 1];
                    add(self.corner(place, a), self.corner(place, b), family);
                }
            }
            for axis in 0..3 {
                let mut next = place;
                next[axis] += 1;
                if self.whole[self.grid.index(next)] {
                    let along = 1usize << axis;
                    for a in (0..8).filter(|a| a & along == 0) {
                        add(self.corner(place, a), self.corner(next, a | along), Family::Bend);
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs.into_iter().map(|(i, j, family)| Link::new(i, j, family)).collect()
    }

    /// Six tetrahedra in each cell, as in a lattice, the last three corners anticlockwise as seen from the first.
    fn tetrahedra(&self, numbers: &BTreeMap<usize, u32>, at: &[Vector]) -> Vec<[u32; 4]> {
        let number = |place: [i64; 3]| numbers[&self.grid.index(place.map(|k| k as usize))];
        let turned = |corners: [u32; 4]| {
            let [a, b, c, d] = corners.map(|i| at[i as usize]);
            match (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
                true => [corners[0], corners[2], corners[1], corners[3]],
                false => corners,
            }
        };
        let cells = self.places().map(|place| place.map(|k| k as i64));
        cells.flat_map(tetrahedra_of_cell).map(|corners| turned(corners.map(number))).collect()
    }

    /// Faces at which no other cell lies, each cut into two triangles.
    fn triangles(&self, numbers: &BTreeMap<usize, u32>) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for place in self.places() {
            for (step, corners) in FACES {
                if self.is_there(place, step) {
                    continue;
                }
                let [p, q, r, s] = corners.map(|c| numbers[&self.corner(place, c)]);
                triangles.extend([[p, q, r], [p, r, s]]);
            }
        }
        triangles
    }

    fn is_there(&self, place: [usize; 3], step: [isize; 3]) -> bool {
        let next = [0, 1, 2].map(|k| place[k].checked_add_signed(step[k]));
        let [Some(i), Some(j), Some(k)] = next else { return false };
        let next = [i, j, k];
        (0..3).all(|axis| next[axis] < self.grid.counts[axis]) && self.whole[self.grid.index(next)]
    }
}
