//! `export --to mjcf`: what is written, and what is refused.

use crate::support::tools::python;
use assert_cmd::Command;
use std::path::Path;

/// A rigid box on a floor.
const SCENE: &str = r#"format = 1
title = "A box & a <ball>"
world = { gravity = [1, 0, -9.5] }
time = { end = 0.1, step = 1e-3, output = 0.1 }
integrator = { method = "rk4" }
materials.wood = { static_friction = 0.6 }
materials.ice = { static_friction = 0.1 }
pairing = { friction = "minimum" }
[contact]
normal = { stiffness = 1e5, damping = 50 }
[[body]]
name = "box"
material = "wood"
mass = 3.0
rigid = true
shape = { lattice = { counts = [3, 2, 2], spacing = 0.2 } }
rotation = [0, 0, 90]
position = [1, 2, 3]
velocity = [0.5, 0, 0]
spin = [2, 0, 0]
[[collider]]
name = "floor"
material = "wood"
shape = { plane = {} }
"#;

/// A ball on ice, to be put after it.
const BALL: &str = r#"[[body]]
name = "ball"
material = "ice"
mass = 0.1
radius = 0.05
shape = { particle = {} }
position = [0, 0, 1]
velocity = [0, 0, -1]
"#;

/// Runs `export` and returns (exit code, stdout, stderr).
fn export(scene: &Path, more: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("NO_COLOR", "1").arg("export");
    let output = command.arg(scene).args(["--to", "mjcf"]).args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn export_text(text: &str, more: &[&str]) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.toml");
    std::fs::write(&path, text).unwrap();
    export(&path, more)
}

/// The XML of a scene that can be expressed.
fn xml(text: &str, more: &[&str]) -> String {
    let (code, xml, errors) = export_text(text, more);
    assert_eq!(code, 0, "{errors}");
    assert_well_formed(&xml);
    xml
}

/// Elements are closed in turn, attributes are quoted and named once, and no sign stands bare.
fn assert_well_formed(xml: &str) {
    let (mut open, mut rest) = (Vec::new(), xml);
    while let Some(start) = rest.find('<') {
        assert!(rest[..start].trim().is_empty(), "text between elements: {}", &rest[..start]);
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            let end = comment.find("--").expect("a comment ends");
            rest = comment[end..].strip_prefix("-->").expect("no -- within a comment");
            continue;
        }
        let end = rest.find('>').expect("an element ends");
        let element = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = element.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name.to_string()), "in {xml}");
            continue;
        }
        let (element, empty) = element.strip_suffix('/').map_or((element, false), |e| (e, true));
        let (name, attributes) = element.split_once(' ').unwrap_or((element, ""));
        assert_attributes(attributes);
        if !empty {
            open.push(name.to_string());
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "left open: {open:?} {rest}");
}

fn assert_attributes(text: &str) {
    let parts: Vec<&str> = text.split('"').collect();
    assert!(parts.len() % 2 == 1 && parts[parts.len() - 1].trim().is_empty(), "{text}");
    let mut names = Vec::new();
    for pair in parts[..parts.len() - 1].chunks(2) {
        let name = pair[0].trim().strip_suffix('=').expect("name=\"value\"");
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "{text}");
        assert!(!names.contains(&name) && !pair[1].contains('<'), "{text}");
        names.push(name);
    }
}

/// The numbers of an attribute of the element that begins so.
fn numbers(xml: &str, element: &str, attribute: &str) -> Vec<f64> {
    let from = xml.find(element).unwrap_or_else(|| panic!("no {element} in {xml}"));
    let text = &xml[from..from + xml[from..].find('>').unwrap()];
    let named = format!(" {attribute}=\"");
    let from = text.find(&named).unwrap_or_else(|| panic!("no {attribute} in {text}"));
    let value = text[from + named.len()..].split('"').next().unwrap();
    value.split(' ').map(|number| number.parse().unwrap()).collect()
}

fn assert_near(found: &[f64], right: &[f64]) {
    assert_eq!(found.len(), right.len(), "{found:?} {right:?}");
    let near = found.iter().zip(right).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(near, "{found:?} is not {right:?}");
}

