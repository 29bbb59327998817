//! Tools that run in the worker: the clock, a question to the person, and the agent map.
//!
//! They are declared here, beside the others, so that labels, docs and `rover why` know them; the
//! server gets no route for them and needs none of their ports.

use std::future::Future;

use agent_contract::{Date, ToolArgs, ToolCx, ToolResult, agent_tool};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Today, as the school sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentDate {
    /// The day.
    pub date: Date,
    /// Name of the weekday, e.g. "Tuesday".
    pub weekday: String,
    /// Local time, e.g. "08:05".
    pub time: String,
    /// Time zone the answer is in, an IANA name.
    pub time_zone: String,
    /// Said when the school's time zone is unknown and UTC was used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What telling the date needs of the worker.
pub trait Clock: Send + Sync {
    /// Now, in the caller's time zone; UTC with a note if the zone is unknown.
    fn today(&self) -> CurrentDate;
}

/// What a person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StafferAnswer {
    /// The answer in the person's words.
    pub answer: String,
}

/// What asking a person needs of the worker.
pub trait Staffer: Send + Sync {
    /// Puts a question to the person chatting and waits for the answer.
    fn ask(
        &self,
        question: String,
        options: Vec<String>,
    ) -> impl Future<Output = ToolResult<StafferAnswer>> + Send;
}

/// An agent of this turn and what it can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct AgentSummary {
    /// Name used on the wire, e.g. `class_teacher`.
    pub agent: String,
    /// Title for people.
    pub title: String,
    /// What the agent is for.
    pub description: String,
    /// Names of its tools in this run mode.
    pub tools: Vec<String>,
}

/// A tool that fits a description.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolHit {
    /// Agent that has the tool.
    pub agent: String,
    /// Name of the tool.
    pub tool: String,
    /// What the tool does.
    pub description: String,
}

/// What looking around among the agents needs of the worker.
pub trait Agents: Send + Sync {
    /// The agents of this turn.
    fn agents(&self) -> Vec<AgentSummary>;

    /// The (agent, tool) pairs that fit `text`, best first.
    fn search(&self, text: &str) -> Vec<ToolHit>;
}

/// Telling the date takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct GetCurrentDate {}

/// Get today's date, weekday and time at the school.
#[agent_tool(
    local,
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Checking the date",
    say = [
        "(what is|what's) (today's|todays|the|the current) date [today]",
        "what (day|date) is (it|today) [today]",
        "what time is it",
    ],
)]
pub async fn get_current_date(
    cx: &ToolCx<impl Clock>,
    _args: GetCurrentDate,
) -> ToolResult<CurrentDate> {
    Ok(cx.services().today())
}

/// What the model supplies to ask the person chatting.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AskStaffer {
    /// The question, one sentence.
    #[schemars(length(min = 1, max = 500))]
    pub question: String,
    /// Answers to choose from; leave out for a free answer.
    #[serde(default)]
    pub options: Vec<String>,
}

/// Ask the person chatting a question and wait. Use it when a request is ambiguous or lacks something.
#[agent_tool(
    local,
    roles = [Rover, ClassTeacher, SubjectTeacher, DirectorOfStudies],
    label = "Asking you",
    examples = [
        { question: "Which campus is it for?", options: ["Main Campus", "Lakeside Campus"] },
    ],
)]
pub async fn ask_staffer(cx: &ToolCx<impl Staffer>, args: AskStaffer) -> ToolResult<StafferAnswer> {
    cx.services().ask(args.question, args.options).await
}

/// Listing the agents takes no arguments.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ListAgents {}

/// List the agents of this turn with the tools each has.
#[agent_tool(
    local,
    roles = [Rover],
    label = "Looking at what is possible",
    say = [
        "list [all] [the] agents",
        "(what|which) agents (are there|do you have)",
        "who can help [me]",
    ],
)]
pub async fn list_agents(
    cx: &ToolCx<impl Agents>,
    _args: ListAgents,
) -> ToolResult<Vec<AgentSummary>> {
    Ok(cx.services().agents())
}

/// What the model supplies to search the tools.
#[derive(Debug, Deserialize, JsonSchema, ToolArgs)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SearchTools {
    /// What the tool should do, in a few words.
    #[schemars(length(min = 1, max = 200))]
    pub text: String,
}

/// Search which agent has a tool for a purpose.
#[agent_tool(
    local,
    roles = [Rover],
    label = "Searching the tools",
    say = [
        "which tool can {text}",
        "is there a tool (for|to) {text}",
        "search [the] tools for {text}",
        "which agent can {text}",
    ],
    examples = [{ text: "close a department" }],
)]
pub async fn search_tools(cx: &ToolCx<impl Agents>, args: SearchTools) -> ToolResult<Vec<ToolHit>> {
    Ok(cx.services().search(&args.text))
}
