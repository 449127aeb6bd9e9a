//! `--verify`: error bars that hold the truth, the three levels, and where runs part.

#[cfg(unix)]
use crate::support::wait::until_longer;
use assert_cmd::Command;
use serde_json::Value;
use std::f64::consts::TAU;
use stiction_core::math::{cos, sin};

fn stiction() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1");
    command
}

/// Runs a command with a scene on its standard input: exit code, standard output, standard error.
pub(super) fn with_scene(arguments: &[&str], scene: &str) -> (i32, String, String) {
    let output = stiction().args(arguments).write_stdin(scene).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// `run.json` of a scene.
pub(super) fn document(scene: &str, more: &[&str]) -> Value {
    let arguments = [&["run", "-", "--format", "json"], more].concat();
    let (_, out, err) = with_scene(&arguments, scene);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}\n{scene}"))
}

pub(super) fn level(document: &Value) -> &str {
    document["trust"]["level"].as_str().expect("a level")
}

/// Value and error bar of a measure at the end.
pub(super) fn bar(document: &Value, measure: &str) -> (f64, f64) {
    let about = &document["verification"]["measures"][measure];
    (about["value"].as_f64().expect("a value"), about["error"].as_f64().expect("an error"))
}

/// A unit mass on a spring of ω = 10 rad/s about x = 1, let go at 1.1.
pub(super) fn oscillator(method: &str, step: f64, end: f64) -> String {
    format!(
        "format = 1\n[world]\ngravity = [0, 0, 0]\n[time]\nend = {end}\nstep = {step}\noutput = {}\n\
         [integrator]\nmethod = \"{method}\"\n[materials.m]\nstatic_friction = 0.5\n\
         [contact]\nnormal = {{ stiffness = 1e4 }}\n\
         [[body]]\nname = \"o\"\nshape = {{ points = {{ positions = [[0, 0, 0], [1.1, 0, 0]], \
         masses = [1, 1], links = [[0, 1]], rest_lengths = [1] }} }}\n\
         springs = {{ edge = {{ stiffness = 100 }} }}\n\
         [[pin]]\nbody = \"o\"\nwhere = {{ particles = [0] }}\n\
         [[measure]]\nname = \"x\"\nkind = \"position\"\nbody = \"o\"\nwhere = {{ particles = [1] }}\n\
         direction = [1, 0, 0]\n",
        step * (end / step / 200.0).ceil()
    )
}

#[test]
fn a_phase_that_drifts_is_told_by_the_error_bar_alone() {
    // h ω = .5 under the trapezoidal rule: the phase is off by 2 % of a turn each, the energy stays
    let coarse = oscillator("trapezoid", 0.05, 20.0);
    let plain = document(&coarse, &[]);
    assert_eq!(level(&plain), "no fault found");
    assert_eq!(plain["trust"]["trusted"], false);
    let verified = document(&coarse, &["--verify"]);
    assert_eq!(level(&verified), "not trusted", "{}", verified["trust"]);
    let fine = document(&oscillator("rk4", 0.005, 20.0), &["--verify"]);
    assert_eq!(level(&fine), "trusted");
    assert!(fine["trust"]["error"].as_f64().unwrap() < 1e-3, "{}", fine["trust"]);
    let truth = 1.0 + 0.1 * cos(10.0 * 20.0);
    for (document, off) in [(&verified, 0.05), (&fine, 0.0)] {
        let (value, error) = bar(document, "x");
        assert!((value - truth).abs() >= off * 0.1, "{value} is not wrong: {truth}");
        assert!((value - truth).abs() <= error, "{value} ± {error}, truth {truth}");
    }
}

#[test]
fn what_is_constant_or_zero_is_no_error() {
    // scales: the energy of an oscillator, and a velocity across its motion, which is zero
    let measures = "[[measure]]\nname = \"energy\"\nkind = \"energy\"\n\
        [[measure]]\nname = \"across\"\nkind = \"velocity\"\nbody = \"o\"\ndirection = [0, 1, 0]\n";
    let fine = oscillator("rk4", 0.005, 5.0) + measures;
    let verified = document(&fine, &["--verify"]);
    assert_eq!(level(&verified), "trusted", "{}", verified["trust"]);
    let coarse = oscillator("explicit-euler", 0.01, 5.0) + measures;
    let verified = document(&coarse, &["--verify"]);
    assert_eq!(level(&verified), "not trusted");
    let share = |measure: &str| verified["verification"]["measures"][measure]["share"].as_f64();
    assert!(share("energy") > Some(0.3) && share("across") == Some(0.0), "{verified}");
}