#[test]
fn a_box_keeps_size_mass_inertia_pose_and_motion() {
    let xml = xml(SCENE, &[]);
    assert!(xml.contains("integrator=\"RK4\" cone=\"elliptic\""), "{xml}");
    assert!(xml.contains("data=\"A box &amp; a &lt;ball&gt;\""), "{xml}");
    assert_near(&numbers(&xml, "<option", "gravity"), &[1.0, 0.0, -9.5]);
    assert_near(&numbers(&xml, "<option", "timestep"), &[1e-3]);
    assert_near(&numbers(&xml, "<geom name=\"body box\"", "size"), &[0.2, 0.1, 0.1]);
    // the box stands on its own base, so that its middle is half its height up
    assert_near(&numbers(&xml, "<body", "pos"), &[1.0, 2.0, 3.1]);
    let half = 0.5f64.sqrt();
    assert_near(&numbers(&xml, "<body", "quat"), &[half, 0.0, 0.0, half]);
    assert_near(&numbers(&xml, "<inertial", "mass"), &[3.0]);
    // Σ m (|r|² 1 − r rᵀ) of twelve points in the box's own axes
    let (x, y) = (3.0 * 0.04 * 2.0 / 3.0, 3.0 * 0.01);
    assert_near(
        &numbers(&xml, "<inertial", "fullinertia"),
        &[2.0 * y, x + y, x + y, 0.0, 0.0, 0.0],
    );
    let pose = [1.0, 2.0, 3.1, half, 0.0, 0.0, half];
    assert_near(&numbers(&xml, "<key ", "qpos"), &pose);
    // the rate of turn in its own axes: world x is its −y
    assert_near(&numbers(&xml, "<key ", "qvel"), &[0.5, 0.0, 0.0, 0.0, -2.0, 0.0]);
    assert_near(&numbers(&xml, "<pair", "friction"), &[0.6, 0.6, 0.0, 0.0, 0.0]);
}

#[test]
fn a_particle_becomes_a_ball_that_does_not_turn() {
    let xml = xml(&format!("{SCENE}{BALL}"), &[]);
    assert_eq!(xml.matches("<joint type=\"slide\"").count(), 3);
    assert_near(&numbers(&xml, "<geom name=\"body ball\"", "size"), &[0.05]);
    let pair = "<pair geom1=\"body ball\" geom2=\"collider floor\"";
    assert_near(&numbers(&xml, pair, "friction")[..1], &[0.1]);
    assert_eq!(numbers(&xml, "<key ", "qpos").len(), 7 + 3);
    assert_near(&numbers(&xml, "<key ", "qvel")[6..], &[0.0, 0.0, -1.0]);
    assert_eq!(xml.matches("<pair").count(), 2, "bodies do not touch unasked");
    let touching = format!("{SCENE}{BALL}").replace("[contact]", "[contact]\nbodies = true");
    let xml =
        self::xml(&touching.replace("shape = { lattice", "radius = 0.01\nshape = { lattice"), &[]);
    assert_eq!(xml.matches("<pair").count(), 3);
    assert_near(&numbers(&xml, "<geom name=\"body box\"", "size"), &[0.21, 0.11, 0.11]);
}

#[test]
fn colliders_keep_their_places_and_belts_their_speeds() {
    let colliders = r#"[[collider]]
name = "wall"
material = "ice"
shape = { plane = { normal = [-1, 0, 0], point = [5, 0, 0] } }
motion = { belt = { velocity = [7, 0, 2] } }
[[collider]]
name = "block"
material = "ice"
shape = { box = { min = [0, 0, 0], max = [1, 2, 4] } }
[[collider]]
name = "bar"
material = "ice"
shape = { capsule = { axis = [1, 0, 0], radius = 0.1, length = 3.0 } }
"#;
    let xml = xml(&format!("{SCENE}{colliders}"), &[]);
    let wall = "<geom name=\"collider wall\"";
    assert_near(&numbers(&xml, wall, "pos"), &[5.0, 0.0, 0.0]);
    let [w, x, y, z] = numbers(&xml, wall, "quat")[..] else { panic!("four numbers") };
    // the third axis of the quaternion's frame is the plane's normal
    let up = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), w * w + z * z - x * x - y * y];
    assert_near(&up, &[-1.0, 0.0, 0.0]);
    // only what is tangential moves, at its speed
    let belt = numbers(&xml, wall, "surfacevel");
    assert!((belt[..3].iter().map(|v| v * v).sum::<f64>() - 4.0).abs() < 1e-12, "{belt:?}");
    assert!(belt[2].abs() < 1e-12, "{belt:?}");
    assert_near(&numbers(&xml, "<geom name=\"collider block\"", "size"), &[0.5, 1.0, 2.0]);
    assert_near(&numbers(&xml, "<geom name=\"collider block\"", "pos"), &[0.5, 1.0, 2.0]);
    assert_near(&numbers(&xml, "<geom name=\"collider bar\"", "size"), &[0.1, 1.5]);
}

