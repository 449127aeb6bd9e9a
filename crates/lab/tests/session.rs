//! Sessions: folders that they hold, and requests to stop.

use std::path::Path;
use std::sync::Arc;
use stiction_core::halt::Halt;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::{Observer, Recorded};
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

const SOFT: &str = "
format = 1
time = { end = 0.02, step = 2e-3, output = 4e-3 }
integrator.method = \"tr-bdf2\"
materials.wood.static_friction = 0.5
[contact]
normal = { law = \"linear\", stiffness = 1e4, damping = 10 }
friction = { law = \"threshold\", epsilon = 1e-2 }
[[body]]
name = \"block\"
material = \"wood\"
mass = 1.0
velocity = [1, 0.2, -0.1]
shape = { lattice = { counts = [2, 2, 2], spacing = 0.1 } }
springs = { edge = { stiffness = 2e3, damping = 2 } }
[[collider]]
name = \"floor\"
shape.plane = {}
material = \"wood\"
";

/// The measures of all frames.
#[derive(Default)]
struct Frames(Vec<Vec<f64>>);

impl Observer for Frames {
    fn frame(
        &mut self,
        _: &stiction_core::simulation::Simulation,
        frame: &Recorded,
    ) -> std::io::Result<()> {
        self.0.push(frame.frame.measures.clone());
        Ok(())
    }
}

/// Orders are observed by steps of their own: a request to stop ends a step of the run, and cuts no order short, since
/// the frame with it is kept.
#[test]
fn an_observed_order_is_not_cut_short() {
    let loaded = load_text("soft.toml", SOFT, Path::new("."), &LoadOptions::default());
    let scene = loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene;
    let frames = |halt: Halt| {
        let limits = BuildOptions { threads: 1, halt, ..BuildOptions::default() };
        let settings = Settings { observe_order: true, ..Settings::default() };
        let mut session = Session::open(&scene, settings, &limits, Arc::new(build)).expect("a run");
        let mut frames = Frames::default();
        session.finish(&mut frames, &|| false).expect("it ends");
        frames.0
    };
    let (free, asked) = (frames(Halt::default()), frames(Halt::when(|| true)));
    assert_eq!(free.len(), 6);
    assert!(free.iter().flatten().any(|x| x.is_finite()), "{free:?}");
    assert_eq!(asked.len(), 1, "it stops in the first step");
    assert_eq!(format!("{:?}", free[0]), format!("{:?}", asked[0]));
}
