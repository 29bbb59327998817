//! The specialists of a turn: who exists, what each has, and the tool that hands work to them.
//!
//! A specialist exists when the person's capabilities say so. It has its own tools, prompt and
//! skills, inherits nothing from Rover, and has no `task` tool, so it cannot hand work on.

use agent_contract::{
    AgentMap, AgentRole, AgentRunModeName, ArgumentFault, Capabilities, ToolError, build_agent_map,
    eligible_agent_roles,
};
use serde_json::{Value, json};
use tools::agent_tools::DEFS;
use tools::local::{AgentSummary, ToolHit};

use crate::engine::Order;
use crate::proxy::{Proxy, Run};
use crate::servers::Unserved;

/// Name of the tool that hands work to a specialist.
pub const TASK: &str = "task";
/// At most so many hits of a search are shown.
const HITS: usize = 8;

/// The specialists that exist for a person.
pub fn select_subagents(capabilities: &Capabilities) -> Vec<AgentRole> {
    eligible_agent_roles(capabilities)
}

/// The agents of this turn and their tools, to look around in.
#[derive(Debug)]
pub struct Cast {
    map: AgentMap,
}

impl Cast {
    /// Rover and these specialists, in this run mode, with what is served of their tools.
    pub fn new(mode: AgentRunModeName, specialists: &[AgentRole], unserved: &Unserved) -> Self {
        let served: Vec<_> =
            DEFS.iter().copied().filter(|tool| unserved.why(tool.name).is_none()).collect();
        Self { map: build_agent_map(&served, mode).with_specialists(specialists) }
    }

    /// Each agent with its tools.
    pub fn summaries(&self) -> Vec<AgentSummary> {
        let summary = |entry: &agent_contract::AgentEntry| AgentSummary {
            agent: entry.role.wire_id().to_owned(),
            title: entry.role.title().to_owned(),
            description: entry.role.description().to_owned(),
            tools: entry.tools.iter().map(|tool| tool.name.to_owned()).collect(),
        };
        self.map.agents().iter().map(summary).collect()
    }

    /// The pairs of agent and tool that fit a text, best first.
    pub fn search(&self, text: &str) -> Vec<ToolHit> {
        let hit = |found: agent_contract::AgentMatch| ToolHit {
            agent: found.role.wire_id().to_owned(),
            tool: found.tool.name.to_owned(),
            description: found.tool.description.to_owned(),
        };
        self.map.search(text).into_iter().take(HITS).map(hit).collect()
    }
}

/// The tool that hands work to one of these specialists; there is none without specialists.
pub fn task_tool(specialists: &[AgentRole]) -> Option<Proxy> {
    let names: Vec<_> = specialists.iter().map(|role| role.wire_id()).collect();
    (!names.is_empty()).then(|| Proxy {
        name: TASK.to_owned(),
        description: "Hand a task to a specialist and read its answer. It sees nothing of this \
                      conversation, so describe the task fully."
            .to_owned(),
        schema: json!({
            "type": "object",
            "properties": {
                "description": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The task, with every name, date and number that it needs."
                },
                "subagent_type": {
                    "type": "string",
                    "enum": names,
                    "description": "Which specialist."
                }
            },
            "required": ["description", "subagent_type"],
            "additionalProperties": false
        }),
        label: "Asking a specialist".to_owned(),
        order: Order::Together,
        run: Run::Task,
    })
}

/// A task for a specialist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Who is to do it.
    pub role: AgentRole,
    /// What is to be done.
    pub description: String,
}

/// Reads the arguments of `task`.
pub fn read_task(args: &Value, specialists: &[AgentRole]) -> Result<Task, ToolError> {
    let text = |name: &str| {
        let value = args.get(name);
        let text = value.and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
        text.ok_or_else(|| {
            let got = value.map_or_else(|| "nothing".to_owned(), Value::to_string);
            ToolError::Invalid(vec![ArgumentFault::new(format!("args.{name}"), "text", got)])
        })
    };
    let (description, wanted) = (text("description")?, text("subagent_type")?);
    let role = specialists.iter().copied().find(|role| role.wire_id() == wanted);
    let role = role.ok_or_else(|| {
        let names: Vec<_> = specialists.iter().map(|role| role.wire_id()).collect();
        ToolError::Invalid(vec![ArgumentFault::new(
            "args.subagent_type",
            format!("one of {}", names.join(", ")),
            format!("\"{wanted}\""),
        )])
    })?;
    Ok(Task { role, description: description.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOTH: [AgentRole; 2] = [AgentRole::ClassTeacher, AgentRole::DirectorOfStudies];

    #[test]
    fn a_task_names_one_of_the_roster() {
        let args = json!({"description": " take the register ", "subagent_type": "class_teacher"});
        let task =
            Task { role: AgentRole::ClassTeacher, description: "take the register".to_owned() };
        assert_eq!(read_task(&args, &BOTH), Ok(task));
        for (args, says) in [
            (json!({"subagent_type": "class_teacher"}), "args.description: expected text"),
            (json!({"description": "x"}), "args.subagent_type: expected text, got nothing"),
            (
                json!({"description": "x", "subagent_type": "general-purpose"}),
                "expected one of class_teacher, director_of_studies, got \"general-purpose\"",
            ),
            (json!({"description": 3, "subagent_type": "class_teacher"}), "got 3"),
        ] {
            let error = read_task(&args, &BOTH).expect_err("refused").to_string();
            assert!(error.contains(says), "{error}");
        }
    }

    #[test]
    fn without_specialists_there_is_nobody_to_hand_work_to() {
        assert!(task_tool(&[]).is_none());
        let schema = task_tool(&BOTH).expect("a tool").schema;
        assert_eq!(
            schema["properties"]["subagent_type"]["enum"],
            json!(["class_teacher", "director_of_studies"])
        );
    }
}
