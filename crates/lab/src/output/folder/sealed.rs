//! JSON documents that hold their own digest as the last member: SHA-256 of the document without it.

use super::sha256::sha256;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The text between the members of a document and its digest.
const MEMBER: &str = ",\n  \"sha256\": \"";

/// The text after the digest.
const END: &str = "\"\n}\n";

/// A document that is an object, with its digest.
pub fn seal(document: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_string_pretty(document).expect("plain data can be written");
    let members = text.strip_suffix("\n}").expect("an object with members");
    format!("{members}{MEMBER}{}{END}", sha256(text.as_bytes())).into_bytes()
}

/// Reads a document.
///
/// # Errors
/// The reason why it is not as it was written.
pub fn open<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let parts = || {
        let text = std::str::from_utf8(bytes).ok()?.strip_suffix(END)?;
        let (members, digest) = text.rsplit_once(MEMBER)?;
        Some((format!("{members}\n}}"), digest))
    };
    match parts() {
        Some((text, digest)) if sha256(text.as_bytes()) == digest => {
            serde_json::from_str(&text).map_err(|error| error.to_string())
        }
        _ => Err("it is not what was written: its digest is not that of its content".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn every_bit_counts() {
        let document = json!({ "a": [1, 2.5], "b": { "sha256": "\"\n}\n" } });
        let bytes = seal(&document);
        assert_eq!(open::<Value>(&bytes), Ok(document));
        let whole: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(whole["sha256"].as_str().map(str::len), Some(64));
        for bit in 0..8 * bytes.len() {
            let mut other = bytes.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(open::<Value>(&other).is_err(), "bit {bit}");
        }
        for length in 0..bytes.len() {
            assert!(open::<Value>(&bytes[..length]).is_err(), "cut at {length}");
        }
    }
}
