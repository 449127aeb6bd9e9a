//! Opens mesh files that a scene names, and no others.

use super::MeshError;
use crate::folder::{FileTable, stored};
use crate::regular::{self, Refusal};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use stiction_core::registry::Problem;

/// Size of the largest mesh file that is read \[bytes\].
pub const LARGEST_FILE: u64 = 128 << 20;

/// Path of the file `written` in `folder`.
///
/// Refuses absolute paths, `..` and symbolic links that lead out of the folder. A missing file is
/// not refused here; [`read_file`] reports it.
pub fn path_inside(folder: &Path, written: &str) -> Result<PathBuf, Problem> {
    let refuse = |message: String| {
        Problem::of(
            "path",
            message,
            "name a file in the scene's folder or below it, relative to that folder",
        )
    };
    let shown = written.escape_debug();
    if written.trim().is_empty() || written.contains('\0') {
        return Err(refuse(format!("`{shown}` is no file name")));
    }
    let ordinary = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
    if written.starts_with('~') || !Path::new(written).components().all(ordinary) {
        return Err(refuse(format!("`{shown}` leads out of the scene's folder")));
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let joined = folder.join(written);
    let (Ok(root), Ok(target)) = (folder.canonicalize(), joined.canonicalize()) else {
        return Ok(joined);
    };
    if !target.starts_with(&root) {
        return Err(refuse(format!("`{shown}` is a link that leads out of the scene's folder")));
    }
    Ok(target)
}

/// The bytes of a regular file of at most [`LARGEST_FILE`]; `written` is its name in messages.
///
/// Pipes, devices and folders are refused without being opened.
pub fn read_file(path: &Path, written: &str) -> Result<Vec<u8>, MeshError> {
    let other =
        |what: &str| MeshError::whole(format!("is {what}, not a regular file"), "name a mesh file");
    regular::read(path, LARGEST_FILE).map_err(|refusal| {
        let error = match refusal {
            Refusal::System(error) => return unreadable(&error, written),
            Refusal::Directory => other("a folder"),
            Refusal::Special => other("a pipe or device"),
            Refusal::TooLarge { .. } => MeshError::whole(
                format!("is larger than {} MiB, the most that is read", LARGEST_FILE >> 20),
                "make a coarser mesh",
            ),
        };
        error.in_file(written)
    })
}

/// The bytes of the file `written` of a table in memory.
pub fn read_stored(files: &FileTable, written: &str) -> Result<Vec<u8>, MeshError> {
    stored(files, written).map(<[u8]>::to_vec).map_err(|error| unreadable(&error, written))
}

fn unreadable(error: &std::io::Error, written: &str) -> MeshError {
    let help = match error.kind() {
        ErrorKind::NotFound => "check the spelling; the path counts from the scene's folder",
        ErrorKind::PermissionDenied => "give yourself permission to read it",
        _ => "check that the file can be read",
    };
    let reason = match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_string(),
        _ => format!("cannot be read: {error}"),
    };
    MeshError::whole(reason, help).in_file(written)
}
