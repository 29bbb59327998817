//! What to say of a call whose tool the agent does not have.
//!
//! The model learns whether the tool exists, who has it or why nobody has, and what it may have
//! meant; it is never told that something ran.

use agent_contract::{AgentRunModeName, CallFault, WithheldReason};

use crate::graph::{AgentNode, RoverGraph};

/// How alike two names must be for one to be suggested for the other.
const ALIKE: f64 = 0.8;

/// The fault for the record, and the sentence for the model.
pub(super) fn missing(graph: &RoverGraph, agent: &AgentNode, name: &str) -> (CallFault, String) {
    if let Some(withheld_from) = graph.why_withheld(agent.role, name) {
        let reason = withheld_from.reason;
        return (CallFault::Withheld { reason }, withheld(graph, name, reason));
    }
    let nearest = agent
        .tools
        .iter()
        .map(|tool| (strsim::jaro_winkler(name, &tool.name), &tool.name))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.clone());
    let hint = nearest.as_ref().map_or_else(
        || "use one of those you were given".to_owned(),
        |nearest| format!("did you mean {nearest}?"),
    );
    (CallFault::UnknownTool { nearest }, format!("there is no tool {name}; {hint}"))
}

fn withheld(graph: &RoverGraph, name: &str, reason: WithheldReason) -> String {
    match reason {
        WithheldReason::RunMode => match graph.mode() {
            AgentRunModeName::Campus => {
                format!("the tool {name} is for the whole school and not there in campus mode")
            }
            AgentRunModeName::School => {
                format!("the tool {name} is for one campus and not there in school mode")
            }
        },
        WithheldReason::AgentRole => {
            match graph.specialists().iter().find(|other| other.tool(name).is_some()) {
                Some(other) => {
                    let other = other.role.wire_id();
                    format!("the tool {name} is the {other}'s; hand the task over")
                }
                None => format!("the tool {name} is another agent's"),
            }
        }
        WithheldReason::Capability => {
            format!("the agent that has the tool {name} is not there for this person")
        }
        WithheldReason::Sandbox => format!("the tool {name} needs a sandbox, and there is none"),
        WithheldReason::Contract => {
            format!("the servers do not know this version of the tool {name}")
        }
        WithheldReason::Provider => format!("the tool {name} cannot be offered to this model"),
    }
}
