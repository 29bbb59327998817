//! A change: the same frame, rights, claim, audit row and commit as a change by the chat.
//!
//! The call id is made of the person and their `Idempotency-Key`, so that a request that is sent again is answered
//! as it was the first time, and one person's key is no other's. Without a key the id is new each time.

use std::sync::Arc;

use agent_contract::{
    AgentCallScope, CallId, Posture, Prepare, ToolCx, ToolError, ToolReply, canonical_hash,
    sha256_hex,
};
use axum::RequestExt as _;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde_json::{Value, json};

use super::endpoint::Endpoint;
use super::{answer, ask, smell};
use crate::audit::{AuditBody, Call, Claimed, StoredOutcome, Ticket};
use crate::authz::{Caller, Rights};
use crate::chat::{Person, PersonFault};
use crate::db::{Frame as _, TenantScope, WriteFrame};
use crate::domain::{self, School};
use crate::http::{App, Problem};

/// As many bytes as a key may have.
const LONGEST_KEY: usize = 255;

pub(super) async fn serve(
    app: &App,
    endpoint: &Endpoint,
    prepare: Prepare<School<WriteFrame>>,
    mut request: Request,
) -> Result<Response, Problem> {
    let key = key(request.headers())?;
    let person: Person = request.extract_parts_with_state(app).await?;
    let args = ask::arguments(endpoint, app, request).await?;
    let prepared = ask::as_they_are(prepare(args, &AgentCallScope::School)?)?;
    let identity = person.identity().clone();
    let tenant =
        TenantScope::new(person.owner().school.clone(), prepared.scope.campus_id().cloned());
    // A reader's frame stays where it was when it began; the change needs rows of now.
    drop(person);
    let mut frame = app.database.write(&tenant).await?;
    let row = domain::caller(frame.session(), &identity).await?.ok_or(PersonFault::Gone)?;
    let rights = Rights::new(Arc::clone(&app.policy), Caller::from(&row));
    frame.bind(Arc::new(rights.clone()));

    let args = prepared.canonical.clone();
    let call = Call {
        id: call_id(&identity.sub, endpoint.event(), key.as_deref()),
        actor: identity.sub.clone(),
        event: endpoint.event().to_owned(),
        args_hash: canonical_hash(&json!({ "args": args, "via": endpoint.via() })),
    };
    let ticket = match frame.claim(call).await.map_err(ToolError::from)? {
        Claimed::New(ticket) => ticket,
        Claimed::Replay(outcome) => {
            return Ok(answer::of_change(endpoint.status, outcome.as_json()));
        }
    };
    if let Some(Posture::Casl { action, resource }) = endpoint.def().posture {
        rights.demand(action, resource)?;
    }
    let cx = ToolCx::new(School::new(frame), identity, prepared.scope.clone());
    let reply = match prepared.call(&cx).await {
        Ok(reply) => reply,
        Err(error) => {
            let account = cx.identity().sub.clone();
            // The writer of the log needs the lock that the frame holds.
            drop(cx);
            if let ToolError::NotFound { what: "campus", id } = &error {
                smell(app, &account, endpoint.event(), id.as_deref()).await;
            }
            return Err(error.into());
        }
    };
    let outcome = commit(endpoint, cx.into_services(), ticket, args, reply).await?;
    Ok(answer::of_change(endpoint.status, outcome.as_json()))
}

async fn commit(
    endpoint: &Endpoint,
    school: School<WriteFrame>,
    ticket: Ticket,
    args: Value,
    reply: ToolReply,
) -> Result<StoredOutcome, Problem> {
    let body = AuditBody {
        subjects: reply.subjects,
        args,
        scope: AgentCallScope::School,
        via: endpoint.via(),
        turn_id: None,
    };
    let entry = ticket.entry(&body)?;
    let outcome = StoredOutcome::of(&reply.data)?;
    school.into_frame().commit(entry, outcome.clone()).await?;
    Ok(outcome)
}

fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let Some(value) = headers.get("idempotency-key") else { return Ok(None) };
    let text = value.to_str().ok().map(str::trim);
    match text.filter(|text| !text.is_empty() && text.len() <= LONGEST_KEY) {
        Some(text) => Ok(Some(text.to_owned())),
        None => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            format!("`Idempotency-Key` must be 1 to {LONGEST_KEY} visible characters"),
        )),
    }
}

/// Apart from every tool call's id, which is the hash of other parts.
fn call_id(actor: &str, event: &str, key: Option<&str>) -> CallId {
    let digest =
        key.map(|key| sha256_hex(json!(["rest", actor, event, key]).to_string().as_bytes()));
    digest.and_then(|digest| CallId::new(digest).ok()).unwrap_or_else(CallId::mint)
}
