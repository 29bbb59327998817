//! What one audit row says.

use agent_contract::{AgentCallScope, Subject};
use serde::Serialize;
use serde_json::Value;

use super::{Call, Ticket};
use crate::db::DbError;

/// The content of an audit row. It is kept as text, because its exact bytes are hashed.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditBody {
    /// What was changed.
    pub subjects: Vec<Subject>,
    /// The arguments, after repair.
    pub args: Value,
    /// What the call was pinned to.
    pub scope: AgentCallScope,
    /// How it came: the tool's name, or the controller's method and path.
    pub via: String,
    /// The turn it belongs to; none for a controller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_id: Option<String>,
}

/// One audit row about to be written, for the call that was claimed.
#[derive(Debug)]
pub struct AuditEntry {
    pub(super) call: Call,
    pub(super) body: String,
}

impl Ticket {
    /// Spends the ticket on the audit entry of the claimed call.
    pub fn entry(self, body: &AuditBody) -> Result<AuditEntry, DbError> {
        let body = serde_json::to_string(body)
            .map_err(|_| DbError::Stored("an audit entry could not be written as JSON"))?;
        Ok(AuditEntry { call: self.0, body })
    }
}

/// What a call answered, as the exact JSON that a replay gives back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredOutcome(String);

impl StoredOutcome {
    /// Keeps a reply.
    pub fn of(reply: &impl Serialize) -> Result<Self, DbError> {
        serde_json::to_string(reply)
            .map(Self)
            .map_err(|_| DbError::Stored("a reply could not be written as JSON"))
    }

    pub(super) fn stored(json: String) -> Self {
        Self(json)
    }

    /// The reply as JSON text.
    pub fn as_json(&self) -> &str {
        &self.0
    }
}
