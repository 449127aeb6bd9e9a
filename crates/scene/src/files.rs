//! Reads the scene's files: regular files in UTF-8 up to a size limit; includes only from inside
//! the scene's folder.

use super::diagnostics::{Diagnostic, Diagnostics, quoted};
use super::folder::{FileTable, Folder, plain, stored};
use super::place::{Place, Source};
use super::regular;
use super::tree::{self, Content, Node, Table};
use std::collections::BTreeSet;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// Largest text of a scene with its includes \[bytes\].
pub const MAX_BYTES: u64 = 64 << 20;
/// Largest number of files.
pub(crate) const MAX_FILES: usize = 256;
/// Deepest chain of includes, the scene itself counted.
pub(crate) const MAX_DEPTH: usize = 16;

/// Reason why a text cannot be read.
#[derive(Debug)]
pub enum Unreadable {
    /// An error of the system, or a file that is not regular.
    File(String),
    /// It is longer than [`MAX_BYTES`].
    TooLarge(String),
    /// Not UTF-8: the valid bytes, the first bad byte, and the reason.
    NotText(String, usize, String),
}

/// Reads a regular file of at most `room` bytes.
pub fn read_file(path: &Path, room: u64) -> Result<String, Unreadable> {
    match regular::open(path, room) {
        Ok(file) => read_stream(file, room),
        Err(regular::Refusal::System(error)) => Err(Unreadable::File(reason(&error))),
        Err(regular::Refusal::Directory) => Err(Unreadable::File("it is a directory".into())),
        Err(regular::Refusal::TooLarge { bytes, .. }) => Err(too_large(bytes)),
        Err(regular::Refusal::Special) => Err(Unreadable::File("it is not a regular file".into())),
    }
}

/// Reads a stream of at most `room` bytes to its end.
pub(crate) fn read_stream(stream: impl Read, room: u64) -> Result<String, Unreadable> {
    let mut bytes = Vec::new();
    stream.take(room + 1).read_to_end(&mut bytes).map_err(|error| match error.kind() {
        ErrorKind::OutOfMemory => Unreadable::TooLarge("there is no memory for its text".into()),
        _ => Unreadable::File(reason(&error)),
    })?;
    if bytes.len() as u64 > room {
        return Err(too_large(bytes.len() as u64));
    }
    decode(bytes)
}

fn too_large(bytes: u64) -> Unreadable {
    Unreadable::TooLarge(format!(
        "over the limit: {bytes} bytes or more of text, at most {MAX_BYTES} (64 MiB) are read for a scene with its includes"
    ))
}

/// The message of the system, without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn decode(bytes: Vec<u8>) -> Result<String, Unreadable> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let why = "the file starts with a byte order mark of UTF-16".to_string();
        return Err(Unreadable::NotText(String::new(), 0, why));
    }
    let skip = if bytes.starts_with(&[0xef, 0xbb, 0xbf]) { 3 } else { 0 };
    match String::from_utf8(bytes) {
        Ok(text) if skip > 0 => Ok(text[skip..].to_string()),
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let line = bytes[..at].iter().filter(|&&b| b == b'\n').count() + 1;
            let why = format!("not UTF-8 at byte {at} (line {line}): 0x{:02x}", bytes[at]);
            let end = bytes.len().min(at + 200);
            let text = String::from_utf8_lossy(&bytes[skip..end]).into_owned();
            Err(Unreadable::NotText(text, at - skip.min(at), why))
        }
    }
}

/// The error of a text that is not UTF-8.
pub(crate) fn not_text(source: usize, at: usize, why: String) -> Diagnostic {
    let place = Place { source, start: at, end: at + 1 };
    Diagnostic::error("E103", place, why).help("save the file as UTF-8 text")
}

/// The texts of a scene and the chain of their includes.
pub(crate) struct Assembly {
    /// All texts so far.
    pub sources: Vec<Source>,
    /// For each text, the place of the `include` that names it.
    pub parents: Vec<Option<Place>>,
    /// Messages so far.
    pub diagnostics: Diagnostics,
    /// Whether there is too much text or there are too many files.
    pub over_limit: bool,
    folder: Folder,
    allow_path: bool,
    seen: BTreeSet<PathBuf>,
    bytes: u64,
}

