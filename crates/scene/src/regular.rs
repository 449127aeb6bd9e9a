//! Opens files that the program did not just write: regular ones, up to a size.

use std::fs::{File, Metadata, metadata};
use std::io::{Error, ErrorKind, Read, Take};
use std::path::Path;

/// Reason why a file is not read.
#[derive(Debug)]
pub enum Refusal {
    /// An error of the system.
    System(Error),
    /// A directory.
    Directory,
    /// A pipe, a device or a socket.
    Special,
    /// More bytes than the limit.
    TooLarge {
        /// Its size, as far as it is known \[bytes\].
        bytes: u64,
        /// The limit \[bytes\].
        most: u64,
    },
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::System(error) => error.fmt(f),
            Refusal::Directory => f.write_str("it is a directory, no regular file"),
            Refusal::Special => f.write_str("it is no regular file"),
            Refusal::TooLarge { bytes, most } => {
                write!(f, "it has {bytes} bytes or more, and at most {most} are read")
            }
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::System(error) => error,
            other => Error::new(ErrorKind::InvalidInput, other.to_string()),
        }
    }
}

/// Refuses a path that leads to no regular file, links followed.
///
/// # Errors
/// It is of another kind, or nothing is there.
pub fn check(path: &Path) -> Result<(), Refusal> {
    check_kind(&metadata(path).map_err(Refusal::System)?, u64::MAX)
}

fn check_kind(about: &Metadata, most: u64) -> Result<(), Refusal> {
    match about.len() {
        _ if about.is_dir() => Err(Refusal::Directory),
        _ if !about.is_file() => Err(Refusal::Special),
        bytes if bytes > most => Err(Refusal::TooLarge { bytes, most }),
        _ => Ok(()),
    }
}

/// Opens a regular file of at most `most` bytes, links followed; no more than one byte beyond is read
/// even if it grows.
///
/// A pipe is refused before it is opened, which would wait for a writer.
///
/// # Errors
/// The file is of another kind, too large, or cannot be opened.
pub fn open(path: &Path, most: u64) -> Result<Take<File>, Refusal> {
    check_kind(&metadata(path).map_err(Refusal::System)?, most)?;
    let file = File::open(path).map_err(Refusal::System)?;
    // it may be another one by now
    check_kind(&file.metadata().map_err(Refusal::System)?, most)?;
    Ok(file.take(most.saturating_add(1)))
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// As [`open`], and errors of reading.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>, Refusal> {
    let mut file = open(path, most)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(Refusal::System)?;
    match bytes.len() as u64 {
        bytes if bytes > most => Err(Refusal::TooLarge { bytes, most }),
        _ => Ok(bytes),
    }
}

/// The text of a regular file of at most `most` bytes in UTF-8.
///
/// # Errors
/// As [`read`], and bytes that are not UTF-8.
pub fn text(path: &Path, most: u64) -> Result<String, Refusal> {
    let not_text = |error| Refusal::System(Error::new(ErrorKind::InvalidData, error));
    String::from_utf8(read(path, most)?).map_err(|error| not_text(error.utf8_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_and_large_ones_are_refused() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(matches!(read(here, 10), Err(Refusal::Directory)));
        let manifest = here.join("Cargo.toml");
        let size = std::fs::metadata(&manifest).expect("there").len();
        assert!(
            matches!(read(&manifest, size - 1), Err(Refusal::TooLarge { bytes, .. }) if bytes == size)
        );
        assert_eq!(read(&manifest, size).expect("it fits").len() as u64, size);
        #[cfg(unix)]
        assert!(matches!(read(Path::new("/dev/zero"), 10), Err(Refusal::Special)));
    }
}
