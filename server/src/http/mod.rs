//! The server's HTTP side: the chat, sign-in, REST controllers, the Hub's files, and what operators ask.
//!
//! A handler finds the person in live rows, calls a service and words the answer. It opens no frame of its own:
//! reads go through the person's, changes through [`change`].

mod api;
mod auth;
mod bearer;
mod body;
mod change;
mod chat;
mod cors;
mod departments;
mod files;
mod headers;
mod hub;
mod labels;
mod measure;
mod openapi;
mod ops;
mod path;
mod peer;
mod problem;
mod records;
mod threads;
mod throttle;
mod tools;

#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests_on_postgres;
#[cfg(test)]
#[path = "tests/mod.rs"]
mod tests_on_sqlite;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode};
use axum::routing::get;
use axum::{Json, Router};
use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::authz::Policy;
use crate::chat::{Chat, People};
use crate::db::Database;
use crate::identity::{Issuer, SignIn};
use crate::turn_log::TurnLog;

use api::Api;
pub use cors::{NoOrigin, Origin};
use openapi::{Answers, Takes, Words};
pub use problem::Problem;
use throttle::Throttle;

/// Bytes of a chat post. A client posts the whole conversation each time, and a file as a data URL, if it was not
/// uploaded before.
const CHAT_BODY: usize = 8 * 1024 * 1024;
/// Bytes of any other body.
const BODY: usize = 64 * 1024;
/// How many passwords are checked at once.
const PASSWORDS: usize = 4;

/// What the handlers share.
#[derive(Clone, Debug)]
pub struct App {
    database: Database,
    policy: Arc<Policy>,
    people: People,
    chat: Chat,
    sign_in: Arc<SignIn>,
    log: TurnLog,
    throttle: Arc<Throttle>,
    passwords: Arc<Semaphore>,
    demo: bool,
    ready: Ready,
    edge: Arc<Edge>,
}

/// How the HTTP side stands to the world.
#[derive(Clone, Debug, Default)]
pub struct Edge {
    /// Pages of these origins may call the API.
    pub origins: Vec<Origin>,
    /// Whether people reach this server over TLS only, by whatever stands in front of it.
    pub behind_tls: bool,
    /// Whose sign-in tokens are believed beside our own.
    pub issuer: Option<Arc<Issuer>>,
}

/// Whether requests are taken, and whether turns can be handed out.
#[derive(Clone)]
pub struct Ready {
    draining: CancellationToken,
    reach: Arc<dyn Fn() -> BoxFuture<'static, Reach> + Send + Sync>,
    calls: Arc<dyn Fn() -> usize + Send + Sync>,
    requests: TaskTracker,
}

/// How far this server reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Whether the broker can be used; none where there is no broker.
    pub broker: Option<bool>,
    /// Whether any worker takes turns.
    pub workers: bool,
}

