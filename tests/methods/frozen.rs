//! Steps whose equations have no solution: implicit methods ease or freeze contact and go on.

use crate::support::simulation;
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

/// Two soft bodies that meet: strong damping lets N jump at the moment of touch, and a step that ends
/// there has no solution. N rises from zero instead, at the same step, and no step is halved.
#[test]
fn bodies_that_meet_are_carried_over_the_jumps_of_touch() {
    let mut run = simulation(
        "format = 1
        time = { end = 0.2, step = 2e-3, output = 0.1 }
        integrator = { method = \"implicit-euler\" }
        materials.rubber = { static_friction = 0.6 }
        [contact]
        bodies = true
        normal = { stiffness = 1e4, damping = 20 }
        friction = { law = \"none\" }
        [[collider]]
        name = \"ground\"
        shape = { plane = {} }
        [[body]]
        name = \"lower\"
        mass = 0.2
        radius = 0.01
        shape = { lattice = { counts = [3, 3, 3], spacing = 0.05 } }
        springs = { edge = { stiffness = 5e3, damping = 5 }, face_diagonal = { stiffness = 5e3, damping = 5 } }
        position = [0, 0, 0.01]
        [[body]]
        name = \"upper\"
        mass = 0.2
        radius = 0.01
        shape = { lattice = { counts = [3, 3, 3], spacing = 0.05 } }
        springs = { edge = { stiffness = 5e3, damping = 5 }, face_diagonal = { stiffness = 5e3, damping = 5 } }
        position = [0.02, 0.013, 0.14]
        rotation = [0, 0, 20]
        velocity = [0.2, 0, -0.5]
        ",
    );
    run.advance_to(0.2).expect("it goes on");
    let work = &run.work;
    assert!(work.eased > 0, "{work:?}");
    assert_eq!(work.rejections, 0, "{work:?}");
    // a step that is eased costs a stage more, not hundreds of evaluations
    assert!(work.evaluations < 40 * work.substeps, "{work:?}");
    // no energy is made beyond the doubt of the audit, which integrates the powers of the law itself
    let audit = &run.watches.audit;
    let most = audit.doubt() + 1e-3 * audit.throughput();
    assert!(audit.residual() < most, "{} of {most}", audit.residual());
}

/// A particle falls on damping that stops it within a fraction of a step: no method may throw it up again
/// because contact was eased. Without damping it would have 4.5 J.
#[test]
fn strong_damping_stops_what_falls_on_it() {
    for method in ["implicit-euler", "sdirk2", "bdf2"] {
        let mut run = simulation(&format!(
            "format = 1
            time = {{ end = 0.4, step = 2e-3, output = 0.1 }}
            integrator = {{ method = \"{method}\" }}
            materials.clay = {{ static_friction = 0.6 }}
            [contact]
            normal = {{ stiffness = 100, damping = 1e4 }}
            friction = {{ law = \"threshold\", epsilon = 1e-3 }}
            [[collider]]
            name = \"ground\"
            shape = {{ plane = {{}} }}
            [[body]]
            name = \"ball\"
            mass = 1
            shape = {{ particle = {{}} }}
            position = [0, 0, 0.1]
            velocity = [1, 0, -3]
            "
        ));
        run.advance_to(0.4).expect("it goes on");
        let [place, speed] = [run.state.positions[0].z, run.state.velocities[0].norm()];
        assert!(place < 0.02 && speed < 0.02, "{method}: at {place} m, {speed} m/s");
    }
}
