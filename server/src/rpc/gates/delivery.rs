//! Before the frame of a call that was delivered again: count, and give up what never comes to an end.
//!
//! A classic queue counts nothing, so the count is a row, committed on its own; a quorum queue's own count is believed
//! where it is higher. What came to an end, be it a refusal or a panic, is forgiven: it comes again because a connection
//! broke, and not because it took a whole server down. One that is worn out may have been kept all the same, and died while it was told: so it still
//! comes to its claim, which knows, and only one that has nothing to show ends there.

use agent_contract::{CallId, Gate, Outcome, ToolError};
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

/// A delivery that was counted, and that is forgiven when it comes to its end.
#[derive(Debug)]
pub(in crate::rpc) struct Begun {
    tenant: TenantScope,
    call: CallId,
}

impl Begun {
    /// It came to its end. That nobody wrote this down costs a later delivery one try, no more.
    pub(in crate::rpc) async fn ended(self, shared: &Shared) {
        if let Err(error) = forgive(&shared.database, &self.tenant, self.call.as_str()).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "a delivery that ended is still counted"
            );
        }
    }
}

pub(in crate::rpc) async fn pass<S>(
    shared: &Shared,
    mut tenanted: Tenanted<S>,
    begun: &mut Option<Begun>,
) -> Result<Counted<S>, Refusal> {
    if !tenanted.call.redelivered {
        return Ok(Counted(tenanted));
    }
    let again = once_more(&shared.database, &tenanted.tenant, tenanted.call.id.as_str())
        .await
        .map_err(ToolError::from)
        .map_err(at(GATE))?;
    *begun = Some(Begun { tenant: tenanted.tenant.clone(), call: tenanted.call.id.clone() });
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

async fn forgive(database: &Database, tenant: &TenantScope, call: &str) -> Result<(), DbError> {
    let mut frame = database.system_write().await?;
    frame.execute(turn_log::FORGIVE_DELIVERY, values![tenant.school().as_str(), call]).await?;
    frame.commit().await
}

async fn once_more(database: &Database, tenant: &TenantScope, call: &str) -> Result<i64, DbError> {
    let mut frame = database.system_write().await?;
    let values = values![tenant.school().as_str(), call];
    let counted: Option<Attempts> = frame.optional(turn_log::COUNT_DELIVERY, values).await?;
    frame.commit().await?;
    Ok(counted.map_or(0, |counted| counted.attempts))
}
