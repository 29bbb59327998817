//! Opening the database, and opening frames on it.

use std::future::Future;

use super::{
    DatabaseUrl, DbError, OwnerUrl, ReadFrame, SystemFrame, TenantScope, WriteFrame,
    postgres::{self, Postgres},
    sqlite::Sqlite,
};

/// An open database, brought up to date. Clones share their connections.
#[derive(Debug, Clone)]
pub struct Database {
    backend: Backend,
}

#[derive(Debug, Clone)]
pub(super) enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// Calls the same method on whichever database this is, in a task of its own.
macro_rules! in_own_task {
    ($self:ident, $method:ident $(, $scope:ident)?) => {{
        let backend = $self.backend.clone();
        $(let $scope = $scope.clone();)?
        detached(async move {
            match &backend {
                Backend::Sqlite(sqlite) => sqlite.$method($(&$scope)?).await,
                Backend::Postgres(postgres) => postgres.$method($(&$scope)?).await,
            }
        })
    }};
}

impl Database {
    /// Opens the database. A file, or a server whose owner is named, gets the migrations that it
    /// lacks; any other must have them.
    pub async fn open(url: &DatabaseUrl) -> Result<Self, DbError> {
        let backend = match url {
            DatabaseUrl::Sqlite(path) => Backend::Sqlite(Sqlite::open(path).await?),
            DatabaseUrl::Postgres(url) => Backend::Postgres(Postgres::open(url).await?),
        };
        Ok(Self { backend })
    }

    /// Applies the migrations that a PostgreSQL database lacks, for a deployment that does so in a
    /// step of its own.
    pub async fn migrate(owner: &OwnerUrl) -> Result<(), DbError> {
        postgres::migrate(owner).await
    }

    /// A frame that sees the scope's school and cannot change it.
    pub async fn read(&self, scope: &TenantScope) -> Result<ReadFrame, DbError> {
        let tx = in_own_task!(self, read, scope).await?;
        Ok(ReadFrame::new(tx, scope.clone()))
    }

    /// A frame that sees the scope's school and may change it, once, with an audit entry.
    pub async fn write(&self, scope: &TenantScope) -> Result<WriteFrame, DbError> {
        let tx = in_own_task!(self, write, scope).await?;
        Ok(WriteFrame::new(tx, scope.clone()))
    }

    /// Accounts and turns of every school, to read.
    pub async fn system_read(&self) -> Result<SystemFrame, DbError> {
        Ok(SystemFrame::new(in_own_task!(self, system_read).await?))
    }

    /// Accounts and turns of every school, to change. Never open it while holding a write frame:
    /// both wait for one lock.
    pub async fn system_write(&self) -> Result<SystemFrame, DbError> {
        Ok(SystemFrame::new(in_own_task!(self, system_write).await?))
    }

    /// Gives the connections back; frames that are still open finish first.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Sqlite(sqlite) => sqlite.close().await,
            Backend::Postgres(postgres) => postgres.close().await,
        }
    }

    #[cfg(test)]
    pub(super) fn over(backend: Backend) -> Self {
        Self { backend }
    }

    #[cfg(test)]
    pub(super) fn backend(&self) -> &Backend {
        &self.backend
    }
}

/// Runs to its end even when the caller is dropped in the middle.
///
/// sqlx 0.9.0 returns a connection inside an open transaction when `begin` is dropped in flight,
/// and the next borrower reads another school's rows (transact-rs/sqlx#4385). A task of its own is
/// never dropped; a frame that nobody waits for any more is dropped whole, which rolls back.
async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, DbError>> + Send + 'static,
) -> Result<T, DbError> {
    match tokio::spawn(work).await {
        Ok(result) => result,
        Err(stopped) => match stopped.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(DbError::Busy),
        },
    }
}
