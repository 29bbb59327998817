//! For whoever runs the server: is the process alive, and can it do its work?

use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use super::{App, Problem, Reach};

/// When to ask again a server that is on its way out; another one may take the address sooner.
const AGAIN: HeaderValue = HeaderValue::from_static("5");
/// How long the database may take to answer; whoever asks gives up soon after.
const ANSWERING: Duration = Duration::from_secs(2);

#[derive(Serialize)]
pub(super) struct Health {
    status: &'static str,
    database: bool,
    policy: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    broker: Option<bool>,
    workers: bool,
}

/// `GET /healthz`: the process answers.
pub(super) async fn health() -> &'static str {
    "ok"
}

/// `GET /readyz`: requests are taken, the database answers, the policy decides, and calls are taken from the broker. Without a worker there is no
/// chat, but everything else there is, and a server that nobody is led to could not say so: it stays ready and tells.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, Json<Health>) {
    let asked = tokio::time::timeout(ANSWERING, app.database.answers()).await;
    let database = asked.is_ok_and(|answered| answered.is_ok());
    let policy = app.policy.decides();
    let Reach { broker, workers } = (app.ready.reach)().await;
    let (status, word) = if app.ready.draining.is_cancelled() {
        (StatusCode::SERVICE_UNAVAILABLE, "draining")
    } else if !database || !policy || broker == Some(false) {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    } else if !workers {
        (StatusCode::OK, "no workers")
    } else {
        (StatusCode::OK, "ready")
    };
    (status, Json(Health { status: word, database, policy, broker, workers }))
}

/// A server that drains still says how it is, and begins nothing. What runs goes on.
pub(super) async fn while_taking(State(app): State<App>, request: Request, next: Next) -> Response {
    // Counted before it is decided, so whoever drains and then sees none has seen them all.
    let _counted = app.ready.requests.token();
    let about_itself = matches!(request.uri().path(), "/healthz" | "/readyz" | "/metrics");
    if about_itself || !app.ready.draining.is_cancelled() {
        return next.run(request).await;
    }
    let sentence = "Rover is shutting down; try again in a moment";
    let mut refused = Problem::new(StatusCode::SERVICE_UNAVAILABLE, sentence).into_response();
    refused.headers_mut().insert(header::RETRY_AFTER, AGAIN);
    refused
}
