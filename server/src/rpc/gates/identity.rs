//! Gate 2: the body says who calls and where, in full, and says the same as the token.
//!
//! The token never fills in for the body and never wins over it: two that differ are a forgery or a fault, and the
//! call ends.

use std::sync::Arc;

use agent_contract::lock::LockedTool;
use agent_contract::{AgentCallScope, AgentRunMode, AgentToolRequest, Gate, Outcome, RequestFault};
use serde_json::Value;

use super::{Call, token::Authentic, transport::Arrived};
use crate::identity::{VerifiedContext, Vouched};
use crate::rpc::{refusal::Refusal, routes::Run, trail::Trail};
use crate::turn_log::Smell;

const GATE: Gate = Gate::Identity;

/// A call by somebody who is vouched for.
#[derive(Debug)]
pub(in crate::rpc) struct Identified {
    pub(super) call: Call,
    pub(super) run: Run,
    pub(super) locked: Arc<LockedTool>,
    pub(super) contract: Option<String>,
    pub(super) args: Value,
}

pub(in crate::rpc) fn pass(
    authentic: Authentic<'_>,
    trail: &mut Trail<'_>,
) -> Result<Identified, Refusal> {
    let Authentic { arrived, context } = authentic;
    let Arrived { served, id, deadline, redelivered, broker_count, contract, data, .. } = arrived;
    if let Some(sub) = data.pointer("/identity/sub").and_then(Value::as_str) {
        trail.claims(sub);
    }
    let AgentToolRequest { identity, scope, args } =
        AgentToolRequest::from_data(data).map_err(|fault| malformed(&fault))?;
    let vouched = match context {
        None => Vouched::Plain(identity),
        Some(context) if *context.identity() != identity => {
            return Err(contradicts("the identity in the body is not the signed one"));
        }
        Some(context) if !is_signed(&scope, &context) => {
            return Err(contradicts("the scope in the body is not the signed run mode"));
        }
        Some(context) => Vouched::Signed(context),
    };
    trail.passed(GATE, Some(format!("{} in {}", vouched.identity().sub, scope.mode())));
    let call = Call {
        def: served.def,
        event: served.event,
        id,
        deadline,
        redelivered,
        broker_count,
        worn_out: None,
        vouched,
        scope,
    };
    Ok(Identified { call, run: served.run, locked: Arc::clone(&served.contract), contract, args })
}

fn is_signed(scope: &AgentCallScope, context: &VerifiedContext) -> bool {
    match (scope, context.run_mode()) {
        (AgentCallScope::School, AgentRunMode::School) => true,
        (AgentCallScope::Campus { campus_id }, AgentRunMode::Campus { campus }) => {
            campus_id.as_str() == campus.id
        }
        _ => false,
    }
}

fn malformed(fault: &RequestFault) -> Refusal {
    Refusal::saying(GATE, Outcome::Invalid, fault.to_string()).smelling(Smell::NoIdentity)
}

fn contradicts(note: &str) -> Refusal {
    let sentence = "the call contradicts its signed context, so it was not run";
    Refusal::saying(GATE, Outcome::Denied, sentence).noting(note).smelling(Smell::Contradiction)
}
