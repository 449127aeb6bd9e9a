//! The lock of a results folder: one process writes there at a time.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Name of the lock's file in the folder. It stays there, empty, when the folder is free.
pub(crate) const LOCK: &str = "run.lock";

/// Times that the holder's name is looked for, and the wait between them: it writes it just after it
/// took the lock.
const LOOKS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(5);

/// A folder that is held; the system lets it go when the process ends, however it ends.
pub struct Lock {
    file: File,
}

/// Why a folder is not held.
#[derive(Debug)]
pub enum LockError {
    /// Another process holds it: which one.
    Held(String),
    /// The file system said no.
    Io(PathBuf, io::Error),
}

impl Lock {
    /// Holds a folder that is there.
    ///
    /// # Errors
    /// The process that holds it, or why there can be no lock.
    pub fn take(folder: &Path) -> Result<Lock, LockError> {
        let path = folder.join(LOCK);
        let io = |cause| LockError::Io(path.clone(), cause);
        if std::fs::symlink_metadata(&path).is_ok_and(|about| about.is_symlink()) {
            return Err(io(io::Error::other("it is a symbolic link, which leads elsewhere")));
        }
        let mut options = File::options();
        let mut file =
            options.read(true).write(true).create(true).truncate(false).open(&path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            // a file system without locks: nothing can be promised there, and nothing is refused
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
            Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
        }
        let name = format!("process {}\n", std::process::id());
        file.set_len(0).and_then(|()| file.write_all(name.as_bytes())).map_err(io)?;
        Ok(Lock { file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // a folder that is free names nobody
        let _ = self.file.set_len(0);
        let _ = self.file.unlock();
    }
}

fn holder(file: &mut File) -> String {
    for _ in 0..LOOKS {
        let mut name = String::new();
        let read = file.rewind().and_then(|()| file.take(80).read_to_string(&mut name));
        if read.is_ok() && name.ends_with('\n') {
            return name.trim().into();
        }
        std::thread::sleep(PAUSE);
    }
    "another process".into()
}
