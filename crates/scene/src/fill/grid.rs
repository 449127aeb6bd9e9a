//! A regular grid of points over the bounding box of a surface.

use super::{Bounds, MOST_POINTS, too_fine};
use crate::shape_error::ShapeError;
use stiction_core::math::Vector;

/// Points origin + spacing (i, j, k).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Grid {
    pub origin: Vector,
    pub spacing: f64,
    /// points along x, y and z
    pub counts: [usize; 3],
}

impl Grid {
    /// A grid centred on a box, with `cells(length/spacing)` spacings along each axis.
    pub fn centred(
        box_of: &Bounds,
        spacing: f64,
        cells: impl Fn(f64) -> f64,
    ) -> Result<Self, ShapeError> {
        let cells = box_of.size().map(|length| cells(length / spacing));
        let points = (cells.x + 1.0) * (cells.y + 1.0) * (cells.z + 1.0);
        // NaN is refused too
        if points.is_nan() || points > MOST_POINTS {
            return Err(too_fine(points, spacing));
        }
        let origin = box_of.center() - cells * (0.5 * spacing);
        let counts = [0, 1, 2].map(|axis| cells[axis] as usize + 1);
        Ok(Grid { origin, spacing, counts })
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.counts.iter().product()
    }

    pub fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        i + self.counts[0] * (j + self.counts[1] * k)
    }

    pub fn place(&self, index: usize) -> [usize; 3] {
        let [nx, ny, _] = self.counts;
        [index % nx, index / nx % ny, index / (nx * ny)]
    }

    pub fn point(&self, [i, j, k]: [usize; 3]) -> Vector {
        self.origin + Vector::new(i as f64, j as f64, k as f64) * self.spacing
    }
}
