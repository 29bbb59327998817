//! For whoever runs the server: is the process alive, and can it do its work?

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;

use super::App;

#[derive(Serialize)]
pub(super) struct Health {
    status: &'static str,
    database: bool,
    workers: bool,
}

/// `GET /healthz`: the process answers.
pub(super) async fn health() -> &'static str {
    "ok"
}

/// `GET /readyz`: the database answers, and turns can be handed out.
pub(super) async fn ready(State(app): State<App>) -> (StatusCode, Json<Health>) {
    let (database, workers) = (app.database.system_read().await.is_ok(), app.ready.holds());
    let (status, word) = if database && workers {
        (StatusCode::OK, "ready")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "not ready")
    };
    (status, Json(Health { status: word, database, workers }))
}
