//! Closed surfaces filled with particles: by the cells of a lattice, or by tetrahedra.

mod columns;
mod grid;
mod lattice;
mod stencils;
mod tetrahedra;
mod tree;

use super::mesh::SurfaceMesh;
use super::shape_error::ShapeError;
use stiction_core::math::{Vector, larger, smaller};
use stiction_core::registry::Problem;
use stiction_core::world::shapes::Geometry;
use stiction_core::world::shapes::file::Fill;

/// Particles filling a closed surface that faces outward. Without a spacing \[m\], the longest side
/// of the bounding box is divided by [`CELLS`].
///
/// # Errors
/// A spacing that makes no cell, makes too many or fills too little of the volume, and a surface
/// that intersects itself.
pub fn filled(
    surface: &SurfaceMesh,
    fill: Fill,
    spacing: Option<f64>,
) -> Result<Geometry, ShapeError> {
    let box_of = Bounds::of(&surface.vertices);
    let spacing = spacing.unwrap_or(box_of.size().max() / CELLS);
    match fill {
        Fill::Lattice => lattice::fill(surface, &box_of, spacing),
        Fill::Tets => tetrahedra::fill(surface, &box_of, spacing),
    }
}

/// Number of cells along the longest side if a scene gives no spacing.
const CELLS: f64 = 12.0;

/// Largest number of grid points; each takes one byte.
const MOST_POINTS: f64 = 3e7;

/// Largest number of springs; each takes up to 200 bytes while the cells or tetrahedra are made.
const MOST_SPRINGS: f64 = 4e6;

/// The axis-parallel bounding box of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    min: Vector,
    max: Vector,
}

impl Bounds {
    fn of(points: &[Vector]) -> Self {
        let over = |start: f64, f: fn(f64, f64) -> f64| {
            points.iter().fold(Vector::repeat(start), |most, x| most.zip_map(x, f))
        };
        Bounds { min: over(f64::INFINITY, smaller), max: over(f64::NEG_INFINITY, larger) }
    }

    fn size(&self) -> Vector {
        self.max - self.min
    }

    fn center(&self) -> Vector {
        (self.max + self.min) * 0.5
    }
}

/// The volume that a closed surface bounds \[m³\].
fn volume(surface: &SurfaceMesh) -> f64 {
    // relative to a vertex: far from the origin, digits would cancel
    let origin = surface.vertices[0];
    let sixfold = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| surface.vertices[i as usize] - origin);
        a.dot(&b.cross(&c))
    };
    surface.triangles.iter().map(sixfold).sum::<f64>() / 6.0
}

/// Volumes of particles \[m³\], scaled to add up to the surface's volume, and the share of that
/// volume to which they added up before.
fn matched(mut volumes: Vec<f64>, surface: &SurfaceMesh) -> (Vec<f64>, f64) {
    let (found, right) = (volumes.iter().sum::<f64>(), volume(surface));
    volumes.iter_mut().for_each(|v| *v *= right / found);
    (volumes, found / right)
}

/// Refuses a fill that has lost too much of the surface's volume.
fn enough(share: f64, least: f64, spacing: f64) -> Result<(), Problem> {
    if share >= least {
        return Ok(());
    }
    Err(Problem::of(
        "spacing",
        format!(
            "a spacing of {spacing:.4e} m fills only {:.1} % of the surface's volume; a body of less than {:.0} % would be another one",
            100.0 * share,
            100.0 * least
        ),
        "make `spacing` smaller, at most half of the thinnest part",
    ))
}

/// The error of a grid with too many points.
fn too_fine(points: f64, spacing: f64) -> ShapeError {
    ShapeError::TooLarge(Problem::of(
        "spacing",
        format!(
            "a spacing of {spacing:.4e} m makes {points:.1e} grid points in the surface's box; at most {MOST_POINTS:.0e} can be tried"
        ),
        "make `spacing` larger",
    ))
}

/// Refuses a fill with too many springs, by their number in a cube of one spacing.
fn few(surface: &SurfaceMesh, spacing: f64, springs: f64) -> Result<(), ShapeError> {
    let all = springs * volume(surface) / (spacing * spacing * spacing);
    // NaN is refused too
    if all <= MOST_SPRINGS {
        return Ok(());
    }
    Err(ShapeError::TooLarge(Problem::of(
        "spacing",
        format!(
            "a spacing of {spacing:.4e} m makes about {all:.1e} springs in the surface; at most {MOST_SPRINGS:.0e} are made"
        ),
        "make `spacing` larger",
    )))
}

/// Refuses fills that together have too many springs; they are made before the memory of the scene is known.
pub(super) fn few_in_all(springs: usize) -> Result<(), ShapeError> {
    if springs as f64 <= MOST_SPRINGS {
        return Ok(());
    }
    Err(ShapeError::TooLarge(Problem::of(
        "spacing",
        format!(
            "with this body the fills of the scene have {springs} springs; at most {MOST_SPRINGS:.0e} are made"
        ),
        "make `spacing` larger, or fill fewer bodies",
    )))
}

/// The error of a surface whose winding number is neither 0 nor 1 at a point.
fn cuts_itself(winding: i32, at: Vector) -> Problem {
    let how = if winding < 0 {
        "lies in a part that faces inward".to_string()
    } else {
        format!("lies inside {winding} times over")
    };
    Problem::of(
        "path",
        format!(
            "the surface cuts itself or has parts within each other: the point ({:.6}, {:.6}, {:.6}) m {how}",
            at.x, at.y, at.z
        ),
        "unite the parts in the program that made them (a boolean union), or turn those that face inward",
    )
}
