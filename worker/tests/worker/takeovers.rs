//! A worker is lost after each single event of a turn, and another takes the turn over: the end is the same.

use std::collections::HashMap;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use agent_contract::wire::{
    AGENT_TURN_PROGRESS_PATTERN, AGENT_TURN_TAKE_PATTERN, HEADER_CALL, HEADER_RUN, classify,
    encode_reply,
};
use agent_contract::{
    AgentToolResult, EndReason, EventEndpoint, EventTransport, InProcessEvents, InProcessTools,
    Packet, PacketData, ProgressQuestion, TakeAnswer, ToldMessage, ToolEndpoint, TransportError,
    TurnEndpoint, TurnEventKind, TurnProgress, WireMessage, WireReply,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::{Mutex, Notify};
use worker::{ModelChoice, ModelSettings, Worker, WorkerConfig};

use crate::bench::{Recorder, packet, turn};
use crate::school::School;
use crate::script::{Line, Script};

/// The school behind what a server does about turns: it knows how far they came, and runs no call twice.
#[derive(Clone, Default)]
struct Office {
    school: School,
    events: Recorder,
    outcomes: Arc<Mutex<HashMap<String, WireReply>>>,
    takeovers: Arc<AtomicU32>,
}

impl Office {
    fn progress(&self, asked: ProgressQuestion) -> TurnProgress {
        let events = self.events.all().into_iter();
        let events = events.filter(|event| (asked.since..asked.mark).contains(&event.seq));
        let told = events.filter_map(|event| match event.kind {
            TurnEventKind::Message { message } => Some(ToldMessage { task: None, message }),
            TurnEventKind::SubagentMessage { call_id, message } => {
                Some(ToldMessage { task: Some(call_id), message })
            }
            _ => None,
        });
        TurnProgress { stopping: false, told: told.collect() }
    }
}

impl ToolEndpoint for Office {
    fn handle(&self, message: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
        async move {
            let Packet::Request { pattern: Some(pattern), data, .. } = classify(&message.body)
            else {
                return None;
            };
            let answer = match (pattern.as_str(), data) {
                (AGENT_TURN_TAKE_PATTERN, _) => {
                    let takeover = self.takeovers.fetch_add(1, Ordering::SeqCst) + 1;
                    json!(TakeAnswer::Yours { takeover })
                }
                (AGENT_TURN_PROGRESS_PATTERN, PacketData::Json(data)) => {
                    json!(self.progress(serde_json::from_value(data).unwrap()))
                }
                _ => return self.call(message).await,
            };
            Some(WireReply::new(encode_reply(&AgentToolResult::ok(answer, "")).unwrap()))
        }
        .boxed()
    }
}

impl Office {
    async fn call(&self, message: WireMessage) -> Option<WireReply> {
        let id = message.header(HEADER_CALL).map(str::to_owned);
        let mut outcomes = self.outcomes.lock().await;
        if let Some(known) = id.as_ref().and_then(|id| outcomes.get(id)) {
            return Some(known.clone());
        }
        let reply = self.school.handle(message).await?;
        if let Some(id) = id {
            outcomes.insert(id, reply.clone());
        }
        Some(reply)
    }
}

/// Lets so many events through, and then nothing: a worker that is lost there.
struct Cut {
    events: Recorder,
    left: AtomicUsize,
    lost: Notify,
}

impl EventTransport for Cut {
    fn publish(&self, event: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        async move {
            let enough = |left: usize| left.checked_sub(1);
            if self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, enough).is_err() {
                self.lost.notify_one();
                return pending().await;
            }
            self.events.receive(event).await;
            Ok(())
        }
        .boxed()
    }
}

