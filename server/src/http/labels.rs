//! What the Hub calls each tool while it runs: the registry's labels, and the verbs for names it does not know.

use std::collections::BTreeMap;

use agent_contract::VERBS;
use axum::Json;
use serde::Serialize;
use tools::agent_tools;

#[derive(Serialize)]
pub(super) struct Labels {
    /// By name of the tool.
    labels: BTreeMap<&'static str, &'static str>,
    /// The word for work in progress, by verb.
    verbs: BTreeMap<&'static str, &'static str>,
}

/// `GET /api/tools/labels`
pub(super) async fn list() -> Json<Labels> {
    Json(Labels {
        labels: agent_tools::DEFS.iter().map(|def| (def.name, def.label)).collect(),
        verbs: VERBS.iter().map(|verb| (verb.word, verb.ing)).collect(),
    })
}
