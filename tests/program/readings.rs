//! Swings, periods and extremes lie between the ends of steps.

use super::verify::{document, level, oscillator, with_scene};
use serde_json::Value;

const REDUCED: &str = "[[measure]]\nname = \"cycle\"\nkind = \"position\"\nbody = \"o\"\n\
    where = { particles = [1] }\ndirection = [1, 0, 0]\nreduce = \"period\"\n";

fn reasons(document: &Value) -> Vec<&str> {
    let reasons = document["trust"]["reasons"].as_array().expect("a list").iter();
    reasons.map(|reason| reason["name"].as_str().expect("a name")).collect()
}

/// A cycle of .628 s read every .62 s looks like one of 47 s. The method follows it within its steps.
#[test]
fn a_period_that_the_steps_do_not_show_is_not_trusted() {
    let scene = |step: f64| oscillator("dopri5", step, 400.0 * step) + REDUCED;
    let coarse = document(&scene(0.62), &["--verify"]);
    assert_eq!(level(&coarse), "not trusted");
    assert!(reasons(&coarse).contains(&"coarse-readings"), "{}", coarse["trust"]);
    let (_, out, err) = with_scene(&["run", "-"], &scene(0.62));
    assert!(out.contains("an oscillation of 0.6283 s") && out.contains("every 0.62 s"), "{out}");
    // whole turns within a step are no error of its phase
    assert!(!err.contains("phase-error"), "{err}");
    // ten ends of steps in a cycle show it, and so does the frame of a measure that is not reduced
    let fine = document(&scene(0.06), &["--verify"]);
    assert_eq!((level(&fine), reasons(&fine)), ("trusted", vec![]), "{}", fine["trust"]);
    let unreduced = document(&oscillator("dopri5", 0.62, 248.0), &[]);
    assert_eq!(reasons(&unreduced), Vec::<&str>::new());
}

/// A contact that is damped to nothing within a cycle of 22 ms is no oscillation.
#[test]
fn what_is_damped_at_once_needs_no_readings() {
    let scene = "format = 1\n[time]\nend = 0.5\nstep = 5e-3\noutput = 0.01\n[integrator]\nmethod = \"dopri5\"\n\
        [materials.wood]\nstatic_friction = 0.5\n[contact]\nnormal = { stiffness = 1e5, damping = 300 }\n\
        friction = { law = \"threshold\", epsilon = 1e-2 }\n[[body]]\nname = \"block\"\nmass = 1\n\
        shape = { particle = {} }\n[[collider]]\nname = \"table\"\nshape = { plane = {} }\n\
        [[measure]]\nname = \"z\"\nkind = \"position\"\nbody = \"block\"\ndirection = [0, 0, 1]\n\
        [expect]\nz = { value = 0, tolerance = 1e-6, at = \"max\" }\n";
    let document = document(scene, &[]);
    assert!(!reasons(&document).contains(&"coarse-readings"), "{}", document["trust"]);
    assert_eq!(document["expectations"][0]["met"], true);
}

/// Seven steps a cycle end no nearer to the least value .9 than at 1 − .1 cos(π/7), .9099.
#[test]
fn an_extreme_between_the_ends_of_steps_is_found_with_its_error() {
    for (steps, worst) in [(7, 3e-3), (13, 3e-4), (51, 1e-5)] {
        let cycle = std::f64::consts::TAU / 10.0;
        let scene = oscillator("dopri5", cycle / f64::from(steps), 10.0 * cycle);
        let scene = scene + "[expect]\nx = { value = 0.9, tolerance = 1e-3, at = \"min\" }\n";
        let document = document(&scene, &["--verify", "--set", "integrator.rtol=1e-9"]);
        let found = &document["expectations"][0];
        let [value, error] =
            ["measured", "error"].map(|key| found[key].as_f64().expect("a number"));
        assert!((value - 0.9).abs() <= worst, "{steps}: {value}");
        assert!((value - 0.9).abs() <= error, "{steps}: {value} ± {error}");
        assert!(error < 0.02, "{steps}: ± {error}");
    }
}
