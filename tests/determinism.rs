//! Same scene, same bits: whatever the number of threads, optimised or not. The hashes below are
//! those of every build on every machine; a change of them is a change of results and needs a line
//! in the changelog.

use std::path::Path;
use stiction::diagnosis::audit::Audit;
use stiction::run::{Run, Unobserved};
use stiction::scene::build::BuildOptions;
use stiction::scene::{LoadOptions, load, load_text};

/// Hash of all frames' states of a run.
struct FrameHashes(Vec<u64>);

impl stiction::run::Observer for FrameHashes {
    fn frame(
        &mut self,
        simulation: &stiction::simulation::Simulation,
        _frame: &stiction::run::Frame,
    ) -> std::io::Result<()> {
        self.0.push(simulation.state.hash());
        Ok(())
    }
}

fn library(name: &str, set: &[&str]) -> stiction::scene::Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let set = set.iter().map(|s| s.to_string()).collect();
    load(&path, &LoadOptions { set, allow_path: false }).unwrap().scene
}

/// The hash of the final state and the energy audit, which is summed over threads too.
fn end(scene: &stiction::scene::Scene, threads: usize) -> (String, Audit) {
    let options = BuildOptions { threads, ..BuildOptions::default() };
    let mut run = Run::new(scene, &options).unwrap();
    let outcome = run.finish_with(&mut Unobserved, &|| false).unwrap();
    (format!("{:016x}", outcome.state_hash), run.simulation().watches.audit)
}

#[test]
fn sliding_block_has_its_golden_hash() {
    let scene = library("sliding_block.toml", &["time.end=0.2", "time.step=1e-4"]);
    assert_eq!(end(&scene, 1).0, "f4d9905eca2ba538");
}

#[test]
fn tipping_box_has_its_golden_hash() {
    let set = ["time.end=0.2", "time.step=2e-5", "integrator.method=rk4"];
    let scene = library("tipping_box.toml", &set);
    assert_eq!(end(&scene, 1).0, "20a1210b46daedf0");
}

/// Bodies on bodies, and a brick on a mesh: candidates, clearances and pseudo-normals.
#[test]
fn contact_between_bodies_and_with_a_mesh_has_its_golden_hash() {
    for (name, end_time, golden) in [
        ("brick_stack.toml", "time.end=0.4", "df7dc7687809bdd7"),
        ("folded_rope.toml", "time.end=0.4", "10deeb43584ea83d"),
        ("brick_on_rough_ground.toml", "time.end=0.2", "e70fedf975febed8"),
    ] {
        let scene = library(name, &[end_time]);
        assert_eq!(end(&scene, 1).0, golden, "{name}");
    }
}

/// 24 × 24 × 24 particles on a turning sphere: enough springs for several threads, and every
/// libm function of moving contact.
const JELLY: &str = r#"
format = 1
[world]
gravity = [0, 0, -9.81]
[time]
end = 0.006
step = 1e-4
output = 0.001
[integrator]
method = "symplectic-euler"
[materials.jelly]
static_friction = 0.5
kinetic_friction = 0.4
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "cundall-strack", stiffness = 1e3, damping = 0.1 }
[[body]]
name = "jelly"
mass = 138.24
shape = { lattice = { counts = [24, 24, 24], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500, damping = 0.5 } }
rotation = [10, 20, 30]
position = [0, 0, 0.1]
velocity = [1, 0.3, -1]
[[collider]]
name = "ball"
shape = { sphere = { center = [0, 0, -3], radius = 3 } }
motion = { spin = { axis = [1, 1, 0], rate = 2 }, oscillate = { direction = [0, 0, 1], amplitude = 0.05, frequency = 20 } }
"#;

#[test]
fn jelly_has_its_golden_hash_for_any_number_of_threads() {
    let scene = load_text("jelly", JELLY, Path::new("."), &LoadOptions::default()).unwrap().scene;
    let golden = "749f610c8a911319";
    let (hash, audit) = end(&scene, 1);
    assert_eq!(hash, golden);
    for threads in [2, 3, 7] {
        assert_eq!(end(&scene, threads), (golden.to_string(), audit), "{threads} threads");
    }
}

#[test]
fn every_integrator_gives_the_same_frames_twice() {
    for entry in &stiction::integrators::INTEGRATORS {
        let method = format!("integrator.method={}", entry.name);
        let scene = library(
            "tipping_box.toml",
            &["time.end=0.02", "time.step=1e-4", "time.output=0.002", &method],
        );
        let frames = || {
            let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
            let mut hashes = FrameHashes(Vec::new());
            run.finish_with(&mut hashes, &|| false).unwrap();
            hashes.0
        };
        assert_eq!(frames(), frames(), "{}", entry.name);
    }
}
