//! A stop, a reversal, a push or a pulse within one step. Runs at other steps may share the loss of a step.

use super::verify::{bar, document, level, with_scene};
use serde_json::Value;
use stiction_core::math::{cos, log, sin};

/// A block of 1 kg on a plane under μ = .4, with further keys of the body, and further tables.
fn block(time: &str, friction: &str, (body, more): (&str, &str)) -> String {
    format!(
        "format = 1\nworld = {{ gravity = [0, 0, -9.81], planar = \"xz\" }}\ntime = {{ {time} }}\n\
         materials.m.static_friction = 0.4\n\
         contact = {{ normal = {{ stiffness = 1e5, damping = 200 }}, friction = {{ {friction} }} }}\n\
         [[body]]\nname = \"block\"\nmass = 1\nshape.particle = {{}}\nposition = [0, 0, -9.81e-5]\n{body}\n\
         [[collider]]\nname = \"floor\"\nshape.plane = {{}}\n\
         [[measure]]\nname = \"x\"\nkind = \"position\"\nbody = \"block\"\ndirection = [1, 0, 0]\n{more}"
    )
}

const SMOOTH: &str = "law = \"threshold\", epsilon = 1e-3";

fn has(document: &Value, reason: &str) -> bool {
    let reasons = document["trust"]["reasons"].as_array().expect("reasons");
    reasons.iter().any(|given| given["name"] == reason)
}

/// `run.json` of an accuracy that is delivered; what was asked of the scale lies about the truth.
#[track_caller]
fn delivered(scene: &str, share: f64, truth: f64) -> Value {
    let found = document(scene, &["--accuracy", &format!("{share:e}")]);
    assert_eq!(found["accuracy"]["delivered"], true, "{}", found["accuracy"]);
    let (value, _) = bar(&found, "x");
    let scale = found["verification"]["measures"]["x"]["scale"].as_f64().expect("a scale");
    assert!((value - truth).abs() <= share * scale, "{value}, not {truth}");
    found
}

/// It stops after half a second of a run of 1000 s.
#[test]
fn a_stop_within_the_first_step_is_not_trusted() {
    let scene = block("end = 1000, output = 50", SMOOTH, ("velocity = [2, 0, 0]", ""));
    for method in ["implicit-euler", "sdirk2", "bdf2"] {
        let found = document(&scene, &["--integrator", method, "--step", "10"]);
        assert!(has(&found, "stop-unresolved"), "{method}: {}", found["trust"]);
        let verified = document(&scene, &["--integrator", method, "--step", "10", "--verify"]);
        assert_eq!(level(&verified), "not trusted", "{method}: {}", verified["trust"]);
    }
    // (v0² + ε²)/(2 μ g)
    delivered(&scene, 1e-2, (4.0 + 1e-6) / (2.0 * 0.4 * 9.81));
}

/// A block at rest under a steady load of up to .998 μ_s N, with μ_k = μ_s/2, creeps at ε r: in a step of 30/λ and
/// more it runs away, and half and a quarter of the step agree on that.
#[test]
fn a_load_near_the_cone_is_held() {
    let friction = "materials.m = { static_friction = 0.6, kinetic_friction = 0.3 }";
    for share in [0.9, 0.95, 0.998] {
        let push = format!("[[push]]\nbody = \"block\"\nforce = [{}, 0, 0]", share * 0.6 * 9.81);
        let scene = block("end = 0.4, output = 0.02", SMOOTH, ("", &push))
            .replace("materials.m.static_friction = 0.4", friction);
        let found = document(&scene, &["--integrator", "sdirk2", "--step", "5e-3"]);
        assert!(has(&found, "stick-lost"), "{share}: {}", found["trust"]);
        // x' = ε r (1 − e^(−λ t))
        let rate = 0.6 * 9.81 / 1e-3;
        delivered(&scene, 1e-2, 1e-3 * share * (0.4 - 1.0 / rate));
    }
}

