//! SHA-256.

use sha2::Digest;

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    let mut hasher = Hasher::default();
    hasher.update(bytes);
    hasher.text()
}

/// SHA-256 of bytes that come in pieces.
#[derive(Default)]
pub(crate) struct Hasher(sha2::Sha256);

impl Hasher {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The digest in hexadecimal.
    pub fn text(self) -> String {
        self.bytes().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The digest.
    pub fn bytes(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}
