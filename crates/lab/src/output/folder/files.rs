//! The file system as used by results: the few calls on which crash safety rests, as a trait, so
//! that a test can substitute a disk that loses power. A folder may come from somebody else: only
//! regular files are opened, and read up to a limit.

use std::fs;
use std::io;
#[cfg(not(unix))]
use std::io::{Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::path::Path;
use stiction_scene::regular;

/// A file system. A created, renamed or removed name survives a power failure only after
/// [`Files::sync_folder`], the content of a file only after [`Handle::sync`].
pub trait Files: Send + Sync {
    /// Creates an empty file for writing, or empties an existing one. A symbolic link is refused,
    /// since it leads elsewhere, and so is what is no regular file.
    fn create(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Opens an existing file for reading and writing. A symbolic link is refused.
    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// Opens an existing file for reading.
    fn view(&self, path: &Path) -> io::Result<Box<dyn Handle>>;

    /// The content of a file of at most `most` bytes.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut handle = self.view(path)?;
        let length = handle.length()?;
        if length > most {
            let message = format!("it has {length} bytes, and at most {most} are read");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length as usize)?;
        bytes.resize(length as usize, 0);
        handle.read_at(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Renames a file, replacing any file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file, if it exists.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder and its parents, if they do not exist.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Names of the entries of a folder, sorted; none if the folder does not exist.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;

    /// Syncs the names in a folder: they survive a power failure afterwards.
    fn sync_folder(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait Handle: Send {
    /// Its length \[bytes\].
    fn length(&mut self) -> io::Result<u64>;

    /// Fills `into` with the bytes from `at` on.
    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// Writes all bytes from `at` on.
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()>;

    /// Cuts it to a length \[bytes\].
    fn set_length(&mut self, length: u64) -> io::Result<()>;

    /// Syncs its content: it survives a power failure afterwards. After an error the content is
    /// unknown, and sync must not be repeated.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Disk;

impl Files for Disk {
    fn create(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        no_link(path)?;
        if path.exists() {
            regular::check(path)?;
        }
        let mut options = fs::File::options();
        let file = options.read(true).write(true).create(true).truncate(true).open(path)?;
        Ok(Box::new(DiskFile(file)))
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        no_link(path)?;
        regular::check(path)?;
        let file = fs::File::options().read(true).write(true).open(path)?;
        Ok(Box::new(DiskFile(file)))
    }

    fn view(&self, path: &Path) -> io::Result<Box<dyn Handle>> {
        no_link(path)?;
        // before it is opened, since a pipe without a writer would wait for one
        regular::check(path)?;
        Ok(Box::new(DiskFile(fs::File::open(path)?)))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        let mut names = entries.map(name).collect::<io::Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        fs::File::open(path)?.sync_all()
    }
}

fn no_link(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink()) {
        let message = "it is a symbolic link, which leads elsewhere";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

/// A file of [`Disk`].
struct DiskFile(fs::File);

impl Handle for DiskFile {
    fn length(&mut self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    #[cfg(unix)]
    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(into, at)
    }

    #[cfg(not(unix))]
    fn read_at(&mut self, at: u64, into: &mut [u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(at))?;
        self.0.read_exact(into)
    }

    #[cfg(unix)]
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all_at(bytes, at)
    }

    #[cfg(not(unix))]
    fn write_at(&mut self, at: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.seek(SeekFrom::Start(at))?;
        self.0.write_all(bytes)
    }

    fn set_length(&mut self, length: u64) -> io::Result<()> {
        self.0.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// An error of a file, with its name.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}
