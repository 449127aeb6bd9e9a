//! The folder of a sweep: `sweep.json` holds the plan, `jobs/00042.json` the results of one job,
//! and `cpu/00042` its CPU seconds.
//!
//! Every file is written whole or not at all, and holds a digest of itself: one that has changed counts as
//! not there. `jobs/*.json` depend only on the sweep: their bytes are the same on every machine and after
//! any number of interruptions. CPU seconds vary, and are kept apart.

use super::grid::{SweepAxis, SweepGrid, SweepJobs, SweepSettings, Values};
use super::job::Attempt;
use crate::output::folder::atomic;
use crate::output::folder::files::{Disk, Files};
use crate::output::folder::names::PLAN;
use crate::output::folder::sealed;
use crate::output::folder::sha256::sha256;
use crate::run::Status;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

/// Format of `sweep.json`.
pub const FORMAT: u32 = 3;

/// Most jobs of a folder.
pub const MOST_JOBS: usize = 4_000_000;

/// Largest table of results in memory \[bytes\].
pub const LARGEST_TABLE: u128 = 2 << 30;

/// Most columns of a table that is held in memory: writers of Parquet take time by their square.
pub const MOST_COLUMNS: usize = 20_000;

/// Largest table of results as text \[bytes\].
pub const LARGEST_TEXT: u128 = 1 << 30;

/// Largest files that are read \[bytes\]: a plan, the results of a job, CPU seconds.
const PLAN_MOST: u64 = 64 << 20;
const JOB_MOST: u64 = 64 << 20;
const CPU_MOST: u64 = 1 << 10;

/// Plan of a sweep: the content of `sweep.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FolderPlan {
    /// Format of this file: [`FORMAT`].
    pub format: u32,
    /// The program: [`PROGRAM`](crate::output::folder::manifest::PROGRAM).
    pub stiction: String,
    /// Hash of the scene, see [`super::job::fingerprint`].
    pub scene_sha256: String,
    /// `key=value` texts common to all jobs.
    pub set: Vec<String>,
    /// Means of verifying every run: step, method or both; absent if runs are not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<String>,
    /// The accuracy asked of every run; absent if none is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<String>,
    /// Number of jobs.
    pub jobs: usize,
    /// The varied quantities.
    #[serde(flatten)]
    pub grid: SweepGrid,
}

/// Reason why a folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The folder holds other files (exit 8).
    #[error("`{}` is not empty and holds no sweep; choose another folder", .0.display())]
    NotASweep(PathBuf),
    /// The folder holds another sweep (exit 8).
    #[error("`{}` holds another sweep; choose another folder. What differs:\n{differences}", .path.display())]
    Another {
        /// The folder.
        path: PathBuf,
        /// One line for each difference.
        differences: String,
    },
    /// A part of it is a symbolic link (exit 8).
    #[error("`{}` is a symbolic link: what is written there would lie outside the folder", .0.display())]
    Link(PathBuf),
    /// The folder holds no sweep that could be read (exit 7).
    #[error("`{}` holds no sweep that can be read: {why}", .path.display())]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The sweep has more than [`MOST_JOBS`] jobs (exit 9).
    #[error(
        "a sweep has at most {MOST_JOBS} jobs, and this one has {0}: give fewer values, or sweep parts of them into folders of their own"
    )]
    TooMany(usize),
    /// A table of the results takes more than [`LARGEST_TABLE`] or [`LARGEST_TEXT`] (exit 9).
    #[error(
        "a table of the {jobs} jobs takes {bytes} bytes or more, and at most {most} are made; sweep parts of the values into folders of their own"
    )]
    TableTooLarge {
        /// Number of jobs: of rows.
        jobs: usize,
        /// Least size of the table \[bytes\].
        bytes: u128,
        /// The limit \[bytes\].
        most: u128,
    },
    /// Its place is taken by another sweep (exit 5).
    #[error("`{}` is no longer the sweep that was begun there: nothing is written to it", .0.display())]
    Replaced(PathBuf),
    /// A file that the scene or a value names has changed since the sweep was begun (exit 8).
    #[error(
        "a file that the sweep reads has changed since it was begun: the result of job {0} is not stored"
    )]
    Changed(usize),
    /// A table has more than [`MOST_COLUMNS`] columns (exit 9).
    #[error("the table has {0} columns, and at most {MOST_COLUMNS} are made but for CSV")]
    TooWide(usize),
    /// The file system refused (exit 5).
    #[error("`{}`: {cause}", .path.display())]
    Io {
        /// The path written or read.
        path: PathBuf,
        /// The reason.
        cause: io::Error,
    },
}

