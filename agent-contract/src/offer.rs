//! Which tools of a list are offered: by run mode, and by agent.
//!
//! Nothing else withholds a tool of the list. A person's permissions do not: they are advice until
//! the server decides, and a tool that is missing cannot explain why it may not be used.

use crate::context::AgentRunModeName;
use crate::definition::ToolDefinition;
use crate::role::AgentRole;

/// The tools that a run mode admits, in the order of the list.
pub fn tools_for_mode(
    definitions: &[&'static ToolDefinition],
    mode: AgentRunModeName,
) -> Vec<&'static ToolDefinition> {
    definitions.iter().copied().filter(|tool| tool.scope.admits(mode)).collect()
}

/// The tools that an agent is given, in the order of the list. Each agent has its own; a
/// specialist inherits nothing from Rover.
pub fn tools_for_role(
    definitions: &[&'static ToolDefinition],
    role: AgentRole,
) -> Vec<&'static ToolDefinition> {
    definitions.iter().copied().filter(|tool| tool.is_for(role)).collect()
}
