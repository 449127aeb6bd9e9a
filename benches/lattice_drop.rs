//! The standard workload "lattice drop": n × n × n particles fall on a plane. Prints millions of
//! spring evaluations per CPU-second: of springs alone, in rows and in a list; of whole steps with
//! every watch; and of a naive kernel in the same process as the yardstick. Then prints steps per
//! CPU-second of small scenes. Compare ratios of one run, never times of two.
//!
//! `cargo bench --bench lattice_drop -- lattice` runs the first part alone; `one` and `box` the
//! small scenes.

use cpu_time::ProcessTime;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use stiction_core::forces::Force;
use stiction_core::forces::springs::{Spring, Springs};
use stiction_core::math::Vector;
use stiction_core::state::State;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, Scene, load_text};

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
        "{:>4} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  million springs per CPU-second, and over naive",
        "n", "springs", "naive", "rows", "", "list", ""
    );
    for n in [10, 22, 46, 100] {
        let run = open(n, "symplectic-euler", 1);
        let springs = run.simulation().model.springs.len();
        let list = listed(&run.simulation().model.springs);
        let mut f = vec![Vector::zeros(); run.simulation().model.particles()];
        let naive = rate(springs, || naive_forces(&run, &list, &mut f));
        let rows = rate(springs, || {
            forces(&run.simulation().model.springs, &run.simulation().state, &mut f)
        });
        let (mixed, state) = mixed(&run, &list);
        let listed = rate(springs, || forces(&mixed, &state, &mut f));
        println!(
            "{n:>4} {springs:>9} {naive:>8.1} {rows:>8.1} {:>8.2} {listed:>8.1} {:>8.2}",
            rows / naive,
            listed / naive
        );
    }
    println!(
        "\n{:>4} {:>18} {:>8} {:>8} {:>8} {:>8}",
        "n", "whole step", "threads", "rate", "/ naive", "wall"
    );
    let explicit = ["explicit-euler", "symplectic-euler", "velocity-verlet", "rk4", "dopri5"];
    let every = explicit.map(|method| (10, method, 1));
    let large = [22, 46, 100].map(|n| (n, "symplectic-euler", 1));
    let threaded = [46, 100].map(|n| (n, "symplectic-euler", 2));
    for (n, method, threads) in every.into_iter().chain(large).chain(threaded) {
        let mut run = open(n, method, threads);
        let list = listed(&run.simulation().model.springs);
        let mut f = vec![Vector::zeros(); run.simulation().model.particles()];
        let naive = rate(list.len(), || naive_forces(&run, &list, &mut f));
        let before = run.simulation().work.evaluations;
        run.simulation_mut().advance().expect("the workload is stable");
        let evaluations = (run.simulation().work.evaluations - before) as usize;
        let start = Instant::now();
        let mut steps = 0;
        let speed = rate(list.len() * evaluations, || {
            run.simulation_mut().advance().expect("the workload is stable");
            steps += 1;
        });
        let wall = (list.len() * evaluations * steps) as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!(
            "{n:>4} {method:>18} {threads:>8} {speed:>8.1} {:>8.2} {wall:>8.1}",
            speed / naive
        );
    }
}

/// All springs, one after the other.
fn listed(springs: &Springs) -> Vec<Spring> {
    let mut list = Vec::with_capacity(springs.len());
    springs.for_each(|spring| list.push(spring));
    list
}

/// The forces of springs alone.
fn forces(springs: &Springs, state: &State, f: &mut [Vector]) {
    f.fill(Vector::zeros());
    springs.add_force(&black_box(state).configuration(), f);
    black_box(f);
}

/// The same springs and state with the particles of each group of 64 in another order: no ends are
/// strided, and all springs are in the list.
fn mixed(run: &Run, springs: &[Spring]) -> (Springs, State) {
    let state = &run.simulation().state;
    let particles = state.positions.len();
    let whole = particles / 64 * 64;
    let place = |i: usize| if i < whole { i / 64 * 64 + i % 64 * 37 % 64 } else { i };
    let moved = |s: &Spring| {
        let (a, b) = (place(s.i), place(s.j));
        Spring { i: a.min(b), j: a.max(b), ..*s }
    };
    let springs = Springs::new(springs.iter().map(moved).collect(), particles, 1);
    let mut other = state.clone();
    for i in 0..particles {
        other.positions[place(i)] = state.positions[i];
        other.velocities[place(i)] = state.velocities[i];
    }
    (springs, other)
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
fn naive_forces(run: &Run, springs: &[Spring], f: &mut [Vector]) {
    let state = &run.simulation().state;
    f.fill(Vector::zeros());
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
    black_box(f);
}
