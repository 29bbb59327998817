//! Who changed what: one row for every successful write, chained by hash, and a claim that makes a
//! call run once.
//!
//! Denied and failed attempts are not here; they go to the security log. Nothing in this module can
//! be written apart from the change that it records: a [`Ticket`] comes from the claim, an
//! [`AuditEntry`] from the ticket, and only [`crate::db::WriteFrame::commit`] takes the entry.

mod chain;
mod claim;
mod entry;
mod verify;

pub(crate) use chain::append;
pub use claim::{Call, ClaimError, Claimed, Ticket};
pub use entry::{AuditBody, AuditEntry, StoredOutcome};
pub use verify::{Chain, Fault, verify, verify_all};

#[cfg(test)]
mod tests;
