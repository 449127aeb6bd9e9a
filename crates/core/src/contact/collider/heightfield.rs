//! Ground given by heights on a grid.

use super::surface::{Side, Surface, available};
use super::unread::Unread;
use super::{ColliderForm, Gap, Shape};
use crate::math::{Vector, larger};
use crate::registry::{Entry, Fallback, Key, Kind, Page, Problem, Range, Values};

/// Largest number of heights: each takes about 800 bytes, with the triangles and boxes over it.
pub const MOST: usize = 1 << 20;

/// Everything below a triangulated surface over a rectangle is solid.
///
/// Every cell of the grid is split along the diagonal from its corner of least x and y. Distance and
/// normal are those of the surface; the distance is positive above it. Beyond the rim there is no
/// contact: the distance jumps to a huge number there.
pub(crate) struct Heightfield {
    surface: Surface,
    grid: HeightGrid,
    /// The highest of the heights \[m\].
    highest: f64,
}

/// Heights on a grid.
struct HeightGrid {
    /// Position of the first height \[m\].
    corner: Vector,
    /// Distance between neighbours \[m\].
    spacing: f64,
    /// Number of heights along x.
    columns: usize,
    /// Heights above the corner \[m\], row by row.
    heights: Vec<f64>,
}

/// The row of the shape.
pub const ENTRY: Entry<dyn Shape> = Entry {
    name: "heightfield",
    about: "ground given by heights on a grid; solid below, nothing beyond its rim",
    keys: &[
        Key {
            name: "path",
            kind: Kind::Text,
            default: Fallback::Optional("or give heights and columns"),
            about: "text file in the scene's folder or below it: one row of heights a line, along x, the first line at the least y; separated by commas, semicolons or blanks",
        },
        Key {
            name: "heights",
            kind: Kind::Numbers { unit: "m", range: Range::Any },
            default: Fallback::Optional("instead of a path"),
            about: "heights above position, row by row: along x first, then along y",
        },
        Key {
            name: "columns",
            kind: Kind::Integer { min: 2, max: i64::MAX },
            default: Fallback::Optional("instead of a path"),
            about: "heights in a row",
        },
        Key {
            name: "spacing",
            kind: Kind::Number { unit: "m", range: Range::Positive },
            default: Fallback::Required,
            about: "distance of neighbouring heights along x and y",
        },
        Key {
            name: "position",
            kind: Kind::Vector { unit: "m", nonzero: false },
            default: Fallback::Vector([0.0, 0.0, 0.0]),
            about: "corner of least x and y: where the first height stands",
        },
    ],
    page: Page {
        formula: "The distance to the triangulated surface [m], positive above and negative below; nothing beyond the rim",
        creep: "",
        stiffness: "",
        when: "Terrain and measured surfaces. Keep bodies off the rim, where contact ends.",
        source: "",
    },
    make,
};

fn make(values: &Values) -> Result<Box<dyn Shape>, Problem> {
    let heights = values.get_numbers("heights");
    let columns = values.has("columns").then(|| values.integer("columns"));
    let (heights, columns) = match (values.has("path"), heights, columns) {
        (true, None, None) => return Ok(Box::new(Unread)),
        (false, Some(heights), Some(columns)) => (heights, columns),
        _ => {
            return Err(Problem {
                key: None,
                message: "a heightfield is given either by `path` or by `heights` and `columns`"
                    .into(),
                help: "for example heightfield = { heights = [0, 0, 0, 0.1], columns = 2, spacing = 1 }"
                    .into(),
            });
        }
    };
    let columns = usize::try_from(columns).unwrap_or(usize::MAX);
    let corner = values.vector("position");
    Ok(Box::new(Heightfield::new(corner, values.number("spacing"), columns, heights)?))
}

