//! Same scene, same bits: whatever the number of threads, optimised or not. The hashes below are
//! those of every build on every machine; a change of them is a change of results and needs a line
//! in the changelog: `STICTION_HASHES=write cargo test --release --test determinism` writes
//! hashes.txt anew.

mod golden;
// one of these tests needs a program, none needs Python
#[allow(dead_code)]
#[path = "../support/tools.rs"]
mod tools;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use stiction_core::diagnosis::audit::Audit;
use stiction_core::diagnosis::trust::Verdict;
use stiction_lab::output::folder::checkpoint::{self, Stored};
use stiction_lab::output::folder::run_json;
use stiction_lab::run::{Recorded, Run, RunCheckpoint, Unobserved};
use stiction_lab::validation::same_bits::{Part, Promise, SameBits, markdown, same_bits};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load, load_text};

/// Hash of all frames' states of a run.
struct FrameHashes(Vec<u64>);

impl stiction_lab::run::Observer for FrameHashes {
    fn frame(
        &mut self,
        simulation: &stiction_core::simulation::Simulation,
        _frame: &stiction_lab::run::Recorded,
    ) -> std::io::Result<()> {
        self.0.push(simulation.state.hash());
        Ok(())
    }
}

fn library(name: &str, set: &[&str]) -> stiction_scene::Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes").join(name);
    let set = set.iter().map(|s| s.to_string()).collect();
    load(&path, &LoadOptions { set, allow_path: false }).unwrap().scene
}