/// A block that friction holds, μ_s = .4, pulled at once by 3 N of 3.92 N.
fn held(method: &str, step: f64) -> String {
    let scene = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let scene = scene.split("[expect]").next().unwrap().replace("[2, 0, 0]", "[0, 0, 0]");
    let scene =
        scene.replace("static_friction = 0.4", "static_friction = 0.4\nkinetic_friction = 0.2");
    let scene = scene.replace("epsilon = 1e-2", "epsilon = 1e-4");
    let scene = scene.replace("step = 1e-5", &format!("step = {step}"));
    let scene = scene.replace("method = \"rk4\"", &format!("method = \"{method}\""));
    scene + "[[push]]\nbody = \"block\"\nforce = [3, 0, 0]\n"
}

#[test]
fn stick_that_every_step_loses_is_told() {
    for method in ["rk4", "heun", "symplectic-euler", "trapezoid"] {
        let lost = document(&held(method, 1e-3), &["--verify"]);
        let way = lost["last_frame"]["distance"].as_f64().unwrap();
        assert!(way > 0.4, "{method}: {way}");
        assert_eq!(level(&lost), "not trusted", "{method}: {}", lost["trust"]);
        let reasons = lost["trust"]["reasons"].as_array().unwrap();
        assert!(reasons.iter().any(|reason| reason["name"] == "stick-lost"), "{reasons:?}");
    }
    // the block creeps by ε T/(μ_s N)
    let holds = document(&held("rk4", 2e-5), &["--verify"]);
    assert_eq!(level(&holds), "trusted", "{}", holds["trust"]);
    let (value, error) = bar(&holds, "distance");
    let truth = 1e-4 * 3.0 / (0.4 * 9.81);
    assert!((value - truth).abs() < error + 1e-8 && error < 0.03 * truth, "{value} ± {error}");
}

/// A block that a spring pulls over a table under `stribeck`, from .147 m on: it bears .76 of μ_s N in stick
/// and leaves stick under more, which no step can help.
#[test]
fn a_slip_that_the_law_begins_is_no_lost_stick() {
    for (method, step) in [("rk4", 1e-4), ("tr-bdf2", 1e-4), ("symplectic-euler", 2e-5)] {
        let run = document(&pulled("stribeck", method, step), &[]);
        let way = run["last_frame"]["place"].as_f64().unwrap();
        assert!(way > 0.03, "{method}: {way}");
        let reasons = run["trust"]["reasons"].as_array().unwrap();
        let named: Vec<&str> =
            reasons.iter().map(|reason| reason["name"].as_str().unwrap()).collect();
        assert!(!named.contains(&"stick-lost"), "{method}: {reasons:?}");
        // the spring's pull is a load: at the end friction carries some of it
        let creep = &run["creep"][0];
        assert!(creep["load"].as_f64().unwrap() > 9.85, "{creep}");
        assert!(creep["carried_by_friction"].as_f64().unwrap() > 0.02, "{creep}");
    }
}

