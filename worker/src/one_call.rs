//! A worker for one call: it asks no model, makes the call it was made for, and ends the turn.
//!
//! `rover call` uses it, so that what an operator tries takes the way of a chat turn and leaves the
//! same trace. A local tool runs here, as it does in a chat turn; one that asks the person gets the
//! answer that was given beforehand.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentRole, AgentToolResult, CallId, EndReason, EventTransport, Hop, Timestamp, ToolDefinition,
    ToolTransport, TurnEndpoint, TurnEventKind, TurnId, TurnSeal, WireMessage, WorkerKey,
};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::caller::Caller;
use crate::engine::Unheard;
use crate::local::{self, Desk, LocalEnd, Question};
use crate::proxy::{AgentToolService, local_tool};
use crate::subagents::{Cast, select_subagents};
use crate::turn::{self, Dispatched, Narrator};

/// How long the call may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// What stands where a model's id of the call would.
const TOOL_CALL_ID: &str = "console";

/// Runs a turn that consists of one call.
pub struct OneCall {
    definition: &'static ToolDefinition,
    args: Value,
    answer: Option<String>,
    service: AgentToolService,
    events: Arc<dyn EventTransport>,
}

impl OneCall {
    /// The call of this tool with these arguments, signed with this key.
    pub fn new(
        definition: &'static ToolDefinition,
        args: Value,
        tools: Arc<dyn ToolTransport>,
        events: Arc<dyn EventTransport>,
        key: Option<Arc<WorkerKey>>,
    ) -> Self {
        let service = AgentToolService::new(tools, PATIENCE, key);
        Self { definition, args, answer: None, service, events }
    }

    /// What the person answers if the tool asks.
    #[must_use]
    pub fn answering(mut self, words: Option<String>) -> Self {
        self.answer = words;
        self
    }

    async fn take(&self, message: WireMessage) {
        let dispatched = match turn::read(&message.body) {
            Ok(dispatched) => dispatched,
            Err(error) => return tracing::error!(%error, "the turn of a call cannot be read"),
        };
        let narrator = Narrator::new(
            dispatched.turn.clone(),
            dispatched.first_seq,
            Arc::clone(&self.events),
            TurnSeal::new(self.service.key(), &message),
        );
        if self.send(&narrator, &dispatched, &message).await.is_err() {
            tracing::error!(turn = %narrator.turn(), "the turn of a call was not heard");
        }
    }

    async fn send(
        &self,
        narrator: &Narrator,
        dispatched: &Dispatched,
        message: &WireMessage,
    ) -> Result<(), Unheard> {
        let given = message.deadline().ok().flatten();
        let deadline = given.unwrap_or_else(|| Timestamp::now().after(PATIENCE));
        let caller = Caller::of(&dispatched.context, message, deadline);
        let call_id = CallId::derive(narrator.turn(), 0, 0, TOOL_CALL_ID);
        let name = self.definition.name.to_owned();
        let started = TurnEventKind::ToolStarted {
            call_id: call_id.clone(),
            tool_call_id: TOOL_CALL_ID.to_owned(),
            name: name.clone(),
            label: self.definition.label.to_owned(),
            args: self.args.clone(),
            agent: AgentRole::Rover.wire_id().to_owned(),
            parent: None,
        };
        narrator.tell(Hop::Worker, started).await?;
        let result = match local_tool(self.definition) {
            None => {
                let args = self.args.clone();
                self.service.call(&caller, narrator, self.definition, &call_id, args).await
            }
            Some(prepare) => {
                let desk = self.desk(dispatched).await;
                let Caller { identity, scope, .. } = caller;
                let run = local::run(prepare, self.args.clone(), desk, identity, scope).await;
                if !run.repairs.is_empty() {
                    let repairs = run.repairs.iter().map(ToString::to_string).collect();
                    let repaired =
                        TurnEventKind::ToolRepaired { call_id: call_id.clone(), repairs };
                    narrator.tell(Hop::Worker, repaired).await?;
                }
                match run.end {
                    LocalEnd::Returned(result) => result,
                    LocalEnd::Asks(question) => AgentToolResult::err(unanswered(&question)),
                }
            }
        };
        let finished = TurnEventKind::ToolFinished { call_id, name, result };
        narrator.tell(Hop::Worker, finished).await?;
        let end = TurnEventKind::Finished { reason: EndReason::Done, message: None };
        narrator.tell(Hop::Worker, end).await
    }

    async fn desk(&self, dispatched: &Dispatched) -> Desk {
        let context = &dispatched.context;
        let unserved = self.service.servers().unserved().await;
        let specialists = select_subagents(&context.capabilities);
        Desk {
            now: context.current_time,
            zone: context.time_zone.clone(),
            cast: Arc::new(Cast::new(context.run_mode.name(), &specialists, &unserved)),
            answer: self.answer.clone(),
            question: Arc::default(),
        }
    }
}

/// Said of a question that nobody is there to answer.
fn unanswered(Question { text, options }: &Question) -> String {
    let among = match options.as_slice() {
        [] => String::new(),
        options => format!(" ({})", options.join(", ")),
    };
    format!("nobody is here to answer \"{text}\"{among}; give the answer with the call")
}

impl TurnEndpoint for OneCall {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        self.take(message).boxed()
    }

    fn stop(&self, _turn: &TurnId) {
        // One call with its own deadline ends by itself; cutting it off would only lose its outcome.
    }
}

impl fmt::Debug for OneCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OneCall").field(&self.definition.name).finish()
    }
}
