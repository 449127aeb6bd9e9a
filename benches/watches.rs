//! The watches' share of a step: the tipping box under several methods, with all watches and
//! without, in turns in one process. Compare the shares of one run, never times of two.

use cpu_time::ThreadTime;
use std::path::Path;
use stiction_core::simulation::Simulation;
use stiction_core::state::memory::Memory;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load};

fn main() {
    println!(
        "{:<18} {:>8} {:>12} {:>12} {:>8}",
        "method", "step s", "whole µs", "bare µs", "watches"
    );
    for (method, step) in [
        ("symplectic-euler", "2e-5"),
        ("rk4", "2e-5"),
        ("dopri5", "1e-4"),
        ("implicit-euler", "1e-4"),
    ] {
        share(method, step);
    }
}

/// Goes on from the middle of the push, in turns of a few steps with watches and without.
fn share(method: &str, step: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/tipping_box.toml");
    let set = vec![format!("integrator.method={method}"), format!("time.step={step}")];
    let options = LoadOptions { set, ..LoadOptions::default() };
    let scene = load(&path, &options).expect("the scene loads").scene;
    let built = build(&scene, &BuildOptions::default()).expect("the scene builds");
    let mut bare = build(&scene, &BuildOptions::default()).expect("it builds twice").integrator;
    let h = scene.time.step;
    let mut simulation =
        Simulation::with_method(built.model, built.state, built.integrator, built.method, h);
    simulation.advance_to(0.2).expect("it runs");
    let (model, mut state) = (simulation.model.clone(), simulation.state.clone());
    let (mut spare, mut with, mut without) = (Memory::default(), 0.0, 0.0);
    let (turns, steps) = (50, if method == "implicit-euler" { 20 } else { 200 });
    for _ in 0..turns {
        let began = ThreadTime::now();
        for _ in 0..steps {
            simulation.advance().expect("a step");
        }
        with += began.elapsed().as_secs_f64();
        let began = ThreadTime::now();
        for _ in 0..steps {
            bare.step(&model, &mut state, h).expect("a step");
            state.step_count += 1;
            state.time = state.step_count as f64 * h;
            model.commit(&mut state, &mut spare);
        }
        without += began.elapsed().as_secs_f64();
    }
    assert_eq!(state.hash(), simulation.state.hash(), "the same run");
    let per = 1e6 / f64::from(turns * steps);
    println!(
        "{method:<18} {step:>8} {:>12.2} {:>12.2} {:>7.1}%",
        with * per,
        without * per,
        100.0 * (with - without) / with
    );
}
