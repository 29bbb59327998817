//! How a call gets its id.
//!
//! The id depends only on where the call stands in its turn, so a turn that a second worker takes
//! over after a crash derives the same ids, and the server recognises what it has already done.

use sha2::{Digest, Sha256};

use crate::id::{CallId, TurnId};

impl CallId {
    /// The id of the call at `index` within model step `step` of a turn.
    ///
    /// `tool_call_id` is the model's own id of the call. Each part is preceded by its length, so
    /// that no two different positions run together to the same text.
    pub fn derive(turn: &TurnId, step: u32, index: u32, tool_call_id: &str) -> Self {
        let (step, index) = (step.to_string(), index.to_string());
        let mut hasher = Sha256::new();
        for part in [turn.as_str(), &step, &index, tool_call_id] {
            hasher.update(part.len().to_string());
            hasher.update(":");
            hasher.update(part);
        }
        Self::from_digest(hex::encode(hasher.finalize()))
    }
}
