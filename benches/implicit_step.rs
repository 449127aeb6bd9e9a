//! The cost of an implicit step: conjugate gradients on the lattice drop, the linear solvers side
//! by side, and the tipping box in three dimensions against rk4 at its own largest step. All are
//! CPU times of one process: compare ratios of one run, never times of two.
//!
//! `cargo bench --bench implicit_step -- box` runs the last part alone; `lattice`, `step`,
//! `solvers` the others; `library` prints the table of docs/implicit.md.

use cpu_time::ProcessTime;
use std::path::{Path, PathBuf};
use stiction_core::integrators::StepReport;
use stiction_core::integrators::stage::StageCounts;
use stiction_core::linear::system::System;
use stiction_core::linear::{SOLVERS, Wanted, solver};
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load_text};

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| chosen.is_empty() || chosen.iter().any(|c| c == name);
    if wanted("lattice") {
        lattices();
    }
    if wanted("step") {
        steps();
    }
    if wanted("solvers") {
        solvers();
    }
    if wanted("box") {
        tipping_box();
    }
    if wanted("library") {
        library();
    }
}

fn open(text: &str, set: &[&str]) -> Run {
    let set = set.iter().map(|s| s.to_string()).collect();
    let scene =
        load_text("bench", text, Path::new("scenes"), &LoadOptions { set, allow_path: false })
            .expect("a sound scene")
            .scene;
    Run::new(&scene, &BuildOptions::default()).expect("a sound scene")
}

fn drop(counts: [usize; 3]) -> Run {
    let [a, b, c] = counts;
    open(
        &format!(
            r#"
format = 1
world = {{ gravity = [0, 0, -9.81] }}
time = {{ end = 1.0, step = 1e-2, output = 1.0 }}
integrator = {{ method = "implicit-euler" }}
materials.jelly = {{ static_friction = 0.5 }}
contact.normal = {{ law = "linear", stiffness = 1e4, damping = 5 }}
contact.friction = {{ law = "threshold", epsilon = 1e-2 }}
[[body]]
name = "cube"
mass = {}
shape = {{ lattice = {{ counts = [{a}, {b}, {c}], spacing = 0.1 }} }}
springs = {{ edge = {{ stiffness = 500, damping = 0.5 }}, face_diagonal = {{ stiffness = 500, damping = 0.5 }} }}
position = [0, 0, -1e-3]
velocity = [1, 0, 0]
[[collider]]
name = "floor"
shape = {{ plane = {{}} }}
"#,
            0.01 * (a * b * c) as f64
        ),
        &[],
    )
}

