//! Before the frame of a call that was delivered again: count, and give up what never comes to an end.
//!
//! A classic queue counts nothing, so the count is a row, committed on its own; a quorum queue's own count is believed
//! where it is higher. A handler that panics is answered and never comes here; what comes here again and again takes the
//! whole server down. One that is worn out may have been kept all the same, and died while it was told: so it still
//! comes to its claim, which knows, and only one that has nothing to show ends there.

use agent_contract::{Gate, Outcome, ToolError};
use sqlx::FromRow;

use super::{Call, tenant::Tenanted};
use crate::db::{Database, DbError, TenantScope, statements::turn_log, values};
use crate::rpc::{
    Shared, limits,
    refusal::{Refusal, at},
};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Frame;

/// A call that may be begun once more, or whose claim is to be looked at once more.
#[derive(Debug)]
pub(in crate::rpc) struct Counted<S>(pub(super) Tenanted<S>);

#[derive(FromRow)]
struct Attempts {
    attempts: i64,
}

pub(in crate::rpc) async fn pass<S>(
    shared: &Shared,
    mut tenanted: Tenanted<S>,
) -> Result<Counted<S>, Refusal> {
    if !tenanted.call.redelivered {
        return Ok(Counted(tenanted));
    }
    let again = once_more(&shared.database, &tenanted.tenant, tenanted.call.id.as_str())
        .await
        .map_err(ToolError::from)
        .map_err(at(GATE))?;
    let again = again.max(tenanted.call.broker_count);
    if again >= limits::DELIVERIES {
        tenanted.call.worn_out = Some(again);
    }
    // Not even its claim came to an end.
    if again >= 2 * limits::DELIVERIES { Err(given_up(again)) } else { Ok(Counted(tenanted)) }
}

/// Refuses what has been begun too often already.
pub(super) fn fresh(call: &Call) -> Result<(), Refusal> {
    call.worn_out.map_or(Ok(()), |again| Err(given_up(again)))
}

fn given_up(again: i64) -> Refusal {
    let sentence = "this call was given up: it was begun several times and never came to an end, so check what \
                    was done before repeating it";
    Refusal::saying(GATE, Outcome::Error, sentence)
        .noting(format!("delivered {} times", again + 1))
        .smelling(Smell::Poison)
}

async fn once_more(database: &Database, tenant: &TenantScope, call: &str) -> Result<i64, DbError> {
    let mut frame = database.system_write().await?;
    let values = values![tenant.school().as_str(), call];
    let counted: Option<Attempts> = frame.optional(turn_log::COUNT_DELIVERY, values).await?;
    frame.commit().await?;
    Ok(counted.map_or(0, |counted| counted.attempts))
}
