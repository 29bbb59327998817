//! SQLite: one file, one writer at a time, and a tripwire around every table that belongs to a
//! school.
//!
//! Each connection carries a TEMP table with the school in its frame, TEMP views that shadow the
//! tables for unqualified reads, and TEMP triggers that abort a write to another school's row. It
//! guards against our own mistakes (a forgotten `WHERE`), not against hostile SQL, which cannot
//! reach the connection.
//!
//! What the file is opened with, and why:
//! - `journal_mode = WAL`: readers go on while one writes, and so does a backup.
//! - `synchronous = FULL`: what a person was told is done survives a power cut.
//! - `foreign_keys = ON`: SQLite leaves them out unless it is asked.
//! - `recursive_triggers = ON`: without it `REPLACE` takes rows away that no delete trigger sees.
//! - `trusted_schema = OFF`: what a foreign hand wrote into the file's schema runs no functions.
//! - `journal_size_limit`: after a burst the log gives its room back.
//! - `busy_timeout`: other programs may hold the file for a moment.

use std::{fmt::Write as _, path::Path, sync::Arc, time::Duration};

use sqlx::{
    AssertSqlSafe, SqlitePool, raw_sql,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::sync::Semaphore;

use super::{DbError, TenantScope, migrations, statements::frame, tx::Tx};
use crate::metrics::PoolSight;

/// How long a call waits for the one write lock before it is told that the database is busy.
const PATIENCE: Duration = Duration::from_secs(10);
const READERS: u32 = 4;

/// Tables that the system connection may use whole. The same list is granted in the PostgreSQL
/// migration.
pub(super) const SYSTEM_TABLES: [&str; 10] = [
    "account",
    "attachment",
    "attachment_piece",
    "delivery",
    "message",
    "pending_question",
    "thread",
    "turn",
    "turn_event",
    "turn_token",
];

/// The pools of one file.
#[derive(Debug, Clone)]
pub(super) struct Sqlite {
    pub(super) write: SqlitePool,
    read: SqlitePool,
    system_write: SqlitePool,
    system_read: SqlitePool,
    /// The file has one write lock and two pools that want it: they queue here, fairly, not in
    /// SQLite's retries.
    writer: Arc<Semaphore>,
}

impl Sqlite {
    pub(super) async fn open(path: &Path) -> Result<Self, DbError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .pragma("recursive_triggers", "ON")
            .pragma("trusted_schema", "OFF")
            .pragma("journal_size_limit", "67108864")
            .busy_timeout(PATIENCE)
            // What PostgreSQL calls so: by code points, whatever the language of the machine.
            .collation("C", str::cmp);

        let migrating =
            SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        migrations::sqlite().run(&migrating).await?;
        let tables: Vec<String> =
            sqlx::query_scalar(frame::TENANT_TABLES_SQLITE).fetch_all(&migrating).await?;
        migrating.close().await;
        let tenant = Arc::from(guards(&tables, Guard::Tenant));
        let system = Arc::from(guards(&tables, Guard::System));

        let read_only = options.clone().read_only(true);
        Ok(Self {
            write: pool(&tenant, 1, options.clone()).await?,
            read: pool(&tenant, READERS, read_only.clone()).await?,
            system_write: pool(&system, 1, options).await?,
            system_read: pool(&system, READERS, read_only).await?,
            writer: Arc::new(Semaphore::new(1)),
        })
    }

    pub(super) async fn read(&self, scope: &TenantScope) -> Result<Tx, DbError> {
        let mut tx = self.read.begin().await?;
        sqlx::query(frame::ENTER_SQLITE).bind(scope.school().as_str()).execute(&mut *tx).await?;
        Ok(Tx::Sqlite(tx, None))
    }

    pub(super) async fn write(&self, scope: &TenantScope) -> Result<Tx, DbError> {
        let Tx::Sqlite(mut tx, permit) = self.begin_writing(&self.write).await? else {
            return Err(DbError::Busy);
        };
        sqlx::query(frame::ENTER_SQLITE).bind(scope.school().as_str()).execute(&mut *tx).await?;
        Ok(Tx::Sqlite(tx, permit))
    }

    pub(super) async fn system_read(&self) -> Result<Tx, DbError> {
        Ok(Tx::Sqlite(self.system_read.begin().await?, None))
    }

    pub(super) async fn system_write(&self) -> Result<Tx, DbError> {
        self.begin_writing(&self.system_write).await
    }

    async fn begin_writing(&self, pool: &SqlitePool) -> Result<Tx, DbError> {
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.writer).acquire_owned());
        let Ok(Ok(permit)) = turn.await else { return Err(DbError::Busy) };
        Ok(Tx::Sqlite(pool.begin_with(frame::BEGIN_WRITE_SQLITE).await?, Some(permit)))
    }

    pub(super) fn pools(&self) -> Vec<PoolSight> {
        let pools = [
            ("read", &self.read),
            ("write", &self.write),
            ("system_read", &self.system_read),
            ("system_write", &self.system_write),
        ];
        let seen = |(name, pool): (_, &SqlitePool)| PoolSight {
            name,
            open: pool.size(),
            idle: pool.num_idle(),
        };
        pools.into_iter().map(seen).collect()
    }

    pub(super) async fn close(&self) {
        for pool in [&self.read, &self.system_read, &self.write, &self.system_write] {
            pool.close().await;
        }
    }
}

