//! The results folder of a run: options, its manifest, and resuming.

use super::failures::output_failure;
use super::scene::SceneOptions;
use super::terminal::{Exit, Failure, say};
use super::verify::VerifyOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;
use stiction_core::math::number;
use stiction_lab::experiment::sweep::job::fingerprint;
use stiction_lab::output::folder::directory::RunDirectory;
use stiction_lab::output::folder::files::Disk;
use stiction_lab::output::folder::manifest::{Manifest, Settings, is_end};
use stiction_lab::run::Run;
use stiction_scene::Scene;

/// The path of a scene that is not given; no file has this name.
pub const NO_SCENE: &str = "\0";

/// Where results are kept, and how often a checkpoint is made.
#[derive(clap::Args, Clone)]
pub struct FolderOptions {
    /// Keep the results in this folder: run.json, measures.csv, trajectory/*.npy
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder
    #[arg(long, requires = "out")]
    pub force: bool,
    /// Keep forces, slip and dissipated work of contacts at every frame too, as arrays of particles
    /// and as one row per contact (the scene's `output.contacts`)
    #[arg(long, requires = "out")]
    pub contacts: bool,
    /// Write every frame for ParaView: frames/*.vtu and run.pvd (the scene's `output.vtu`)
    #[arg(long, requires = "out")]
    pub vtu: bool,
    /// Go on with the run in this folder from its last checkpoint, with the same bits as if it had
    /// not stopped. Scene and options are those it was begun with; `--set time.end=...` alone may
    /// differ
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "contacts", "vtu", "force", "replay", "integrator", "step", "verify", "observe_order"])]
    pub resume: Option<PathBuf>,
    /// Time of the clock between checkpoints, as 90s, 10m or 2h; 0 for none but when a signal or
    /// --max-wall stops the run
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = duration)]
    pub checkpoint_every: Duration,
}

impl FolderOptions {
    /// The folder for results of a new or a resumed run.
    pub fn path(&self) -> Option<&Path> {
        self.out.as_deref().or(self.resume.as_deref())
    }
}

/// Parses 90, 90s, 10m, 1.5h.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((i, 's')) => (&text[..i], 1.0),
        Some((i, 'm')) => (&text[..i], 60.0),
        Some((i, 'h')) => (&text[..i], 3600.0),
        _ => (text, 1.0),
    };
    digits
        .parse::<f64>()
        .ok()
        .and_then(|n| Duration::try_from_secs_f64(n * unit).ok())
        .ok_or_else(|| "give seconds, or a number followed by s, m or h".into())
}

/// The manifest of a run with these options.
pub fn manifest(
    options: &SceneOptions,
    verify: &VerifyOptions,
    observe_order: bool,
    replays: bool,
    scene: &Scene,
) -> Manifest {
    // absolute, since a run may be resumed from another folder
    let path = match options.scene.as_os_str() == "-" {
        true => "-".into(),
        false => std::path::absolute(&options.scene).unwrap_or_else(|_| options.scene.clone()),
    };
    let settings = Settings {
        set: options.sets(),
        verify: verify.means().map(|means| means.word().into()),
        observe_order,
        replays,
        allow_path: options.allow_path,
    };
    let path = path.to_string_lossy().into_owned();
    Manifest::begin(path, fingerprint(scene, &[]), scene.time.end(), settings)
}

/// The options with which the run in a folder was started, with its scene unless another path is
/// given.
pub fn begun_with(
    given: &SceneOptions,
    folder: &Path,
) -> Result<(SceneOptions, Settings), Failure> {
    let manifest = RunDirectory::manifest_of(&Disk, folder).map_err(output_failure)?;
    if let Some(other) = given.set.iter().find(|text| !is_end(text)) {
        let message = format!(
            "--set {other}: a run that is gone on with keeps the scene it was begun with; only time.end may be changed"
        );
        return Err(Failure::new(Exit::Usage, message));
    }
    if manifest.settings.replays {
        let message = format!(
            "the run in {} does a recording again, of which no checkpoint is made: begin it anew with --replay, --out and --force",
            folder.display()
        );
        return Err(Failure::new(Exit::Unusable, message));
    }
    let mut options = given.clone();
    if options.scene.as_os_str() == NO_SCENE {
        options.scene = PathBuf::from(&manifest.scene);
    }
    let same_end = given.set.is_empty();
    let begun = manifest.settings.set.iter().filter(|text| same_end || !is_end(text));
    options.set = begun.chain(&given.set).cloned().collect();
    options.allow_path = manifest.settings.allow_path;
    Ok((options, manifest.settings))
}

/// Whether the run in the folder has already reached this end.
pub fn is_complete(folder: &Path, manifest: &Manifest) -> Result<bool, Failure> {
    let begun = RunDirectory::manifest_of(&Disk, folder).map_err(output_failure)?;
    Ok(begun.status == "completed"
        && begun.end == manifest.end
        && begun.identity() == manifest.identity())
}

/// Opens the requested folder, and brings the run to its last checkpoint.
pub fn open(
    options: &FolderOptions,
    run: &mut Run,
    manifest: Manifest,
) -> Result<Option<RunDirectory>, Failure> {
    let mut directory = match (&options.out, &options.resume) {
        (_, Some(path)) => gone_on(path, run, manifest)?,
        (Some(path), None) => {
            RunDirectory::create(path, run, manifest, options.force).map_err(output_failure)?
        }
        (None, None) => return Ok(None),
    };
    let every = options.checkpoint_every;
    directory.checkpoint_every((every > Duration::ZERO).then_some(every));
    Ok(Some(directory))
}

fn gone_on(path: &Path, run: &mut Run, manifest: Manifest) -> Result<RunDirectory, Failure> {
    let gone_on = RunDirectory::go_on(path, run, manifest).map_err(output_failure)?;
    for notice in &gone_on.notices {
        say(&format!("warning: {notice}; an earlier checkpoint serves"));
    }
    let state = &run.simulation().state;
    say(&match gone_on.step {
        Some(step) => format!(
            "goes on from the checkpoint at t = {} s, step {step} of {}",
            number(state.time),
            run.steps()
        ),
        None => "there is no checkpoint from which it can go on: the run begins anew".into(),
    });
    Ok(gone_on.directory)
}

/// The command that resumes a stopped run.
pub fn to_go_on(folder: &Path) -> String {
    format!("to go on: stiction run --resume {}", folder.display())
}
