//! Gate 7: a write happens once. A call that was carried out before gets its stored outcome, before any other
//! question: a delete that is sent again must not be told "denied" because the record is gone.

use agent_contract::{AgentToolResult, CallId, Gate, Outcome, ToolError, canonical_hash};
use failpoints::Point;
use serde_json::json;

use super::{Call, delivery, frame::Framed};
use crate::audit::{self, ClaimError, Ticket};
use crate::db::{ReadFrame, WriteFrame};
use crate::rpc::{execute::Ending, refusal::Refusal, trail::Trail};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Claim;

/// What came of a claim.
#[expect(clippy::large_enum_variant, reason = "made once a call and taken apart at once")]
pub(in crate::rpc) enum Claimed {
    /// The call is ours to run.
    New(Unrepeated<WriteFrame, Ticket>),
    /// It ran before; this is how it ended.
    Replay(Ending),
}

/// A call that has not run before, with the ticket that its commit will ask for.
#[derive(Debug)]
pub(in crate::rpc) struct Unrepeated<F, T> {
    pub(super) framed: Framed<F>,
    pub(super) ticket: T,
}

/// A read changes nothing, so it may run as often as it is asked.
pub(in crate::rpc) fn not_needed(
    framed: Framed<ReadFrame>,
    trail: &mut Trail<'_>,
) -> Result<Unrepeated<ReadFrame, ()>, Refusal> {
    delivery::fresh(&framed.call)?;
    trail.passed(GATE, Some("a read needs no claim".to_owned()));
    Ok(Unrepeated { framed, ticket: () })
}

pub(in crate::rpc) async fn pass(
    framed: Framed<WriteFrame>,
    trail: &mut Trail<'_>,
) -> Result<Claimed, Refusal> {
    let Call { id, event, vouched, scope, .. } = &framed.call;
    let unclaimed = failpoints::reach(Point::Claim).await;
    let call = audit::Call {
        id: if unclaimed { CallId::mint() } else { id.clone() },
        actor: vouched.identity().sub.clone(),
        event: (*event).to_owned(),
        args_hash: canonical_hash(&json!({ "args": framed.prepared.canonical, "scope": scope })),
    };
    match framed.school.frame().claim(call).await {
        Ok(audit::Claimed::New(ticket)) => {
            delivery::fresh(&framed.call)?;
            trail.passed(GATE, None);
            Ok(Claimed::New(Unrepeated { framed, ticket }))
        }
        Ok(audit::Claimed::Replay(outcome)) => {
            trail.passed(GATE, Some("carried out before; the stored outcome is given".to_owned()));
            stored(&outcome).map(Claimed::Replay)
        }
        Err(error) => Err(refused(error)),
    }
}

fn stored(outcome: &audit::StoredOutcome) -> Result<Ending, Refusal> {
    let result: AgentToolResult = serde_json::from_str(outcome.as_json()).map_err(|_| {
        Refusal::new(GATE, &ToolError::Internal).noting("the stored outcome is unreadable")
    })?;
    Ok(Ending { result, outcome: Outcome::Replayed })
}

fn refused(error: ClaimError) -> Refusal {
    let taken = matches!(error, ClaimError::Taken(_));
    let refusal = Refusal::new(GATE, &error.into());
    if taken { refusal.smelling(Smell::ReusedCall) } else { refusal }
}
