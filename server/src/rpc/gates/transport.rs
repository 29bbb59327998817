//! Gate 0: size, class of packet, known event, deadline. The order is by cost: a packet that is too large is not read.

use agent_contract::wire::{
    AGENT_FILE_READ_PATTERN, AGENT_FILE_WRITE_PATTERN, AGENT_TURN_PROGRESS_PATTERN,
    AGENT_TURN_TAKE_PATTERN, HEADER_CALL, HEADER_CONTRACT, HEADER_CTX, HEADER_RUN, PacketData,
    REGISTRY_HELLO_PATTERN, classify,
};
use agent_contract::{
    CallId, FilePiece, FileQuestion, Gate, Outcome, Packet, ProgressQuestion, RegistryHello,
    Timestamp, ToolError, WireMessage,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::proof::{self, Sender};
use crate::identity::Enrolment;
use crate::rpc::{Shared, limits, refusal::Refusal, routes::Served, trail::Trail};
use crate::turn_log::{SecurityLine, Smell};

const GATE: Gate = Gate::Transport;
/// The broker's own word, on quorum queues.
const HEADER_DELIVERY_COUNT: &str = "x-delivery-count";

/// What came of a message.
#[derive(Debug)]
pub(in crate::rpc) enum Arrival<'s> {
    /// No answer: Nest would give none.
    Unanswered,
    /// Nest's answer to a pattern without a handler.
    NoHandler {
        /// The packet's id.
        id: Value,
    },
    /// A worker's question what is served; it runs nothing and asks nobody's rows.
    Hello(Box<RegistryHello>),
    /// What a worker asks about its own turn.
    Question(Question),
    /// A call of ours that goes no further.
    Refused(Refusal),
    /// A call of a tool that is served here, in time.
    Call {
        /// The call.
        arrived: Arrived<'s>,
        /// Its trail, which begins here.
        trail: Trail<'s>,
    },
}

/// What a worker asks about its own turn, in time.
#[derive(Debug)]
pub(in crate::rpc) struct Question {
    pub(in crate::rpc) asks: Asks,
    pub(in crate::rpc) token: Option<String>,
    /// Who signed it.
    pub(in crate::rpc) sender: Result<Sender, Box<Refusal>>,
    pub(in crate::rpc) deadline: Timestamp,
}

/// What it asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::rpc) enum Asks {
    /// To take it over.
    Take,
    /// How far it came.
    Progress(ProgressQuestion),
    /// Bytes of a file.
    Read(FileQuestion),
    /// To keep a piece of a file.
    Write(FilePiece),
}

/// A call in time, of a tool that is served here.
#[derive(Debug)]
pub(in crate::rpc) struct Arrived<'s> {
    pub(super) served: &'s Served,
    pub(super) id: CallId,
    pub(super) deadline: Timestamp,
    pub(super) redelivered: bool,
    /// How often the broker says that it came before; a classic queue does not say.
    pub(super) broker_count: i64,
    pub(super) token: Option<String>,
    pub(super) contract: Option<String>,
    /// Who signed the call. It is told here, where the call still is as it came, and asked by the next gate.
    pub(super) sender: Result<Sender, Box<Refusal>>,
    /// How often its run was taken over, as the caller knows it.
    pub(super) takeover: u32,
    pub(super) data: Value,
}

impl Arrived<'_> {
    /// Name of the tool.
    pub(in crate::rpc) fn tool(&self) -> &'static str {
        self.served.def.name
    }
}

pub(in crate::rpc) async fn pass(shared: &Shared, mut message: WireMessage) -> Arrival<'_> {
    if message.body.len() > limits::BODY {
        return too_large(shared, &message).await;
    }
    let (id, pattern, data) = match classify(&message.body) {
        Packet::Event { pattern, .. } => {
            tracing::debug!(?pattern, bytes = message.body.len(), "a packet that nobody answers");
            return Arrival::Unanswered;
        }
        Packet::Request { id, pattern, data } => (id, pattern, data),
    };
    if pattern.as_ref().is_some_and(|pattern| pattern.as_str() == REGISTRY_HELLO_PATTERN) {
        return match proof::sender(&shared.enrolment, &message) {
            Ok(_) => hello(data),
            Err(refusal) => stranger(shared, *refusal).await,
        };
    }
    if let Some(asks) = pattern.as_ref().and_then(|pattern| asks(pattern.as_str(), &data)) {
        return question(&shared.enrolment, asks, message);
    }
    let Some(served) = pattern.as_ref().and_then(|pattern| shared.routes.get(pattern)) else {
        tracing::info!(?pattern, "a call of a tool that is not served here");
        return Arrival::NoHandler { id };
    };

    let call = call_id(&message, &id);
    let mut trail = Trail::of(&shared.log, call.clone(), served.event);
    let now = Timestamp::now();
    let given = message.deadline();
    let deadline = given.unwrap_or_default().unwrap_or_else(|| now.after(limits::PATIENCE));
    let deadline = deadline.min(now.after(limits::LONGEST));
    let refusal = match data {
        _ if let Err(fault) = given => {
            Refusal::saying(GATE, Outcome::Invalid, fault.to_string()).smelling(Smell::Unreadable)
        }
        _ if deadline <= now => late(message.redelivered),
        PacketData::Unreadable(fault) => {
            Refusal::saying(GATE, Outcome::Invalid, fault.to_string()).smelling(Smell::Unreadable)
        }
        PacketData::Absent | PacketData::Json(_) => {
            let data = match data {
                PacketData::Json(data) => data,
                _ => Value::Null,
            };
            let sender = proof::sender(&shared.enrolment, &message);
            let mut header = |name| message.headers.remove(name).filter(|text| !text.is_empty());
            let (token, contract) = (header(HEADER_CTX), header(HEADER_CONTRACT));
            let takeover = header(HEADER_RUN).and_then(|text| text.parse().ok()).unwrap_or(0);
            let redelivered = message.redelivered;
            let broker_count = header(HEADER_DELIVERY_COUNT).and_then(|count| count.parse().ok());
            let broker_count = broker_count.unwrap_or_default();
            trail.passed(GATE, redelivered.then(|| "delivered again".to_owned()));
            let arrived = Arrived {
                served,
                id: call,
                deadline,
                redelivered,
                broker_count,
                token,
                contract,
                sender,
                takeover,
                data,
            };
            return Arrival::Call { arrived, trail };
        }
    };
    trail.refused(&refusal);
    trail.let_go().await;
    Arrival::Refused(refusal)
}

