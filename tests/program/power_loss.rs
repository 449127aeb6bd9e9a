//! Power is lost at every sync of a run, and the run goes on with the same bytes.

use super::support::disk::{Chance, FailingDisk, Forgotten};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_core::simulation::Simulation;
use stiction_lab::output::folder::atomic;
use stiction_lab::output::folder::directory::{OutputError, RunDirectory};
use stiction_lab::output::folder::files::Files;
use stiction_lab::output::folder::manifest::{Manifest, Settings};
use stiction_lab::run::{Observer, Recorded, Run, RunCheckpoint, Status};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, Scene, load_text};

const SCENE: &str = r#"
format = 1
[time]
end = 24e-4
step = 1e-4
output = 4e-4
[integrator]
method = "adams-bashforth-2"
[materials.wood]
static_friction = 0.5
[contact]
normal = { law = "linear", stiffness = 1e4, damping = 5 }
friction = { law = "cundall-strack", stiffness = 1e4 }
[[body]]
name = "box"
material = "wood"
mass = 1.0
shape = { lattice = { counts = [2, 1, 1], spacing = 0.1 } }
springs = { edge = { stiffness = 1e3, damping = 1 } }
position = [0, 0, -1e-4]
velocity = [0.3, 0, 0]
[[collider]]
name = "floor"
material = "wood"
shape = { plane = { normal = [0, 0, 1], point = [0, 0, 0] } }
[[measure]]
name = "creep"
kind = "creep"
body = "box"
direction = [1, 0, 0]
[[measure]]
name = "x"
kind = "position"
body = "box"
[expect]
x_x = { at = "max", value = 0.0, tolerance = 1.0 }
"#;

const FOLDER: &str = "out/run";

/// Steps between checkpoints: no multiple of those between frames.
const EVERY: u64 = 5;

fn scene() -> Scene {
    let loaded = load_text("scene.toml", SCENE, Path::new("."), &LoadOptions::default());
    loaded.unwrap_or_else(|errors| panic!("{}", errors.render(false))).scene
}

fn manifest(scene: &Scene) -> Manifest {
    Manifest::begin(Path::new("scene.toml"), "0".repeat(64), scene.time.end(), Settings::default())
}

/// Makes checkpoints by steps, and remembers the last that was acknowledged.
struct Job {
    directory: RunDirectory,
    acknowledged: Option<u64>,
}

impl Observer for Job {
    fn frame(&mut self, simulation: &Simulation, frame: &Recorded) -> io::Result<()> {
        self.directory.frame(simulation, frame)
    }

    fn wants_checkpoint(&mut self, step: u64) -> bool {
        step.is_multiple_of(EVERY)
    }

    fn checkpoint(&mut self, checkpoint: RunCheckpoint) -> io::Result<()> {
        let step = checkpoint.step();
        self.directory.checkpoint(checkpoint)?;
        self.acknowledged = Some(step);
        Ok(())
    }
}

/// End of a run.
#[derive(Default)]
struct Fate {
    /// the last checkpoint that was acknowledged, by this run or before
    acknowledged: Option<u64>,
    /// the step from which it went on
    from: Option<u64>,
    finished: bool,
    trouble: Option<String>,
}

/// Runs in the folder, going on with what is there; `before` was acknowledged earlier.
fn run(scene: &Scene, disk: &FailingDisk, before: Option<u64>) -> Fate {
    let mut run = Run::new(scene, &BuildOptions::default()).unwrap();
    run.keep_no_frames();
    let (files, path): (Arc<dyn Files>, _) = (Arc::new(disk.clone()), Path::new(FOLDER));
    let mut fate = Fate { acknowledged: before, ..Fate::default() };
    let resumed = RunDirectory::resume_at(files.clone(), path, &mut run, manifest(scene), false);
    let directory = match resumed {
        Ok(resumed) => {
            fate.from = resumed.step;
            Ok(resumed.directory)
        }
        // nothing was begun there
        Err(OutputError::Unusable { .. }) if before.is_none() => {
            RunDirectory::begin(files, path, &run, manifest(scene))
        }
        Err(error) => Err(error),
    };
    let directory = match directory {
        Ok(directory) => directory,
        Err(error) => {
            fate.trouble = Some(error.to_string());
            return fate;
        }
    };
    let mut job = Job { directory, acknowledged: before };
    let outcome = run.finish_with(&mut job, &|| false);
    fate.acknowledged = job.acknowledged;
    let finished = outcome.map_err(OutputError::Named).and_then(|outcome| {
        assert_eq!(outcome.status, Status::Completed);
        let document =
            stiction_lab::output::folder::run_json::document(scene, &run, Some(&outcome), &[]);
        job.directory.finish(&document, &run, None)
    });
    fate.finished = finished.is_ok();
    fate.trouble = finished.err().map(|error| error.to_string());
    fate
}