/// The file of a finished job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobOutcome {
    /// SHA-256 of the plan of its sweep.
    pub plan: String,
    /// Its number.
    pub job: usize,
    /// The varied keys with their values.
    pub settings: SweepSettings,
    /// [`Status::COMPLETED`] or [`Status::FAILED`].
    pub status: String,
    /// Reason of the failure.
    pub message: Option<String>,
    /// The measured quantities.
    #[serde(flatten)]
    pub results: Map<String, Value>,
}

impl JobOutcome {
    /// The outcome of an attempt.
    pub fn of(plan: &str, job: usize, settings: &SweepSettings, attempt: Attempt) -> Self {
        JobOutcome {
            plan: plan.into(),
            job,
            settings: settings.clone(),
            status: if attempt.failure.is_some() { Status::FAILED } else { Status::COMPLETED }
                .into(),
            message: attempt.failure,
            results: attempt.results,
        }
    }

    /// Whether it failed.
    pub fn failed(&self) -> bool {
        self.status != Status::COMPLETED
    }
}

/// The folder of a sweep.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
    /// SHA-256 of `sweep.json`
    digest: String,
    /// Plan of the sweep.
    pub plan: FolderPlan,
    /// The jobs.
    pub jobs: SweepJobs,
}

impl Folder {
    /// Creates the folder, or opens it if it holds the same sweep.
    ///
    /// # Errors
    /// It holds something else, or a link in the place of a folder; too many jobs; or the file system
    /// refuses.
    pub fn create(path: &Path, plan: FolderPlan) -> Result<Folder, FolderError> {
        let io = |at: &Path| {
            let path = at.to_path_buf();
            move |cause| FolderError::Io { path, cause }
        };
        let file = path.join(PLAN);
        if plan.grid.count() > MOST_JOBS {
            return Err(FolderError::TooMany(plan.grid.count()));
        }
        if !file.exists() {
            let full = path.exists() && std::fs::read_dir(path).map_err(io(path))?.any(foreign);
            // another process may have begun the sweep since the first look
            if full && !file.exists() {
                return Err(FolderError::NotASweep(path.to_path_buf()));
            }
            std::fs::create_dir_all(path).map_err(io(path))?;
            atomic::write(&file, &sealed::seal(&plan)).map_err(io(&file))?;
        }
        // the files present now decide, also if another process was faster
        let folder = Folder::open(path)?;
        let differences = differences(&folder.plan, &plan);
        if !differences.is_empty() {
            let differences = differences.iter().map(|line| format!("  {line}\n")).collect();
            return Err(FolderError::Another { path: path.to_path_buf(), differences });
        }
        for name in ["jobs", "cpu"] {
            let inner = path.join(name);
            if std::fs::symlink_metadata(&inner).is_ok_and(|about| about.is_symlink()) {
                return Err(FolderError::Link(inner));
            }
            std::fs::create_dir_all(&inner).map_err(io(&inner))?;
        }
        Ok(folder)
    }

    /// Whether a folder is that of a sweep.
    pub fn is_one(path: &Path) -> bool {
        path.join(PLAN).exists()
    }

