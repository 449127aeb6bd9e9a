//! A frame as grids: the bodies, the colliders, and the contacts.

use super::vtu::{Array, CellKind, Data, Grid};
use crate::output::arrays::contact_rows::{self, FIELDS};
use crate::output::arrays::table::{FrameView, PARTICLE_ARRAYS, POSITION};
use std::collections::BTreeMap;
use stiction_core::contact::collider::Bounds;
use stiction_core::contact::collider::outline::triangles;
use stiction_core::math::Vector;
use stiction_core::model::Model;

const XYZ: &[&str] = &["x", "y", "z"];

/// Particles as points; surface triangles, tetrahedra, springs and segments as cells, and a vertex
/// for each particle of a body without any of these. `strain` is l/l₀ − 1 of springs of length l
/// and rest length l₀, and NaN of other cells; `body` counts from 0. Where bodies are elastic, their
/// elements have stress and strain, NaN of other cells.
pub fn bodies(view: &FrameView) -> Grid {
    let (model, state) = (&view.simulation.model, &view.simulation.state);
    let flat = |of: &[Vector]| of.iter().flat_map(|v| [v.x, v.y, v.z]).collect::<Vec<f64>>();
    let mut grid = Grid::at(state.time);
    grid.points = flat(&state.positions);
    let body_of = body_of(model);
    let (mut owners, mut strains) = (Vec::new(), Vec::new());
    let mut joined = vec![false; model.bodies.len()];
    let mut elements = BTreeMap::new();
    for s in 0..model.springs.len() {
        let spring = model.springs.get(s);
        let length = (state.positions[spring.j] - state.positions[spring.i]).norm();
        grid.add(CellKind::Line, [spring.i as u32, spring.j as u32]);
        owners.push(body_of[spring.i]);
        strains.push(length / spring.rest_length - 1.0);
        joined[body_of[spring.i] as usize] = true;
    }
    for (number, body) in model.bodies.iter().enumerate() {
        let before = grid.cells();
        for cell in &body.triangles {
            elements.insert(sorted(cell), grid.cells());
            grid.add(CellKind::Triangle, *cell);
        }
        for cell in &body.tetrahedra {
            elements.insert(sorted(cell), grid.cells());
            grid.add(CellKind::Tetrahedron, *cell);
        }
        // springs include the segments
        if !joined[number] {
            for cell in &body.segments {
                elements.insert(sorted(cell), grid.cells());
                grid.add(CellKind::Line, *cell);
            }
            if grid.cells() == before {
                body.particles.clone().for_each(|i| grid.add(CellKind::Vertex, [i as u32]));
            }
        }
        owners.resize(grid.cells(), number as i64);
    }
    strains.resize(grid.cells(), f64::NAN);
    grid.of_points = of_particles(view);
    let force = Data::Numbers(flat(&state.forces));
    grid.of_points.extend([
        Array { name: "force".into(), unit: "N", components: XYZ, data: force },
        Array::scalar("mass", "kg", Data::Numbers(model.masses.clone())),
        Array::scalar("radius", "m", Data::Numbers(model.surfaces.radii.clone())),
        Array::scalar("body", "", Data::Integers(body_of)),
    ]);
    grid.of_cells = vec![
        Array::scalar("strain", "1", Data::Numbers(strains)),
        Array::scalar("body", "", Data::Integers(owners)),
    ];
    grid.of_cells.extend(of_elements(view, &elements, grid.cells()));
    grid
}

/// The arrays of particles but their positions.
fn of_particles(view: &FrameView) -> Vec<Array> {
    PARTICLE_ARRAYS
        .iter()
        .filter(|array| array.name != POSITION)
        .map(|array| Array {
            name: array.name.into(),
            unit: array.unit,
            components: array.components,
            data: Data::Numbers(array.values(view)),
        })
        .collect()
}

/// Corners, ascending.
fn sorted(corners: &[u32]) -> Vec<u32> {
    let mut corners = corners.to_vec();
    corners.sort_unstable();
    corners
}

