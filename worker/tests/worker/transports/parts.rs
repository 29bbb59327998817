//! The endpoints at both ends of a way.

use std::sync::{Arc, Mutex};

use agent_contract::wire::HEADER_CALL;
use agent_contract::{
    EventEndpoint, Hop, Timestamp, ToolEndpoint, TurnEndpoint, TurnEvent, TurnEventKind, TurnId,
    WireMessage, WireReply,
};
use futures_util::FutureExt;
use futures_util::future::{BoxFuture, pending};
use tokio::sync::{Notify, watch};

/// One endpoint of each kind.
#[derive(Clone, Default)]
pub(crate) struct Tellers {
    pub(crate) tools: Arc<Echo>,
    pub(crate) stage: Arc<Stage>,
    pub(crate) events: Arc<Ledger>,
}

/// Answers each call with its own header; one call it never answers.
#[derive(Default)]
pub(crate) struct Echo {
    seen: Mutex<Vec<String>>,
    messages: Mutex<Vec<WireMessage>>,
}

impl Echo {
    pub(crate) const SILENT: &str = "silent";

    pub(crate) fn reply(text: &str) -> String {
        format!(r#"{{"response":"{text}","isDisposed":true}}"#)
    }

    /// The calls as they arrived.
    pub(crate) fn messages(&self) -> Vec<WireMessage> {
        self.messages.lock().unwrap().clone()
    }

    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

impl ToolEndpoint for Echo {
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        async move {
            let text = message.header(HEADER_CALL).expect("the header came along").to_owned();
            self.seen.lock().unwrap().push(text.clone());
            self.messages.lock().unwrap().push(message);
            if text == Self::SILENT {
                pending::<()>().await;
            }
            let mut reply = WireReply::new(Self::reply(&text).into_bytes());
            reply.headers.insert(HEADER_CALL.to_owned(), text);
            Some(reply)
        }
        .boxed()
    }
}

/// Runs each turn until it is stopped.
pub(crate) struct Stage {
    lines: watch::Sender<Vec<String>>,
    stopped: Notify,
    header: Mutex<String>,
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            lines: watch::Sender::new(Vec::new()),
            stopped: Notify::new(),
            header: Mutex::default(),
        }
    }
}

impl Stage {
    pub(crate) fn header(&self) -> String {
        self.header.lock().unwrap().clone()
    }

    /// Waits until exactly these lines have been written.
    pub(crate) async fn until(&self, lines: &[&str]) {
        self.lines.subscribe().wait_for(|written| written == lines).await.unwrap();
    }

    fn write(&self, line: String) {
        self.lines.send_modify(|lines| lines.push(line));
    }
}

impl TurnEndpoint for Stage {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        async move {
            let turn = message.header(HEADER_CALL).expect("the header came along").to_owned();
            self.header.lock().unwrap().clone_from(&turn);
            self.write(format!("run {turn}"));
            self.stopped.notified().await;
            self.write(format!("end {turn}"));
        }
        .boxed()
    }

    fn stop(&self, turn: &TurnId) {
        self.write(format!("stop {turn}"));
        self.stopped.notify_one();
    }
}

/// Keeps events and their numbers.
pub(crate) struct Ledger {
    numbers: watch::Sender<Vec<u64>>,
    messages: Mutex<Vec<WireMessage>>,
}

impl Default for Ledger {
    fn default() -> Self {
        Self { numbers: watch::Sender::new(Vec::new()), messages: Mutex::default() }
    }
}

impl Ledger {
    pub(crate) fn messages(&self) -> Vec<WireMessage> {
        self.messages.lock().unwrap().clone()
    }

    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.numbers.borrow().clone()
    }

    pub(crate) async fn until(&self, count: usize) {
        self.numbers.subscribe().wait_for(|numbers| numbers.len() >= count).await.unwrap();
    }
}

impl EventEndpoint for Ledger {
    fn receive(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        let event = TurnEvent::of_message(&message).unwrap();
        self.messages.lock().unwrap().push(message);
        self.numbers.send_modify(|numbers| numbers.push(event.seq));
        async {}.boxed()
    }
}

/// An event with a number.
pub(crate) fn event(seq: u64) -> WireMessage {
    happened(seq).to_message().unwrap()
}

pub(crate) fn happened(seq: u64) -> TurnEvent {
    TurnEvent {
        turn_id: "trn_1".parse().unwrap(),
        seq,
        at: Timestamp::now(),
        hop: Hop::Worker,
        kind: TurnEventKind::TextDone,
    }
}
