//! The registry as data for readers: the Hub's list of tools, `tools/tools.json` and `tools/REGISTRY.md` are three
//! readings of it. Everything follows from the definitions but the results of the examples, which were run.

use agent_contract::{
    AgentRole, Effect, GRANTS, Kind, Posture, Reach, StaffRole, ToolDefinition, ToolScope,
};
use serde::Serialize;
use serde_json::Value;
use tools::agent_tools::DEFS;

use crate::demo::{self, Results};

/// The number of this shape; it grows when a reader would have to change.
pub const FORMAT: u32 = 1;

/// Every tool.
#[derive(Clone, Debug, Serialize)]
pub struct Catalogue {
    /// [`FORMAT`].
    pub format: u32,
    /// In the order of the registry.
    pub tools: Vec<ToolPage>,
}

/// One tool.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolPage {
    /// The name that the model calls.
    pub name: &'static str,
    /// What the model reads.
    pub description: &'static str,
    /// What the Hub shows while it runs.
    pub label: &'static str,
    /// Where it runs: `rpc` is the server, `local` the worker.
    pub kind: Kind,
    /// The message that asks the server for it; none for a local tool.
    pub event: Option<&'static str>,
    /// What it does to the school's records.
    pub effect: Effect,
    /// Whether a person is asked before it runs in a chat.
    pub asks_first: bool,
    /// The run modes in which it is offered.
    pub scope: ToolScope,
    /// The agents that it is offered to.
    pub agents: Vec<&'static str>,
    /// What the server asks before it runs.
    pub gate: Gate,
    /// What the model supplies.
    pub arguments: Vec<Argument>,
    /// What the offline planner knows it by.
    pub sentences: Vec<&'static str>,
    /// What it does in the demo school.
    pub examples: Vec<Shown>,
    /// The portable schema of the arguments.
    pub arguments_schema: Value,
    /// The schema of the result.
    pub result_schema: Value,
    /// The file and line that declare it.
    pub declared_at: String,
}

/// Who may run a tool.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Gate {
    /// Whoever is offered it.
    Offer,
    /// Whoever has the right.
    Right {
        /// The right, e.g. `department:create`.
        right: String,
        /// The roles that have it, and how far.
        roles: Vec<Granted>,
    },
    /// Whoever owns the record, which the domain proves on every call.
    Ownership,
}

/// One role that has a right.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Granted {
    /// The role.
    pub role: &'static str,
    /// How far the right reaches.
    pub reach: &'static str,
}

/// One argument.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    /// Its name in JSON.
    pub name: &'static str,
    /// Whether it must be given.
    pub required: bool,
    /// What the model reads.
    pub meaning: &'static str,
    /// The tool that finds values for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looked_up_with: Option<&'static str>,
    /// The value in the first example that gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Value>,
}

/// One example.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    /// The arguments.
    pub arguments: Value,
    /// The command that sends this call; none for a local tool, which is asked for in a chat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// What it answers in the demo school. What differs from day to day stands in angle brackets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
}

impl Catalogue {
    /// The registry of this build, with the results that were documented with it.
    pub fn documented() -> Self {
        Self::with(&Results::documented())
    }

    /// The registry of this build with these results.
    pub fn with(results: &Results) -> Self {
        let tools = DEFS.iter().map(|def| ToolPage::of(def, results)).collect();
        Self { format: FORMAT, tools }
    }
}

impl ToolPage {
    /// One tool with these results.
    pub fn of(def: &'static ToolDefinition, results: &Results) -> Self {
        let examples: Vec<Shown> = def
            .shown()
            .into_iter()
            .enumerate()
            .map(|(i, example)| {
                let showing = demo::showing(def, example);
                Shown {
                    arguments: example.to_json(def.fields),
                    command: showing.map(|showing| showing.command()),
                    result: results.of(def.name, i).cloned(),
                }
            })
            .collect();
        let arguments = def.fields.iter().map(|field| Argument {
            name: field.wire,
            required: field.required,
            meaning: field.description,
            looked_up_with: field.lookup,
            example: examples.iter().find_map(|shown| shown.arguments.get(field.wire)).cloned(),
        });
        Self {
            name: def.name,
            description: def.description,
            label: def.label,
            kind: def.kind,
            event: def.event,
            effect: def.effect,
            asks_first: def.asks_first(),
            scope: def.scope,
            agents: def.roles.iter().copied().map(AgentRole::wire_id).collect(),
            gate: gate(def),
            arguments: arguments.collect(),
            sentences: def.say.iter().map(|sentence| sentence.template).collect(),
            examples,
            arguments_schema: (def.args_schema)(),
            result_schema: (def.output_schema)(),
            declared_at: format!("{}:{}", def.file, def.line),
        }
    }
}

fn gate(def: &ToolDefinition) -> Gate {
    match def.posture {
        None => Gate::Offer,
        Some(Posture::Relationship) => Gate::Ownership,
        Some(Posture::Casl { action, resource }) => Gate::Right {
            right: format!("{resource}:{action}"),
            roles: GRANTS
                .iter()
                .filter(|grant| grant.action == action && grant.resource == resource)
                .map(|grant| Granted {
                    role: StaffRole::as_str(grant.role),
                    reach: Reach::as_str(grant.reach),
                })
                .collect(),
        },
    }
}
