//! What rides every call of a turn.
//!
//! All of it comes from the runtime context and the message that brought the turn. Nothing here
//! has ever been near a model.

use agent_contract::wire::{HEADER_CTX, HEADER_TRACEPARENT};
use agent_contract::{
    AgentCallScope, AgentIdentity, AgentRuntimeContext, Timestamp, WireMessage, resolve_call_scope,
    resolve_identity,
};

/// Who calls, from where, and until when.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who is chatting.
    pub identity: AgentIdentity,
    /// Which campus the calls are pinned to.
    pub scope: AgentCallScope,
    /// The signed context, passed on as it came. The worker can neither read nor make one.
    pub token: Option<String>,
    /// The trace that the turn belongs to.
    pub traceparent: Option<String>,
    /// When the turn must be over.
    pub deadline: Timestamp,
    /// How often the run was taken over from a worker that was lost.
    pub takeover: u32,
}

impl Caller {
    /// The caller of the turn that `message` brought.
    pub fn of(context: &AgentRuntimeContext, message: &WireMessage, deadline: Timestamp) -> Self {
        let header = |name| message.header(name).map(str::to_owned);
        Self {
            identity: resolve_identity(context),
            scope: resolve_call_scope(context),
            token: header(HEADER_CTX),
            traceparent: header(HEADER_TRACEPARENT),
            deadline,
            takeover: 0,
        }
    }
}