#[test]
fn methods_become_the_nearest_of_theirs() {
    for (method, theirs) in
        [("symplectic-euler", "Euler"), ("rk4", "RK4"), ("dopri5", "RK4"), ("heun", "Euler")]
    {
        let xml = xml(SCENE, &["--integrator", method]);
        assert!(xml.contains(&format!("integrator=\"{theirs}\"")), "{method}: {xml}");
    }
    let ball = SCENE
        .replace("rigid = true", "radius = 0.1")
        .replace("lattice = { counts = [3, 2, 2], spacing = 0.2 }", "particle = {}");
    let xml = xml(&ball.replace("spin = [2, 0, 0]", ""), &["--integrator", "tr-bdf2"]);
    assert!(xml.contains("integrator=\"implicitfast\""), "{xml}");
}

#[test]
fn what_mjcf_has_no_words_for_is_named() {
    let flat = "counts = [3, 2, 1]";
    let moving = "shape = { plane = {} }\nmotion = { velocity = [0.1, 0, 0] }";
    let formula = "shape = { implicit = { phi = \"z\" } }";
    for (from, to, words) in [
        ("rigid = true", "", "body `box` is soft: --set body.box.rigid=true"),
        ("counts = [3, 2, 2]", flat, "body `box` is flat"),
        (
            "[contact]",
            "[contact]\nfriction = { law = \"cundall-strack\", stiffness = 1e4 }",
            "memory",
        ),
        ("[contact]", "[contact]\nfriction = { law = \"viscous-cap\", damping = 9 }", "Coulomb"),
        ("damping = 50", "restitution = 0.5", "no such coefficient"),
        ("shape = { plane = {} }", formula, "collider `floor` is of kind implicit"),
        ("shape = { plane = {} }", moving, "collider `floor` moves: of motions only a belt"),
        ("{ plane = {} }", "{ sphere = { radius = 9, inside = true } }", "is a container"),
        ("{ plane = {} }", "{ cylinder = { radius = 9 } }", "give the cylinder a length"),
        ("0.6 }", "0.6, kinetic_friction = 0.5 }", "`wood` is 0.6 at rest and 0.5 in motion"),
        ("-9.5] }", "-9.5], planar = \"xz\" }", "planar scene"),
        ("[[collider]]", "[[drag]]\nrate = 1\n[[collider]]", "[[drag]]"),
        (
            "[[collider]]",
            "[[push]]\nbody = \"box\"\nforce = [1, 0, 0]\n[[collider]]",
            "[[push]]: forces over time",
        ),
    ] {
        assert!(SCENE.contains(from), "{from}");
        let (code, xml, errors) = export_text(&SCENE.replacen(from, to, 1), &[]);
        assert_eq!((code, xml.as_str()), (2, ""), "{to}: {errors}");
        assert!(
            errors.contains("MJCF cannot express this scene") && errors.contains(words),
            "{errors}"
        );
    }
    let (_, _, errors) =
        export(Path::new("scenes/league/b_slides.toml"), &["--set", "body.box.radius=0.01"]);
    let all = ["[[push]]", "[[drag]]", "body `box` is soft"].map(|word| errors.contains(word));
    assert_eq!(all, [true; 3], "all at once: {errors}");
}

