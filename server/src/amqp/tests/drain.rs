//! A whole server that goes while a call runs.

use std::net::{Ipv4Addr, SocketAddr};

use agent_contract::wire::encode_request;
use futures_util::StreamExt as _;
use lapin::options::{
    BasicConsumeOptions, BasicPublishOptions, ExchangeDeleteOptions, QueueDeleteOptions,
};
use lapin::types::FieldTable;
use lapin::{BasicProperties, Connection, ConnectionProperties};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::{PATIENCE, REPLY_TO};
use crate::amqp::{AmqpSettings, Names};
use crate::config::ServerConfig;
use crate::db::testing::{Kind, Site};
use crate::identity::IdentityMode;
use crate::{Server, Workers};

/// The order of a drain: it is told, the call that runs commits and its reply arrives, and then everything closes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_that_runs_while_the_server_drains_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let site = Site::new(Kind::of(module_path!())).await;
    let mut config = ServerConfig::new(listen, site.url(), folder.path().join("keys"));
    (config.demo, config.identity) = (true, IdentityMode::Plain);
    let server = Server::open(config).await.unwrap();
    let url = std::env::var("ROVER_TEST_AMQP")
        .unwrap_or_else(|_| "amqp://guest:guest@127.0.0.1:5672".to_owned());
    let own = |name: &str| format!("rover-test-drain-{name}-{}", uuid::Uuid::new_v4());
    let settings =
        AmqpSettings { names: Names::of(&own("tool"), &own("")), ..AmqpSettings::at(&url) };
    let running = server.start(Workers::Amqp(Box::new(settings.clone()))).await.unwrap();
    let client = Connection::connect(&url, ConnectionProperties::default()).await.unwrap();
    let channel = client.create_channel().await.unwrap();
    let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    let mut replies = channel
        .basic_consume(REPLY_TO.into(), "".into(), no_ack, FieldTable::default())
        .await
        .unwrap();

    // Somebody else is writing, so the call is in the middle for as long as the test wants.
    let mut writer = site.outside().await;
    let sql = "SELECT id, email, profile_id, school_id FROM account WHERE email LIKE 'grace%'";
    let grace = writer.rows(sql).await.remove(0);
    let [sub, email, profile, school] = <[_; 4]>::try_from(grace).unwrap();
    writer.hold_writers().await;
    let data = json!({
        "identity": {
            "sub": sub, "email": email, "type": "staff", "profileId": profile, "schoolId": school,
        },
        "scope": { "mode": "campus", "campusId": "naalya-campus-main" },
        "args": { "name": "Astronomy" },
    });
    let properties =
        BasicProperties::default().with_reply_to(REPLY_TO.into()).with_correlation_id("c1".into());
    let body = encode_request("create.department", &data, "c1");
    let (queue, options) = (settings.names.tool_queue.as_str(), BasicPublishOptions::default());
    channel.basic_publish("".into(), queue.into(), options, &body, properties).await.unwrap();
    while running.running_calls() == 0 {
        tokio::task::yield_now().await;
    }

    let addr = running.addr();
    let draining = tokio::spawn(running.shutdown(PATIENCE));
    while !readyz(addr).await.contains("draining") {}
    assert!(!draining.is_finished(), "the call still runs");
    writer.let_writers_go().await;
    let reply = replies.next().await.unwrap().unwrap();
    let reply: Value = serde_json::from_slice(&reply.data).unwrap();
    assert_eq!(reply["response"]["data"]["name"], "Astronomy", "{reply}");
    draining.await.unwrap();
    assert_eq!(writer.count("department WHERE name = 'Astronomy'").await, 1);
    let left = channel.queue_delete(queue.into(), QueueDeleteOptions::default()).await.unwrap();
    assert_eq!(left, 0, "it was acknowledged");
    channel
        .queue_delete(settings.names.events_queue.as_str().into(), QueueDeleteOptions::default())
        .await
        .unwrap();
    for exchange in [&settings.names.stop_exchange, &settings.names.events_exchange] {
        let options = ExchangeDeleteOptions::default();
        channel.exchange_delete(exchange.as_str().into(), options).await.unwrap();
    }
}

async fn readyz(addr: SocketAddr) -> String {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    stream.write_all(b"GET /readyz HTTP/1.0\r\n\r\n").await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}
