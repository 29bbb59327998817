//! What a turn was offered: the events that its calls may be of, and nothing else.
//!
//! The list lies with the run's token, whose signature covers its hash. It is made by the server that signs, from the
//! agents that the person has in that run mode: Rover's tools and those of each specialist. A worker may offer less,
//! for reasons of its own, and never more.

use std::collections::BTreeSet;

use agent_contract::{
    AgentRole, AgentRunModeName, Capabilities, canonical_hash, eligible_agent_roles,
};
use serde_json::json;
use tools::agent_tools;

/// The events of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnOffer(BTreeSet<String>);

impl TurnOffer {
    /// What the agents of a person have together.
    pub fn of_agents(mode: AgentRunModeName, capabilities: &Capabilities) -> Self {
        let mut agents = eligible_agent_roles(capabilities);
        agents.push(AgentRole::Rover);
        Self::of(|tool| tool.scope.admits(mode) && agents.iter().any(|agent| tool.is_for(*agent)))
    }

    /// All that a run mode admits: for calls that no agent chooses, an operator's or an MCP client's.
    pub fn of_mode(mode: AgentRunModeName) -> Self {
        Self::of(|tool| tool.scope.admits(mode))
    }

    /// Whether a call of this event is within it.
    pub(crate) fn admits(&self, event: &str) -> bool {
        self.0.contains(event)
    }

    /// The same with one event more, of a tool that only a test has.
    #[cfg(test)]
    pub(crate) fn and(mut self, event: &str) -> Self {
        self.0.insert(event.to_owned());
        self
    }

    /// What the token is signed with.
    pub(crate) fn hash(&self) -> String {
        canonical_hash(&json!(self.0))
    }

    /// As a row keeps it.
    pub(crate) fn stored(&self) -> String {
        json!(self.0).to_string()
    }

    /// What a row kept.
    pub(crate) fn read(stored: &str) -> Option<Self> {
        serde_json::from_str(stored).ok().map(Self)
    }

    fn of(has: impl Fn(&agent_contract::ToolDefinition) -> bool) -> Self {
        let had = agent_tools::DEFS.iter().filter(|tool| has(tool));
        Self(had.filter_map(|tool| tool.event).map(str::to_owned).collect())
    }
}
