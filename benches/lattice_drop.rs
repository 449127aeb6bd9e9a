//! The standard workload "lattice drop": n × n × n particles fall on a plane. Prints million spring
//! evaluations per CPU-second of the force alone and of whole steps, beside a naive kernel in the
//! same process as the yardstick. Compare ratios of one run, never times of two.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::path::Path;
use stiction::forces::springs::Spring;
use stiction::math::Vector;
use stiction::run::Run;
use stiction::scene::build::BuildOptions;
use stiction::scene::{LoadOptions, Scene, load_text};

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    if wanted("lattice") {
        lattices();
    }
    small_scenes(wanted);
}

fn lattices() {
    println!(
        "{:>4} {:>9} {:>10} {:>10}  million springs per CPU-second",
        "n", "springs", "naive", "force"
    );
    for n in [10, 22, 46, 100] {
        let run = open(n, "symplectic-euler", 1);
        let springs = run.simulation().model.springs.len();
        let list: Vec<Spring> = run.simulation().model.springs.iter().collect();
        let naive = rate(springs, || naive_forces(&run, &list));
        let force = {
            let model = &run.simulation().model;
            let at = run.simulation().state.configuration();
            let mut f = vec![Vector::zeros(); model.particles()];
            rate(springs, || model.forces_at(black_box(&at), &mut f))
        };
        println!("{n:>4} {springs:>9} {naive:>10.1} {force:>10.1}");
    }
    println!("\n{:>4} {:>18} {:>8} {:>10}", "n", "whole step", "threads", "rate");
    for (n, method, threads) in [
        (10, "explicit-euler", 1),
        (10, "symplectic-euler", 1),
        (10, "rk4", 1),
        (22, "symplectic-euler", 1),
        (46, "symplectic-euler", 1),
        (46, "symplectic-euler", 2),
    ] {
        let mut run = open(n, method, threads);
        let springs = run.simulation().model.springs.len();
        let evaluations = if method == "rk4" { 4 } else { 1 };
        let speed = rate(springs * evaluations, || {
            run.simulation_mut().advance().expect("the workload is stable");
        });
        println!("{n:>4} {method:>18} {threads:>8} {speed:>10.1}");
    }
}

/// Steps per CPU-second of the scenes most users run.
fn small_scenes(wanted: impl Fn(&str) -> bool) {
    println!();
    for (short, name, text, goal) in [
        (
            "one",
            "one particle on a plane, symplectic-euler",
            include_str!("../scenes/sliding_block.toml"),
            10e6,
        ),
        ("box", "tipping box, symplectic-euler", include_str!("../scenes/tipping_box.toml"), 250e3),
    ] {
        if !wanted(short) {
            continue;
        }
        let set =
            ["integrator.method=symplectic-euler", "time.step=2e-5"].map(String::from).to_vec();
        let options = LoadOptions { set, allow_path: false };
        let scene =
            load_text(name, text, Path::new("scenes"), &options).expect("a library scene").scene;
        let mut run = Run::new(&scene, &BuildOptions::default()).expect("a library scene");
        let steps = rate(1, || {
            run.simulation_mut().advance().expect("the workload is stable");
        });
        println!("{name}: {:.2} million steps per CPU-second (goal {:.2})", steps, goal / 1e6);
    }
}

/// Million units per CPU-second: the best of several batches of at least 50 ms.
fn rate(units: usize, mut work: impl FnMut()) -> f64 {
    let mut best = 0.0f64;
    let mut batch = 1;
    let mut counted = 0;
    while counted < 7 {
        let start = ProcessTime::now();
        for _ in 0..batch {
            work();
        }
        let seconds = start.elapsed().as_secs_f64();
        if seconds < 0.05 {
            batch *= 2;
            continue;
        }
        counted += 1;
        best = best.max(units as f64 * batch as f64 / seconds / 1e6);
    }
    best
}

fn open(n: usize, method: &str, threads: usize) -> Run {
    let options = BuildOptions { threads, ..BuildOptions::default() };
    Run::new(&scene(n, method), &options).expect("the workload is a sound scene")
}

fn scene(n: usize, method: &str) -> Scene {
    let text = format!(
        r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 1.0
step = 1e-4
output = 1.0
[integrator]
method = "{method}"
[materials.jelly]
static_friction = 0.5
[contact]
normal = {{ law = "linear", stiffness = 1e4, damping = 5 }}
friction = {{ law = "threshold", epsilon = 1e-2 }}
[[body]]
name = "cube"
mass = {mass}
shape = {{ lattice = {{ counts = [{n}, {n}, {n}], spacing = 0.1 }} }}
springs = {{ edge = {{ stiffness = 500, damping = 0.5 }}, face_diagonal = {{ stiffness = 500, damping = 0.5 }} }}
position = [0, 0, 0.01]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
"#,
        mass = 0.01 * (n * n * n) as f64
    );
    load_text("lattice drop", &text, Path::new("."), &LoadOptions::default())
        .expect("the workload is a sound scene")
        .scene
}

/// The yardstick: an indexed list, scattered spring by spring.
fn naive_forces(run: &Run, springs: &[Spring]) {
    let (model, state) = (&run.simulation().model, &run.simulation().state);
    let mut f = vec![Vector::zeros(); model.particles()];
    for spring in springs {
        let d = state.positions[spring.j] - state.positions[spring.i];
        let w = state.velocities[spring.j] - state.velocities[spring.i];
        let l = d.norm();
        let tension = spring.material.stiffness * (l - spring.rest_length)
            + spring.material.damping * w.dot(&d) / l;
        let pull = d * (tension / l);
        f[spring.i] += pull;
        f[spring.j] -= pull;
    }
    black_box(&f);
}
