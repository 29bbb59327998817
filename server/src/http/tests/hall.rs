//! A server for one test, and the worker beside it. Nothing waits for a clock: requests, dispatches and events are
//! awaited.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agent_contract::wire::{HEADER_CTX, Packet, PacketData, classify};
use agent_contract::{
    AgentToolResult, CallId, EndReason, EventTransport, HistoryMessage, Hop, InProcessEvents,
    InProcessTurns, Timestamp, TransportError, TurnEndpoint, TurnEvent, TurnEventKind, TurnId,
    TurnRequest, TurnTransport, WireMessage,
};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Request, StatusCode, header};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex as AsyncMutex, mpsc};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::authz::Policy;
use crate::chat::{Chat, Relay, SecondMessage, Threads};
use crate::db::Database;
use crate::db::testing::{Kind, Outside, Site};
use crate::http::{App, Reach, Ready};
use crate::identity::{ContextTokens, KeyPurpose, KeyRing, SignIn, VerifiedContext};
use crate::{demo, domain, turn_log::TurnLog};

pub(super) const GRACE: &str = "grace.namutebi@naalya.example";
pub(super) const DANIEL: &str = "daniel.okello@naalya.example";
pub(super) const RUTH: &str = "ruth.akello@naalya.example";
pub(super) const SARAH: &str = "sarah.nabirye@naalya.example";
pub(super) const MAIN: &str = "naalya-campus-main";
pub(super) const LAKESIDE: &str = "naalya-campus-lakeside";

/// A server over a planted database.
pub(super) struct Hall {
    pub(super) router: Router,
    pub(super) chat: Chat,
    pub(super) relay: Relay,
    pub(super) database: Database,
    pub(super) tokens: Arc<ContextTokens>,
    pub(super) sign_in: Arc<SignIn>,
    pub(super) draining: CancellationToken,
    log: TurnLog,
    worker: Arc<Worker>,
    taken: AsyncMutex<mpsc::UnboundedReceiver<WireMessage>>,
    events: InProcessEvents,
    site: Site,
    _folder: TempDir,
}

/// Records what it is handed; the test decides what comes of it.
struct Worker {
    taken: mpsc::UnboundedSender<WireMessage>,
    stopped: Mutex<Vec<TurnId>>,
}

impl TurnEndpoint for Worker {
    fn run(&self, message: WireMessage) -> BoxFuture<'_, ()> {
        self.taken.send(message).expect("the test takes turns");
        Box::pin(async {})
    }

    fn stop(&self, turn: &TurnId) {
        self.stopped.lock().unwrap().push(turn.clone());
    }
}

/// A turn that the worker took, with the next event's number.
pub(super) struct Run {
    pub(super) request: TurnRequest,
    pub(super) context: VerifiedContext,
    events: InProcessEvents,
    next: u64,
}

/// A whole response.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

/// No worker at all.
struct NoWorker;

impl TurnTransport for NoWorker {
    fn dispatch(&self, _: WireMessage) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async { Err(TransportError::NoServer) })
    }

    fn stop(&self, _: TurnId) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async { Err(TransportError::NoServer) })
    }
}

impl Hall {
    pub(super) async fn open() -> Self {
        Self::that(SecondMessage::default()).await
    }

    /// One that does this with a message that comes while a turn runs.
    pub(super) async fn that(second: SecondMessage) -> Self {
        Self::with(|worker| Arc::new(InProcessTurns::new(worker)), true, second).await
    }

    pub(super) async fn without_workers() -> Self {
        Self::with(|_| Arc::new(NoWorker), false, SecondMessage::default()).await
    }

    async fn with(
        turns: impl FnOnce(Arc<dyn TurnEndpoint>) -> Arc<dyn TurnTransport>,
        demo: bool,
        second: SecondMessage,
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let site = Site::new(Kind::of(module_path!())).await;
        let database = site.open().await;
        demo::plant(&database).await.unwrap();
        let keys = |purpose| KeyRing::open(&folder.path().join("keys"), purpose).unwrap();
        let tokens = Arc::new(ContextTokens::new(keys(KeyPurpose::Context)));
        let sign_in = Arc::new(SignIn::new(keys(KeyPurpose::SignIn), Duration::from_hours(1)));
        let (log, _writer) = TurnLog::start(&database);
        let threads = Threads::new(database.clone());
        let relay = Relay::new(threads.clone(), log.clone());
        let (sender, taken) = mpsc::unbounded_channel();
        let worker = Arc::new(Worker { taken: sender, stopped: Mutex::default() });
        let turns = turns(Arc::clone(&worker) as _);
        let longest = Duration::from_mins(5);
        let chat = Chat::new(threads, relay.clone(), Arc::clone(&tokens), turns, longest);
        let chat = chat.with_second(second);
        let policy = Arc::new(Policy::load().unwrap());
        let draining = CancellationToken::new();
        let app = App::new(
            database.clone(),
            policy,
            chat.clone(),
            Arc::clone(&sign_in),
            log.clone(),
            demo,
            Ready::until(draining.clone(), || async { Reach { broker: None, workers: true } }),
        );
        Self {
            router: app.router(),
            chat,
            events: InProcessEvents::new(Arc::new(relay.endpoint())),
            relay,
            database,
            tokens,
            sign_in,
            draining,
            log,
            worker,
            taken: AsyncMutex::new(taken),
            site,
            _folder: folder,
        }
    }

