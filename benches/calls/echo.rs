//! The two echoes: what the broker and a client library cost without a server behind them.

use std::collections::HashMap;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::StreamExt as _;
use lapin::options::{
    BasicAckOptions, BasicConsumeOptions, BasicPublishOptions, BasicQosOptions,
    ConfirmSelectOptions, QueueDeclareOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Channel, Connection, ConnectionProperties};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::{Figure, measured};

const REPLY_TO: &str = "amq.rabbitmq.reply-to";
/// As long as a call of `list_departments`.
const BODY: usize = 320;

pub(crate) fn broker() -> String {
    std::env::var("ROVER_TEST_AMQP")
        .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672".to_owned())
}

/// Confirmed, mandatory, with an expiration, acknowledged by hand: what a call of Rover's has.
pub(crate) async fn lapin(in_flight: usize, lasting: Duration) -> Figure {
    let queue = format!("rover-bench-echo-{}", std::process::id());
    let server = connected().await;
    let channel = confirmed(&server).await;
    channel.basic_qos(32, BasicQosOptions::default()).await.unwrap();
    let own = QueueDeclareOptions { auto_delete: true, ..QueueDeclareOptions::default() };
    channel.queue_declare(queue.as_str().into(), own, FieldTable::default()).await.unwrap();
    let options = BasicConsumeOptions::default();
    let mut calls = channel
        .basic_consume(queue.as_str().into(), "".into(), options, FieldTable::default())
        .await
        .unwrap();
    tokio::spawn(async move {
        while let Some(Ok(call)) = calls.next().await {
            let channel = channel.clone();
            tokio::spawn(async move {
                let to = call.properties.reply_to().clone().unwrap();
                let id = call.properties.correlation_id().clone().unwrap();
                let properties = BasicProperties::default().with_correlation_id(id);
                let options = BasicPublishOptions::default();
                let sent = channel.basic_publish("".into(), to, options, &call.data, properties);
                sent.await.unwrap().await.unwrap();
                call.ack(BasicAckOptions::default()).await.unwrap();
            });
        }
    });
    let client = connected().await;
    let channel = confirmed(&client).await;
    let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    let mut replies = channel
        .basic_consume(REPLY_TO.into(), "".into(), no_ack, FieldTable::default())
        .await
        .unwrap();
    let waiting: Arc<Mutex<HashMap<String, oneshot::Sender<()>>>> = Arc::default();
    let told = Arc::clone(&waiting);
    tokio::spawn(async move {
        while let Some(Ok(reply)) = replies.next().await {
            let id = reply.properties.correlation_id().as_ref().unwrap().to_string();
            if let Some(waiter) = told.lock().unwrap().remove(&id) {
                let _ = waiter.send(());
            }
        }
    });
    let figure = measured(in_flight, lasting, move |number| {
        let (channel, waiting, queue) = (channel.clone(), Arc::clone(&waiting), queue.clone());
        async move {
            let id = number.to_string();
            let (told, answer) = oneshot::channel();
            waiting.lock().unwrap().insert(id.clone(), told);
            let properties = BasicProperties::default()
                .with_reply_to(REPLY_TO.into())
                .with_correlation_id(id.as_str().into())
                .with_expiration("30000".into());
            let options = BasicPublishOptions { mandatory: true, ..BasicPublishOptions::default() };
            let body = vec![b'x'; BODY];
            let sent =
                channel.basic_publish("".into(), queue.as_str().into(), options, &body, properties);
            // The reply may overtake the confirm, as it does for a worker.
            tokio::spawn(sent.await.unwrap());
            answer.await.unwrap();
        }
    })
    .await;
    client.close(200, "done".into()).await.unwrap();
    server.close(200, "done".into()).await.unwrap();
    figure
}

/// A Nest server that returns what it is given, and a Nest client, each a process.
pub(crate) async fn nest(in_flight: usize, lasting: Duration) -> Figure {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/nest-echo.mjs");
    let output = tokio::task::spawn_blocking(move || {
        Command::new("node")
            .args([program, &in_flight.to_string(), &lasting.as_millis().to_string()])
            .env("RMQ_URL", broker())
            .env("RMQ_QUEUE", format!("rover-bench-nest-{}", std::process::id()))
            .stderr(Stdio::inherit())
            .output()
            .expect("node runs")
    });
    let printed = String::from_utf8(output.await.unwrap().stdout).unwrap();
    let line = printed.lines().last().expect("it prints its figures");
    let figures: Value = serde_json::from_str(line).unwrap();
    let ms = |key: &str| Duration::from_secs_f64(figures[key].as_f64().unwrap() / 1000.0);
    Figure::new(figures["perSecond"].as_f64().unwrap(), ms("p50"), ms("p99"))
}

async fn connected() -> Connection {
    Connection::connect(&broker(), ConnectionProperties::default()).await.unwrap()
}

async fn confirmed(connection: &Connection) -> Channel {
    let channel = connection.create_channel().await.unwrap();
    channel.confirm_select(ConfirmSelectOptions::default()).await.unwrap();
    channel
}
