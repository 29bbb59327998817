//! PostgreSQL: row-level security, under roles that own nothing.
//!
//! The owner's login migrates and is gone again. Work is done by another login, as `rover_app`,
//! which passes the policies of one school, or as `rover_system`, which knows accounts and turns
//! only. A login that could pass the policies is refused before the first frame.

mod guard;
mod migrate;

use std::time::Duration;

use sqlx::{
    Connection as _, PgConnection, PgPool,
    postgres::{PgConnectOptions, PgPoolOptions},
    raw_sql,
};

pub(super) use self::migrate::migrate;
use super::{DbError, TenantScope, migrations, statements::frame, tx::Tx, url::PostgresUrl};

/// How long a frame waits for a connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a database that is only just starting is waited for.
const CONNECTING: Duration = Duration::from_secs(5);
/// How often it is tried again meanwhile.
const RETRYING: Duration = Duration::from_millis(200);
const APP_CONNECTIONS: u32 = 10;
const SYSTEM_CONNECTIONS: u32 = 5;

/// What each working connection is told at its start.
///
/// A statement ends before a call's patience does, a lock is given up before the statement would
/// be, and a frame that somebody forgot does not keep its locks for ever.
const LIMITS: [(&str, &str); 4] = [
    ("statement_timeout", "15s"),
    ("lock_timeout", "10s"),
    ("idle_in_transaction_session_timeout", "60s"),
    ("client_min_messages", "error"),
];

/// The pools of one server.
#[derive(Debug, Clone)]
pub(super) struct Postgres {
    pub(super) app: PgPool,
    pub(super) system: PgPool,
}

impl Postgres {
    pub(super) async fn open(url: &PostgresUrl) -> Result<Self, DbError> {
        Self::with_connections(url, APP_CONNECTIONS, SYSTEM_CONNECTIONS).await
    }

    pub(super) async fn with_connections(
        url: &PostgresUrl,
        app: u32,
        system: u32,
    ) -> Result<Self, DbError> {
        if let Some(owner) = &url.owner {
            migrate(owner).await?;
        }
        Self::check(url).await?;
        let login = login(&url.app)?;
        Ok(Self {
            app: pool(login.clone(), "rover_app", app).await?,
            system: pool(login, "rover_system", system).await?,
        })
    }

    /// Whether this login may work on this database, and its guards are up.
    pub(super) async fn check(url: &PostgresUrl) -> Result<(), DbError> {
        let mut connection = connect(&login(&url.app)?).await?;
        guard::check(&mut connection).await?;
        connection.close().await?;
        Ok(())
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

    pub(super) async fn close(&self) {
        self.app.close().await;
        self.system.close().await;
    }
}

fn login(url: &str) -> Result<PgConnectOptions, DbError> {
    let options: PgConnectOptions =
        url.parse().map_err(|_| DbError::Address("is no address of a PostgreSQL database"))?;
    Ok(options.application_name("rover").options([("search_path", migrations::SCHEMA)]))
}

/// Nobody listens yet, or PostgreSQL says that it is only just starting (57P03).
fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) => true,
        sqlx::Error::Database(refused) => refused.code().as_deref() == Some("57P03"),
        _ => false,
    }
}

/// One connection, or the news that nobody answers.
async fn connect(options: &PgConnectOptions) -> Result<PgConnection, DbError> {
    let silent = || DbError::NoAnswer { seconds: CONNECTING.as_secs() };
    let connecting = async {
        loop {
            match PgConnection::connect_with(options).await {
                Err(error) if is_starting(&error) => tokio::time::sleep(RETRYING).await,
                ended => return ended,
            }
        }
    };
    Ok(tokio::time::timeout(CONNECTING, connecting).await.map_err(|_| silent())??)
}

/// The role is a start-up setting, so that `RESET ROLE` leads back to it and not to the login.
async fn pool(login: PgConnectOptions, role: &str, connections: u32) -> Result<PgPool, DbError> {
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
        .connect_with(login.options([("role", role)]).options(LIMITS))
        .await?;
    Ok(pool)
}
