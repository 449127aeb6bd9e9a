//! `trajectory/journal.bin`: one record per frame with the frame's numbers and the checksum of its
//! piece of every other file, so that a folder can be verified, repaired and resumed.
//!
//! Head of 40 bytes: magic, layout of the records, byte order, identity of the run, four zero
//! bytes, CRC-32 of everything before it. Then per frame: magic, length of the payload, step, t,
//! SHA-256 of the record before (of the head, for the first), payload, CRC-32 of everything before it in
//! the record. All numbers are little-endian.
//!
//! The last record thus fixes all before it. A checksum of the whole could not: the CRC-32 of records that
//! each end in their own depends on their lengths alone.

use super::digest::Digest;
use super::files::Files;
use super::growing::Piece;
use super::schema::layout;
use super::sha256::Hasher;
use crate::run::Recorded;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::sync::LazyLock;

/// Layout of [`Entry`]; a journal of another layout is not read: [`check_layout`].
static LAYOUT: LazyLock<u32> = LazyLock::new(layout::<Entry>);

/// A number whose bytes show the byte order of a file.
pub(crate) const BYTE_ORDER: u32 = 0x0102_0304;

const MAGIC: &[u8; 16] = b"STICTION-JOURNAL";

const FRAME: &[u8; 4] = b"FRAM";

/// Length of the head \[bytes\].
pub const HEAD: usize = 40;

/// Bytes of a record other than its payload: magic, length, step, t, the link; then the checksum.
const BEFORE: usize = 56;
const AFTER: usize = 4;

/// Offset of the link in a record.
const LINK: usize = 24;

/// Largest record, and largest part of a journal behind its sound records, that is read \[bytes\].
const RECORD_MOST: u64 = 256 << 20;

/// Bytes of damaged records whose checksums are computed in the search for sound ones, over those of the
/// journal.
const SEARCHED: u64 = 64;

/// SHA-256 of a record, or of the head, which the next record holds.
pub type Link = [u8; 32];

/// One frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its numbers.
    pub recorded: Recorded,
    /// The piece added to each data file, in the order of the manifest.
    pub pieces: Vec<Piece>,
    /// The files that show this frame alone: [`crate::output::exports::frames`].
    pub shown: Vec<(String, Digest)>,
}

