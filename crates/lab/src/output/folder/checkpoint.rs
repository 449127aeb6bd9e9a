//! `checkpoints/STEP.ck`: all that a run needs to resume with the same bits, and the lengths of its
//! files at that step.
//!
//! The file holds: magic, layout of the payload, byte order, identity of the run, step, length of
//! the payload, payload, CRC-32 of everything before it. All numbers are little-endian.

use super::files::Files;
use super::journal::{self, BYTE_ORDER, Entry, Link};
use super::names::{CHECKPOINTS, JOURNAL, name_of};
use super::schema::layout;
use crate::run::RunCheckpoint;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::LazyLock;

const MAGIC: &[u8; 16] = b"STICTION-CHECKPT";

/// Layout of [`Stored`]; bytes of another layout are not read.
static LAYOUT: LazyLock<u32> = LazyLock::new(layout::<Stored>);

/// Bytes before the payload, and bytes of the checksum.
const BEFORE: usize = 48;
const AFTER: usize = 4;

/// Largest checkpoint that is read \[bytes\], without particles. A run without contacts writes a few kB; the
/// rest is for watches and extremes, which grow with the bodies.
const SMALL: u64 = 64 << 20;

/// The same for each particle \[bytes\]: about 300 are written, and a few hundred for each of its contacts.
const EACH: u64 = 4 << 10;

/// Largest number of particles for which [`EACH`] is added. Particles have numbers of 32 bits; a manifest
/// may name more.
const MANY: u64 = 1 << 32;

/// A run and its files at one step.
#[derive(Serialize, Deserialize)]
pub struct Stored {
    /// The run.
    pub checkpoint: RunCheckpoint,
    /// Frames written until then.
    pub frames: u64,
    /// Length of the journal then \[bytes\], and the link of its last record.
    pub journal: (u64, Link),
}

impl Stored {
    /// The frames written until this step, from the present journal.
    ///
    /// # Errors
    /// The journal no longer begins with the records of these frames.
    pub fn entries(&self, journal: &[u8]) -> Result<Vec<Entry>, String> {
        let (length, link) = self.journal;
        let then = usize::try_from(length).ok().and_then(|length| journal.get(..length));
        let read = journal::read(then.unwrap_or_default());
        let same = read.damaged_at.is_none() && read.link == link;
        match same && read.entries.len() as u64 == self.frames {
            true => Ok(read.entries),
            false => Err(format!("`{JOURNAL}` is not what it was then")),
        }
    }
}

/// Opens the checkpoint of a run at a step, with its bytes.
///
/// # Errors
/// The reason why it cannot be used.
pub(crate) fn open(
    files: &dyn Files,
    run: &Path,
    step: u64,
    (identity, particles): (u64, usize),
) -> Result<(Stored, Vec<u8>), Unusable> {
    let most = SMALL + EACH * (particles as u64).min(MANY);
    let path = run.join(CHECKPOINTS).join(name_of(step));
    let bytes = files.read(&path, most).map_err(|error| Unusable::Unread(error.to_string()))?;
    let stored = read(&bytes, Some(identity))?;
    match stored.checkpoint.step() {
        own if own != step => Err(Unusable::OfStep(own)),
        _ => Ok((stored, bytes)),
    }
}

/// Reason why a checkpoint cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It cannot be read.
    #[error("{0}")]
    Unread(String),
    /// Of another step than its name says.
    #[error("it is of step {0}")]
    OfStep(u64),
    /// Not a checkpoint.
    #[error("it is no checkpoint of this program")]
    Foreign,
    /// Data of another layout.
    #[error(
        "its data have the layout {0:08x}, and this program reads the layout {here:08x}",
        here = *LAYOUT
    )]
    Layout(u32),
    /// From a machine with another byte order.
    #[error("it was written on a machine with another byte order")]
    ByteOrder,
    /// Of another run.
    #[error("it is of another run")]
    OtherRun,
    /// Too short, or with changed bytes.
    #[error("its checksum is not that of its content")]
    Damaged,
}

/// The bytes of a checkpoint at a step.
pub fn bytes(stored: &Stored, identity: u64) -> Vec<u8> {
    let payload = postcard::to_stdvec(stored).expect("plain data");
    let mut bytes = Vec::with_capacity(BEFORE + payload.len() + AFTER);
    bytes.extend(MAGIC);
    bytes.extend(LAYOUT.to_le_bytes());
    bytes.extend(BYTE_ORDER.to_le_bytes());
    bytes.extend(identity.to_le_bytes());
    bytes.extend(stored.checkpoint.step().to_le_bytes());
    bytes.extend((payload.len() as u64).to_le_bytes());
    bytes.extend(payload);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Reads a checkpoint of the run `identity`, or of any run if that is `None`.
///
/// # Errors
/// The reason why it cannot be used.
pub fn read(bytes: &[u8], identity: Option<u64>) -> Result<Stored, Unusable> {
    let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes);
    let long = |at: usize| bytes.get(at..at + 8)?.try_into().ok().map(u64::from_le_bytes);
    if bytes.get(..16) != Some(&MAGIC[..]) {
        return Err(Unusable::Foreign);
    }
    // other fields of a damaged checkpoint are not trusted
    let end = long(40).and_then(|length| usize::try_from(length).ok()?.checked_add(BEFORE));
    let sound = end.is_some_and(|end| {
        end.checked_add(AFTER) == Some(bytes.len())
            && word(end) == Some(crc32fast::hash(&bytes[..end]))
    });
    if !sound {
        return Err(match (word(16), word(20)) {
            (_, Some(order)) if order == BYTE_ORDER.swap_bytes() => Unusable::ByteOrder,
            _ => Unusable::Damaged,
        });
    }
    match (word(16), word(20), long(24)) {
        (Some(layout), _, _) if layout != *LAYOUT => Err(Unusable::Layout(layout)),
        (_, _, Some(own)) if identity.is_some_and(|wanted| wanted != own) => {
            Err(Unusable::OtherRun)
        }
        _ => {
            postcard::from_bytes(&bytes[BEFORE..bytes.len() - AFTER]).map_err(|_| Unusable::Damaged)
        }
    }
}
