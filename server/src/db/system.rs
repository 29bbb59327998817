//! The frame for rows that come before, or beside, one school: accounts, threads, turns,
//! deliveries.
//!
//! It sees those tables of every school and, on both databases, none of the school's own records.
//! Changes through it are not audited: they are the server's bookkeeping, not something that a
//! person asked to change.

use super::{DbError, Row, statements::Text, tx::Tx, value::Value};

/// A transaction over the system tables. Dropping it rolls back.
#[derive(Debug)]
pub struct SystemFrame {
    tx: Tx,
}

impl SystemFrame {
    pub(super) fn new(tx: Tx) -> Self {
        Self { tx }
    }

    pub(crate) async fn all<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Vec<T>, DbError> {
        self.tx.all(text, values).await
    }

    pub(crate) async fn optional<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Option<T>, DbError> {
        self.tx.optional(text, values).await
    }

    pub(crate) async fn execute(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<u64, DbError> {
        self.tx.execute(text, values).await
    }

    /// Keeps what was changed.
    pub async fn commit(self) -> Result<(), DbError> {
        self.tx.commit().await
    }
}