#[test]
fn a_file_gets_what_the_pipe_gets() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("box.xml");
    let scene = Path::new("scenes/league/a_creep.toml");
    let rigid = ["--set", "body.box.rigid=true", "--integrator", "rk4"];
    let (code, printed, errors) = export(scene, &rigid);
    assert_eq!(code, 0, "{errors}");
    assert_near(&numbers(&printed, "<geom name=\"body box\"", "size"), &[0.2, 0.2, 0.1]);
    let written = [&rigid[..], &["-o", file.to_str().unwrap()]].concat();
    let (code, nothing, said) = export(scene, &written);
    assert_eq!((code, nothing.as_str()), (0, ""));
    assert!(said.contains("box.xml"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), printed);
    let (code, _, said) = export(scene, &[&rigid[..], &["-o", "/nowhere/box.xml"]].concat());
    assert_eq!(code, 5, "{said}");
}

/// MuJoCo's creep under an elliptic cone is a matter of its regularisation: 661.8 µm/s under every
/// integrator. Needs a Python with mujoco, named by STICTION_PYTHON.
#[test]
fn the_referee_finds_the_same_creep_under_every_integrator() {
    let Some(python) = python("mujoco") else { return };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/referee/mujoco_referee.py");
    let mut command = Command::new(python);
    command.arg(script).args(["--json", "--stiction", env!("CARGO_BIN_EXE_stiction")]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let table: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &table["creep at 15°, μ 1 [µm/s]"];
    for method in ["Euler", "RK4", "implicitfast"] {
        let creep = row[format!("MuJoCo {method}")].as_f64().unwrap();
        assert!((creep / 661.8 - 1.0).abs() < 0.01, "{method}: {creep} µm/s");
    }
    let ours = row["stiction cundall-strack"].as_f64().unwrap();
    assert!(ours.abs() < 1e-9, "{ours} µm/s");
}

/// An elastic lattice on the floor, pinned by a corner, to be put after the head of [`SCENE`].
fn soft() -> String {
    let head = SCENE.replace("materials.wood = { static_friction = 0.6 }", "materials.wood = { static_friction = 0.6, young = 1e5, poisson = 0.3, damping = { time = 1e-3 } }");
    head.replace("rigid = true\n", "radius = 0.01\n")
        .replace("method = \"rk4\"", "method = \"symplectic-euler\"")
        .replace("counts = [3, 2, 2]", "counts = [3, 2, 4]")
        + "[[pin]]\nbody = \"box\"\nwhere = { particles = [1, 23] }\n"
}

/// An elastic lattice is a flexcomp, and `import` reads it as the same body.
#[test]
fn an_elastic_lattice_goes_to_a_flexcomp_and_back() {
    let written = xml(&soft(), &[]);
    assert_eq!(numbers(&written, "flexcomp", "count"), [3.0, 2.0, 4.0]);
    assert_near(&numbers(&written, "flexcomp", "mass"), &[3.0]);
    // its middle, three halves of a spacing above its lowest layer
    assert_near(&numbers(&written, "flexcomp", "pos"), &[1.0, 2.0, 3.3]);
    assert_eq!(numbers(&written, "elasticity", "young"), [1e5]);
    // z fastest: particles 1 and 23 of x fastest
    assert_eq!(numbers(&written, "<pin", "id"), [8.0, 23.0]);
    assert_eq!(numbers(&written, "<key name", "qvel").len(), 3 * 22);
    // v + ω × r at (.1, -.2, -.3) from the middle
    assert_near(&numbers(&written, "<key name", "qvel")[..3], &[0.5, 0.6, -0.4]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.xml");
    std::fs::write(&path, &written).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    let output = command.args(["import"]).arg(&path).output().unwrap();
    let back = String::from_utf8(output.stdout).unwrap();
    for part in ["counts = [3, 2, 4]", "young = 100000.0", "poisson = 0.3", "particles = [1, 23]"] {
        assert!(back.contains(part), "{part}: {back}");
    }
    for (text, word) in [
        (soft().replace("time = 1e-3", "mass = 1"), "damping.mass"),
        (soft() + "axes = \"z\"\n", "[[pin]]"),
        (soft().replace("radius = 0.01", "radius = 0.01\nprestretch = 1.1"), "prestretch"),
        (
            soft()
                + "[[collider]]\nname = \"ice\"\nmaterial = \"ice\"\nshape.sphere = { center = [0, 0, -9], radius = 1 }\n",
            "differs from collider to collider",
        ),
    ] {
        let (code, _, errors) = export_text(&text, &[]);
        assert!(code != 0 && errors.contains(word), "{word}: {errors}");
    }
}
