//! Power is lost at every sync of a run, and the run is resumed with the same bytes.

use super::support::disk::{Chance, FailingDisk, Forgotten};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stiction_core::simulation::Simulation;
use stiction_lab::output::folder::directory::{OutputError, RunDirectory};
use stiction_lab::output::folder::files::Files;
use stiction_lab::output::folder::manifest::{Manifest, Settings};
use stiction_lab::output::folder::{atomic, inspect};
use stiction_lab::run::{Observer, Recorded, Run, RunCheckpoint, Status};
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, Scene, load_text};

const SCENE: &str = r#"
format = 1
[time]
end = END
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

/// The ends of a run and of its extension.
const END: &str = "24e-4";
const LATER_END: &str = "48e-4";

fn scene(end: &str) -> Scene {
    let text = SCENE.replace("END", end);
    let loaded = load_text("scene.toml", &text, Path::new("."), &LoadOptions::default());
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
    /// the step from which it was resumed
    from: Option<u64>,
    /// checkpoints that did not serve
    notices: Vec<String>,
    finished: bool,
    trouble: Option<String>,
}

/// Runs in the folder, resuming what is there; `before` was acknowledged earlier.
fn run(scene: &Scene, disk: &FailingDisk, before: Option<u64>) -> Fate {
    let mut run = Run::new(scene, &BuildOptions::default()).unwrap();
    run.keep_no_frames();
    let (files, path): (Arc<dyn Files>, _) = (Arc::new(disk.clone()), Path::new(FOLDER));
    let mut fate = Fate { acknowledged: before, ..Fate::default() };
    let resumed = RunDirectory::resume_at(files.clone(), path, &mut run, manifest(scene), false);
    let directory = match resumed {
        Ok(resumed) => {
            fate.from = resumed.step;
            fate.notices = resumed.notices;
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
    let scene = scene(END);
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

/// Power is lost at every sync of a run, then at every sync of its extension: the bytes are those of one run
/// to the later end.
#[test]
fn power_may_be_lost_at_every_sync_of_an_extension() {
    let (short, long) = (scene(END), scene(LATER_END));
    let (begun, extended) = (FailingDisk::with("out"), FailingDisk::with("out"));
    assert!(run(&short, &begun, None).finished && run(&long, &extended, None).finished);
    let (wanted, mut trials) = (results(&extended), 0);
    for sync in 0..=begun.syncs() {
        let stopped = FailingDisk::with("out");
        stopped.fail_at(sync);
        let first = run(&short, &stopped, None);
        let found = || stopped.after_failure(sync as u64);
        let reached = found();
        assert!(run(&long, &reached, first.acknowledged).finished);
        for later in 0..reached.syncs() {
            trials += 1;
            let again = found();
            again.fail_at(later);
            let second = run(&long, &again, first.acknowledged);
            let last = again.after_failure(later as u64);
            let end = run(&long, &last, second.acknowledged);
            let place = format!("syncs {sync} and {later}");
            assert!(end.finished, "{place}: {:?}", end.trouble);
            assert_eq!(differing(&results(&last), &wanted), None, "{place}");
        }
    }
    assert!(trials > 1000, "{trials} trials");
}

/// A damaged earlier checkpoint does not stay, and a run that ended is sound.
#[test]
fn a_damaged_earlier_checkpoint_is_removed() {
    let scene = scene(LATER_END);
    let stopped = FailingDisk::with("out");
    stopped.fail_at(60);
    let first = run(&scene, &stopped, None);
    let found = stopped.after_failure(1);
    let checkpoints = Path::new(FOLDER).join("checkpoints");
    let mut names = found.list(&checkpoints).unwrap();
    names.sort();
    assert!(names.len() > 1, "{names:?}");
    let earliest = checkpoints.join(&names[0]);
    let mut bytes = found.files()[&earliest].clone();
    let place = bytes.len() / 2;
    bytes[place] ^= 1;
    found.create(&earliest).unwrap().write_at(0, &bytes).unwrap();
    let end = run(&scene, &found, first.acknowledged);
    assert!(end.finished && end.from == first.acknowledged, "{:?}", end.trouble);
    assert!(end.notices.iter().any(|notice| notice.contains("it is removed")), "{:?}", end.notices);
    assert!(!end.notices.iter().any(|notice| notice.contains("serves")), "{:?}", end.notices);
    assert!(!found.files().contains_key(&earliest));
    let (_, findings) = inspect::verify(&found, Path::new(FOLDER)).unwrap();
    let faults: Vec<_> = findings.iter().filter_map(|finding| finding.fault.as_ref()).collect();
    assert!(faults.is_empty(), "{} faults", faults.len());
}

/// A run that lost the checkpoint before its last quarter says that it cannot be made longer.
#[test]
fn a_lost_checkpoint_before_the_last_quarter_is_named() {
    let scene = scene(END);
    let checkpoints = Path::new(FOLDER).join("checkpoints");
    let whole = FailingDisk::with("out");
    assert!(run(&scene, &whole, None).finished);
    let said = |remove: bool| {
        let stopped = FailingDisk::with("out");
        stopped.fail_at(whole.syncs() - 8);
        let first = run(&scene, &stopped, None);
        let found = stopped.after_failure(1);
        let names = found.list(&checkpoints).unwrap();
        let early: Vec<_> = names.iter().filter(|name| name.as_str() < "000000000018.ck").collect();
        assert!(!early.is_empty() && early.len() < names.len(), "{names:?}");
        early.into_iter().filter(|_| remove).for_each(|name| {
            found.remove(&checkpoints.join(name)).unwrap();
        });
        let end = run(&scene, &found, first.acknowledged);
        assert!(end.finished && end.from > Some(18), "{:?}", end.from);
        end.notices.iter().any(|notice| notice.contains("not be made longer"))
    };
    assert_eq!((said(true), said(false)), (true, false));
}

/// A fault of writing at any sync while a run is resumed is its own reason: no checkpoint is called damaged.
#[test]
fn a_fault_of_writing_is_no_damage() {
    let scene = scene(LATER_END);
    let stopped = FailingDisk::with("out");
    stopped.fail_at(40);
    assert!(!run(&scene, &stopped, None).finished);
    let mut faults = 0;
    for sync in 0.. {
        let found = stopped.after_failure(1);
        found.fail_at(sync);
        let mut run = Run::new(&scene, &BuildOptions::default()).unwrap();
        let (files, path): (Arc<dyn Files>, _) = (Arc::new(found), Path::new(FOLDER));
        match RunDirectory::resume_at(files, path, &mut run, manifest(&scene), false) {
            Err(OutputError::Named(_) | OutputError::Io { .. }) => faults += 1,
            Err(error) => panic!("sync {sync}: {error}"),
            Ok(resumed) => {
                assert!(resumed.step.is_some() && resumed.notices.is_empty());
                break;
            }
        }
    }
    assert!(faults > 2, "{faults}");
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
        true => atomic::write_on(disk, path, text),
        false => atomic::write_alone(disk, path, text),
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
