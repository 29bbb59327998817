//! A stored turn as the message that a client would have built from its stream.
//!
//! It folds the very chunks of the stream, so a reloaded conversation and a watched one cannot differ.

use agent_contract::UserPart;
use serde::Serialize;
use serde_json::Value;

use super::chunk::{Metadata, ToolCall, ToolEnd, UiChunk};
use super::post::file_url;

/// A message in the AI SDK's shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UiMessage {
    /// Its id.
    pub id: String,
    /// Who speaks.
    pub role: UiRole,
    /// What it holds.
    pub parts: Vec<UiPart>,
    /// The turn, and why it ended.
    pub metadata: Metadata,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum UiRole {
    /// The person.
    User,
    /// Rover.
    Assistant,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum UiPart {
    /// Where a step began.
    Step(StepPart),
    /// Words.
    Text(TextPart),
    /// A call.
    Tool(Box<ToolPart>),
    /// A file.
    File(FilePart),
}

/// Where a step began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "step-start")]
pub struct StepPart {}

/// Words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "text")]
pub struct TextPart {
    /// The words.
    pub text: String,
}

/// A file on a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "file", rename_all = "camelCase")]
pub struct FilePart {
    /// Its media type.
    pub media_type: String,
    /// What it is called.
    pub filename: String,
    /// Where it is read.
    pub url: String,
}

/// A call with what came of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPart {
    #[serde(rename = "type")]
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<String>,
    tool_call_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provider_executed: Option<bool>,
    state: ToolState,
    input: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<Approval>,
}

/// The client's words for how far a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum ToolState {
    InputAvailable,
    ApprovalRequested,
    OutputAvailable,
    OutputError,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Approval {
    id: String,
}

impl UiMessage {
    /// What a person wrote.
    pub fn user(id: String, parts: Vec<UserPart>) -> Self {
        let part = |part| match part {
            UserPart::Text { text } => UiPart::Text(TextPart { text }),
            UserPart::Attachment { attachment } => UiPart::File(FilePart {
                url: file_url(&attachment.id),
                media_type: attachment.media_type,
                filename: attachment.filename,
            }),
        };
        Self {
            id,
            role: UiRole::User,
            parts: parts.into_iter().map(part).collect(),
            metadata: Metadata::default(),
        }
    }

    /// The message that these chunks make.
    pub fn assistant(chunks: impl IntoIterator<Item = UiChunk>) -> Self {
        let mut message = Self {
            id: String::new(),
            role: UiRole::Assistant,
            parts: Vec::new(),
            metadata: Metadata::default(),
        };
        for chunk in chunks {
            message.fold(chunk);
        }
        message
    }

    /// Its words.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            UiPart::Text(TextPart { text }) => Some(text.as_str()),
            _ => None,
        })
    }

    /// What its calls answered.
    pub(super) fn outputs(&self) -> impl Iterator<Item = &Value> {
        self.parts.iter().filter_map(|part| match part {
            UiPart::Tool(tool) => tool.output.as_ref(),
            _ => None,
        })
    }

    fn fold(&mut self, chunk: UiChunk) {
        match chunk {
            UiChunk::Start { message_id, message_metadata } => {
                self.id = message_id;
                self.metadata.turn_id = message_metadata.turn_id;
            }
            UiChunk::StartStep => self.parts.push(UiPart::Step(StepPart {})),
            UiChunk::TextStart { .. } => {
                self.parts.push(UiPart::Text(TextPart { text: String::new() }));
            }
            UiChunk::TextDelta { delta, .. } => {
                // A text is closed before anything else begins, so the open one is the last part.
                if let Some(UiPart::Text(part)) = self.parts.last_mut() {
                    part.text.push_str(&delta);
                }
            }
            UiChunk::ToolInputAvailable { call, input } => {
                self.parts.push(UiPart::Tool(Box::new(ToolPart::new(call, input))));
            }
            UiChunk::ToolApprovalRequest { approval_id, tool_call_id } => {
                self.call(&tool_call_id, |part| {
                    part.state = ToolState::ApprovalRequested;
                    part.approval = Some(Approval { id: approval_id });
                });
            }
            UiChunk::ToolOutputAvailable { ended: ToolEnd { tool_call_id, .. }, output } => {
                self.call(&tool_call_id, |part| {
                    part.state = ToolState::OutputAvailable;
                    part.output = Some(output);
                });
            }
            UiChunk::ToolOutputError { ended: ToolEnd { tool_call_id, .. }, error_text } => {
                self.call(&tool_call_id, |part| {
                    part.state = ToolState::OutputError;
                    part.error_text = Some(error_text);
                });
            }
            UiChunk::Finish { message_metadata, .. } => {
                self.metadata.end_reason = message_metadata.end_reason;
            }
            UiChunk::FinishStep
            | UiChunk::TextEnd { .. }
            | UiChunk::ToolInputStart(_)
            | UiChunk::DataActivity { .. } => {}
        }
    }

    fn call(&mut self, id: &str, change: impl FnOnce(&mut ToolPart)) {
        let found = self.parts.iter_mut().find_map(|part| match part {
            UiPart::Tool(tool) if tool.tool_call_id == id => Some(tool),
            _ => None,
        });
        if let Some(part) = found {
            change(part);
        }
    }
}

impl ToolPart {
    fn new(call: ToolCall, input: Value) -> Self {
        let dynamic = call.dynamic.unwrap_or_default();
        Self {
            kind: if dynamic { "dynamic-tool".into() } else { format!("tool-{}", call.tool_name) },
            tool_name: dynamic.then_some(call.tool_name),
            tool_call_id: call.tool_call_id,
            title: call.title,
            provider_executed: call.provider_executed,
            state: ToolState::InputAvailable,
            input,
            output: None,
            error_text: None,
            approval: None,
        }
    }
}
