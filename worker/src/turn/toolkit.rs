//! Carries out the calls of one agent of one turn.
//!
//! A call that names no tool of this agent, or has no readable arguments, gets an `{error}` that
//! says why and runs nothing. Every call that is told as started is told as finished.

use std::sync::Arc;

use agent_contract::{
    AgentRole, AgentToolResult, Answer, CallFault, CallId, EndReason, HistoryMessage, Prepare,
    Repair, TextFault, ToolDefinition, ToolError, TurnEventKind, repair_text,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Room;
use super::missing::missing;
use super::speech::Aside;
use crate::engine::{
    self, CallArgs, CallEnd, Checkpoint, Ending, ModelCall, Order, Place, Toolbox,
};
use crate::graph::AgentNode;
use crate::local::{self, Desk, LocalEnd};
use crate::proxy::{Proxy, Run};
use crate::skills::read_skill;
use crate::subagents::{Task, read_task};

/// What a call gets that somebody stopped before its answer came.
const STOPPED: &str = "the turn was stopped before the answer came; it may or may not have been \
                       done, so check before repeating";
/// What a call gets in which the model's reply ran out of length.
const CUT_OFF: &str = "your reply reached its greatest length within this call, which was cut off, so nothing was done; \
                       make the call again, with less in one reply";
/// Said with what a specialist answers: it qualified its words itself.
const TASK_SCOPE: &str = "The specialist says itself what its answer covers; claim no more.";
/// Said with a skill.
const SKILL_SCOPE: &str = "This is guidance, not school data.";

/// The tools of one agent in one turn.
pub(super) struct Toolkit<'a> {
    pub(super) room: &'a Room,
    pub(super) agent: &'a AgentNode,
    /// The call that started this agent, for a specialist.
    pub(super) parent: Option<CallId>,
}

/// Where a specialist stands that waits for the person.
#[derive(Serialize, Deserialize)]
struct WaitingTask {
    role: AgentRole,
    checkpoint: Value,
}

impl Toolbox for Toolkit<'_> {
    fn order(&self, name: &str) -> Order {
        self.agent.tool(name).map_or(Order::Together, |tool| tool.order)
    }

    fn call(&self, call: ModelCall, parked: Option<Value>) -> BoxFuture<'_, CallEnd> {
        self.carry_out(call, parked).boxed()
    }
}

