//! What happens in a turn, one event at a time.
//!
//! Three readers, one list. The **chat stream** is the worker's events in order: a step starts,
//! text grows, a call starts and finishes, a question is put, the turn finishes. The **trace** is
//! all events: what was offered or withheld, every gate, every reply. **Going on** needs the
//! messages (what a model said and tools answered), the last checkpoint and the highest number.
//!
//! Each started call reaches `tool.finished`, and each turn `finished`, whatever goes wrong.

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cfg(doc)]
use super::LAST_SEQ;
use super::{Gate, HistoryMessage, seq::bounded};
use crate::date::Timestamp;
use crate::envelope::AgentToolResult;
use crate::id::{CallId, TurnId};
use crate::wire::{Outcome, WireMessage};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnEvent {
    /// The turn it happened in.
    pub turn_id: TurnId,
    /// Its number among the events of this turn from the same [`Hop::lane`]. With the turn and the
    /// lane it is unique: what comes twice is dropped. Readers order a lane by it, and lanes
    /// among each other by [`Self::at`]. None above [`LAST_SEQ`] is read.
    #[serde(deserialize_with = "bounded")]
    pub seq: u64,
    /// When it happened, by the clock of whoever saw it.
    pub at: Timestamp,
    /// Where it happened.
    pub hop: Hop,
    /// What happened.
    #[serde(flatten)]
    pub kind: TurnEventKind,
}

impl TurnEvent {
    /// The event as it travels, not yet sealed.
    pub fn to_message(&self) -> Result<WireMessage, serde_json::Error> {
        serde_json::to_vec(self).map(WireMessage::new)
    }

    /// The event that a message holds.
    pub fn of_message(message: &WireMessage) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(&message.body)
    }
}

/// A place that a call passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hop {
    /// The page, as the server sees it.
    Hub,
    /// The server.
    Server,
    /// The worker.
    Worker,
    /// The way between them.
    Queue,
    /// The model.
    Model,
}

impl Hop {
    /// Who numbers the events of this hop: the worker those of itself, of the model and of what
    /// it publishes; the server the rest, as it stores them.
    #[must_use]
    pub fn lane(self) -> Self {
        match self {
            Self::Worker | Self::Model | Self::Queue => Self::Worker,
            Self::Server | Self::Hub => Self::Server,
        }
    }

