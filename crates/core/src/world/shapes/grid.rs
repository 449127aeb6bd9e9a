//! The regular grid behind lattices and cloths.

use super::{Family, Link, Solid, too_large};
use crate::math::Vector;
use crate::registry::Problem;

/// Particles on a regular grid of one spacing along all axes.
///
/// Particle (ix, iy, iz) has the index ix + nx·(iy + ny·iz): x runs fastest, so a horizontal layer is
/// contiguous in memory and the bottom layer comes first. The grid is centred in x and y and stands on z
/// = 0: x = (ix − (nx−1)/2)·spacing, y alike, z = iz·spacing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LatticeGrid {
    /// Particles along x, y, z, each ≥ 1.
    pub counts: [u64; 3],
    /// Distance between neighbours \[m\], > 0.
    pub spacing: f64,
}

/// The springs from one particle to those with a higher index, as steps (dx, dy, dz) in increasing order
/// of the partner's index, so that they need no sorting.
const STEPS: [([i64; 3], Family); 16] = [
    ([1, 0, 0], Family::Edge),
    ([2, 0, 0], Family::Bend),
    ([-1, 1, 0], Family::FaceDiagonal),
    ([0, 1, 0], Family::Edge),
    ([1, 1, 0], Family::FaceDiagonal),
    ([0, 2, 0], Family::Bend),
    ([-1, -1, 1], Family::BodyDiagonal),
    ([0, -1, 1], Family::FaceDiagonal),
    ([1, -1, 1], Family::BodyDiagonal),
    ([-1, 0, 1], Family::FaceDiagonal),
    ([0, 0, 1], Family::Edge),
    ([1, 0, 1], Family::FaceDiagonal),
    ([-1, 1, 1], Family::BodyDiagonal),
    ([0, 1, 1], Family::FaceDiagonal),
    ([1, 1, 1], Family::BodyDiagonal),
    ([0, 0, 2], Family::Bend),
];

/// The orders of three axes.
const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The corners of the six tetrahedra of a cell, which has the indices of its lowest corner: along the ways over three
/// edges from the corner of even indices to that of odd ones, so that the diagonals of neighbouring cells meet and none
/// is the rule. Source: \[kuhn1960\].
pub fn tetrahedra_of_cell(cell: [i64; 3]) -> impl Iterator<Item = [[i64; 3]; 4]> {
    ORDERS.into_iter().map(move |order| {
        let mut corners = [cell.map(|index| index + index % 2); 4];
        for (k, axis) in order.into_iter().enumerate() {
            let mut at = corners[k];
            at[axis] += 1 - 2 * (cell[axis] % 2);
            corners[k + 1] = at;
        }
        corners
    })
}

/// All triples of indices below `counts`, the first fastest.
fn cells([nx, ny, nz]: [i64; 3]) -> impl Iterator<Item = [i64; 3]> {
    (0..nx * ny * nz).map(move |i| [i % nx, i / nx % ny, i / (nx * ny)])
}

impl LatticeGrid {
    /// (particles, springs), saturating far beyond any memory.
    pub fn size(&self) -> (u128, u128) {
        (self.particles(), self.springs_of([true; 4]))
    }

    fn particles(&self) -> u128 {
        self.counts.iter().fold(1u128, |product, &n| product.saturating_mul(u128::from(n)))
    }

    /// Number of springs of some families.
    pub fn springs_of(&self, families: [bool; 4]) -> u128 {
        let product = |factors: [u64; 3]| {
            factors.iter().fold(1u128, |product, &n| product.saturating_mul(u128::from(n)))
        };
        let wanted = STEPS.iter().filter(|(_, family)| families[*family as usize]);
        wanted.fold(0u128, |sum, (step, _)| {
            let starts = [0, 1, 2].map(|k| self.counts[k].saturating_sub(step[k].unsigned_abs()));
            sum.saturating_add(product(starts))
        })
    }

    /// Number of its triangles.
    pub(crate) fn triangle_count(&self) -> u128 {
        let pieces = self.counts.map(|n| u128::from(n.saturating_sub(1)));
        let sheet = |normal: usize| {
            let sheets = if self.counts[normal] > 1 { 4 } else { 2 };
            pieces[(normal + 1) % 3].saturating_mul(pieces[(normal + 2) % 3]).saturating_mul(sheets)
        };
        [0, 1, 2].map(sheet).into_iter().fold(0, u128::saturating_add)
    }

    /// The counts as 32-bit numbers, if all particles can be numbered.
    fn numbered(&self, key: &'static str) -> Result<[u32; 3], Problem> {
        let particles = self.particles();
        if particles > u128::from(u32::MAX) {
            return Err(too_large(key, particles));
        }
        // every count divides a product that fits
        Ok(self.counts.map(|n| n as u32))
    }

