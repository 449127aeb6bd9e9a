//! The steps with which a verified run is compared: larger ones first, smaller ones where these do not settle it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use stiction_core::math::exp;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::outcome::{Outcome, Split};
use stiction_lab::run::{Means, Unobserved};
use stiction_lab::session::Session;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

const TWICE: &str = "the run at twice the step";
const FOUR_TIMES: &str = "the run at four times the step";
const HALF: &str = "the run at half the step";
const QUARTER: &str = "the run at a quarter of the step";

fn scene(text: &str) -> Scene {
    let loaded = load_text("scene.toml", text, Path::new("."), &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene
}

fn verified_beside(text: &str, at_once: usize) -> Outcome {
    let settings = Settings { verify: Some(Means::STEP), ..Settings::default() };
    let limits = BuildOptions { threads: 3, ..BuildOptions::default() };
    let opened =
        Session::open_beside(&scene(text), settings, &limits, Arc::new(build), at_once.max(1));
    let mut session = opened.unwrap_or_else(|error| panic!("{error}"));
    session.finish(&mut Unobserved, &|| false).expect("nothing is written").outcome
}

fn verified(text: &str) -> Outcome {
    verified_beside(text, 1)
}

/// Names of the runs with which a run was compared.
fn compared(outcome: &Outcome) -> Vec<&str> {
    let verification = outcome.verification.as_ref().expect("it is verified");
    verification.runs.iter().map(|run| run.name.as_str()).collect()
}

/// A unit mass on a spring of ω = 10 rad/s about x = 1, let go at `at` \[m\], for 2 s; frames every `output` s.
fn oscillator(method: &str, step: f64, output: f64, at: f64) -> String {
    format!(
        "format = 1
        time = {{ end = 2, step = {step}, output = {output} }}
        integrator.method = \"{method}\"
        materials.m.static_friction = 0.5
        contact.normal = {{ stiffness = 1e4 }}
        [[body]]
        name = \"o\"
        shape.points = {{ positions = [[0, 0, 0], [{at}, 0, 0]], masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }}
        springs.edge = {{ stiffness = 100 }}
        [[pin]]
        body = \"o\"
        where.particles = [0]
        [[measure]]
        name = \"x\"
        kind = \"position\"
        body = \"o\"
        where.particles = [1]
        direction = [1, 0, 0]
        [world]
        gravity = [0, 0, 0]
        "
    )
}

/// A ball at 2 m/s that a damped contact turns back at e = .9; h ω = .02 at the step 2e-4 s.
fn bounce(step: f64) -> String {
    format!(
        "format = 1
        time = {{ end = 0.2, step = {step}, output = 0.004 }}
        integrator.method = \"rk4\"
        materials.m.static_friction = 0.5
        [contact]
        normal = {{ stiffness = 1e4, damping = 6.853 }}
        friction.law = \"none\"
        [world]
        gravity = [0, 0, 0]
        [[body]]
        name = \"ball\"
        mass = 1
        shape.particle = {{}}
        position = [0, 0, 0.1037]
        velocity = [0, 0, -2]
        [[collider]]
        name = \"floor\"
        shape.plane = {{}}
        [[measure]]
        name = \"v\"
        kind = \"velocity\"
        body = \"ball\"
        direction = [0, 0, 1]
        "
    )
}

/// A block that a threshold law lets creep on a slope of 15°, at its resting depth.
fn creep(step: f64) -> String {
    format!(
        "format = 1
        time = {{ end = 0.4, step = {step}, output = 0.01 }}
        integrator.method = \"rk4\"
        materials.m.static_friction = 0.5
        [contact]
        normal = {{ stiffness = 1e5, damping = 200 }}
        friction = {{ law = \"threshold\", epsilon = 1e-2 }}
        [[body]]
        name = \"block\"
        mass = 1
        shape.particle = {{}}
        position = [0, 0, -9.5e-5]
        [[collider]]
        name = \"floor\"
        shape.plane.normal = [-0.258819, 0, 0.965926]
        "
    )
}

#[test]
fn a_run_that_twice_the_step_settles_needs_no_smaller_one() {
    for scene in [oscillator("rk4", 0.005, 0.01, 1.1), creep(1e-4)] {
        let outcome = verified(&scene);
        assert!(outcome.verdict.trusted(), "{:?}", outcome.verdict);
        assert_eq!(compared(&outcome), [TWICE]);
    }
}

/// The trapezoidal rule is 2 % of a turn off each time at h ω = .5.
#[test]
fn what_larger_steps_do_not_settle_is_compared_with_smaller_ones() {
    let outcome = verified(&oscillator("trapezoid", 0.05, 0.1, 1.1));
    assert!(!outcome.verdict.trusted());
    assert_eq!(compared(&outcome), [HALF, QUARTER]);
    // frames that twice the step would miss
    let odd = verified(&oscillator("rk4", 0.005, 0.005, 1.1));
    assert_eq!(compared(&odd), [HALF]);
}

/// At rest nothing shows that a step is unstable: h ω = 1.2 is below the limit of 2, twice that is not.
#[test]
fn a_larger_step_above_the_limit_of_stability_proves_nothing() {
    for (step, runs) in [(0.05, [TWICE]), (0.12, [HALF])] {
        let rests =
            oscillator("symplectic-euler", step, 4.0 * step, 1.0).replace("end = 2", "end = 2.4");
        assert_eq!(compared(&verified(&rests)), runs, "{step}");
    }
}

/// λ = μ N/(m ε) is 474/s; rk4 holds up to h λ = 2.785, and rings long before.
#[test]
fn a_larger_step_at_fault_proves_nothing() {
    for (step, runs) in [(1.25e-3, [TWICE]), (2.5e-3, [HALF])] {
        let outcome = verified(&creep(step));
        assert_eq!(compared(&outcome), runs, "{step}");
        assert!(outcome.verdict.trusted(), "{:?}", outcome.verdict);
    }
}

/// By chance one of two steps of a bounce may be as far off as the run itself.
#[test]
fn a_bounce_is_compared_with_twice_and_four_times_the_step() {
    let outcome = verified(&bounce(2e-5));
    assert_eq!(compared(&outcome), [TWICE, FOUR_TIMES]);
    let measure = &outcome.verification.as_ref().expect("verified").measures[0];
    assert!(outcome.verdict.trusted() && measure.bar.share > 0.0, "{:?}", outcome.verdict);
    assert!((measure.ends[0][0] - 1.8).abs() < measure.error_at_end(0), "{measure:?}");
    // a method that chooses its steps begins the contact inside one, too
    assert_eq!(compared(&verified(&bounce(2e-5).replace("rk4", "dopri5"))), [TWICE, FOUR_TIMES]);
    // twice the step alone says too little
    let odd = verified(&bounce(2e-5).replace("output = 0.004", "output = 4e-5"));
    assert_eq!(compared(&odd)[0], HALF);
}

#[test]
fn a_load_that_switches_inside_a_step_is_compared_with_smaller_ones() {
    let push = |from: f64| {
        let push = format!("[[push]]\nbody = \"o\"\nforce = [1e-9, 0, 0]\nfrom = {from}\n");
        verified(&(oscillator("rk4", 0.005, 0.01, 1.1) + &push))
    };
    assert_eq!(compared(&push(0.1)), [TWICE]);
    assert_eq!(compared(&push(0.1037)), [HALF]);
    // between two steps of the run, inside one of the larger
    assert_eq!(compared(&push(0.105)), [HALF]);
}

/// The bar of the larger step reaches across the tolerance, that of the smaller one does not.
#[test]
fn an_expectation_in_doubt_is_asked_of_a_smaller_step() {
    let plain = oscillator("rk4", 0.01, 0.02, 1.1);
    let outcome = verified(&plain);
    assert_eq!(compared(&outcome), [TWICE]);
    let measure = &outcome.verification.as_ref().expect("verified").measures[0];
    let (value, error) = (measure.ends[0][0], measure.error_at_end(0));
    let expecting = |tolerance: f64| {
        let expect = format!(
            "[expect]\nx = {{ at = \"end\", value = {value:e}, tolerance = {tolerance:e} }}\n"
        );
        verified(&(plain.clone() + &expect))
    };
    assert_eq!(compared(&expecting(2.0 * error)), [TWICE]);
    let doubtful = expecting(0.5 * error);
    assert_eq!(compared(&doubtful), [HALF]);
    assert!(!doubtful.checked[0].in_doubt(), "{:?}", doubtful.checked[0]);
}

/// With ε = 1 m/s the block approaches its speed g sin 15°/λ at a rate λ = μ g cos 15°/ε, for all of the run, and
/// under symplectic Euler its drift is off by order h. What is left of that at h, the run at 2h shows.
#[test]
fn the_integrator_s_part_of_a_drift_that_twice_the_step_confirms_is_what_is_left_at_h() {
    let outcome = verified(
        &creep(1e-4).replace("epsilon = 1e-2", "epsilon = 1").replace("rk4", "symplectic-euler"),
    );
    assert_eq!(compared(&outcome), [TWICE]);
    let creep = &outcome.creep[0];
    let Split::Refinement(drifts) = &creep.split else { panic!("{creep:?}") };
    assert_eq!(drifts.iter().map(|at| at.step).collect::<Vec<_>>(), [1e-4, 2e-4]);
    let parts = creep.parts.expect("known");
    let left = drifts[1].drift - drifts[0].drift;
    assert!((parts.integrator - left).abs() < 1e-12, "{parts:?} {left}");
    assert!((parts.law + parts.integrator - creep.measured).abs() < 1e-12, "{creep:?}");
    // the mean of v(1 − exp(−λ t)) over the last .1 s
    let (sine, cosine, g): (f64, f64, f64) = (0.258819, 0.965926, 9.81);
    let rate = 0.5 * g * cosine;
    let passed = (exp(-0.3 * rate) - exp(-0.4 * rate)) / (0.1 * rate);
    let exact = g * sine / rate * (1.0 - passed);
    let off = [creep.measured, parts.law].map(|drift| (drift / exact - 1.0).abs());
    assert!(off[0] > 1e-4 && off[1] < 5e-6, "{off:?}");
}

/// Settled by one larger step, by two, by smaller ones, and at fault itself.
#[test]
fn outcomes_do_not_depend_on_the_runs_that_go_side_by_side() {
    let turns = oscillator("trapezoid", 0.05, 0.1, 1.1);
    let chatters = creep(1e-3).replace("epsilon = 1e-2", "epsilon = 1e-3");
    let scenes = [creep(1e-4), bounce(2e-5), turns, chatters];
    for scene in &scenes {
        let one = verified_beside(scene, 1);
        assert_eq!(verified_beside(scene, 2), one);
    }
}

/// Frames of 120 steps are whole at every ratio; rk4 rings at all larger steps, at some or at none, and a ball that
/// turns back is compared at two of them.
#[test]
fn of_many_larger_steps_those_compared_do_not_depend_on_the_runs_that_go_side_by_side() {
    let creeps = [2e-3, 2.25e-3, 2.5e-3, 2.75e-3, 3e-3, 3.25e-3, 3.5e-3, 4e-3].map(|step| {
        let times = |steps: f64| {
            format!("end = {}, step = {step}, output = {}", steps * step, 120.0 * step)
        };
        creep(step).replace(&format!("end = 0.4, step = {step}, output = 0.01"), &times(1200.0))
    });
    let bounces = [(2e-5, 12_000.0), (1e-3, 480.0)].map(|(step, steps)| {
        let (output, end) = (120.0 * step, steps * step);
        let scene = bounce(step).replace("end = 0.2", &format!("end = {end}"));
        scene.replace("output = 0.004", &format!("output = {output}"))
    });
    let mut paths = BTreeSet::new();
    for scene in creeps.iter().chain(&bounces) {
        let one = verified_beside(scene, 1);
        for at_once in [2, 3] {
            assert_eq!(verified_beside(scene, at_once), one, "{scene}");
        }
        paths.insert(compared(&one).join(", "));
    }
    // twice the step alone, two between, two larger ones, smaller ones
    let among = [
        &[TWICE][..],
        &["the run at 5/4 of the step", "the run at 8/5 of the step"],
        &[TWICE, FOUR_TIMES],
    ];
    for path in among {
        assert!(paths.contains(&path.join(", ")), "{path:?} is not in {paths:?}");
    }
    assert!(paths.iter().any(|path| path.contains(HALF)), "{paths:?}");
}

/// λ = 474/s: rk4 holds at 1.6 h, where h λ is 2.3, and not at 2 h. Frames of 400 steps are whole at both.
#[test]
fn where_twice_the_step_is_at_fault_others_between_are_compared() {
    let scene =
        creep(3e-3).replace("end = 0.4", "end = 4.8").replace("output = 0.01", "output = 1.2");
    for at_once in [1, 2] {
        let outcome = verified_beside(&scene, at_once);
        assert_eq!(
            compared(&outcome),
            ["the run at 5/4 of the step", "the run at 8/5 of the step"]
        );
        assert!(outcome.verdict.trusted(), "{:?}", outcome.verdict);
    }
}

/// Frames of 15 steps are whole at 5/4 h, 5/2 h and 3 h.
#[test]
fn where_twice_the_step_misses_frames_the_next_ratio_is_compared() {
    let outcome = verified(&oscillator("rk4", 0.005, 0.075, 1.1).replace("end = 2", "end = 2.25"));
    assert_eq!(compared(&outcome), ["the run at 5/2 of the step"]);
    assert!(outcome.verdict.trusted(), "{:?}", outcome.verdict);
}
