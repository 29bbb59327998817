//! What the servers serve of the tools that this worker holds.
//!
//! It is asked at each connection, when a server says that it came or went, and when a call was refused for its
//! version. Servers of two builds may stand at one queue while a deploy rolls on; the broker hands calls round, so as
//! many are asked as there are, and what one of them refuses is not offered. A server that does not know the question
//! is an older peer: all is offered to it, and that is said.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{HEADER_DEADLINE, REGISTRY_HELLO_PATTERN, decode_reply, encode_request};
use agent_contract::{
    RegistryAnswer, RegistryHello, ReplyPacket, Timestamp, ToolDefinition, ToolTransport,
    TransportError, WireMessage,
};
use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::{Mutex, watch};
use uuid::Uuid;

use crate::resend::Takers;

/// How long a server has to answer.
const ANSWERING: Duration = Duration::from_secs(5);
/// How long a turn waits for the first answer. What it then offers is checked at each call all the same.
const FIRST_ANSWER: Duration = Duration::from_secs(3);
/// How many servers are asked at most.
const MOST: u32 = 16;

/// Asks the servers, and knows what they said. Clones share it.
#[derive(Clone)]
pub struct Servers {
    transport: Arc<dyn ToolTransport>,
    held: &'static [&'static ToolDefinition],
    known: Arc<watch::Sender<Known>>,
    asking: Arc<Mutex<()>>,
}

/// The tools that are not served as this worker holds them, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unserved(BTreeMap<&'static str, String>);

#[derive(Clone, Debug, Default)]
enum Known {
    /// Nobody was asked.
    #[default]
    Nothing,
    /// Somebody is being asked for the first time.
    Asked,
    /// This is how it stands.
    Told { unserved: Arc<Unserved>, strangers: bool },
}

/// What came of one question.
enum Heard {
    /// A server of ours.
    Answer(RegistryAnswer),
    /// A peer that does not know the question.
    Stranger,
}

impl Unserved {
    /// Why a tool is not served; none if it is, as far as is known.
    pub fn why(&self, tool: &str) -> Option<&str> {
        self.0.get(tool).map(String::as_str)
    }
}

impl Servers {
    /// The servers behind `transport`, of which nothing is known yet, for a worker that holds these tools.
    pub fn new(
        transport: Arc<dyn ToolTransport>,
        held: &'static [&'static ToolDefinition],
    ) -> Self {
        Self { transport, held, known: Arc::default(), asking: Arc::default() }
    }

    /// What is not served, as far as is known. The first answer is waited for, if anybody was asked.
    pub async fn unserved(&self) -> Arc<Unserved> {
        let mut known = self.known.subscribe();
        let told = known.wait_for(|known| !matches!(known, Known::Asked));
        let _ = tokio::time::timeout(FIRST_ANSWER, told).await;
        match &*self.known.borrow() {
            Known::Told { unserved, .. } => Arc::clone(unserved),
            Known::Nothing | Known::Asked => Arc::default(),
        }
    }

    /// What is known of those who take calls, for one that got no answer.
    pub(crate) fn takers(&self) -> Takers {
        match &*self.known.borrow() {
            Known::Nothing | Known::Asked => Takers::Unseen,
            Known::Told { strangers: true, .. } => Takers::Strangers,
            Known::Told { strangers: false, .. } => Takers::Ours,
        }
    }

    /// Asks every server. What was known before holds until one answers.
    pub async fn ask(&self) {
        let _one_at_a_time = self.asking.lock().await;
        self.known.send_if_modified(|known| {
            let first = matches!(known, Known::Nothing);
            if first {
                *known = Known::Asked;
            }
            first
        });
        let servers = self.transport.servers().await.unwrap_or(1).clamp(1, MOST);
        let heard = join_all((0..servers).map(|_| self.hello())).await;
        self.learn(heard);
    }

    /// Asks in the background, because a call was refused that should not have been.
    pub(crate) fn ask_again(&self) {
        let servers = self.clone();
        tokio::spawn(async move { servers.ask().await });
    }

    async fn hello(&self) -> Result<Heard, TransportError> {
        let id = Uuid::new_v4().simple().to_string();
        let data = json!(RegistryHello::of(self.held));
        let deadline = Timestamp::now().after(ANSWERING);
        let mut message = WireMessage::new(encode_request(REGISTRY_HELLO_PATTERN, &data, &id))
            .with_header(HEADER_DEADLINE, deadline.as_millisecond().to_string());
        message.correlation_id = Some(id);
        let reply = self.transport.call(message, deadline).await?;
        let answer = match decode_reply(&reply.body) {
            ReplyPacket::Value(value) | ReplyPacket::Complete(Some(value)) => {
                serde_json::from_value(value).ok()
            }
            ReplyPacket::Complete(None) | ReplyPacket::NoHandler | ReplyPacket::Failed(_) => None,
        };
        Ok(answer.map_or(Heard::Stranger, Heard::Answer))
    }

    fn learn(&self, heard: Vec<Result<Heard, TransportError>>) {
        let (mut answers, mut strangers) = (BTreeMap::new(), false);
        for one in heard {
            match one {
                Ok(Heard::Answer(answer)) => {
                    answers.insert(answer.server.clone(), answer);
                }
                Ok(Heard::Stranger) => strangers = true,
                Err(error) => {
                    tracing::debug!(%error, "a server was asked what it serves and did not say");
                }
            }
        }
        let before = self.known.borrow().clone();
        if answers.is_empty() && !strangers {
            // Nobody answered, so nothing new is known; who comes later says so.
            if matches!(before, Known::Asked) {
                self.known.send_replace(Known::Nothing);
            }
            return;
        }
        let why = |tool: &ToolDefinition| answers.values().find_map(|answer| answer.refusal(tool));
        let remote = self.held.iter().filter(|tool| tool.event.is_some());
        let unserved = Unserved(remote.filter_map(|tool| Some((tool.name, why(tool)?))).collect());
        say(&before, &unserved, strangers, answers.len());
        self.known.send_replace(Known::Told { unserved: Arc::new(unserved), strangers });
    }
}

/// Says what is new.
fn say(before: &Known, unserved: &Unserved, strangers: bool, servers: usize) {
    let (old, were_strangers) = match before {
        Known::Told { unserved, strangers } => (unserved.0.clone(), *strangers),
        Known::Nothing | Known::Asked => (BTreeMap::new(), false),
    };
    for (tool, why) in &unserved.0 {
        if old.get(tool) != Some(why) {
            tracing::warn!(tool, why, "a tool is not offered: a server would refuse its calls");
        }
    }
    let served: BTreeSet<_> = old.keys().filter(|tool| !unserved.0.contains_key(*tool)).collect();
    for tool in served {
        tracing::info!(tool, "a tool is offered again");
    }
    if strangers && !were_strangers {
        tracing::warn!(
            "a server does not know the registry handshake; all tools are offered, and each call is \
                        checked by itself"
        );
    }
    tracing::debug!(servers, unserved = unserved.0.len(), "the servers said what they serve");
}

impl fmt::Debug for Servers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Servers").field("known", &*self.known.borrow()).finish_non_exhaustive()
    }
}
