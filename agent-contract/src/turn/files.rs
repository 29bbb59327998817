//! Files on the way between worker and server: by id, in pieces, under the turn's token.

use serde::{Deserialize, Serialize};

use crate::id::AttachmentId;

/// What a worker asks of a file on a message of its conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileQuestion {
    /// Which file.
    pub id: AttachmentId,
    /// From which byte on.
    pub from: u64,
}

/// Bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileBytes {
    /// How many bytes the whole file has.
    pub size: u64,
    /// Those that were asked for, in base64; none past the end.
    pub bytes: String,
}

/// A piece of a file that a turn makes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FilePiece {
    /// The file, named by the worker.
    pub id: AttachmentId,
    /// What it is called.
    pub filename: String,
    /// Its media type.
    pub media_type: String,
    /// Which piece, from 0.
    pub seq: u32,
    /// Its bytes in base64: [`Self::LARGEST`] of them, but in the last.
    pub bytes: String,
    /// Whether it is the last.
    pub last: bool,
}

impl FilePiece {
    /// Bytes of a piece.
    pub const LARGEST: usize = 192 * 1024;
}
