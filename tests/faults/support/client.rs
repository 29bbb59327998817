//! The worker's half of a call, in this process: the real sender and the real caller, without a model.

use std::sync::Arc;
use std::time::Duration;

use agent_contract::{
    AgentToolResult, CallId, EventTransport, Timestamp, ToolDefinition, ToolTransport,
    TransportError, TurnEvent, TurnId,
};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tools::agent_tools::DEFS;
use worker::amqp::{AmqpSettings, Names, Outbound, Sender};
use worker::caller::Caller;
use worker::proxy::AgentToolService;
use worker::turn::Narrator;

/// A class of the demo school.
pub(crate) const CLASS: &str = "naalya-class-s1-east";

/// Somebody who calls. Clones share the connection.
#[derive(Clone)]
pub(crate) struct Client {
    outbound: Arc<Outbound>,
    sender: Sender,
}

/// Nobody watches.
struct Unwatched;

impl EventTransport for Unwatched {
    fn publish(&self, _: TurnEvent) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async { Ok(()) })
    }
}

impl Client {
    /// A connection to the broker; the servers need not be there yet.
    pub(crate) async fn connect(broker: &str, names: &Names) -> Self {
        let settings = AmqpSettings { names: names.clone(), ..AmqpSettings::at(broker) };
        let outbound = Outbound::start(settings).expect("the address is one");
        outbound.ready().await.expect("the broker takes it");
        let sender = outbound.sender();
        Self { outbound: Arc::new(outbound), sender }
    }

    /// Enrols a student of this name as the head teacher, and tells what came of it.
    pub(crate) async fn enrol(
        &self,
        call: &CallId,
        name: &str,
        within: Duration,
    ) -> AgentToolResult {
        self.call("enrol_student", call, json!({ "name": name, "classId": CLASS }), within).await
    }

    /// Calls a tool as the head teacher.
    pub(crate) async fn call(
        &self,
        tool: &str,
        call: &CallId,
        args: Value,
        within: Duration,
    ) -> AgentToolResult {
        let service = AgentToolService::new(Arc::new(self.sender.clone()), within);
        // As a worker does at each connection; it learns that these servers know call ids.
        service.servers().ask().await;
        self.call_with(&service, tool, call, args).await
    }

    /// A caller that has asked the servers what they are, to be used for many calls.
    pub(crate) async fn service(&self, within: Duration) -> AgentToolService {
        let service = AgentToolService::new(Arc::new(self.sender.clone()), within);
        service.servers().ask().await;
        service
    }

    /// Calls a tool with a caller that is there already.
    pub(crate) async fn call_with(
        &self,
        service: &AgentToolService,
        tool: &str,
        call: &CallId,
        args: Value,
    ) -> AgentToolResult {
        let turn: TurnId = "trn_faults".parse().expect("an id");
        let narrator = Narrator::new(turn, 0, Arc::new(Unwatched));
        service.call(&head_teacher(), &narrator, definition(tool), call, args).await
    }

    /// Sends raw bytes as a call.
    pub(crate) fn transport(&self) -> &dyn ToolTransport {
        &self.sender
    }

    /// Whether the connection stands.
    pub(crate) async fn stands(&self) {
        self.outbound.ready().await.expect("the broker takes it");
    }
}

/// The head teacher of the demo school, on whose word plain identity relies.
fn head_teacher() -> Caller {
    let identity = json!({
        "sub": "naalya-user-grace.namutebi", "email": "grace.namutebi@naalya.example",
        "type": "staff", "profileId": "naalya-staff-grace.namutebi", "schoolId": "naalya",
    });
    Caller {
        identity: serde_json::from_value(identity).expect("an identity"),
        scope: serde_json::from_value(json!({ "mode": "school" })).expect("a scope"),
        token: None,
        traceparent: None,
        takeover: 0,
        deadline: Timestamp::now().after(Duration::from_mins(10)),
    }
}

fn definition(name: &str) -> &'static ToolDefinition {
    DEFS.iter().find(|def| def.name == name).expect("it is registered")
}