/// The results, without checkpoints.
fn results(disk: &FailingDisk) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = disk.files();
    files.retain(|path, _| !path.to_string_lossy().contains("checkpoints"));
    files
}

/// Loses power at every sync, and says what went wrong, if anything.
fn campaign(seeds: u64, forgotten: Option<Forgotten>) -> Result<usize, String> {
    let scene = scene();
    let whole = FailingDisk::with("out");
    assert!(run(&scene, &whole, None).finished);
    let (wanted, mut trials) = (results(&whole), 0);
    for sync in 0..whole.syncs() {
        let disk = FailingDisk::with("out");
        disk.fail_at(sync);
        if let Some(forgotten) = forgotten {
            disk.forget(forgotten);
        }
        let first = run(&scene, &disk, None);
        assert!(!first.finished, "power was lost at sync {sync}");
        for seed in 0..seeds {
            trials += 1;
            let mut found = disk.after_failure(seed);
            let mut before = first.acknowledged;
            // every fourth loses power a second time
            if seed % 4 == 0 {
                found.fail_at(Chance::of(seed + 1).below(12) as usize);
                let second = run(&scene, &found, before);
                before = second.acknowledged;
                found = found.after_failure(seed + 1);
            }
            let last = run(&scene, &found, before);
            let place = format!("sync {sync}, seed {seed}");
            if !last.finished {
                return Err(format!("{place}: {:?}", last.trouble));
            }
            if last.from < before {
                return Err(format!("{place}: from {:?}, kept {before:?}", last.from));
            }
            if let Some(path) = differing(&results(&found), &wanted) {
                return Err(format!("{place}: `{}` differs", path.display()));
            }
        }
    }
    // and after the end of a run: what was said to be complete is there
    for seed in 0..seeds {
        let disk = FailingDisk::with("out");
        if let Some(forgotten) = forgotten {
            disk.forget(forgotten);
        }
        run(&scene, &disk, None);
        if let Some(path) = differing(&results(&disk.after_failure(seed)), &wanted) {
            return Err(format!("at the end, seed {seed}: `{}` differs", path.display()));
        }
    }
    Ok(trials)
}

fn differing(
    found: &BTreeMap<PathBuf, Vec<u8>>,
    wanted: &BTreeMap<PathBuf, Vec<u8>>,
) -> Option<PathBuf> {
    let mut names = wanted.keys().chain(found.keys());
    names.find(|name| found.get(*name) != wanted.get(*name)).cloned()
}

/// Seeds for each sync.
const SEEDS: u64 = 200;

#[test]
fn power_may_be_lost_at_every_sync() {
    let trials = campaign(SEEDS, None).unwrap_or_else(|trouble| panic!("{trouble}"));
    assert!(trials > 40 * SEEDS as usize, "{trials} trials");
}

#[test]
fn a_sync_that_is_left_out_is_found() {
    are_found(&[Forgotten::Data, Forgotten::Half(".ck")]);
}

#[test]
#[ignore = "takes long: .ci/nightly"]
fn any_other_sync_that_is_left_out_is_found() {
    are_found(&[
        Forgotten::Half("manifest.toml"),
        Forgotten::Half("run.json"),
        Forgotten::Folder("checkpoints"),
        Forgotten::Folder("trajectory"),
    ]);
}

fn are_found(syncs: &[Forgotten]) {
    for &forgotten in syncs {
        let found = campaign(SEEDS, Some(forgotten));
        assert!(found.is_err(), "{forgotten:?} was not missed");
    }
}

#[test]
fn a_file_written_in_one_move_is_old_or_new() {
    let path = Path::new("sweep/jobs/00001.json");
    let write = |disk: &FailingDisk, shared: bool, text: &[u8]| match shared {
        true => atomic::write_shared_to(disk, path, text),
        false => atomic::write_to(disk, path, text),
    };
    for shared in [false, true] {
        for sync in 0..6 {
            for seed in 0..SEEDS {
                let disk = FailingDisk::with("sweep/jobs");
                write(&disk, shared, b"the first").unwrap();
                disk.fail_at(disk.syncs() + sync);
                let acknowledged = write(&disk, shared, b"the second, longer").is_ok();
                let found = disk.after_failure(seed);
                let text = found.read(path, 100).unwrap();
                let new = text == b"the second, longer";
                assert!(new || (!acknowledged && text == b"the first"), "{text:?}");
            }
        }
    }
}
