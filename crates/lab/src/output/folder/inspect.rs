//! Checks a results folder against its checksums, without writing to it.

use super::catalogue::is_of_a_run;
use super::checkpoint;
use super::digest::Digest;
use super::files::Files;
use super::growing::{Growing, Piece};
use super::journal::{self, Journal};
use super::manifest::{self, Manifest};
use super::names::{
    CHECKPOINTS, FOLDERS, JOURNAL, MANIFEST, is_checkpoint, linked, name_of, steps_of,
};
use crate::output::arrays::topology::is_topology;
use crate::output::arrays::trajectory::{MEASURES, layout_of};
use crate::output::exports::frames::{PVD, digest_of, is_frame, is_listed, list_of};
use crate::output::shell;
use crate::run::Status;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// Largest head of a data file \[bytes\].
pub(super) const HEAD_MOST: u64 = 16 << 20;

/// Most rows that a run adds to an array while its folder is inspected.
const ADDED: usize = 100_000;

/// One file of a folder, and its fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// Its name in the folder.
    pub file: String,
    /// The content checked, in words.
    pub about: String,
    /// The fault, if there is one.
    pub fault: Option<String>,
    /// The remedy for it.
    pub remedy: Remedy,
}

/// The remedy for a faulty file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Salvaging what is sound.
    Repair,
    /// Resuming the run, which writes the file anew.
    Resume,
    /// The right to read it.
    Read,
    /// Running the scene again: without a record of the journal, or an array, no frame can be salvaged.
    Again,
    /// Removing it: it is of another run.
    Remove,
}

/// The remedy for the faults of a folder, in words.
pub fn remedy_of(path: &Path, faulty: &[&Finding]) -> String {
    let at = shell::path(path);
    let all = |remedy| faulty.iter().all(|it| it.remedy == remedy);
    if let Some(first) = faulty.iter().find(|finding| finding.remedy == Remedy::Read) {
        format!("`{}` cannot be read, so nothing is known of it", first.file)
    } else if let Some(first) = faulty.iter().find(|finding| finding.remedy == Remedy::Again) {
        without_any(path, &first.file)
    } else if all(Remedy::Resume) {
        format!("`stiction run --resume {at}` writes them anew")
    } else if all(Remedy::Remove) {
        "remove them".into()
    } else {
        format!("`stiction repair {at} --out NEW` salvages every frame that is sound")
    }
}

/// The remedy for a folder in whose journal no record is sound, in words.
pub fn without_records(path: &Path) -> String {
    without_any(path, JOURNAL)
}

/// The remedy for a folder in whose journal, or in one of whose arrays, nothing is sound, in words.
fn without_any(path: &Path, file: &str) -> String {
    let of = if file == JOURNAL { "record" } else { "row" };
    format!(
        "`{file}` has no sound {of}, and without one no frame can be salvaged: `stiction run SCENE --out {} --force` runs it again",
        shell::path(path)
    )
}

impl Finding {
    /// Whether it is on a checkpoint.
    pub fn is_checkpoint(&self) -> bool {
        self.file
            .split_once('/')
            .is_some_and(|(folder, name)| folder == CHECKPOINTS && is_checkpoint(name))
    }

    fn new(file: &str, about: String, fault: Option<String>) -> Self {
        Finding { file: file.into(), about, fault, remedy: Remedy::Repair }
    }
}

