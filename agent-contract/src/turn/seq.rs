//! How high events are numbered.
//!
//! Every reader counts on from a number that it was given, and a row holds a signed one. So a number
//! that leaves no room to count on is refused where it is read, and nobody behind has to look.

use serde::de::{Deserialize, Deserializer, Error, Unexpected};

/// The highest number of an event. No turn comes near it.
pub const LAST_SEQ: u64 = 1 << 62;

pub(super) fn bounded<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let seq = u64::deserialize(deserializer)?;
    if seq <= LAST_SEQ {
        Ok(seq)
    } else {
        Err(D::Error::invalid_value(Unexpected::Unsigned(seq), &"a number up to 2^62"))
    }
}
