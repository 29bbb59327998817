//! A change by a controller: the same frame, rights, claim, audit row and commit as a change by a tool.
//!
//! The call id is made of the person and their `Idempotency-Key`, so that a request that is sent again is answered
//! as it was the first time, and one person's key is no other's. Without a key the id is new each time.

use std::sync::Arc;

use agent_contract::{
    AgentCallScope, AgentIdentity, CallId, Prepared, Subject, ToolCx, ToolDefinition, ToolError,
    canonical_hash, sha256_hex,
};
use axum::extract::FromRequestParts;
use axum::http::{HeaderMap, StatusCode, request::Parts};
use serde_json::{Value, json};

use super::{App, Problem};
use crate::audit::{AuditBody, Call, Claimed, StoredOutcome, Ticket};
use crate::authz::{Caller, Rights};
use crate::chat::{Person, PersonFault};
use crate::db::{Frame as _, TenantScope, WriteFrame};
use crate::domain::{self, School};
use crate::turn_log::{SecurityLine, Smell};

/// As many bytes as a key may have.
const LONGEST_KEY: usize = 255;

/// Who asks for a change, and under which key.
#[derive(Debug)]
pub(super) struct Asker {
    pub(super) person: Person,
    key: Option<String>,
}

impl FromRequestParts<App> for Asker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let key = key(&parts.headers)?;
        Ok(Self { person: Person::from_request_parts(parts, app).await?, key })
    }
}

/// Carries out what a tool does, by the tool's own handler, or answers what came of it the first time.
pub(super) async fn carry_out_tool(
    app: &App,
    asker: Asker,
    def: &'static ToolDefinition,
    prepared: Prepared<School<WriteFrame>>,
    via: String,
) -> Result<StoredOutcome, Problem> {
    let event = def.event.unwrap_or(def.name);
    let deed = Deed { event, via, args: prepared.canonical.clone() };
    let Open { frame, ticket, rights, identity } = match begin(app, asker, &deed).await? {
        Begun::New(open) => *open,
        Begun::Repeated(outcome) => return Ok(outcome),
    };
    rights.admit(def.posture)?;
    let cx = ToolCx::new(School::new(frame), identity.clone(), AgentCallScope::School);
    let reply = match prepared.call(&cx).await {
        Ok(reply) => reply,
        Err(error) => {
            drop(cx);
            return Err(failed(app, &identity, event, error).await);
        }
    };
    let outcome = StoredOutcome::of(&reply.data)?;
    commit(cx.into_services(), ticket, deed, reply.subjects, outcome.clone()).await?;
    Ok(outcome)
}

/// What is asked for, for the claim and the audit row.
struct Deed {
    event: &'static str,
    via: String,
    args: Value,
}

/// A frame in which the change may be made, or what came of it the first time.
enum Begun {
    New(Box<Open>),
    Repeated(StoredOutcome),
}

struct Open {
    frame: WriteFrame,
    ticket: Ticket,
    rights: Rights,
    identity: AgentIdentity,
}

async fn begin(app: &App, Asker { person, key }: Asker, deed: &Deed) -> Result<Begun, Problem> {
    let identity = person.identity().clone();
    let tenant = TenantScope::new(person.owner().school.clone(), None);
    // A reader's frame stays where it was when it began; the change needs rows of now.
    drop(person);
    let mut frame = app.database.write(&tenant).await?;
    let row = domain::caller(frame.session(), &identity).await?.ok_or(PersonFault::Gone)?;
    let rights = Rights::new(Arc::clone(&app.policy), Caller::from(&row));
    frame.bind(Arc::new(rights.clone()));
    let call = Call {
        id: call_id(&identity.sub, deed.event, key.as_deref()),
        actor: identity.sub.clone(),
        event: deed.event.to_owned(),
        args_hash: canonical_hash(&json!({ "args": deed.args, "via": deed.via })),
    };
    match frame.claim(call).await.map_err(ToolError::from)? {
        Claimed::New(ticket) => Ok(Begun::New(Box::new(Open { frame, ticket, rights, identity }))),
        Claimed::Replay(outcome) => Ok(Begun::Repeated(outcome)),
    }
}

/// The problem that a service's error is. The writer of the log needs the lock that a frame holds, so the frame is gone
/// by now.
async fn failed(app: &App, identity: &AgentIdentity, event: &str, error: ToolError) -> Problem {
    if let ToolError::NotFound { what: "campus", id } = &error {
        smell(app, &identity.sub, event, id.as_deref()).await;
    }
    error.into()
}

/// Writes down that somebody named a campus that is not there for them.
pub(super) async fn smell(app: &App, account: &str, event: &str, campus: Option<&str>) {
    let line = SecurityLine::new(Smell::ForeignCampus)
        .with("account", account)
        .with("event", event)
        .with("campus", campus);
    app.log.smelled(line).await;
}

async fn commit(
    school: School<WriteFrame>,
    ticket: Ticket,
    deed: Deed,
    subjects: Vec<Subject>,
    outcome: StoredOutcome,
) -> Result<(), Problem> {
    let body = AuditBody {
        subjects,
        args: deed.args,
        scope: AgentCallScope::School,
        via: deed.via,
        turn_id: None,
    };
    let entry = ticket.entry(&body)?;
    school.into_frame().commit(entry, outcome).await?;
    Ok(())
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
