//! Every scene of the library does what it says: it ends, trusted, with its expectations met.

use stiction_lab::run::{Means, Run, Status, Unobserved};
use stiction_scene::build::{BuildOptions, build};
use stiction_scene::{LoadOptions, Scene, load};

use rayon::prelude::*;
use std::path::{Path, PathBuf};

fn scenes() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let entries = std::fs::read_dir(folder).expect("the folder of scenes");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    paths
}

/// Runs one scene and lists what is wrong with it.
fn faults(path: &Path) -> Vec<String> {
    let loaded = match load(path, &LoadOptions::default()) {
        Ok(loaded) => loaded,
        Err(errors) => return vec![errors.render(false)],
    };
    let mut faults = Vec::new();
    let scene = &loaded.scene;
    if !loaded.warnings.is_empty() {
        faults.push(format!("{} warnings", loaded.warnings.len()));
    }
    if scene.title.is_empty() {
        faults.push("no title".into());
    }
    if scene.expectations.is_empty() {
        faults.push("expects nothing".into());
    }
    let mut run = match Run::new(scene, &BuildOptions::default()) {
        Ok(run) => run,
        Err(error) => return vec![error.to_string()],
    };
    let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
    if outcome.status != Status::Completed {
        faults.push(format!("{:?}", outcome.status));
    }
    for reason in &outcome.verdict.reasons {
        faults.push(reason.describe(&run.simulation().model));
    }
    for checked in outcome.checked.iter().filter(|checked| !checked.met()) {
        let e = &checked.expectation;
        let measured = checked.measured;
        faults.push(format!("{}: {measured:?}, not {} ± {}", e.column, e.value, e.tolerance));
    }
    faults.extend(faults_of_frames(scene, &run));
    faults
}

/// Every number is finite, but for swings and periods before the end, and friction never gives energy
/// back.
fn faults_of_frames(scene: &Scene, run: &Run) -> Vec<String> {
    let mut faults = Vec::new();
    let later = |column: &String| {
        scene.measures.iter().any(|m| m.reduce.is_some() && column.starts_with(&m.name))
    };
    let later: Vec<bool> = run.columns.iter().map(later).collect();
    for frame in &run.frames {
        let is_last = frame.time == run.simulation().state.time;
        let now = frame.measures.iter().zip(&later).filter(|(_, later)| is_last || !**later);
        let numbers = now.map(|(value, _)| value).chain([&frame.residual, &frame.max_hlambda]);
        if !numbers.copied().all(f64::is_finite) {
            faults.push(format!("a measure is not finite at t = {}", frame.time));
        }
    }
    if run.simulation().state.first_lost().is_some() {
        faults.push("the final state is not finite".into());
    }
    // velocities that are solved for are held to a tolerance, and a jump knows the forces of its
    // step as a mean
    let jumps = run.simulation().model.laws.is_none();
    let left = if jumps { 1e-12 + 1e-8 * run.simulation().watches.audit.throughput() } else { 0.0 };
    for pair in run.frames.windows(2) {
        let [before, after] = [&pair[0].flows, &pair[1].flows];
        for (name, a, b) in [
            ("stick", before.friction_stick, after.friction_stick),
            ("slip", before.friction_slip, after.friction_slip),
        ] {
            // what rounding of the sum may take away
            if b < a - 1e-13 * a.abs() - left {
                let time = pair[1].time;
                faults.push(format!("friction in {name} gave {:e} J at t = {time}", a - b));
            }
        }
    }
    faults
}

#[test]
fn every_scene_is_trusted_and_meets_its_expectations() {
    let paths = scenes();
    assert!(paths.len() >= 15, "{} scenes", paths.len());
    let faults: Vec<String> = paths
        .par_iter()
        .flat_map_iter(|path| {
            let name = path.file_name().expect("a file").display().to_string();
            faults(path).into_iter().map(move |fault| format!("{name}: {fault}"))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Particles and springs times steps from which a scene is verified by `check --run` alone:
/// docs/verdict.md has the figures of all.
const QUICK: u64 = 20_000_000;

/// Scenes that meet their expectations at every step, and whose bounces before that no step tried
/// resolves to 3 %: docs/verdict.md.
const SENSITIVE: [&str; 1] = ["crate.toml"];

/// The scene again at other steps: its numbers are trusted, and none of its
/// expectations is in doubt.
#[test]
fn the_quickest_scenes_are_trusted_when_they_are_verified() {
    verified(QUICK / 100, 3);
}

/// As above, for all scenes that are quick.
#[test]
#[ignore = "takes long: .ci/nightly"]
fn quick_scenes_are_trusted_when_they_are_verified() {
    verified(QUICK, 20);
}

/// Verifies scenes of up to `most` particles and springs times steps, of which there are at least
/// `least`.
fn verified(most: u64, least: usize) {
    let verify = |path: &PathBuf| -> Option<Vec<String>> {
        let scene = load(path, &LoadOptions::default()).expect("a scene").scene;
        let options = BuildOptions::default();
        let mut run = Run::new(&scene, &options).expect("it builds");
        let model = &run.simulation().model;
        let size = (model.particles() + model.springs.len()) as u64;
        let name = path.file_name().expect("a file").display().to_string();
        if size * scene.time.steps > most || SENSITIVE.contains(&name.as_str()) {
            return None;
        }
        run.verify(Means::STEP, Box::new(move |scene| build(scene, &options)));
        let outcome = run.finish_with(&mut Unobserved, &|| false).expect("nothing is written");
        let model = &run.simulation().model;
        let reasons = outcome.verdict.reasons.iter().map(|reason| reason.describe(model));
        let mut faults: Vec<String> = reasons.collect();
        faults.extend(outcome.checked.iter().filter(|c| c.in_doubt()).map(|c| {
            let e = &c.expectation;
            format!("{} is in doubt: {:?} ± {:?}", e.column, c.measured, c.error)
        }));
        if faults.is_empty() && !outcome.verdict.trusted() {
            faults.push("it was not verified".into());
        }
        Some(faults.into_iter().map(|fault| format!("{name}: {fault}")).collect())
    };
    let verified: Vec<Vec<String>> = scenes().par_iter().filter_map(verify).collect();
    assert!(verified.len() >= least, "{} scenes are quick", verified.len());
    assert!(verified.concat().is_empty(), "{}", verified.concat().join("\n"));
}

/// Each thing a scene can contain is shown by some scene of the library.
#[test]
fn the_library_shows_every_feature() {
    let texts: String =
        scenes().iter().map(|path| std::fs::read_to_string(path).expect("a scene")).collect();
    let mut names: Vec<&str> = Vec::new();
    names.extend(stiction_core::contact::collider::COLLIDERS.names());
    names.extend(stiction_core::world::shapes::SHAPES.names());
    let shapes = names.into_iter().map(|name| {
        let (inline, table) = (format!("shape = {{ {name} = "), format!("shape.{name}]"));
        (name, texts.contains(&inline) || texts.contains(&table))
    });
    let words = [
        "spin = {",
        "oscillate = {",
        "belt = {",
        "inside = true",
        "links =",
        "ramp =",
        "[[pair]]",
        "[pairing]",
        "anisotropy = {",
        "adhesion = {",
        "restitution =",
        "law = \"hunt-crossley\"",
        "law = \"formula\"",
        "bodies = true",
        "self_contact = true",
    ];
    let words = words.into_iter().map(|word| (word, texts.contains(word)));
    for (what, shown) in shapes.chain(words) {
        assert!(shown, "no scene shows `{what}`");
    }
}
