//! SQL that passes everything of the server, so that nothing of the server decides what a test
//! sees.

use std::{collections::BTreeMap, path::Path, time::Duration};

use sqlx::{
    AssertSqlSafe, Column as _, ColumnIndex, Connection as _, Decode, PgConnection,
    SqliteConnection, Type, raw_sql, sqlite::SqliteConnectOptions,
};

use super::{cluster, shape::Table};

/// A connection from outside the server.
#[derive(Debug)]
pub(crate) enum Outside {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Outside {
    pub(super) async fn file(path: &Path) -> Self {
        let options =
            SqliteConnectOptions::new().filename(path).busy_timeout(Duration::from_secs(10));
        Self::Sqlite(SqliteConnection::connect_with(&options).await.expect("the file opens"))
    }

    pub(crate) async fn server(database: &str) -> Self {
        Self::Postgres(cluster::superuser(database).await)
    }

    /// Runs a script. Triggers that keep the audit log and keys to other rows do not stop it.
    pub(crate) async fn run(&mut self, script: &str) {
        let done = match self {
            Self::Sqlite(raw) => {
                let unguarded = "DROP TRIGGER IF EXISTS audit_log_keeps_values; \
                     DROP TRIGGER IF EXISTS audit_log_keeps_rows;";
                let script = format!("{unguarded}{script}");
                raw_sql(AssertSqlSafe(script)).execute(raw).await.map(|_| ())
            }
            Self::Postgres(raw) => {
                let script = format!("SET session_replication_role = replica; {script}");
                raw_sql(AssertSqlSafe(script)).execute(raw).await.map(|_| ())
            }
        };
        done.unwrap_or_else(|error| panic!("{script}: {error}"));
    }

    /// `SELECT count(*) FROM …`.
    pub(crate) async fn count(&mut self, from: &str) -> i64 {
        let query = format!("SELECT CAST(count(*) AS TEXT) FROM {from}");
        self.rows(&query).await[0][0].as_deref().and_then(|n| n.parse().ok()).expect("a number")
    }

    /// The texts of the first column.
    pub(crate) async fn texts(&mut self, query: &str) -> Vec<String> {
        self.rows(query).await.into_iter().map(|mut row| row.remove(0).expect("a text")).collect()
    }

    /// All of it, of columns that are texts.
    pub(crate) async fn rows(&mut self, query: &str) -> Vec<Vec<Option<String>>> {
        let text = AssertSqlSafe(query.to_owned());
        macro_rules! rows {
            ($raw:expr) => {{
                let rows = sqlx::query(text).fetch_all($raw).await;
                let rows = rows.unwrap_or_else(|error| panic!("{query}: {error}"));
                rows.iter().map(texts).collect()
            }};
        }
        match self {
            Self::Sqlite(raw) => rows!(raw),
            Self::Postgres(raw) => rows!(raw),
        }
    }

    /// Every table, by name.
    pub(crate) async fn tables(&mut self) -> Vec<String> {
        let query = match self {
            Self::Sqlite(_) => {
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
            }
            Self::Postgres(_) => {
                "SELECT c.relname::text FROM pg_class c WHERE c.relnamespace = 'main'::regnamespace \
                 AND c.relkind IN ('r', 'p') ORDER BY c.relname::text COLLATE \"C\""
            }
        };
        self.texts(query).await
    }

    /// Lets rows in that no `CHECK` would, for whoever plants rows without knowing what they mean.
    pub(crate) async fn without_checks(&mut self) {
        match self {
            Self::Sqlite(_) => self.run("PRAGMA ignore_check_constraints = ON").await,
            Self::Postgres(_) => {
                let drop = "DO $$ DECLARE c RECORD; BEGIN \
                     FOR c IN SELECT conrelid::regclass AS t, conname FROM pg_constraint \
                         WHERE contype = 'c' AND connamespace = 'main'::regnamespace LOOP \
                         EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname); \
                     END LOOP; END $$";
                self.run(&format!("{}{drop}", cluster::SPOIL)).await;
            }
        }
    }

    /// Every row of one school, in one text each, by table.
    pub(crate) async fn rows_of(
        &mut self,
        tables: &[Table],
        school: &str,
    ) -> BTreeMap<String, Vec<String>> {
        let mut all = BTreeMap::new();
        for table in tables {
            let row = match self {
                Self::Postgres(_) => "t::text".to_owned(),
                Self::Sqlite(_) => {
                    let names =
                        table.columns.iter().map(|column| format!("quote({})", column.name));
                    names.collect::<Vec<_>>().join(" || ',' || ")
                }
            };
            let name = &table.name;
            let query =
                format!("SELECT {row} FROM main.{name} t WHERE school_id = '{school}' ORDER BY 1");
            all.insert(name.clone(), self.texts(&query).await);
        }
        all
    }

    /// Keeps everybody else from writing until [`Self::let_writers_go`].
    pub(crate) async fn hold_writers(&mut self) {
        match self {
            Self::Sqlite(raw) => raw_sql("BEGIN IMMEDIATE").execute(raw).await.map(|_| ()),
            Self::Postgres(_) => {
                let tables =
                    self.tables().await.iter().map(|t| format!("main.{t}")).collect::<Vec<_>>();
                let Self::Postgres(raw) = self else { return };
                let lock = format!("BEGIN; LOCK TABLE {} IN EXCLUSIVE MODE", tables.join(", "));
                raw_sql(AssertSqlSafe(lock)).execute(raw).await.map(|_| ())
            }
        }
        .expect("nobody else holds them");
    }

    pub(crate) async fn let_writers_go(&mut self) {
        match self {
            Self::Sqlite(raw) => raw_sql("ROLLBACK").execute(raw).await.map(|_| ()),
            Self::Postgres(raw) => raw_sql("ROLLBACK").execute(raw).await.map(|_| ()),
        }
        .expect("they were held");
    }
}

fn texts<R: sqlx::Row>(row: &R) -> Vec<Option<String>>
where
    usize: ColumnIndex<R>,
    Option<String>: for<'r> Decode<'r, R::Database> + Type<R::Database>,
{
    row.columns().iter().map(|column| row.get(column.ordinal())).collect()
}
