//! The chunks of an AI SDK UI message stream: the set that versions 6 and 7 of the client both take.
//!
//! A client of either version ends a stream at an unknown type, at a missing field and at an optional
//! field that is null. So the types are closed here, and what is absent is left out.

use serde::Serialize;
use serde_json::Value;

/// One chunk.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum UiChunk {
    /// The assistant's message begins, or goes on under the same id.
    Start {
        /// Id of the message.
        message_id: String,
        /// What the Hub should know of the turn.
        message_metadata: Metadata,
    },
    /// A step begins.
    StartStep,
    /// A step ends.
    FinishStep,
    /// A text begins.
    TextStart {
        /// Id of the text within the message.
        id: String,
    },
    /// A text grows.
    TextDelta {
        /// Id of the text.
        id: String,
        /// What is added.
        delta: String,
    },
    /// A text is complete.
    TextEnd {
        /// Id of the text.
        id: String,
    },
    /// A call begins.
    ToolInputStart(ToolCall),
    /// A call's input is complete.
    ToolInputAvailable {
        /// The call.
        #[serde(flatten)]
        call: ToolCall,
        /// What it was called with.
        input: Value,
    },
    /// A person must approve a call before it runs.
    ToolApprovalRequest {
        /// Id that the decision names.
        approval_id: String,
        /// The call.
        tool_call_id: String,
    },
    /// A call succeeded.
    ToolOutputAvailable {
        /// The call.
        #[serde(flatten)]
        ended: ToolEnd,
        /// What it returned.
        output: Value,
    },
    /// A call was refused or failed.
    ToolOutputError {
        /// The call.
        #[serde(flatten)]
        ended: ToolEnd,
        /// Why, in a sentence.
        error_text: String,
    },
    /// What goes on, for an activity line. Never stored in the message.
    DataActivity {
        /// Id of the call.
        id: String,
        /// The line.
        data: Activity,
        /// Always true: the client hands it on and forgets it.
        transient: bool,
    },
    /// The message ends.
    Finish {
        /// Why, in the client's words.
        finish_reason: FinishReason,
        /// Why, in ours.
        message_metadata: Metadata,
    },
}

/// A call as the chunks that open it name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCall {
    /// Our id of the call.
    pub tool_call_id: String,
    /// Name of the tool.
    pub tool_name: String,
    /// The server runs it; without this a client would wait to run it itself, and post for ever.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_executed: Option<bool>,
    /// The client has no static type for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamic: Option<bool>,
    /// What the Hub shows meanwhile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A call as the chunks that end it name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolEnd {
    /// Our id of the call.
    pub tool_call_id: String,
    /// As in [`ToolCall`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_executed: Option<bool>,
    /// As in [`ToolCall`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dynamic: Option<bool>,
}

/// The activity line of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// Name of the tool.
    pub name: String,
    /// What it does, e.g. "Creating a department".
    pub label: String,
    /// Whether it still goes on.
    pub state: ActivityState,
}

/// How far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActivityState {
    /// It runs.
    Running,
    /// It succeeded.
    Done,
    /// It failed: the Hub drops the line.
    Failed,
}

/// What rides on the message beside its parts. The client merges that of the start with that of the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metadata {
    /// The turn, by which its trace is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
    /// Why the turn ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end_reason: Option<agent_contract::EndReason>,
}

/// The client's words for why a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FinishReason {
    /// Nothing more to say.
    Stop,
    /// As much as is allowed.
    Length,
    /// The person has to answer.
    ToolCalls,
    /// Something went wrong.
    Error,
    /// The person stopped it.
    Other,
}
