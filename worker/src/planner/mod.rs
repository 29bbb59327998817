//! The offline model: it turns a person's sentence into tool calls by the registry's own sentences.
//!
//! It reads the conversation as any model does and answers with calls or with text. It is
//! deterministic and keeps nothing: the conversation is its memory. It never guesses a write, it
//! calls nothing that was not offered, and it states nothing that no tool returned.

mod catalog;
mod choices;
mod dates;
mod fill;
mod lookup;
mod matcher;
mod numbers;
mod plan;
mod polite;
mod replay;
mod reply;
mod slots;
mod suggest;
mod table;
mod talk;
mod template;
mod terms;
mod understand;
mod words;

use agent_contract::ToolDefinition;
use serde_json::Value;

use catalog::KnownTool;

/// The offline model for one registry.
#[derive(Debug)]
pub struct Planner {
    tools: Vec<KnownTool>,
}

/// What a model is asked: the conversation, what it may call, and what is true of the turn.
#[derive(Clone, Debug)]
pub struct PlannerRequest {
    /// The conversation, oldest first.
    pub messages: Vec<PlannerMessage>,
    /// Names of the tools offered in this request.
    pub tools: Vec<String>,
    /// What the turn's context says.
    pub facts: TurnFacts,
}

/// One message of the conversation.
#[derive(Clone, Debug)]
pub struct PlannerMessage {
    /// Who wrote it.
    pub role: Role,
    /// Its text; for a tool, its result.
    pub text: String,
    /// The calls that an assistant's message makes.
    pub tool_calls: Vec<MadeCall>,
    /// The call that a tool's message answers.
    pub tool_call_id: Option<String>,
}

/// Who wrote a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The prompt.
    System,
    /// The person chatting.
    User,
    /// The model.
    Assistant,
    /// A tool's result.
    Tool,
}

/// A call that the conversation holds.
#[derive(Clone, Debug)]
pub struct MadeCall {
    /// Its id, by which the result refers to it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
}

/// What the turn's context says, as far as the planner reads it.
#[derive(Clone, Debug)]
pub struct TurnFacts {
    /// Now, in the caller's zone; in UTC if the zone is unknown.
    pub now: jiff::ZonedDateTime,
    /// Whether the caller's zone is known.
    pub zone_known: bool,
    /// The campuses that may be named, where the context lists them.
    pub campuses: Option<Vec<CampusFact>>,
    /// The terms of the current year, where a campus is pinned.
    pub terms: Vec<TermFact>,
    /// The subagents of this turn; empty inside a subagent.
    pub roster: Vec<Delegate>,
}

/// A campus by id and name.
#[derive(Clone, Debug)]
pub struct CampusFact {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// A term of the current year.
#[derive(Clone, Debug)]
pub struct TermFact {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its place in the year, from 1.
    pub number: i64,
    /// Whether today lies in it.
    pub current: bool,
}

/// A subagent that work can be handed to.
#[derive(Clone, Debug)]
pub struct Delegate {
    /// The `subagent_type` of `task`.
    pub subagent_type: String,
    /// Names of the tools that it has.
    pub tools: Vec<String>,
}

/// What the planner answers.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannerAnswer {
    /// The final text of the turn.
    Text(String),
    /// Calls to make; their results come back in the next request.
    Calls(Vec<PlannedCall>),
}

/// A call to make.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCall {
    /// The tool.
    pub name: String,
    /// Its arguments, by their wire names.
    pub arguments: Value,
}

impl Planner {
    /// Prepares the sentences of a registry.
    pub fn new(definitions: &'static [&'static ToolDefinition]) -> Self {
        Self { tools: definitions.iter().map(|definition| KnownTool::new(definition)).collect() }
    }

    /// Answers one request.
    pub fn answer(&self, request: &PlannerRequest) -> PlannerAnswer {
        plan::answer(&self.tools, request)
    }

    /// Names of the tools that no sentence reaches.
    pub fn unreachable(&self) -> impl Iterator<Item = &'static str> {
        self.tools.iter().filter(|tool| tool.shapes.is_empty()).map(KnownTool::name)
    }
}