impl Assembly {
    /// Starts without a text. Includes are searched in `folder`, and elsewhere if `allow_path`.
    pub fn new(folder: Folder, allow_path: bool) -> Self {
        Assembly {
            sources: Vec::new(),
            parents: Vec::new(),
            diagnostics: Diagnostics::default(),
            over_limit: false,
            folder,
            allow_path,
            seen: BTreeSet::new(),
            bytes: 0,
        }
    }

    /// Reads a text and all its includes into one table. `path` is the canonical path of the file,
    /// if the text comes from one.
    pub fn scene(&mut self, name: &str, text: String, path: Option<PathBuf>) -> Table {
        let mut chain = Vec::new();
        if let Some(path) = path {
            self.seen.insert(path.clone());
            chain.push((path, name.to_string()));
        }
        self.text(name.to_string(), text, None, &mut chain)
    }

    fn text(
        &mut self,
        name: String,
        text: String,
        parent: Option<Place>,
        chain: &mut Vec<(PathBuf, String)>,
    ) -> Table {
        self.bytes += text.len() as u64;
        let source = self.sources.len();
        self.sources.push(Source { name, text });
        self.parents.push(parent);
        let Some(mut own) = tree::parse(&self.sources, source, &mut self.diagnostics) else {
            self.over_limit = true;
            return Table::default();
        };
        let Some(include) = own.remove("include") else {
            return own;
        };
        let mut under = Table::default();
        for node in self.targets(&include.value) {
            if self.over_limit {
                break;
            }
            let place = node.place;
            let Some(target) = node.text() else { continue };
            match self.included(target, place, chain) {
                Ok(table) => under = table.over(under),
                Err(diagnostic) => self.diagnostics.push(*diagnostic),
            }
        }
        own.over(under)
    }

    /// The elements of `include`, after checking that they are texts.
    fn targets(&mut self, include: &Node) -> Vec<Node> {
        let list = match &include.content {
            Content::List(list) => list.clone(),
            _ => {
                let message =
                    format!("`include` takes a list of file names, got {}", include.describe());
                self.diagnostics.push(
                    Diagnostic::error("E204", include.place, message)
                        .help("write include = [\"materials.toml\"]"),
                );
                return Vec::new();
            }
        };
        for node in list.iter().filter(|node| node.text().is_none()) {
            let message =
                format!("`include` takes file names in quotation marks, got {}", node.describe());
            self.diagnostics.push(Diagnostic::error("E204", node.place, message));
        }
        list
    }

    fn included(
        &mut self,
        target: &str,
        place: Place,
        chain: &mut Vec<(PathBuf, String)>,
    ) -> Result<Table, Box<Diagnostic>> {
        let found = match &self.folder {
            Folder::Disk(folder) => confined(folder, target, self.allow_path),
            Folder::Memory(files) => contained(files, target),
        };
        let path = found.map_err(|(why, help)| refused(place, target, &why).help(help))?;
        if let Some(at) = chain.iter().position(|(known, _)| *known == path) {
            let mut names: Vec<&str> = chain[at..].iter().map(|(_, n)| n.as_str()).collect();
            names.push(names[0]);
            let chain: Vec<String> = names.iter().map(|n| quoted(n)).collect();
            let message = format!("includes go in a circle: {}", chain.join(" → "));
            return Err(Box::new(
                Diagnostic::error("E108", place, message).help("remove this include"),
            ));
        }
        if self.seen.contains(&path) {
            return Ok(Table::default());
        }
        self.check_limits(place, chain.len() + 1)?;
        let room = MAX_BYTES.saturating_sub(self.bytes);
        let text = match &self.folder {
            Folder::Disk(_) => read_file(&path, room),
            Folder::Memory(files) => stored(files, target)
                .map_err(|error| Unreadable::File(reason(&error)))
                .and_then(|bytes| read_stream(bytes, room)),
        };
        let text = match text {
            Ok(text) => text,
            Err(Unreadable::File(why)) => return Err(Box::new(refused(place, target, &why))),
            Err(Unreadable::TooLarge(why)) => {
                self.over_limit = true;
                return Err(Box::new(Diagnostic::error("E106", place, why)));
            }
            Err(Unreadable::NotText(text, at, why)) => {
                self.sources.push(Source { name: target.to_string(), text });
                self.parents.push(Some(place));
                return Err(Box::new(not_text(self.sources.len() - 1, at, why)));
            }
        };
        self.seen.insert(path.clone());
        chain.push((path, target.to_string()));
        let table = self.text(target.to_string(), text, Some(place), chain);
        chain.pop();
        Ok(table)
    }

