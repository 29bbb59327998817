//! PostgreSQL: row-level security, under roles that own nothing.
//!
//! The login of the address migrates and owns the tables. Work is done as `rover_app`, which passes
//! the policies of one school, or as `rover_system`, which knows accounts and turns only.

use std::time::Duration;

use sqlx::{
    PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
    raw_sql,
};

use super::{DbError, TenantScope, migrations, statements::frame, tx::Tx};
use crate::metrics::PoolSight;

const PATIENCE: Duration = Duration::from_secs(10);
/// How long a database that is only just starting is waited for.
const CONNECTING: Duration = Duration::from_secs(5);
const APP_CONNECTIONS: u32 = 10;
const SYSTEM_CONNECTIONS: u32 = 5;

/// The pools of one server.
#[derive(Debug, Clone)]
pub(super) struct Postgres {
    pub(super) app: PgPool,
    pub(super) system: PgPool,
}

impl Postgres {
    pub(super) async fn open(url: &str) -> Result<Self, DbError> {
        Self::with_connections(url, APP_CONNECTIONS, SYSTEM_CONNECTIONS).await
    }

    pub(super) async fn with_connections(
        url: &str,
        app: u32,
        system: u32,
    ) -> Result<Self, DbError> {
        let owner: PgConnectOptions = url
            .parse::<PgConnectOptions>()?
            .application_name("rover")
            .options([("search_path", migrations::SCHEMA)]);

        let first = PgPoolOptions::new().max_connections(1).acquire_timeout(CONNECTING);
        let migrating = first.connect_with(owner.clone()).await.map_err(|error| match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) => {
                DbError::NoAnswer { seconds: CONNECTING.as_secs() }
            }
            other => other.into(),
        })?;
        migrations::postgres().run(&migrating).await?;
        migrating.close().await;

        Ok(Self {
            app: pool(owner.clone(), "rover_app", app).await?,
            system: pool(owner, "rover_system", system).await?,
        })
    }

    pub(super) async fn read(&self, scope: &TenantScope) -> Result<Tx, DbError> {
        self.enter(frame::BEGIN_READ_POSTGRES, scope).await
    }

    pub(super) async fn write(&self, scope: &TenantScope) -> Result<Tx, DbError> {
        self.enter(frame::BEGIN_WRITE_POSTGRES, scope).await
    }

    pub(super) async fn system_read(&self) -> Result<Tx, DbError> {
        Ok(Tx::Postgres(self.system.begin_with(frame::BEGIN_READ_POSTGRES).await?))
    }

    pub(super) async fn system_write(&self) -> Result<Tx, DbError> {
        Ok(Tx::Postgres(self.system.begin_with(frame::BEGIN_WRITE_POSTGRES).await?))
    }

    /// Never in one statement with BEGIN: a cancelled BEGIN would then leave the school behind for
    /// the next borrower.
    async fn enter(&self, begin: &'static str, scope: &TenantScope) -> Result<Tx, DbError> {
        let mut tx = self.app.begin_with(begin).await?;
        sqlx::query(frame::ENTER_POSTGRES).bind(scope.school().as_str()).execute(&mut *tx).await?;
        Ok(Tx::Postgres(tx))
    }

    pub(super) fn pools(&self) -> Vec<PoolSight> {
        let seen = |(name, pool): (_, &PgPool)| PoolSight {
            name,
            open: pool.size(),
            idle: pool.num_idle(),
        };
        [("app", &self.app), ("system", &self.system)].into_iter().map(seen).collect()
    }

    pub(super) async fn close(&self) {
        self.app.close().await;
        self.system.close().await;
    }
}

/// The role is a start-up setting, so that `RESET ROLE` leads back to it and not to the owner.
async fn pool(owner: PgConnectOptions, role: &str, connections: u32) -> Result<PgPool, DbError> {
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .before_acquire(|connection, _| {
            Box::pin(async move {
                // sqlx 0.9.0 may return a connection inside a transaction (see `frame`).
                raw_sql(frame::ROLLBACK).execute(connection).await?;
                Ok(true)
            })
        })
        .connect_with(owner.options([
            ("role", role),
            ("statement_timeout", "15s"),
            ("client_min_messages", "error"),
        ]))
        .await?;
    Ok(pool)
}