    /// Kinds of the security lines so far, in order.
    pub(super) async fn smells(&self) -> Vec<String> {
        self.log.settle().await;
        self.sql().await.texts("SELECT kind FROM security_line ORDER BY id").await
    }

    /// The database, past everything of the server.
    pub(super) async fn sql(&self) -> Outside {
        self.site.outside().await
    }

    /// A bearer token of this person, as if they had signed in just now.
    pub(super) async fn bearer(&self, email: &str) -> String {
        self.bearer_since(email, Timestamp::now()).await
    }

    /// The same of a while ago.
    pub(super) async fn bearer_since(&self, email: &str, then: Timestamp) -> String {
        let account = domain::sign_in(&self.database, email, demo::PASSWORD).await.unwrap();
        let identity = crate::http::auth::identity_of(account).unwrap();
        self.sign_in.mint(&identity, then).unwrap().token
    }

    pub(super) async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        Reply { status: parts.status, headers: parts.headers, text }
    }

    pub(super) async fn get(&self, email: &str, path: &str) -> Reply {
        let bearer = self.bearer(email).await;
        self.send(request("GET", path, Some(&bearer), None)).await
    }

    pub(super) async fn post(&self, email: &str, path: &str, body: &Value) -> Reply {
        let bearer = self.bearer(email).await;
        self.send(request("POST", path, Some(&bearer), Some(body))).await
    }

    /// Posts to the chat and reads the answer in a task of its own, since it lasts as long as its turn.
    pub(super) async fn chat(&self, email: &str, body: Value) -> JoinHandle<Reply> {
        let bearer = self.bearer(email).await;
        self.start(request("POST", "/api/naalya-ai/chat", Some(&bearer), Some(&body))).await
    }

    /// The same for any request: it has its status when this returns, and is read meanwhile.
    pub(super) async fn start(&self, request: Request<Body>) -> JoinHandle<Reply> {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        tokio::spawn(async move {
            let bytes = to_bytes(body, usize::MAX).await.unwrap();
            let text = String::from_utf8(bytes.to_vec()).unwrap();
            Reply { status: parts.status, headers: parts.headers, text }
        })
    }

    /// The next turn that was handed out.
    pub(super) async fn taken(&self) -> Run {
        let message = self.taken.lock().await.recv().await.expect("a turn is dispatched");
        let Packet::Request { data: PacketData::Json(data), pattern, .. } = classify(&message.body)
        else {
            panic!("a turn is a request")
        };
        assert_eq!(pattern.unwrap().as_str(), "agent.turn");
        let request: TurnRequest = serde_json::from_value(data).unwrap();
        let token = message.header(HEADER_CTX).expect("a turn carries its context");
        let context = self.tokens.verify(token, Timestamp::now()).unwrap();
        let next = request.first_seq;
        Run { request, context, events: self.events.clone(), next }
    }

    /// Whether a turn was handed out that nobody took.
    pub(super) async fn nothing_taken(&self) -> bool {
        self.taken.lock().await.try_recv().is_err()
    }

    pub(super) fn stopped(&self) -> Vec<TurnId> {
        self.worker.stopped.lock().unwrap().clone()
    }
}

impl Run {
    /// Publishes an event and waits until the server has it.
    pub(super) async fn say(&mut self, kind: TurnEventKind) -> TurnEvent {
        let event = TurnEvent {
            turn_id: self.request.turn_id.clone(),
            seq: self.next,
            at: Timestamp::now(),
            hop: Hop::Worker,
            kind,
        };
        self.next += 1;
        self.again(event.clone()).await;
        event
    }

    /// Publishes an event as it is.
    pub(super) async fn again(&self, event: TurnEvent) {
        self.events.publish(event).await.unwrap();
    }

