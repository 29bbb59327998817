//! What is measured at the edge, and what is told to whoever collects it.

use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::{App, Reach};
use crate::metrics::{CONTENT_TYPE, Sight};

/// `GET /metrics`: counters without a word about any person, so that it needs no sign-in.
pub(super) async fn text(State(app): State<App>) -> impl IntoResponse {
    let Reach { broker, workers } = (app.ready.reach)().await;
    let sight = Sight {
        calls: (app.ready.calls)(),
        turns: app.chat.relay().running(),
        pools: app.database.pools(),
        broker,
        workers,
    };
    ([(header::CONTENT_TYPE, CONTENT_TYPE)], app.log.metrics().text(&sight))
}

/// Counts every answer under its route: the address itself may hold an id.
pub(super) async fn count(State(app): State<App>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = request.method().as_str().to_owned();
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let response = next.run(request).await;
    // Anybody can make up an address or a method: those that are not ours are one.
    if let Some(route) = route {
        let status = response.status().as_u16();
        let method = if status == 405 { "other" } else { method.as_str() };
        app.log.metrics().answered(method, &route, status, began.elapsed());
    }
    response
}