async fn pool(
    guards: &Arc<str>,
    connections: u32,
    options: SqliteConnectOptions,
) -> Result<SqlitePool, DbError> {
    let guards = Arc::clone(guards);
    let pool = SqlitePoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .after_connect(move |connection, _| {
            let guards = Arc::clone(&guards);
            Box::pin(
                async move { raw_sql(AssertSqlSafe(guards)).execute(connection).await.map(|_| ()) },
            )
        })
        .before_acquire(|connection, _| {
            Box::pin(async move {
                // sqlx 0.9.0 may return a connection inside a transaction (see `frame`). Outside of
                // one SQLite calls ROLLBACK an error, which must not cost us the connection: it is
                // ignored.
                let _ = raw_sql(frame::ROLLBACK).execute(&mut *connection).await;
                raw_sql(frame::LEAVE_SQLITE).execute(connection).await?;
                Ok(true)
            })
        })
        .connect_with(options)
        .await?;
    Ok(pool)
}

/// Which rows a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// One school's, the one in the frame.
    Tenant,
    /// Every school's, but of the system tables only.
    System,
}

/// The script that each new connection runs. It is made from the schema, so a new table cannot be
/// forgotten.
fn guards(tables: &[String], guard: Guard) -> String {
    let mut script = String::from(frame::CREATE_FRAME_SQLITE);
    for table in tables {
        let known_to_system = SYSTEM_TABLES.contains(&table.as_str());
        match guard {
            Guard::Tenant => {
                let inside = "(SELECT school FROM temp.rover_frame)";
                let _ = write!(
                    script,
                    "CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE school_id = {inside};"
                );
                for (verb, row) in
                    [("INSERT", "NEW"), ("UPDATE", "OLD"), ("UPDATE", "NEW"), ("DELETE", "OLD")]
                {
                    abort(
                        &mut script,
                        table,
                        verb,
                        &format!("_{row}"),
                        &format!("WHEN {row}.school_id IS NOT {inside}"),
                    );
                }
            }
            Guard::System if known_to_system => {}
            Guard::System => {
                if table != "school" {
                    let _ = write!(
                        script,
                        "CREATE TEMP VIEW {table} AS SELECT * FROM main.{table} WHERE FALSE;"
                    );
                }
                for verb in ["INSERT", "UPDATE", "DELETE"] {
                    abort(&mut script, table, verb, "", "");
                }
            }
        }
    }
    script
}

fn abort(script: &mut String, table: &str, verb: &str, suffix: &str, when: &str) {
    let _ = write!(
        script,
        "CREATE TEMP TRIGGER guard_{table}_{verb}{suffix} BEFORE {verb} ON main.{table} {when} \
         BEGIN SELECT RAISE(ABORT, 'a row outside this frame'); END;"
    );
}
