//! `manifest.toml`: the run of a folder, the settings needed to resume it, and its files.

use super::catalogue::is_of_a_run;
use super::digest::Digest;
use super::files::{Disk, Files};
use super::names::{MANIFEST, PLAN};
use super::path;
use super::sha256::sha256;
use crate::output::arrays::topology;
use crate::output::arrays::trajectory::data_of;
use crate::run::{Means, Run, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The program: its version, and a digest of the sources on which results depend.
pub const PROGRAM: &str =
    concat!("stiction ", env!("CARGO_PKG_VERSION"), " of sources ", env!("STICTION_SOURCES"));

/// Largest manifest that is read \[bytes\].
pub(crate) const MOST: u64 = 4 << 20;

/// Its first line.
const TITLE: &str = "# results of stiction: `stiction inspect` checks this folder, `stiction run --resume` resumes it";

/// Text before the checksum of everything above, in the last line.
const CHECKSUM: &str = "# CRC-32: ";

/// Version of the format; other versions are not read.
const FORMAT: u32 = 3;

/// Whether a file begins as a manifest does that was not finished: it may be empty, also as a loss of power leaves
/// it.
pub(super) fn is_begun(path: &Path) -> bool {
    Disk.read(path, MOST).is_ok_and(|text| {
        let beginning = &text[..text.len().min(TITLE.len())];
        TITLE.as_bytes().starts_with(beginning) || text.iter().all(|byte| *byte == 0)
    })
}

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub format: u32,
    /// The program that began the run: [`PROGRAM`].
    pub stiction: String,
    /// Other programs that resumed it, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed_by: Vec<String>,
    /// [`Status::RUNNING`] until the end, then [`Status::word`].
    pub status: String,
    /// Absolute path of the scene's file; `-` for standard input.
    pub scene: String,
    /// Its bytes in hexadecimal, if it is no UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scene_bytes: Option<String>,
    /// SHA-256 of the scene's texts and meshes.
    pub scene_sha256: String,
    /// The end of the run \[s\].
    pub end: f64,
    /// Number of particles.
    #[serde(default)]
    pub particles: usize,
    /// The growing files, in the order of their checksums in the journal.
    #[serde(default)]
    pub data: Vec<String>,
    /// The first line of `measures.csv`.
    pub columns: Digest,
    /// The steps of its checkpoints, if it has ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checkpoints: Vec<u64>,
    /// Options of the run.
    pub settings: Settings,
    /// The constant arrays; of a run that has ended, all its files but those of single frames, whose digests
    /// are in the journal.
    #[serde(default)]
    pub files: BTreeMap<String, Digest>,
}

/// The options other than the scene on which the bits of results depend.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// `key=value` texts as of `--set`.
    pub set: Vec<String>,
    /// Means of verifying the run; absent if it is not verified.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verify: Option<Means>,
    /// Whether orders are observed.
    #[serde(default)]
    pub observe_order: bool,
    /// Whether it is a draft: `set` has its method and step.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draft: bool,
    /// Whether it replays a recording, of which there is no checkpoint.
    #[serde(default)]
    pub replays: bool,
    /// Whether includes may lie outside the scene's folder.
    #[serde(default)]
    pub allow_path: bool,
}

impl Settings {
    fn describe(&self) -> String {
        let sets = self.set.iter().map(|text| format!("--set {text}"));
        let verify = self.verify.iter().map(|means| format!("--verify {}", means.word()));
        let order = self.observe_order.then(|| "--observe-order".to_string());
        let draft = self.draft.then(|| "--draft".to_string());
        let all: Vec<String> = sets.chain(verify).chain(order).chain(draft).collect();
        if all.is_empty() { "of the scene".into() } else { all.join(" ") }
    }
}

/// A manifest that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {why}", .path.display())]
pub struct Unusable {
    /// Its file, or the folder without it.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

/// The manifest of a folder.
///
/// # Errors
/// The folder is of no run that could be read.
pub fn at(files: &dyn Files, path: &Path) -> Result<Manifest, Unusable> {
    let file = path.join(MANIFEST);
    let bytes = files.read(&file, MOST).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Unusable { path: path.to_path_buf(), why: without(files, path) },
        _ => Unusable { path: file.clone(), why: error.to_string() },
    })?;
    Manifest::read(&bytes).map_err(|why| Unusable { path: file, why })
}

/// The reason why a folder has no manifest.
fn without(files: &dyn Files, path: &Path) -> String {
    let names = files.list(path).unwrap_or_default();
    if names.is_empty() && !path.exists() {
        return "there is no such folder: no run was begun here".into();
    }
    if names.iter().any(|name| name == PLAN) {
        return format!(
            "it holds a sweep ({PLAN}) and no run: the `stiction sweep` that began it, given again, does what is missing"
        );
    }
    format!(
        "there is no {MANIFEST}: no run was begun here (`stiction run SCENE --out DIR` begins one)"
    )
}

