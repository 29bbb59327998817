//! A fresh database for each test, on both kinds. Nothing here is part of the server.
//!
//! The PostgreSQL half never skips: a suite that is green without having met PostgreSQL says
//! nothing about it.

use std::{future::Future, str::FromStr as _};

use sqlx::{
    AssertSqlSafe, Connection as _, PgConnection, SqliteConnection, postgres::PgConnectOptions,
    raw_sql,
};

use super::{Database, DatabaseUrl, open::Backend};

/// Where the tests' PostgreSQL is: a login that may create databases and roles.
const ADDRESS: &str = "ROVER_TEST_POSTGRES";
const DEFAULT_ADDRESS: &str = "postgres://postgres@127.0.0.1:5432/postgres";

/// Runs the test on a new SQLite file.
pub(crate) async fn on_sqlite<F>(test: impl FnOnce(Database) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = DatabaseUrl::Sqlite(folder.path().join("rover.db"));
    let database = Database::open(&url).await.expect("a new SQLite file opens");
    test(database.clone()).await;
    database.close().await;
}

/// Runs the test on a new PostgreSQL database, which is dropped afterwards, also when the test
/// fails.
pub(crate) async fn on_postgres<F>(test: impl FnOnce(Database) -> F + Send + 'static)
where
    F: Future<Output = ()> + Send + 'static,
{
    on_postgres_address(|address| async move {
        let url = DatabaseUrl::Postgres(address);
        let database = Database::open(&url).await.expect("a new PostgreSQL database opens");
        test(database.clone()).await;
        database.close().await;
    })
    .await;
}

/// The same for a test that opens the database in its own way.
pub(crate) async fn on_postgres_address<F>(test: impl FnOnce(String) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let server = std::env::var(ADDRESS).unwrap_or_else(|_| DEFAULT_ADDRESS.to_owned());
    let options = PgConnectOptions::from_str(&server)
        .unwrap_or_else(|error| panic!("{ADDRESS} is no PostgreSQL address: {error}"));
    let mut admin = PgConnection::connect_with(&options).await.unwrap_or_else(|error| {
        panic!(
            "this test needs PostgreSQL, and {server} does not answer ({error}); start one, or name another in {ADDRESS}"
        )
    });
    let name = format!("rover_test_{}", uuid::Uuid::now_v7().simple());
    raw_sql(AssertSqlSafe(format!("CREATE DATABASE {name} TEMPLATE template0")))
        .execute(&mut admin)
        .await
        .expect("the login may create databases");

    let result = tokio::spawn(test(renamed(&server, &name))).await;
    raw_sql(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)")))
        .execute(&mut admin)
        .await
        .expect("the test database is dropped");
    if let Err(failed) = result {
        std::panic::resume_unwind(failed.into_panic());
    }
}

/// Runs SQL that none of our guards sees: as whoever can open the file, or as the superuser of the
/// server.
pub(crate) async fn behind_our_back(database: &Database, script: &str) {
    let done = match database.backend() {
        Backend::Sqlite(sqlite) => {
            let options = sqlite.write.connect_options();
            let mut raw = SqliteConnection::connect_with(&options).await.expect("the file opens");
            let unguarded = "DROP TRIGGER IF EXISTS audit_log_keeps_values; \
                 DROP TRIGGER IF EXISTS audit_log_keeps_rows;";
            let script = format!("{unguarded}{script}");
            raw_sql(AssertSqlSafe(script)).execute(&mut raw).await.map(|_| ())
        }
        Backend::Postgres(postgres) => {
            let options = (*postgres.app.connect_options()).clone().options([("role", "none")]);
            let mut raw = PgConnection::connect_with(&options).await.expect("the server answers");
            let script = format!("SET session_replication_role = replica; {script}");
            raw_sql(AssertSqlSafe(script)).execute(&mut raw).await.map(|_| ())
        }
    };
    done.unwrap_or_else(|error| panic!("{script}: {error}"));
}

/// The same address with another database.
fn renamed(server: &str, database: &str) -> String {
    let (server, query) = server.split_once('?').map_or((server, ""), |(head, tail)| (head, tail));
    let path = server.find("://").map_or(0, |at| at + 3);
    let end = server[path..].find('/').map_or(server.len(), |at| path + at);
    let query = if query.is_empty() { String::new() } else { format!("?{query}") };
    format!("{}/{database}{query}", &server[..end])
}

/// Declares tests that run on both databases.
macro_rules! on_both {
    ($($(#[$doc:meta])* async fn $name:ident($database:ident: $type:ty) $body:block)+) => {
        $($(#[$doc])*
        mod $name {
            use super::*;

            async fn test($database: $type) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                crate::db::testing::on_sqlite(test).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                crate::db::testing::on_postgres(test).await;
            }
        })+
    };
}
pub(crate) use on_both;
