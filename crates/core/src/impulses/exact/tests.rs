//! The solvers against each other, and one contact against its conditions.

use super::cone::Cone;
use super::{FAST, SolverSettings, TOUCHING, conic, gauss_seidel};
use crate::halt::Halt;
use crate::impulses::islands::islands;
use crate::impulses::problem::ContactProblem;
use crate::math::{Vector, larger};
use crate::model::Model;
use crate::simulation::Simulation;
use crate::state::State;
use crate::world::shapes::{Geometry, Masses, lattice::Lattice};
use crate::world::{Body, Collider, World, named};
use std::sync::Arc;

mod published;

/// Numbers in −1…1, the same everywhere.
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
fn thrown(world: &World, random: &mut Random, fall: f64) -> (Arc<Model>, State) {
    let Simulation { model, mut state, .. } = world.simulate().expect("it fits together");
    for v in &mut state.velocities {
        *v = random.vector() - Vector::z() * fall;
    }
    for body in &model.rigid {
        let (v, w) = (random.vector() - Vector::z() * fall, random.vector());
        body.set_twist(v, w, &mut state);
    }
    (model, state)
}

/// A floor and a slope; contact between everything.
fn valley(mu: f64) -> World {
    let mut world = World::new();
    world.material(("wood", mu, mu));
    world.gravity([0.0, 0.0, -9.81]).step(H).contact_method("exact");
    world.normal(named("linear").with("stiffness", 1e4));
    world.between_bodies(true).self_contact(true);
    world.collider(Collider::plane("floor", [0.0, 0.0, 1.0], [0.0; 3]));
    world.collider(Collider::plane("slope", [-1.0, 0.3, 1.5], [0.6, 0.0, 0.0]));
    world
}

/// Boxes on each other in a valley.
fn boxes(mu: f64) -> World {
    let mut world = valley(mu);
    for (k, counts) in [[3, 3, 2], [2, 2, 2], [2, 3, 2]].into_iter().enumerate() {
        let (shape, z) = (Lattice::new(counts, 0.1), k as f64);
        let stone = Body::new(format!("box{k}"), shape).mass(1.0 + z).rigid(true).radius(0.001);
        world.body(stone.position([0.0, 0.0, 0.1 * z + 0.001 + 0.002 * z]));
    }
    world
}

/// A heap of balls, one body each.
fn balls(mu: f64) -> World {
    let mut world = valley(mu);
    for layer in 0..3 {
        let shift = 0.052 * f64::from(layer);
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)).filter(|(i, j)| *i.max(j) < 3 - layer) {
            let (x, y) = (shift + 0.104 * f64::from(i), shift + 0.104 * f64::from(j));
            let z = 0.05 + 0.068 * f64::from(layer);
            world.body(ball(format!("ball{layer}{i}{j}"), [x, y, z]));
        }
    }
    world
}

fn ball(name: String, at: [f64; 3]) -> Body {
    Body::new(name, named("particle")).mass(0.1).position(at).radius(0.0501)
}

/// Rigid tripods side by side, each with a ball on its feet: no more contacts than degrees of freedom.
fn tripods(mu: f64) -> World {
    let mut world = valley(mu);
    let feet = [[0.0, 0.0, 0.0], [0.104, 0.0, 0.0], [0.052, 0.09, 0.0], [0.06, 0.02, 0.3]];
    for (k, x) in [0.0, 0.2035, 0.407].into_iter().enumerate() {
        let shape = Geometry {
            positions: feet.map(Vector::from).to_vec(),
            masses: Masses::Given(vec![1.0; 4]),
            ..Geometry::default()
        };
        let tripod = Body::new(format!("tripod{k}"), shape).rigid(true).radius(0.0501);
        world.body(tripod.position([x, 0.0, 0.05]));
        world.body(ball(format!("ball{k}"), [x + 0.052, 0.03, 0.05 + 0.0799]));
    }
    world
}

const H: f64 = 1e-3;

/// The contacts of a state, and their conditions.
fn contacts(model: &Model, state: &State, mu: f64) -> (ContactProblem, Vec<Cone>) {
    let mut near = Vec::new();
    let range = model.surfaces.look_ahead(FAST * H);
    model.surfaces.near(&state.configuration(), range, &mut near);
    let problem = ContactProblem::new(model, state, &state.velocities, &near, &state.positions);
    let gap = |depth: f64| -larger(-depth - TOUCHING, 0.0) / H;
    let cones = problem.rows.iter().map(|row| Cone::new(row, mu, gap(row.near.depth))).collect();
    (problem, cones)
}

/// The relative velocities of all contacts after solving them.
fn velocities(problem: &ContactProblem) -> Vec<Vector> {
    problem.rows.iter().map(|row| problem.velocity(row)).collect()
}

