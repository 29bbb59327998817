//! The agents of one turn, made anew for each: nothing of a caller's tools or prompt is kept.
//!
//! Each agent's tools are one vector. What the model is sent, the inventory in the prompt and the
//! `offered` event are all made from it, so that none of them can say what the others do not.

use agent_contract::{
    AgentRole, AgentRunModeName, AgentRuntimeContext, Declaration, Form, FormFault, OfferedTool,
    TurnEventKind, Withheld, WithheldReason,
};
use tools::agent_tools::DEFS;

use crate::engine::{AgentSpec, ToolSpec};
use crate::offer::Offer;
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
    /// Its tools in the form of the model's provider; or why the model cannot be asked with them.
    pub declared: Result<Vec<Declaration>, FormFault>,
    refused: Vec<FormFault>,
}

/// Makes the agents of a turn from its runtime context, for a model that takes tools in this form and servers that
/// serve all that this worker holds.
pub fn create_rover_graph(context: &AgentRuntimeContext, form: Form) -> RoverGraph {
    create_served_graph(context, form, &Unserved::default())
}

/// The same without the tools that the servers would refuse.
pub fn create_served_graph(
    context: &AgentRuntimeContext,
    form: Form,
    unserved: &Unserved,
) -> RoverGraph {
    let mode = context.run_mode.name();
    let roles = select_subagents(&context.capabilities);
    let node = |role: AgentRole, roster: &[AgentRole]| {
        let skills = skills_of(role);
        let mut tools = build_role_tools(role, mode);
        tools.retain(|tool| unserved.why(&tool.name).is_none());
        tools.extend(task_tool(roster));
        tools.extend(skill_tool(&skills));
        let Offer { tools, declared, refused } = Offer::of(form, tools);
        let prompt = prompt::system_prompt(role, &tools, roster, &skills, context);
        AgentNode { role, tools, skills, prompt, declared, refused }
    };
    let rover = node(AgentRole::Rover, &roles);
    let specialists: Vec<AgentNode> = roles.iter().map(|&role| node(role, &[])).collect();
    let by_us = AgentRole::ALL.iter().flat_map(|&role| {
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
    let by_the_provider = std::iter::once(&rover).chain(&specialists).flat_map(AgentNode::refused);
    let withheld = by_us.chain(by_the_provider).collect();
    RoverGraph { mode, rover, specialists, withheld }
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
                not_strict: node.not_strict(&tool.name),
            })
        });
        TurnEventKind::Offered { tools: tools.collect(), withheld: self.withheld.clone() }
    }

    /// Why an agent does not have a tool that exists.
    pub fn why_withheld(&self, role: AgentRole, tool: &str) -> Option<&Withheld> {
        let matches =
            |withheld: &&Withheld| withheld.agent == role.wire_id() && withheld.name == tool;
        self.withheld.iter().find(matches)
    }
}

impl AgentNode {
    /// The tool of this name, if the agent has it.
    pub fn tool(&self, name: &str) -> Option<&Proxy> {
        self.tools.iter().find(|tool| tool.name == name)
    }

    /// The agent as the model loop takes it; or why its model cannot be asked.
    pub fn spec(&self, max_steps: u32) -> Result<AgentSpec, FormFault> {
        let declared = self.declared.as_ref().map_err(Clone::clone)?;
        let tool = |tool: &Declaration| ToolSpec {
            name: tool.name.clone(),
            declaration: tool.json.clone(),
        };
        Ok(AgentSpec {
            prompt: self.prompt.clone(),
            tools: declared.iter().map(tool).collect(),
            max_steps,
        })
    }

    /// Why the model is not held to this tool's schema, although it would be.
    fn not_strict(&self, name: &str) -> Option<String> {
        let declared = self.declared.as_ref().ok()?;
        let tool = declared.iter().find(|tool| tool.name == name)?;
        tool.downgrade.as_ref().map(FormFault::to_string)
    }

    /// What the provider does not take.
    fn refused(&self) -> impl Iterator<Item = Withheld> {
        let refused = self.refused.iter();
        refused.filter_map(|fault| {
            Some(Withheld {
                agent: self.role.wire_id().to_owned(),
                name: fault.tool()?.to_owned(),
                reason: WithheldReason::Provider,
                detail: Some(fault.to_string()),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subagents::task_tool;

    fn node(tools: Vec<Proxy>) -> AgentNode {
        let Offer { tools, declared, refused } = Offer::of(Form::OpenAi, tools);
        let (role, skills, prompt) = (AgentRole::Rover, Vec::new(), String::new());
        AgentNode { role, tools, skills, prompt, declared, refused }
    }

    fn task(name: String) -> Proxy {
        Proxy { name, ..task_tool(AgentRole::ALL).expect("there are agents") }
    }

    #[test]
    fn what_the_provider_does_not_take_is_withheld_with_its_reason() {
        let long = "x".repeat(65);
        let node = node(vec![task("task".to_owned()), task(long.clone())]);
        assert!(node.tool("task").is_some() && node.tool(&long).is_none());
        assert_eq!(node.spec(1).expect("the model can be asked").tools.len(), 1);
        let withheld: Vec<Withheld> = node.refused().collect();
        let [one] = &withheld[..] else { panic!("one: {withheld:?}") };
        assert_eq!((&one.name, one.reason), (&long, WithheldReason::Provider));
        assert!(one.detail.as_ref().is_some_and(|detail| detail.contains("takes 64")), "{one:?}");
    }

    #[test]
    fn a_model_that_cannot_take_so_many_tools_is_not_asked() {
        let node = node((0..129).map(|n| task(format!("t{n}"))).collect());
        let fault = node.spec(1).expect_err("too many").to_string();
        assert!(fault.contains("takes 128 tools"), "{fault}");
    }
}
