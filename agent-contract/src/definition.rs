//! One tool as data: what the author declared and what follows from the types of the function.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::ArgField;
use crate::check;
use crate::context::AgentRunModeName;
use crate::example::Example;
use crate::output::HandlerReturn;
use crate::policy::{Action, Resource};
use crate::role::AgentRole;
use crate::say::Sentence;
use crate::schema;
use crate::tool::Tool;
use crate::verb::Verb;

/// Everything that both processes, the docs and the Hub know of a tool.
#[derive(Clone, Copy, Debug)]
pub struct ToolDefinition {
    /// The name that the model calls.
    pub name: &'static str,
    /// The message pattern that the server listens to; none for a local tool.
    pub event: Option<&'static str>,
    /// Whether the event is older than the name and begins with another verb.
    pub legacy_event: bool,
    /// What the model reads.
    pub description: &'static str,
    /// The portable schema of the arguments.
    pub args_schema: fn() -> Value,
    /// The schema of the result.
    pub output_schema: fn() -> Value,
    /// What stands in for arguments that are left out, by the pointer into their schema.
    pub arg_defaults: fn() -> BTreeMap<String, Value>,
    /// The run modes in which it is offered.
    pub scope: ToolScope,
    /// How the server gates it; none for a local tool.
    pub posture: Option<Posture>,
    /// The agents that are offered it.
    pub roles: &'static [AgentRole],
    /// The Hub's activity line.
    pub label: &'static str,
    /// What it does to the school's records.
    pub effect: Effect,
    /// Where it runs.
    pub kind: Kind,
    /// When a person is asked first.
    pub approval: Approval,
    /// The word that its name begins with.
    pub verb: &'static str,
    /// Its arguments, in source order.
    pub fields: &'static [ArgField],
    /// The sentences that the offline planner knows it by.
    pub say: &'static [Sentence],
    /// Arguments that a reader can try on the demo school.
    pub examples: &'static [Example],
    /// The file that declares it.
    pub file: &'static str,
    /// The line that declares it.
    pub line: u32,
    /// Of the name, so that a comparison of two tools is one of numbers.
    pub(crate) name_hash: u64,
    /// Of the event; 0 for a local tool.
    pub(crate) event_hash: u64,
}

/// The part of a definition that the author wrote, as the macro emits it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ToolSpec {
    pub name: &'static str,
    pub event: Option<&'static str>,
    pub legacy_event: bool,
    pub description: &'static str,
    pub scope: ToolScope,
    pub posture: Option<Posture>,
    pub roles: &'static [AgentRole],
    pub label: &'static str,
    pub effect: Effect,
    pub approval: Approval,
    pub verb: &'static str,
    pub say: &'static [Sentence],
    pub examples: &'static [Example],
    pub file: &'static str,
    pub line: u32,
}

/// Run modes in which a tool is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolScope {
    /// Both.
    General,
    /// Only while working in one campus.
    Campus,
    /// Only while working across the school.
    School,
}

/// How the server decides whether a caller may run a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Posture {
    /// By a permission, rebuilt on every call.
    Casl {
        /// What is done.
        action: Action,
        /// To what.
        resource: Resource,
    },
    /// By proof that the record is the caller's own.
    Relationship,
}

/// What a tool does to the school's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Nothing.
    Read,
    /// It changes them.
    Write,
}

/// Where a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// In the server.
    Rpc,
    /// In the worker.
    Local,
}

/// When a person is asked before a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approval {
    /// Each time.
    Always,
    /// If its verb takes something away or leaves the school.
    WhenDestructive,
    /// Never.
    Never,
}

impl ToolDefinition {
    /// The definition of a tool.
    #[doc(hidden)]
    pub const fn of<T: Tool>() -> Self {
        let spec = T::SPEC;
        Self {
            name: spec.name,
            event: spec.event,
            legacy_event: spec.legacy_event,
            description: spec.description,
            args_schema: schema::of_args::<T::Args>,
            output_schema: schema::of_output::<<T::Return as HandlerReturn<T::Kind>>::Ok>,
            arg_defaults: schema::arg_defaults::<T::Args>,
            scope: spec.scope,
            posture: spec.posture,
            roles: spec.roles,
            label: spec.label,
            effect: spec.effect,
            kind: if spec.event.is_some() { Kind::Rpc } else { Kind::Local },
            approval: spec.approval,
            verb: spec.verb,
            fields: T::FIELDS,
            say: spec.say,
            examples: spec.examples,
            file: spec.file,
            line: spec.line,
            name_hash: check::fnv(spec.name),
            event_hash: match spec.event {
                Some(event) => check::fnv(event),
                None => 0,
            },
        }
    }

    /// Whether a person is asked before the tool runs.
    pub fn asks_first(&self) -> bool {
        match self.approval {
            Approval::Always => true,
            Approval::WhenDestructive => Verb::named(self.verb).is_some_and(|verb| verb.asks_first),
            Approval::Never => false,
        }
    }

    /// Whether the agent is offered the tool.
    pub fn is_for(&self, role: AgentRole) -> bool {
        self.roles.contains(&role)
    }

    /// The examples, of which a tool that takes no arguments has one: none.
    pub fn shown(&self) -> Vec<Example> {
        match self.fields {
            [] => vec![Example(&[])],
            _ => self.examples.to_vec(),
        }
    }

    /// The argument of this wire name.
    pub fn field(&self, wire: &str) -> Option<&'static ArgField> {
        self.fields.iter().find(|field| field.wire == wire)
    }
}

impl ToolScope {
    /// Whether a tool of this scope is offered in this run mode.
    pub const fn admits(self, mode: AgentRunModeName) -> bool {
        matches!(
            (self, mode),
            (Self::General, _)
                | (Self::Campus, AgentRunModeName::Campus)
                | (Self::School, AgentRunModeName::School)
        )
    }
}