/// The hash of the final state, and the energy audit and the verdict, whose sums go over threads too.
fn end(scene: &stiction_scene::Scene, threads: usize) -> (String, Audit, Verdict) {
    let options = BuildOptions { threads, ..BuildOptions::default() };
    let mut run = Run::new(scene, &options).unwrap();
    let outcome = run.finish_with(&mut Unobserved, &|| false).unwrap();
    let audit = run.simulation().watches.audit;
    (format!("{:016x}", outcome.state_hash), audit, outcome.verdict)
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

/// Without optimisation golden hashes alone are asked for, each once.
const ONCE: bool = cfg!(debug_assertions);

#[test]
fn jelly_has_its_golden_hash_for_any_number_of_threads() {
    let scene = load_text("jelly", JELLY, Path::new("."), &LoadOptions::default()).unwrap().scene;
    let golden = "749f610c8a911319";
    let alone = end(&scene, 1);
    assert_eq!(alone.0, golden);
    for &threads in if ONCE { &[][..] } else { &[2, 3, 7] } {
        assert_eq!(end(&scene, threads), alone, "{threads} threads");
    }
}

/// A cloth, bricks, loose particles and ropes on each other: contacts of every kind, and too few springs for
/// threads to share, so that they share the contacts alone.
fn heap() -> String {
    let mut text =
        JELLY[..JELLY.find("[[body]]").unwrap()].replace("normal =", "bodies = true\nnormal =");
    text += "[[collider]]\nname = \"floor\"\nshape = { plane = {} }\n";
    let mut add = |name: String, shape: String, place: [f64; 3], velocity: [f64; 3]| {
        text += &format!(
            "[[body]]\nname = \"{name}\"\nmass = 1\nshape = {{ {shape} }}\nradius = 0.02\n"
        );
        text += &format!("position = {place:?}\nvelocity = {velocity:?}\n");
        if !name.starts_with("grains") {
            text += "springs = { edge = { stiffness = 500, damping = 0.1 } }\n";
        }
    };
    let cloth = "cloth = { counts = [40, 40], spacing = 0.05 }";
    add("cloth".into(), cloth.into(), [0.0, 0.0, 0.02], [0.0; 3]);
    for n in 0..6 {
        let brick = "lattice = { counts = [6, 6, 4], spacing = 0.05 }";
        let place = [0.3 * f64::from(n) - 0.75, 0.5, 0.058];
        add(format!("brick{n}"), brick.into(), place, [0.3, 0.1, -1.0]);
    }
    let grid = |n: i32| [0.05 * f64::from(n % 15), 0.05 * f64::from(n / 15), 0.0];
    let places: Vec<_> = (0..225).map(grid).collect();
    for n in 0..2 {
        let grains = format!("points = {{ positions = {places:?} }}");
        let place = [-0.8, -0.8, 0.058 + 0.038 * f64::from(n)];
        add(format!("grains{n}"), grains, place, [0.0, 0.2, -0.5]);
    }
    for n in 0..6 {
        let at = 0.1 * f64::from(n);
        let rope = |to: [f64; 2]| {
            format!("rope = {{ from = [0, 0, 0], to = [{}, {}, 0], segments = 40 }}", to[0], to[1])
        };
        add(format!("along{n}"), rope([0.7, 0.0]), [-0.8, at - 0.8, 0.134], [0.2, 0.0, -0.5]);
        add(format!("across{n}"), rope([0.0, 0.7]), [at - 0.8, -0.8, 0.172], [0.0, 0.0, -0.5]);
    }
    text
}

#[test]
#[cfg_attr(debug_assertions, ignore = "with optimisation alone")]
fn a_heap_is_the_same_for_any_number_of_threads() {
    let scene = load_text("heap", &heap(), Path::new("."), &LoadOptions::default()).unwrap().scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
    run.simulation_mut().advance_to(0.005).unwrap();
    let memory = &run.simulation().state.memory;
    let mut kinds: Vec<_> = memory.contacts.iter().map(|contact| contact.key.kind).collect();
    kinds.dedup();
    assert_eq!(kinds.len(), 5, "{kinds:?}");
    let candidates = &memory.candidates;
    let count = candidates.points.len() + candidates.surfaces.len() + candidates.edges.len();
    assert!(count > 5000, "{count} candidates");
    let alone = end(&scene, 1);
    for threads in [2, 3, 7] {
        assert_eq!(end(&scene, threads), alone, "{threads} threads");
    }
}

/// The same jelly on other grounds: a mesh with clearances, and a plane on which it is judged as one body.
#[test]
#[cfg_attr(debug_assertions, ignore = "with optimisation alone")]
fn jelly_on_other_grounds_is_the_same_for_any_number_of_threads() {
    let (ball, moves) = ("sphere = { center = [0, 0, -3], radius = 3 }", "\nmotion = ");
    let ball_ends = JELLY.find(moves).unwrap();
    for (ground, contacts) in
        [("mesh = { path = \"scenes/meshes/rough_ground.obj\" }", 20), ("plane = {}", 500)]
    {
        let text = JELLY[..ball_ends].replace(ball, ground);
        let text = text.replace("rotation = [10, 20, 30]", "").replace("0.1]", "0]");
        let scene = load_text("jelly", &text, Path::new("."), &LoadOptions::default()).unwrap();
        let mut run = Run::new(&scene.scene, &BuildOptions::default()).unwrap();
        run.simulation_mut().advance_to(0.006).unwrap();
        assert!(run.simulation().state.memory.contacts.len() > contacts, "{ground}");
        let alone = end(&scene.scene, 1);
        for threads in [2, 3, 7] {
            assert_eq!(end(&scene.scene, threads), alone, "{ground}: {threads} threads");
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "with optimisation alone")]
fn every_integrator_gives_the_same_frames_twice() {
    for entry in &stiction_core::integrators::INTEGRATORS {
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

/// Hashes of hashes.txt, by the names of the runs.
fn golden() -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(hashes()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.rsplit_once(' ')).map(|(k, v)| (k.into(), v.into())).collect()
}

fn hashes() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/determinism/hashes.txt")
}

/// Compares with hashes.txt, or, where STICTION_HASHES is set, writes the hashes there.
fn compare(found: &[(String, String)]) {
    static WRITING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _alone = WRITING.lock().unwrap();
    let mut golden = golden();
    if std::env::var_os("STICTION_HASHES").is_some() {
        golden.extend(found.iter().cloned());
        let mut text =
            String::from("# hashes of final states; a change needs a line in CHANGELOG.md\n");
        golden.iter().for_each(|(what, hash)| text += &format!("{what} {hash}\n"));
        std::fs::write(hashes(), text).unwrap();
        return;
    }
    let other = found.iter().filter(|(what, hash)| golden.get(what) != Some(hash));
    let other: Vec<String> =
        other.map(|(what, hash)| format!("{what}: {hash}, not {:?}", golden.get(what))).collect();
    assert!(
        other.is_empty(),
        "other bits than before; where that is meant, write hashes.txt anew and say so in \
         CHANGELOG.md:\n{}",
        other.join("\n")
    );
}

/// Scenes of the folders, in the order of their names.
fn all_scenes() -> Vec<String> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut all = Vec::new();
    for folder in ["", "league", "new", "failing"] {
        for file in std::fs::read_dir(home.join(folder)).unwrap() {
            let name = file.unwrap().file_name().into_string().unwrap();
            // its mesh is written beside it by `stiction new`
            let lacks_its_mesh = folder == "new" && name == "mesh.toml";
            if name.ends_with(".toml") && !lacks_its_mesh {
                all.push(Path::new(folder).join(name).display().to_string());
            }
        }
    }
    all.sort();
    all
}

/// The first steps of a scene.
fn beginning(name: &str, steps: u64) -> stiction_scene::Scene {
    let step = library(name, &[]).time.step;
    let end = format!("time.end={}", step * steps as f64);
    let output = format!("time.output={}", step * steps as f64);
    library(name, &[&end, &output])
}

#[test]
fn the_first_steps_of_every_scene_have_their_golden_hashes() {
    let all = all_scenes();
    let ran = all.iter().map(|name| {
        let (hash, ..) = end(&beginning(name, SCENE_STEPS), 1);
        (format!("scene {name}"), hash)
    });
    compare(&ran.collect::<Vec<_>>());
    let gone =
        golden().into_keys().filter_map(|what| what.strip_prefix("scene ").map(str::to_string));
    let gone: Vec<_> = gone.filter(|name| !all.contains(name)).collect();
    assert!(gone.is_empty(), "hashes.txt holds {gone:?}, which are no scenes");
}

const SCENE_STEPS: u64 = 60;

/// Checks that every checkpoint of a run fits another one of the same scene, at t = 0.
struct Fits(Run);

impl stiction_lab::run::Observer for Fits {
    fn wants_checkpoint(&mut self, _step: u64) -> bool {
        true
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> std::io::Result<()> {
        match self.0.fits(&checkpoint) {
            true => Ok(()),
            false => Err(std::io::Error::other(format!("not at step {}", checkpoint.step()))),
        }
    }
}

#[test]
fn every_checkpoint_of_a_scene_fits_its_run() {
    // without optimisation the first steps are enough
    let steps = if cfg!(debug_assertions) { 3 } else { SCENE_STEPS };
    for name in all_scenes() {
        let scene = beginning(&name, steps);
        let run = || Run::new(&scene, &BuildOptions::default()).expect("it fits together");
        let ended = run().finish_with(&mut Fits(run()), &|| false);
        ended.unwrap_or_else(|why| panic!("{name}: {why}"));
    }
}

/// 160 particles that land on a floor and slide: more than direct solvers factor column by column.
const SLAB: &str = r#"
format = 1
world.gravity = [0, 0, -9.81]
time = { end = 0.005, step = 1e-4, output = 0.005 }
integrator.method = "rk4"
materials.jelly = { static_friction = 0.5, kinetic_friction = 0.4 }
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "threshold", epsilon = 1e-2 }
[[body]]
name = "slab"
mass = 1.6
shape = { lattice = { counts = [8, 4, 5], spacing = 0.1 } }
springs = { edge = { stiffness = 500, damping = 0.5 }, face_diagonal = { stiffness = 500, damping = 0.5 } }
rotation = [0, 5, 0]
position = [0, 0, 0.025]
velocity = [1, 0.2, -0.5]
[[collider]]
name = "floor"
shape = { plane = {} }
"#;

/// A scene that the method of a row suits.
fn fitting(row: &SameBits) -> stiction_scene::Scene {
    let set = match (row.part, row.name) {
        (Part::Integrator, name) => vec![format!("integrator.method={name}")],
        (Part::LinearSolver, name) => vec![
            "integrator.method=implicit-euler".to_string(),
            format!("integrator.linear_solver={name}"),
            "time.step=1e-3".to_string(),
        ],
        (Part::ContactMethod, "impulse") => return beginning("rigid_ramp.toml", 100),
        (Part::ContactMethod, "exact") => return beginning("exact_incline.toml", 100),
        (Part::ContactMethod, _) => vec![],
    };
    let options = LoadOptions { set, allow_path: false };
    load_text("slab", SLAB, Path::new("."), &options).unwrap().scene
}

/// Promises D0 and D1 by running again; D2 by hashes that [`other_processors_give_the_same_bits`]
/// asks for on other processors, and `.ci/run` without optimisation.
#[test]
fn methods_keep_what_is_promised_of_them() {
    let mut ran = Vec::new();
    // under the emulator once is enough
    let once = ONCE || std::env::var_os("STICTION_EMULATED").is_some();
    for row in same_bits() {
        let scene = fitting(&row);
        let first = end(&scene, 1);
        if row.again == Promise::Kept && !once {
            assert_eq!(end(&scene, 1), first, "{} again", row.name);
        }
        if row.threads == Promise::Kept && !once {
            for threads in [2, 3, 8] {
                assert_eq!(end(&scene, threads), first, "{} on {threads} threads", row.name);
            }
        }
        if row.processors == Promise::Kept {
            ran.push((format!("{} {}", row.part.words(), row.name), first.0));
        }
    }
    compare(&ran);
}

/// Takes a run out of memory and back, at one step, as a checkpoint does.
struct Middle {
    step: u64,
    bytes: Vec<u8>,
}

impl stiction_lab::run::Observer for Middle {
    fn frame(
        &mut self,
        _: &stiction_core::simulation::Simulation,
        _: &Recorded,
    ) -> std::io::Result<()> {
        Ok(())
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        step == self.step
    }

    fn checkpoint(&mut self, run: RunCheckpoint) -> std::io::Result<()> {
        let stored = Stored { checkpoint: run, frames: 0, journal: (0, [0; 32]) };
        self.bytes = checkpoint::bytes(&stored, 1);
        Ok(())
    }
}

/// Everything that a run says of itself at its end.
fn document(scene: &stiction_scene::Scene, run: &mut Run, seen: &mut Middle) -> serde_json::Value {
    let outcome = run.finish_with(seen, &|| false).unwrap();
    run_json::document(scene, run, Some(&outcome), &[])
}

#[test]
fn methods_go_on_with_the_bits_that_are_promised_of_them() {
    // without optimisation one place is enough
    let shares: &[u64] = if cfg!(debug_assertions) { &[5] } else { &[1, 5, 9] };
    for row in same_bits().iter().filter(|row| row.resumed == Promise::Kept) {
        let scene = fitting(row);
        let fresh = || {
            let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
            run.keep_no_frames();
            run
        };
        for share in shares {
            let step = (fresh().steps() * share / 10).max(1);
            let mut middle = Middle { step, bytes: Vec::new() };
            let straight = document(&scene, &mut fresh(), &mut middle);
            let stored = checkpoint::read(&middle.bytes, Some(1)).unwrap();
            let mut run = fresh();
            assert!(run.fits(&stored.checkpoint), "{} at step {step}", row.name);
            run.resume(stored.checkpoint, Vec::new());
            assert_eq!(run.simulation().state.step_count, step);
            let mut nothing = Middle { step: 0, bytes: Vec::new() };
            let resumed = document(&scene, &mut run, &mut nothing);
            assert_eq!(resumed, straight, "{} from step {step}", row.name);
        }
    }
}

#[test]
fn the_document_has_the_table_of_promises() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/determinism.md");
    let document = std::fs::read_to_string(path).unwrap();
    assert!(
        document.contains(&markdown()),
        "docs/determinism.md lacks this table:\n{}",
        markdown()
    );
}

