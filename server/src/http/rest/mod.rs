//! The school over REST: an address is a tool, asked by a person instead of a model.
//!
//! The tool's definition says what is taken and answered, which right it needs and whether it writes; its handler calls
//! the service. So REST and the chat cannot differ, and an address without a description cannot be served. What HTTP
//! adds is here: ids in the address, lists in pages with a `Link`, a version as `ETag` and `If-Match`, a change that is
//! sent again under its `Idempotency-Key`, and errors as problems. Nobody is asked before a change: who sends a request
//! has decided.

pub(super) mod answer;
mod ask;
mod changes;
mod endpoint;
mod reads;
mod version;

use std::collections::HashMap;
use std::sync::Arc;

use agent_contract::{Dispatch, Route};
use axum::Router;
use axum::extract::{Request, State};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use tools::agent_tools;

use super::{App, Problem};
use crate::domain::SchoolHost;
use crate::turn_log::{SecurityLine, Smell};
pub(super) use endpoint::{ENDPOINTS, Endpoint};
use endpoint::{Run, Served};

/// Every address of the table, served.
pub(super) fn routes() -> Router<App> {
    let mut tools: HashMap<&str, Route<SchoolHost>> = agent_tools::routes::<SchoolHost>()
        .into_iter()
        .map(|route| (route.def.name, route))
        .collect();
    ENDPOINTS.iter().fold(Router::new(), |router, endpoint| {
        let run = tools.remove(endpoint.tool.as_str()).and_then(|route| match route.run {
            Dispatch::Read(prepare) => Some(Run::Read(prepare)),
            Dispatch::Write(prepare) => Some(Run::Write(prepare)),
            Dispatch::Local => None,
        });
        // A local tool has no address, and a tool has one at most; a test says so of the table.
        let (Some(run), Ok(method)) = (run, MethodFilter::try_from(endpoint.method.clone())) else {
            return router;
        };
        let served = Arc::new(Served { endpoint, run });
        router.route(
            endpoint.path,
            on(method, move |State(app): State<App>, request: Request| async move {
                serve(&app, &served, request).await
            }),
        )
    })
}

async fn serve(app: &App, served: &Served, request: Request) -> Result<Response, Problem> {
    match served.run {
        Run::Read(prepare) => reads::serve(app, served.endpoint, prepare, request).await,
        Run::Write(prepare) => changes::serve(app, served.endpoint, prepare, request).await,
    }
}

/// Writes down that somebody named a campus that is not there for them.
async fn smell(app: &App, account: &str, event: &str, campus: Option<&str>) {
    let line = SecurityLine::new(Smell::ForeignCampus)
        .with("account", account)
        .with("event", event)
        .with("campus", campus);
    app.log.smelled(line).await;
}
