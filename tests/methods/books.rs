//! The books of a run that is changed on its way: what was before a change is not forgotten.

use std::path::Path;
use stiction_core::math::exp;
use stiction_lab::run::{Intervene, Outcome, Run, Timeline, Unobserved};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

/// A block that slides to rest under drag, pushed by a steady force.
const SLIDE: &str = "format = 1
    world = { gravity = [0, 0, -10], planar = \"xz\" }
    time = { end = 0.4, step = 1e-3, output = 0.05 }
    integrator = { method = \"rk4\" }
    materials.wood = { static_friction = 0.4 }
    [contact]
    normal = { stiffness = 1e4, damping = 200 }
    friction = { law = \"threshold\", epsilon = 1e-2 }
    [[body]]
    name = \"block\"
    mass = 1
    shape = { particle = {} }
    position = [0, 0, -1e-3]
    velocity = [3, 0, 0]
    [[collider]]
    name = \"floor\"
    shape = { plane = {} }
    [[push]]
    body = \"block\"
    force = [1, 0, 0]
    ";

fn scene() -> Scene {
    load_text("slide.toml", SLIDE, Path::new("."), &LoadOptions::default()).expect("a scene").scene
}

/// Puts the same scene in place of itself, before the steps given.
struct Again {
    before: Vec<u64>,
}

impl Intervene for Again {
    fn before_step(&mut self, timeline: &mut Timeline) -> Result<(), String> {
        if self.before.contains(&timeline.simulation.state.step_count) {
            let built = build(&scene(), &BuildOptions::default()).expect("it fits together");
            timeline.change(scene(), built);
        }
        Ok(())
    }
}

fn ran(before: &[u64]) -> (Run, Outcome) {
    let mut run = Run::new(&scene(), &BuildOptions::default()).expect("it fits together");
    run.intervene(Box::new(Again { before: before.to_vec() }), 400);
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    (run, outcome)
}

/// v² falls by 2 (μ g − F/m) x: friction takes μ m g x, the push gives F x, and four evaluations
/// make a step, however often the run was changed.
#[test]
fn flows_and_work_go_on_over_any_number_of_changes() {
    let (_, plain) = ran(&[]);
    for before in [&[][..], &[130], &[90, 210], &[50, 150, 300]] {
        let (run, outcome) = ran(before);
        for frame in &run.frames {
            let t = frame.time;
            let x = 3.0 * t - 0.5 * 3.0 * t * t;
            let what = format!("changed before {before:?}, at {t}");
            let (rubbed, pushed) = (frame.flows.friction_slip, frame.flows.work);
            assert!((rubbed - 4.0 * x).abs() < 1e-6, "{what}: {rubbed} J, not {}", 4.0 * x);
            assert!((pushed - x).abs() < 1e-6, "{what}: {pushed} J, not {x}");
            assert!(frame.residual.abs() < 1e-6, "{what}: {}", frame.residual);
        }
        assert_eq!(outcome.steps, 400);
        assert_eq!(outcome.work.substeps, 400, "changed before {before:?}");
        assert_eq!(outcome.work.evaluations, plain.work.evaluations, "changed before {before:?}");
        assert_eq!(outcome.state_hash, plain.state_hash, "a change to the same is none");
    }
}

/// A drag that begins and ends within a step acts for just its time: v = v₀ exp(−r Δt).
#[test]
fn a_drag_acts_from_its_beginning_to_its_end() {
    for method in ["rk4", "symplectic-euler", "rk45"] {
        let mut run = crate::support::simulation(&format!(
            "format = 1
            world.gravity = [0, 0, 0]
            time = {{ end = 0.1, step = 1e-2, output = 0.1 }}
            integrator.method = \"{method}\"
            materials.wood = {{ static_friction = 0.5 }}
            [[body]]
            name = \"stone\"
            mass = 1
            shape.particle = {{}}
            velocity = [1, 0, 0]
            [[drag]]
            rate = 2.0
            from = 0.0123
            until = 0.0731
            "
        ));
        for _ in 0..10 {
            run.advance().expect("a step");
        }
        let (v, exact) = (run.state.velocities[0].x, exp(-2.0 * (0.0731 - 0.0123)));
        let room = if method == "symplectic-euler" { 2e-3 } else { 1e-8 };
        assert!((v - exact).abs() < room, "{method}: {v}, not {exact}");
    }
}

/// A run that was wrong before a change is not trusted after it, and says so once.
#[test]
fn what_was_wrong_before_a_change_stays_in_the_verdict() {
    let too_large = SLIDE
        .replace("step = 1e-3, output = 0.05", "step = 2e-2, output = 0.1")
        .replace("velocity = [3, 0, 0]", "velocity = [0.2, 0, 0]");
    let loaded = load_text("slide.toml", &too_large, Path::new("."), &LoadOptions::default());
    let coarse = loaded.expect("a scene").scene;
    let built = |scene: &Scene| build(scene, &BuildOptions::default()).expect("it fits together");
    let mut timeline = Timeline::start(&coarse, built(&coarse));
    while timeline.simulation.state.time < 0.4 {
        timeline.simulation.advance().expect("a step");
    }
    let told = |timeline: &Timeline| {
        let reasons = timeline.verdict().reasons;
        reasons.iter().filter(|reason| reason.name() == "step-above-friction-limit").count()
    };
    assert_eq!(told(&timeline), 1);
    for _ in 0..2 {
        timeline.change(scene(), built(&scene()));
        for _ in 0..50 {
            timeline.simulation.advance().expect("a step");
        }
        assert!(timeline.simulation.verdict().faultless(), "since the change");
        assert_eq!(told(&timeline), 1);
    }
}
