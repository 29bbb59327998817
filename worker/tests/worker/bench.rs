//! One worker, one school, one scripted model, and a recorder of all events.

use std::sync::{Arc, Mutex};

use agent_contract::wire::{AGENT_TURN_PATTERN, HEADER_CTX, encode_request};
use agent_contract::{
    Answer, CallId, EndReason, EventEndpoint, HistoryMessage, InProcessEvents, InProcessTools,
    TurnEndpoint, TurnEvent, TurnEventKind, WireMessage,
};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio::sync::Notify;
use worker::{ModelChoice, ModelSettings, Worker, WorkerConfig};

use crate::school::School;
use crate::script::{Line, Script};

/// Everything that a turn needs.
pub(crate) struct Bench {
    pub(crate) worker: Arc<Worker>,
    pub(crate) school: School,
    pub(crate) script: Script,
    pub(crate) events: Recorder,
}

/// Keeps the events, and can wait for one.
#[derive(Clone, Default)]
pub(crate) struct Recorder {
    events: Arc<Mutex<Vec<TurnEvent>>>,
    more: Arc<Notify>,
}

impl Bench {
    pub(crate) async fn with(lines: impl IntoIterator<Item = Line>) -> Self {
        Self::set(WorkerConfig::default(), lines).await
    }

    /// A worker whose model is held to the schemas of its tools.
    pub(crate) async fn strict(lines: impl IntoIterator<Item = Line>) -> Self {
        let strict = ModelChoice::OpenAiStrict("scripted".to_owned());
        Self::choosing(strict, WorkerConfig::default(), lines).await
    }

    /// A worker that works in another way than it comes.
    pub(crate) async fn set(config: WorkerConfig, lines: impl IntoIterator<Item = Line>) -> Self {
        Self::choosing(ModelChoice::OpenAi("scripted".to_owned()), config, lines).await
    }

    async fn choosing(
        choice: ModelChoice,
        config: WorkerConfig,
        lines: impl IntoIterator<Item = Line>,
    ) -> Self {
        let script = Script::of(lines).await;
        let model = ModelSettings {
            choice,
            base_url: Some(script.base_url.clone()),
            key: Some("test-key".to_owned()),
        };
        Self::asking(WorkerConfig { model, ..config }, script)
    }

    /// The worker as it comes: no key, no network.
    pub(crate) async fn offline() -> Self {
        Self::asking(WorkerConfig::default(), Script::of([]).await)
    }

    fn asking(config: WorkerConfig, script: Script) -> Self {
        let (school, events) = (School::default(), Recorder::default());
        let config = WorkerConfig { max_steps: 4, ..config };
        let tools = Arc::new(InProcessTools::new(Arc::new(school.clone())));
        let sink = Arc::new(InProcessEvents::new(Arc::new(events.clone())));
        let worker = Arc::new(Worker::new(config, tools, sink).unwrap());
        Self { worker, school, script, events }
    }

    /// Runs a turn to its end and gives its events.
    pub(crate) async fn run(&self, request: Value) -> Vec<TurnEventKind> {
        let from = self.events.all().len();
        self.worker.run(packet(&request)).await;
        self.events.all().into_iter().skip(from).map(|event| event.kind).collect()
    }
}

/// The request of a turn of a head teacher on the main campus.
pub(crate) fn turn(message: &str) -> Value {
    json!({
        "threadId": "thr_1",
        "turnId": "trn_1",
        "runtimeContext": context(),
        "history": [],
        "message": message,
    })
}

/// The same turn, going on from where it waited.
pub(crate) fn resumed(events: &[TurnEventKind], call: &CallId, answer: &str) -> Value {
    let checkpoint = events.iter().find_map(|kind| match kind {
        TurnEventKind::Waiting { checkpoint } => Some(checkpoint.clone()),
        _ => None,
    });
    let mut request = turn("");
    request["firstSeq"] = json!(1000);
    request["resume"] = json!({
        "checkpoint": checkpoint.expect("the turn waits"),
        "callId": call,
        "answer": Answer::Text { text: answer.to_owned() },
    });
    request
}