/// Stress and strain of elastic elements, given the cell of each; nothing without any.
fn of_elements(view: &FrameView, elements: &BTreeMap<Vec<u32>, usize>, cells: usize) -> Vec<Array> {
    let (model, state) = (&view.simulation.model, &view.simulation.state);
    if model.elements.is_empty() {
        return Vec::new();
    }
    let names = [("von_mises", "Pa"), ("pressure", "Pa"), ("stretch", "1"), ("J", "1")];
    let mut columns = names.map(|_| vec![f64::NAN; cells]);
    model.elements.for_each_state(&state.positions, |state| {
        let corners: Vec<u32> = state.corners().iter().map(|i| *i as u32).collect();
        if let Some(cell) = elements.get(&sorted(&corners)) {
            let [stretch, ..] = state.stretches();
            let values = [state.von_mises(), state.pressure(), stretch, state.volume_ratio()];
            columns.iter_mut().zip(values).for_each(|(column, value)| column[*cell] = value);
        }
    });
    let columns = names.into_iter().zip(columns);
    columns.map(|((name, unit), of)| Array::scalar(name, unit, Data::Numbers(of))).collect()
}

/// The number of the body of each particle.
fn body_of(model: &Model) -> Vec<i64> {
    let mut of = vec![0; model.particles()];
    for (number, body) in model.bodies.iter().enumerate() {
        of[body.particles.clone()].fill(number as i64);
    }
    of
}

/// The colliders at their present positions, as triangles; `collider` counts from 0. Planes and
/// other unbounded surfaces are shown around the positions of the particles at t = 0.
pub fn colliders(view: &FrameView) -> Grid {
    let (model, state) = (&view.simulation.model, &view.simulation.state);
    let mut grid = Grid::at(state.time);
    let around = bounds(&model.reference);
    let mut owners = Vec::new();
    for (number, collider) in model.surfaces.colliders.iter().enumerate() {
        let pose = collider.motion.pose(state.time);
        for triangle in triangles(collider.shape.as_ref(), &around) {
            let first = (grid.points.len() / 3) as u32;
            for corner in triangle {
                let p = pose.to_world(corner);
                grid.points.extend([p.x, p.y, p.z]);
            }
            grid.add(CellKind::Triangle, [first, first + 1, first + 2]);
            owners.push(number as i64);
        }
    }
    grid.of_cells = vec![Array::scalar("collider", "", Data::Integers(owners))];
    grid
}

/// Whether no collider ever moves, so that one file shows them at every frame.
pub(crate) fn colliders_rest(model: &Model) -> bool {
    model.surfaces.colliders.iter().all(|collider| collider.motion.stays())
}

/// The bounding box of the particles at t = 0, enlarged by half its diagonal on every side.
fn bounds(positions: &[Vector]) -> Bounds {
    let mut positions = positions.iter();
    let first = positions.next().copied().unwrap_or_default();
    let whole = positions.fold(Bounds { min: first, max: first }, |b, x| Bounds {
        min: b.min.inf(x),
        max: b.max.sup(x),
    });
    let size = (whole.max - whole.min).norm();
    let rim = Vector::repeat(0.5 * if size > 0.0 { size } else { 1.0 });
    Bounds { min: whole.min - rim, max: whole.max + rim }
}

/// The contacts as points with the fields of `trajectory/contacts.npy`, so that forces can be drawn
/// as arrows at their points of action.
pub fn contacts(view: &FrameView, frame: usize) -> Grid {
    let (model, state) = (&view.simulation.model, &view.simulation.state);
    let mut rows = Vec::new();
    let count = contact_rows::add_rows(model, state, frame, &mut rows);
    let mut grid = Grid::at(state.time);
    (0..count as u32).for_each(|k| grid.add(CellKind::Vertex, [k]));
    let mut start = 0;
    for field in FIELDS {
        let size = field.dtype[2..].parse::<usize>().unwrap_or(0);
        let (from, length) = (start, size * field.count);
        start += length;
        let cells =
            || rows.chunks_exact(contact_rows::length()).map(|row| &row[from..from + length]);
        let word = |bytes: &[u8]| bytes.try_into().map_or(0.0, f64::from_le_bytes);
        let small = |bytes: &[u8]| bytes.try_into().map_or(0, i32::from_le_bytes).into();
        let data = match field.dtype {
            "<f8" => Data::Numbers(cells().flat_map(|cell| cell.chunks(8).map(word)).collect()),
            "<i4" => Data::Integers(cells().flat_map(|cell| cell.chunks(4).map(small)).collect()),
            _ => Data::Bytes(cells().flatten().copied().collect()),
        };
        let components: &[&str] = match field.count {
            3 => XYZ,
            4 => &["0", "1", "2", "3"],
            _ => &[],
        };
        match (field.name, data) {
            ("point", Data::Numbers(points)) => grid.points = points,
            ("time" | "frame", _) => {}
            (name, data) => {
                grid.of_points.push(Array {
                    name: name.into(),
                    unit: field.unit,
                    components,
                    data,
                });
            }
        }
    }
    grid
}
