//! The solvers against each other, and one contact against its conditions.

use super::cone::Cone;
use super::islands::islands;
use super::{Settings, conic, gauss_seidel};
use crate::impulses::problem::Problem;
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::scene::build::{BuildOptions, build};
use crate::scene::{LoadOptions, load_text};
use crate::simulation::Simulation;
use crate::state::State;
use std::path::Path;

/// Numbers in −1…1 that are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self) -> Vector {
        Vector::new(self.next(), self.next(), self.next())
    }
}

/// A committed scene whose particles have random velocities, rigid bodies random twists.
fn scene(text: &str, random: &mut Random, fall: f64) -> (Model, State) {
    let loaded = load_text("test.toml", text, Path::new("."), &LoadOptions::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    let built = build(&loaded.scene, &BuildOptions::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let Simulation { model, mut state, .. } =
        Simulation::with_method(built.model, built.state, built.integrator, built.method, 1e-3);
    for v in &mut state.velocities {
        *v = random.vector() - Vector::z() * fall;
    }
    for body in &model.rigid {
        let (v, w) = (random.vector() - Vector::z() * fall, random.vector());
        body.set_twist(v, w, &mut state);
    }
    (model, state)
}

fn heading(mu: f64) -> String {
    format!(
        "format = 1
        world.gravity = [0, 0, -9.81]
        time = {{ end = 1e-3, step = 1e-3, output = 1e-3 }}
        integrator.method = \"symplectic-euler\"
        materials.wood.static_friction = {mu:e}
        [contact]
        method = \"exact\"
        bodies = true
        self_contact = true
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        [[collider]]
        name = \"slope\"
        shape.plane = {{ normal = [-1, 0.3, 1.5], point = [0.6, 0, 0] }}
        "
    )
}

/// Boxes on each other in a valley.
fn boxes(mu: f64) -> String {
    let mut text = heading(mu);
    for (k, counts) in ["[3, 3, 2]", "[2, 2, 2]", "[2, 3, 2]"].iter().enumerate() {
        text += &format!(
            "[[body]]
            name = \"box{k}\"
            mass = {}
            rigid = true
            shape.lattice = {{ counts = {counts}, spacing = 0.1 }}
            position = [0, 0, {:e}]
            radius = 0.001
            ",
            1.0 + k as f64,
            0.1 * k as f64 + 0.001 + 0.002 * k as f64
        );
    }
    text
}

/// A heap of loose balls.
fn balls(mu: f64) -> String {
    let mut positions = Vec::new();
    for layer in 0..3 {
        let shift = 0.05 * f64::from(layer);
        for i in 0..3 - layer {
            for j in 0..3 - layer {
                let (x, y) = (shift + 0.1 * f64::from(i), shift + 0.1 * f64::from(j));
                positions.push(format!("[{x:e}, {y:e}, {:e}]", 0.05 + 0.0705 * f64::from(layer)));
            }
        }
    }
    let list = positions.join(", ");
    heading(mu)
        + &format!(
            "[[body]]
            name = \"balls\"
            mass = 1.0
            shape.points = {{ positions = [{list}] }}
            radius = 0.0501
            "
        )
}

const H: f64 = 1e-3;

/// The contacts of a state that touch, and their conditions.
fn contacts(model: &Model, state: &State, mu: f64) -> (Problem, Vec<Cone>) {
    let mut near = Vec::new();
    model.contact.near(&state.configuration(), &mut near);
    let problem = Problem::new(model, state, &state.velocities, &near, &state.positions);
    let gap = |depth: f64| if depth < 0.0 { depth / H } else { 0.0 };
    let cones = problem.rows.iter().map(|row| Cone::new(row, mu, gap(row.near.depth))).collect();
    (problem, cones)
}

/// The relative velocities of all contacts after solving them.
fn velocities(problem: &Problem) -> Vec<Vector> {
    problem.rows.iter().map(|row| problem.velocity(row)).collect()
}

fn apart(a: &[Vector], b: &[Vector]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| larger(most, (a - b).norm()))
}

#[test]
fn one_contact_meets_its_conditions() {
    let mut random = Random(1);
    let (model, state) = scene(&boxes(0.5), &mut random, 0.0);
    let (problem, _) = contacts(&model, &state, 0.5);
    let mut kinds = [0; 3];
    for row in &problem.rows {
        for mu in [0.0, 0.1, 0.5, 2.0] {
            for _ in 0..50 {
                let cone = Cone::new(row, mu, 0.1 * random.next());
                let q = random.vector();
                let p = cone.solve(&q);
                let u = q + row.mobility * p;
                let residual = cone.residual(&p, &u);
                assert!(residual < 1e-12, "{residual:e}: {p}, {u}, mu {mu}, {}", row.mobility);
                let kind = if p.x == 0.0 {
                    0
                } else if u.y.hypot_free(u.z) < 1e-9 {
                    1
                } else {
                    2
                };
                kinds[kind] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 100), "{kinds:?}");
}

trait HypotFree {
    fn hypot_free(self, other: f64) -> f64;
}

impl HypotFree for f64 {
    fn hypot_free(self, other: f64) -> f64 {
        (self * self + other * other).sqrt()
    }
}

#[test]
fn gauss_seidel_and_cone_programmes_agree() {
    let settings = Settings { tolerance: 1e-12, max_iterations: 10_000 };
    let mut differs = false;
    for (what, text) in [("boxes", &boxes as &dyn Fn(f64) -> String), ("balls", &balls)] {
        for (seed, mu) in [(1, 0.0), (2, 0.2), (3, 0.4), (4, 0.7), (5, 1.0)] {
            let mut random = Random(seed);
            let (model, state) = scene(&text(mu), &mut random, 1.0);
            let (mut a, cones) = contacts(&model, &state, mu);
            let (mut b, mut plain) = (a.clone(), a.clone());
            let groups = islands(&a);
            let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
            assert!(largest >= 8, "{what}: {largest} contacts that feel each other");
            let (mut sweeps, mut programmes) = (0, 0);
            for island in &groups {
                let fail = |e| panic!("{what}, mu {mu}: {e:?}");
                sweeps +=
                    gauss_seidel::solve(&mut a, &cones, island, &settings).unwrap_or_else(fail);
                programmes += conic::solve(&mut b, &cones, island, &settings).unwrap_or_else(fail);
                conic::associated(&mut plain, &cones, island);
            }
            let difference = apart(&velocities(&a), &velocities(&b));
            let associated = apart(&velocities(&a), &velocities(&plain));
            println!(
                "{what}, mu {mu}: {} contacts, {sweeps} sweeps, {programmes} programmes, {difference:e}, associated {associated:e}",
                a.rows.len()
            );
            assert!(difference < 1e-6, "{what}, mu {mu}: {difference:e}");
            if mu == 0.0 {
                assert!(associated < 1e-6, "{what}: {associated:e}");
            }
            differs |= associated > 0.1;
        }
    }
    // friction that opens as it slides is another law
    assert!(differs);
}
