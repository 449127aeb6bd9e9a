//! Soft boxes on a slope: creep in closed form, and a record that others do not disturb.

use super::*;

/// A box of 5 × 4 particles on a slope of 15° at μ = .8.
fn soft_box(law: &str, method: &str, step: f64, end: f64, more: &str) -> stiction_lab::run::Run {
    let (a, k) = (radians(ANGLE), 5e4);
    let (s, c) = (sin(a), cos(a));
    let text = format!(
        "format = 1
        world = {{ gravity = [{:e}, 0, {:e}], planar = \"xz\" }}
        time = {{ end = {end:e}, step = {step:e}, output = {:e} }}
        integrator = {{ method = \"{method}\" }}
        materials.wood = {{ static_friction = 0.8 }}
        [contact]
        normal = {{ stiffness = 2e4, damping = 60 }}
        friction = {law}
        [[body]]
        name = \"box\"
        mass = 1.0
        shape = {{ lattice = {{ counts = [5, 1, 4], spacing = 0.1 }} }}
        springs = {{ edge = {{ stiffness = {k:e}, damping = 20 }}, face_diagonal = {{ stiffness = {k:e}, damping = 20 }} }}
        [[collider]]
        name = \"slope\"
        shape = {{ plane = {{}} }}
        {more}
        ",
        -G * s, -G * c, end / 8.0
    );
    let path = std::path::Path::new(".");
    let loaded = stiction_scene::load_text("box.toml", &text, path, &Default::default())
        .unwrap_or_else(|errors| panic!("{errors:?}"));
    stiction_lab::run::Run::new(&loaded.scene, &Default::default())
        .unwrap_or_else(|e| panic!("{e}"))
}

/// A soft box at a fifth of the step its friction allows, and at ten times this step.
#[test]
fn a_soft_box_that_creeps_off_the_law_is_told() {
    creeps_off(&[("{ law = \"threshold\", epsilon = 1e-3 }", 1.0)]);
}

#[test]
#[ignore = "takes long: .ci/nightly"]
fn a_soft_box_that_creeps_off_any_law_is_told() {
    creeps_off(&[
        ("{ law = \"quadratic\", epsilon = 1e-3 }", 2.0),
        ("{ law = \"quintic\", epsilon = 1e-3 }", 1.875),
        ("{ law = \"viscous-cap\", damping = 2000 }", 1.0),
    ]);
}

/// Laws, each with its steepest slope; in steady state all contacts creep alike.
fn creeps_off(laws: &[(&str, f64)]) {
    let epsilon = 1e-3;
    let methods: Vec<&str> = INTEGRATORS.iter().map(|row| row.name).collect();
    let mut jobs = Vec::new();
    for &(law, slope) in laws {
        for method in &methods {
            jobs.extend([0.2, 10.0].map(|share| (law, slope, *method, share)));
        }
    }
    let lines: Vec<(String, bool, bool, bool)> = jobs
        .par_iter()
        .map(|(law, slope, method, share)| {
            // the lowest particles carry four each
            let rate = slope * 0.8 * 4.0 * G * cos(radians(ANGLE)) / epsilon;
            let own = 2.0 / rate;
            let step = own * share;
            let steps = (0.25 / step / 8.0).ceil() * 8.0;
            let mut run = soft_box(law, method, step, steps * step, "");
            let outcome = run.finish_with(&mut stiction_lab::run::Unobserved, &|| false).expect("no output");
            let creep = &outcome.creep.first();
            let (measured, law_says) =
                creep.map_or((f64::NAN, None), |creep| (creep.measured, creep.parts.map(|parts| parts.law)));
            // the closed form: all contacts slip alike, each bears its share
            let failed = outcome.status != stiction_lab::run::Status::Completed;
            let exact = exact_creep(law);
            let off = (measured / exact - 1.0).abs();
            let name = format!(
                "{law} {method} {share}: creep {measured:.4e}, law {law_says:?}, exact {exact:.4e}: {}",
                outcome.verdict.marks()
            );
            (name, failed || off.is_nan() || off > 0.05, off < 0.01, outcome.verdict.faultless())
        })
        .collect();
    lines.iter().for_each(|(line, ..)| println!("{line}"));
    let wrong = lines.iter().filter(|(_, wrong, ..)| *wrong).count();
    assert!(wrong > 4, "some must be wrong");
    for (line, wrong, right, trusted) in &lines {
        assert!(!(*wrong && *trusted), "not told: {line}");
        assert!(!*right || *trusted, "cried wolf: {line}");
    }
}

/// Contacts that come and go elsewhere do not make a body's record begin anew.
#[test]
fn a_box_is_told_alike_beside_balls_that_bounce() {
    let step = 10.0 * 2e-3 / (0.8 * 4.0 * G * cos(radians(ANGLE)));
    // a plate far away that shakes at twice gravity and throws its balls at every other moment
    let turning = 2.0 * std::f64::consts::PI / (14.0 * step);
    let mut balls = format!(
        "[[collider]]
        name = \"plate\"
        shape = {{ box = {{ min = [40, -1, 4], max = [60, 1, 5] }} }}
        motion = {{ oscillate = {{ direction = [0, 0, 1], amplitude = {:e}, frequency = {:e} }} }}
        ",
        2.0 * G / (turning * turning),
        turning / (2.0 * std::f64::consts::PI)
    );
    for k in 0..6 {
        balls += &format!(
            "[[body]]
            name = \"ball {k}\"
            mass = {:e}
            shape = {{ particle = {{}} }}
            position = [{}, 0, 5.00{k}]
            ",
            0.004 * f64::from(k + 1),
            45 + k
        );
    }
    for method in ["midpoint", "rk4"] {
        let law = "{ law = \"quadratic\", epsilon = 1e-3 }";
        let mut found = Vec::new();
        for more in ["", &balls] {
            let mut run = soft_box(law, method, step, 800.0 * step, more);
            let simulation = run.simulation_mut();
            let (mut keys, mut unchanged, mut longest) = (Vec::new(), 0, 0);
            for _ in 0..800 {
                simulation.advance().expect("a step");
                let now: Vec<_> = simulation.state.memory.contacts.iter().map(|c| c.key).collect();
                unchanged = if now == keys { unchanged + 1 } else { 0 };
                longest = longest.max(unchanged);
                keys = now;
            }
            let wrongs =
                simulation.watches.stick.wrongs(&simulation.model, &simulation.state, step);
            found.push(wrongs.off_law.expect("it creeps off its law"));
            // else the record of the box would be judged even if it always began anew
            assert!(more.is_empty() || longest < 32, "{longest} steps without a change");
        }
        println!("{method}: {found:?}");
        assert_eq!(found[0].subject, found[1].subject, "{method}");
        assert_eq!(found[0].windows, found[1].windows, "{method}: windows of box and particles");
    }
}

/// Creep of the soft box: laws in units of ε at ρ = tan(a)/μ, and the load over five dampers.
fn exact_creep(law: &str) -> f64 {
    let ratio = sin(radians(ANGLE)) / cos(radians(ANGLE)) / 0.8;
    let load = G * sin(radians(ANGLE));
    if law.contains("viscous-cap") {
        return load / (5.0 * 2000.0);
    }
    let share = |u: f64| match law {
        law if law.contains("threshold") => u,
        law if law.contains("quadratic") => u * (2.0 - u),
        _ => u * u * u * (10.0 + u * (6.0 * u - 15.0)),
    };
    1e-3 * stiction_core::math::bisect(0.0, 1.0, |u| share(u) < ratio)
}
