//! The lock of a results folder: only one process at a time may write there.

use super::files::{Disk, Files};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the lock's file in the folder. It remains there, empty, when the folder is free.
pub(crate) const LOCK: &str = "run.lock";

/// Longest name of a holder \[bytes\].
const NAME_MOST: u64 = 80;

/// Number of attempts to read the holder's name, and the pause between them: the holder writes its
/// name just after it has taken the lock.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// The lock of a folder; the system releases it when the process ends for any reason.
pub struct Lock {
    file: File,
    path: PathBuf,
}

/// Reason why a folder cannot be locked.
#[derive(Debug)]
pub enum LockError {
    /// Another process, named here, has the lock.
    Held(String),
    /// The file system refused.
    Io(PathBuf, io::Error),
}

impl Lock {
    /// Locks an existing folder.
    ///
    /// # Errors
    /// The process that has the lock, or the reason why locking fails.
    pub fn take(folder: &Path) -> Result<Lock, LockError> {
        let path = std::path::absolute(folder.join(LOCK)).unwrap_or_else(|_| folder.join(LOCK));
        let io = |cause| LockError::Io(path.clone(), cause);
        if std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_symlink()) {
            return Err(io(io::Error::other("it is a symbolic link, which leads elsewhere")));
        }
        let mut options = File::options();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            // a file system without locks: accepted without protection
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
        }
        let name = format!("process {}\n", std::process::id());
        file.set_len(0).and_then(|()| file.write_all(name.as_bytes())).map_err(io)?;
        Ok(Lock { file, path })
    }
}

impl Lock {
    /// Checks that the folder has still its name: another one there is not this run's to write to.
    ///
    /// # Errors
    /// It was moved, removed or replaced.
    pub(crate) fn check_place(&self) -> io::Result<()> {
        let is_there = match (std::fs::symlink_metadata(&self.path), self.file.metadata()) {
            (Ok(there), Ok(held)) => is_same(&there, &held),
            _ => false,
        };
        match is_there {
            true => Ok(()),
            false => Err(io::Error::other(Moved(self.path.clone()))),
        }
    }
}

#[cfg(unix)]
fn is_same(a: &std::fs::Metadata, b: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Elsewhere a folder in which files are open cannot be moved.
#[cfg(not(unix))]
fn is_same(_: &std::fs::Metadata, _: &std::fs::Metadata) -> bool {
    true
}

/// A folder lost its name while a run wrote there.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is not the lock that this run holds: the folder was moved, removed or replaced while the run wrote to it", .0.display())]
struct Moved(PathBuf);

/// Whether a folder was moved, removed or replaced, see [`Lock::check_place`].
pub(crate) fn is_moved(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Moved>())
}

impl Drop for Lock {
    fn drop(&mut self) {
        // the file of a free folder is empty
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

/// Whether the file of this name in a folder is a lock: empty, also as a loss of power leaves it, or the name of a
/// process.
pub(crate) fn is_one(folder: &Path) -> bool {
    let read = Disk.read(&folder.join(LOCK), NAME_MOST);
    read.is_ok_and(|text| text.iter().all(|byte| *byte == 0) || text.starts_with(b"process "))
}

fn holder(file: &mut File) -> String {
    for _ in 0..LOOKS {
        let mut name = String::new();
        let read = file.rewind().and_then(|()| file.take(NAME_MOST).read_to_string(&mut name));
        if read.is_ok() && name.ends_with('\n') {
            return name.trim().into();
        }
        std::thread::sleep(PAUSE);
    }
    "another process".into()
}