/// Rover adds one department and has a specialist add another. Ids are new each time, as a provider's are.
fn rule(request: &Value) -> Line {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let id = || format!("call_{}", CALLS.fetch_add(1, Ordering::SeqCst)).leak() as &'static str;
    let create = |name: &str| (id(), "create_department", json!({ "name": name }));
    let tools = request["tools"].as_array().unwrap();
    let is_rover = tools.iter().any(|tool| tool["function"]["name"] == "task");
    let answers = request["messages"].as_array().unwrap().last().unwrap()["role"] == "tool";
    match (is_rover, answers) {
        (true, false) => {
            let task = json!({"description": "add Music", "subagent_type": "director_of_studies"});
            Line::Calls(vec![create("Drama"), (id(), "task", task)])
        }
        (true, true) => Line::Says("Both are there."),
        (false, false) => Line::Calls(vec![create("Music")]),
        (false, true) => Line::Says("Music is there."),
    }
}

async fn worker(office: &Office, events: Arc<dyn EventTransport>) -> Arc<Worker> {
    let script = Script::by(rule).await;
    let model = ModelSettings {
        choice: ModelChoice::OpenAi("scripted".to_owned()),
        base_url: Some(script.base_url.clone()),
        key: Some("test-key".to_owned()),
    };
    let config = WorkerConfig { model, max_steps: 4, ..WorkerConfig::default() };
    let tools = Arc::new(InProcessTools::new(Arc::new(office.clone())));
    Arc::new(Worker::new(config, tools, events).unwrap())
}

fn message(redelivered: bool) -> WireMessage {
    let mut request = turn("add both");
    request["runtimeContext"]["capabilities"] = json!({"isDirectorOfStudies": true});
    let mut message = packet(&request);
    message.redelivered = redelivered;
    message
}

/// What a whole turn leaves behind.
fn done(office: &Office, cut: usize) {
    let events = office.events.all();
    let end = &events.last().unwrap().kind;
    assert!(
        matches!(end, TurnEventKind::Finished { reason: EndReason::Done, .. }),
        "cut after {cut}: {end:?}"
    );
    let mut departments = office.school.departments();
    departments.sort();
    assert_eq!(departments, ["Drama @ cmp_main", "Music @ cmp_main"], "cut after {cut}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_cut_anywhere_ends_the_same() {
    let whole = Office::default();
    let all = Arc::new(InProcessEvents::new(Arc::new(whole.events.clone())));
    worker(&whole, all).await.run(message(false)).await;
    done(&whole, usize::MAX);
    let length = whole.events.all().len();
    assert!(length > 20, "{length} events");

    for cut in 0..length {
        let office = Office::default();
        let line = Arc::new(Cut {
            events: office.events.clone(),
            left: AtomicUsize::new(cut),
            lost: Notify::new(),
        });
        let first = worker(&office, Arc::clone(&line) as _).await;
        let running = tokio::spawn(async move { first.run(message(false)).await });
        line.lost.notified().await;
        running.abort();
        let _ = running.await;

        let rest = Arc::new(InProcessEvents::new(Arc::new(office.events.clone())));
        worker(&office, rest).await.run(message(true)).await;
        done(&office, cut);
        let calls = office.school.messages();
        let late = calls.iter().filter(|call| call.header(HEADER_RUN) == Some("1"));
        assert!(late.count() <= 3, "cut after {cut}: only what was open is sent again");
    }
}

#[tokio::test]
async fn a_turn_that_is_over_is_left_alone() {
    struct Over;
    impl ToolEndpoint for Over {
        fn handle(&self, _: WireMessage) -> BoxFuture<'_, Option<WireReply>> {
            let over = AgentToolResult::ok(json!(TakeAnswer::Over), "");
            async move { Some(WireReply::new(encode_reply(&over).unwrap())) }.boxed()
        }
    }
    let events = Recorder::default();
    let sink = Arc::new(InProcessEvents::new(Arc::new(events.clone())));
    let tools = Arc::new(InProcessTools::new(Arc::new(Over)));
    Worker::new(WorkerConfig::default(), tools, sink).unwrap().run(message(true)).await;
    assert_eq!(events.all(), []);
}
