//! A worker for one call: it asks no model, sends the call it was made for, and ends the turn.
//!
//! `rover call` uses it, so that what an operator tries takes the way of a chat turn and leaves the
//! same trace.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentRole, CallId, EndReason, EventTransport, Hop, Timestamp, ToolDefinition, ToolTransport,
    TurnEndpoint, TurnEventKind, TurnId, TurnSeal, WireMessage, WorkerKey,
};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::caller::Caller;
use crate::engine::Unheard;
use crate::proxy::AgentToolService;
use crate::turn::{self, Dispatched, Narrator};

/// How long the call may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// What stands where a model's id of the call would.
const TOOL_CALL_ID: &str = "console";

/// Runs a turn that consists of one call.
pub struct OneCall {
    definition: &'static ToolDefinition,
    args: Value,
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
        Self { definition, args, service: AgentToolService::new(tools, PATIENCE, key), events }
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
        let args = self.args.clone();
        let result = self.service.call(&caller, narrator, self.definition, &call_id, args).await;
        let finished = TurnEventKind::ToolFinished { call_id, name, result };
        narrator.tell(Hop::Worker, finished).await?;
        let end = TurnEventKind::Finished { reason: EndReason::Done, message: None };
        narrator.tell(Hop::Worker, end).await
    }
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
