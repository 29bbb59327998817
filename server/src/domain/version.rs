//! Versions of records: a change is refused when the record is no longer the one that was seen.
//!
//! The row is compared with what the caller saw before the change, and the statement compares it once more with what was
//! read, so that of two changes at one moment one fails.

use agent_contract::{ToolError, ToolResult, Version};

use crate::db::DbError;

/// The version of a row, as it is shown.
pub(super) fn stored(version: i64) -> ToolResult<Version> {
    Version::new(version).map_err(|_| DbError::Stored("a version below 1").into())
}

/// Refuses a change of a record that is at another version than the one that was seen. Who saw none changes it whatever
/// it is.
pub(super) fn unchanged(what: &str, name: &str, now: i64, seen: Option<Version>) -> ToolResult<()> {
    match seen {
        Some(seen) if seen.number() != now => Err(ToolError::stale(format!(
            "Somebody else changed the {what} \"{name}\" since you looked: it is at version {now} by now, not {}. \
             Look at it again first.",
            seen.number()
        ))),
        _ => Ok(()),
    }
}

/// Refuses a change that found no row of the version that was read a moment ago.
pub(super) fn written(rows: u64, what: &str, name: &str) -> ToolResult<()> {
    if rows == 1 {
        return Ok(());
    }
    Err(ToolError::stale(format!(
        "Somebody else changed the {what} \"{name}\" at the same moment; look at it again first."
    )))
}
