//! `rover database`: migrations as a step of their own, a copy of the file, and whether all is well.

use std::path::Path;

use server::db::{Database, DatabaseUrl};

use super::CommandError;
use crate::say::say;
use crate::{config::Config, system};

/// Applies the migrations that are missing.
pub(crate) async fn migrate(config: &Config) -> Result<(), CommandError> {
    if let Some(owner) = &config.database_owner {
        let place = owner.to_string();
        let failed = |source| CommandError::Database { key: "database_owner", place, source };
        Database::migrate(owner).await.map_err(failed)?;
    } else {
        match system::left(config)? {
            DatabaseUrl::Postgres(_) => return Err(CommandError::NoOwner),
            file @ DatabaseUrl::Sqlite(_) => {
                Database::open(&file).await.map_err(unusable(config, &file))?.close().await
            }
        }
    }
    say!("the tables are up to date");
    Ok(())
}

/// Writes a copy.
pub(crate) async fn backup(config: &Config, to: &Path) -> Result<(), CommandError> {
    let bytes = Database::backup(&system::left(config)?, to).await?;
    say!("{}: {bytes} bytes, whole; the signing keys lie beside the database", to.display());
    Ok(())
}

/// Looks for damage.
pub(crate) async fn check(config: &Config) -> Result<(), CommandError> {
    let database = system::left(config)?;
    Database::check(&database).await.map_err(unusable(config, &database))?;
    say!("{database}: whole, and its guards are up");
    Ok(())
}

fn unusable(
    config: &Config,
    database: &DatabaseUrl,
) -> impl FnOnce(server::db::DbError) -> CommandError {
    let (key, place) = (config.database_key(), database.to_string());
    move |source| CommandError::Database { key, place, source }
}
