//! A block of particles on a regular grid.

use super::grid::LatticeGrid;
use super::{BodyShape, Geometry, Link, Masses, Solid};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range};

/// A box-shaped lattice that stands on z = 0 and is centred in x and y.
///
/// `counts = [7, 1, 17]`, `spacing = 0.1` spans x from −0.3 to 0.3, y = 0 and z from 0 to 1.6;
/// the middle column is at x = 0. Particle (ix, iy, iz) has the index ix + nx·(iy + ny·iz), so the
/// bottom layer comes first. Springs: the 6 neighbours (edge), both diagonals of every face of
/// every cell (face_diagonal), the four space diagonals of every cell (body_diagonal), second
/// neighbours along the axes (bend). Volume: the product of (n − 1)·spacing, where a single layer counts
/// as one spacing thick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lattice {
    /// Particles along x, y and z, each ≥ 1.
    pub counts: [u64; 3],
    /// Distance between neighbours \[m\], > 0.
    pub spacing: f64,
}

/// Its row.
pub const ENTRY: Entry<dyn BodyShape> = Entry {
    name: "lattice",
    about: "block of particles on a regular grid, standing on z = 0, centred in x and y",
    keys: &[
        Key {
            name: "counts",
            kind: Kind::Counts,
            default: Fallback::Required,
            about: "particles along x, y and z; index = ix + nx (iy + ny iz)",
        },
        Key {
            name: "spacing",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "distance of neighbouring particles",
        },
    ],
    page: Page::NONE,
    make: |values| {
        let counts = values.get_integers("counts").unwrap_or(&[1, 1, 1]);
        Ok(Box::new(Lattice {
            counts: [0, 1, 2].map(|k| counts[k].unsigned_abs()),
            spacing: values.number("spacing"),
        }))
    },
};

impl Lattice {
    /// A block of `counts` particles along x, y and z, `spacing` \[m\] apart.
    pub fn new(counts: [u64; 3], spacing: f64) -> Self {
        Lattice { counts, spacing }
    }

    /// The volume for a density \[m³\].
    fn volume(&self) -> f64 {
        self.counts.iter().map(|&n| n.saturating_sub(1).max(1) as f64 * self.spacing).product()
    }

    /// The number in the refined lattice of every particle of the one of twice the cells, which has those of even
    /// indices first, and between which of them the others lie: on the edges of [`LatticeGrid::solid`], which lead
    /// from even to odd indices.
    fn renumbered(&self, finer: &Lattice) -> (Vec<u32>, Vec<[u32; 2]>) {
        let [nx, ny, nz] = finer.counts;
        let number =
            |at: [u64; 3]| (at[0] + self.counts[0] * (at[1] + self.counts[1] * at[2])) as u32;
        let own = self.counts.iter().product::<u64>() as u32;
        let (mut numbers, mut midpoints) = (Vec::new(), Vec::new());
        for i in 0..nx * ny * nz {
            let at = [i % nx, i / nx % ny, i / (nx * ny)];
            if at.iter().all(|k| k % 2 == 0) {
                numbers.push(number(at.map(|k| k / 2)));
                continue;
            }
            // between two particles along an axis: the one of even index, or the other
            let end = |parity: u64| number(at.map(|k| k / 2 + (k % 2) * ((k / 2 + parity) % 2)));
            let ends = [end(0), end(1)];
            numbers.push(own + midpoints.len() as u32);
            midpoints.push([ends[0].min(ends[1]), ends[0].max(ends[1])]);
        }
        (numbers, midpoints)
    }

    fn grid(&self) -> LatticeGrid {
        LatticeGrid { counts: self.counts, spacing: self.spacing }
    }
}

impl BodyShape for Lattice {
    fn size(&self) -> (u128, u128) {
        self.grid().size()
    }

    fn springs_of(&self, families: [bool; 4]) -> u128 {
        self.grid().springs_of(families)
    }

    fn surface(&self) -> u128 {
        self.grid().triangle_count().saturating_mul(12)
    }

    fn solid(&self) -> Option<Solid> {
        self.grid().solid()
    }

    fn solid_size(&self) -> u128 {
        self.grid().cells().saturating_mul(6)
    }

    fn generate(&self) -> Result<Geometry, Problem> {
        let made = self.generate_unlisted()?;
        Ok(Geometry { links: self.grid().links("counts")?, ..made })
    }

    /// That of twice the cells.
    fn refined(&self) -> Result<Geometry, Problem> {
        let counts = self.counts.map(|n| n.saturating_mul(2).saturating_sub(1));
        let finer = Lattice { counts, spacing: 0.5 * self.spacing };
        let made = finer.generate_unlisted()?;
        let (numbers, midpoints) = self.renumbered(&finer);
        let new = |i: u32| numbers[i as usize];
        let solid = finer.solid().unwrap_or_default();
        Ok(Geometry {
            positions: in_order(made.positions, &numbers),
            triangles: made.triangles.into_iter().map(|t| t.map(new)).collect(),
            tetrahedra: solid.tetrahedra.into_iter().map(|(t, _)| t.map(new)).collect(),
            masses: match solid.volumes.is_empty() {
                true => made.masses,
                false => Masses::ByVolume(in_order(solid.volumes, &numbers)),
            },
            midpoints,
            ..Geometry::default()
        })
    }

    fn rule(&self) -> Option<Box<dyn Iterator<Item = Link> + '_>> {
        Some(Box::new(self.grid().each_link()))
    }

    fn generate_unlisted(&self) -> Result<Geometry, Problem> {
        if self.counts.contains(&0) {
            return Err(Problem::of("counts", "a count is 0", "each is at least 1"));
        }
        if !Range::Positive.contains(self.spacing) {
            let message = format!("`spacing` is {}", self.spacing);
            return Err(Problem::of("spacing", message, "it must be above zero"));
        }
        let grid = self.grid();
        Ok(Geometry {
            positions: grid.positions("counts")?,
            triangles: grid.triangles("counts")?,
            masses: Masses::Even { volume: Some(self.volume()) },
            ..Geometry::default()
        })
    }
}

/// A list with each item at its new number.
fn in_order<T: Copy + Default>(list: Vec<T>, numbers: &[u32]) -> Vec<T> {
    let mut ordered = vec![T::default(); list.len()];
    list.into_iter().zip(numbers).for_each(|(item, number)| ordered[*number as usize] = item);
    ordered
}
