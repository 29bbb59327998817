//! Gate 10: still in time; then the audit row, the outcome for replays and the change itself, in one commit.
//!
//! `scopeContext` is made here, from the frame that was used, never from what a handler believes.

use std::io::ErrorKind;

use agent_contract::{
    AgentToolResult, DataReach, Gate, Outcome, Posture, ScopeDescription, ToolError, ToolResult,
    describe_scope_context,
};
use failpoints::Point;
use tools::campuses::Campuses as _;

use super::handler::Handled;
use crate::audit::{self, AuditBody, Ticket};
use crate::authz::{Authority as _, Condition, Field};
use crate::db::{DbError, Frame, ReadFrame, WriteFrame};
use crate::rpc::{
    execute::Ending,
    refusal::{Refusal, at},
    trail::Trail,
};

const GATE: Gate = Gate::Commit;

/// Ends a read: there is nothing to keep.
pub(in crate::rpc) async fn read(
    handled: Handled<ReadFrame, ()>,
    trail: &mut Trail<'_>,
) -> Result<Ending, Refusal> {
    in_time(&handled)?;
    let result = result(&handled).await.map_err(at(GATE))?;
    trail.passed(GATE, Some("nothing to commit".to_owned()));
    Ok(Ending { result, outcome: Outcome::Ok })
}

/// Ends a write: exactly one audit row, with the change that it records.
pub(in crate::rpc) async fn write(
    handled: Handled<WriteFrame, Ticket>,
    trail: &mut Trail<'_>,
) -> Result<Ending, Refusal> {
    in_time(&handled)?;
    if handled.reply.subjects.is_empty() {
        return Err(Refusal::saying(GATE, Outcome::Error, "there was nothing to change"));
    }
    let result = result(&handled).await.map_err(at(GATE))?;
    let Handled { call, school, ticket, scope, args, reply, .. } = handled;
    let detail = reply.subjects.iter().map(|subject| format!("{} {}", subject.kind, subject.id));
    let detail = detail.collect::<Vec<_>>().join(", ");
    let body = AuditBody {
        subjects: reply.subjects,
        args,
        scope,
        via: call.def.name.to_owned(),
        turn_id: call.vouched.context().map(|context| context.turn().to_string()),
    };
    let fail = |error: DbError| Refusal::new(GATE, &error.into());
    let entry = ticket.entry(&body).map_err(fail)?;
    let outcome = audit::StoredOutcome::of(&result).map_err(fail)?;
    if failpoints::reach(Point::BeforeCommit).await {
        return Err(Refusal::new(GATE, &ToolError::Internal));
    }
    school.into_frame().commit(entry, outcome).await.map_err(uncertain)?;
    if failpoints::reach(Point::AfterCommit).await {
        return Err(uncertain(sqlx::Error::Io(ErrorKind::BrokenPipe.into()).into()));
    }
    trail.passed(GATE, detail);
    Ok(Ending { result, outcome: Outcome::Ok })
}

fn in_time<F, T>(handled: &Handled<F, T>) -> Result<(), Refusal> {
    if handled.call.deadline.remaining().is_zero() {
        return Err(Refusal::new(GATE, &ToolError::Deadline));
    }
    Ok(())
}

/// A connection that breaks during a commit leaves open whether it was kept; only the same call id can tell.
fn uncertain(error: DbError) -> Refusal {
    match error {
        DbError::Away(_) => {
            let sentence = "the connection to the database broke at the last moment; it may or may not have been \
                            done, so check before repeating";
            Refusal::saying(GATE, Outcome::Error, sentence)
                .noting("the commit was not confirmed")
                .unconfirmed()
        }
        other => Refusal::new(GATE, &other.into()),
    }
}

async fn result<F: Frame, T>(handled: &Handled<F, T>) -> ToolResult<AgentToolResult> {
    let description = ScopeDescription {
        mode: handled.scope.mode(),
        campus_name: handled.campus.as_deref(),
        requested_other: handled.requested_other_campus,
        reach: reach(handled).await?,
    };
    Ok(AgentToolResult::ok(handled.reply.data.clone(), describe_scope_context(&description)))
}

/// How much of the frame the caller could see through this tool.
async fn reach<F: Frame, T>(handled: &Handled<F, T>) -> ToolResult<DataReach> {
    let Some(Posture::Casl { action, resource }) = handled.call.def.posture else {
        return Ok(DataReach::OwnRecords);
    };
    let clauses = match handled.rights.condition(action, resource) {
        Condition::Everything => return Ok(DataReach::Everything),
        // Nothing was granted and yet the posture passed: the frame then showed nothing at all.
        Condition::Nothing => return Ok(DataReach::OwnRecords),
        Condition::AnyOf(clauses) => clauses,
    };
    let Some(campuses) = clauses.iter().find(|clause| clause.field == Field::Campus) else {
        return Ok(DataReach::OwnClasses);
    };
    if handled.campus.is_some() {
        return Ok(DataReach::Campuses(Vec::new()));
    }
    let visible = handled.school.list().await?;
    let names = visible.into_iter().filter(|campus| campuses.values.contains(&campus.id));
    Ok(DataReach::Campuses(names.map(|campus| campus.name).collect()))
}
