//! Brings the tables up to date, as their owner.
//!
//! FORCE row-level security binds the owner too, so a migration that moves rows would find none.
//! It is lifted while migrations run, for the owner only, and put back whatever happens; a server
//! does not start on a table where it is off.

use sqlx::{Connection as _, query_scalar, raw_sql};

use super::{DbError, connect, login};
use crate::db::{migrations, statements::frame, url::OwnerUrl};

/// Applies the migrations that the database lacks. Whoever comes second waits, and finds nothing
/// to do.
pub(in crate::db) async fn migrate(owner: &OwnerUrl) -> Result<(), DbError> {
    let options =
        login(owner.as_str())?.options([("lock_timeout", "30s"), ("client_min_messages", "error")]);
    let mut connection = connect(&options).await?;
    raw_sql(frame::QUEUE_TO_MIGRATE_POSTGRES).execute(&mut connection).await?;
    let applied: Vec<i64> =
        if query_scalar(frame::IS_PREPARED_POSTGRES).fetch_one(&mut connection).await? {
            query_scalar(frame::APPLIED_MIGRATIONS_POSTGRES).fetch_all(&mut connection).await?
        } else {
            Vec::new()
        };
    let migrator = migrations::postgres();
    if !migrator.iter().all(|migration| applied.contains(&migration.version)) {
        raw_sql(frame::LIFT_FORCE_POSTGRES).execute(&mut connection).await?;
    }
    // Also when none is missing: whether they are the same migrations is asked all the same.
    let ran = migrator.run(&mut connection).await;
    raw_sql(frame::FORCE_POSTGRES).execute(&mut connection).await?;
    ran?;
    connection.close().await?;
    Ok(())
}