    pub(super) async fn step(&mut self) {
        self.say(TurnEventKind::StepStarted { step: 0 }).await;
    }

    pub(super) async fn text(&mut self, text: &str) {
        self.say(TurnEventKind::TextDelta { text: text.into() }).await;
    }

    pub(super) async fn message(&mut self, message: HistoryMessage) -> TurnEvent {
        self.say(TurnEventKind::Message { message }).await
    }

    pub(super) async fn finish(&mut self, reason: EndReason) -> TurnEvent {
        self.say(TurnEventKind::Finished { reason, message: None }).await
    }

    /// A whole turn of one sentence.
    pub(super) async fn answer(&mut self, text: &str) {
        self.step().await;
        self.text(text).await;
        self.message(HistoryMessage::assistant(text)).await;
        self.finish(EndReason::Done).await;
    }

    /// A run that ends with a question.
    pub(super) async fn ask(&mut self, call: &str) {
        self.step().await;
        self.say(TurnEventKind::Question {
            call_id: CallId::new(call).unwrap(),
            tool_call_id: "model-1".into(),
            question: "Which campus?".into(),
            options: vec!["Main Campus".into(), "Lakeside Campus".into()],
        })
        .await;
        self.say(TurnEventKind::Waiting { checkpoint: json!({ "kept": call }) }).await;
        self.finish(EndReason::Waiting).await;
    }

    pub(super) async fn answered(&mut self, call: &str, answer: &str) {
        self.say(TurnEventKind::ToolFinished {
            call_id: CallId::new(call).unwrap(),
            name: "ask_staffer".into(),
            result: AgentToolResult::ok(json!({ "answer": answer }), "Said by the person."),
        })
        .await;
    }
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The sentence of a problem, of this status.
    pub(super) fn problem(&self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.text);
        assert_eq!(self.headers[header::CONTENT_TYPE], "application/problem+json");
        let body = self.json();
        assert_eq!(body["status"], status);
        body["detail"].as_str().unwrap().to_owned()
    }

    /// The chunks of a stream that came to its end.
    pub(super) fn chunks(&self) -> Vec<Value> {
        assert_eq!(self.status, StatusCode::OK, "{}", self.text);
        assert_eq!(self.headers[header::CONTENT_TYPE], "text/event-stream");
        let mut data: Vec<_> =
            self.text.split("\n\n").filter_map(|event| event.strip_prefix("data: ")).collect();
        assert_eq!(data.pop(), Some("[DONE]"), "{}", self.text);
        data.into_iter().map(|json| serde_json::from_str(json).unwrap()).collect()
    }

    /// The types of the chunks.
    pub(super) fn types(&self) -> Vec<String> {
        self.chunks().iter().map(|chunk| chunk["type"].as_str().unwrap().to_owned()).collect()
    }

    /// All that was said.
    pub(super) fn said(&self) -> String {
        self.chunks().iter().filter_map(|chunk| chunk["delta"].as_str()).collect()
    }

    /// Why the turn ended.
    pub(super) fn end_reason(&self) -> String {
        let chunks = self.chunks();
        chunks.last().unwrap()["messageMetadata"]["endReason"].as_str().unwrap().to_owned()
    }
}

pub(super) fn request(
    method: &str,
    path: &str,
    bearer: Option<&str>,
    body: Option<&Value>,
) -> Request<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if let Some(bearer) = bearer {
        request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
    }
    match body {
        Some(body) => request
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    }
    .unwrap()
}

/// What a client posts that says this.
pub(super) fn saying(thread: &str, text: &str) -> Value {
    json!({
        "runMode": { "mode": "school" },
        "id": thread,
        "messages": [user(text)],
        "trigger": "submit-message",
    })
}

pub(super) fn on_campus(thread: &str, text: &str, campus: &str) -> Value {
    let mut body = saying(thread, text);
    body["runMode"] = json!({ "mode": "campus", "campusId": campus });
    body
}

pub(super) fn user(text: &str) -> Value {
    json!({ "id": "u1", "role": "user", "parts": [{ "type": "text", "text": text }] })
}

/// What a client posts that answers this call.
pub(super) fn answering(thread: &str, call: &str, answer: &str) -> Value {
    let part = json!({
        "type": "tool-ask_staffer",
        "toolCallId": call,
        "state": "output-available",
        "input": { "question": "Which campus?" },
        "output": { "answer": answer },
    });
    json!({
        "runMode": { "mode": "school" },
        "id": thread,
        "messages": [user("hello"), { "id": "a1", "role": "assistant", "parts": [part] }],
        "trigger": "submit-message",
        "messageId": "a1",
    })
}
