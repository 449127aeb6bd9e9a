//! Length and SHA-256 of a file.

use super::sha256::sha256;
use serde::{Deserialize, Serialize};

/// Length and digest of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Its length \[bytes\].
    pub bytes: u64,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl Digest {
    /// Length and digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest { bytes: bytes.len() as u64, sha256: sha256(bytes) }
    }
}
