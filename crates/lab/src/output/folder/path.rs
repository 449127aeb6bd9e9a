//! Paths as text: a name of a file need not be UTF-8.

use std::path::{Path, PathBuf};

/// A path as text, and its bytes in hexadecimal where the text does not hold them.
pub(crate) fn text_of(path: &Path) -> (String, Option<String>) {
    let text = path.to_string_lossy().into_owned();
    let bytes = path.as_os_str().as_encoded_bytes();
    let hex = || bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let held = text.as_bytes() == bytes;
    (text, (!held).then(hex))
}

/// The path of [`text_of`].
pub(crate) fn of_text(text: &str, bytes: Option<&str>) -> PathBuf {
    #[cfg(unix)]
    if let Some(bytes) = bytes.and_then(decoded) {
        use std::os::unix::ffi::OsStringExt;
        return std::ffi::OsString::from_vec(bytes).into();
    }
    let _ = bytes;
    PathBuf::from(text)
}

#[cfg(unix)]
fn decoded(hex: &str) -> Option<Vec<u8>> {
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_name_that_is_no_text_is_kept() {
        use std::os::unix::ffi::OsStringExt;
        let odd: PathBuf = std::ffi::OsString::from_vec(b"/a/b\xff\xfe.toml".to_vec()).into();
        for path in [odd, PathBuf::from("/a/b \u{e4}.toml")] {
            let (text, bytes) = text_of(&path);
            assert_eq!(of_text(&text, bytes.as_deref()), path);
        }
    }
}
