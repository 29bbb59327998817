//! Copies of a SQLite file, and the search for damage.
//!
//! A copy is made by SQLite itself from one moment's rows, while servers go on. It is never half
//! there: it gets its name when it is complete, on the disk and found whole, and it overwrites
//! nothing.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
};

use sqlx::{Connection as _, SqliteConnection, query, query_scalar, sqlite::SqliteConnectOptions};

use super::{Database, DatabaseUrl, DbError, postgres::Postgres, statements::upkeep};

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BackupError {
    /// Something is there already.
    #[error("{} is there already; name a file that is not, since a backup overwrites nothing", .0.display())]
    Exists(PathBuf),
    /// PostgreSQL has tools of its own for this.
    #[error("{0} is a PostgreSQL database; copy it with pg_dump, as docs/databases.md shows")]
    NotAFile(DatabaseUrl),
    /// The copy cannot be written there.
    #[error("{} cannot be written", path.display())]
    Unwritable {
        /// The copy.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The database cannot be read, or its copy is damaged.
    #[error("the database cannot be copied")]
    Database(#[from] DbError),
}

impl Database {
    /// Writes a copy of a SQLite database and answers its size. Servers may go on meanwhile.
    pub async fn backup(url: &DatabaseUrl, to: &Path) -> Result<u64, BackupError> {
        let DatabaseUrl::Sqlite(from) = url else {
            return Err(BackupError::NotAFile(url.clone()));
        };
        if to.exists() {
            return Err(BackupError::Exists(to.to_owned()));
        }
        let half = Half::beside(to)?;
        let mut source = reading(from, Still::No).await?;
        query(upkeep::COPY_SQLITE)
            .bind(half.0.to_string_lossy())
            .execute(&mut source)
            .await
            .map_err(DbError::from)?;
        let _ = source.close().await;
        whole(&half.0, Still::Yes).await?;
        half.finish(to)
    }

    /// Looks for damage: pages and indexes of a file and the keys in it; of a server, whether the
    /// guards are up.
    pub async fn check(url: &DatabaseUrl) -> Result<(), DbError> {
        match url {
            DatabaseUrl::Sqlite(file) => whole(file, Still::No).await,
            DatabaseUrl::Postgres(url) => Postgres::check(url).await,
        }
    }
}

/// A copy that is not complete yet; gone when dropped.
struct Half(PathBuf);

impl Half {
    /// In the same folder, so that it can be given its name in one step. Nobody else may read it:
    /// it holds what people wrote, and the hashes of their passwords.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        let mut name = to.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.half", uuid::Uuid::now_v7().simple()));
        let half = Self(to.with_file_name(name));
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let unwritable = |source| BackupError::Unwritable { path: to.to_owned(), source };
        options.open(&half.0).map_err(unwritable)?;
        Ok(half)
    }

    /// Gives the copy its name, unless somebody took it meanwhile.
    fn finish(self, to: &Path) -> Result<u64, BackupError> {
        let done = fs::File::open(&self.0)
            .and_then(|file| file.sync_all().and_then(|()| file.metadata()))
            .and_then(|copied| fs::hard_link(&self.0, to).map(|()| copied.len()));
        done.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists => BackupError::Exists(to.to_owned()),
            _ => BackupError::Unwritable { path: to.to_owned(), source },
        })
    }
}

impl Drop for Half {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Whether nobody else can have the file open, so that no lock and no log is needed beside it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Still {
    Yes,
    No,
}

async fn reading(file: &Path, still: Still) -> Result<SqliteConnection, DbError> {
    let options =
        SqliteConnectOptions::new().filename(file).read_only(true).immutable(still == Still::Yes);
    Ok(SqliteConnection::connect_with(&options).await?)
}

/// Whether SQLite finds no damage, and no row refers to one that is not there.
async fn whole(file: &Path, still: Still) -> Result<(), DbError> {
    let mut connection = reading(file, still).await.map_err(damaged)?;
    let found: Vec<String> = query_scalar(upkeep::DAMAGE_SQLITE)
        .fetch_all(&mut connection)
        .await
        .map_err(|error| damaged(error.into()))?;
    if let Some(first) = found.into_iter().find(|line| line != "ok") {
        return Err(DbError::Damaged(first));
    }
    let astray: Option<String> =
        query_scalar(upkeep::ASTRAY_SQLITE).fetch_optional(&mut connection).await?;
    match astray {
        Some(table) => Err(DbError::Damaged(format!("a row of {table} refers to none"))),
        None => Ok(()),
    }
}

/// SQLite finds the worst damage (11) and files that are none of its own (26) before it is asked.
fn damaged(error: DbError) -> DbError {
    match error {
        DbError::Failed(sqlx::Error::Database(inner))
            if matches!(inner.code().as_deref(), Some("11" | "26")) =>
        {
            DbError::Damaged(inner.message().to_owned())
        }
        other => other,
    }
}