/// The best CPU time of five runs \[s\].
fn best(mut work: impl FnMut()) -> f64 {
    (0..5)
        .map(|_| {
            let start = ProcessTime::now();
            work();
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min)
}

/// Seconds to gather, to factor and to solve the first system of a step; and iterations.
fn system_times(run: &Run, name: &str, tolerance: f64) -> Option<[f64; 4]> {
    let (model, state) = (&run.simulation().model, &run.simulation().state);
    let mut solver = solver(name);
    let mut system = System::new(&model.masses, &model.inverse_masses);
    let at = state.configuration();
    let gather = best(|| {
        let form = solver.form(model.particles());
        system.assemble(form, 1e-2, |system| model.jacobian_at(&at, system));
    });
    solver.factor(&system).ok()?;
    let factor = best(|| solver.factor(&system).expect("a factorisation"));
    let mut iterations = 0;
    let wanted = Wanted { tolerance, guess: None };
    let solve = best(|| {
        let mut b: Vec<_> = state.forces.iter().map(|f| f * 1e-2).collect();
        iterations = solver.solve(&system, &wanted, &mut b).expect("a solution");
    });
    Some([gather, factor, solve, f64::from(iterations)])
}

fn lattices() {
    println!("conjugate gradients to 1e-8, lattice drop, h = 1e-2");
    println!("{:>4} {:>12} {:>12} {:>11}", "n", "gather [ms]", "solve [ms]", "iterations");
    for n in [10, 22, 46] {
        let run = drop([n, n, n]);
        if let Some([gather, factor, solve, iterations]) = system_times(&run, "pcg", 1e-8) {
            let solve = (factor + solve) * 1e3;
            println!("{n:>4} {:>12.2} {solve:>12.2} {iterations:>11}", gather * 1e3);
        }
    }
}

/// Whole steps of the drop, which comes down on the floor and slides, beside one solution by
/// conjugate gradients to 1e-8 in the same process.
fn steps() {
    println!("\nwhole implicit Euler step of the drop, h = 1e-2, mean of 20 steps");
    for n in [10, 22, 46] {
        let mut run = drop([n, n, n]);
        let Some([_, factor, solve, _]) = system_times(&run, "pcg", 1e-8) else { continue };
        let pcg = factor + solve;
        let start = ProcessTime::now();
        for _ in 0..20 {
            run.simulation_mut().advance().expect("a step");
        }
        let step = start.elapsed().as_secs_f64() / 20.0;
        println!(
            "{n:>4}: pcg {:.2} ms, step {:.2} ms, {:.2} × pcg",
            pcg * 1e3,
            step * 1e3,
            step / pcg
        );
        print_work(&run);
    }
}

fn solvers() {
    println!("\none system to 1e-8: milliseconds to factor and solve");
    print!("{:>12}", "particles");
    for entry in &SOLVERS {
        print!(" {:>16}", entry.name);
    }
    println!();
    for counts in [[4, 1, 4], [7, 1, 17], [4, 4, 4], [6, 6, 6], [7, 7, 17]] {
        let run = drop(counts);
        print!("{:>12}", run.simulation().model.particles());
        for entry in &SOLVERS {
            match system_times(&run, entry.name, 1e-8) {
                Some([_, factor, solve, _]) => print!(" {:>16.3}", (factor + solve) * 1e3),
                None => print!(" {:>16}", "-"),
            }
        }
        println!();
    }
}

/// The box of tests/truth/tipping.rs, seven slices, μ = .3 pushed at .8 m.
const PUSHED: &str = r#"
format = 1
world = { gravity = [0, 0, -9.81] }
time = { end = 2.0, step = 4e-5, output = 2.0 }
integrator = { method = "rk4" }
materials.rubber = { static_friction = 0.3 }
contact.normal = { stiffness = 2e5, damping = 50 }
contact.friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "box"
mass = 70
shape = { lattice = { counts = [7, 7, 17], spacing = 0.1 } }
springs.edge = { stiffness = 2e5, damping = 30 }
springs.face_diagonal = { stiffness = 2e5, damping = 30 }
[[collider]]
name = "floor"
shape = { plane = {} }
[[drag]]
rate = 5.0
until = 0.5
[[push]]
body = "box"
where.box = { min = [-0.31, -0.7, 0.79], max = [-0.29, 0.7, 0.81] }
force = [216.3, 0, 0]
from = 0.5
ramp = 1.0
"#;

/// CPU-seconds per simulated second of boxes that are pushed over, or away.
fn tipping_box() {
    let library = include_str!("../scenes/tipping_box_3d.toml");
    for (name, text, step) in [
        ("scenes/tipping_box_3d", library, "8e-5"),
        ("the box of tests/truth/tipping.rs", PUSHED, "4e-5"),
    ] {
        println!("\n{name}, the first 1.5 s: CPU-seconds per simulated second");
        let mut reference = None;
        for (method, step, tolerance) in [
            ("rk4", step, ""),
            ("implicit-euler", "1e-3", "newton_tolerance"),
            ("bdf2", "1e-3", "newton_tolerance"),
            ("semi-implicit", "1e-3", "linear_tolerance"),
        ] {
            let mut set = vec![format!("integrator.method={method}"), format!("time.step={step}")];
            if !tolerance.is_empty() {
                set.push(format!("integrator.{tolerance}=1e-6"));
            }
            let mut run = open(text, &set.iter().map(String::as_str).collect::<Vec<_>>());
            let start = ProcessTime::now();
            while run.simulation().state.time < 1.5 {
                run.simulation_mut().advance().expect("a step");
            }
            let cpu = start.elapsed().as_secs_f64() / run.simulation().state.time;
            let ratio = *reference.get_or_insert(cpu) / cpu;
            print_run(&format!("{method} at {step}"), &run, cpu, ratio);
        }
    }
}

fn print_run(name: &str, run: &Run, cpu: f64, ratio: f64) {
    println!("{name:>22}: {cpu:.3}, rk4 / this {ratio:.2}; {}", run.simulation().verdict().marks());
    print_work(run);
}

fn print_work(run: &Run) {
    let (work, steps) = (run.simulation().work, run.simulation().state.step_count as f64);
    println!(
        "{:>24}a step: {:.2} Newton, {:.1} linear, {:.2} forces, {:.2} jacobians; {} refused",
        "",
        work.iterations as f64 / steps,
        work.linear_iterations as f64 / steps,
        work.evaluations as f64 / steps,
        work.jacobians as f64 / steps,
        work.rejections,
    );
}

/// Newton iterations per stage over the implicit scenes of the library that have contact.
fn library() {
    println!(
        "| scene | method | step [s] | law | stages | mean | median | 95 % | most | linear | frozen |"
    );
    println!("|{}", " --- |".repeat(11));
    let mut all = StageCounts::NONE;
    for path in scene_files() {
        let text = std::fs::read_to_string(&path).expect("a readable scene");
        let options = LoadOptions { set: Vec::new(), allow_path: true };
        let folder = path.parent().expect("a folder");
        let scene = load_text("bench", &text, folder, &options).expect("a sound scene").scene;
        let mut run = Run::new(&scene, &BuildOptions::default()).expect("a sound scene");
        if !run.simulation().integrator().capabilities().implicit
            || !run.simulation().model.touches()
        {
            continue;
        }
        while run.simulation().state.time < scene.time.end() {
            if run.simulation_mut().advance().is_err() {
                break;
            }
        }
        let work = run.simulation().work;
        all.add(&work.stages);
        let name = path.strip_prefix("scenes").unwrap_or(&path).display();
        print_stages(
            &format!(
                "{name} | {} | {:e} | {}",
                scene.integrator.name, scene.time.step, scene.contact.friction.name
            ),
            &work,
        );
    }
    println!(
        "all: median {:?}, 95 % {:?}, most {}",
        all.quantile(0.5),
        all.quantile(0.95),
        all.most()
    );
}

fn print_stages(name: &str, work: &StepReport) {
    let (counts, stages) = (&work.stages, work.stages.stages().max(1) as f64);
    println!(
        "| {name} | {} | {:.2} | {} | {} | {} | {:.1} | {} |",
        counts.stages(),
        work.iterations as f64 / stages,
        counts.quantile(0.5).unwrap_or(0),
        counts.quantile(0.95).unwrap_or(0),
        counts.most(),
        work.linear_iterations as f64 / stages,
        work.frozen,
    );
}

/// The scenes of the library and of the league, in order of their names.
fn scene_files() -> Vec<PathBuf> {
    let list = |folder: &str| std::fs::read_dir(folder).expect("a folder of scenes");
    let entries = list("scenes").chain(list("scenes/league"));
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut scenes: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    scenes.sort();
    scenes
}
