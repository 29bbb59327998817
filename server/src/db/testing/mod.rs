//! A fresh database for each test, on both kinds. Nothing here is part of the server.
//!
//! The PostgreSQL half never skips: a suite that is green without having met PostgreSQL says
//! nothing about it. There the server works as in production, under a login that owns nothing.

mod cluster;
pub(crate) mod other;
mod outside;
mod proxy;
pub(crate) mod shape;

use std::future::Future;

use sqlx::{Connection as _, SqliteConnection, raw_sql, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

pub(crate) use self::cluster::OwnDatabase;
pub(crate) use self::outside::Outside;
pub(crate) use self::proxy::Proxy;
use super::{Database, DatabaseUrl, open::Backend};

/// What the program of an earlier release left; see the folder's README.
const SQLITE_RELEASE: &str = include_str!("../../../tests/data/release-cf24b8b/sqlite.sql");
const POSTGRES_RELEASE: &str = include_str!("../../../tests/data/release-cf24b8b/postgres.sql");

/// Which of the two databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Sqlite,
    Postgres,
}

impl Kind {
    /// The one that a module of tests is compiled for; its path says which.
    pub(crate) fn of(module: &str) -> Self {
        match (module.contains("_on_sqlite"), module.contains("_on_postgres")) {
            (true, false) => Self::Sqlite,
            (false, true) => Self::Postgres,
            _ => panic!("{module} is compiled for no database, or for two"),
        }
    }
}

/// A new database of a test's own, brought up to date and empty. It is gone when this is dropped,
/// also when the test fails.
#[derive(Debug)]
pub(crate) enum Site {
    Sqlite(TempDir),
    Postgres(OwnDatabase),
}

impl Site {
    pub(crate) async fn new(kind: Kind) -> Self {
        match kind {
            Kind::Sqlite => Self::Sqlite(tempfile::tempdir().expect("a temporary folder")),
            Kind::Postgres => Self::Postgres(OwnDatabase::up_to_date().await),
        }
    }

    /// One that a program of an earlier release left, with what its people did.
    pub(crate) async fn of_release(kind: Kind) -> Self {
        match kind {
            Kind::Sqlite => {
                let folder = tempfile::tempdir().expect("a temporary folder");
                let options = SqliteConnectOptions::new()
                    .filename(folder.path().join("rover.db"))
                    .create_if_missing(true)
                    .foreign_keys(false);
                let mut file = SqliteConnection::connect_with(&options).await.expect("a file");
                raw_sql(SQLITE_RELEASE).execute(&mut file).await.expect("the dump is whole");
                file.close().await.expect("closed");
                Self::Sqlite(folder)
            }
            Kind::Postgres => {
                let own = OwnDatabase::empty().await;
                let mut owner = own.as_owner().await;
                raw_sql(POSTGRES_RELEASE).execute(&mut owner).await.expect("the dump is whole");
                Self::Postgres(own)
            }
        }
    }

    /// Applies what migrations it lacks.
    pub(crate) async fn migrate(&self) {
        match self {
            Self::Sqlite(_) => self.open().await.close().await,
            Self::Postgres(own) => {
                Database::migrate(&own.owner()).await.expect("every migration can be applied");
            }
        }
    }

    /// Where it is, as a server is told.
    pub(crate) fn url(&self) -> DatabaseUrl {
        match self {
            Self::Sqlite(folder) => DatabaseUrl::Sqlite(folder.path().join("rover.db")),
            Self::Postgres(own) => own.url(),
        }
    }

    pub(crate) async fn open(&self) -> Database {
        Database::open(&self.url()).await.expect("a new database opens")
    }

    /// A connection that none of our guards sees: as whoever can open the file, or as the
    /// superuser of the server.
    pub(crate) async fn outside(&self) -> Outside {
        match self {
            Self::Sqlite(folder) => Outside::file(&folder.path().join("rover.db")).await,
            Self::Postgres(own) => Outside::server(own.name()).await,
        }
    }
}

/// Runs the test on a new database.
pub(crate) async fn on<F>(kind: Kind, test: impl FnOnce(Database) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let site = Site::new(kind).await;
    let database = site.open().await;
    test(database.clone()).await;
    database.close().await;
}

/// Runs the test on a new SQLite file.
pub(crate) async fn on_sqlite<F>(test: impl FnOnce(Database) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    on(Kind::Sqlite, test).await;
}

/// Runs the test on a new PostgreSQL database.
pub(crate) async fn on_postgres<F>(test: impl FnOnce(Database) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    on(Kind::Postgres, test).await;
}

/// Runs SQL that none of our guards sees.
pub(crate) async fn behind_our_back(database: &Database, script: &str) {
    outside(database).await.run(script).await;
}

/// The same connection for more than one question.
pub(crate) async fn outside(database: &Database) -> Outside {
    match database.backend() {
        Backend::Sqlite(sqlite) => {
            Outside::file(sqlite.write.connect_options().get_filename()).await
        }
        Backend::Postgres(postgres) => {
            let options = postgres.app.connect_options();
            Outside::server(options.get_database().expect("a database of its own")).await
        }
    }
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
