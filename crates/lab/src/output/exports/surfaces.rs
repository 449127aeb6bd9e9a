//! The surfaces of all bodies at a frame as Wavefront `.obj` or binary Stanford `.ply`.

use std::fmt::Write;
use stiction_core::model::Model;
use stiction_core::state::State;

/// Wavefront: every body is a group; shortest decimals that give the same numbers again.
pub fn obj(model: &Model, state: &State) -> Vec<u8> {
    let mut text = format!("# t = {} s, metres\n", state.time);
    for x in &state.positions {
        let _ = writeln!(text, "v {} {} {}", x.x, x.y, x.z);
    }
    for (number, body) in model.bodies.iter().enumerate() {
        let _ = writeln!(text, "# {}\ng body{number}", body.name.replace(['\n', '\r'], " "));
        for [a, b, c] in &body.triangles {
            let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
        }
        for [a, b] in &body.segments {
            let _ = writeln!(text, "l {} {}", a + 1, b + 1);
        }
    }
    text.into_bytes()
}

/// Longest form of a coordinate of 0.1 mm and more: a sign, `0.`, three zeros and 17 digits \[bytes\].
const COORDINATE: usize = 23;

/// Length of [`obj`] at a later time, when the coordinates, and the time, have all digits: an estimate, since
/// numbers below 0.1 mm are longer \[bytes\].
pub fn obj_later(model: &Model, state: &State) -> usize {
    let more = |x: &f64| COORDINATE.saturating_sub(x.to_string().len());
    let coordinates = state.positions.iter().flat_map(|x| x.iter());
    obj(model, state).len() + COORDINATE + coordinates.map(more).sum::<usize>()
}

/// Stanford, binary: all particles as vertices with double coordinates and the index of their body,
/// all surface triangles as faces.
pub fn ply(model: &Model, state: &State) -> Vec<u8> {
    let faces: usize = model.bodies.iter().map(|body| body.triangles.len()).sum();
    let mut bytes = format!(
        "ply\nformat binary_little_endian 1.0\ncomment t = {} s, metres\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\nproperty int body\nelement face {faces}\nproperty list uchar int vertex_indices\nend_header\n",
        state.time,
        state.positions.len(),
    )
    .into_bytes();
    for (number, body) in model.bodies.iter().enumerate() {
        for x in &state.positions[body.particles.clone()] {
            x.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
            bytes.extend((number as i32).to_le_bytes());
        }
    }
    for triangle in model.bodies.iter().flat_map(|body| &body.triangles) {
        bytes.push(3);
        triangle.iter().for_each(|i| bytes.extend((*i as i32).to_le_bytes()));
    }
    bytes
}