/// All golden hashes with the mathematics that glibc has for a processor without fused
/// multiply-add, and one scene on such a processor.
#[test]
fn other_processors_give_the_same_bits() {
    on_others(&[("Nehalem", "sliding_block_has")]);
}

/// Every method on a processor with neither AVX nor fused multiply-add, and on one that has them.
#[test]
#[ignore = "takes long: .ci/nightly"]
fn every_method_has_the_same_bits_on_other_processors() {
    on_others(&[
        ("Nehalem", "promised"),
        ("Haswell", "promised"),
        ("Haswell", "sliding_block_has"),
    ]);
}

fn on_others(processors: &[(&str, &str)]) {
    // without optimisation the emulator takes minutes; under it no other is started
    if cfg!(debug_assertions) || std::env::var_os("STICTION_EMULATED").is_some() {
        return;
    }
    let masked = "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-AVX512F";
    let own = std::env::current_exe().unwrap();
    let again = |mut command: Command, name: &str, tests: &[&str]| {
        command.args(tests).arg("--test-threads=2").env("STICTION_EMULATED", "1");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}:\n{text}");
        assert!(!text.contains(" 0 passed"), "{name}:\n{text}");
    };
    let mut command = Command::new(&own);
    command.env("GLIBC_TUNABLES", masked);
    again(command, "glibc without FMA", &["golden", "promised"]);
    let found = tools::starts("qemu-x86_64", "--version");
    if !tools::at_hand(found, "qemu-x86_64 (Debian: qemu-user), which emulates other processors") {
        return;
    }
    for (cpu, tests) in processors {
        let mut command = Command::new("qemu-x86_64");
        command.args(["-cpu", cpu]).arg(&own);
        again(command, cpu, &[tests]);
    }
}
