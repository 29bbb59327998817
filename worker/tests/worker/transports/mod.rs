//! The same tests over both transports, and what only a broker can do wrong.

mod amqp_only;
mod broker;
mod cable;
mod parts;

use std::sync::Arc;
use std::time::Duration;

use agent_contract::wire::{HEADER_CALL, HEADER_CTX, HEADER_PROOF, encode_request};
use agent_contract::{
    EventKind, EventTransport, InProcessEvents, InProcessTools, InProcessTurns, OutgoingCall,
    Statement, Timestamp, TokenHash, ToolTransport, TransportError, TurnSeal, TurnTransport,
    WireMessage, WorkerKey, WorkerProof,
};
use futures_util::future::join_all;
use serde_json::json;

use self::parts::{Echo, Stage, Tellers, event, happened};

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
    what_a_worker_signed_arrives_as_it_was_signed;
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
                let reply = tools.call(call(&text).into(), soon()).await.unwrap();
                assert_eq!(String::from_utf8(reply.body).unwrap(), Echo::reply(&text));
                assert_eq!(reply.headers.get(HEADER_CALL).map(String::as_str), Some(&*text));
            }
        });
        join_all(calls).await;
    }

    pub(crate) async fn a_call_without_an_answer_ends_at_its_deadline(way: Way, tellers: Tellers) {
        let deadline = Timestamp::now().after(Duration::from_millis(200));
        let error = way.tools.call(call(Echo::SILENT).into(), deadline).await.unwrap_err();
        assert_eq!(error, TransportError::Deadline);
        assert!(error.may_have_run());
        assert!(deadline.remaining().is_zero(), "not before");
        assert_eq!(tellers.tools.seen(), [Echo::SILENT]);

        // One whose deadline is over is not even sent.
        let error = way.tools.call(call("late").into(), deadline).await.unwrap_err();
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

    /// The address of the reply is signed too, and it is the broker that writes it.
    pub(crate) async fn what_a_worker_signed_arrives_as_it_was_signed(way: Way, tellers: Tellers) {
        let key = Arc::new(WorkerKey::generate());
        let (public, token) = (key.public(), "v4.public.token");
        let message = call("signed").with_header(HEADER_CTX, token);
        let reply = way.tools.call(OutgoingCall::new(message.clone(), Some(key.clone())), soon());
        assert!(reply.await.is_ok(), "the reply came to the address that was signed");
        let arrived = tellers.tools.messages().remove(0);
        assert_eq!(arrived.body, message.body);
        assert!(arrived.reply_to.is_some());
        let proof = proof(&arrived);
        assert_eq!(*proof.key(), public.id());
        assert!(public.made(&proof, &Statement::of_call(&arrived)));
        let elsewhere = WireMessage { reply_to: Some("mine".to_owned()), ..arrived };
        assert!(!public.made(&proof, &Statement::of_call(&elsewhere)));

        let seal = TurnSeal::new(Some(key), &message);
        way.events.publish(seal.seal(EventKind::Told, &happened(1)).unwrap()).await.unwrap();
        tellers.events.until(1).await;
        let arrived = tellers.events.messages().remove(0);
        let said = |token: &str| {
            Statement::of_event(EventKind::of(&arrived), TokenHash::of(token), &arrived.body)
        };
        assert!(public.made(&self::proof(&arrived), &said(token)));
        assert!(!public.made(&self::proof(&arrived), &said("v4.public.other")));
    }

    fn proof(message: &WireMessage) -> WorkerProof {
        message.header(HEADER_PROOF).expect("it is signed").parse().expect("it is a proof")
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
