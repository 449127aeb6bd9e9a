//! Commands that are advised, to be pasted into a shell.

use std::path::Path;

/// A word of a command: in single quotation marks where it has more than plain characters.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=./,:+@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text.into(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// A path as a word of a command.
pub fn path(path: &Path) -> String {
    word(&path.to_string_lossy())
}
