//! What the server hands to a worker.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(doc)]
use super::LAST_SEQ;
use super::{HistoryMessage, seq::bounded};
use crate::context::{AgentRuntimeContextInput, Attachment};
use crate::id::{CallId, ThreadId, TurnId};

/// One turn to run, or to go on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnRequest {
    /// The conversation.
    pub thread_id: ThreadId,
    /// The turn.
    pub turn_id: TurnId,
    /// The caller and the moment, minted for this dispatch.
    pub runtime_context: AgentRuntimeContextInput,
    /// The conversation before this message, oldest first.
    #[serde(default)]
    pub history: Vec<HistoryMessage>,
    /// What the person wrote.
    pub message: String,
    /// Files on this message.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// The number of the first event that this run of the turn makes: past every number that an
    /// earlier run used, so that nothing of this run is taken for a double. None above
    /// [`LAST_SEQ`] is read.
    #[serde(default, deserialize_with = "bounded")]
    pub first_seq: u64,
    /// Where to go on, if the turn waited for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume: Option<Resume>,
}

/// Where a waiting turn goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Resume {
    /// The worker's state when it began to wait. Opaque to the server, which kept it.
    pub checkpoint: Value,
    /// The call that asked.
    pub call_id: CallId,
    /// What the person said to it.
    pub answer: Answer,
}

/// What a person says to a question or to a call that needs approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// An answer to a question, in the person's words.
    Text {
        /// The words.
        text: String,
    },
    /// Go ahead.
    Approved,
    /// Do not.
    Rejected {
        /// Why not, if the person said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// A turn to stop; broadcast, since the server does not know which worker runs it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnStop {
    /// The turn.
    pub turn_id: TurnId,
}
