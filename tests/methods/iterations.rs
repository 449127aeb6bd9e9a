//! Newton iterations of implicit stages with friction: how many, and how exact their result is.

use crate::support::simulation;
use stiction_core::math::{larger, smaller};
use stiction_core::simulation::Simulation;

const EPSILON: f64 = 1e-2;

/// The lattice drop of benches/implicit_step.rs, of 6³ particles: it slides at 1 m/s and comes to rest.
fn lattice(integrator: &str) -> Simulation {
    simulation(&format!(
        "format = 1
        world = {{ gravity = [0, 0, -9.81] }}
        time = {{ end = 1.0, step = 1e-2, output = 1.0 }}
        integrator = {{ method = {integrator} }}
        materials.jelly = {{ static_friction = 0.5 }}
        contact.normal = {{ law = \"linear\", stiffness = 1e4, damping = 5 }}
        contact.friction = {{ law = \"threshold\", epsilon = {EPSILON:e} }}
        [[body]]
        name = \"cube\"
        mass = 2.16
        shape = {{ lattice = {{ counts = [6, 6, 6], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = 500, damping = 0.5 }}, face_diagonal = {{ stiffness = 500, damping = 0.5 }} }}
        position = [0, 0, -1e-3]
        velocity = [1, 0, 0]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        "
    ))
}

fn after(integrator: &str, steps: usize) -> Simulation {
    let mut run = lattice(integrator);
    for _ in 0..steps {
        run.advance().expect("a step");
    }
    run
}

/// Counters of work, not times: they are the same on every machine. The methods of order 2 are refused
/// steps at impacts, where damping jumps; the stages given up are a tenth.
#[test]
fn a_slide_to_rest_takes_few_iterations_a_stage() {
    for (method, half, refused) in
        [("implicit-euler", 3, 1), ("bdf2", 4, 8), ("sdirk2", 3, 12), ("tr-bdf2", 4, 13)]
    {
        let run = after(&format!("\"{method}\""), 60);
        let (work, stages) = (run.work, run.work.stages);
        println!("{method}: {stages:?}, {} refused", work.rejections);
        let median = stages.quantile(0.5).expect("stages");
        assert!(median <= half, "{method}: {median}");
        assert!(work.rejections <= refused, "{method}: {} refused", work.rejections);
    }
    let of_most = after("\"implicit-euler\"", 60).work.stages.quantile(0.95);
    assert!(of_most <= Some(6), "{of_most:?}");
}

/// With N from the start of the step the equations are no harder: a contact that opens ends its friction
/// without a jump.
#[test]
fn a_lagged_normal_force_costs_no_more() {
    let evaluations = |lag: &str| {
        let run = after(&format!("\"implicit-euler\", lag = \"{lag}\""), 40);
        println!("{lag}: {:?}", run.work);
        (run.work.evaluations as f64, run.work.rejections)
    };
    let (plain, refused) = evaluations("none");
    for lag in ["normal", "both"] {
        let (lagged, of_lagged) = evaluations(lag);
        assert!(lagged < 1.5 * plain, "{lag}: {lagged} evaluations beside {plain}");
        assert!(of_lagged <= refused + 1, "{lag}: {of_lagged} refused beside {refused}");
    }
}

/// By default no velocity of a step is further from the solution than a hundred-thousandth of ε, or of
/// the fastest speed where that is less.
#[test]
fn the_default_tolerance_holds() {
    for method in ["implicit-euler", "tr-bdf2"] {
        let mut run = lattice(&format!("\"{method}\""));
        let mut exact = lattice(&format!("\"{method}\", newton_tolerance = 1e-13"));
        let mut worst = 0.0;
        for _ in 0..60 {
            exact.restore(&run.checkpoint());
            let fastest = run.state.velocities.iter().fold(0.0, |most, v| larger(most, v.amax()));
            run.advance().expect("a step");
            exact.advance().expect("a step");
            let pairs = run.state.velocities.iter().zip(&exact.state.velocities);
            let off = pairs.fold(0.0, |most, (a, b)| larger(most, (a - b).amax()));
            worst = larger(worst, off / smaller(EPSILON, fastest));
        }
        println!("{method}: {worst:.1e} of the smaller of ε and the fastest speed");
        assert!(worst < 1e-5, "{method}: {worst:.1e}");
    }
}
