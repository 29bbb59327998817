//! Tools as the worker offers them: data, and one generic caller for all that the server runs.
//!
//! A proxy knows its tool's name, words and event. Identity and scope come from the turn's
//! [`Caller`], never from arguments, and whatever goes wrong on the way becomes an `{error}` that
//! says whether anything may have happened.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{
    HEADER_ATTEMPT, HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_DEADLINE, HEADER_RUN,
    HEADER_TRACEPARENT, decode_reply, encode_request,
};
use agent_contract::{
    AgentRole, AgentRunModeName, AgentTool, AgentToolRequest, AgentToolResult, CallId, Effect, Hop,
    Outcome, OutgoingCall, Prepare, ReplyPacket, Timestamp, ToolDefinition, ToolTransport,
    TransportError, TurnEventKind, WireMessage, WireReply, WorkerKey,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tools::agent_tools::DEFS;
use uuid::Uuid;

use crate::caller::Caller;
use crate::engine::Order;
use crate::local::Desk;
use crate::resend::Resend;
use crate::servers::Servers;
use crate::turn::Narrator;

/// One tool that an agent of this turn has.
#[derive(Clone)]
pub struct Proxy {
    /// Name for the model.
    pub name: String,
    /// What it is for, for the model.
    pub description: String,
    /// The schema of its arguments.
    pub schema: Value,
    /// What the Hub shows while it runs.
    pub label: String,
    /// How it is ordered among its siblings.
    pub order: Order,
    /// Where it runs.
    pub run: Run,
}

/// Where a tool runs.
#[derive(Clone, Copy)]
pub enum Run {
    /// On the server.
    Rpc(&'static ToolDefinition),
    /// Here.
    Local(Prepare<Desk>),
    /// In another agent.
    Task,
    /// Nowhere: it reads a skill aloud.
    LoadSkill,
}

/// The tools of Rover in this run mode.
pub fn build_agent_tools(mode: AgentRunModeName) -> Vec<Proxy> {
    build_role_tools(AgentRole::Rover, mode)
}

/// The tools of one agent in this run mode: for its role and admitted by the mode, nothing else.
pub fn build_role_tools(role: AgentRole, mode: AgentRunModeName) -> Vec<Proxy> {
    tools::agent_tools::proxies::<Desk>()
        .into_iter()
        .filter(|tool| tool.definition().scope.admits(mode) && tool.definition().is_for(role))
        .map(|tool| match tool {
            AgentTool::Rpc(definition) => to_rpc_proxy(definition),
            AgentTool::Local(definition, prepare) => proxy(definition, Run::Local(prepare)),
        })
        .collect()
}

/// How a local tool is run; none for one that the server runs.
pub(crate) fn local_tool(definition: &ToolDefinition) -> Option<Prepare<Desk>> {
    let named = |tool| match tool {
        AgentTool::Local(local, prepare) if local.name == definition.name => Some(prepare),
        AgentTool::Local(..) | AgentTool::Rpc(_) => None,
    };
    tools::agent_tools::proxies::<Desk>().into_iter().find_map(named)
}

/// The proxy of a tool that the server runs.
pub fn to_rpc_proxy(definition: &'static ToolDefinition) -> Proxy {
    proxy(definition, Run::Rpc(definition))
}

fn proxy(definition: &'static ToolDefinition, run: Run) -> Proxy {
    Proxy {
        name: definition.name.to_owned(),
        description: definition.description.to_owned(),
        schema: (definition.args_schema)(),
        label: definition.label.to_owned(),
        order: match definition.effect {
            Effect::Read => Order::Together,
            Effect::Write => Order::Alone,
        },
        run,
    }
}

/// How long it is waited before a server that could not be asked is asked again: first, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Why a question about a turn has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskFault {
    /// The server does not know the question: it is a Nest server, or of another build.
    #[error("the server does not know the question")]
    Unknown,
    /// The server will not answer.
    #[error("the server refused: {0}")]
    Refused(String),
    /// No server was reached in time.
    #[error(transparent)]
    Unreached(TransportError),
    /// The event that goes before the question was not heard.
    #[error("nobody hears this turn")]
    Unheard,
}

/// The one caller of everything that the server runs.
#[derive(Clone)]
pub struct AgentToolService {
    transport: Arc<dyn ToolTransport>,
    servers: Servers,
    /// How long one call may take.
    patience: Duration,
    /// What calls are signed with; none for a server that asks no proof.
    key: Option<Arc<WorkerKey>>,
}

impl AgentToolService {
    /// A caller over `transport` that waits `patience` for each reply, and signs its calls with `key`.
    pub fn new(
        transport: Arc<dyn ToolTransport>,
        patience: Duration,
        key: Option<Arc<WorkerKey>>,
    ) -> Self {
        let servers = Servers::new(Arc::clone(&transport), DEFS, key.clone());
        Self { transport, servers, patience, key }
    }

    /// What the calls are signed with.
    pub(crate) fn key(&self) -> Option<Arc<WorkerKey>> {
        self.key.clone()
    }

    /// What is known of the servers.
    pub fn servers(&self) -> &Servers {
        &self.servers
    }

    /// Asks the server something about the turn itself, which is no tool: again and again until `deadline`, while it
    /// cannot be reached. What is asked so does no harm when it is asked twice.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        caller: &Caller,
        pattern: &str,
        question: &Value,
        deadline: Timestamp,
    ) -> Result<T, AskFault> {
        let mut pause = FIRST_PAUSE;
        loop {
            let until = Timestamp::now().after(self.patience).min(deadline);
            let message = outgoing(caller, pattern, question, until);
            let call = OutgoingCall::new(message, self.key.clone());
            let fault = match self.transport.call(call, until).await {
                Ok(reply) => {
                    let answer = answer(&reply)?;
                    return serde_json::from_value(answer).map_err(|_| AskFault::Unknown);
                }
                Err(fault) => fault,
            };
            if deadline.remaining() <= pause {
                return Err(AskFault::Unreached(fault));
            }
            tracing::info!(%fault, pattern, "a server could not be asked; it is asked again");
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Carries a call to the server and its envelope back.
    pub async fn call(
        &self,
        caller: &Caller,
        narrator: &Narrator,
        definition: &ToolDefinition,
        id: &CallId,
        args: Value,
    ) -> AgentToolResult {
        let event = definition.event.unwrap_or(definition.name);
        let deadline = Timestamp::now().after(self.patience).min(caller.deadline);
        let request = json!(AgentToolRequest {
            identity: caller.identity.clone(),
            scope: caller.scope.clone(),
            args,
        });
        let contract = definition.wire_hash();
        let mut attempt = 1;
        let mut resend = Resend::new(definition.effect, deadline);
        let reply = loop {
            let published =
                TurnEventKind::Published { call_id: id.clone(), event: event.to_owned(), attempt };
            if narrator.tell(Hop::Queue, published).await.is_err() {
                return AgentToolResult::err(resend.told(TransportError::Closed).to_string());
            }
            let message = outgoing(caller, event, &request, deadline)
                .with_header(HEADER_CALL, id.as_str())
                .with_header(HEADER_CONTRACT, contract.as_str())
                .with_header(HEADER_ATTEMPT, attempt.to_string());
            let call = OutgoingCall::new(message, self.key.clone());
            match self.transport.call(call, deadline).await {
                Ok(reply) => break Ok(reply),
                Err(error) => match resend.after(error, self.servers.takers()) {
                    Ok(pause) => tokio::time::sleep(pause).await,
                    Err(told) => break Err(told),
                },
            }
            attempt += 1;
        };
        let (result, outcome) = match reply {
            Ok(reply) => {
                let (result, outcome) = read(&reply);
                (resend.qualified(result, outcome), outcome)
            }
            Err(error) => (AgentToolResult::err(error.to_string()), outcome_of(error)),
        };
        if outcome == Outcome::Mismatch {
            self.servers.ask_again();
        }
        narrator.mention(TurnEventKind::Reply { call_id: id.clone(), outcome }).await;
        result
    }
}

/// The answer to a question of ours, whichever server wrote it.
fn answer(reply: &WireReply) -> Result<Value, AskFault> {
    match read(reply).0 {
        _ if matches!(decode_reply(&reply.body), ReplyPacket::NoHandler) => Err(AskFault::Unknown),
        AgentToolResult::Ok { data, .. } => Ok(data),
        AgentToolResult::Err { error } => Err(AskFault::Refused(error)),
    }
}

/// A call as it leaves: a Nest packet, and what is ours in headers.
fn outgoing(caller: &Caller, event: &str, request: &Value, deadline: Timestamp) -> WireMessage {
    let packet_id = Uuid::new_v4().simple().to_string();
    let body = encode_request(event, request, &packet_id);
    let mut message =
        WireMessage::new(body).with_header(HEADER_DEADLINE, deadline.as_millisecond().to_string());
    if let Some(token) = &caller.token {
        message = message.with_header(HEADER_CTX, token);
    }
    if let Some(traceparent) = &caller.traceparent {
        message = message.with_header(HEADER_TRACEPARENT, traceparent);
    }
    if caller.takeover > 0 {
        message = message.with_header(HEADER_RUN, caller.takeover.to_string());
    }
    message.correlation_id = Some(packet_id);
    message
}

/// The envelope that a reply carries, whichever server wrote it.
fn read(reply: &WireReply) -> (AgentToolResult, Outcome) {
    let result = match decode_reply(&reply.body) {
        ReplyPacket::Value(value) | ReplyPacket::Complete(Some(value)) => envelope(value),
        ReplyPacket::Complete(None) => AgentToolResult::err(
            "the server answered nothing; check what became of this call before repeating it",
        ),
        ReplyPacket::NoHandler => AgentToolResult::err(
            "the server does not know this tool, so nothing was done; it may be of another build \
             than this worker",
        ),
        // What the other side threw is its own business, and may hold anything.
        ReplyPacket::Failed(detail) => {
            tracing::warn!(detail, "a server failed a call");
            AgentToolResult::err(
                "the server failed while it worked on this; check what became of it before \
                 repeating it",
            )
        }
    };
    let said = reply.outcome();
    let outcome = said.unwrap_or(if result.is_ok() { Outcome::Ok } else { Outcome::Error });
    (result, outcome)
}

fn envelope(value: Value) -> AgentToolResult {
    serde_json::from_value(value).unwrap_or_else(|_| {
        AgentToolResult::err(
            "the server answered something that is no result; check what became of this call \
             before repeating it",
        )
    })
}

fn outcome_of(error: TransportError) -> Outcome {
    match error {
        TransportError::Deadline => Outcome::Deadline,
        TransportError::Busy => Outcome::Busy,
        _ => Outcome::Error,
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Proxy").field(&self.name).finish()
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rpc(_) => "Rpc",
            Self::Local(_) => "Local",
            Self::Task => "Task",
            Self::LoadSkill => "LoadSkill",
        })
    }
}

