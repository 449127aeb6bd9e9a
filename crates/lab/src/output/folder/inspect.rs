//! Checks a results folder against its checksums, without writing to it.

use super::checkpoint;
use super::digest::Digest;
use super::files::Files;
use super::growing::{Growing, Piece};
use super::journal::{self, Journal};
use super::manifest::{self, MANIFEST, Manifest};
use super::names::{CHECKPOINTS, JOURNAL, name_of, steps_of};
use crate::output::arrays::trajectory::{MEASURES, layout_of};
use crate::output::exports::frames::{PVD, digest_of, is_frame, is_listed, list_of};
use crate::run::Status;
use std::io;
use std::path::Path;

/// Largest head of a data file \[bytes\].
pub(super) const HEAD_MOST: u64 = 16 << 20;

/// One file of a folder, and its fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its name in the folder.
    pub file: String,
    /// The content checked, in words.
    pub about: String,
    /// The fault, if there is one.
    pub fault: Option<String>,
}

/// Checks all files of a folder: the journal, the pieces and files it lists, checkpoints, and the files
/// of the manifest.
///
/// # Errors
/// The reason why nothing can be checked: the manifest is missing or cannot be read, or another version
/// of the program wrote the journal.
pub fn verify(files: &dyn Files, path: &Path) -> Result<(Manifest, Vec<Finding>), String> {
    let manifest = manifest::at(files, path).map_err(|error| error.to_string())?;
    let mut findings = vec![sound(MANIFEST, &format!("status {}", manifest.status))];
    let bytes = match journal::load(files, &path.join(JOURNAL)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(format!("{JOURNAL}: {error}"));
        }
        read => read.unwrap_or_default(),
    };
    journal::check_layout(&bytes).map_err(|other| format!("{JOURNAL}: {other}"))?;
    let folder = Inspected { files, path, manifest: &manifest, journal: &journal::read(&bytes) };
    findings.push(folder.records(&bytes));
    for (number, name) in manifest.data.iter().enumerate() {
        findings.push(folder.data(number, name));
    }
    for entry in &folder.journal.entries {
        findings.extend(entry.shown.iter().map(|(name, digest)| folder.shown(name, digest)));
    }
    if !manifest.files.contains_key(PVD) && folder.journal.entries.iter().any(is_listed) {
        findings.push(folder.list());
    }
    let is_other = |name: &String| name != JOURNAL && !manifest.data.contains(name);
    let others = manifest.files.iter().filter(|(name, _)| is_other(name));
    findings.extend(others.map(|(name, digest)| folder.whole(name, digest)));
    findings.extend(folder.checkpoints(&bytes));
    Ok((manifest, findings))
}

/// A folder that is checked.
struct Inspected<'a> {
    files: &'a dyn Files,
    path: &'a Path,
    manifest: &'a Manifest,
    journal: &'a Journal,
}

