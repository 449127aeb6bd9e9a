//! Sessions on one folder: who resumes holds it, as who begins.

use std::path::Path;
use std::sync::Arc;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::session::Session;
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

const FALL: &str = "
format = 1
world.gravity = [0, 0, -9.81]
time = { end = 0.01, step = 1e-3, output = 1e-3 }
integrator.method = \"rk4\"
materials.wood.static_friction = 0.5
[[body]]
name = \"stone\"
mass = 1.0
shape.particle = {}
";

fn scene() -> Scene {
    let loaded = load_text("fall.toml", FALL, Path::new("."), &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene
}

fn open(scene: &Scene) -> Session {
    let limits = BuildOptions { threads: 1, ..BuildOptions::default() };
    let made = Session::open(scene, Settings::default(), &limits, Arc::new(build));
    made.unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_folder_is_held_by_one_session() {
    let home = tempfile::tempdir().expect("a folder");
    let (folder, scene) = (home.path().join("out"), scene());
    let name = Path::new("fall.toml");
    let mut first = open(&scene);
    first.keep(&folder, name, false).expect("a folder of its own");
    let refused = |session: &mut Session| {
        let error = session.resume(&folder, name, false).expect_err("it is held");
        assert!(error.to_string().contains("is held by process"), "{error}");
    };
    refused(&mut open(&scene));
    drop(first);
    let mut second = open(&scene);
    second.resume(&folder, name, false).expect("nobody holds it");
    refused(&mut open(&scene));
    drop(second);
    open(&scene).resume(&folder, name, false).expect("nobody holds it again");
}