/// Checks all files of a folder: the journal, the pieces and files it lists, checkpoints, and the files
/// of the manifest.
///
/// # Errors
/// The reason why nothing can be checked: the manifest is missing or cannot be read, or another version
/// of the program wrote the journal.
pub fn verify(files: &dyn Files, path: &Path) -> Result<(Manifest, Vec<Finding>), String> {
    if let Some(link) = linked(path) {
        return Err(format!("`{}` is a symbolic link, which leads elsewhere", link.display()));
    }
    let manifest = manifest::at(files, path).map_err(|error| error.to_string())?;
    let mut findings = vec![Finding::new(MANIFEST, format!("status {}", manifest.status), None)];
    findings.extend(unreadable(files, path));
    let bytes = match journal::load(files, &path.join(JOURNAL)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(format!("{JOURNAL}: {error}"));
        }
        read => read.unwrap_or_default(),
    };
    journal::check_layout(&bytes).map_err(|other| format!("{JOURNAL}: {other}"))?;
    let journal = journal::read(&bytes);
    let mut folder =
        Inspected { files, path, manifest: &manifest, journal: &journal, is_sound: true };
    if bytes.is_empty() && folder.is_hardly_begun() {
        return Ok((manifest, findings));
    }
    let records = folder.records(&bytes);
    folder.is_sound = records.fault.is_none();
    let is_lost = !folder.is_sound && journal::salvage(&bytes).is_empty();
    findings.push(records);
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
    if manifest.status != Status::RUNNING {
        findings.extend(folder.strangers());
    }
    findings.iter_mut().filter(|finding| finding.fault.is_some()).for_each(|finding| {
        finding.remedy = folder.remedy(finding, is_lost);
    });
    Ok((manifest, findings))
}

/// The folders within that cannot be read.
fn unreadable(files: &dyn Files, path: &Path) -> Vec<Finding> {
    let one = |folder: &str| {
        let fault = files.list(&path.join(folder)).err()?.to_string();
        let finding = Finding::new(folder, String::new(), Some(fault));
        Some(Finding { remedy: Remedy::Read, ..finding })
    };
    FOLDERS.into_iter().filter_map(one).collect()
}

/// A folder that is checked.
struct Inspected<'a> {
    files: &'a dyn Files,
    path: &'a Path,
    manifest: &'a Manifest,
    journal: &'a Journal,
    /// whether the journal has all frames
    is_sound: bool,
}

