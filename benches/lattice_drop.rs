//! The standard workload "lattice drop": n × n × n particles fall on a plane. Prints millions of
//! spring evaluations per CPU-second: of springs alone, in rows and in a list; of whole steps with
//! every watch, and with two threads; and of a naive kernel in the same process as the yardstick. Compare ratios of
//! one run, never times of two.
//!
//! `cargo bench --bench lattice_drop -- steps` runs whole steps alone, `springs` springs alone, `threads` what two
//! threads gain. `sizes`, which is left out unless it is asked for, is the time a particle from ten thousand to ten
//! million of them.

#[path = "shared/goals.rs"]
mod goals;
#[path = "shared/rows.rs"]
mod rows;

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
    if wanted("springs") {
        springs_alone();
    }
    if wanted("steps") {
        whole_steps();
    }
    if wanted("threads") {
        two_threads();
    }
    if chosen.iter().any(|c| c == "sizes") {
        time_per_particle();
    }
}

/// Sizes, with the goals over the naive kernel: of a whole step, of a list alone.
const SIZES: [(usize, f64, f64); 4] =
    [(10, 1.9, 1.35), (22, 3.0, 1.45), (46, 3.4, 1.3), (100, 2.7, 1.2)];

fn springs_alone() {
    println!(
        "{:>4} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8}  million springs per CPU-second, and over naive",
        "n", "springs", "naive", "rows", "", "list", ""
    );
    for (n, _, goal) in SIZES {
        let run = open(n, "symplectic-euler", 1);
        let springs = run.simulation().model.springs.len();
        let list = listed(&run.simulation().model.springs);
        let mut f = vec![Vector::zeros(); run.simulation().model.particles()];
        let naive = rate(springs, || naive_forces(&run, &list, &mut f));
        let in_rows = rate(springs, || {
            forces(&run.simulation().model.springs, &run.simulation().state, &mut f)
        });
        let (mixed, state) = mixed(&run, &list);
        let listed = rate(springs, || forces(&mixed, &state, &mut f));
        let [of_rows, of_list] = [in_rows / naive, listed / naive];
        println!(
            "{n:>4} {springs:>9} {naive:>8.1} {in_rows:>8.1} {of_rows:>8.2} {listed:>8.1} {of_list:>8.2}"
        );
        let [naive, in_rows, listed] = [naive, in_rows, listed].map(|rate| format!("{rate:.0}"));
        let (of_rows, of_list) = (format!("**{of_rows:.2}**"), goals::ratio(of_list, goal, true));
        let cells = [n.to_string(), springs.to_string(), naive, in_rows, of_rows, listed, of_list];
        rows::row("springs", &cells);
    }
}

fn whole_steps() {
    println!("\n{:>4} {:>18} {:>8} {:>8}", "n", "whole step", "rate", "/ naive");
    let explicit = ["explicit-euler", "symplectic-euler", "velocity-verlet", "rk4", "dopri5"];
    let every = explicit.map(|method| (SIZES[0], method));
    let large = [SIZES[1], SIZES[2], SIZES[3]].map(|size| (size, "symplectic-euler"));
    for ((n, goal, _), method) in every.into_iter().chain(large) {
        let mut run = open(n, method, 1);
        let list = listed(&run.simulation().model.springs);
        let mut f = vec![Vector::zeros(); run.simulation().model.particles()];
        let naive = rate(list.len(), || naive_forces(&run, &list, &mut f));
        let before = run.simulation().work.evaluations;
        run.simulation_mut().advance().expect("the workload is stable");
        let evaluations = (run.simulation().work.evaluations - before) as usize;
        let speed = rate(list.len() * evaluations, || {
            run.simulation_mut().advance().expect("the workload is stable");
        });
        println!("{n:>4} {method:>18} {speed:>8.1} {:>8.2}", speed / naive);
        let ratio = goals::ratio(speed / naive, goal, true);
        rows::row("steps", &[n.to_string(), method.into(), format!("{speed:.0}"), ratio]);
    }
}

/// Time on the clock of steps with two threads over that with one, in turns: the median of ratios.
fn two_threads() {
    println!("\n{:>4} {:>28} {:>8}", "n", "clock, two threads / one", "CPU");
    for (n, steps) in [(46, 40), (100, 6)] {
        let mut runs = [1, 2].map(|threads| open(n, "symplectic-euler", threads));
        let mut ratios: [Vec<f64>; 2] = Default::default();
        for _ in 0..15 {
            let [one, two] = runs.each_mut().map(|run| {
                let (clock, cpu) = (Instant::now(), ProcessTime::now());
                for _ in 0..steps {
                    run.simulation_mut().advance().expect("the workload is stable");
                }
                [clock.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64()]
            });
            ratios.iter_mut().enumerate().for_each(|(k, ratios)| ratios.push(two[k] / one[k]));
        }
        ratios.iter_mut().for_each(|ratios| ratios.sort_by(f64::total_cmp));
        let [clock, cpu] = ratios.map(|ratios| ratios[ratios.len() / 2]);
        println!("{n:>4} {clock:>28.2} {cpu:>8.2}");
        let cells = [n.to_string(), goals::ratio(clock, 0.65, false), format!("{cpu:.2}")];
        rows::row("threads", &cells);
    }
}

/// Time of a step with every watch, and of its springs alone, per particle; the first over that at n = 22.
fn time_per_particle() {
    println!("\n{:>4} {:>9} {:>12} {:>12} {:>8}", "n", "particles", "step", "springs", "/ n = 22");
    let mut first = None;
    for n in [22, 32, 46, 68, 100, 147, 215] {
        let mut run = open(n, "symplectic-euler", 1);
        let particles = run.simulation().model.particles();
        let mut f = vec![Vector::zeros(); particles];
        let springs = 1e3
            / rate(particles, || {
                forces(&run.simulation().model.springs, &run.simulation().state, &mut f)
            });
        let step = 1e3
            / rate(particles, || {
                run.simulation_mut().advance().expect("the workload is stable");
            });
        let over = step / *first.get_or_insert(step);
        println!("{n:>4} {particles:>9} {step:>12.1} {springs:>12.1} {over:>8.2}");
        let [step, springs] = [step, springs].map(|time| format!("{time:.1}"));
        let cells =
            [n.to_string(), particles.to_string(), step, springs, goals::ratio(over, 1.25, false)];
        rows::row("sizes", &cells);
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
    let springs = Springs::new(springs.iter().map(moved).collect(), particles);
    let mut other = state.clone();
    for i in 0..particles {
        other.positions[place(i)] = state.positions[i];
        other.velocities[place(i)] = state.velocities[i];
    }
    (springs, other)
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