impl Toolkit<'_> {
    async fn carry_out(&self, call: ModelCall, parked: Option<Value>) -> CallEnd {
        let id = self.id(&call);
        let Some(tool) = self.agent.tool(&call.name) else {
            let (fault, error) = missing(&self.room.graph, self.agent, &call.name);
            let result = AgentToolResult::err(error);
            // A call that waited was announced; its row must come to an end.
            if parked.is_some() {
                self.finished(&id, &call.name, &result).await;
            } else {
                self.rejected(&call, fault).await;
            }
            return CallEnd::Returned(result);
        };
        let (args, repairs) = match readable(&call.args) {
            Ok(readable) => readable,
            Err((fault, error)) => {
                self.rejected(&call, fault).await;
                return CallEnd::Returned(AgentToolResult::err(error));
            }
        };
        let args = self.room.models.form().take_back(args, &tool.schema);
        let end = match tool.run {
            Run::Local(prepare) => {
                self.local(&call, tool, &id, prepare, (args, repairs), parked).await
            }
            run => {
                if parked.is_none() {
                    self.started(&call, tool, &id, &args).await;
                }
                self.repaired(&id, &repairs).await;
                match run {
                    Run::Rpc(definition) if definition.asks_first() => {
                        self.approved(definition, &id, args, parked.is_some()).await
                    }
                    Run::Rpc(definition) => self.rpc(definition, &id, args).await,
                    Run::Task => self.task(&id, &args, parked).await,
                    _ => self.skill(&args),
                }
            }
        };
        if let CallEnd::Returned(result) = &end {
            self.finished(&id, &call.name, result).await;
        }
        end
    }

    async fn rpc(&self, definition: &'static ToolDefinition, id: &CallId, args: Value) -> CallEnd {
        let room = self.room;
        let call = room.service.call(&room.caller, &room.narrator, definition, id, args);
        CallEnd::Returned(tokio::select! {
            biased;
            result = call => result,
            () = room.stop.cancelled() => AgentToolResult::err(STOPPED),
        })
    }

    /// A call that takes something away, or that leaves the school, waits for the person's word.
    /// Only a plain approval of this very call lets it run; the arguments are those that were
    /// shown.
    async fn approved(
        &self,
        definition: &'static ToolDefinition,
        id: &CallId,
        args: Value,
        parked: bool,
    ) -> CallEnd {
        let refused = match self.answer_to(id) {
            Some(Answer::Approved) => return self.rpc(definition, id, args).await,
            Some(Answer::Rejected { reason: None }) => "the person did not approve this".to_owned(),
            Some(Answer::Rejected { reason: Some(words) } | Answer::Text { text: words }) => {
                format!("the person did not approve this, and said: {words}")
            }
            None => {
                if !parked {
                    let summary = summary(definition.label, &args);
                    let approval = TurnEventKind::Approval { call_id: id.clone(), summary };
                    self.room.narrator.mention(approval).await;
                }
                return CallEnd::Parked(Value::Null);
            }
        };
        CallEnd::Returned(AgentToolResult::err(format!("{refused}; nothing was changed")))
    }

    /// What the person said to a call.
    fn answer_to(&self, id: &CallId) -> Option<&Answer> {
        self.room.answer.as_ref().filter(|(to, _)| to == id).map(|(_, answer)| answer)
    }

    /// A local tool ends at once or asks the person, so its start is told when it is known which:
    /// a question stands in place of the start.
    async fn local(
        &self,
        call: &ModelCall,
        tool: &Proxy,
        id: &CallId,
        prepare: Prepare<Desk>,
        (args, mut repairs): (Value, Vec<Repair>),
        parked: Option<Value>,
    ) -> CallEnd {
        let room = self.room;
        let answer = self.answer_to(id);
        if parked.is_some() && answer.is_none() {
            return CallEnd::Parked(Value::Null);
        }
        let desk = Desk {
            now: room.context.current_time,
            zone: room.context.time_zone.clone(),
            cast: Arc::clone(&room.cast),
            answer: answer.map(in_words),
            question: Arc::default(),
        };
        let (identity, scope) = (room.caller.identity.clone(), room.caller.scope.clone());
        let run = local::run(prepare, args.clone(), desk, identity, scope).await;
        repairs.extend(run.repairs);
        match run.end {
            LocalEnd::Returned(result) => {
                if parked.is_none() {
                    self.started(call, tool, id, &args).await;
                    self.repaired(id, &repairs).await;
                }
                CallEnd::Returned(result)
            }
            LocalEnd::Asks(question) => {
                let question = TurnEventKind::Question {
                    call_id: id.clone(),
                    tool_call_id: call.tool_call_id.clone(),
                    question: question.text,
                    options: question.options,
                };
                room.narrator.mention(question).await;
                self.repaired(id, &repairs).await;
                CallEnd::Parked(Value::Null)
            }
        }
    }

    async fn task(&self, id: &CallId, args: &Value, parked: Option<Value>) -> CallEnd {
        let room = self.room;
        let waiting = parked.and_then(|state| serde_json::from_value::<WaitingTask>(state).ok());
        let told = room.progress.of(Some(id));
        let (role, place, task) = match waiting {
            Some(WaitingTask { role, checkpoint }) => match Checkpoint::read(checkpoint) {
                Ok(checkpoint) => (role, Place::from(checkpoint), None),
                Err(error) => return CallEnd::Returned(AgentToolResult::err(error.to_string())),
            },
            None => match read_task(args, &room.graph.roster()) {
                Ok(Task { role, description }) => {
                    let place = Place::of(vec![HistoryMessage::user(description.as_str())]);
                    (role, place, Some(description).filter(|_| told.is_empty()))
                }
                Err(error) => return CallEnd::Returned(error.into()),
            },
        };
        let Some(agent) = room.graph.specialist(role) else {
            let error = format!("the {} is not there this turn", role.title().to_lowercase());
            return CallEnd::Returned(AgentToolResult::err(error));
        };
        let toolkit = Toolkit { room, agent, parent: Some(id.clone()) };
        let model = room.models.for_agent(&room.context, &[]);
        let listener = Aside { narrator: &room.narrator, model: model.name(), task: id };
        let spec = match agent.spec(room.max_steps) {
            Ok(spec) => spec,
            Err(fault) => {
                let title = role.title().to_lowercase();
                return CallEnd::Returned(AgentToolResult::err(format!(
                    "the {title} cannot be asked: {fault}"
                )));
            }
        };
        if let Some(task) = task {
            self.subagent_started(id, role, &task).await;
        }
        let place = place.after(told);
        let ending = engine::run(&spec, &model, place, &toolkit, &listener, &room.stop).await;
        if let Ending::Waiting(checkpoint) = ending {
            let state = WaitingTask { role, checkpoint: checkpoint.to_value() };
            return CallEnd::Parked(json!(state));
        }
        let (reason, result) = outcome(role, ending);
        let finished = TurnEventKind::SubagentFinished {
            call_id: id.clone(),
            agent: role.wire_id().to_owned(),
            reason,
        };
        room.narrator.mention(finished).await;
        CallEnd::Returned(result)
    }

    fn skill(&self, args: &Value) -> CallEnd {
        CallEnd::Returned(match read_skill(args, &self.agent.skills) {
            Ok(skill) => {
                AgentToolResult::ok(json!({ "name": skill.name, "text": skill.body }), SKILL_SCOPE)
            }
            Err(error) => error.into(),
        })
    }

    /// The id of a call. A specialist's steps are counted anew, so its calls are told apart from
    /// Rover's by the call that started it.
    fn id(&self, call: &ModelCall) -> CallId {
        let turn = self.room.narrator.turn();
        match &self.parent {
            None => CallId::derive(turn, call.step, call.index, &call.tool_call_id),
            Some(parent) => {
                let within = format!("{parent}/{}", call.tool_call_id);
                CallId::derive(turn, call.step, call.index, &within)
            }
        }
    }

    async fn started(&self, call: &ModelCall, tool: &Proxy, id: &CallId, args: &Value) {
        let started = TurnEventKind::ToolStarted {
            call_id: id.clone(),
            tool_call_id: call.tool_call_id.clone(),
            name: tool.name.clone(),
            label: tool.label.clone(),
            args: args.clone(),
            agent: self.agent.role.wire_id().to_owned(),
            parent: self.parent.clone(),
        };
        self.room.narrator.mention(started).await;
    }

    async fn finished(&self, id: &CallId, name: &str, result: &AgentToolResult) {
        let finished = TurnEventKind::ToolFinished {
            call_id: id.clone(),
            name: name.to_owned(),
            result: result.clone(),
        };
        self.room.narrator.mention(finished).await;
    }

    async fn rejected(&self, call: &ModelCall, fault: CallFault) {
        let rejected = TurnEventKind::ToolRejected {
            tool_call_id: call.tool_call_id.clone(),
            name: call.name.clone(),
            agent: self.agent.role.wire_id().to_owned(),
            fault,
        };
        self.room.narrator.mention(rejected).await;
    }

    async fn repaired(&self, id: &CallId, repairs: &[Repair]) {
        if !repairs.is_empty() {
            let repairs = repairs.iter().map(ToString::to_string).collect();
            let repaired = TurnEventKind::ToolRepaired { call_id: id.clone(), repairs };
            self.room.narrator.mention(repaired).await;
        }
    }

    async fn subagent_started(&self, id: &CallId, role: AgentRole, task: &str) {
        let started = TurnEventKind::SubagentStarted {
            call_id: id.clone(),
            agent: role.wire_id().to_owned(),
            task: task.to_owned(),
        };
        self.room.narrator.mention(started).await;
    }
}

