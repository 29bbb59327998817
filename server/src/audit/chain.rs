//! The hash chain of one school: each row hashes the one before it, so a changed, missing or
//! swapped row shows.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};
use sqlx::FromRow;

use super::{AuditEntry, StoredOutcome};
use crate::db::{DbError, TenantScope, Tx, statements::audit, values};

/// Says what is hashed, and by which rule; a new rule gets a new tag.
const DOMAIN: &str = "rover.audit.v1";

/// The last row of a chain.
#[derive(FromRow)]
pub(super) struct Head {
    pub(super) seq: i64,
    pub(super) hash: String,
}

/// A row of the chain as it is stored.
#[derive(Debug, FromRow)]
pub(super) struct Link {
    pub(super) seq: i64,
    pub(super) call_id: String,
    pub(super) event: String,
    pub(super) actor: String,
    pub(super) at_us: i64,
    pub(super) body: String,
    pub(super) prev_hash: String,
    pub(super) hash: String,
}

impl Link {
    /// The hash that this row must carry in the chain of `school`.
    pub(super) fn expected_hash(&self, school: &str) -> String {
        let mut hash = Sha256::new();
        let (seq, at) = (self.seq.to_string(), self.at_us.to_string());
        // Each field goes in with its length: two rows with shifted borders must not hash alike.
        for field in [
            DOMAIN,
            &self.prev_hash,
            school,
            &seq,
            &self.call_id,
            &self.event,
            &self.actor,
            &at,
            &self.body,
        ] {
            hash.update((field.len() as u64).to_be_bytes());
            hash.update(field.as_bytes());
        }
        hex::encode(hash.finalize())
    }
}

/// Adds the entry to its school's chain and keeps the outcome of its call. Only the frame's commit
/// calls it.
pub(crate) async fn append(
    tx: &mut Tx,
    scope: &TenantScope,
    entry: AuditEntry,
    outcome: StoredOutcome,
) -> Result<(), DbError> {
    let school = scope.school().as_str();
    let AuditEntry { call, body } = entry;
    let head: Head = tx
        .optional(audit::ADVANCE_HEAD, values![school])
        .await?
        .ok_or(DbError::Stored("the end of the audit chain is missing"))?;
    let mut link = Link {
        seq: head.seq,
        call_id: call.id.into(),
        event: call.event,
        actor: call.actor,
        at_us: Timestamp::now().as_microsecond(),
        body,
        prev_hash: head.hash,
        hash: String::new(),
    };
    link.hash = link.expected_hash(school);

    let row = values![
        school,
        link.seq,
        &link.call_id,
        &link.event,
        &link.actor,
        link.at_us,
        link.body,
        link.prev_hash,
        &link.hash,
    ];
    tx.execute(audit::APPEND_AUDIT, row).await?;
    tx.execute(audit::SET_HEAD, values![school, link.hash]).await?;
    let kept =
        tx.execute(audit::KEEP_OUTCOME, values![school, link.call_id, outcome.as_json()]).await?;
    // The ticket was made in another frame, whose claim is not in this transaction.
    if kept == 1 { Ok(()) } else { Err(DbError::Stored("the call was not claimed in this frame")) }
}