    /// Positions \[m\] by particle; `key` is named in the error if there are too many.
    pub fn positions(&self, key: &'static str) -> Result<Vec<Vector>, Problem> {
        let [nx, ny, nz] = self.numbered(key)?;
        let half = 0.5 * self.spacing;
        // twice the index less the last one: an odd count has its middle exactly at zero
        let centred = |i: u32, n: u32| (2.0 * f64::from(i) - f64::from(n - 1)) * half;
        let mut positions = Vec::with_capacity(self.particles() as usize);
        for iz in 0..nz {
            for iy in 0..ny {
                for ix in 0..nx {
                    positions.push(Vector::new(
                        centred(ix, nx),
                        centred(iy, ny),
                        f64::from(iz) * self.spacing,
                    ));
                }
            }
        }
        Ok(positions)
    }

    /// Springs, sorted by (i, j).
    pub fn links(&self, key: &'static str) -> Result<Vec<Link>, Problem> {
        self.numbered(key)?;
        let mut links = Vec::with_capacity(self.size().1 as usize);
        links.extend(self.each_link());
        Ok(links)
    }

    /// The springs one by one; none if the particles cannot be numbered.
    pub(crate) fn each_link(&self) -> impl Iterator<Item = Link> + use<> {
        let counts = self.numbered("").unwrap_or([0; 3]).map(i64::from);
        let [nx, ny, nz] = counts;
        (0..nx * ny * nz).flat_map(move |i| {
            let at = [i % nx, i / nx % ny, i / (nx * ny)];
            STEPS.into_iter().filter_map(move |(step, family)| {
                let to = [0, 1, 2].map(|k| at[k] + step[k]);
                let inside = (0..3).all(|k| (0..counts[k]).contains(&to[k]));
                let j = to[0] + nx * (to[1] + ny * to[2]);
                inside.then(|| Link::new(i as u32, j as u32, family))
            })
        })
    }

    /// Number of its cells.
    pub fn cells(&self) -> u128 {
        let along = self.counts.map(|n| u128::from(n.saturating_sub(1)));
        along.into_iter().fold(1, u128::saturating_mul)
    }

    /// Those of [`tetrahedra_of_cell`] in each cell.
    pub fn solid(&self) -> Option<Solid> {
        let counts = self.numbered("").ok()?.map(i64::from);
        if counts.iter().any(|n| *n < 2) {
            return None;
        }
        let [nx, ny, _] = counts;
        let number = |at: [i64; 3]| (at[0] + nx * (at[1] + ny * at[2])) as u32;
        let place = |i: u32| {
            let i = i64::from(i);
            let at = [i % nx, i / nx % ny, i / (nx * ny)];
            Vector::from(at.map(|index| index as f64)) * self.spacing
        };
        let mut solid = Solid::default();
        for cell in cells(counts.map(|n| n - 1)) {
            tetrahedra_of_cell(cell).for_each(|corners| solid.add(corners.map(number), place));
        }
        // eighths of the cells around each particle
        let share = |at: i64, n: i64| if at == 0 || at == n - 1 { 0.5 } else { 1.0 };
        let volume = |at: [i64; 3]| {
            let shares = (0..3).map(|k| share(at[k], counts[k]) * self.spacing);
            shares.product::<f64>()
        };
        solid.volumes = cells(counts).map(volume).collect();
        Some(solid)
    }

    /// Surface triangles: the outward hull of a grid with all counts > 1; one sheet with normals along
    /// the positive axis if exactly one count is 1; none for lines and points.
    pub fn triangles(&self, key: &'static str) -> Result<Vec<[u32; 3]>, Problem> {
        let counts = self.numbered(key)?;
        let stride = [1, counts[0], counts[0] * counts[1]];
        let mut triangles = Vec::new();
        for normal in 0..3 {
            let (u, v) = ((normal + 1) % 3, (normal + 2) % 3);
            for b in 1..counts[v] {
                for a in 1..counts[u] {
                    let corner = (a - 1) * stride[u] + (b - 1) * stride[v];
                    let quad =
                        [0, stride[u], stride[u] + stride[v], stride[v]].map(|step| corner + step);
                    let [p, q, r, s] = quad.map(|i| i + (counts[normal] - 1) * stride[normal]);
                    triangles.extend([[p, q, r], [p, r, s]]);
                    if counts[normal] > 1 {
                        let [p, q, r, s] = quad;
                        triangles.extend([[p, r, q], [p, s, r]]);
                    }
                }
            }
        }
        Ok(triangles)
    }
}
