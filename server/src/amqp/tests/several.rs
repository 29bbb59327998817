//! Several servers on one broker, at once or one after the other.

use std::sync::Arc;

use futures_util::StreamExt as _;
use lapin::BasicProperties;
use lapin::options::{BasicConsumeOptions, QueueDeclareOptions, QueuePurgeOptions};
use lapin::types::FieldTable;
use tokio::sync::mpsc;

use super::{Heard, PATIENCE, Post, finished, soon, start};
use crate::amqp::{Amqp, Endpoints};

/// The events of a turn are stored in their order, so one server stores them at a time, and the next when it goes.
#[tokio::test(flavor = "multi_thread")]
async fn of_two_servers_one_keeps_events_and_the_other_follows() {
    let mut post = Post::new(1).await;
    let (kept_by, mut second_kept) = mpsc::unbounded_channel();
    let (live_by, mut second_live) = mpsc::unbounded_channel();
    let endpoints = Endpoints {
        tools: Arc::clone(&post.echo) as _,
        kept: Arc::new(Heard(kept_by)),
        live: Arc::new(Heard(live_by)),
    };
    let second = Amqp::start(post.settings.clone(), endpoints).unwrap();
    soon(second.ready()).await.unwrap();
    let exchange = post.settings.names.events_exchange.clone();
    for seq in 0..20 {
        let event = serde_json::to_vec(&finished(seq)).unwrap();
        post.publish(&exchange, "", &event, BasicProperties::default()).await;
    }
    for seq in 0..20 {
        assert_eq!(
            soon(post.kept.recv()).await.unwrap(),
            finished(seq),
            "all of them here, in order"
        );
        assert_eq!(soon(second_live.recv()).await.unwrap(), finished(seq), "and shown there");
    }
    assert!(second_kept.try_recv().is_err(), "none of them there");

    let first = std::mem::replace(&mut post.amqp, second);
    soon(first.drain(PATIENCE)).await;
    let event = serde_json::to_vec(&finished(20)).unwrap();
    post.publish(&exchange, "", &event, BasicProperties::default()).await;
    assert_eq!(soon(second_kept.recv()).await.unwrap(), finished(20));
    post.clear().await;
}

/// The queue in which an earlier build kept events goes when nobody needs it, and stays while it holds events.
#[tokio::test(flavor = "multi_thread")]
async fn the_events_queue_of_an_earlier_build_is_cleared_away() {
    let post = Post::new(1).await;
    let earlier = post.settings.names.events_exchange.as_str();
    let declare = async || {
        let options = QueueDeclareOptions::durable();
        post.channel.queue_declare(earlier.into(), options, FieldTable::default()).await.unwrap()
    };
    declare().await;
    post.publish("", earlier, b"an event", BasicProperties::default()).await;
    while declare().await.message_count() == 0 {}
    let look = post.client.create_channel().await.unwrap();
    broker::forget_earlier(&look, &post.settings.names).await;
    assert_eq!(declare().await.message_count(), 1, "what it holds is somebody's");

    post.channel.queue_purge(earlier.into(), QueuePurgeOptions::default()).await.unwrap();
    let look = post.client.create_channel().await.unwrap();
    broker::forget_earlier(&look, &post.settings.names).await;
    let passive = QueueDeclareOptions::durable().passive();
    let gone = look.queue_declare(earlier.into(), passive, FieldTable::default()).await;
    assert!(gone.is_err(), "{gone:?}");
    post.clear().await;
}

/// Workers ask anew what is served when a server comes, and when it goes.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_says_that_it_comes_and_that_it_goes() {
    let mut post = Post::new(1).await;
    let options = QueueDeclareOptions::exclusive().auto_delete();
    let own = post.channel.queue_declare("".into(), options, FieldTable::default()).await.unwrap();
    let exchange = post.settings.names.stop_exchange.as_str();
    let bind = lapin::options::QueueBindOptions::default();
    post.channel
        .queue_bind(own.name().clone(), exchange.into(), "".into(), bind, FieldTable::default())
        .await
        .unwrap();
    let no_ack = BasicConsumeOptions { no_ack: true, ..BasicConsumeOptions::default() };
    let mut told = post
        .channel
        .basic_consume(own.name().clone(), "".into(), no_ack, FieldTable::default())
        .await
        .unwrap();
    let second = start(&post.settings, &post);
    soon(second.ready()).await.unwrap();
    let said = soon(told.next()).await.unwrap().unwrap();
    assert_eq!(said.data, br#"{"pattern":"registry.changed","data":{}}"#);
    let first = std::mem::replace(&mut post.amqp, second);
    soon(first.drain(PATIENCE)).await;
    let said = soon(told.next()).await.unwrap().unwrap();
    assert_eq!(said.data, br#"{"pattern":"registry.changed","data":{}}"#);
    post.clear().await;
}
