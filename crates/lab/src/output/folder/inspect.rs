//! Checks a results folder against its checksums.

use super::checkpoint;
use super::directory::{CHECKPOINTS, JOURNAL, RunDirectory, steps_of};
use super::files::Files;
use super::growing::{Growing, Piece};
use super::journal;
use super::manifest::{Digest, MANIFEST, Manifest};
use crate::run::Status;
use std::path::Path;

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

/// Checks all files of a folder that have a checksum: the journal, the pieces it lists,
/// checkpoints, and the files of a completed run.
///
/// # Errors
/// The reason why nothing can be checked: the manifest is missing or cannot be read, or another version
/// of the program wrote the journal.
pub fn verify(files: &dyn Files, path: &Path) -> Result<(Manifest, Vec<Finding>), String> {
    let manifest = RunDirectory::manifest_of(files, path).map_err(|error| error.to_string())?;
    let mut findings = vec![sound(MANIFEST, &format!("status {}", manifest.status))];
    let bytes = files.read(&path.join(JOURNAL)).unwrap_or_default();
    journal::check_layout(&bytes).map_err(|other| format!("{JOURNAL}: {other}"))?;
    let journal = journal::read(&bytes);
    let frames = journal.entries.len();
    let about = format!("{frames} frames");
    let fault = match (journal.identity, journal.damaged_at) {
        (None, _) => Some("its head is damaged, or it is not there".into()),
        (Some(identity), _) if identity != manifest.identity() => {
            Some("it is of another run than the manifest".into())
        }
        // the last record of a killed run may be incomplete
        (_, Some(at)) if manifest.status != Status::RUNNING => {
            Some(format!("no sound record begins at byte {at}, behind frame {frames}"))
        }
        _ => None,
    };
    findings.push(Finding { file: JOURNAL.into(), about, fault });
    for (number, name) in manifest.data.iter().enumerate() {
        let pieces: Vec<Piece> = journal
            .entries
            .iter()
            .map(|(entry, _)| entry.pieces.get(number).copied().unwrap_or_default())
            .collect();
        let end = manifest.files.get(name).map(|digest| whole(files, path, name, *digest));
        findings.push(match end {
            // the table of measures: pieces no longer fit once error bars were added to it
            Some(end) if number == 0 => end,
            // the damaged frame, or else the header
            Some(end) => {
                let frames = data(files, path, name, &pieces);
                let fault = frames.fault.or(end.fault);
                Finding { fault, ..frames }
            }
            None => data(files, path, name, &pieces),
        });
    }
    for (name, digest) in &manifest.files {
        if !manifest.data.contains(name) && name != JOURNAL {
            findings.push(whole(files, path, name, *digest));
        }
    }
    findings.extend(checkpoints(files, path, &manifest));
    Ok((manifest, findings))
}

fn sound(file: &str, about: &str) -> Finding {
    Finding { file: file.into(), about: about.into(), fault: None }
}

/// Checks a file of a completed run.
fn whole(files: &dyn Files, path: &Path, name: &str, digest: Digest) -> Finding {
    let fault = match files.read(&path.join(name)) {
        Err(error) => Some(error.to_string()),
        Ok(bytes) if Digest::of(&bytes) != digest => Some(format!(
            "it is not what was written: {} bytes with CRC-32 {:08x}, written were {} with {:08x}",
            bytes.len(),
            Digest::of(&bytes).crc32,
            digest.bytes,
            digest.crc32
        )),
        Ok(_) => None,
    };
    Finding { file: name.into(), about: format!("{} bytes", digest.bytes), fault }
}

/// Checks a file whose pieces the journal lists.
fn data(files: &dyn Files, path: &Path, name: &str, pieces: &[Piece]) -> Finding {
    let length = pieces.last().map_or(0, |piece| piece.end);
    let checked = Growing::open(files, &path.join(name), length).and_then(|mut file| {
        let checked = file.check(pieces)?;
        Ok((checked, file))
    });
    let fault = match checked {
        Err(error) => Some(error.to_string()),
        Ok((Err(frame), _)) => Some(format!("frame {frame} is not what was written")),
        Ok((Ok(_), _)) => None,
    };
    Finding { file: name.into(), about: format!("{} frames, {length} bytes", pieces.len()), fault }
}

fn checkpoints(files: &dyn Files, path: &Path, manifest: &Manifest) -> Vec<Finding> {
    let folder = path.join(CHECKPOINTS);
    let names = files.list(&folder).unwrap_or_default();
    let one = |step: u64| {
        let name = super::directory::name_of(step);
        let read = files.read(&folder.join(&name)).map_err(|error| error.to_string());
        let read = read.and_then(|bytes| {
            checkpoint::read(&bytes, Some(manifest.identity())).map_err(|error| error.to_string())
        });
        let about = match &read {
            Ok(stored) => format!("t = {} s, {} frames", stored.checkpoint.time(), stored.frames),
            Err(_) => format!("step {step}"),
        };
        Finding { file: format!("{CHECKPOINTS}/{name}"), about, fault: read.err() }
    };
    steps_of(&names).into_iter().map(one).collect()
}
