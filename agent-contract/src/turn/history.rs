//! A conversation as the server keeps it and the worker gives it to a model again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::Attachment;
use crate::envelope::AgentToolResult;

/// One message of a conversation.
///
/// Calls and returns are paired by the model's own tool-call id, which is what every provider
/// checks; a call without a return is one that never ended, and the worker answers it before it
/// asks a model anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum HistoryMessage {
    /// The person spoke.
    User {
        /// What they wrote and attached.
        parts: Vec<UserPart>,
    },
    /// The model spoke or called tools.
    Assistant {
        /// What it said and called, in its order.
        parts: Vec<AssistantPart>,
    },
    /// Tools answered.
    Tool {
        /// One return for each call.
        parts: Vec<ToolReturn>,
    },
}

/// A part of a person's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum UserPart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A file, by reference.
    Attachment {
        /// Which file.
        attachment: Attachment,
    },
}

/// A part of a model's message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum AssistantPart {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A call of a tool.
    ToolCall {
        /// The model's own id of the call.
        tool_call_id: String,
        /// Name of the tool.
        name: String,
        /// What the model supplied, as it supplied it.
        args: Value,
        /// The reply ran out of length in this call, so nothing of it may run, here or where the turn is taken over.
        #[serde(default, skip_serializing_if = "is_false")]
        cut_off: bool,
    },
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolReturn {
    /// The model's own id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub name: String,
    /// The envelope that the model read.
    pub result: AgentToolResult,
}

impl HistoryMessage {
    /// A person's message of words alone.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { parts: vec![UserPart::Text { text: text.into() }] }
    }

    /// A model's message of words alone.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::Assistant { parts: vec![AssistantPart::Text { text: text.into() }] }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}
