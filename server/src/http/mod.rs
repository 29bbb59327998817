//! The server's HTTP side: the chat, sign-in, REST controllers, the Hub's files, and what operators ask.
//!
//! A handler finds the person in live rows, calls a service and words the answer. It opens no frame of its own:
//! reads go through the person's, changes through [`change`].

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

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::routing::{get, post};
use futures_util::future::BoxFuture;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::authz::Policy;
use crate::chat::{Chat, People};
use crate::db::Database;
use crate::identity::{Issuer, SignIn};
use crate::turn_log::TurnLog;

pub use cors::{NoOrigin, Origin};
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
        let chat = Router::new()
            .route("/api/naalya-ai/chat", post(chat::post))
            .layer(DefaultBodyLimit::max(CHAT_BODY));
        let largest = usize::try_from(self.chat.files().limits().file).unwrap_or(usize::MAX);
        let uploads = Router::new()
            .route("/api/naalya-ai/attachments", post(files::upload))
            .layer(DefaultBodyLimit::max(largest));
        Router::new()
            .route("/api/auth/sign-in", post(auth::sign_in))
            .route("/api/auth/demo-accounts", get(auth::demo_accounts))
            .route("/api/me", get(auth::me))
            .route("/api/naalya-ai/chat/{id}/stream", get(chat::resume))
            .route("/api/naalya-ai/chat/{id}/stop", post(chat::stop))
            .route("/api/naalya-ai/attachments/{id}", get(files::download))
            .route("/api/naalya-ai/threads", get(threads::list))
            .route("/api/naalya-ai/threads/{id}", get(threads::one).delete(threads::delete))
            .route("/api/turns/{id}", get(threads::trace))
            .route("/api/tools", get(tools::list))
            .route("/api/tools/labels", get(labels::list))
            .route("/api/departments", get(departments::list).post(departments::create))
            .route(
                "/api/departments/{id}",
                get(departments::one).patch(departments::rename).delete(departments::archive),
            )
            .route("/healthz", get(ops::health))
            .route("/readyz", get(ops::ready))
            .route("/metrics", get(measure::text))
            .merge(records::routes())
            .merge(hub::routes())
            .layer(DefaultBodyLimit::max(BODY))
            .merge(chat)
            .merge(uploads)
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

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready")
            .field("draining", &self.draining.is_cancelled())
            .finish_non_exhaustive()
    }
}