/// A load that grows by 10 mN/s passes μ_s N at .5 s; from then on the block slides under μ_k, as soon as its slip can
/// be told from rounding.
#[test]
fn what_breaks_loose_slowly_does_so_at_once() {
    let pushes = "[[push]]\nbody = \"block\"\nforce = [4.9, 0, 0]\n[[push]]\nbody = \"block\"\nforce = [0.01, 0, 0]\nfactor = { at = [[0, 0], [1, 1]], between = \"linear\" }";
    let scene = block("end = 0.6, output = 0.02", SMOOTH, ("", pushes))
        .replace(
            "materials.m.static_friction = 0.4",
            "materials.m = { static_friction = 0.5, kinetic_friction = 0.4 }",
        )
        .replace("position = [0, 0, -9.81e-5]", "");
    let contact = scene.find("contact = ").expect("a contact");
    let end = contact + scene[contact..].find('\n').expect("a line");
    let scene = format!("{}contact.method = \"exact\"{}", &scene[..contact], &scene[end..]);
    let s = 0.1;
    let truth = 0.5 * 0.1 * 9.81 * s * s + 0.01 * s * s * s / 6.0;
    delivered(&scene, 1e-3, truth);
}

/// A rigid box that closes a gap of 0.1 µm under a load between μ_k N and μ_s N, at rest along the slope: its contacts
/// are solved to within the rounding of gaps in that step, which is no slip.
#[test]
fn a_box_that_lands_at_rest_holds() {
    for (gap, step) in [(1e-9, 5e-4), (1e-7, 1e-3), (1e-8, 1e-3), (1e-7, 5e-4)] {
        let scene = format!(
            "format = 1\nworld.gravity = [4.66, 0, -8.63]\ntime = {{ end = 0.3, step = {step:e}, output = 0.1 }}\n\
             integrator.method = \"symplectic-euler\"\ncontact.method = \"exact\"\n\
             materials.m = {{ static_friction = 0.67, kinetic_friction = 0.21 }}\n\
             [[body]]\nname = \"box\"\nmass = 20\nrigid = true\nposition = [0, 0, {gap:e}]\n\
             shape.lattice = {{ counts = [3, 3, 3], spacing = 0.1 }}\n\
             [[collider]]\nname = \"floor\"\nshape.plane = {{}}\n\
             [[measure]]\nname = \"x\"\nkind = \"displacement\"\nbody = \"box\"\ndirection = [1, 0, 0]\n\
             [expect]\nx = {{ at = \"end\", value = 0, tolerance = 1e-6 }}\n"
        );
        let found = document(&scene, &[]);
        assert_eq!(
            found["expectations"][0]["met"], true,
            "{gap:e}, {step:e}: {}",
            found["expectations"]
        );
    }
}

/// The block settles into the stretch of its friction, and comes to rest in the first step.
#[test]
fn a_block_that_settles_has_lost_no_path() {
    let friction = "law = \"cundall-strack\", stiffness = 1e6, damping = 2000";
    let scene = block("end = 10, step = 0.1, output = 1", friction, ("", ""))
        .replace("[0, 0, -9.81]", "[2, 0, -9.81]");
    // tr-bdf2 throws it over the cone, 1e-5 m far, where the stretch is 2e-6 m
    for method in ["implicit-euler", "sdirk2", "bdf2", "semi-implicit"] {
        let found = document(&scene, &["--integrator", method]);
        assert!(!has(&found, "stop-unresolved"), "{method}: {}", found["trust"]);
    }
}

/// A push of a third of a second begins and ends within any large step, and all of them are the same there.
#[test]
fn a_push_within_one_step_is_followed_by_the_answer() {
    let push =
        "[[push]]\nbody = \"block\"\nforce = [13.7, 0, 0]\nfrom = 500.2345\nuntil = 500.5678\n";
    let scene = block("end = 1000, output = 50", SMOOTH, ("", push));
    // a T²/2 (1 + a/(μ g)), but for the creep before and behind
    let (a, friction) = (13.7 - 0.4 * 9.81, 0.4 * 9.81);
    let truth = 0.5 * a * 0.3333 * 0.3333 * (1.0 + a / friction);
    for (from, until) in [(500.2345, 500.5678), (512.1667, 512.5)] {
        let scene =
            scene.replace("500.2345", &from.to_string()).replace("500.5678", &until.to_string());
        let found = delivered(&scene, 1e-2, truth);
        let step = found["integrator"]["step"].as_f64().expect("a step");
        assert!(step < 0.3333, "{step}");
        // half of such a step has it in two parts
        let verified = document(&scene, &["--integrator", "sdirk2", "--step", "10", "--verify"]);
        assert_ne!(level(&verified), "trusted", "{}", verified["trust"]);
    }
}