    /// The hop's name as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hub => "hub",
            Self::Server => "server",
            Self::Worker => "worker",
            Self::Queue => "queue",
            Self::Model => "model",
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all_fields = "camelCase")]
pub enum TurnEventKind {
    /// A worker took the turn.
    #[serde(rename = "started")]
    Started {
        /// The model that will be asked, e.g. `offline`.
        model: String,
        /// Hash of the registry that the worker holds.
        registry: String,
    },
    /// The worker of this run was lost, and this one takes the turn over. What was said since the last message is said
    /// again; calls that were made keep their ids. Everything of the lost worker that comes later is void.
    #[serde(rename = "taken.over")]
    TakenOver {
        /// How often the run has been taken over, from 1.
        takeover: u32,
    },
    /// The worker is still at it. Said every few seconds whatever else is said, so that a worker
    /// that died is missed. Not kept, and without a number of its own: it has that of the run's
    /// first event.
    #[serde(rename = "alive")]
    Alive,
    /// What each agent was given, from the same vector that the graph and the prompt are made of.
    #[serde(rename = "offered")]
    Offered {
        /// The tools that are there.
        tools: Vec<OfferedTool>,
        /// The tools that are not, and why.
        withheld: Vec<Withheld>,
    },
    /// The model is asked for the so-many-th time, from 0.
    #[serde(rename = "step.started")]
    StepStarted {
        /// The step.
        step: u32,
    },
    /// The answer grows. The first piece after anything else opens a new text.
    #[serde(rename = "text.delta")]
    TextDelta {
        /// What was added.
        text: String,
    },
    /// The open text is complete.
    #[serde(rename = "text.done")]
    TextDone,
    /// A message is complete, as it goes into the conversation. That of a model is published, and
    /// confirmed, before its first call is, so that another worker can take the turn over there.
    #[serde(rename = "message")]
    Message {
        /// The message.
        message: HistoryMessage,
    },
    /// A call begins. Not sent for a call that asks the person: see `question`.
    #[serde(rename = "tool.started")]
    ToolStarted {
        /// The call.
        call_id: CallId,
        /// The model's own id of it.
        tool_call_id: String,
        /// Name of the tool.
        name: String,
        /// What the Hub shows meanwhile.
        label: String,
        /// What the model supplied.
        args: Value,
        /// Wire id of the agent that calls.
        agent: String,
        /// The call that started that agent, for a subagent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        parent: Option<CallId>,
    },
    /// Arguments were repaired before they were used.
    #[serde(rename = "tool.repaired")]
    ToolRepaired {
        /// The call.
        call_id: CallId,
        /// A line for each repair.
        repairs: Vec<String>,
    },
    /// The model made a call that cannot be dispatched. It is told so and may try again.
    #[serde(rename = "tool.rejected")]
    ToolRejected {
        /// The model's own id of the call.
        tool_call_id: String,
        /// The name it used.
        name: String,
        /// Wire id of the agent that called.
        agent: String,
        /// What is wrong with the call.
        fault: CallFault,
    },
    /// The call left the worker.
    #[serde(rename = "tool.published")]
    Published {
        /// The call.
        call_id: CallId,
        /// The event it was published under.
        event: String,
        /// How often it has been sent, from 1.
        attempt: u32,
    },
    /// The call came to a gate of the server.
    #[serde(rename = "gate")]
    Gate {
        /// The call.
        call_id: CallId,
        /// The gate.
        gate: Gate,
        /// Whether it passed.
        passed: bool,
        /// What the gate saw, for the operator.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        detail: Option<String>,
    },
    /// The reply came back to the worker.
    #[serde(rename = "reply")]
    Reply {
        /// The call.
        call_id: CallId,
        /// How the call ended.
        outcome: Outcome,
    },
    /// A call ended, or the person answered it.
    #[serde(rename = "tool.finished")]
    ToolFinished {
        /// The call.
        call_id: CallId,
        /// Name of the tool.
        name: String,
        /// The envelope that the model reads.
        result: AgentToolResult,
    },
    /// Another agent was given a task.
    #[serde(rename = "subagent.started")]
    SubagentStarted {
        /// The call that gave it.
        call_id: CallId,
        /// Wire id of the agent.
        agent: String,
        /// The task in words.
        task: String,
    },
    /// A message of that agent is complete. It belongs to no conversation; it is kept so that a worker that takes the
    /// turn over goes on with the task where it was.
    #[serde(rename = "subagent.message")]
    SubagentMessage {
        /// The call that gave the task.
        call_id: CallId,
        /// The message.
        message: HistoryMessage,
    },
    /// That agent is done.
    #[serde(rename = "subagent.finished")]
    SubagentFinished {
        /// The call that gave the task.
        call_id: CallId,
        /// Wire id of the agent.
        agent: String,
        /// Why it ended.
        reason: EndReason,
    },
    /// The person is asked something. Stands in place of `tool.started`.
    #[serde(rename = "question")]
    Question {
        /// The call that asks; the answer names it.
        call_id: CallId,
        /// The model's own id of it.
        tool_call_id: String,
        /// The question.
        question: String,
        /// Answers to choose from; empty for a free answer.
        #[serde(default)]
        options: Vec<String>,
    },
    /// The person is asked to approve a call, which has started and not run.
    #[serde(rename = "approval")]
    Approval {
        /// The call; the decision names it.
        call_id: CallId,
        /// What will happen if it is approved, in a sentence.
        summary: String,
    },
    /// The turn waits for the person, and can go on from here on any worker.
    #[serde(rename = "waiting")]
    Waiting {
        /// The worker's state. Opaque to the server, which keeps it.
        checkpoint: Value,
    },
    /// What the Hub made of a call.
    #[serde(rename = "shown")]
    Shown {
        /// The call.
        call_id: CallId,
        /// How it was shown.
        visibility: Visibility,
    },
    /// What a model used.
    #[serde(rename = "usage")]
    Usage {
        /// The model.
        model: String,
        /// Tokens read.
        input_tokens: u64,
        /// Tokens written.
        output_tokens: u64,
    },
    /// The turn ended. The last event of a run, whatever happened.
    #[serde(rename = "finished")]
    Finished {
        /// Why.
        reason: EndReason,
        /// A sentence for the person, when it did not end well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
}

/// A tool that an agent was given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfferedTool {
    /// Wire id of the agent.
    pub agent: String,
    /// Name of the tool.
    pub name: String,
    /// Why the model is not held to the tool's schema, although it is to those of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_strict: Option<String>,
}

/// A tool that an agent was not given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Withheld {
    /// Wire id of the agent.
    pub agent: String,
    /// Name of the tool.
    pub name: String,
    /// Why.
    pub reason: WithheldReason,
    /// What exactly, where the reason alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Why a tool is withheld. Permissions are no reason: they are advice until the server decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WithheldReason {
    /// The tool is for the other run mode.
    RunMode,
    /// The tool is for other agents.
    AgentRole,
    /// The agent itself does not exist this turn.
    Capability,
    /// There is no sandbox.
    Sandbox,
    /// The servers do not know this version of the tool.
    Contract,
    /// The provider of the model does not take the tool as it is declared.
    Provider,
}

/// What is wrong with a call that cannot be dispatched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum CallFault {
    /// There is no such tool.
    UnknownTool {
        /// The name that is nearest to it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        nearest: Option<String>,
    },
    /// There is such a tool, and this agent was not given it.
    Withheld {
        /// Why not.
        reason: WithheldReason,
    },
    /// The arguments are no JSON object, and no repair makes them one.
    MalformedArguments {
        /// What the model wrote.
        text: String,
    },
    /// The model's reply ran out of length within the call, so what there is of it cannot be trusted.
    CutOff {
        /// What there was of the arguments.
        text: String,
    },
}

/// How the Hub shows a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Visibility {
    /// As a row of the activity timeline.
    Row,
    /// Not at all: the call failed, and the reply carries the news.
    Hidden,
}

/// Why a turn, or a subagent, ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The model had nothing more to do.
    Done,
    /// It waits for the person.
    Waiting,
    /// The person stopped it.
    Stopped,
    /// It waited for an answer, and the person wrote something else.
    Superseded,
    /// It took as many steps as are allowed.
    StepLimit,
    /// The model could not be reached, or answered nothing usable.
    ModelFailed,
    /// The worker that ran it is gone.
    WorkerLost,
    /// A fault of ours.
    Failed,
    /// The time for it ran out.
    Deadline,
}
