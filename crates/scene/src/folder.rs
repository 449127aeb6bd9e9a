//! The files that a scene may name: those of a folder on disk, or of a table in memory.

use super::mesh::LARGEST_FILE;
use super::regular;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The files of a table, by their names relative to the scene: `meshes/brick.msh`.
pub type FileTable = BTreeMap<String, Cow<'static, [u8]>>;

/// Home of a scene: mesh paths and includes are relative to it and confined to it.
#[derive(Debug, Clone, PartialEq)]
pub enum Folder {
    /// A folder on disk.
    Disk(PathBuf),
    /// A table in memory, for systems without a disk.
    Memory(Arc<FileTable>),
}

impl Folder {
    /// The path on disk; empty for a table in memory.
    pub fn path(&self) -> &Path {
        match self {
            Folder::Disk(path) => path,
            Folder::Memory(_) => Path::new(""),
        }
    }

    /// The bytes of a file that an accepted scene names.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read(&self, written: &str) -> Result<Vec<u8>, Error> {
        match self {
            Folder::Disk(folder) => Ok(regular::read(&folder.join(written), LARGEST_FILE)?),
            Folder::Memory(files) => stored(files, written).map(<[u8]>::to_vec),
        }
    }
}

/// The bytes stored under a name in a table: `./meshes/brick.msh` is `meshes/brick.msh`.
///
/// # Errors
/// The name does not exist.
pub fn stored<'a>(files: &'a FileTable, written: &str) -> Result<&'a [u8], Error> {
    let found = files.get(&plain(written)).map(AsRef::as_ref);
    found.ok_or_else(|| Error::new(ErrorKind::NotFound, "there is no such file"))
}

/// A relative name without `.` parts, separated by `/`.
pub fn plain(written: &str) -> String {
    let parts = Path::new(written).components().filter(|part| *part != Component::CurDir);
    let texts: Vec<_> = parts.map(|part| part.as_os_str().to_string_lossy()).collect();
    texts.join("/")
}

impl Default for Folder {
    fn default() -> Self {
        Folder::Disk(PathBuf::new())
    }
}

impl From<&Path> for Folder {
    fn from(path: &Path) -> Self {
        Folder::Disk(path.to_path_buf())
    }
}

impl From<&PathBuf> for Folder {
    fn from(path: &PathBuf) -> Self {
        Folder::Disk(path.clone())
    }
}

impl From<&Folder> for Folder {
    fn from(folder: &Folder) -> Self {
        folder.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::{LoadOptions, load_text};

    fn table(files: &[(&str, &str)]) -> Folder {
        let owned = files
            .iter()
            .map(|(name, text)| (String::from(*name), Cow::Owned(text.as_bytes().to_vec())));
        Folder::Memory(Arc::new(owned.collect()))
    }

    fn including(target: &str) -> String {
        let text = include_str!("../../../scenes/sliding_block.toml");
        format!("include = [\"{target}\"]\n{text}")
    }

    #[test]
    fn a_table_in_memory_has_includes_as_a_folder_has() {
        let folder = table(&[("parts/air.toml", "[[drag]]\nrate = 0.5\n")]);
        let load = |target: &str| {
            load_text("s.toml", &including(target), &folder, &LoadOptions::default())
        };
        let scene = load("./parts/air.toml").expect("it is there").scene;
        assert_eq!((scene.drags.len(), scene.folder == folder), (1, true));
        for (target, words) in [
            ("parts/water.toml", "there is no such file"),
            ("../air.toml", "leaves the scene's folder"),
            ("/air.toml", "absolute paths"),
        ] {
            let message = load(target).expect_err(target).to_string();
            assert!(message.contains(words) && message.contains("s.toml:1:"), "{message}");
        }
    }
}
