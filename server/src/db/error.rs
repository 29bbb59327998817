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
    /// The login could pass row-level security.
    #[error(
        "the login `{login}` could pass row-level security, because `{role}` {why}; \
         work with a login that owns nothing and is a member of `rover_app` and `rover_system` only, \
         and name this one as the owner"
    )]
    TooStrong {
        /// The login of the address.
        login: String,
        /// The role that passes: the login itself, or one that it may step into.
        role: String,
        /// What makes it pass.
        why: String,
    },
    /// The login may not step into the roles that do the work.
    #[error(
        "the login `{login}` is no member of `rover_app` and `rover_system`; \
         let the owner say: GRANT rover_app, rover_system TO \"{login}\""
    )]
    NoRole {
        /// The login of the address.
        login: String,
    },
    /// There are no tables, and this login makes none.
    #[error(
        "there are no tables of Rover; name the owner to migrate, or run `rover database migrate`"
    )]
    NotPrepared,
    /// The tables are older than this program.
    #[error(
        "{missing} migrations of this program were not applied; \
         name the owner to migrate, or run `rover database migrate` first"
    )]
    Behind {
        /// How many are missing.
        missing: usize,
    },
    /// Somebody switched the guard of a table off.
    #[error(
        "row-level security is not forced on the table `{table}`; migrate as the owner, which puts it back"
    )]
    Unguarded {
        /// The table.
        table: String,
    },
    /// What is in the file is damaged.
    #[error("the file is damaged: {0}; restore a backup")]
    Damaged(String),
    /// The database was there and does not answer any more.
    #[error("the database does not answer")]
    Away(#[source] sqlx::Error),
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
            sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => {
                Self::Away(error)
            }
            // PostgreSQL: connection trouble, and a server that goes, comes or ended the session.
            sqlx::Error::Database(inner)
                if inner.code().is_some_and(|code| {
                    code.starts_with("08")
                        || matches!(&*code, "57P01" | "57P02" | "57P03" | "25P03")
                }) =>
            {
                Self::Away(error)
            }
            _ => Self::Failed(error),
        }
    }
}

impl From<DbError> for ToolError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Busy => Self::Busy,
            DbError::Away(source) => {
                tracing::warn!(error = &source as &dyn std::error::Error, "the database is away");
                Self::Busy
            }
            other => {
                tracing::error!(error = &other as &dyn std::error::Error, "database");
                Self::Internal
            }
        }
    }
}
