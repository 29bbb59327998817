//! What a model wrote as the arguments of its calls, letter by letter, and in which call its reply broke off.
//!
//! A library that parses arguments keeps one of two fields of the same name, reads what was quoted twice and closes what
//! was cut off. So the letters are kept beside what it made of them, and read by the contract.

use std::collections::HashMap;

use agent_contract::repair_text;
use rig::completion::{CompletionResponse, FinishReason};
use rig::message::ToolCall;
use rig::streaming::Part;
use serde_json::Value;

use super::call::CallArgs;

/// The texts of one reply's calls.
#[derive(Debug, Default)]
pub(super) struct Heard {
    open: HashMap<Part, String>,
    texts: HashMap<String, String>,
    cut: Option<String>,
}

impl Heard {
    /// More of a call's arguments came.
    pub(super) fn piece(&mut self, part: Part, json: &str) {
        self.open.entry(part).or_default().push_str(json);
    }

    /// A call is complete.
    pub(super) fn whole(&mut self, part: Part, call: &ToolCall) {
        if let Some(text) = self.open.remove(&part) {
            self.texts.insert(call.id.to_string(), text);
        }
    }

    /// The reply is complete. One that ran out of length broke off in its last call, whatever that looks like: some
    /// providers send an empty object in place of half a one.
    pub(super) fn ended(&mut self, reply: &CompletionResponse) {
        let cut = reply.finish_reason() == Some(FinishReason::Length);
        self.cut = reply.tool_calls().last().filter(|_| cut).map(|call| call.id.to_string());
    }

    /// The arguments of a call of this reply.
    pub(super) fn args(&self, call: &ToolCall) -> CallArgs {
        let id = call.id.to_string();
        let text = self.texts.get(&id).or(call.function.invalid_arguments.as_ref());
        if self.cut.as_ref() == Some(&id) {
            return CallArgs::CutOff(text.cloned().unwrap_or_default());
        }
        let Some(text) = text else { return CallArgs::Object(call.function.arguments.clone()) };
        match repair_text(text) {
            Ok(read) if read.repairs.is_empty() => match read.value {
                Value::Object(object) => CallArgs::Object(object),
                _ => CallArgs::Text(text.clone()),
            },
            _ => CallArgs::Text(text.clone()),
        }
    }
}
