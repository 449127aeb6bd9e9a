//! Files that are there whole or not at all.

use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::Path;

/// The ending of files that are being written.
pub const HALF: &str = "tmp";

/// Replaces a file in one move, so that a reader never sees half of it. For files with one writer.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    through(path, HALF, bytes)
}

/// The same for files that several processes may write at once, with the same bytes.
pub fn write_shared(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // numbers of processes are equal on many machines, the keys of a hasher are not
    let unique = || std::collections::hash_map::RandomState::new().build_hasher().finish();
    let attempt = || through(path, &format!("{:016x}.{HALF}", unique()), bytes);
    // whoever cleans up takes a half-written file of someone else for a stray one
    match attempt() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => attempt(),
        done => done,
    }
}

fn through(path: &Path, ending: &str, bytes: &[u8]) -> io::Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"));
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let half = folder.join(format!("{}.{ending}", name.to_string_lossy()));
    let whole = || {
        let mut file = fs::File::create(&half)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&half, path)
    };
    if let Err(error) = whole() {
        // a full disk must not stay full of halves
        let _ = fs::remove_file(&half);
        return Err(error);
    }
    // the new name must survive a power failure too
    fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        for write in [write, write_shared] {
            write(&path, b"a long first text").expect("written");
            write(&path, b"short").expect("replaced");
            assert_eq!(fs::read(&path).expect("there"), b"short");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        // a bare name is one in the working directory
        let bare = Path::new("atomic-test-of-a-bare-name.json");
        write(bare, b"text").expect("written");
        assert_eq!(fs::read(bare).expect("there"), b"text");
        fs::remove_file(bare).expect("removed");
        // what cannot be moved into place leaves no half behind
        fs::create_dir(folder.path().join("b")).expect("a folder");
        assert!(write(&folder.path().join("b"), b"text").is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