/// A blow of 2 ms: the block stops within the step after it.
#[test]
fn a_block_that_is_struck_and_stops_in_the_next_step_is_not_trusted() {
    let scene = "format = 1
world = { gravity = [0, 0, -9.81], planar = \"xz\" }
time = { end = 100, step = 0.2, output = 10 }
integrator.method = \"sdirk2\"
materials.m.static_friction = 0.5
contact = { normal = { stiffness = 1e5, damping = 200 }, friction = { law = \"threshold\", epsilon = 1e-4 } }
[[body]]
name = \"block\"
mass = 1
shape.particle = {}
position = [0, 0, -9.81e-5]
[[collider]]
name = \"floor\"
shape.plane = {}
[[push]]
body = \"block\"
force = [200, 0, 0]
from = 1
until = 1.002
[[measure]]
name = \"x\"
kind = \"position\"
body = \"block\"
direction = [1, 0, 0]
";
    let found = document(scene, &[]);
    assert!(has(&found, "stop-unresolved"), "{}", found["trust"]);
}

#[test]
fn a_pulse_between_two_states_is_a_reason() {
    let push = "[[push]]\nbody = \"block\"\nforce = [400, 0, 0]\nfactor.formula = \"exp(-((t - 3.33337)/0.01)^2)\"\n";
    let scene = block("end = 10, step = 0.1, output = 1", SMOOTH, ("", push));
    for method in ["sdirk2", "implicit-euler"] {
        let found = document(&scene, &["--integrator", method]);
        assert!(has(&found, "load-unresolved"), "{method}: {}", found["trust"]);
        let verified = document(&scene, &["--integrator", method, "--verify"]);
        assert_eq!(level(&verified), "not trusted", "{method}: {}", verified["trust"]);
        let fine = document(&scene, &["--integrator", method, "--step", "1e-3"]);
        assert!(!has(&fine, "load-unresolved"), "{method}: {}", fine["trust"]);
    }
}

/// Up a plane of 30° from 3 m/s, and down again, under μ = .2 and an ε that every step jumps over, from sixteen speeds
/// within a step of each other: of the bars of those that are trusted one in sixteen may be too small, none by half.
#[test]
fn a_reversal_within_a_step_is_within_the_bar() {
    let angle = std::f64::consts::PI / 6.0;
    let (along, load) = (9.81 * sin(angle), 9.81 * cos(angle));
    let slope = block(
        "end = 2, output = 0.1",
        "law = \"threshold\", epsilon = 1e-6",
        (
            "velocity = [START, 0, 0]",
            "[[measure]]\nname = \"v\"\nkind = \"velocity\"\nbody = \"block\"\ndirection = [1, 0, 0]\n",
        ),
    )
    .replace("static_friction = 0.4", "static_friction = 0.2")
    .replace("[0, 0, -9.81]", &format!("[{:e}, 0, {:e}]", -along, -load));
    let (up, down) = (along + 0.2 * load, along - 0.2 * load);
    for (method, step) in [
        ("implicit-euler", "0.005"),
        ("sdirk2", "0.02"),
        ("implicit-midpoint", "0.02"),
        ("implicit-midpoint", "0.05"),
        ("bdf2", "0.02"),
        ("rk4", "0.01"),
    ] {
        let (mut trusted, mut beyond) = (0, 0);
        for phase in 0..16 {
            let change = up * step.parse::<f64>().expect("a step") * f64::from(phase) / 16.0;
            let start = 3.0 + change;
            let scene = slope.replace("START", &format!("{start:e}"));
            let found = document(&scene, &["--integrator", method, "--step", step, "--verify"]);
            let fallen = 2.0 - start / up;
            let truth = [0.5 * start * start / up - 0.5 * down * fallen * fallen, -down * fallen];
            for (measure, truth) in ["x", "v"].into_iter().zip(truth) {
                if level(&found) == "trusted" {
                    trusted += 1;
                    let (value, error) = bar(&found, measure);
                    let excess = (value - truth).abs() / error;
                    assert!(excess < 1.5, "{method} {start}: {value} ± {error}, truth {truth}");
                    beyond += u32::from(excess > 1.0);
                }
            }
        }
        assert!(16 * beyond <= trusted, "{method} at {step}: {beyond} of {trusted}");
    }
}

/// A block that begins a little above ε and stops: friction falls on its ramp within the first step, however large, and
/// an L-stable method goes v₀ ε/(μ_s g) there, at every such step.
#[test]
fn a_stop_from_a_little_above_the_threshold_is_within_the_bar() {
    let (eps, kinetic, statics) = (1e-2, 0.2, 0.4);
    for start in [1.05, 1.2, 1.5, 3.0] {
        let speed = start * eps;
        let scene = block(
            "end = 1, output = 0.01",
            "law = \"threshold\", epsilon = 1e-2",
            (&format!("velocity = [{speed:e}, 0, 0]"), ""),
        )
        .replace(
            "static_friction = 0.4",
            "static_friction = 0.4\nmaterials.m.kinetic_friction = 0.2",
        );
        // on the ramp it goes ε²/(μ_s g)
        let sliding = (speed * speed - eps * eps) / (2.0 * kinetic * 9.81);
        let truth = sliding + eps * eps / (statics * 9.81);
        delivered(&scene, 1e-3, truth);
        for method in ["sdirk2", "implicit-euler", "bdf2"] {
            let found = document(&scene, &["--integrator", method, "--step", "0.005", "--verify"]);
            if level(&found) == "trusted" {
                let (value, error) = bar(&found, "x");
                assert!((value - truth).abs() <= error, "{method} {start}: {value} ± {error}");
            }
        }
    }
}

/// A block that breaks loose jumps over the ramp in its first step: it gains ε at most there, whatever the step.
#[test]
fn a_start_over_the_ramp_is_off_by_the_threshold_in_speed() {
    let scene = block("end = 2, output = 0.1", "law = \"threshold\", epsilon = 1e-3", ("", ""))
        .replace("[0, 0, -9.81]", "[4.4, 0, -9.81]");
    let found = document(&scene, &["--integrator", "sdirk2", "--step", "0.05", "--verify"]);
    let (value, error) = bar(&found, "x");
    // v = a t + ε − a (ε/f) ln(g/(g − f)) behind the ramp, f = μ g
    let (load, friction) = (4.4, 0.4 * 9.81);
    let a = load - friction;
    let gained = 1e-3 * (1.0 - a / friction * log(load / a));
    let truth = 0.5 * a * 4.0 + gained * 2.0;
    assert_eq!(level(&found), "trusted", "{}", found["trust"]);
    assert!((value - truth).abs() <= error, "{value} ± {error}, not {truth}");
    assert!(error < 3e-3, "{error}");
}

/// A belt whose speed jumps at points turns the slip between two parts of a step, and no bar is wider for it.
#[test]
fn a_belt_that_reverses_a_slip_does_it_at_once() {
    let points = [[0.0, 0.0], [0.3217, 0.4], [0.6431, 0.1], [1.0177, 0.1], [1.2, 0.6]];
    let motion = format!(
        "[[motion]]\nof = \"floor\"\ndirection = [1, 0, 0]\nsurface = true\nbetween = \"linear\"\nat = {points:?}\n"
    );
    let law = "law = \"threshold\", epsilon = 1e-6";
    let scene = block("end = 2, output = 0.1", law, ("", &motion));
    // between two points it gains μ g until it has the speed of the belt
    let (mut x, mut v) = (0.0, 0.0);
    let lasts = points.iter().chain([&[2.0, 0.6]]);
    for (from, until) in points.iter().zip(lasts.skip(1)) {
        let (time, gain) = (until[0] - from[0], 0.4 * 9.81);
        let belt: f64 = (until[1] - from[1]) / time;
        let change = belt - v;
        let slides = (change.abs() / gain).min(time);
        x += v * slides + 0.5 * change.signum() * gain * slides * slides;
        v += change.signum() * gain * slides;
        x += v * (time - slides);
    }
    delivered(&scene, 1e-3, x);
    // at .005 s points are within steps
    for (method, step, share) in
        [("rk45", "1e-4", 1e-3), ("symplectic-euler", "1e-4", 1e-2), ("rk4", "0.005", 0.03)]
    {
        let found = document(&scene, &["--integrator", method, "--step", step, "--verify"]);
        let (value, error) = bar(&found, "x");
        assert!(error < share * 0.5 && (value - x).abs() <= error, "{method}: {value} ± {error}");
    }
}

/// A point at rest on its contact, without damping, that is thrown off at once sets nothing going there.
#[test]
fn what_leaves_its_contact_is_no_oscillation() {
    let scene = block(
        "end = 0.4, step = 0.025, output = 0.05",
        "law = \"none\"",
        ("velocity = [2, 0, 2]", ""),
    )
    .replace("damping = 200", "damping = 0")
    .replace("-9.81e-5", "0");
    let found = document(&scene, &["--integrator", "sdirk2"]);
    assert!(!has(&found, "oscillation-lost"), "{}", found["trust"]);
}

/// Frames at every step leave no larger one: half of it alone may agree by chance.
#[test]
fn a_run_that_jumped_over_the_ramp_is_compared_with_a_quarter_of_its_step() {
    let scene = block(
        "end = 2, step = 0.01, output = 0.01",
        "law = \"threshold\", epsilon = 1e-6",
        ("velocity = [-0.5, 0, 0]", ""),
    )
    .replace("[0, 0, -9.81]", "[5, 0, -9.81]");
    let found = document(&scene, &["--integrator", "implicit-midpoint", "--verify"]);
    let runs = found["verification"]["runs"].as_array().expect("runs");
    let names: Vec<&str> = runs.iter().map(|run| run["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["the run at half the step", "the run at a quarter of the step"]);
}

#[test]
fn a_limit_of_time_alone_is_that_of_the_scene_without_a_step() {
    let scene = block("end = 1, output = 0.1", SMOOTH, ("velocity = [2, 0, 0]", ""));
    let (exit, out, _) = with_scene(&["run", "-", "--max-time", "0"], &scene);
    assert!(exit == 9 && out.contains("NOT delivered"), "{exit} {out}");
    let stepped = scene.replace("output = 0.1", "step = 1e-3, output = 0.1");
    let (exit, _, err) = with_scene(&["run", "-", "--max-time", "9"], &stepped);
    assert!(exit == 2 && err.contains("--max-time is the limit of a search"), "{exit} {err}");
    let (exit, _, err) = with_scene(&["run", "-", "--verify"], &scene);
    assert!(exit == 0 && err.contains("1000 steps of 0.001 s by rk45"), "{exit} {err}");
    // the limit of the scene is that of an accuracy that is asked
    let limited = scene + "[accuracy]\nmax_time = 1e-9\n";
    let (exit, out, _) = with_scene(&["run", "-", "--accuracy", "1e-6"], &limited);
    assert!(exit == 9 && out.contains("NOT delivered"), "{exit} {out}");
}

/// A mass on a spring for a thousand cycles, and one that vibrates on its contact, both without damping: an L-stable
/// method ends them at any large step.
#[test]
fn an_oscillation_that_the_method_ends_is_no_rest() {
    let spring = super::verify::oscillator("sdirk2", 0.5, 600.0);
    let contact = block(
        "end = 30, step = 0.025, output = 0.5",
        "law = \"none\"",
        (
            "",
            "[[measure]]\nname = \"N\"\nkind = \"contact-force\"\nbody = \"block\"\ndirection = [0, 0, 1]\n",
        ),
    )
    .replace("damping = 200", "damping = 0");
    let pressed = contact.replace("-9.81e-5", "-1e-5");
    let touching = contact.replace("-9.81e-5", "0");
    assert!(pressed != contact && touching != contact);
    for (scene, step) in [(spring, "0.5"), (pressed, "0.025"), (touching, "0.025")] {
        for method in ["sdirk2", "implicit-euler", "tr-bdf2", "bdf2"] {
            let found = document(&scene, &["--integrator", method, "--step", step, "--verify"]);
            assert!(has(&found, "oscillation-lost"), "{method}: {}", found["trust"]);
            assert_eq!(level(&found), "not trusted", "{method}: {}", found["trust"]);
        }
        let kept = document(&scene, &["--integrator", "implicit-midpoint", "--step", step]);
        assert!(!has(&kept, "oscillation-lost"), "{}", kept["trust"]);
    }
    // x = 1 + .1 cos ω t
    let free = super::verify::oscillator("sdirk2", 0.5, 600.0);
    let free = free.replace("[integrator]\nmethod = \"sdirk2\"\n", "").replace("step = 0.5\n", "");
    delivered(&free, 1e-2, 1.0 + 0.1 * cos(10.0 * 600.0));
}
