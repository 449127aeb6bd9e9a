//! A checkpoint that an earlier build wrote is resumed with the bits of a straight run.

use super::{Middle, document};
use stiction_lab::output::folder::checkpoint;
use stiction_lab::run::Run;
use stiction_scene::build::BuildOptions;
use stiction_scene::{LoadOptions, load};

/// A block under a law with memory, in the middle of its run.
fn fresh() -> (stiction_scene::Scene, Run) {
    let friction = "contact.friction={law=\"cundall-strack\", stiffness=1e4, damping=10}";
    let set = ["time.end=0.02", "time.output=0.01", friction];
    let options = LoadOptions { set: set.map(String::from).to_vec(), allow_path: false };
    let scene = load("scenes/sliding_block.toml".as_ref(), &options).expect("a scene").scene;
    let mut run = Run::new(&scene, &BuildOptions::default()).expect("it fits together");
    run.keep_no_frames();
    (scene, run)
}

/// If the layout of checkpoints changes, earlier ones cannot be resumed: say so in CHANGELOG.md,
/// and make this one anew by `STICTION_GOLDEN=1 cargo test --release --test determinism golden`.
#[test]
fn a_golden_checkpoint_is_resumed_with_the_same_bits() {
    let path = "tests/determinism/golden.ck";
    let (scene, mut run) = fresh();
    let mut middle = Middle { step: run.steps() / 2, bytes: Vec::new() };
    let straight = document(&scene, &mut run, &mut middle);
    if std::env::var_os("STICTION_GOLDEN").is_some() {
        std::fs::write(path, &middle.bytes).expect("a file");
    }
    let golden = std::fs::read(path).expect("the golden checkpoint");
    let stored = checkpoint::read(&golden, Some(1)).unwrap_or_else(|why| panic!("{path}: {why}"));
    assert_eq!(stored.checkpoint.step(), middle.step);
    let (scene, mut resumed) = fresh();
    assert!(resumed.fits(&stored.checkpoint));
    resumed.resume(stored.checkpoint, Vec::new());
    let mut nothing = Middle { step: 0, bytes: Vec::new() };
    assert_eq!(document(&scene, &mut resumed, &mut nothing), straight);
    let hash = |run: &Run| run.simulation().state.hash();
    assert_eq!(hash(&resumed), hash(&run));
    assert!(golden == middle.bytes, "this build writes other bytes at the same step");
}
