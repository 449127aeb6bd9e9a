//! Shapes of colliders: every row's normal is the gradient of its distance, meshes agree with the
//! solids they stand for, and surfaces that are no solid are refused with what is wrong.

mod distance;
mod scenes;

use std::path::Path;
use stiction_core::contact::collider::{COLLIDERS, Shape};
use stiction_core::math::{Vector, sqrt};
use stiction_core::registry::{Problem, Value, Values};
use stiction_lab::run::{Run, Status, Unobserved};
use stiction_scene::build::{BuildError, BuildOptions};
use stiction_scene::mesh::parse_surface;
use stiction_scene::{LoadOptions, load_text};

fn try_make(name: &str, set: &[(&'static str, Value)]) -> Result<Box<dyn Shape>, Problem> {
    let entry = COLLIDERS.find(name).expect("the row");
    let values = set
        .iter()
        .fold(Values::defaults(entry.keys), |values, (key, value)| values.set(key, value.clone()));
    (entry.make)(&values)
}

fn make(name: &str, set: &[(&'static str, Value)]) -> Box<dyn Shape> {
    try_make(name, set).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

fn number(x: f64) -> Value {
    Value::Number(x)
}

fn vector(x: f64, y: f64, z: f64) -> Value {
    Value::Vector(Vector::new(x, y, z))
}

/// Numbers from −1 to 1, the same in every run.
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.number(), self.number(), self.number())
    }
}

/// Corners of a box with one edge at the origin, and its twelve triangles, outward.
fn box_mesh(size: Vector) -> (Vec<Vector>, Vec<[usize; 3]>) {
    let corner = |k: usize| {
        Vector::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2 & 1) as f64).component_mul(&size)
    };
    let faces =
        [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = faces.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

fn mesh_of(vertices: &[Vector], triangles: &[[usize; 3]]) -> [(&'static str, Value); 2] {
    [
        ("vertices", Value::Vectors(vertices.to_vec())),
        ("triangles", Value::Triples(triangles.to_vec())),
    ]
}

/// An L-shaped bar: a mesh with a hollow edge.
fn angle_bar() -> (Vec<Vector>, Vec<[usize; 3]>) {
    let outline = [[0.0, 0.0], [0.8, 0.0], [0.8, 0.3], [0.3, 0.3], [0.3, 0.8], [0.0, 0.8]]
        .map(|[x, y]| [x - 0.4, y - 0.4]);
    let vertices = [-0.3, 0.3]
        .iter()
        .flat_map(|z| outline.map(|[x, y]| Vector::new(x, y, *z)))
        .collect::<Vec<_>>();
    let mut triangles = Vec::new();
    for [a, b, c] in [[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]] {
        triangles.push([a + 6, b + 6, c + 6]);
        triangles.push([a, c, b]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.push([i, j, j + 6]);
        triangles.push([i, j + 6, i + 6]);
    }
    (vertices, triangles)
}

/// Hills of 9 × 7 heights, spacing .25, over [-1, 1] × [-.75, .75].
fn hills() -> Vec<(&'static str, Value)> {
    let mut dice = Dice(5);
    let heights = (0..63).map(|_| 0.12 * dice.number()).collect();
    vec![
        ("heights", Value::Numbers(heights)),
        ("columns", Value::Integer(9)),
        ("spacing", number(0.25)),
        ("position", vector(-1.0, -0.75, 0.1)),
    ]
}
