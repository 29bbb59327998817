//! Calls that were given up. They lie in a queue of their own, whole, until an operator has looked at them.
//!
//! Looking takes nothing away: what is not replayed or dropped goes back to its place. A replayed call keeps its id, so one
//! that was carried out after all answers what it answered then, and it is the server that decides about it: the context
//! token of a turn that is over is refused as ever.

use std::collections::BTreeMap;
use std::time::Duration;

use agent_contract::wire::{
    HEADER_ATTEMPT, HEADER_CALL, HEADER_DEADLINE, PacketData, classify, decode_reply,
};
use agent_contract::{AgentToolResult, Packet, ReplyPacket, Timestamp};
use broker::{AmqpError, Names};
use futures_util::StreamExt as _;
use lapin::message::{BasicGetMessage, Delivery};
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicGetOptions, BasicPublishOptions,
    ConfirmSelectOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};

use super::AmqpSettings;

/// When it was set aside, in ms.
const HEADER_PARKED: &str = "x-rover-parked";
const REPLY_TO: &str = "amq.rabbitmq.reply-to";
const PERSISTENT: u8 = 2;
/// How many are looked at together.
const MOST: usize = 500;
/// How long the answer to a replayed call is waited for.
const ANSWERING: Duration = Duration::from_secs(30);

/// A look at the calls that were given up.
#[derive(Debug)]
pub struct ParkingPlace {
    connection: Connection,
    names: Names,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parked {
    /// Its call id.
    pub call: String,
    /// The event that it calls.
    pub event: String,
    /// User id of the person for whom it was made.
    pub sub: String,
    /// Its arguments, as JSON.
    pub args: String,
    /// When it was set aside.
    pub at: Option<Timestamp>,
}

/// Why it did not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParkedError {
    /// The broker cannot be used.
    #[error(transparent)]
    Broker(#[from] AmqpError),
    /// The broker did not do as it was asked.
    #[error("the broker did not do it")]
    Failed(#[from] lapin::Error),
    /// There is no such call.
    #[error("no call {0} was given up; `rover parked list` names those that were")]
    Unknown(String),
    /// Nobody answered.
    #[error("no server answered within {} s; the call is still set aside", ANSWERING.as_secs())]
    Unanswered,
}

impl ParkingPlace {
    /// Connects to the broker.
    pub async fn open(settings: &AmqpSettings) -> Result<Self, ParkedError> {
        settings.checked()?;
        let connecting = Connection::connect(&settings.url, ConnectionProperties::default());
        Ok(Self { connection: connecting.await?, names: settings.names.clone() })
    }

    /// All of them, the oldest first.
    pub async fn list(&self) -> Result<Vec<Parked>, ParkedError> {
        let channel = self.connection.create_channel().await?;
        let mut found = Vec::new();
        while found.len() < MOST
            && let Some(message) = self.next(&channel).await?
        {
            found.push(Parked::read(&message.delivery));
        }
        // What was looked at goes back with the channel.
        channel.close(200, "looked".into()).await?;
        Ok(found)
    }

    /// Sends one to the servers again and waits for the answer. It stays where it is if that is an error.
    pub async fn replay(&self, call: &str) -> Result<AgentToolResult, ParkedError> {
        let channel = self.connection.create_channel().await?;
        channel.confirm_select(ConfirmSelectOptions::default()).await?;
        let found = self.find(&channel, call).await?;
        let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
        let mut replies = channel
            .basic_consume(REPLY_TO.into(), "".into(), no_ack, FieldTable::default())
            .await?;
        let mut headers = broker::headers(&found.delivery);
        for spent in [HEADER_DEADLINE, HEADER_ATTEMPT, HEADER_PARKED] {
            headers.remove(spent);
        }
        let properties = BasicProperties::default()
            .with_headers(broker::table(&headers))
            .with_reply_to(REPLY_TO.into())
            .with_expiration(ANSWERING.as_millis().to_string().into());
        let queue = self.names.tool_queue.as_str().into();
        let options = BasicPublishOptions::default();
        channel
            .basic_publish("".into(), queue, options, &found.delivery.data, properties)
            .await?
            .await?;
        let reply = match tokio::time::timeout(ANSWERING, replies.next()).await {
            Ok(Some(reply)) => reply?,
            Ok(None) | Err(_) => return Err(ParkedError::Unanswered),
        };
        let result = match decode_reply(&reply.data) {
            ReplyPacket::Value(value) | ReplyPacket::Complete(Some(value)) => {
                serde_json::from_value(value).ok()
            }
            ReplyPacket::Complete(None) | ReplyPacket::NoHandler | ReplyPacket::Failed(_) => None,
        };
        let result =
            result.unwrap_or_else(|| AgentToolResult::err("no server knows this tool any more"));
        if result.is_ok() {
            found.delivery.ack(BasicAckOptions::default()).await?;
        }
        channel.close(200, "done".into()).await?;
        Ok(result)
    }

    /// Takes one away for good.
    pub async fn drop_one(&self, call: &str) -> Result<(), ParkedError> {
        let channel = self.connection.create_channel().await?;
        let found = self.find(&channel, call).await?;
        found.delivery.ack(BasicAckOptions::default()).await?;
        channel.close(200, "done".into()).await?;
        Ok(())
    }

    async fn find(&self, channel: &Channel, call: &str) -> Result<BasicGetMessage, ParkedError> {
        for _ in 0..MOST {
            let Some(message) = self.next(channel).await? else { break };
            if Parked::read(&message.delivery).call == call {
                return Ok(message);
            }
        }
        channel.close(200, "looked".into()).await?;
        Err(ParkedError::Unknown(call.to_owned()))
    }

    async fn next(&self, channel: &Channel) -> Result<Option<BasicGetMessage>, ParkedError> {
        let queue = self.names.parking_queue();
        Ok(channel.basic_get(queue.as_str().into(), BasicGetOptions::default()).await?)
    }
}

/// The properties of a call that is set aside: its headers, and when. It waits for an operator as long as it must.
pub(super) fn set_aside(delivery: &Delivery) -> BasicProperties {
    let mut headers: BTreeMap<_, _> = broker::headers(delivery);
    let now = Timestamp::now().as_millisecond().to_string();
    headers.insert(HEADER_PARKED.to_owned(), now);
    BasicProperties::default().with_headers(broker::table(&headers)).with_delivery_mode(PERSISTENT)
}

impl Parked {
    fn read(delivery: &Delivery) -> Self {
        let mut headers = broker::headers(delivery);
        let at = headers.remove(HEADER_PARKED).and_then(|ms| ms.parse().ok());
        let (id, event, data) = match classify(&delivery.data) {
            Packet::Request { id, pattern, data: PacketData::Json(data) } => {
                (id, pattern.map(|pattern| pattern.as_str().to_owned()), data)
            }
            Packet::Request { .. } | Packet::Event { .. } => Default::default(),
        };
        let text =
            |pointer| data.pointer(pointer).and_then(|text| text.as_str()).map(str::to_owned);
        let packet_id = || id.as_str().map(str::to_owned);
        Self {
            call: headers.remove(HEADER_CALL).or_else(packet_id).unwrap_or_default(),
            event: event.unwrap_or_default(),
            sub: text("/identity/sub").unwrap_or_default(),
            args: data.get("args").map(ToString::to_string).unwrap_or_default(),
            at: at.and_then(|ms| Timestamp::from_millisecond(ms).ok()),
        }
    }
}
