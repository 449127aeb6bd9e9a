//! Steps whose equations have no solution: implicit methods freeze contact and go on.

use std::path::Path;
use stiction_core::simulation::Simulation;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, load};

fn folded_rope(method: &str) -> Simulation {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/folded_rope.toml");
    let set = [format!("integrator.method={method}"), "time.step=1e-3".into()];
    let options = LoadOptions { set: set.to_vec(), ..LoadOptions::default() };
    let scene = load(&path, &options).expect("a scene").scene;
    let built = build(&scene, &BuildOptions::default()).expect("a model");
    Simulation::with_method(built.model, built.state, built.integrator, built.method, 1e-3)
}

/// Where a segment of a rope slides over the end of another the force jumps, and no substep,
/// however short, ends in a solution: without freezing, implicit Euler stops at .706 s.
#[test]
fn a_rope_on_itself_is_carried_over_the_jumps_of_its_contacts() {
    let mut run = folded_rope("implicit-euler");
    run.advance_to(0.75).expect("it goes on");
    assert!((run.state.time - 0.75).abs() < 1e-9);
    assert!(run.work.frozen > 0, "{:?}", run.work);
    assert!(run.work.frozen < run.work.substeps / 4, "{:?}", run.work);
    // frozen contact makes no energy: implicit Euler loses some
    let audit = &run.watches.audit;
    assert!(audit.residual() < 1e-3 * audit.throughput(), "{}", audit.residual());
}

/// Nothing is frozen before the rope touches itself.
#[test]
fn a_step_that_has_a_solution_freezes_nothing() {
    let mut run = folded_rope("tr-bdf2");
    run.advance_to(0.2).expect("it goes on");
    assert_eq!(run.work.frozen, 0, "{:?}", run.work);
}