    fn check_limits(&mut self, place: Place, depth: usize) -> Result<(), Box<Diagnostic>> {
        let message = if depth > MAX_DEPTH {
            format!("includes are nested deeper than {MAX_DEPTH} files")
        } else if self.sources.len() >= MAX_FILES {
            self.over_limit = true;
            format!("more than {MAX_FILES} files are included")
        } else {
            return Ok(());
        };
        Err(Box::new(Diagnostic::error("E106", place, message).help("put more into fewer files")))
    }

    /// The chain of includes that led to a text, innermost first.
    pub(crate) fn ancestry(&self, source: usize) -> Vec<String> {
        let mut notes = Vec::new();
        let mut at = source;
        while let Some(Some(parent)) = self.parents.get(at) {
            notes.push(format!("included at {}", super::excerpt::location(&self.sources, *parent)));
            at = parent.source;
        }
        notes
    }
}

fn refused(place: Place, target: &str, why: &str) -> Diagnostic {
    Diagnostic::error("E107", place, format!("cannot include {}: {why}", quoted(target)))
}

/// Reason why a name is refused, and the remedy.
type Refusal = (String, String);

const HELP: &str = "move the file into the scene's folder, or give --allow-path";

/// The canonical path of a file named in a scene. It must be a regular file and, unless
/// `allow_path`, lie inside `folder` also after following links.
pub fn confined(folder: &Path, target: &str, allow_path: bool) -> Result<PathBuf, Refusal> {
    let relative = Path::new(target);
    check_name(target)?;
    if !allow_path {
        check_relative(target)?;
    }
    let failed = |error: std::io::Error| (reason(&error), String::new());
    let path = folder.join(relative).canonicalize().map_err(failed)?;
    if !allow_path {
        let root = folder.canonicalize().map_err(failed)?;
        if !path.starts_with(&root) {
            return refusal("a link leads out of the scene's folder", HELP);
        }
    }
    match std::fs::metadata(&path).map_err(failed)? {
        meta if meta.is_file() => Ok(path),
        meta if meta.is_dir() => refusal("it is a directory, not a regular file", ""),
        _ => refusal("it is not a regular file", ""),
    }
}

/// As [`confined`], for a table in memory.
fn contained(files: &FileTable, target: &str) -> Result<PathBuf, Refusal> {
    check_name(target)?;
    check_relative(target)?;
    stored(files, target).map_err(|error| (reason(&error), String::new()))?;
    Ok(plain(target).into())
}

fn refusal<T>(why: &str, help: &str) -> Result<T, Refusal> {
    Err((why.to_string(), help.to_string()))
}

fn check_name(target: &str) -> Result<(), Refusal> {
    if target.is_empty() {
        return refusal("the name is empty", "name a file in the scene's folder");
    }
    if target.contains('\0') {
        return refusal("the name holds a NUL character", "name a file in the scene's folder");
    }
    Ok(())
}

fn check_relative(target: &str) -> Result<(), Refusal> {
    let relative = Path::new(target);
    if relative.is_absolute() || relative.has_root() {
        return refusal("absolute paths are not allowed", HELP);
    }
    if target.starts_with('~') {
        return refusal("`~` is not expanded", HELP);
    }
    if relative.components().any(|part| part == Component::ParentDir) {
        return refusal("`..` leaves the scene's folder", HELP);
    }
    Ok(())
}
