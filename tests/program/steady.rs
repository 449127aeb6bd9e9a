//! A drift that is not steady, a body that slipped, and a scene that was changed, as `run` names them.

use assert_cmd::Command;

const SLOPE: &str = "scenes/new/slope.toml";

/// The output of a run, its lines joined.
fn run(scene: &str, more: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.arg("run").arg(scene).args(more).env("COLUMNS", "1000").output();
    String::from_utf8(output.expect("the program runs").stdout).expect("UTF-8")
}

/// A box that still relaxes after a second: its steady creep is ε f⁻¹(ρ) with f(x) = 1 − (1 − x)³ of `cubic`.
#[test]
fn creep_that_has_not_relaxed_is_not_steady() {
    let cubic = "contact.friction={law=\"cubic\",epsilon=1e-4}";
    let common = ["--set", cubic, "--integrator", "trapezoid", "--step", "2e-4"];
    let short = run(SLOPE, &[&common[..], &["--set", "time.end=1"]].concat());
    let line = short.lines().find(|line| line.starts_with("not steady: creep of box"));
    let line = line.unwrap_or_else(|| panic!("{short}"));
    let (ratio, speed) = (0.36397 / 0.6, line.split("; ").last().expect("a speed"));
    let speed: f64 = speed.split(' ').next().and_then(|x| x.parse().ok()).expect("a number");
    let y = 1.0 - speed / 1e-4;
    assert!((1.0 - y * y * y - ratio).abs() < 1e-3, "{line}");
    let end = line.split("it would by ").nth(1).and_then(|rest| rest.split(' ').next());
    let end = format!("time.end={}", end.unwrap_or_else(|| panic!("no end: {line}")));
    let long = run(SLOPE, &[&common[..], &["--set", &end]].concat());
    assert!(!long.contains("not steady"), "{end}: {long}");
}

#[test]
fn a_steady_creep_is_beside_its_closed_form_in_the_details() {
    let text = run(SLOPE, &["--details"]);
    assert!(!text.contains("not steady"), "{text}");
    let row = text.lines().find(|line| line.contains("steady creep of box"));
    let row = row.unwrap_or_else(|| panic!("{text}"));
    assert!(row.contains("6.066e-4 m/s by the law at load ratio 0.6066"), "{row}");
}

/// A block on a table that accelerates: the load on it is gravity alone, and friction bears m a.
#[test]
fn what_is_carried_along_has_no_closed_form_at_its_load_ratio() {
    let scene = "format = 1\n[time]\nend = 1\nstep = 1e-4\noutput = 0.01\n[integrator]\nmethod = \"rk4\"\n\
        [materials.wood]\nstatic_friction = 0.5\n[contact]\nnormal = { stiffness = 1e5, damping = 300 }\n\
        friction = { law = \"threshold\", epsilon = 1e-2 }\n[[body]]\nname = \"block\"\nmass = 1\n\
        position = [0, 0, -9.81e-5]\nshape = { particle = {} }\n[[collider]]\nname = \"table\"\n\
        shape = { plane = {} }\n[[motion]]\nof = \"table\"\ndirection = [1, 0, 0]\nformula = \"1.0*t^2\"\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("carried.toml");
    std::fs::write(&path, scene).expect("written");
    let carried = run(&path.to_string_lossy(), &["--details"]);
    assert!(
        carried.contains("load ratio up to") && !carried.contains("steady creep of"),
        "{carried}"
    );
    assert!(!carried.contains("by the law at"), "{carried}");
}

/// A push of 20 ms above the friction limit.
#[test]
fn a_slip_that_is_over_has_its_time() {
    let scene = std::fs::read_to_string("scenes/incline_creep.toml").expect("a scene");
    let push = "[[push]]\nbody = \"block\"\nforce = [-40, 0, 0]\nfrom = 0.1\nuntil = 0.12\n";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pushed.toml");
    std::fs::write(&path, scene + push).expect("written");
    let more = ["--set", "time.end=0.5", "--details"];
    let pushed = run(&path.to_string_lossy(), &more);
    let rows =
        |text: &str| text.lines().find(|line| line.contains("slid of block")).map(String::from);
    let row = rows(&pushed).unwrap_or_else(|| panic!("{pushed}"));
    assert!(row.contains("between 0.1") && !row.contains("never"), "{row}");
    let still = run("scenes/incline_creep.toml", &["--set", "time.end=0.5", "--details"]);
    assert!(rows(&still).is_some_and(|row| row.contains("never")), "{still}");
}

#[test]
fn an_expectation_is_for_the_scene_as_written() {
    let text = run("scenes/incline_creep.toml", &["--set", "contact.friction.epsilon=2e-3"]);
    assert!(!text.contains("NOT MET") && text.contains("of the scene as written"), "{text}");
    let words = " for the scene as written, and it was changed: contact.friction.epsilon=2e-3";
    assert!(text.contains(words) && !text.contains("does something else"), "{text}");
    // a larger step changes no expectation
    let text = run("scenes/incline_creep.toml", &["--set", "time.step=2e-5"]);
    assert!(!text.contains("as written"), "{text}");
}
