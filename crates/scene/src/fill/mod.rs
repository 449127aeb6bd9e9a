//! Closed surfaces filled with particles: by the cells of a lattice, or by tetrahedra.

mod columns;
mod grid;
mod lattice;
mod stencils;
mod tetrahedra;
mod tree;

use super::mesh::SurfaceMesh;
use stiction_core::math::{Vector, larger, smaller};
use stiction_core::registry::Problem;
use stiction_core::world::shapes::Geometry;
use stiction_core::world::shapes::file::Fill;

/// The particles in a closed surface that faces outward. Without a spacing \[m\], the longest side of its
/// box is cut into [`CELLS`].
///
/// # Errors
/// A spacing that no cell fits with, or too many do, and surfaces that cut themselves.
pub fn filled(
    surface: &SurfaceMesh,
    fill: Fill,
    spacing: Option<f64>,
) -> Result<Geometry, Problem> {
    let box_of = Bounds::of(&surface.vertices);
    let spacing = spacing.unwrap_or(box_of.size().max() / CELLS);
    match fill {
        Fill::Lattice => lattice::fill(surface, &box_of, spacing),
        Fill::Tets => tetrahedra::fill(surface, &box_of, spacing),
    }
}

/// Cells along the longest side where a scene gives no spacing.
const CELLS: f64 = 12.0;

/// Points of a grid beyond which it is refused; one of them takes a byte.
const MOST_POINTS: f64 = 3e7;

/// The axis-parallel box of a surface.
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
    // about a point of its own, or a far one takes all digits
    let origin = surface.vertices[0];
    let sixfold = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| surface.vertices[i as usize] - origin);
        a.dot(&b.cross(&c))
    };
    surface.triangles.iter().map(sixfold).sum::<f64>() / 6.0
}

/// Volumes of particles \[m³\], in proportion, that add up to that of the surface, and the share of it
/// that they had.
fn matched(mut volumes: Vec<f64>, surface: &SurfaceMesh) -> (Vec<f64>, f64) {
    let (found, right) = (volumes.iter().sum::<f64>(), volume(surface));
    volumes.iter_mut().for_each(|v| *v *= right / found);
    (volumes, found / right)
}

/// Refuses a fill that has lost too much of the surface's volume to be the same body.
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

/// Too many points of a grid.
fn too_fine(points: f64, spacing: f64) -> Problem {
    Problem::of(
        "spacing",
        format!(
            "a spacing of {spacing:.4e} m makes {points:.1e} grid points in the surface's box; at most {MOST_POINTS:.0e} can be tried"
        ),
        "make `spacing` larger",
    )
}

/// The places where a surface is wound about otherwise than 0 or 1 times.
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
