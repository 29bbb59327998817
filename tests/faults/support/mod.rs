//! What the fault tests share.

pub(crate) mod cable;
pub(crate) mod client;
pub(crate) mod history;
pub(crate) mod node;
pub(crate) mod school;

use std::time::{Duration, Instant};

use agent_contract::CallId;
use lapin::options::{ExchangeDeleteOptions, QueueDeclareOptions, QueueDeleteOptions};
use lapin::types::FieldTable;
use lapin::{Channel, Connection, ConnectionProperties};
use worker::amqp::Names;

/// How long what must happen may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// Queues of a test's own on the shared broker.
pub(crate) struct Queues {
    broker: String,
    pub(crate) names: Names,
}

impl Queues {
    pub(crate) fn of(test: &str) -> Self {
        let broker = std::env::var("ROVER_TEST_AMQP")
            .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672".to_owned());
        Self::at(&broker, test)
    }

    pub(crate) fn at(broker: &str, test: &str) -> Self {
        let own = format!("rover-fault-{test}-{}", std::process::id());
        Self {
            broker: broker.to_owned(),
            names: Names::of(&format!("{own}-tools"), &format!("{own}-")),
        }
    }

    pub(crate) fn broker(&self) -> &str {
        &self.broker
    }

    /// The flags that make a process use them.
    pub(crate) fn flags(&self) -> Vec<&str> {
        let prefix = self.names.turn_queue.strip_suffix("agent-turn").expect("the prefix and this");
        vec!["--tool-queue", &self.names.tool_queue, "--queue-prefix", prefix]
    }

    /// How many messages wait in a queue, and how many consume it.
    pub(crate) async fn state(&self, queue: &str) -> (u32, u32) {
        let connection = self.connection().await;
        let channel = connection.create_channel().await.expect("a channel");
        let passive = QueueDeclareOptions::durable().passive();
        let queue = channel.queue_declare(queue.into(), passive, FieldTable::default()).await;
        let queue = queue.expect("it is there");
        let state = (queue.message_count(), queue.consumer_count());
        let _ = connection.close(200, "looked".into()).await;
        state
    }

    /// Waits until the queue of calls is empty and so many consume it.
    pub(crate) async fn settled(&self, servers: u32) {
        let began = Instant::now();
        while self.state(&self.names.tool_queue).await != (0, servers) {
            assert!(began.elapsed() < PATIENCE, "the queue of calls does not settle");
        }
    }

    /// Leaves the broker as it was.
    pub(crate) async fn sweep(&self) {
        let connection = self.connection().await;
        let channel = connection.create_channel().await.expect("a channel");
        let names = &self.names;
        for queue in
            [&names.tool_queue, &names.parking_queue(), &names.turn_queue, &names.events_queue]
        {
            delete(&channel, queue).await;
        }
        for exchange in [&names.stop_exchange, &names.events_exchange] {
            let options = ExchangeDeleteOptions::default();
            let _ = channel.exchange_delete(exchange.as_str().into(), options).await;
        }
        let _ = connection.close(200, "done".into()).await;
    }

    pub(crate) async fn connection(&self) -> Connection {
        Connection::connect(&self.broker, ConnectionProperties::default())
            .await
            .expect("the broker is there")
    }
}

async fn delete(channel: &Channel, queue: &str) {
    let _ = channel.queue_delete(queue.into(), QueueDeleteOptions::default()).await;
}

/// A call id that no other test uses.
pub(crate) fn call_id(what: &str) -> CallId {
    CallId::new(format!("fault-{}-{what}", std::process::id())).expect("an id")
}

/// Waits until it holds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
