//! One open transaction on either database, and the three questions that can be put to it.
//!
//! The enum is opened here once; everything above writes one statement and one row type for both.

use sqlx::{
    FromRow, Postgres, Sqlite, Transaction, postgres::PgRow, query_as_with, query_with,
    sqlite::SqliteRow,
};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    DbError,
    statements::Text,
    value::{Value, arguments},
};

/// A row type that both databases can fill.
pub(crate) trait Row:
    for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{
}

impl<T> Row for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin
{}

/// An open transaction; dropping it rolls back.
#[derive(Debug)]
pub(crate) enum Tx {
    /// The permit of a writer keeps the one write lock of the file; readers hold none.
    Sqlite(Transaction<'static, Sqlite>, Option<OwnedSemaphorePermit>),
    Postgres(Transaction<'static, Postgres>),
}

/// Runs the same call on whichever database this is.
macro_rules! on_either {
    ($tx:expr, $values:expr, |$connection:ident, $arguments:ident| $call:expr) => {
        match $tx {
            Tx::Sqlite(tx, _) => {
                let ($connection, $arguments) = (&mut **tx, bound::<Sqlite>($values)?);
                $call
            }
            Tx::Postgres(tx) => {
                let ($connection, $arguments) = (&mut **tx, bound::<Postgres>($values)?);
                $call
            }
        }
    };
}

impl Tx {
    /// Every row.
    pub(crate) async fn all<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Vec<T>, DbError> {
        Ok(on_either!(self, values, |connection, arguments| {
            query_as_with(text.sql(), arguments).fetch_all(connection).await?
        }))
    }

    /// The first row, if there is one.
    pub(crate) async fn optional<T: Row>(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<Option<T>, DbError> {
        Ok(on_either!(self, values, |connection, arguments| {
            query_as_with(text.sql(), arguments).fetch_optional(connection).await?
        }))
    }

    /// How many rows a statement without answer touched.
    pub(crate) async fn execute(
        &mut self,
        text: impl Text,
        values: Vec<Value>,
    ) -> Result<u64, DbError> {
        Ok(on_either!(self, values, |connection, arguments| {
            query_with(text.sql(), arguments).execute(connection).await?.rows_affected()
        }))
    }

    pub(super) async fn commit(self) -> Result<(), DbError> {
        match self {
            Self::Sqlite(tx, permit) => {
                tx.commit().await?;
                drop(permit);
            }
            Self::Postgres(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

fn bound<DB>(values: Vec<Value>) -> Result<DB::Arguments, DbError>
where
    DB: sqlx::Database,
    Option<String>: for<'q> sqlx::Encode<'q, DB> + sqlx::Type<DB>,
    Option<i64>: for<'q> sqlx::Encode<'q, DB> + sqlx::Type<DB>,
    bool: for<'q> sqlx::Encode<'q, DB> + sqlx::Type<DB>,
{
    arguments::<DB>(values).map_err(|error| DbError::Failed(sqlx::Error::Encode(error)))
}