/// The arguments as an object, with what was done to get one; or what is wrong with them, for the record and for the
/// model.
fn readable(args: &CallArgs) -> Result<(Value, Vec<Repair>), (CallFault, String)> {
    let text = match args {
        CallArgs::Object(object) => return Ok((Value::Object(object.clone()), Vec::new())),
        CallArgs::CutOff(text) => {
            return Err((CallFault::CutOff { text: text.clone() }, CUT_OFF.to_owned()));
        }
        CallArgs::Text(text) => text,
    };
    let line = match repair_text(text) {
        Ok(repaired) if repaired.value.is_object() => {
            return Ok((repaired.value, repaired.repairs));
        }
        Ok(_) => TextFault::NotJson.explained(),
        Err(fault) => fault.explained(),
    };
    let fault = CallFault::MalformedArguments { text: text.clone() };
    Err((fault, ToolError::Invalid(vec![line]).to_string()))
}

/// What will happen, for the person who is to approve it.
fn summary(label: &str, args: &Value) -> String {
    let args: Vec<_> = args
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| match value {
            Value::String(text) => format!("{name} \"{text}\""),
            other => format!("{name} {other}"),
        })
        .collect();
    if args.is_empty() { label.to_owned() } else { format!("{label}: {}", args.join(", ")) }
}

/// What a person said, as an answer to a question.
fn in_words(answer: &Answer) -> String {
    match answer {
        Answer::Text { text } => text.clone(),
        Answer::Approved => "Yes.".to_owned(),
        Answer::Rejected { reason: None } => "No.".to_owned(),
        Answer::Rejected { reason: Some(reason) } => format!("No: {reason}"),
    }
}

fn outcome(role: AgentRole, ending: Ending) -> (EndReason, AgentToolResult) {
    let title = role.title().to_lowercase();
    match ending {
        Ending::Answered(answer) => {
            let data = json!({ "agent": role.wire_id(), "answer": answer });
            (EndReason::Done, AgentToolResult::ok(data, TASK_SCOPE))
        }
        Ending::StepLimit => (
            EndReason::StepLimit,
            AgentToolResult::err(format!(
                "the {title} took too many steps and did not finish; what it did so far is done"
            )),
        ),
        Ending::ModelFailed(detail) => {
            tracing::warn!(agent = role.wire_id(), detail, "a specialist's model failed");
            (
                EndReason::ModelFailed,
                AgentToolResult::err(format!("the {title} could not be reached")),
            )
        }
        Ending::Stopped | Ending::Waiting(_) | Ending::Unheard => {
            (EndReason::Stopped, AgentToolResult::err(STOPPED))
        }
    }
}