impl Manifest {
    /// The manifest of a new run.
    pub fn begin(scene: &Path, scene_sha256: String, end: f64, settings: Settings) -> Self {
        let (scene, scene_bytes) = path::text_of(scene);
        Manifest {
            format: FORMAT,
            stiction: PROGRAM.into(),
            resumed_by: Vec::new(),
            status: Status::RUNNING.into(),
            scene,
            scene_bytes,
            scene_sha256,
            end,
            particles: 0,
            data: Vec::new(),
            columns: Digest::of(&[]),
            checkpoints: Vec::new(),
            settings,
            files: BTreeMap::new(),
        }
    }

    /// The scene's file.
    pub fn scene(&self) -> PathBuf {
        path::of_text(&self.scene, self.scene_bytes.as_deref())
    }

    /// Describes the files of a run, whose `measures.csv` begins with the line `columns`.
    pub(crate) fn describe(&mut self, run: &Run, columns: &[u8]) {
        let model = &run.simulation().model;
        self.data = data_of(run.scene().output.contacts);
        self.particles = model.particles();
        self.columns = Digest::of(columns);
        self.files = topology::digests(model);
    }

    /// The identity of the run: equal for equal scene, options and program, whatever its end.
    pub fn identity(&self) -> u64 {
        let mut settings = self.settings.clone();
        settings.set.retain(|text| !is_end(text));
        let of = (&self.stiction, &self.scene_sha256, settings);
        let text = serde_json::to_string(&of).expect("plain data");
        u64::from_str_radix(&sha256(text.as_bytes())[..16], 16).expect("hexadecimal digits")
    }

    /// The differences from the manifest with which a run was started, as one sentence.
    pub fn differences(&self, begun: &Manifest) -> String {
        let mut texts = Vec::new();
        if self.stiction != begun.stiction {
            texts.push(format!("by {}, and this is {}", begun.stiction, self.stiction));
        }
        if self.scene_sha256 != begun.scene_sha256 {
            texts.push("with another text of the scene or of a file it names".to_string());
        }
        if self.settings != begun.settings {
            texts.push(format!("with the settings {}", begun.settings.describe()));
        }
        format!("it was begun {}", texts.join(", and "))
    }

    /// The text of the manifest.
    pub fn text(&self) -> String {
        let body = toml::to_string(self).expect("plain data");
        let text = format!("{TITLE}\n{body}");
        let crc = crc32fast::hash(text.as_bytes());
        format!("{text}{CHECKSUM}{crc:08x}\n")
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let body = text.rfind(CHECKSUM).map_or("", |at| &text[..at]);
        let crc = crc32fast::hash(body.as_bytes());
        if text[body.len()..] != format!("{CHECKSUM}{crc:08x}\n") {
            return Err("it is not what was written: its checksum differs".into());
        }
        #[derive(Deserialize)]
        struct Version {
            format: u32,
        }
        let unread = |error: toml::de::Error| error.message().to_string();
        match toml::from_str::<Version>(text).map_err(unread)?.format {
            FORMAT => {}
            other => {
                return Err(format!("it has format {other}, and this program reads {FORMAT}"));
            }
        }
        let manifest: Manifest = toml::from_str(text).map_err(unread)?;
        match manifest.fault() {
            None => Ok(manifest),
            Some(fault) => Err(fault),
        }
    }

    /// The reason why no program can have written it.
    fn fault(&self) -> Option<String> {
        const STATUS: [&str; 4] =
            [Status::RUNNING, Status::COMPLETED, Status::FAILED, Status::INTERRUPTED];
        if let Some(name) = self.data.iter().chain(self.files.keys()).find(|n| !is_of_a_run(n)) {
            return Some(format!("it names {name:?}, which is no file of a run"));
        }
        if !STATUS.contains(&self.status.as_str()) {
            return Some(format!("its `status` {:?} is no state of a run", self.status));
        }
        if !(self.end.is_finite() && self.end > 0.0) {
            return Some(format!("its `end` {} is no time at which a run ends", self.end));
        }
        // particles are numbered by 32 bits
        if u32::try_from(self.particles).is_err() {
            return Some(format!("its `particles` {} are more than a run has", self.particles));
        }
        if let Some(name) = topology::misfit(&self.files, self.particles) {
            let (bytes, n) = (self.files[name].bytes, self.particles);
            return Some(format!(
                "it gives `{name}` {bytes} bytes, which are not those of {n} particles"
            ));
        }
        // a run that was stopped before it made its files has none
        let begun = !self.data.is_empty() || self.status != Status::RUNNING;
        let known = [false, true].map(data_of).contains(&self.data);
        (begun && !known).then(|| "its `data` are not the growing files of a run".into())
    }
}

/// Whether a `key=value` text sets the end of a run.
pub fn is_end(text: &str) -> bool {
    text.split('=').next().is_some_and(|key| key.trim() == "time.end")
}