/// What a pattern of ours asks about a turn; none if it is no such pattern.
fn asks(pattern: &str, data: &PacketData) -> Option<Result<Asks, String>> {
    Some(match pattern {
        AGENT_TURN_TAKE_PATTERN => Ok(Asks::Take),
        AGENT_TURN_PROGRESS_PATTERN => read(data).map(Asks::Progress),
        AGENT_FILE_READ_PATTERN => read(data).map(Asks::Read),
        AGENT_FILE_WRITE_PATTERN => read(data).map(Asks::Write),
        _ => return None,
    })
}

fn read<T: DeserializeOwned>(data: &PacketData) -> Result<T, String> {
    match data {
        PacketData::Json(data) => T::deserialize(data).map_err(|fault| fault.to_string()),
        PacketData::Absent => Err("it is not there".to_owned()),
        PacketData::Unreadable(fault) => Err(fault.to_string()),
    }
}

fn question(
    enrolment: &Enrolment,
    asks: Result<Asks, String>,
    mut message: WireMessage,
) -> Arrival<'static> {
    let now = Timestamp::now();
    let given = message.deadline();
    let deadline = given.unwrap_or_default().unwrap_or_else(|| now.after(limits::PATIENCE));
    let deadline = deadline.min(now.after(limits::LONGEST));
    match asks {
        Err(fault) => {
            let sentence = format!("what is asked about the turn cannot be read: {fault}");
            Arrival::Refused(Refusal::saying(GATE, Outcome::Invalid, sentence))
        }
        Ok(_) if deadline <= now => Arrival::Refused(Refusal::new(GATE, &ToolError::Deadline)),
        Ok(asks) => {
            let sender = proof::sender(enrolment, &message);
            let token = message.headers.remove(HEADER_CTX).filter(|text| !text.is_empty());
            Arrival::Question(Question { asks, token, sender, deadline })
        }
    }
}

fn hello(data: PacketData) -> Arrival<'static> {
    let hello = match data {
        PacketData::Json(data) => serde_json::from_value(data).map_err(|fault| fault.to_string()),
        PacketData::Absent => Err("it is not there".to_owned()),
        PacketData::Unreadable(fault) => Err(fault.to_string()),
    };
    match hello {
        Ok(hello) => Arrival::Hello(Box::new(hello)),
        Err(fault) => {
            let sentence = format!("what the worker holds cannot be read: {fault}");
            Arrival::Refused(Refusal::saying(GATE, Outcome::Invalid, sentence))
        }
    }
}

/// A worker whose calls would be refused, and its events too, is told so before it takes a turn.
async fn stranger(shared: &Shared, refusal: Refusal) -> Arrival<'static> {
    if let Some(smell) = refusal.smell() {
        let line = SecurityLine::new(smell)
            .with("gate", GATE.as_str())
            .with("event", REGISTRY_HELLO_PATTERN)
            .with("detail", refusal.detail());
        shared.log.smelled(line).await;
    }
    let sentence = "this server does not know the worker's key; its operator enrols the public half, which \
                    `rover worker key FILE` prints, in `worker_public_keys`";
    Arrival::Refused(Refusal::saying(GATE, Outcome::Denied, sentence))
}

/// An earlier delivery may have come to its end and lost its reply, so this must not say that nothing was done.
fn late(redelivered: bool) -> Refusal {
    if redelivered {
        let sentence = "the time for this call ran out; it was delivered twice, and the first delivery may have \
                        been carried out, so check before repeating";
        Refusal::saying(GATE, Outcome::Deadline, sentence)
    } else {
        Refusal::new(GATE, &ToolError::Deadline)
    }
}

/// Unread, so it is not known whether it is a call at all; whoever waits for an answer gets one.
async fn too_large(shared: &Shared, message: &WireMessage) -> Arrival<'static> {
    let (bytes, limit) = (message.body.len(), limits::BODY);
    let line = SecurityLine::new(Smell::Oversize).with("gate", GATE.as_str()).with("bytes", bytes);
    shared.log.smelled(line).await;
    let sentence = format!(
        "the call is too large: {} KiB, and {} KiB are allowed",
        bytes / 1024,
        limit / 1024
    );
    Arrival::Refused(Refusal::saying(GATE, Outcome::Invalid, sentence))
}

/// A Nest peer sends no call id, so its packet's own id stands in. One that is empty, no text or longer than any id
/// identifies nothing: such a call gets an id of its own and cannot be recognised when it comes again.
fn call_id(message: &WireMessage, packet: &Value) -> CallId {
    let given = message.header(HEADER_CALL).or_else(|| packet.as_str());
    let given = given.filter(|text| text.len() <= limits::CALL_ID);
    given.and_then(|text| CallId::new(text).ok()).unwrap_or_else(CallId::mint)
}
