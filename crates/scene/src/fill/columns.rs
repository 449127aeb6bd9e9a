//! Grid points inside a closed surface, from the heights at which the surface crosses the vertical
//! lines of the grid.
//!
//! A line meets a triangle where the triangle's outline winds about it in the horizontal plane.
//! Each edge is evaluated in the order of its vertices' numbers, so that the two triangles at an
//! edge get the same answer bit for bit. The windings over a closed surface then add up to zero on
//! every line, also on lines through edges and vertices.

use super::cuts_itself;
use super::grid::Grid;
use crate::mesh::SurfaceMesh;
use crate::shape_error::ShapeError;
use stiction_core::math::Vector;
use stiction_core::registry::Problem;

/// A crossing of the surface with a vertical line.
#[derive(Debug, Clone, Copy)]
struct Crossing {
    line: u32,
    z: f64,
    /// change of the winding number for increasing z
    change: i32,
}

/// Number of tests of a line against a triangle, and of crossings, beyond which a grid is too fine for a
/// surface.
const MOST_TRIES: f64 = 3e8;
const MOST_CROSSINGS: usize = 10_000_000;

/// A wrong winding number over a length of at most this many spacings is attributed to rounding.
const ROUNDING: f64 = 1e-6;

/// Whether each point of the grid is inside, in the order of [`Grid::index`].
pub(super) fn inside(surface: &SurfaceMesh, grid: &Grid) -> Result<Vec<bool>, ShapeError> {
    let mut crossings = crossings(surface, grid)?;
    crossings.sort_unstable_by(|a, b| {
        (a.line, a.z).partial_cmp(&(b.line, b.z)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut inside = vec![false; grid.len()];
    let layer = grid.counts[0] * grid.counts[1];
    for line in crossings.chunk_by(|a, b| a.line == b.line) {
        let mut winding = 0;
        for pair in line.windows(2) {
            winding += pair[0].change;
            let (from, to) = (pair[0].z, pair[1].z);
            if winding == 0 {
                continue;
            }
            if winding != 1 && to - from > ROUNDING * grid.spacing {
                let mut at = grid.point(grid.place(line[0].line as usize));
                at.z = 0.5 * (from + to);
                return Err(cuts_itself(winding, at).into());
            }
            let level = |z: f64| ((z - grid.origin.z) / grid.spacing).ceil().max(0.0);
            let end = level(to).min(grid.counts[2] as f64);
            for k in level(from) as usize..end as usize {
                inside[line[0].line as usize + layer * k] = true;
            }
        }
    }
    Ok(inside)
}

/// All crossings of the grid's lines.
fn crossings(surface: &SurfaceMesh, grid: &Grid) -> Result<Vec<Crossing>, ShapeError> {
    let mut found = Vec::new();
    let mut tries = 0.0;
    for triangle in &surface.triangles {
        let corners = triangle.map(|i| surface.vertices[i as usize]);
        let [columns, rows] = [0, 1].map(|axis| lines_over(&corners, grid, axis));
        tries += columns.len() as f64 * rows.len() as f64;
        if tries > MOST_TRIES || found.len() + columns.len() * rows.len() > MOST_CROSSINGS {
            return Err(ShapeError::TooLarge(Problem::of(
                "spacing",
                format!(
                    "a spacing of {:?} m is too fine for a surface of {} triangles",
                    grid.spacing,
                    surface.triangles.len()
                ),
                "make `spacing` larger, or the surface coarser",
            )));
        }
        for j in rows {
            for i in columns.clone() {
                let at = grid.point([i, j, 0]);
                let winding = winding(surface, *triangle, at);
                if winding != 0 {
                    // a line that crosses a face upward leaves the body where the face points up
                    let z = height(&corners, at);
                    found.push(Crossing {
                        line: grid.index([i, j, 0]) as u32,
                        z,
                        change: -winding,
                    });
                }
            }
        }
    }
    Ok(found)
}

/// Numbers, counted along `axis`, of the vertical grid lines that a triangle may reach.
fn lines_over(corners: &[Vector; 3], grid: &Grid, axis: usize) -> std::ops::Range<usize> {
    let places = corners.map(|c| (c[axis] - grid.origin[axis]) / grid.spacing);
    let low = places.into_iter().fold(f64::INFINITY, f64::min).floor() - 1.0;
    let high = places.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() + 2.0;
    let count = grid.counts[axis] as f64;
    low.clamp(0.0, count) as usize..high.clamp(0.0, count) as usize
}

/// Winding number of a triangle's outline about the vertical line through `at`: 1 if the triangle's
/// normal points upward, −1 if downward, 0 if the line misses the triangle.
fn winding(surface: &SurfaceMesh, [a, b, c]: [u32; 3], at: Vector) -> i32 {
    [[a, b], [b, c], [c, a]].map(|edge| crossed(surface, edge, at)).iter().sum()
}

/// Crossing of an edge with the ray from a point along +x: 1 if the edge runs towards +y there, −1
/// if towards −y, 0 if they do not cross.
fn crossed(surface: &SurfaceMesh, [from, to]: [u32; 2], at: Vector) -> i32 {
    let forward = from < to;
    let [low, high] = if forward { [from, to] } else { [to, from] };
    let [p, q] = [low, high].map(|i| surface.vertices[i as usize]);
    if (p.y <= at.y) == (q.y <= at.y) {
        return 0;
    }
    let up = q.y > p.y;
    let left = (q.x - p.x) * (at.y - p.y) - (at.x - p.x) * (q.y - p.y) > 0.0;
    if left != up {
        return 0;
    }
    if up == forward { 1 } else { -1 }
}

/// Height of the plane of a triangle at a point, clamped to the heights of its corners.
fn height([a, b, c]: &[Vector; 3], at: Vector) -> f64 {
    let (low, high) = (a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z));
    let n = (b - a).cross(&(c - a));
    let z = a.z - (n.x * (at.x - a.x) + n.y * (at.y - a.y)) / n.z;
    if z.is_nan() { 0.5 * (low + high) } else { z.clamp(low, high) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::parse_solid;

    /// A cube from 0 to 1, with diagonals through the grid's lines.
    const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
        f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

    #[test]
    fn lines_through_edges_and_vertices_are_crossed_in_pairs() {
        let surface = parse_solid("cube.obj", CUBE.as_bytes()).unwrap();
        // columns run through corners, edges and the diagonals of the cube's faces
        let grid = Grid { origin: Vector::repeat(-0.25), spacing: 0.25, counts: [7; 3] };
        let inside = inside(&surface, &grid).unwrap();
        for (index, found) in inside.iter().enumerate() {
            let place = grid.place(index);
            let within = |low, high| place.iter().all(|i| (low..=high).contains(i));
            // on the faces both answers are right
            if within(2, 4) {
                assert!(found, "{place:?}");
            } else if !within(1, 5) {
                assert!(!found, "{place:?}");
            }
        }
    }

    #[test]
    fn two_cubes_in_one_place_are_told() {
        let shifted: String = CUBE
            .lines()
            .map(|line| match line.strip_prefix("v ") {
                Some(rest) => {
                    let x: Vec<f64> = rest.split(' ').map(|x| x.parse().unwrap()).collect();
                    format!("v {} {} {}\n", x[0] + 0.5, x[1] + 0.5, x[2] + 0.5)
                }
                None => {
                    let corner = |n: &str| (n.parse::<u32>().unwrap() + 8).to_string();
                    let numbers: Vec<String> = line[2..].split(' ').map(corner).collect();
                    format!("f {}\n", numbers.join(" "))
                }
            })
            .collect();
        let surface = parse_solid("cubes.obj", format!("{CUBE}{shifted}").as_bytes()).unwrap();
        let grid = Grid { origin: Vector::repeat(0.05), spacing: 0.1, counts: [15; 3] };
        let message = inside(&surface, &grid).unwrap_err().to_string();
        assert!(message.contains("inside 2 times over"), "{message}");
    }
}
