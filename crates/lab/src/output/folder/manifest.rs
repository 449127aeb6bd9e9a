//! `manifest.toml`: the run of a folder, the settings needed to resume it, and its files.

use crate::output::folder::sha256::sha256;
use crate::run::{Means, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the manifest's file.
pub(crate) const MANIFEST: &str = "manifest.toml";

/// Text before the checksum of everything above, in the last line.
const CHECKSUM: &str = "# CRC-32: ";

/// Version of the format; other versions are not read.
const FORMAT: u32 = 2;

/// The content of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format.
    pub format: u32,
    /// Version of the program.
    pub stiction: String,
    /// [`Status::RUNNING`] until the end, then [`Status::word`].
    pub status: String,
    /// Absolute path of the scene's file; `-` for standard input.
    pub scene: String,
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
    /// Options of the run.
    pub settings: Settings,
    /// The files of a run that has ended, with their checksums.
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
        let all: Vec<String> = sets.chain(verify).chain(order).collect();
        if all.is_empty() { "of the scene".into() } else { all.join(" ") }
    }
}

/// Length and checksum of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Its length \[bytes\].
    pub bytes: u64,
    /// CRC-32 of its bytes.
    pub crc32: u32,
}

impl Digest {
    /// Length and checksum of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest { bytes: bytes.len() as u64, crc32: crc32fast::hash(bytes) }
    }
}

impl Manifest {
    /// The manifest of a new run.
    pub fn begin(scene: String, scene_sha256: String, end: f64, settings: Settings) -> Self {
        Manifest {
            format: FORMAT,
            stiction: env!("CARGO_PKG_VERSION").into(),
            status: Status::RUNNING.into(),
            scene,
            scene_sha256,
            end,
            particles: 0,
            data: Vec::new(),
            settings,
            files: BTreeMap::new(),
        }
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
            texts.push(format!("by version {} of this program", begun.stiction));
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
        let text = format!(
            "# results of stiction: `stiction inspect` checks this folder, `stiction run --resume` resumes it\n{body}"
        );
        let crc = crc32fast::hash(text.as_bytes());
        format!("{text}{CHECKSUM}{crc:08x}\n")
    }

    /// Parses a manifest.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        let manifest: Manifest =
            toml::from_str(text).map_err(|error| error.message().to_string())?;
        let body = text.rfind(CHECKSUM).map_or("", |at| &text[..at]);
        let crc = crc32fast::hash(body.as_bytes());
        if text[body.len()..] != format!("{CHECKSUM}{crc:08x}\n") {
            return Err("it is not what was written: its checksum differs".into());
        }
        match manifest.format {
            FORMAT => Ok(manifest),
            other => Err(format!("it has format {other}, and this program reads {FORMAT}")),
        }
    }
}

/// Whether a `key=value` text sets the end of a run.
pub fn is_end(text: &str) -> bool {
    text.split('=').next().is_some_and(|key| key.trim() == "time.end")
}