impl Heightfield {
    /// The ground of `heights` \[m\] above `corner` \[m\], `columns` of them in a row, `spacing` \[m\]
    /// apart.
    pub fn new(
        corner: Vector,
        spacing: f64,
        columns: usize,
        heights: &[f64],
    ) -> Result<Self, Problem> {
        available()?;
        if heights.len() > MOST {
            let message = format!("{} heights, at most {MOST} make a ground", heights.len());
            return Err(Problem::of(
                "heights",
                message,
                "make a coarser grid, or several colliders",
            ));
        }
        let rows = heights.len() / columns;
        if !heights.len().is_multiple_of(columns) || columns < 2 || rows < 2 {
            return Err(Problem::of(
                "columns",
                format!(
                    "{} heights do not make two or more rows of {columns} columns",
                    heights.len()
                ),
                "give rows × columns heights, at least 2 × 2",
            ));
        }
        let grid = HeightGrid { corner, spacing, columns, heights: heights.to_vec() };
        let vertices: Vec<Vector> = (0..heights.len()).map(|k| grid.vertex(k)).collect();
        let far = |x: &f64| !x.is_finite() || x.abs() > 1e15;
        // neighbours at the same point would make triangles without a normal
        let merged = vertices[1].x <= vertices[0].x || vertices[columns].y <= vertices[0].y;
        let surface = match vertices.iter().flatten().any(far) || merged {
            true => None,
            false => Surface::new(&vertices, grid.triangles()?),
        };
        let surface = surface.ok_or_else(|| {
            Problem::of(
                "spacing",
                format!(
                    "spacing = {spacing:e} m does not give a surface that can be computed with at this position"
                ),
                "choose a spacing of the size of the bodies that lie on it",
            )
        })?;
        let highest = corner.z + heights.iter().copied().fold(f64::NEG_INFINITY, larger);
        Ok(Heightfield { surface, grid, highest })
    }
}

impl HeightGrid {
    fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    fn vertex(&self, k: usize) -> Vector {
        let (i, j) = (k % self.columns, k / self.columns);
        let offset = Vector::new(i as f64 * self.spacing, j as f64 * self.spacing, self.heights[k]);
        self.corner + offset
    }

    /// Two triangles a cell, facing up.
    fn triangles(&self) -> Result<Vec<[u32; 3]>, Problem> {
        let wrong = |_| {
            Problem::of(
                "heights",
                format!("{} heights are more than can be numbered", self.heights.len()),
                "use a wider spacing",
            )
        };
        u32::try_from(self.heights.len()).map_err(wrong)?;
        let width = self.columns as u32;
        let mut triangles = Vec::with_capacity(2 * self.heights.len());
        for j in 0..self.rows() as u32 - 1 {
            for i in 0..width - 1 {
                let a = i + width * j;
                triangles.push([a, a + 1, a + 1 + width]);
                triangles.push([a, a + 1 + width, a + width]);
            }
        }
        Ok(triangles)
    }

    /// Height of the surface at (x, y) of `p` \[m\]; none beyond the rim.
    fn height(&self, p: Vector) -> Option<f64> {
        let (x, y) = ((p.x - self.corner.x) / self.spacing, (p.y - self.corner.y) / self.spacing);
        let (last_x, last_y) = (self.columns - 1, self.rows() - 1);
        let within = |x: f64, last: usize| x >= 0.0 && x <= last as f64;
        if !within(x, last_x) || !within(y, last_y) {
            return None;
        }
        let (i, j) = ((x as usize).min(last_x - 1), (y as usize).min(last_y - 1));
        let (u, v) = (x - i as f64, y - j as f64);
        let at = |i: usize, j: usize| self.heights[i + self.columns * j];
        let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
        let rise = if u >= v { u * (b - a) + v * (c - b) } else { v * (d - a) + u * (c - d) };
        Some(self.corner.z + a + rise)
    }
}

impl Shape for Heightfield {
    fn gap(&self, p: Vector) -> Gap {
        match self.grid.height(p) {
            Some(height) => self.surface.gap(p, Side::Known(p.z < height)),
            None => Gap { distance: f64::MAX, normal: Vector::z() },
        }
    }

    fn gap_within(&self, p: Vector, reach: f64) -> Option<Gap> {
        // no search far above the highest point
        if p.z - self.highest >= reach {
            return None;
        }
        let gap = self.gap(p);
        (gap.distance < reach).then_some(gap)
    }

    /// The middle of the grid at its mean height.
    fn center(&self) -> Vector {
        let grid = &self.grid;
        let (nx, ny) = ((grid.columns - 1) as f64, (grid.rows() - 1) as f64);
        let mean = grid.heights.iter().sum::<f64>() / grid.heights.len() as f64;
        grid.corner + Vector::new(0.5 * nx * grid.spacing, 0.5 * ny * grid.spacing, mean)
    }

    fn parts(self: Box<Self>) -> Vec<Box<dyn Shape>> {
        vec![self]
    }

    fn form(&self) -> ColliderForm<'_> {
        ColliderForm::Triangles(self.surface.triangles())
    }
}