    /// Opens the folder of a sweep.
    ///
    /// # Errors
    /// Its plan is missing, is not what was written, is of another format, or is none that the command
    /// line would take.
    pub fn open(path: &Path) -> Result<Folder, FolderError> {
        let unreadable = |why: String| FolderError::Unreadable { path: path.to_path_buf(), why };
        let text = Disk
            .read(&path.join(PLAN), PLAN_MOST)
            .map_err(|error| unreadable(format!("{PLAN} cannot be read, {error}")))?;
        let plan: FolderPlan = sealed::open(&text).map_err(|why| {
            let earlier = serde_json::from_slice::<Value>(&text)
                .is_ok_and(|plan| plan["format"] != FORMAT && plan["sha256"].is_null());
            unreadable(match earlier {
                true => format!("{PLAN} is of another format than {FORMAT}: sweep anew"),
                false => format!("{PLAN}: {why}"),
            })
        })?;
        let SweepGrid { axes, sample } = plan.grid.clone();
        SweepGrid::new(axes, sample, MOST_JOBS as u64)
            .map_err(|why| unreadable(format!("{PLAN}: {why}")))?;
        if plan.format != FORMAT || plan.jobs != plan.grid.count() {
            return Err(unreadable(format!("{PLAN} contradicts itself, or is of another format")));
        }
        let jobs = plan.grid.jobs();
        Ok(Folder { path: path.to_path_buf(), digest: sha256(&text), plan, jobs })
    }

    fn job_file(&self, job: usize) -> PathBuf {
        self.path.join("jobs").join(format!("{job:05}.json"))
    }

    fn cpu_file(&self, job: usize) -> PathBuf {
        self.path.join("cpu").join(format!("{job:05}"))
    }

    /// Outcome of a job; `None` if it has not been run, or if its file does not belong to it.
    pub fn outcome(&self, job: usize) -> Option<JobOutcome> {
        let text = Disk.read(&self.job_file(job), JOB_MOST).ok()?;
        let outcome: JobOutcome = sealed::open(&text).ok()?;
        let is_its = outcome.plan == self.digest
            && outcome.job == job
            && outcome.settings == self.jobs.settings(job);
        is_its.then_some(outcome)
    }

    /// The jobs that have a file in `jobs`, sound or not.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn recorded(&self) -> Result<BTreeSet<usize>, FolderError> {
        self.listed("jobs", ".json")
    }

    /// The jobs that have a file in a folder, by the names in it: its size is that of the results, not of the plan.
    fn listed(&self, inner: &str, ending: &str) -> Result<BTreeSet<usize>, FolderError> {
        let path = self.path.join(inner);
        let number = |name: String| {
            let job: usize = name.strip_suffix(ending)?.parse().ok()?;
            (job < self.jobs.count() && name == format!("{job:05}{ending}")).then_some(job)
        };
        match Disk.list(&path) {
            Ok(names) => Ok(names.into_iter().filter_map(number).collect()),
            Err(cause) => Err(FolderError::Unreadable {
                path: self.path.clone(),
                why: format!("{inner} cannot be read, {cause}"),
            }),
        }
    }

    /// The jobs of which a file is there, but is not what was written, or lacks its CPU seconds, sorted.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn damaged(&self) -> Result<Vec<usize>, FolderError> {
        let mut recorded = self.recorded()?;
        let mut timed = self.listed("cpu", "")?;
        timed.extend(&recorded);
        timed.retain(|job| self.cpu_seconds(*job).is_none());
        recorded.retain(|job| self.outcome(*job).is_none());
        Ok(recorded.union(&timed).copied().collect())
    }

    /// Those of some jobs that are to be run: without an outcome, with a file that is not what was written
    /// (`damaged`, sorted), or, for a `retry`, failed.
    pub fn missing(&self, of: &[usize], damaged: &[usize], retry: bool) -> Vec<usize> {
        let is_missing = |job: &usize| match self.outcome(*job) {
            Some(_) if damaged.binary_search(job).is_ok() => true,
            Some(outcome) => retry && outcome.failed(),
            None => true,
        };
        of.iter().copied().filter(is_missing).collect()
    }

    /// CPU seconds that a job took, if they are known.
    pub fn cpu_seconds(&self, job: usize) -> Option<f64> {
        let text = String::from_utf8(Disk.read(&self.cpu_file(job), CPU_MOST).ok()?).ok()?;
        let seconds = text.lines().next()?.parse().ok()?;
        (text == cpu_text(job, seconds)).then_some(seconds)
    }

    /// Stores the outcome of a job, if the folder is still that of the sweep. The CPU seconds are written first: a
    /// file in `jobs/` means finished.
    pub fn keep(&self, job: usize, attempt: Attempt) -> Result<(), FolderError> {
        let plan = self.path.join(PLAN);
        let text = Disk.read(&plan, PLAN_MOST);
        if sha256(&text.map_err(|cause| FolderError::Io { path: plan, cause })?) != self.digest {
            return Err(FolderError::Replaced(self.path.clone()));
        }
        let write = |path: PathBuf, bytes: &[u8]| {
            atomic::write(&path, bytes).map_err(|cause| FolderError::Io { path, cause })
        };
        write(self.cpu_file(job), cpu_text(job, attempt.cpu_seconds).as_bytes())?;
        let outcome = JobOutcome::of(&self.digest, job, &self.jobs.settings(job), attempt);
        write(self.job_file(job), &sealed::seal(&outcome))
    }

    /// Removes half-written files of these jobs, left by killed processes. Other jobs are spared:
    /// other processes may be running them.
    pub fn clean(&self, jobs: &BTreeSet<usize>) -> Result<(), FolderError> {
        for (name, ending) in [("jobs", ".json"), ("cpu", "")] {
            let inner = self.path.join(name);
            let fault = |cause| FolderError::Io { path: inner.clone(), cause };
            for entry in std::fs::read_dir(&inner).map_err(fault)? {
                let name = entry.map_err(fault)?.file_name().to_string_lossy().into_owned();
                let number = name.split('.').next().unwrap_or_default();
                let is_half = atomic::is_unfinished(&name, &format!("{number}{ending}"));
                if is_half && number.parse().is_ok_and(|number| jobs.contains(&number)) {
                    // it may just have been completed
                    let _ = std::fs::remove_file(inner.join(name));
                }
            }
        }
        Ok(())
    }
}

