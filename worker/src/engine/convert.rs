//! Between the contract's conversation and rig's.
//!
//! A provider refuses a conversation in which a call has no return or a return no call, so what an
//! interrupted turn left open is closed here: such a call is answered that it never ended, and a
//! return without its call is left out.

use std::collections::BTreeMap;

use super::call::{CallArgs, ModelCall};
use super::heard::Heard;
use agent_contract::{AgentToolResult, AssistantPart, HistoryMessage, ToolReturn, UserPart};
use rig::message::{
    AssistantContent, AssistantMessage, CallId, Message, ToolCall, ToolFunction, ToolName,
    ToolResultContent, UserContent,
};

/// What the model is told of a call that an interrupted turn left open.
const NEVER_ENDED: &str = "this call was interrupted and its outcome is unknown; if it was to change \
                           something, check whether it did before repeating it";

/// The conversation as rig's messages, with every call answered.
pub(super) fn to_messages(conversation: &[HistoryMessage]) -> Vec<Message> {
    let mut messages = Vec::with_capacity(conversation.len());
    let mut rest = conversation.iter().peekable();
    while let Some(message) = rest.next() {
        match message {
            HistoryMessage::User { parts } => messages.push(user(parts)),
            // Returns are taken together with the calls they answer; these answer nothing.
            HistoryMessage::Tool { .. } => {}
            HistoryMessage::Assistant { parts } => {
                let mut returns = BTreeMap::new();
                while let Some(HistoryMessage::Tool { parts }) =
                    rest.next_if(|next| matches!(next, HistoryMessage::Tool { .. }))
                {
                    returns.extend(parts.iter().map(|back| (back.tool_call_id.as_str(), back)));
                }
                messages.extend(exchange(parts, &returns));
            }
        }
    }
    messages
}

/// A model's message as it goes into the conversation, if it says or calls anything.
pub(super) fn from_reply(choice: &[AssistantContent], heard: &Heard) -> Option<HistoryMessage> {
    let part = |content: &AssistantContent| match content {
        AssistantContent::Text(text) if !text.text.is_empty() => {
            Some(AssistantPart::Text { text: text.text.clone() })
        }
        AssistantContent::ToolCall(call) => {
            let args = heard.args(call);
            Some(AssistantPart::ToolCall {
                tool_call_id: call.id.to_string(),
                name: call.function.name.to_string(),
                cut_off: matches!(args, CallArgs::CutOff(_)),
                args: args.to_value(),
            })
        }
        _ => None,
    };
    let parts: Vec<_> = choice.iter().filter_map(part).collect();
    (!parts.is_empty()).then_some(HistoryMessage::Assistant { parts })
}

/// A call that rig hands over to be run.
pub(super) fn to_call(step: u32, index: usize, call: &ToolCall, heard: &Heard) -> ModelCall {
    ModelCall {
        step,
        index: u32::try_from(index).unwrap_or(u32::MAX),
        tool_call_id: call.id.to_string(),
        name: call.function.name.to_string(),
        args: heard.args(call),
    }
}

/// The calls of a model's message that an earlier worker kept, as it made them.
pub(super) fn kept_calls(step: u32, parts: &[AssistantPart]) -> Vec<ModelCall> {
    let calls = parts.iter().filter_map(|part| match part {
        AssistantPart::Text { .. } => None,
        AssistantPart::ToolCall { tool_call_id, name, args, cut_off } => {
            Some((tool_call_id, name, CallArgs::kept(args, *cut_off)))
        }
    });
    calls
        .enumerate()
        .map(|(index, (tool_call_id, name, args))| ModelCall {
            step,
            index: u32::try_from(index).unwrap_or(u32::MAX),
            tool_call_id: tool_call_id.clone(),
            name: name.clone(),
            args,
        })
        .collect()
}

/// The return of `call`, as rig wants it back.
pub(super) fn to_result(call: &ToolCall, result: &AgentToolResult) -> UserContent {
    let text = ToolResultContent::text(envelope_text(result));
    UserContent::ToolResult(if result.is_ok() {
        call.result(vec![text])
    } else {
        call.error_result(vec![text])
    })
}

/// The envelope as the model reads it: one shape for every tool.
fn envelope_text(result: &AgentToolResult) -> String {
    serde_json::to_string(result).unwrap_or_default()
}

fn user(parts: &[UserPart]) -> Message {
    let text = |part: &UserPart| {
        UserContent::text(match part {
            UserPart::Text { text } => text.clone(),
            UserPart::Attachment { attachment } => format!(
                "[attached file \"{}\", {}, {} bytes, id {}]",
                attachment.filename, attachment.media_type, attachment.size, attachment.id
            ),
        })
    };
    Message::User { content: parts.iter().map(text).collect() }
}

/// A model's message, followed by the returns of its calls if it made any.
fn exchange(parts: &[AssistantPart], returns: &BTreeMap<&str, &ToolReturn>) -> Vec<Message> {
    let mut content = Vec::new();
    let mut results = Vec::new();
    for part in parts {
        match part {
            AssistantPart::Text { text } => content.push(AssistantContent::text(text.clone())),
            AssistantPart::ToolCall { tool_call_id, name, args, .. } => {
                // No provider sends a call without a name; a forged history may hold one.
                let Ok(tool) = ToolName::new(name.clone()) else { continue };
                let function = ToolFunction::new(tool, args.clone());
                let call = ToolCall::new(CallId::from_wire(tool_call_id.clone()), function);
                let never_ended = AgentToolResult::err(NEVER_ENDED);
                let result =
                    returns.get(tool_call_id.as_str()).map_or(&never_ended, |back| &back.result);
                results.push(to_result(&call, result));
                content.push(AssistantContent::ToolCall(call));
            }
        }
    }
    if content.is_empty() {
        return Vec::new();
    }
    let mut messages = vec![Message::Assistant(AssistantMessage::new(content))];
    if !results.is_empty() {
        messages.push(Message::User { content: results });
    }
    messages
}
