//! Sixteen characters that stand for a part of a definition.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::canonical_hash;

const LENGTH: usize = 16;

/// The first sixteen hexadecimal characters of the SHA-256 of a canonical JSON text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(String);

/// Text that is no fingerprint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {LENGTH} hexadecimal characters in lower case, got \"{0}\"")]
pub struct FingerprintError(String);

impl Fingerprint {
    /// The fingerprint of a value; the order of its keys does not matter.
    pub fn of(value: &Value) -> Self {
        let mut hash = canonical_hash(value);
        hash.truncate(LENGTH);
        Self(hash)
    }

    /// The characters.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Fingerprint {
    type Err = FingerprintError;

    fn from_str(text: &str) -> Result<Self, FingerprintError> {
        let fits = text.len() == LENGTH
            && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if fits { Ok(Self(text.to_owned())) } else { Err(FingerprintError(text.to_owned())) }
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = FingerprintError;

    fn try_from(text: String) -> Result<Self, FingerprintError> {
        text.parse()
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> Self {
        fingerprint.0
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Fingerprint {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}