/// The head of a run's journal.
pub fn head(identity: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(LAYOUT.to_le_bytes());
    bytes.extend(BYTE_ORDER.to_le_bytes());
    bytes.extend(identity.to_le_bytes());
    bytes.resize(HEAD - AFTER, 0);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The link of a record or head.
pub fn link(bytes: &[u8]) -> Link {
    let mut hasher = Hasher::default();
    hasher.update(bytes);
    hasher.bytes()
}

/// The record of a frame. `before` is the link of the record before it, or of the head for the first frame.
pub fn record(entry: &Entry, before: &Link) -> Vec<u8> {
    let payload = postcard::to_stdvec(entry).expect("plain data");
    let mut bytes = Vec::with_capacity(BEFORE + payload.len() + AFTER);
    bytes.extend(FRAME);
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(entry.recorded.step.to_le_bytes());
    bytes.extend(entry.recorded.frame.time.to_le_bytes());
    bytes.extend(before);
    bytes.extend(payload);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// The readable part of a journal.
#[derive(Debug, Default)]
pub struct Journal {
    /// Identity of its run; none if the head is damaged.
    pub identity: Option<u64>,
    /// The frames.
    pub entries: Vec<Entry>,
    /// Link of the last record.
    pub link: Link,
    /// The first byte that does not belong to a sound record, if there is one.
    pub damaged_at: Option<u64>,
}

/// Reads a journal up to its first damage.
pub fn read(bytes: &[u8]) -> Journal {
    let mut journal = Journal { identity: identity(bytes), ..Journal::default() };
    let mut at = HEAD;
    if journal.identity.is_none() {
        journal.damaged_at = Some(0);
        return journal;
    }
    journal.link = link(&bytes[..HEAD]);
    while at < bytes.len() {
        let follows = bytes.get(at + LINK..at + BEFORE) == Some(&journal.link);
        let Some((entry, length)) = next(&bytes[at..]).filter(|_| follows) else {
            journal.damaged_at = Some(at as u64);
            return journal;
        };
        journal.link = link(&bytes[at..at + length]);
        at += length;
        journal.entries.push(entry);
    }
    journal
}

/// The bytes of a journal: its sound records, however many, and the first of what is behind them.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn load(files: &dyn Files, path: &Path) -> io::Result<Vec<u8>> {
    let mut handle = files.view(path)?;
    let length = handle.length()?;
    let mut bytes = Vec::new();
    let mut add = |bytes: &mut Vec<u8>, more: u64| {
        let at = bytes.len();
        bytes.try_reserve(more as usize)?;
        bytes.resize(at + more as usize, 0);
        handle.read_at(at as u64, &mut bytes[at..])
    };
    add(&mut bytes, length.min(HEAD as u64))?;
    loop {
        let (at, left) = (bytes.len(), length - bytes.len() as u64);
        if left < BEFORE as u64 {
            add(&mut bytes, left)?;
            return Ok(bytes);
        }
        add(&mut bytes, BEFORE as u64)?;
        let size = word(&bytes[at..], 4).map_or(0, u64::from) + AFTER as u64;
        let rest = left - BEFORE as u64;
        let may_be = bytes[at..].starts_with(FRAME) && size <= rest.min(RECORD_MOST);
        if may_be {
            add(&mut bytes, size)?;
        }
        if !may_be || !has_its_checksum(&bytes[at..]) {
            let behind = length - bytes.len() as u64;
            add(&mut bytes, behind.min(RECORD_MOST))?;
            return Ok(bytes);
        }
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_le_bytes)
}

/// Whether bytes end in the checksum of those before.
fn has_its_checksum(bytes: &[u8]) -> bool {
    let end = bytes.len() - AFTER;
    word(bytes, end) == Some(crc32fast::hash(&bytes[..end]))
}

/// All sound records, including those after damaged ones and those that no longer follow one another.
pub fn salvage(bytes: &[u8]) -> Vec<Entry> {
    let (mut at, mut entries) = (0, Vec::new());
    let mut search = SEARCHED * bytes.len() as u64;
    while at < bytes.len() && search > 0 {
        let found = next(&bytes[at..]);
        match found {
            Some((entry, length)) => {
                entries.push(entry);
                at += length;
            }
            None => {
                let hashed = end_of(&bytes[at..]).map_or(0, |end| end as u64);
                search = search.saturating_sub(hashed + 1);
                at += 1;
            }
        }
    }
    entries
}

/// Whether these bytes, at whose start there is no sound record, may be one that a killed run did not write
/// to its end.
pub(crate) fn is_cut(bytes: &[u8]) -> bool {
    let magic = bytes.len().min(FRAME.len());
    let length = word(bytes, 4);
    bytes[..magic] == FRAME[..magic]
        && length.is_none_or(|length| BEFORE + length as usize + AFTER > bytes.len())
}

fn identity(bytes: &[u8]) -> Option<u64> {
    let number = bytes.get(24..32)?.try_into().ok().map(u64::from_le_bytes)?;
    (bytes.get(..HEAD)? == head(number)).then_some(number)
}

/// The records of a journal have another layout than [`Entry`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "another version of the program wrote it (records of layout {written:08x}; this one reads {:08x}): use that version",
    *LAYOUT
)]
pub struct OtherLayout {
    written: u32,
}

/// Checks that the records of a journal have the layout of [`Entry`], if its head is sound.
///
/// # Errors
/// They have another.
pub fn check_layout(bytes: &[u8]) -> Result<(), OtherLayout> {
    let crc = bytes.get(..HEAD - AFTER).map(crc32fast::hash);
    let sound = bytes.starts_with(MAGIC) && crc.is_some() && crc == word(bytes, HEAD - AFTER);
    match word(bytes, MAGIC.len()) {
        Some(written) if sound && written != *LAYOUT => Err(OtherLayout { written }),
        _ => Ok(()),
    }
}

/// Where the checksum of a record that may begin these bytes stands in them.
fn end_of(bytes: &[u8]) -> Option<usize> {
    if bytes.get(..4)? != FRAME {
        return None;
    }
    let end = BEFORE.checked_add(word(bytes, 4)? as usize)?;
    word(bytes, end).map(|_| end)
}

/// The record at the start of these bytes, and its length.
fn next(bytes: &[u8]) -> Option<(Entry, usize)> {
    let end = end_of(bytes)?;
    if !has_its_checksum(&bytes[..end + AFTER]) {
        return None;
    }
    let entry = postcard::from_bytes(&bytes[BEFORE..end]).ok()?;
    Some((entry, end + AFTER))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A journal with the layout of another version is told from a damaged one.
    #[test]
    fn another_layout_is_no_damage() {
        let mut other = head(7);
        assert_eq!((check_layout(&other), identity(&other)), (Ok(()), Some(7)));
        let written = LAYOUT.wrapping_add(1);
        other[16..20].copy_from_slice(&written.to_le_bytes());
        assert_eq!((check_layout(&other), identity(&other)), (Ok(()), None), "a damaged head");
        let crc = crc32fast::hash(&other[..HEAD - AFTER]);
        other[HEAD - AFTER..].copy_from_slice(&crc.to_le_bytes());
        let found = check_layout(&other).expect_err("another layout");
        assert_eq!(found, OtherLayout { written });
        assert!(found.to_string().contains("another version of the program"), "{found}");
        assert!(read(&other).entries.is_empty());
    }
}