impl Inspected<'_> {
    /// Whether a run without a journal was stopped before it made one, which it does last: no checkpoint is
    /// there, and no data file has a frame.
    fn is_hardly_begun(&self) -> bool {
        let names = self.files.list(&self.path.join(CHECKPOINTS)).unwrap_or_default();
        let head = |name: &str| match layout_of(name, self.manifest.particles) {
            Some(layout) => layout.header(0).len() as u64,
            None => self.manifest.columns.bytes,
        };
        let is_longer = |name: &String| self.length(name).is_ok_and(|length| length > head(name));
        self.manifest.status == Status::RUNNING
            && steps_of(&names).is_empty()
            && !self.manifest.data.iter().any(is_longer)
    }

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
        Finding::new(JOURNAL, format!("{frames} frames"), fault)
    }

    /// A file whose pieces the journal lists.
    fn data(&self, number: usize, name: &str) -> Finding {
        let entries = &self.journal.entries;
        let of = |entry: &journal::Entry| entry.pieces.get(number).copied().unwrap_or_default();
        let pieces: Vec<Piece> = entries.iter().map(of).collect();
        let digest = self.manifest.files.get(name);
        match (digest, pieces.last()) {
            // the table of measures: pieces no longer fit once error bars were added to it
            (Some(digest), _) if name == MEASURES => self.whole(name, digest),
            // a lost journal
            (Some(digest), None) => self.whole(name, digest),
            // the damaged frame, or else the header
            (Some(digest), Some(last)) => {
                let frames = self.pieces(name, &pieces);
                // not read beyond its frames, however long it is
                let rest = || match last.end == digest.bytes {
                    true => self.whole(name, digest).fault,
                    false => self.is_sound.then(|| {
                        let (end, bytes) = (last.end, digest.bytes);
                        format!("its frames end at byte {end}, and {MANIFEST} gives it {bytes}")
                    }),
                };
                Finding { fault: frames.fault.clone().or_else(rest), ..frames }
            }
            (None, _) => self.pieces(name, &pieces),
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
        Finding::new(name, format!("{} frames, {length} bytes", pieces.len()), fault)
    }

    /// Whether a file may begin so, whose frames end at `length` of its `all` bytes: a killed run may have
    /// added more.
    fn is_head(&self, name: &str, head: &[u8], length: u64, all: u64) -> bool {
        let Some(layout) = layout_of(name, self.manifest.particles) else {
            return Digest::of(head) == self.manifest.columns;
        };
        let rows = |end: u64| (end - head.len() as u64) as usize / layout.row().max(1);
        // as many as may be added while the folder is read
        (rows(length)..=rows(all).min(rows(length) + ADDED)).any(|rows| head == layout.header(rows))
    }

    /// A file that shows a frame.
    fn shown(&self, name: &str, digest: &Digest) -> Finding {
        match is_frame(name) {
            true => self.whole(name, digest),
            false => {
                let fault = format!("it names {name:?}, which is no file of a frame");
                Finding::new(JOURNAL, String::new(), Some(fault))
            }
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
        Finding::new(PVD, "the list of frames".into(), fault)
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
        Finding::new(name, format!("{} bytes", digest.bytes), fault)
    }

    /// Files with names of a run that this one did not write.
    fn strangers(&self) -> Vec<Finding> {
        let shown = self.journal.entries.iter().flat_map(|entry| &entry.shown);
        let mut known: BTreeSet<&str> = shown.map(|(name, _)| name.as_str()).collect();
        known.extend(self.manifest.files.keys().map(String::as_str));
        let inner = FOLDERS.iter().filter(|folder| **folder != CHECKPOINTS);
        let names = inner.chain([&""]).flat_map(|folder| {
            let names = self.files.list(&self.path.join(folder)).unwrap_or_default();
            let within =
                move |name| if folder.is_empty() { name } else { format!("{folder}/{name}") };
            names.into_iter().map(within)
        });
        // the files of frames are known by the journal
        let is_known = |name: &str| known.contains(name) || !self.is_sound && is_frame(name);
        let strange = names.filter(|name| is_of_a_run(name) && !is_known(name));
        let fault = "no file of this run has this name: it is of another one";
        let finding = |name: String| Finding {
            remedy: Remedy::Remove,
            ..Finding::new(&name, String::new(), Some(fault.into()))
        };
        strange.map(finding).collect()
    }

    /// The remedy for a fault, in a folder in which every record of the journal may be lost.
    fn remedy(&self, finding: &Finding, is_lost: bool) -> Remedy {
        let opened = self.files.view(&self.path.join(&finding.file));
        let is_denied =
            opened.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied);
        if is_denied || finding.remedy == Remedy::Read {
            return Remedy::Read;
        }
        let is_array = finding.file != MEASURES && self.manifest.data.contains(&finding.file);
        if finding.remedy == Remedy::Repair && (is_lost || is_array && opened.is_err()) {
            return Remedy::Again;
        }
        let anew = is_topology(&finding.file) || [MEASURES, PVD].contains(&finding.file.as_str());
        match anew && self.manifest.status == Status::RUNNING {
            true => Remedy::Resume,
            false => finding.remedy,
        }
    }

    fn length(&self, name: &str) -> io::Result<u64> {
        self.files.view(&self.path.join(name))?.length()
    }

    fn checkpoints(&self, journal: &[u8]) -> Vec<Finding> {
        let names = self.files.list(&self.path.join(CHECKPOINTS)).unwrap_or_default();
        let of = (self.manifest.identity(), self.manifest.particles);
        let one = |step: u64| {
            let read = checkpoint::open(self.files, self.path, step, of)
                .map_err(|why| why.to_string())
                .and_then(|(stored, _)| stored.entries(journal).map(|_| stored));
            let about = match &read {
                Ok(stored) => {
                    format!("t = {} s, {} frames", stored.checkpoint.time(), stored.frames)
                }
                Err(_) => format!("step {step}"),
            };
            Finding::new(&format!("{CHECKPOINTS}/{}", name_of(step)), about, read.err())
        };
        let steps: BTreeSet<u64> =
            steps_of(&names).into_iter().chain(self.manifest.checkpoints.iter().copied()).collect();
        steps.into_iter().map(one).collect()
    }
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
