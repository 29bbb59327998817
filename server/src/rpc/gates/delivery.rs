//! Before the frame of a write that was delivered again: count, and give up what never comes to an end.
//!
//! A classic queue counts nothing, so the count is a row, committed on its own. A handler that panics is answered and
//! never comes here; what comes here again and again takes the whole server down.

use agent_contract::{Gate, Outcome, ToolError};
use sqlx::FromRow;

use super::tenant::Tenanted;
use crate::db::{Database, DbError, TenantScope, WriteFrame, statements::turn_log, values};
use crate::domain::School;
use crate::rpc::{
    Shared, limits,
    refusal::{Refusal, at},
};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Frame;

/// A write that may be begun once more.
#[derive(Debug)]
pub(in crate::rpc) struct Counted(pub(super) Tenanted<School<WriteFrame>>);

#[derive(FromRow)]
struct Attempts {
    attempts: i64,
}

pub(in crate::rpc) async fn pass(
    shared: &Shared,
    tenanted: Tenanted<School<WriteFrame>>,
) -> Result<Counted, Refusal> {
    if !tenanted.call.redelivered {
        return Ok(Counted(tenanted));
    }
    let again = once_more(&shared.database, &tenanted.tenant, tenanted.call.id.as_str())
        .await
        .map_err(ToolError::from)
        .map_err(at(GATE))?;
    if again < limits::DELIVERIES {
        return Ok(Counted(tenanted));
    }
    let sentence = "this call was given up: it was begun several times and never came to an end, so check what \
                    was done before repeating it";
    Err(Refusal::saying(GATE, Outcome::Error, sentence)
        .noting(format!("delivered {} times", again + 1))
        .smelling(Smell::Poison))
}

async fn once_more(database: &Database, tenant: &TenantScope, call: &str) -> Result<i64, DbError> {
    let mut frame = database.system_write().await?;
    let values = values![tenant.school().as_str(), call];
    let counted: Option<Attempts> = frame.optional(turn_log::COUNT_DELIVERY, values).await?;
    frame.commit().await?;
    Ok(counted.map_or(0, |counted| counted.attempts))
}
