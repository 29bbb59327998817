//! How a call ended, in one word, for headers, logs and counters.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It ran.
    Ok,
    /// The caller may not do it.
    Denied,
    /// The request or its arguments do not fit.
    Invalid,
    /// The server had no room; it was not begun.
    Busy,
    /// The deadline passed; nothing was kept.
    Deadline,
    /// Worker and server know different versions of the tool.
    Mismatch,
    /// It had run before; this is the stored outcome.
    Replayed,
    /// It failed in another way.
    Error,
}

impl Outcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Ok,
        Self::Denied,
        Self::Invalid,
        Self::Busy,
        Self::Deadline,
        Self::Mismatch,
        Self::Replayed,
        Self::Error,
    ];

    /// The word that is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Denied => "denied",
            Self::Invalid => "invalid",
            Self::Busy => "busy",
            Self::Deadline => "deadline",
            Self::Mismatch => "mismatch",
            Self::Replayed => "replayed",
            Self::Error => "error",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A word that is no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no known outcome of a call")]
pub struct UnknownOutcome;

impl FromStr for Outcome {
    type Err = UnknownOutcome;

    fn from_str(word: &str) -> Result<Self, UnknownOutcome> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word).ok_or(UnknownOutcome)
    }
}