impl fmt::Debug for AgentToolService {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentToolService").field("patience", &self.patience).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use agent_contract::wire::encode_no_handler;

    use super::*;

    fn result(body: &str) -> AgentToolResult {
        read(&WireReply::new(body.as_bytes().to_vec())).0
    }

    #[test]
    fn every_kind_of_reply_becomes_an_envelope() {
        let data = r#"{"data":[1],"scopeContext":"all"}"#;
        let good = AgentToolResult::ok(json!([1]), "all");
        assert_eq!(result(&format!(r#"{{"response":{data},"isDisposed":true}}"#)), good);
        assert_eq!(result(&format!(r#"{{"response":{data}}}"#)), good);
        assert_eq!(result(data), good);
        assert_eq!(
            result(r#"{"response":{"error":"no"},"isDisposed":true}"#),
            AgentToolResult::err("no")
        );
        for (body, says) in [
            (r#"{"isDisposed":true}"#, "answered nothing"),
            (r#"{"response":null,"isDisposed":true}"#, "no result"),
            (r#"{"response":{"n":1},"isDisposed":true}"#, "no result"),
            (
                r#"{"err":{"status":"error","message":"at /srv/x.js:3"},"isDisposed":true}"#,
                "failed",
            ),
            ("not json", "no result"),
        ] {
            let result = result(body);
            let error = result.error().expect(body);
            assert!(error.contains(says), "{body}: {error}");
            assert!(!error.contains("/srv"), "{error}");
        }
        let unknown = read(&WireReply::new(encode_no_handler(&json!("1")))).0;
        assert!(unknown.error().expect("an error").contains("does not know this tool"));
    }

    #[test]
    fn a_transport_error_says_whether_anything_may_have_happened() {
        for error in [
            TransportError::NoServer,
            TransportError::Busy,
            TransportError::Closed,
            TransportError::Unanswered,
            TransportError::Deadline,
            TransportError::Lost,
        ] {
            let text = error.to_string();
            assert_eq!(text.contains("may or may not"), error.may_have_run(), "{text}");
            assert_ne!(text.contains("nothing was changed"), error.may_have_run(), "{text}");
        }
    }
}
