//! Checkpoints of small runs. A mutant that fits one of them resumes it and ends it.

use crate::targets::{Refusal, payload, root, with_checksum};
use std::path::Path;
use std::sync::LazyLock;
use stiction_lab::output::folder::checkpoint::{self, Stored};
use stiction_lab::output::folder::run_json;
use stiction_lab::run::{Run, Unobserved};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, Scene, load, load_text};

/// Two bricks of eight particles, the upper one turned, that touch and slide from the start.
const BRICKS: &str = r#"
format = 1
world.gravity = [0, 0, -9.81]
time = { end = 0.008, step = 1e-3, output = 0.002 }
materials.brick = { static_friction = 0.5, kinetic_friction = 0.4 }
contact.bodies = true
collider = [{ name = "floor", shape = { plane = {} } }]
measure = [{ name = "slip", kind = "slip", body = "low" }]
[[body]]
name = "low"
mass = 1
shape = { lattice = { counts = [2, 2, 2], spacing = 0.1 } }
position = [0, 0, -1e-4]
velocity = [1, 0, 0]
[[body]]
name = "high"
mass = 1
shape = { lattice = { counts = [2, 2, 2], spacing = 0.1 } }
position = [0.02, 0.01, 0.0998]
rotation = [0, 0, 20]
"#;

/// Settings of the bricks: rigid ones by cones, soft ones by a method with a past and a law with memory,
/// and rigid ones whose stretch is part of the method's state.
const SETTINGS: [&[&str]; 3] = [
    &[
        "integrator.method=symplectic-euler",
        "contact.method=exact",
        "body.low.rigid=true",
        "body.high.rigid=true",
    ],
    &[
        "integrator.method=bdf2",
        "contact.friction={ law = \"cundall-strack\", stiffness = 1e3, damping = 1 }",
        "contact.normal={ law = \"linear\", stiffness = 1e4, damping = 5 }",
        "body.low.springs={ edge = { stiffness = 1e3, damping = 1 }, face_diagonal = { stiffness = 1e3 } }",
        "body.high.springs={ edge = { stiffness = 1e3, damping = 1 }, face_diagonal = { stiffness = 1e3 } }",
    ],
    &[
        "integrator.method=rk45",
        "contact.friction={ law = \"cundall-strack\", stiffness = 1e3, damping = 1 }",
        "contact.normal={ law = \"linear\", stiffness = 1e4, damping = 5 }",
        "body.low.rigid=true",
        "body.high.rigid=true",
    ],
];

/// A particle that slides: the smallest scene of the library.
pub fn sliding() -> Scene {
    let set = vec!["time.end=2e-3".to_string(), "time.output=1e-3".to_string()];
    let options = LoadOptions { set, allow_path: false };
    load(&root("scenes/sliding_block.toml"), &options).expect("a scene").scene
}

fn bricks(set: &[&str]) -> Scene {
    let set = set.iter().map(|text| text.to_string()).collect();
    let options = LoadOptions { set, allow_path: false };
    load_text("bricks", BRICKS, Path::new("."), &options).expect("a scene").scene
}

thread_local! {
    /// The scenes, each with its run at t = 0.
    static SCENES: Vec<(Scene, Run)> = {
        let scenes = [sliding()].into_iter().chain(SETTINGS.map(bricks));
        scenes.map(|scene| (scene.clone(), begun(&scene))).collect()
    };
}

fn begun(scene: &Scene) -> Run {
    let mut run = Run::new(scene, &BuildOptions::default()).expect("a run");
    run.keep_no_frames();
    run
}

/// A run of a scene in its middle.
pub fn standing(scene: &Scene) -> Run {
    advanced(scene, scene.time.end() / 2.0)
}

fn advanced(scene: &Scene, time: f64) -> Run {
    let mut run = begun(scene);
    run.simulation_mut().advance_to(time).expect("some steps");
    run
}

fn bytes(run: &Run) -> Vec<u8> {
    let stored = Stored { checkpoint: run.checkpoint(), frames: 1, journal: (40, [7; 32]) };
    checkpoint::bytes(&stored, 42)
}

/// A checkpoint as a run writes it.
pub fn written() -> Vec<Vec<u8>> {
    vec![bytes(&standing(&sliding()))]
}

/// A checkpoint that differs from what was written must not be read.
pub fn read(bytes: &[u8]) -> Result<(), Refusal> {
    checkpoint::read(bytes, Some(42)).map(drop).map_err(Refusal::of)
}

/// Bytes of a checkpoint before its payload, of which the last eight are the length.
const BEFORE: usize = 48;

/// The payloads of all scenes in the middle, and of one at its end, whose state is judged as it was read.
pub fn payloads() -> Vec<Vec<u8>> {
    let of = |run: Run| {
        assert!(!run.simulation().state.memory.contacts.is_empty());
        payload(&bytes(&run), BEFORE)
    };
    SCENES.with(|scenes| {
        let ended = scenes.last().map(|(scene, _)| advanced(scene, scene.time.end()));
        scenes.iter().map(|(scene, _)| standing(scene)).chain(ended).map(of).collect()
    })
}

/// Another payload in a checkpoint whose length and checksum are right: the run of a scene that it fits
/// is resumed and ended.
pub fn resumed(payload: &[u8]) -> Result<(), Refusal> {
    static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| written().remove(0));
    let length = (payload.len() as u64).to_le_bytes();
    let bytes = with_checksum([&SOUND[..BEFORE - 8], &length, payload].concat());
    let stored = checkpoint::read(&bytes, Some(42)).map_err(Refusal::of)?;
    let scene = SCENES.with(|scenes| {
        let of = scenes.iter().find(|(_, run)| run.fits(&stored.checkpoint));
        of.map(|(scene, _)| scene.clone()).ok_or_else(|| Refusal::of("it is of another scene"))
    })?;
    let mut run = begun(&scene);
    run.resume(stored.checkpoint, Vec::new());
    let outcome = run.finish_with(&mut Unobserved, &|| false).map_err(Refusal::of)?;
    run_json::document(&scene, &run, Some(&outcome), &[]);
    Ok(())
}
