//! The planner as a model: a chat-completions request in, the chunks of an answer out.

use std::sync::Arc;

use agent_contract::AgentRuntimeContext;
use serde_json::{Value, json};

use crate::engine::{ChatCompletions, Model};
use crate::graph::{AgentNode, RoverGraph};
use crate::local::local_time;
use crate::models::FirstMove;
use crate::planner::{
    Delegate, MadeCall, PlannedCall, Planner, PlannerAnswer, PlannerMessage, PlannerRequest, Role,
    TermFact, TurnFacts,
};

/// What the model is called.
const NAME: &str = "offline";

/// The planner, told what is true of one turn.
struct Offline {
    planner: Arc<Planner>,
    facts: TurnFacts,
}

/// The model of one agent in one turn.
pub(super) fn model(
    planner: &Arc<Planner>,
    context: &AgentRuntimeContext,
    roster: &[AgentNode],
) -> Model {
    let facts = facts(context, roster);
    Model::in_process(NAME, Arc::new(Offline { planner: Arc::clone(planner), facts }))
}

/// What the planner does first for a sentence said to Rover.
pub(super) fn first_move(
    planner: &Planner,
    context: &AgentRuntimeContext,
    graph: &RoverGraph,
    sentence: &str,
) -> FirstMove {
    let said = PlannerMessage {
        role: Role::User,
        text: sentence.to_owned(),
        tool_calls: Vec::new(),
        tool_call_id: None,
    };
    let request = PlannerRequest {
        messages: vec![said],
        tools: graph.rover().tools.iter().map(|tool| tool.name.clone()).collect(),
        facts: facts(context, graph.specialists()),
    };
    match planner.answer(&request) {
        PlannerAnswer::Text(text) => FirstMove::Says(text),
        PlannerAnswer::Calls(calls) => {
            FirstMove::Calls(calls.into_iter().map(|call| call.name).collect())
        }
    }
}

fn facts(context: &AgentRuntimeContext, roster: &[AgentNode]) -> TurnFacts {
    let term = |term: &agent_contract::Term| TermFact {
        id: term.id.clone(),
        name: term.name.clone(),
        number: term.term_number.into(),
        current: term.is_current,
    };
    let delegate = |node: &AgentNode| Delegate {
        subagent_type: node.role.wire_id().to_owned(),
        tools: node.tools.iter().map(|tool| tool.name.clone()).collect(),
    };
    TurnFacts {
        now: local_time(context.current_time, context.time_zone.as_ref()),
        zone_known: context.time_zone.is_some(),
        campuses: None,
        terms: context.terms.iter().map(term).collect(),
        roster: roster.iter().map(delegate).collect(),
    }
}

impl ChatCompletions for Offline {
    fn answer(&self, request: &Value) -> Vec<Value> {
        let messages = request.get("messages").and_then(Value::as_array);
        let messages: Vec<_> = messages.into_iter().flatten().filter_map(message).collect();
        let tools = request.get("tools").and_then(Value::as_array).into_iter().flatten();
        let tools = tools.filter_map(|tool| text(tool.pointer("/function/name")));
        // Ids within a conversation must differ; the number of messages grows with every step.
        let step = messages.len();
        let request =
            PlannerRequest { messages, tools: tools.collect(), facts: self.facts.clone() };
        chunks(step, self.planner.answer(&request))
    }
}

/// A message of the request, if it is one that the planner knows.
fn message(message: &Value) -> Option<PlannerMessage> {
    let role = match message.get("role")?.as_str()? {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        "tool" => Role::Tool,
        _ => return None,
    };
    let calls = message.get("tool_calls").and_then(Value::as_array).into_iter().flatten();
    // A person's words come first; after them come the files, which say nothing that this planner understands.
    let said = match message.get("content") {
        Some(Value::Array(parts)) if role == Role::User => {
            parts.first().and_then(|part| part.get("text"))
        }
        content => content,
    };
    Some(PlannerMessage {
        role,
        text: content(said),
        tool_calls: calls.filter_map(made_call).collect(),
        tool_call_id: text(message.get("tool_call_id")),
    })
}

fn made_call(call: &Value) -> Option<MadeCall> {
    let arguments = call.pointer("/function/arguments").and_then(Value::as_str).unwrap_or("{}");
    Some(MadeCall {
        id: text(call.get("id"))?,
        name: text(call.pointer("/function/name"))?,
        arguments: serde_json::from_str(arguments).unwrap_or_default(),
    })
}

/// The words of a message, which come as text or as a list of parts.
fn content(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let parts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            parts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn text(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// An answer as a provider would stream it.
fn chunks(step: usize, answer: PlannerAnswer) -> Vec<Value> {
    let mut chunks = vec![chunk(&json!({"role": "assistant", "content": ""}), None)];
    let finish = match answer {
        PlannerAnswer::Text(text) => {
            chunks.extend(
                text.split_inclusive(' ').map(|word| chunk(&json!({"content": word}), None)),
            );
            "stop"
        }
        PlannerAnswer::Calls(calls) => {
            let call = |(index, call): (usize, PlannedCall)| {
                chunk(
                    &json!({"tool_calls": [{
                        "index": index,
                        "id": format!("call_{step}_{index}"),
                        "type": "function",
                        "function": {
                            "name": call.name,
                            "arguments": call.arguments.to_string(),
                        },
                    }]}),
                    None,
                )
            };
            chunks.extend(calls.into_iter().enumerate().map(call));
            "tool_calls"
        }
    };
    chunks.push(chunk(&json!({}), Some(finish)));
    chunks
}

fn chunk(delta: &Value, finish: Option<&str>) -> Value {
    json!({
        "id": "chatcmpl-offline",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": NAME,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    })
}
