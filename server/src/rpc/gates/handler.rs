//! Gate 9: the handler. Its errors are sentences of the domain; a panic is ours, and is answered like any other fault.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use agent_contract::{AgentCallScope, Gate, Posture, ToolCx, ToolError, ToolReply, ToolResult};
use failpoints::Point;
use futures_util::FutureExt as _;
use serde_json::Value;
use tools::campuses::Campuses as _;

use super::{Call, claim::Unrepeated, frame::Framed, posture::Permitted};
use crate::authz::{Authority as _, Clause, Condition, Field, Rights};
use crate::db::Frame;
use crate::domain::School;
use crate::rpc::{
    refusal::{Refusal, at},
    trail::Trail,
};

const GATE: Gate = Gate::Handler;

/// A call whose handler has answered, in a frame that is still open.
#[derive(Debug)]
pub(in crate::rpc) struct Handled<F, T> {
    pub(super) call: Call,
    pub(super) school: School<F>,
    pub(super) rights: Arc<Rights>,
    pub(super) ticket: T,
    pub(super) scope: AgentCallScope,
    pub(super) campus: Option<String>,
    pub(super) requested_other_campus: bool,
    pub(super) args: Value,
    pub(super) reply: ToolReply,
}

pub(in crate::rpc) async fn pass<F: Frame, T>(
    permitted: Permitted<F, T>,
    trail: &mut Trail<'_>,
) -> Result<Handled<F, T>, Refusal> {
    let Permitted { unrepeated: Unrepeated { framed, ticket }, campus } = permitted;
    let Framed { call, prepared, school, rights, .. } = framed;
    let (scope, args) = (prepared.scope.clone(), prepared.canonical.clone());
    let requested_other_campus = prepared.requested_other_campus.is_some();

    let cx = ToolCx::new(school, call.vouched.identity().clone(), scope.clone());
    let handler = async {
        if failpoints::reach(Point::Handler).await {
            return Err(ToolError::Internal);
        }
        prepared.call(&cx).await
    };
    let handler = AssertUnwindSafe(handler).catch_unwind();
    let reply = match tokio::time::timeout(call.deadline.remaining(), handler).await {
        Ok(Ok(Ok(reply))) => reply,
        Ok(Ok(Err(error))) => {
            let error = completed(error, &cx, &call, &rights).await.map_err(at(GATE))?;
            return Err(Refusal::new(GATE, &error));
        }
        Ok(Err(_)) => {
            let tool = call.def.name;
            tracing::error!(tool, "a handler panicked");
            return Err(Refusal::new(GATE, &ToolError::Internal).noting("the handler panicked"));
        }
        Err(_) => return Err(Refusal::new(GATE, &ToolError::Deadline)),
    };
    trail.passed(GATE, None);
    let school = cx.into_services();
    Ok(Handled { call, school, rights, ticket, scope, campus, requested_other_campus, args, reply })
}

/// A tool that needs a campus says so; which ones there are to choose from, only the frame knows.
async fn completed<F: Frame>(
    error: ToolError,
    cx: &ToolCx<School<F>>,
    call: &Call,
    rights: &Rights,
) -> ToolResult<ToolError> {
    let (ToolError::CampusRequired { .. }, Some(Posture::Casl { action, resource })) =
        (&error, call.def.posture)
    else {
        return Ok(error);
    };
    let condition = rights.condition(action, resource);
    let campuses = cx.services().list().await?;
    let allowed = campuses.into_iter().filter(|campus| reaches(&condition, &campus.id));
    Ok(ToolError::CampusRequired { allowed: allowed.map(|campus| campus.name).collect() })
}

/// A right that hangs on a class rather than on a campus rules no campus out.
fn reaches(condition: &Condition, campus: &str) -> bool {
    match condition {
        Condition::Nothing => false,
        Condition::Everything => true,
        Condition::AnyOf(clauses) => clauses.iter().any(|Clause { field, values }| {
            *field != Field::Campus || values.iter().any(|value| value == campus)
        }),
    }
}