/// A block on a table, pulled by a spring whose other end moves at .1 m/s.
fn pulled(law: &str, method: &str, step: f64) -> String {
    format!(
        "format = 1
        time = {{ end = 2, step = {step:e}, output = 0.02 }}
        integrator.method = \"{method}\"
        materials.wood = {{ static_friction = 0.6, kinetic_friction = 0.35 }}
        world.planar = \"xz\"
        [contact]
        normal = {{ stiffness = 1e5, damping = 200 }}
        friction = {{ law = \"{law}\", epsilon = 2e-3 }}
        [[body]]
        name = \"block\"
        shape.points = {{ positions = [[0, 0, 0], [0.6, 0, 0]], masses = [1.0, 0.01], links = [[0, 1]] }}
        springs.edge = {{ stiffness = 40, damping = 0.1 }}
        [[collider]]
        name = \"table\"
        shape.plane = {{}}
        [[pin]]
        name = \"hand\"
        body = \"block\"
        where.particles = [1]
        [[motion]]
        of = \"hand\"
        direction = [1, 0, 0]
        at = [[0, 0], [2, 0.2]]
        between = \"linear\"
        [[measure]]
        name = \"place\"
        kind = \"displacement\"
        body = \"block\"
        direction = [1, 0, 0]
        "
    )
}

#[test]
fn tolerances_are_refined_with_the_commits_of_adaptive_methods() {
    let scene = oscillator("dopri5", 0.1, 100.0)
        .replace("\"dopri5\"", "\"dopri5\"\nrtol = 1e-2\natol = 1e-2");
    let verified = document(&scene, &["--verify"]);
    let (value, error) = bar(&verified, "x");
    let truth = 1.0 + 0.1 * cos(10.0 * 100.0);
    assert!((value - truth).abs() <= error, "{value} ± {error}, truth {truth}");
}

#[test]
fn a_blow_between_two_steps_is_refined_too() {
    // 60 N for 1.2 ms on a block that friction brakes: v²/(2 μ g) and what it goes during the blow
    let scene = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let scene = scene.split("[expect]").next().unwrap().replace("[2, 0, 0]", "[0, 0, 0]");
    let scene =
        scene.replace("step = 1e-5", "step = 0.02").replace("output = 0.01", "output = 0.02");
    let scene = scene.replace("\"rk4\"", "\"implicit-euler\"");
    let scene =
        scene + "[[push]]\nbody = \"block\"\nforce = [60, 0, 0]\nfrom = 0.1031\nuntil = 0.1043\n";
    let verified = document(&scene, &["--verify"]);
    let exact = document(&scene, &["--integrator", "dopri5", "--step", "1e-4"]);
    let truth = exact["last_frame"]["distance"].as_f64().unwrap();
    let (value, error) = bar(&verified, "distance");
    let told = level(&verified) == "not trusted";
    assert!(told || (value - truth).abs() <= error, "{value} ± {error}, truth {truth}");
}

#[test]
fn another_method_tells_what_a_method_shares_with_itself() {
    let scene = oscillator("symplectic-euler", 0.02, 5.0);
    for (by, runs) in [("--verify=method", 1), ("--verify=both", 3)] {
        let verified = document(&scene, &[by]);
        let compared = verified["verification"]["runs"].as_array().unwrap();
        assert_eq!(compared.len(), runs, "{by}");
        assert_eq!(compared[runs - 1]["integrator"], "dopri5");
        let (value, error) = bar(&verified, "x");
        let truth = 1.0 + 0.1 * cos(10.0 * 5.0);
        assert!((value - truth).abs() <= error, "{by}: {value} ± {error}, truth {truth}");
    }
    // contact that jumps velocities has no other method, and says so
    let jumps = "sliding_block.toml";
    let scene = std::fs::read_to_string(format!("scenes/{jumps}")).unwrap();
    let scene = scene.split("[expect]").next().unwrap();
    let set = ["--set", "contact.method=exact", "--integrator", "symplectic-euler"];
    let step = ["--step", "1e-3", "--verify=both"];
    let verified = document(scene, &[&set[..], &step[..]].concat());
    assert!(verified["verification"]["notes"][0].as_str().unwrap().contains("no other method"));
}

/// A particle in a box with a round pillar in its middle, which doubles every difference at each
/// bounce.
pub(super) const BILLIARD: &str = "format = 1\n[world]\ngravity = [0, 0, 0]\nplanar = \"xy\"\n[time]\nend = 10.0\n\
    step = 2e-4\noutput = 0.05\n[integrator]\nmethod = \"rk4\"\n[materials.m]\nstatic_friction = 0.0\n\
    [contact]\nnormal = { stiffness = 1e5, damping = 0 }\nfriction = { law = \"none\" }\n\
    [[body]]\nname = \"ball\"\nmass = 1.0\nshape = { particle = {} }\nposition = [0.4, 0.11, 0]\n\
    velocity = [-2, 0.7, 0]\n\
    [[collider]]\nname = \"pillar\"\nshape = { cylinder = { center = [0, 0, 0], axis = [0, 0, 1], radius = 0.3 } }\n\
    [[collider]]\nname = \"west\"\nshape = { plane = { normal = [1, 0, 0], point = [-0.5, 0, 0] } }\n\
    [[collider]]\nname = \"east\"\nshape = { plane = { normal = [-1, 0, 0], point = [0.5, 0, 0] } }\n\
    [[collider]]\nname = \"south\"\nshape = { plane = { normal = [0, 1, 0], point = [0, -0.5, 0] } }\n\
    [[collider]]\nname = \"north\"\nshape = { plane = { normal = [0, -1, 0], point = [0, 0.5, 0] } }\n\
    [[measure]]\nname = \"place\"\nkind = \"position\"\nbody = \"ball\"\n";

#[test]
fn an_outcome_that_no_step_determines_is_called_so() {
    let verified = document(BILLIARD, &["--verify"]);
    assert_eq!(level(&verified), "not trusted");
    let reasons = verified["trust"]["reasons"].as_array().unwrap();
    let told = |name: &str| reasons.iter().any(|reason| reason["name"] == name);
    assert!(told("not-determined"), "{reasons:?}");
    let parting = &verified["verification"]["parting"];
    assert!(parting["time"].as_f64().unwrap() > 0.1, "{parting}");
    assert_eq!(parting["particle"], "particle 0 of `ball`");
    let (_, out, _) = with_scene(&["run", "-", "--verify"], BILLIARD);
    assert!(out.contains("NOT TRUSTED") && out.contains("the runs part at t ="), "{out}");
}

#[test]
fn error_bars_stand_in_every_document() {
    let folder = tempfile::tempdir().unwrap();
    let (out, plot) = (folder.path().join("out"), folder.path().join("x.svg"));
    let scene = oscillator("rk4", 0.005, 5.0);
    let (exit, text, err) = with_scene(
        &["run", "-", "--verify", "--out", out.to_str().unwrap(), "--plot", plot.to_str().unwrap()],
        &scene,
    );
    assert_eq!(exit, 0, "{err}");
    assert!(text.contains(" ± ") && text.contains("verdict: trusted to 0."), "{text}");
    assert!(text.contains("compared with step 0.0125 s"), "{text}");
    let csv = std::fs::read_to_string(out.join("measures.csv")).unwrap();
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    let column = |name: &str| header.iter().position(|cell| *cell == name).expect("a column");
    let last: Vec<&str> = csv.lines().last().unwrap().split(',').collect();
    let number = |name: &str| last[column(name)].parse::<f64>().unwrap();
    let truth = 1.0 + 0.1 * cos(10.0 * 5.0);
    assert!((number("x") - truth).abs() <= number("error_x"), "{last:?}");
    assert!(number("error_x") < 1e-4);
    let json: Value =
        serde_json::from_slice(&std::fs::read(out.join("run.json")).unwrap()).unwrap();
    assert_eq!(bar(&json, "x").1, number("error_x"));
    let picture = std::fs::read_to_string(plot).unwrap();
    assert!(picture.contains("<polygon"), "a band");
}

#[test]
fn an_expectation_within_its_error_bar_is_in_doubt() {
    let scene = oscillator("trapezoid", 0.02, 2.0);
    let verified = document(&scene, &["--verify"]);
    let (value, error) = bar(&verified, "x");
    let expecting = |tolerance: f64| {
        format!(
            "{scene}[expect]\nx = {{ at = \"end\", value = {value}, tolerance = {tolerance} }}\n"
        )
    };
    let check = |scene: &str| with_scene(&["check", "-", "--run"], scene);
    let (exit, out, _) = check(&expecting(0.5 * error));
    assert!(exit == 11 && out.contains("met, in doubt"), "{exit}\n{out}");
    let (_, out, _) = check(&expecting(3.0 * error));
    assert!(out.contains("met") && !out.contains("in doubt"), "{out}");
    // without a second run nothing is in doubt
    let (_, out, _) = with_scene(&["check", "-", "--run", "--verify=off"], &expecting(0.5 * error));
    assert!(!out.contains("in doubt"), "{out}");
}

#[test]
fn a_row_far_from_its_reference_is_not_trusted() {
    let scene = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let scene = scene.split("[expect]").next().unwrap();
    // a step as long as a tenth of the slide
    let arguments = [
        "compare",
        "-",
        "--integrators",
        "rk4,explicit-euler",
        "--steps",
        "1e-4,5e-2",
        "--format",
        "json",
        "--set",
        "time.output=0.1",
    ];
    let (exit, out, err) = with_scene(&arguments, scene);
    assert_eq!(exit, 0, "{err}");
    let document: Value = serde_json::from_str(&out).unwrap();
    let rows = document["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["error"].as_f64().unwrap() > 0.03 * 0.5097), "{out}");
    for row in rows {
        let off = row["error"].as_f64().unwrap() / 0.5097;
        match off > 0.03 {
            true => {
                assert_eq!(row["level"], "not trusted", "{row}");
                let reasons = row["reasons"].as_array().unwrap();
                assert!(reasons.iter().any(|reason| reason == "far-from-reference"), "{row}");
            }
            false if row["level"] == "trusted" => {
                let bar = row["error_bar"].as_f64().unwrap();
                assert!(bar >= off * 0.999 && bar < 0.03, "{row}");
            }
            false => assert!(!row["reasons"].as_array().unwrap().is_empty(), "{row}"),
        }
    }
}

#[test]
fn sweeps_keep_the_level_and_the_error_of_every_job() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.toml");
    std::fs::write(&scene, oscillator("rk4", 0.005, 2.0)).unwrap();
    let out = folder.path().join("sweep");
    let sweep = |verify: &str| {
        let mut command = stiction();
        command.arg("sweep").arg(&scene).args(["--vary", "time.step=0.005,0.0025", "--out"]);
        command.arg(&out).arg(verify).output().unwrap()
    };
    let done = sweep("--verify");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let job = std::fs::read(out.join("jobs/00000.json")).unwrap();
    let job: Value = serde_json::from_slice(&job).unwrap();
    assert_eq!(job["trust"]["level"], "trusted", "{job}");
    assert!(job["figures"]["x_error"].as_f64().unwrap() < 1e-4);
    assert!(job["figures"]["error_share"].as_f64().unwrap() < 1e-3);
    // a folder of verified jobs takes no others
    let mixed = sweep("--verify=off");
    assert_eq!(mixed.status.code(), Some(8), "{}", String::from_utf8_lossy(&mixed.stderr));
}

/// A block thrown at 1 m/s that stops after .2 s and rests.
fn thrown(output: f64) -> String {
    let scene = std::fs::read_to_string("scenes/sliding_block.toml").unwrap();
    let scene = scene.split("[expect]").next().unwrap().replace("[2, 0, 0]", "[1, 0, 0]");
    let scene = scene.replace("end = 1.0", "end = 20.0").replace("step = 1e-5", "step = 1e-4");
    scene.replace("output = 0.01", &format!("output = {output}"))
}

#[test]
fn drift_and_extremes_do_not_depend_on_the_frames_that_are_kept() {
    let drift = |output: f64| {
        let run = document(&thrown(output), &[]);
        run["creep"][0]["measured"].as_f64().unwrap()
    };
    let (one, many) = (drift(20.0), drift(0.1));
    assert!(one < 1e-12 && many < 1e-12, "{one} {many}");
    // a ball that drops between two frames presses with √(k m) v at most
    let scene = "format = 1\n[world]\ngravity = [0, 0, 0]\n[time]\nend = 0.4\nstep = 1e-5\noutput = 0.4\n\
        [integrator]\nmethod = \"rk4\"\n[materials.m]\nstatic_friction = 0.0\n\
        [contact]\nnormal = { stiffness = 1e4, damping = 0 }\n\
        [[body]]\nname = \"ball\"\nmass = 1.0\nshape = { particle = {} }\nposition = [0, 0, 0.1]\n\
        velocity = [0, 0, -3.14]\n\
        [[collider]]\nname = \"floor\"\nshape = { plane = { normal = [0, 0, 1] } }\n\
        [[measure]]\nname = \"force\"\nkind = \"contact-force\"\nbody = \"ball\"\ndirection = [0, 0, 1]\n\
        [expect]\nforce = { at = \"max\", value = 314, tolerance = 1 }\n";
    let run = document(scene, &[]);
    assert_eq!(run["expectations"][0]["met"], true, "{}", run["expectations"][0]);
    let deepest = run["last_frame"]["max_penetration"].as_f64().unwrap();
    assert!((deepest - 0.0314).abs() < 1e-4, "{deepest}");
}

#[test]
fn friction_that_carries_nothing_is_seen() {
    let carried = |height: f64| {
        // a block on a slope of this angle
        let (s, c) = (sin(height), cos(height));
        let scene = format!(
            "format = 1\n[world]\ngravity = [0, 0, -9.81]\n[time]\nend = 0.5\nstep = 1e-4\noutput = 0.1\n\
             [integrator]\nmethod = \"rk4\"\n[materials.m]\nstatic_friction = 0.9\n\
             [contact]\nnormal = {{ stiffness = 1e4, damping = 200 }}\n\
             friction = {{ law = \"cundall-strack\", stiffness = 1e4, damping = 100 }}\n\
             [[body]]\nname = \"block\"\nmass = 1.0\nshape = {{ particle = {{}} }}\n\
             [[collider]]\nname = \"slope\"\nshape = {{ plane = {{ normal = [{}, 0, {c}] }} }}\n",
            -s
        );
        let run = document(&scene, &[]);
        run["creep"][0]["carried_by_friction"].as_f64().unwrap()
    };
    assert!(carried(0.0).abs() < 1e-6);
    // T sin(a)/W = sin²(a)
    let slope = TAU / 24.0;
    assert!((carried(slope) - sin(slope) * sin(slope)).abs() < 1e-3, "{}", carried(slope));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_is_not_trusted() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.toml");
    std::fs::write(&scene, oscillator("rk4", 1e-6, 1000.0)).unwrap();
    let out = folder.path().join("results");
    let child = Command::new(env!("CARGO_BIN_EXE_stiction"))
        .arg("run")
        .arg(&scene)
        .args(["--format", "json", "--verify", "--set", "time.output=0.1", "--out"])
        .arg(&out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // the program is in the midst of its first run
    until_longer(&out.join("measures.csv"), 2000);
    let signalled = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(signalled.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let run: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(run["status"], "interrupted");
    assert_eq!(level(&run), "not trusted");
    assert_eq!(run["trust"]["reasons"][0]["name"], "interrupted");
}

/// How far the iterations of `exact` are from solved is an unknown of the verification: a loose tolerance is
/// compared with one that solves, and the run is off by all that it moves.
#[test]
fn a_loose_tolerance_of_exact_is_told() {
    let scene = std::fs::read_to_string("scenes/exact_wall_press.toml").unwrap();
    let loose = document(&scene, &["--verify", "--set", "contact.tolerance=1"]);
    assert_eq!(level(&loose), "not trusted", "{}", loose["trust"]);
    let (sag, error) = bar(&loose, "sag");
    let solved = document(&scene, &["--verify"]);
    let truth = solved["last_frame"]["sag"].as_f64().unwrap();
    assert_eq!(level(&solved), "trusted", "{}", solved["trust"]);
    assert!(
        (sag - truth).abs() > 0.9 * sag.abs() && error > (sag - truth).abs(),
        "{sag} ± {error}"
    );
}

/// A block that sticks to a shaken table: the trapezoidal sum of its velocity is off at its ends by the
/// acceleration that it shares with the table, which is no contradiction of position and velocity.
#[test]
fn a_fine_step_on_a_shaken_table_is_no_spurious_state() {
    for (frequency, step) in [(1.0, 1.25e-4), (10.0, 1.25e-5)] {
        let omega = std::f64::consts::TAU * frequency;
        let friction = 2.0 * f64::max(1.0, 0.01 * omega * omega / 9.81);
        let run = document(
            &format!(
                "format = 1
                time = {{ end = {:e}, step = {step:e}, output = {:e} }}
                integrator.method = \"symplectic-euler\"
                materials.m.static_friction = {friction}
                [contact]
                normal = {{ stiffness = 1e5, damping = 200 }}
                friction = {{ law = \"cundall-strack\", stiffness = 1e6, damping = 1000 }}
                [[body]]
                name = \"block\"
                mass = 1
                shape.particle = {{}}
                position = [0, 0, -9.81e-5]
                velocity = [{:e}, 0, 0]
                [[collider]]
                name = \"table\"
                shape.plane = {{}}
                motion.oscillate = {{ direction = [1, 0, 0], amplitude = 0.01, frequency = {frequency} }}
                ",
                24000.0 * step,
                80.0 * step,
                0.01 * omega
            ),
            &[],
        );
        assert_eq!(run["trust"]["reasons"].as_array().unwrap().len(), 0, "{}", run["trust"]);
    }
}
