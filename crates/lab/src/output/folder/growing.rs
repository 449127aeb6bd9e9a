//! Files that grow frame by frame: bytes are appended and never changed; the checksum of every
//! piece is stored in the journal.

use super::digest::Digest;
use super::files::{Files, Handle, named};
use super::sha256::Hasher;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Number of bytes read together.
const CHUNK: u64 = 1 << 20;

/// One appended piece of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Its first byte.
    pub start: u64,
    /// Length of the file after it \[bytes\].
    pub end: u64,
    /// CRC-32 of its bytes.
    pub crc: u32,
}

/// A growing file.
pub(crate) struct Growing {
    handle: Box<dyn Handle>,
    path: PathBuf,
    length: u64,
}

impl Growing {
    /// Creates the file with its head.
    pub fn create(files: &dyn Files, path: &Path, head: &[u8]) -> io::Result<Self> {
        let handle = files.create(path).map_err(|error| named(path, &error))?;
        let mut file = Growing { handle, path: path.to_path_buf(), length: 0 };
        file.append(head)?;
        Ok(file)
    }

    /// Opens a file whose first `length` bytes are valid.
    pub fn open(files: &dyn Files, path: &Path, length: u64) -> io::Result<Self> {
        Growing::with(|| files.open(path), path, Some(length))
    }

    /// As [`Growing::open`], for reading alone; without `length` all bytes are valid.
    pub fn view(files: &dyn Files, path: &Path, length: Option<u64>) -> io::Result<Self> {
        Growing::with(|| files.view(path), path, length)
    }

    fn with(
        open: impl Fn() -> io::Result<Box<dyn Handle>>,
        path: &Path,
        length: Option<u64>,
    ) -> io::Result<Self> {
        let open = || {
            let mut handle = open()?;
            let found = handle.length()?;
            let length = length.unwrap_or(found);
            if found < length {
                let message = format!("it has less than the {length} bytes that were kept");
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            Ok(Growing { handle, path: path.to_path_buf(), length })
        };
        open().map_err(|error| named(path, &error))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length \[bytes\].
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Removes bytes beyond the valid length.
    pub fn cut(&mut self) -> io::Result<()> {
        self.handle.set_length(self.length).map_err(|error| named(&self.path, &error))
    }

    /// Appends a piece.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<Piece> {
        let start = self.length;
        self.handle.write_at(start, bytes).map_err(|error| named(&self.path, &error))?;
        self.length += bytes.len() as u64;
        Ok(Piece { start, end: self.length, crc: crc32fast::hash(bytes) })
    }

    /// Replaces the head by one of the same length.
    pub(crate) fn set_head(&mut self, head: &[u8]) -> io::Result<()> {
        self.handle.write_at(0, head).map_err(|error| named(&self.path, &error))
    }

    /// Syncs the file: it survives a power failure afterwards.
    pub fn sync(&mut self) -> io::Result<()> {
        self.handle.sync().map_err(|error| named(&self.path, &error))
    }

    /// Fills `into` with the bytes from `at` on.
    pub fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.handle.read_at(at, into).map_err(|error| named(&self.path, &error))
    }

    /// Length and digest of the file, if these pieces are as written and nothing is between or
    /// after them; else the index of the first wrong piece. Everything before the first piece is
    /// the head, which is not checked; without pieces that is the whole file.
    pub fn check(&mut self, pieces: &[Piece]) -> io::Result<Result<Digest, usize>> {
        let (mut whole, mut ahead) = (Hasher::default(), ReadAhead::until(self.length));
        let mut at = pieces.first().map_or(self.length, |piece| piece.start.min(self.length));
        self.hash((0, at), &mut ahead, Some(&mut whole))?;
        for (number, piece) in pieces.iter().enumerate() {
            if piece.start != at || piece.end < at || piece.end > self.length {
                return Ok(Err(number));
            }
            if self.hash((at, piece.end), &mut ahead, Some(&mut whole))? != piece.crc {
                return Ok(Err(number));
            }
            at = piece.end;
        }
        match at == self.length {
            true => Ok(Ok(Digest { bytes: self.length, sha256: whole.text() })),
            false => Ok(Err(pieces.len())),
        }
    }

    /// Length and digest of the whole file.
    pub(crate) fn digest(&mut self) -> io::Result<Digest> {
        let mut whole = Hasher::default();
        self.hash((0, self.length), &mut ReadAhead::until(self.length), Some(&mut whole))?;
        Ok(Digest { bytes: self.length, sha256: whole.text() })
    }

    /// Whether the bytes of a piece are as written.
    pub(super) fn is_sound(&mut self, piece: Piece) -> bool {
        let is_there = piece.start <= piece.end && piece.end <= self.length;
        let mut ahead = ReadAhead::until(piece.end);
        let mut crc = || self.hash((piece.start, piece.end), &mut ahead, None);
        is_there && crc().is_ok_and(|crc| crc == piece.crc)
    }

    /// Appends the bytes of another file between two positions, which are not held in memory together.
    pub(super) fn append_from(
        &mut self,
        other: &mut Growing,
        from: u64,
        to: u64,
    ) -> io::Result<Piece> {
        let (start, mut crc, mut at) = (self.length, crc32fast::Hasher::new(), from);
        let mut bytes = vec![0; CHUNK.min(to.saturating_sub(from)) as usize];
        while at < to {
            let chunk = &mut bytes[..CHUNK.min(to - at) as usize];
            other.read_at(at, chunk)?;
            self.append(chunk)?;
            crc.update(chunk);
            at += chunk.len() as u64;
        }
        Ok(Piece { start, end: self.length, crc: crc.finalize() })
    }

    /// The checksum of the bytes between two positions, which are read `ahead`; also adds them to the digest `whole`.
    fn hash(
        &mut self,
        (from, to): (u64, u64),
        ahead: &mut ReadAhead,
        mut whole: Option<&mut Hasher>,
    ) -> io::Result<u32> {
        let mut part = crc32fast::Hasher::new();
        let mut at = from;
        while at < to {
            let read = ahead.read(&mut *self.handle, at);
            let chunk = read.map_err(|error| named(&self.path, &error))?;
            let left = usize::try_from(to - at).unwrap_or(usize::MAX);
            let chunk = &chunk[..chunk.len().min(left)];
            part.update(chunk);
            if let Some(whole) = &mut whole {
                whole.update(chunk);
            }
            at += chunk.len() as u64;
        }
        Ok(part.finalize())
    }
}

/// Bytes of a file that are read together, however small the pieces in which they are asked for.
struct ReadAhead {
    start: u64,
    bytes: Vec<u8>,
    until: u64,
}

impl ReadAhead {
    /// Reads no byte from `until` on.
    fn until(until: u64) -> ReadAhead {
        ReadAhead { start: 0, bytes: Vec::new(), until }
    }

    /// The bytes from `at` on, at least one before the end.
    fn read(&mut self, handle: &mut dyn Handle, at: u64) -> io::Result<&[u8]> {
        let end = self.start + self.bytes.len() as u64;
        if !(self.start..end).contains(&at) {
            self.bytes.resize(CHUNK.min(self.until - at) as usize, 0);
            self.start = at;
            handle.read_at(at, &mut self.bytes)?;
        }
        Ok(&self.bytes[(at - self.start) as usize..])
    }
}
