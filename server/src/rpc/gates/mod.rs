//! The gates of a call, one file each, in the order in which they are passed.
//!
//! Each returns a witness that only it can make and that the next one asks for. What a gate learns rides along in
//! [`Call`]; what it refuses ends the call.

pub(super) mod admission;
pub(super) mod arguments;
pub(super) mod claim;
pub(super) mod commit;
pub(super) mod delivery;
pub(super) mod frame;
pub(super) mod handler;
pub(super) mod identity;
pub(super) mod posture;
pub(super) mod tenant;
pub(super) mod token;
pub(super) mod transport;

use agent_contract::{AgentCallScope, CallId, Timestamp, ToolDefinition};

use crate::identity::Vouched;

/// What is known of a call once it is known who makes it.
#[derive(Debug)]
pub(super) struct Call {
    def: &'static ToolDefinition,
    event: &'static str,
    id: CallId,
    deadline: Timestamp,
    redelivered: bool,
    /// How often the broker says that it came before.
    broker_count: i64,
    /// How often it came before, if that is too often.
    worn_out: Option<i64>,
    vouched: Vouched,
    /// As it was signed, before any argument narrowed it.
    scope: AgentCallScope,
}
