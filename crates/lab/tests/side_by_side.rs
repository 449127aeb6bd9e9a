//! Runs side by side: results are those of one at a time.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use stiction_core::simulation::Simulation;
use stiction_lab::experiment::base::Base;
use stiction_lab::experiment::compare::compare;
use stiction_lab::experiment::plan::Plan;
use stiction_lab::experiment::table;
use stiction_lab::output::folder::manifest::Settings;
use stiction_lab::run::{Means, Observer, Recorded};
use stiction_lab::session::{Build, Session};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load_text};

/// A block that slides and comes to rest.
const SLIDES: &str = "
format = 1
time = { end = 0.3, step = 1e-4, output = 0.01 }
integrator.method = \"symplectic-euler\"
materials.wood.static_friction = 0.5
[contact]
normal = { law = \"linear\", stiffness = 1e4, damping = 10 }
friction = { law = \"threshold\", epsilon = EPSILON }
[[body]]
name = \"block\"
material = \"wood\"
mass = 1.0
velocity = [1, 0.2, 0]
shape = { lattice = { counts = [3, 2, 2], spacing = 0.1 } }
springs = { edge = { stiffness = 2e3, damping = 2 } }
[[collider]]
name = \"floor\"
shape.plane = {}
material = \"wood\"
[[measure]]
name = \"way\"
kind = \"displacement\"
body = \"block\"
direction = [1, 0, 0]
";

/// At ε = 1e-6 m/s the step is far above the limit of friction.
fn scene(epsilon: &str) -> Scene {
    let text = SLIDES.replace("EPSILON", epsilon);
    let loaded = load_text("slides.toml", &text, Path::new("."), &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene
}

fn settings(means: Means) -> Settings {
    Settings { verify: Some(means), ..Settings::default() }
}

fn open(scene: &Scene, means: Means, at_once: usize, build: Arc<Build>) -> Session {
    let limits = BuildOptions { threads: 3, ..BuildOptions::default() };
    let made = Session::open_beside(scene, settings(means), &limits, build, at_once);
    made.unwrap_or_else(|error| panic!("{error}"))
}

struct Silent;
impl Observer for Silent {}

#[test]
fn a_verified_run_has_the_same_document_whatever_goes_side_by_side() {
    // the step is far above the limit of friction at 1e-6: a run at a quarter of it is needed
    for (epsilon, means) in [
        ("1e-2", Means::STEP),
        ("1e-2", Means::METHOD),
        ("1e-2", Means::BOTH),
        ("1e-6", Means::STEP),
    ] {
        let scene = scene(epsilon);
        let document = |at_once: usize| {
            let mut session = open(&scene, means, at_once, Arc::new(build));
            assert_eq!(session.run.at_once(), at_once.min(means.at_once()));
            let ended = session.finish(&mut Silent, &|| false).expect("it ends");
            serde_json::to_string_pretty(&ended.document).expect("a JSON value")
        };
        let one = document(1);
        assert!(epsilon == "1e-2" || one.contains("quarter"), "{one}");
        for at_once in [2, 3] {
            assert_eq!(one, document(at_once), "ε {epsilon}, {means:?}, {at_once}");
        }
    }
}

/// Waits in its first frame until another scene is built, or for ten seconds.
struct Waits<'a> {
    built: &'a AtomicUsize,
    met: bool,
}

impl Observer for Waits<'_> {
    fn frame(&mut self, simulation: &Simulation, _: &Recorded) -> std::io::Result<()> {
        let begun = Instant::now();
        while simulation.state.step_count == 0
            && self.built.load(Ordering::SeqCst) < 2
            && begun.elapsed() < Duration::from_secs(10)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.met |= self.built.load(Ordering::SeqCst) == 2;
        Ok(())
    }
}

#[test]
fn a_run_and_that_at_twice_the_step_are_made_at_the_same_time() {
    static BUILT: AtomicUsize = AtomicUsize::new(0);
    let count = |scene: &Scene, limits: &BuildOptions| {
        BUILT.fetch_add(1, Ordering::SeqCst);
        build(scene, limits)
    };
    let mut session = open(&scene("1e-2"), Means::STEP, 2, Arc::new(count));
    let mut waits = Waits { built: &BUILT, met: false };
    let ended = session.finish(&mut waits, &|| false).expect("it ends");
    assert!(waits.met, "the second run begins when the first has ended");
    assert!(ended.outcome.verification.is_some());
}

/// Asks for a stop once the verifying runs alone are left.
#[derive(Default)]
struct Stops(AtomicBool);

impl Observer for &Stops {
    fn verifying(&mut self, _: &str, _: u64) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Two at a time: the run itself is complete, and resumed it is verified, with the document of a run that was never
/// stopped.
#[test]
fn a_verification_that_is_stopped_loses_nothing() {
    let home = tempfile::tempdir().expect("a folder");
    let (folder, name, scene) = (home.path().join("out"), Path::new("-"), scene("1e-2"));
    let open = || open(&scene, Means::BOTH, 2, Arc::new(build));
    let whole = open().finish(&mut Silent, &|| false).expect("it ends");
    let mut first = open();
    first.keep(&folder, name, false).expect("a folder of its own");
    let stops = Stops::default();
    let ended = first.finish(&mut { &stops }, &|| stops.0.load(Ordering::Relaxed)).expect("ends");
    assert!(ended.unverified);
    ended.written.expect("all is written");
    assert_eq!(ended.outcome.state_hash, whole.outcome.state_hash);
    drop(first);
    let mut second = open();
    second.resume(&folder, name, false).expect("a run to resume");
    let resumed = second.finish(&mut Silent, &|| false).expect("it ends");
    assert!(!resumed.unverified);
    assert_eq!(whole.document["trust"], resumed.document["trust"]);
    assert_eq!(whole.document["verification"], resumed.document["verification"]);
    assert_eq!(whole.outcome.verification, resumed.outcome.verification);
}

#[test]
fn as_many_runs_go_side_by_side_as_fit_into_memory() {
    let scene = scene("1e-2");
    let alone = open(&scene, Means::BOTH, 1, Arc::new(build));
    let (world, frames) = (alone.run.memory, alone.memory() as u64 - 2 * alone.run.memory);
    for (worlds, at_once) in [(2, 1), (3, 2), (4, 3), (9, 3)] {
        let limits =
            BuildOptions { max_memory: worlds * world + frames, ..BuildOptions::default() };
        let session =
            Session::open_beside(&scene, settings(Means::BOTH), &limits, Arc::new(build), 3);
        let session = session.unwrap_or_else(|error| panic!("{worlds}: {error}"));
        assert_eq!(session.run.at_once(), at_once, "{worlds} worlds");
        assert!(session.memory() <= u128::from(limits.max_memory));
    }
}

/// Rows that take long stand before quick ones, and two references are made of two runs each.
#[test]
fn a_comparison_is_the_same_whatever_goes_side_by_side() {
    let text = SLIDES.replace("EPSILON", "1e-3").replace("end = 0.3", "end = 0.05");
    let text = text.replace("[1, 0.2, 0]", "[1, 0.2, -1]");
    let base = Base::bytes("slides.toml", text.as_bytes(), Path::new("."));
    let mut plan = Plan::of(base).integrators(&["dopri5", "rk4", "symplectic-euler"]);
    plan.epsilons = ["1e-2", "1e-3"].map(String::from).into();
    let document = |jobs: usize| {
        let mut counts = Vec::new();
        let mut seen = |_: &str, done: u64, total: u64| counts.push((done, total));
        let comparison = compare(&plan, jobs, &mut seen, &|| false).expect("a plan that runs");
        assert!(comparison.rows.iter().all(|row| row.trial.cpu_seconds > 0.0));
        let mut document = table::json(&comparison);
        for row in document["rows"].as_array_mut().expect("rows") {
            row.as_object_mut().and_then(|row| row.remove("cpu_seconds")).expect("a time");
        }
        (serde_json::to_string_pretty(&document).expect("a JSON value"), counts)
    };
    let (one, counts) = document(1);
    assert_eq!(counts, (0..=8).map(|done| (done, 8)).collect::<Vec<_>>());
    assert!(one.contains("2 runs with the step halved"), "{one}");
    for jobs in [2, 3, 9] {
        assert_eq!(document(jobs), (one.clone(), counts.clone()), "{jobs} at a time");
    }
}