impl Ready {
    /// Takes requests until `draining` is cancelled, and asks each time how far the server reaches.
    pub fn until<F>(
        draining: CancellationToken,
        reach: impl Fn() -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = Reach> + Send + 'static,
    {
        let reach = Arc::new(move || Box::pin(reach()) as BoxFuture<'static, Reach>);
        Self { draining, reach, calls: Arc::new(|| 0), requests: TaskTracker::new() }
    }

    /// The same, which also knows how many tool calls run.
    #[must_use]
    pub fn counting(self, calls: impl Fn() -> usize + Send + Sync + 'static) -> Self {
        Self { calls: Arc::new(calls), ..self }
    }

    /// The requests that were taken and have no answer yet. A stream counts until it begins.
    pub fn requests(&self) -> TaskTracker {
        self.requests.clone()
    }
}

impl App {
    /// An application over these parts. `demo` lists the demo accounts to everybody.
    pub fn new(
        database: Database,
        policy: Arc<Policy>,
        chat: Chat,
        sign_in: Arc<SignIn>,
        log: TurnLog,
        demo: bool,
        ready: Ready,
    ) -> Self {
        Self {
            people: People::new(database.clone(), Arc::clone(&policy)),
            database,
            policy,
            chat,
            sign_in,
            log,
            throttle: Arc::default(),
            passwords: Arc::new(Semaphore::new(PASSWORDS)),
            demo,
            ready,
            edge: Arc::default(),
        }
    }

    /// The same application, standing to the world like this.
    #[must_use]
    pub fn facing(self, edge: Edge) -> Self {
        Self { edge: Arc::new(edge), ..self }
    }

    /// Every address of the server.
    pub fn router(self) -> Router {
        let (router, mut described) = described().into_parts();
        let (chat, of_the_chat) = described_chat().into_parts();
        described.extend(of_the_chat);
        let (uploads, of_uploads) = described_uploads().into_parts();
        described.extend(of_uploads);
        let largest = usize::try_from(self.chat.files().limits().file).unwrap_or(usize::MAX);
        let document = openapi::document(&described, records::ENDPOINTS);
        router
            .route("/openapi.json", get(move || async move { Json(document) }))
            .merge(hub::routes())
            .layer(DefaultBodyLimit::max(BODY))
            .merge(chat.layer(DefaultBodyLimit::max(CHAT_BODY)))
            .merge(uploads.layer(DefaultBodyLimit::max(largest)))
            .fallback(|| async { Problem::not_found("page") })
            .method_not_allowed_fallback(|| async {
                Problem::new(
                    StatusCode::METHOD_NOT_ALLOWED,
                    "this address does not take that method",
                )
            })
            .layer(axum::middleware::from_fn_with_state(self.clone(), ops::while_taking))
            .layer(axum::middleware::from_fn_with_state(self.clone(), measure::count))
            .layer(cors::layer(&self.edge.origins))
            .layer(axum::middleware::from_fn_with_state(self.clone(), headers::add))
            .with_state(self)
    }
}

/// Every address but the chat's, each with what is said of it.
fn described() -> Api {
    let signed_in = Words::signed_in;
    Api::default()
        .serve_school()
        .serve(
            Method::GET,
            "/api/departments/{departmentId}",
            signed_in("One department"),
            departments::one,
        )
        .serve(
            Method::POST,
            "/api/auth/sign-in",
            Words::open("Sign in; the answer holds a bearer token")
                .taking(Takes::Json(auth::credentials_schema)),
            auth::sign_in,
        )
        .serve(
            Method::GET,
            "/api/auth/demo-accounts",
            Words::open("The accounts of the demo school, where it is planted"),
            auth::demo_accounts,
        )
        .serve(Method::GET, "/api/me", signed_in("Who one is"), auth::me)
        .serve(
            Method::GET,
            "/api/naalya-ai/chat/{id}/stream",
            signed_in("Goes on with a turn that runs; 204 if none does").answering(Answers::Events),
            chat::resume,
        )
        .serve(
            Method::POST,
            "/api/naalya-ai/chat/{id}/stop",
            signed_in("Stops a turn").with_status(StatusCode::ACCEPTED),
            chat::stop,
        )
        .serve(
            Method::GET,
            "/api/naalya-ai/attachments/{id}",
            signed_in("A file that was attached or made").answering(Answers::File),
            files::download,
        )
        .serve(
            Method::GET,
            "/api/naalya-ai/threads",
            signed_in("One's own conversations"),
            threads::list,
        )
        .serve(
            Method::GET,
            "/api/naalya-ai/threads/{id}",
            signed_in("One conversation"),
            threads::one,
        )
        .serve(
            Method::DELETE,
            "/api/naalya-ai/threads/{id}",
            signed_in("Deletes a conversation with all that was said in it")
                .answering(Answers::Nothing),
            threads::delete,
        )
        .serve(Method::GET, "/api/turns/{id}", signed_in("The trace of a turn"), threads::trace)
        .serve(Method::GET, "/api/tools", signed_in("The tools"), tools::list)
        .serve(Method::GET, "/api/tools/labels", Words::open("Labels of the tools"), labels::list)
        .serve(
            Method::GET,
            "/healthz",
            Words::open("The process answers").answering(Answers::Text),
            ops::health,
        )
        .serve(
            Method::GET,
            "/readyz",
            Words::open("Whether the server can do its work"),
            ops::ready,
        )
        .serve(
            Method::GET,
            "/metrics",
            Words::open("Counters, without a word about any person").answering(Answers::Text),
            measure::text,
        )
}

/// Bodies as large as files may be.
fn described_uploads() -> Api {
    Api::default().serve(
        Method::POST,
        "/api/naalya-ai/attachments",
        Words::signed_in("Brings a file, for a message that names it afterwards")
            .taking(Takes::File)
            .with_status(StatusCode::CREATED),
        files::upload,
    )
}

/// The chat takes larger bodies, since a client posts the whole conversation.
fn described_chat() -> Api {
    Api::default().serve(
        Method::POST,
        "/api/naalya-ai/chat",
        Words::signed_in("Says something to Rover; the answer is a stream of parts")
            .taking(Takes::Json(chat::post_schema))
            .answering(Answers::Events),
        chat::post,
    )
}

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready")
            .field("draining", &self.draining.is_cancelled())
            .finish_non_exhaustive()
    }
}