fn apart(a: &[Vector], b: &[Vector]) -> f64 {
    a.iter().zip(b).fold(0.0, |most, (a, b)| larger(most, (a - b).norm()))
}

#[test]
fn one_contact_meets_its_conditions() {
    let mut random = Random(1);
    let (model, state) = thrown(&boxes(0.5), &mut random, 0.0);
    let (problem, _) = contacts(&model, &state, 0.5);
    let mut kinds = [0; 3];
    for row in &problem.rows {
        for mu in [0.0, 0.1, 0.5, 2.0] {
            for _ in 0..50 {
                let cone = Cone::new(row, mu, 0.1 * random.next());
                let q = random.vector();
                let p = cone.solve(&q);
                let u = q + row.inverse_mass * p;
                let residual = cone.residual(&p, &u);
                assert!(residual < 1e-12, "{residual:e}: {p}, {u}, mu {mu}, {}", row.inverse_mass);
                let kind = if p.x == 0.0 {
                    0
                } else if (u.y * u.y + u.z * u.z) < 1e-18 {
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

/// One scene solved by both: the distance of the velocities, the change that Gauss–Seidel makes to
/// the programmes' solution, and the error of associated friction \[m/s\].
fn compared(world: &World, seed: u64, mu: f64) -> [f64; 3] {
    let settings =
        SolverSettings { tolerance: 1e-12, max_iterations: 10_000, halt: Halt::default() };
    let (model, state) = thrown(world, &mut Random(seed), 1.0);
    let (mut a, cones) = contacts(&model, &state, mu);
    let (mut b, mut plain) = (a.clone(), a.clone());
    let groups = islands(&a);
    let largest = groups.iter().map(Vec::len).max().unwrap_or(0);
    assert!(largest >= 8, "{largest} contacts that feel each other");
    let (mut sweeps, mut programmes, mut polished) = (0, 0, b.clone());
    for island in &groups {
        sweeps += gauss_seidel::solve(&mut a, &cones, island, &settings).expect("a solution");
        programmes += conic::solve(&mut b, &cones, island, &settings).expect("a solution");
        conic::associated(&mut plain, &cones, island);
    }
    polished.clone_from(&b);
    for island in &groups {
        gauss_seidel::solve(&mut polished, &cones, island, &settings).expect("a solution");
    }
    let found = [
        apart(&velocities(&a), &velocities(&b)),
        apart(&velocities(&b), &velocities(&polished)),
        apart(&velocities(&a), &velocities(&plain)),
    ];
    println!(
        "mu {mu}: {} contacts, {sweeps} sweeps, {programmes} programmes: {found:?}",
        a.rows.len()
    );
    found
}

#[test]
fn gauss_seidel_and_cone_programmes_agree() {
    // with more friction such heaps may slide or jam
    let frictions = [0.0, 0.1, 0.2, 0.3, 0.4];
    let mut differs = 0;
    for heap in [&balls as &dyn Fn(f64) -> World, &tripods] {
        for (seed, mu) in (1..=10).zip(frictions.into_iter().cycle()) {
            let [difference, _, associated] = compared(&heap(mu), seed, mu);
            assert!(difference < 1e-6, "mu {mu}: {difference:e}");
            if mu == 0.0 {
                assert!(associated < 1e-6, "{associated:e}");
            }
            differs += u32::from(associated > 0.1);
        }
    }
    // friction that opens as it slides is another law
    assert!(differs > 6, "{differs}");
}

/// With more contacts than degrees of freedom, loads are not unique, and so neither are turning and
/// slip. Each solver finds one solution and accepts the other's.
#[test]
fn what_the_programmes_find_of_many_is_a_solution() {
    for (seed, mu) in [(1, 0.0), (2, 0.1), (3, 0.2), (4, 0.4), (5, 0.7), (6, 1.0)] {
        for world in [boxes(mu), balls(mu)] {
            let [_, polish, _] = compared(&world, seed, mu);
            assert!(polish < 1e-6, "mu {mu}: {polish:e}");
        }
    }
}

/// A separating contact without friction and slip gets no impulse, and no contact pulls.
#[test]
fn a_smooth_contact_without_slip_does_not_pull() {
    let (model, state) = thrown(&boxes(0.0), &mut Random(1), 0.0);
    let (problem, _) = contacts(&model, &state, 0.0);
    let cone = Cone::new(&problem.rows[0], 0.0, 0.0);
    let parting = Vector::new(0.3, 0.0, 0.0);
    assert_eq!(cone.residual(&Vector::zeros(), &parting), 0.0);
    let pulls = Vector::new(-1.0, 0.0, 0.0);
    assert_eq!(cone.projected(&pulls), Vector::zeros());
    assert!(cone.residual(&pulls, &Vector::zeros()) > 0.0);
    assert!(cone.residual(&Vector::zeros(), &-parting) > 0.1);
}
