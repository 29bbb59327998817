//! The agents of one turn, made anew for each: nothing of a caller's tools or prompt is kept.
//!
//! Each agent's tools are one vector. What the model is sent, the inventory in the prompt and the
//! `offered` event are all made from it, so that none of them can say what the others do not.

use agent_contract::{
    AgentRole, AgentRunModeName, AgentRuntimeContext, OfferedTool, TurnEventKind, Withheld,
    WithheldReason,
};
use tools::agent_tools::DEFS;

use crate::engine::{AgentSpec, ToolSpec};
use crate::prompt;
use crate::proxy::{Proxy, build_role_tools};
use crate::servers::Unserved;
use crate::skills::{Skill, skill_tool, skills_of};
use crate::subagents::{select_subagents, task_tool};

/// Rover and the specialists of a turn.
#[derive(Debug)]
pub struct RoverGraph {
    mode: AgentRunModeName,
    rover: AgentNode,
    specialists: Vec<AgentNode>,
    withheld: Vec<Withheld>,
}

/// One agent.
#[derive(Debug)]
pub struct AgentNode {
    /// Which agent.
    pub role: AgentRole,
    /// All that it can call.
    pub tools: Vec<Proxy>,
    /// What it can read up on.
    pub skills: Vec<Skill>,
    /// Its system prompt.
    pub prompt: String,
}

/// Makes the agents of a turn from its runtime context, as if the servers served all that this worker holds.
pub fn create_rover_graph(context: &AgentRuntimeContext) -> RoverGraph {
    create_served_graph(context, &Unserved::default())
}

/// The same without the tools that the servers would refuse.
pub fn create_served_graph(context: &AgentRuntimeContext, unserved: &Unserved) -> RoverGraph {
    let mode = context.run_mode.name();
    let roles = select_subagents(&context.capabilities);
    let node = |role: AgentRole, roster: &[AgentRole]| {
        let skills = skills_of(role);
        let mut tools = build_role_tools(role, mode);
        tools.retain(|tool| unserved.why(&tool.name).is_none());
        tools.extend(task_tool(roster));
        tools.extend(skill_tool(&skills));
        let prompt = prompt::system_prompt(role, &tools, roster, &skills, context);
        AgentNode { role, tools, skills, prompt }
    };
    let withheld = AgentRole::ALL.iter().flat_map(|&role| {
        let exists = role == AgentRole::Rover || roles.contains(&role);
        DEFS.iter().filter_map(move |tool| {
            let mut detail = None;
            let reason = if !tool.is_for(role) {
                // An agent that does not exist is only missed where it would have helped.
                if !exists {
                    return None;
                }
                WithheldReason::AgentRole
            } else if !exists {
                WithheldReason::Capability
            } else if !tool.scope.admits(mode) {
                WithheldReason::RunMode
            } else if let Some(why) = unserved.why(tool.name) {
                detail = Some(why.to_owned());
                WithheldReason::Contract
            } else {
                return None;
            };
            let (agent, name) = (role.wire_id().to_owned(), tool.name.to_owned());
            Some(Withheld { agent, name, reason, detail })
        })
    });
    RoverGraph {
        mode,
        withheld: withheld.collect(),
        rover: node(AgentRole::Rover, &roles),
        specialists: roles.iter().map(|&role| node(role, &[])).collect(),
    }
}

impl RoverGraph {
    /// The run mode that it was made for.
    pub fn mode(&self) -> AgentRunModeName {
        self.mode
    }

    /// The agent that the person talks to.
    pub fn rover(&self) -> &AgentNode {
        &self.rover
    }

    /// The specialists that exist this turn.
    pub fn specialists(&self) -> &[AgentNode] {
        &self.specialists
    }

    /// The roles of the specialists that exist this turn.
    pub fn roster(&self) -> Vec<AgentRole> {
        self.specialists.iter().map(|node| node.role).collect()
    }

    /// A specialist by role.
    pub fn specialist(&self, role: AgentRole) -> Option<&AgentNode> {
        self.specialists.iter().find(|node| node.role == role)
    }

    /// What each agent was given, and what it was not, with the reason.
    pub fn offered(&self) -> TurnEventKind {
        let nodes = std::iter::once(&self.rover).chain(&self.specialists);
        let tools = nodes.flat_map(|node| {
            node.tools.iter().map(|tool| OfferedTool {
                agent: node.role.wire_id().to_owned(),
                name: tool.name.clone(),
            })
        });
        TurnEventKind::Offered { tools: tools.collect(), withheld: self.withheld.clone() }
    }

    /// Why an agent does not have a tool that exists.
    pub fn why_withheld(&self, role: AgentRole, tool: &str) -> Option<WithheldReason> {
        let matches =
            |withheld: &&Withheld| withheld.agent == role.wire_id() && withheld.name == tool;
        self.withheld.iter().find(matches).map(|withheld| withheld.reason)
    }
}

impl AgentNode {
    /// The tool of this name, if the agent has it.
    pub fn tool(&self, name: &str) -> Option<&Proxy> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The agent as the model loop takes it.
    pub fn spec(&self, max_steps: u32) -> AgentSpec {
        let tool = |proxy: &Proxy| ToolSpec {
            name: proxy.name.clone(),
            description: proxy.description.clone(),
            schema: proxy.schema.clone(),
        };
        AgentSpec {
            prompt: self.prompt.clone(),
            tools: self.tools.iter().map(tool).collect(),
            max_steps,
        }
    }
}
