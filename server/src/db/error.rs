//! What can go wrong below a service, sorted by what the caller can do about it.
//!
//! The database's own words stay in the log. A tool hears that it is busy, or that nothing was
//! changed.

use agent_contract::ToolError;

/// A failure of the database layer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DbError {
    /// The address of the database is not one that we understand.
    #[error("database address {0}")]
    Address(&'static str),
    /// Nobody speaks there, or not soon enough.
    #[error("nothing answers there within {seconds} s")]
    NoAnswer {
        /// How long it was waited for.
        seconds: u64,
    },
    /// Nobody gave us a connection in time; nothing was changed.
    #[error("the database is busy")]
    Busy,
    /// A row with these unique values exists already.
    #[error("a row with the same key exists")]
    Duplicate(#[source] sqlx::Error),
    /// A migration could not be applied.
    #[error("the database could not be brought up to date")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// Another program of another version changed the data in a way that we cannot read.
    #[error("stored data is not as expected: {0}")]
    Stored(&'static str),
    /// Everything else.
    #[error("the database failed")]
    Failed(#[source] sqlx::Error),
}

impl From<sqlx::Error> for DbError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::PoolTimedOut => Self::Busy,
            sqlx::Error::Database(inner) if inner.is_unique_violation() => Self::Duplicate(error),
            // SQLITE_BUSY and its extended codes; PostgreSQL: lock not available, query cancelled,
            // serialization.
            sqlx::Error::Database(inner)
                if matches!(
                    inner.code().as_deref(),
                    Some("5" | "261" | "517" | "773" | "55P03" | "57014" | "40001" | "40P01")
                ) =>
            {
                Self::Busy
            }
            _ => Self::Failed(error),
        }
    }
}

impl From<DbError> for ToolError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Busy => Self::Busy,
            other => {
                tracing::error!(error = &other as &dyn std::error::Error, "database");
                Self::Internal
            }
        }
    }
}
