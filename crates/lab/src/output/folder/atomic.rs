//! Files written whole or not at all.

use super::files::{Disk, Files};
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// The ending of unfinished files.
pub(crate) const HALF: &str = "tmp";

/// Replaces a file in the folder of a run by renaming, so that a reader never sees a part of it. The folder has
/// one writer, which knows the name of an unfinished file of an earlier one.
pub fn write_alone(files: &dyn Files, path: &Path, bytes: &[u8]) -> io::Result<()> {
    through(files, path, HALF, bytes)
}

/// Replaces a file anywhere by renaming. Several processes may write it simultaneously with the same bytes.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_on(&Disk, path, bytes)
}

/// As [`write()`], on any file system.
pub fn write_on(files: &dyn Files, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let attempt = || through(files, path, &unique(), bytes);
    // another process may remove this unfinished file as a stray one
    match attempt() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => attempt(),
        done => done,
    }
}

/// Checks before a run whether the file can be written.
///
/// # Errors
/// The reason why it cannot.
pub fn try_out(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let (_, half) = half_of(path, &unique())?;
    Disk.create(&half)?;
    Disk.remove(&half)
}

/// An ending of an unfinished file that no other file has: numbers of processes coincide on different machines,
/// keys of a hasher do not.
fn unique() -> String {
    let key = std::collections::hash_map::RandomState::new().build_hasher().finish();
    format!("{key:016x}.{HALF}")
}

/// Whether a file has a name under which [`write()`] makes that of another name.
pub(crate) fn is_unfinished(name: &str, of: &str) -> bool {
    let key = name.strip_prefix(of).and_then(|rest| rest.strip_prefix('.'));
    let key = key.and_then(|rest| rest.strip_suffix(HALF)).and_then(|rest| rest.strip_suffix('.'));
    key.is_some_and(|key| key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// The folder of a file, and its name while unfinished.
fn half_of(path: &Path, ending: &str) -> io::Result<(PathBuf, PathBuf)> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is no name of a file"));
    };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    Ok((folder.to_path_buf(), folder.join(format!("{}.{ending}", name.to_string_lossy()))))
}

/// Bytes that are compared at once.
const PIECE: usize = 1 << 20;

/// Whether the content of a file is these bytes.
fn reads_back(files: &dyn Files, path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let mut handle = files.view(path)?;
    if handle.length()? != bytes.len() as u64 {
        return Ok(false);
    }
    let mut piece = vec![0; PIECE.min(bytes.len())];
    for (number, expected) in bytes.chunks(PIECE).enumerate() {
        let found = &mut piece[..expected.len()];
        handle.read_at((number * PIECE) as u64, found)?;
        if found != expected {
            return Ok(false);
        }
    }
    Ok(true)
}

fn through(files: &dyn Files, path: &Path, ending: &str, bytes: &[u8]) -> io::Result<()> {
    let (folder, half) = half_of(path, ending)?;
    let whole = || {
        let mut file = files.create(&half)?;
        file.write_at(0, bytes)?;
        file.sync()?;
        drop(file);
        // a disk may report bytes as written that it did not write
        if !reads_back(files, &half, bytes)? {
            return Err(io::Error::other("what was written does not read back the same"));
        }
        files.rename(&half, path)
    };
    if let Err(error) = whole() {
        // a full disk must not stay full of unfinished files
        let _ = files.remove(&half);
        return Err(error);
    }
    // the new name must survive a power failure too
    files.sync_folder(&folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn files_are_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.json");
        let within = |path: &Path, bytes: &[u8]| write_alone(&Disk, path, bytes);
        for write in [write, within] {
            write(&path, b"a long first text").expect("written");
            write(&path, b"short").expect("replaced");
            assert_eq!(fs::read(&path).expect("there"), b"short");
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
        // a file that is named as an unfinished one is somebody's
        fs::write(folder.path().join("a.json.tmp"), b"mine").expect("written");
        write(&path, b"again").and_then(|()| try_out(&path)).expect("replaced");
        assert_eq!(fs::read(folder.path().join("a.json.tmp")).expect("there"), b"mine");
        fs::remove_file(folder.path().join("a.json.tmp")).expect("removed");
        // a bare name is in the working directory
        let bare = Path::new("atomic-test-of-a-bare-name.json");
        write(bare, b"text").expect("written");
        assert_eq!(fs::read(bare).expect("there"), b"text");
        fs::remove_file(bare).expect("removed");
        // a file that cannot be renamed leaves no unfinished one
        fs::create_dir(folder.path().join("b")).expect("a folder");
        assert!(write(&folder.path().join("b"), b"text").is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }
}