impl Inspected<'_> {
    /// The journal itself.
    fn records(&self, bytes: &[u8]) -> Finding {
        let (manifest, frames) = (self.manifest, self.journal.entries.len());
        let fault = match (self.journal.identity, self.journal.damaged_at) {
            (None, _) => Some("its head is damaged, or it is not there".into()),
            (Some(identity), _) if identity != manifest.identity() => {
                Some("it is of another run than the manifest".into())
            }
            // the last record of a killed run may be incomplete
            (_, Some(at))
                if manifest.status != Status::RUNNING
                    || !journal::is_cut(&bytes[at as usize..]) =>
            {
                Some(format!("no sound record begins at byte {at}, behind frame {frames}"))
            }
            _ => {
                let digest = manifest.files.get(JOURNAL);
                digest.and_then(|digest| difference(digest, &Digest::of(bytes)))
            }
        };
        Finding { file: JOURNAL.into(), about: format!("{frames} frames"), fault }
    }

    /// A file whose pieces the journal lists.
    fn data(&self, number: usize, name: &str) -> Finding {
        let entries = &self.journal.entries;
        let of = |entry: &journal::Entry| entry.pieces.get(number).copied().unwrap_or_default();
        let pieces: Vec<Piece> = entries.iter().map(of).collect();
        let end = self.manifest.files.get(name).map(|digest| self.whole(name, digest));
        match end {
            // the table of measures: pieces no longer fit once error bars were added to it
            Some(end) if name == MEASURES => end,
            // the damaged frame, or else the header
            Some(end) => {
                let frames = self.pieces(name, &pieces);
                Finding { fault: frames.fault.or(end.fault), ..frames }
            }
            None => self.pieces(name, &pieces),
        }
    }

    fn pieces(&self, name: &str, pieces: &[Piece]) -> Finding {
        let length = pieces.last().map_or(0, |piece| piece.end);
        let check = || {
            let head = pieces.first().map_or(0, |piece| piece.start);
            if head > HEAD_MOST {
                return Ok(Some("its head is too long".into()));
            }
            let mut file = Growing::view(self.files, &self.path.join(name), Some(length))?;
            if let Err(frame) = file.check(pieces)? {
                return Ok(Some(format!("frame {frame} is not what was written")));
            }
            let mut bytes = vec![0; head as usize];
            file.read_at(0, &mut bytes)?;
            let all = Growing::view(self.files, &self.path.join(name), None)?.length();
            let sound = pieces.is_empty() || self.is_head(name, &bytes, length, all);
            Ok((!sound).then(|| "its head is not what was written".to_string()))
        };
        let fault = check().unwrap_or_else(|error: io::Error| Some(error.to_string()));
        let about = format!("{} frames, {length} bytes", pieces.len());
        Finding { file: name.into(), about, fault }
    }

    /// Whether a file may begin so, whose frames end at `length` of its `all` bytes: a killed run may have
    /// added more.
    fn is_head(&self, name: &str, head: &[u8], length: u64, all: u64) -> bool {
        let Some(layout) = layout_of(name, self.manifest.particles) else {
            return Digest::of(head) == self.manifest.columns;
        };
        let rows = |end: u64| (end - head.len() as u64) as usize / layout.row().max(1);
        [length, all].iter().any(|end| head == layout.header(rows(*end)))
    }

    /// A file that shows a frame.
    fn shown(&self, name: &str, digest: &Digest) -> Finding {
        match is_frame(name) {
            true => self.whole(name, digest),
            false => Finding {
                file: JOURNAL.into(),
                about: String::new(),
                fault: Some(format!("it names {name:?}, which is no file of a frame")),
            },
        }
    }

    /// The list of frames of a run that is under way, which begins with those of the journal.
    fn list(&self) -> Finding {
        let text = list_of(&self.journal.entries);
        let (known, end) = text.split_at(text.rfind("</Collection>").unwrap_or(text.len()));
        let fault = match self.files.read(&self.path.join(PVD), 2 * text.len() as u64) {
            Err(error) => Some(error.to_string()),
            Ok(bytes) => {
                let may_be = bytes.starts_with(known.as_bytes()) && bytes.ends_with(end.as_bytes());
                (!may_be).then(|| "it is not the list of the frames".into())
            }
        };
        Finding { file: PVD.into(), about: "the list of frames".into(), fault }
    }

    /// A file that the manifest, or the journal, has a digest of.
    fn whole(&self, name: &str, digest: &Digest) -> Finding {
        let fault = match self.length(name) {
            Err(error) => Some(error.to_string()),
            // not read, however long it is
            Ok(bytes) if bytes != digest.bytes => {
                Some(format!("it has {bytes} bytes, written were {}", digest.bytes))
            }
            Ok(_) => match digest_of(self.files, self.path, name) {
                Err(error) => Some(error.to_string()),
                Ok(found) => difference(digest, &found),
            },
        };
        Finding { file: name.into(), about: format!("{} bytes", digest.bytes), fault }
    }

    fn length(&self, name: &str) -> io::Result<u64> {
        self.files.view(&self.path.join(name))?.length()
    }

    fn checkpoints(&self, journal: &[u8]) -> Vec<Finding> {
        let names = self.files.list(&self.path.join(CHECKPOINTS)).unwrap_or_default();
        let of = (self.manifest.identity(), self.manifest.particles);
        let one = |step: u64| {
            let read = checkpoint::open(self.files, self.path, step, of)
                .and_then(|(stored, _)| stored.entries(journal).map(|_| stored));
            let about = match &read {
                Ok(stored) => {
                    format!("t = {} s, {} frames", stored.checkpoint.time(), stored.frames)
                }
                Err(_) => format!("step {step}"),
            };
            Finding { file: format!("{CHECKPOINTS}/{}", name_of(step)), about, fault: read.err() }
        };
        steps_of(&names).into_iter().map(one).collect()
    }
}

fn sound(file: &str, about: &str) -> Finding {
    Finding { file: file.into(), about: about.into(), fault: None }
}

/// The difference of a file from what was written, if there is one.
fn difference(written: &Digest, found: &Digest) -> Option<String> {
    (written != found).then(|| {
        format!(
            "it is not what was written: SHA-256 {:.16}…, written were {} bytes with {:.16}…",
            found.sha256, written.bytes, written.sha256
        )
    })
}
