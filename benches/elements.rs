//! The cost of elastic elements: forces of each law and kind beside a kernel that takes one tetrahedron after the
//! other, and implicit steps beside those of springs. All are CPU times of one process: compare ratios of one run,
//! never times of two.
//!
//! `cargo bench --bench elements -- forces` runs the first part alone, `steps` the second.

#[path = "shared/goals.rs"]
mod goals;

use cpu_time::ProcessTime;
use goals::ratio;
use stiction_core::Simulation;
use stiction_core::forces::Force;
use stiction_core::forces::elements::{Moduli, SolidLaw};
use stiction_core::math::{Matrix, Vector};
use stiction_core::world::shapes::lattice::Lattice;
use stiction_core::world::shapes::rope::Rope;
use stiction_core::world::{Body, Elasticity, Material, World, named};

/// Evaluations of a measurement, and measurements of which the best counts.
const REPEATED: [usize; 2] = [20, 5];

const YOUNG: f64 = 1e5;
const POISSON: f64 = 0.3;

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    if wanted("forces") {
        forces();
    }
    if wanted("steps") {
        steps();
    }
}

/// The best CPU time of one call \[s\].
fn best(mut work: impl FnMut()) -> f64 {
    let [calls, times] = REPEATED;
    let measured = (0..times).map(|_| {
        let start = ProcessTime::now();
        (0..calls).for_each(|_| work());
        start.elapsed().as_secs_f64() / calls as f64
    });
    measured.fold(f64::INFINITY, f64::min)
}

/// A body of this material, moved a little from rest.
fn simulation(body: Body, law: SolidLaw, method: &str) -> Simulation {
    let mut world = World::new();
    world.integrator(named(method)).step(1e-2);
    let elasticity = Elasticity::new(YOUNG, POISSON).law(law);
    world.material(Material::new("rubber", 0.5, 0.5).density(1e3).elasticity(elasticity));
    world.body(body);
    let mut made = world.simulate().expect("a sound world");
    for (i, x) in made.state.positions.iter_mut().enumerate() {
        *x += Vector::new(i as f64 % 7.0, i as f64 % 5.0, i as f64 % 3.0) * 1e-3;
    }
    made
}

fn forces() {
    println!(
        "| elements | law | million a CPU-second | over one by one | goal |\n|---|---|---|---|---|"
    );
    for (name, law, of) in [
        ("neo-hookean", SolidLaw::NeoHookean, neo_hookean as fn(&Moduli, &Matrix) -> Matrix),
        ("corotational", SolidLaw::Corotational, corotational),
    ] {
        let made = simulation(Body::new("block", Lattice::new([33, 33, 33], 0.1)), law, "rk4");
        let (fast, count) = forces_of(&made);
        let naive = one_by_one(&made, of);
        let rate = 1e-6 * count as f64 / fast;
        println!(
            "| {count} tetrahedra | {name} | {rate:.1} | {} |",
            ratio(naive / fast, 5.0, true)
        );
    }
    let cloth = named("cloth").with("counts", [201, 201]).with("spacing", 0.05);
    let rope = Rope { from: Vector::zeros(), to: Vector::x() * 1e3, segments: 20_000 };
    for (kind, body) in [
        ("triangles with bending", Body::new("cloth", cloth).thickness(1e-2)),
        ("segments with bending", Body::new("rope", rope).thickness(1e-2)),
    ] {
        let made = simulation(body, SolidLaw::default(), "rk4");
        let (fast, count) = forces_of(&made);
        println!("| {count} {kind} | | {:.1} | | |", 1e-6 * count as f64 / fast);
    }
}

/// CPU time of all forces of elements \[s\], and their number.
fn forces_of(made: &Simulation) -> (f64, usize) {
    let elements = &made.model.elements;
    let mut f = vec![Vector::zeros(); made.model.particles()];
    let time = best(|| elements.add_force(&made.state.configuration(), &mut f));
    assert!(f.iter().all(|f| f.norm().is_finite()));
    (time, elements.len())
}

/// CPU time of the same forces, one tetrahedron after the other \[s\].
fn one_by_one(made: &Simulation, stress: fn(&Moduli, &Matrix) -> Matrix) -> f64 {
    let mut all = Vec::new();
    made.model.elements.for_each(|corners, gradients, volume, material| {
        all.push((corners, gradients, volume, material.moduli));
    });
    let x = &made.state.positions;
    let mut f = vec![Vector::zeros(); x.len()];
    let time = best(|| {
        for (corners, gradients, volume, moduli) in &all {
            let [first, others @ ..] = *corners;
            let parts = others.iter().zip(gradients);
            let gradient: Matrix = parts.map(|(i, g)| (x[*i] - x[first]) * g.transpose()).sum();
            let stress = stress(moduli, &gradient) * *volume;
            for (i, g) in others.iter().zip(gradients) {
                let force = stress * g;
                f[*i] -= force;
                f[first] += force;
            }
        }
    });
    assert!(f.iter().all(|f| f.norm().is_finite()));
    time
}

fn cofactor(f: &Matrix) -> Matrix {
    let [a, b, c]: [Vector; 3] = [0, 1, 2].map(|k| f.column(k).into());
    Matrix::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

/// P of the stable neo-Hookean law.
fn neo_hookean(moduli: &Moduli, f: &Matrix) -> Matrix {
    let (m, l) = (moduli.mu * 4.0 / 3.0, moduli.lambda + moduli.mu * 5.0 / 6.0);
    let size = f.norm_squared();
    f * (m * size / (size + 1.0)) + cofactor(f) * (l * (f.determinant() - 1.0) - 0.75 * m)
}

/// P of the corotational law, with the rotation by the mean of a matrix and its inverse transpose.
fn corotational(moduli: &Moduli, f: &Matrix) -> Matrix {
    let mut r = *f;
    for _ in 0..5 {
        r = (r + cofactor(&r) / r.determinant()) * 0.5;
    }
    let strain = f - r;
    strain * (2.0 * moduli.mu) + r * (moduli.lambda * r.dot(&strain))
}

/// Whole steps of implicit-euler of a lattice of n = 10 particles along each axis, of tetrahedra and of springs.
fn steps() {
    let of = |body: Body| {
        let mut made = simulation(body, SolidLaw::Corotational, "implicit-euler");
        best(|| {
            made.advance().expect("a step");
        })
    };
    let block = |name: &str| Body::new(name, Lattice::new([10, 10, 10], 0.1));
    let (elastic, sprung) = (of(block("elastic")), of(block("sprung").springs(2e3, 0.0)));
    println!("\n| implicit step, n = 10 | ms | of springs | goal |\n|---|---|---|---|");
    println!("| tetrahedra | {:.2} | {} |", 1e3 * elastic, ratio(elastic / sprung, 3.0, false));
}
