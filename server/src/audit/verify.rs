//! Walks the audit chain and names the first row that does not hold.

use std::fmt;

use agent_contract::SchoolId;

use super::chain::{Head, Link};
use crate::db::{Database, DbError, Frame as _, TenantScope, statements::audit, values};

/// What a walk along one school's chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Chain {
    /// Every row holds, and the chain ends where it says.
    Whole {
        /// How many rows there are.
        rows: i64,
        /// Hash of the last one; empty when there is none. Kept elsewhere, it also shows a full
        /// rewrite.
        head: String,
    },
    /// The chain holds up to this row.
    Broken {
        /// Number of the first row that does not hold.
        seq: i64,
        /// What is wrong with it.
        fault: Fault,
    },
}

/// What is wrong with a row of the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The row is not there.
    Missing,
    /// The row does not follow the one before it.
    Unlinked,
    /// The row was changed after it was written.
    Altered,
    /// The row is behind the recorded end of the chain, or the end was changed.
    PastEnd,
}

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole { rows: 0, .. } => write!(f, "empty"),
            Self::Whole { rows, head } => write!(f, "whole, {rows} rows, ends in {head}"),
            Self::Broken { seq, fault } => write!(
                f,
                "broken at row {seq}: {}",
                match fault {
                    Fault::Missing => "it is missing",
                    Fault::Unlinked => "it does not follow the row before it",
                    Fault::Altered => "it was changed after it was written",
                    Fault::PastEnd => "the chain should end before it, or its end was changed",
                }
            ),
        }
    }
}

/// Walks the chain of one school.
pub async fn verify(database: &Database, school: &SchoolId) -> Result<Chain, DbError> {
    let frame = database.read(&TenantScope::new(school.clone(), None)).await?;
    let mut db = frame.session().lock().await;
    let head: Option<Head> = db.optional(audit::AUDIT_HEAD, values![]).await?;
    let end = head.unwrap_or(Head { seq: 0, hash: String::new() });

    let (mut last, mut hash) = (0, String::new());
    loop {
        let page: Vec<Link> = db.all(audit::AUDIT_PAGE, values![last]).await?;
        if page.is_empty() {
            break;
        }
        for link in page {
            let fault = if link.seq != last + 1 {
                Some(Fault::Missing)
            } else if link.prev_hash != hash {
                Some(Fault::Unlinked)
            } else if link.hash != link.expected_hash(school.as_str()) {
                Some(Fault::Altered)
            } else if link.seq > end.seq {
                Some(Fault::PastEnd)
            } else {
                None
            };
            if let Some(fault) = fault {
                return Ok(Chain::Broken { seq: last + 1, fault });
            }
            (last, hash) = (link.seq, link.hash);
        }
    }
    Ok(if last < end.seq {
        Chain::Broken { seq: last + 1, fault: Fault::Missing }
    } else if hash != end.hash {
        Chain::Broken { seq: last, fault: Fault::PastEnd }
    } else {
        Chain::Whole { rows: last, head: hash }
    })
}

/// Walks the chain of every school, by id.
pub async fn verify_all(database: &Database) -> Result<Vec<(SchoolId, Chain)>, DbError> {
    let mut walked = Vec::new();
    for school in crate::domain::schools(database).await? {
        let id = SchoolId::new(school.id).map_err(|_| DbError::Stored("a school without an id"))?;
        let chain = verify(database, &id).await?;
        walked.push((id, chain));
    }
    Ok(walked)
}
