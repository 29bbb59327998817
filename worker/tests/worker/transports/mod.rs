//! The same tests over both transports, and what only a broker can do wrong.

mod amqp_only;
mod broker;
mod cable;
mod parts;

use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{HEADER_CALL, encode_request};
use agent_contract::{
    EventTransport, InProcessEvents, InProcessTools, InProcessTurns, Timestamp, ToolTransport,
    TransportError, TurnTransport, WireMessage,
};
use futures_util::future::join_all;
use serde_json::json;

use self::parts::{Echo, Stage, Tellers, event};

/// A way between the two sides, with what it needs to stand.
pub(crate) struct Way {
    tools: Arc<dyn ToolTransport>,
    turns: Arc<dyn TurnTransport>,
    events: Arc<dyn EventTransport>,
    /// Held while the way is used.
    _stands: Box<dyn std::any::Any + Send + Sync>,
}

fn in_process(tellers: &Tellers) -> Way {
    Way {
        tools: Arc::new(InProcessTools::new(tellers.tools.clone())),
        turns: Arc::new(InProcessTurns::new(tellers.stage.clone())),
        events: Arc::new(InProcessEvents::new(tellers.events.clone())),
        _stands: Box::new(()),
    }
}

/// Runs a test over both ways.
macro_rules! over_both {
    ($($name:ident;)*) => { $(
        mod $name {
            #[tokio::test]
            async fn in_process() {
                let tellers = super::Tellers::default();
                let way = super::in_process(&tellers);
                super::scenes::$name(way, tellers).await;
            }

            #[tokio::test]
            async fn over_amqp() {
                let tellers = super::Tellers::default();
                let (way, server) = super::broker::way(&tellers).await;
                super::scenes::$name(way, tellers).await;
                server.sweep().await;
            }
        }
    )* };
}

over_both! {
    each_call_gets_its_own_reply;
    a_call_without_an_answer_ends_at_its_deadline;
    events_arrive_in_order;
    a_turn_reaches_a_worker_and_can_be_stopped;
}

/// A call whose body and header hold `text`.
fn call(text: &str) -> WireMessage {
    let body = encode_request("echo", &json!(text), text);
    WireMessage::new(body).with_header(HEADER_CALL, text)
}

fn soon() -> Timestamp {
    Timestamp::now().after(Duration::from_secs(20))
}

mod scenes {
    use super::*;

    pub(crate) async fn each_call_gets_its_own_reply(way: Way, _tellers: Tellers) {
        let calls = (0..200).map(|number| {
            let (tools, text) = (way.tools.clone(), format!("call {number}"));
            async move {
                let reply = tools.call(call(&text), soon()).await.unwrap();
                assert_eq!(String::from_utf8(reply.body).unwrap(), Echo::reply(&text));
                assert_eq!(reply.headers.get(HEADER_CALL).map(String::as_str), Some(&*text));
            }
        });
        join_all(calls).await;
    }

    pub(crate) async fn a_call_without_an_answer_ends_at_its_deadline(way: Way, tellers: Tellers) {
        let deadline = Timestamp::now().after(Duration::from_millis(200));
        let error = way.tools.call(call(Echo::SILENT), deadline).await.unwrap_err();
        assert_eq!(error, TransportError::Deadline);
        assert!(error.may_have_run());
        assert!(deadline.remaining().is_zero(), "not before");
        assert_eq!(tellers.tools.seen(), [Echo::SILENT]);

        // One whose deadline is over is not even sent.
        let error = way.tools.call(call("late"), deadline).await.unwrap_err();
        assert_eq!(error, TransportError::Deadline);
        assert_eq!(tellers.tools.seen(), [Echo::SILENT]);
    }

    pub(crate) async fn events_arrive_in_order(way: Way, tellers: Tellers) {
        for number in 0..50 {
            way.events.publish(event(number)).await.unwrap();
        }
        tellers.events.until(50).await;
        assert_eq!(tellers.events.numbers(), (0..50).collect::<Vec<_>>());
    }

    pub(crate) async fn a_turn_reaches_a_worker_and_can_be_stopped(way: Way, tellers: Tellers) {
        way.turns.dispatch(call("trn_1")).await.unwrap();
        tellers.stage.until(&["run trn_1"]).await;
        way.turns.stop("trn_1".parse().unwrap()).await.unwrap();
        // The turn runs until it is stopped, so both lines mean that the stop arrived.
        tellers.stage.until(&["run trn_1", "stop trn_1", "end trn_1"]).await;
        assert_eq!(Stage::header(&tellers.stage), "trn_1");
    }
}