/// Whether an entry of a folder without `sweep.json` is anything but that file being written by
/// another process.
fn foreign(entry: io::Result<std::fs::DirEntry>) -> bool {
    entry.is_ok_and(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        !(name == PLAN || atomic::is_unfinished(&name, PLAN))
    })
}

/// The content of a file of CPU seconds.
fn cpu_text(job: usize, seconds: f64) -> String {
    let crc = crc32fast::hash(format!("{job}: {seconds}").as_bytes());
    format!("{seconds}\n# CRC-32: {crc:08x}\n")
}

/// Differences between the existing sweep and the requested one, one line each.
fn differences(there: &FolderPlan, here: &FolderPlan) -> Vec<String> {
    let mut lines = Vec::new();
    let mut differ = |what: &str, there: String, here: String| {
        if there != here {
            lines.push(format!("{what}: {there} there, {here} here"));
        }
    };
    differ("program", there.stiction.clone(), here.stiction.clone());
    let given = |text: &Option<String>| text.clone().unwrap_or("nothing".into());
    differ("verified by", given(&there.verify), given(&here.verify));
    differ("accuracy asked", given(&there.accuracy), given(&here.accuracy));
    differ("--set", format!("{:?}", there.set), format!("{:?}", here.set));
    let keys = |plan: &FolderPlan| -> Vec<String> {
        plan.grid.axes.iter().map(|axis| axis.key.clone()).collect()
    };
    differ("keys", keys(there).join(" "), keys(here).join(" "));
    differ("sample", format!("{:?}", there.grid.sample), format!("{:?}", here.grid.sample));
    differ("jobs", there.jobs.to_string(), here.jobs.to_string());
    let axes = there.grid.axes.iter().zip(&here.grid.axes);
    for (there, here) in axes.filter(|(there, here)| there.key == here.key && there != here) {
        let values = format!("{} there, {} here", shown(there), shown(here));
        lines.push(format!("values of {}: {values}", here.key));
    }
    if there.scene_sha256 != here.scene_sha256 {
        lines.push("the scene, a file it includes or a mesh has other bytes than it had".into());
    }
    lines
}

/// Largest number of values of an axis that are shown.
const SHOWN: usize = 10;

/// The values of an axis as given; of a long list the first ones.
fn shown(axis: &SweepAxis) -> String {
    match &axis.values {
        Values::Values(list) if list.len() > SHOWN => {
            format!("{},… ({} values)", list[..SHOWN].join(","), list.len())
        }
        Values::Values(list) => list.join(","),
        Values::Sampled(range) => {
            let ending = if range.logarithmic { ":log" } else { "" };
            format!("{:?}..{:?}{ending}", range.from, range.to)
        }
    }
}
