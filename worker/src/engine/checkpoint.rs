//! Where a turn stands while it waits for the person.
//!
//! The server keeps it and gives it back unread, perhaps to another worker, so it holds everything
//! but what must be fresh: tools, prompt and permissions are made anew on the way back.

use agent_contract::HistoryMessage;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::ModelCall;

/// The one form that this worker writes and reads.
const FORMAT: u32 = 1;

/// The state of a waiting run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    format: u32,
    /// The step that asked.
    pub step: u32,
    /// The conversation so far, with the returns of the calls that did not have to wait.
    pub conversation: Vec<HistoryMessage>,
    /// The calls that wait.
    pub parked: Vec<Parked>,
}

/// A call that waits for the person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parked {
    /// The call.
    pub call: ModelCall,
    /// What it needs to go on.
    pub state: Value,
}

/// A checkpoint that this worker cannot go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckpointError {
    /// It is no checkpoint.
    #[error("what the turn was to go on from is no checkpoint")]
    Shape,
    /// Another version of the worker wrote it.
    #[error("the turn waited under another version, and cannot go on from there")]
    Format,
}

impl Checkpoint {
    /// The state of a run that waits after `step`.
    pub fn new(step: u32, conversation: Vec<HistoryMessage>, parked: Vec<Parked>) -> Self {
        Self { format: FORMAT, step, conversation, parked }
    }

    /// Reads what [`Self::to_value`] wrote.
    pub fn read(value: Value) -> Result<Self, CheckpointError> {
        let format = value.get("format").and_then(Value::as_u64);
        if format.is_some_and(|format| format != u64::from(FORMAT)) {
            return Err(CheckpointError::Format);
        }
        serde_json::from_value(value).map_err(|_| CheckpointError::Shape)
    }

    /// The state as JSON.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_checkpoint_reads_back_and_others_are_refused_by_name() {
        let written = Checkpoint::new(2, vec![HistoryMessage::user("hello")], Vec::new());
        assert_eq!(Checkpoint::read(written.to_value()), Ok(written.clone()));

        let mut foreign = written.to_value();
        foreign["format"] = json!(9);
        assert_eq!(Checkpoint::read(foreign), Err(CheckpointError::Format));
        assert_eq!(Checkpoint::read(json!({"step": 1})), Err(CheckpointError::Shape));
        assert_eq!(Checkpoint::read(Value::Null), Err(CheckpointError::Shape));
    }
}