/// The runtime context as the server mints it.
pub(crate) fn context() -> Value {
    json!({
        "userDetails": {
            "name": "Grace Namutebi", "email": "grace.namutebi@naalya.example",
            "userId": "usr_grace", "profileId": "prf_grace", "userType": "staff",
            "schoolId": "sch_1", "schoolName": "Naalya Hills School"
        },
        "runMode": {"mode": "campus", "campus": {"id": "cmp_main", "name": "Main Campus"}},
        "currentTime": "2026-12-01T05:05:00Z",
        "timeZone": "Africa/Kampala",
        "capabilities": {"isClassTeacher": true},
    })
}

/// The packet that brings a turn, with its signed context.
pub(crate) fn packet(request: &Value) -> WireMessage {
    WireMessage::new(encode_request(AGENT_TURN_PATTERN, request, "1"))
        .with_header(HEADER_CTX, "v4.public.token")
}

/// How a turn ended.
pub(crate) fn end(events: &[TurnEventKind]) -> EndReason {
    match events.last() {
        Some(TurnEventKind::Finished { reason, .. }) => *reason,
        other => panic!("the last event is {other:?}"),
    }
}

/// The text that the person read.
pub(crate) fn text(events: &[TurnEventKind]) -> String {
    let text = |kind: &TurnEventKind| match kind {
        TurnEventKind::TextDelta { text } => Some(text.clone()),
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

/// The error of a finished call, by the tool's name.
pub(crate) fn error(events: &[TurnEventKind], tool: &str) -> String {
    let error = |kind: &TurnEventKind| match kind {
        TurnEventKind::ToolFinished { name, result, .. } if name == tool => {
            result.error().map(str::to_owned)
        }
        _ => None,
    };
    events.iter().find_map(error).expect("the call failed")
}

/// The question that was put, and the call that put it.
pub(crate) fn question(events: &[TurnEventKind]) -> (CallId, String) {
    let question = |kind: &TurnEventKind| match kind {
        TurnEventKind::Question { call_id, question, .. } => {
            Some((call_id.clone(), question.clone()))
        }
        _ => None,
    };
    events.iter().find_map(question).expect("a question")
}

/// What the model was sent back for a call, in the last message of a request.
pub(crate) fn returned(request: &Value, tool_call_id: &str) -> String {
    let messages = request["messages"].as_array().unwrap();
    let message = messages.iter().find(|message| message["tool_call_id"] == tool_call_id);
    let content = &message.expect("a return of this call")["content"];
    content.as_str().map_or_else(|| content[0]["text"].as_str().unwrap().to_owned(), str::to_owned)
}

/// An event in a word, for tables.
pub(crate) fn word(kind: &TurnEventKind) -> String {
    let json = serde_json::to_value(kind).unwrap();
    let kind = json["kind"].as_str().unwrap().to_owned();
    match (&json["name"], &json["agent"]) {
        (Value::String(name), _) => format!("{kind} {name}"),
        (_, Value::String(agent)) => format!("{kind} {agent}"),
        _ => kind,
    }
}

/// The events in words, text in one.
pub(crate) fn words(events: &[TurnEventKind]) -> Vec<String> {
    let mut words: Vec<_> = events.iter().map(word).collect();
    words.dedup();
    words
}

/// A message of the conversation before this turn.
pub(crate) fn said(message: &HistoryMessage) -> Value {
    serde_json::to_value(message).unwrap()
}

impl Recorder {
    pub(crate) fn all(&self) -> Vec<TurnEvent> {
        self.events.lock().unwrap().clone()
    }

    /// Waits until an event like this has come.
    pub(crate) async fn until(&self, wanted: impl Fn(&TurnEventKind) -> bool) {
        loop {
            let more = self.more.notified();
            if self.all().iter().any(|event| wanted(&event.kind)) {
                return;
            }
            more.await;
        }
    }
}

impl EventEndpoint for Recorder {
    fn receive(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        let event = TurnEvent::of_message(&message).unwrap();
        self.events.lock().unwrap().push(event);
        self.more.notify_one();
        async {}.boxed()
    }
}
